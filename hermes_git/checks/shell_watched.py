"""Shell programs that look who is watching before they work, and those that only multiply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hermes_git.checks.piece import newlines
from hermes_git.checks.sign import MEDIUM, STRONG
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

PROBE = pattern(
    r"\b(?:ps|pgrep|pidof|lsof)\b[^\n;{}]{0,80}\b(?:gdb|strace|ltrace|lldb|wireshark|tcpdump|tshark|mitmproxy|burp\w{0,8}|charles|"
    r"falco|sysdig|osqueryd?|frida|radare2|procmon|auditd|crowdstrike|falcon)\b|\bTracerPid\b|/sys/hypervisor\b|"
    r"\b(?:vmware|virtualbox|qemu|kvm|xen)\b[^\n;]{0,60}/sys/class/dmi|/proc/uptime\b[^\n;]{0,60}-(?:lt|le)|"
    r"\bnproc\b[^\n;]{0,20}-(?:lt|le)|"
    r"\b(?:sandbox|malware|cuckoo|maltest|honeypot)\b[^\n]{0,80}\b(?:whoami|hostname|id -un|uname -n|USER|HOSTNAME)\b|"
    r"/sys/class/dmi/[^\n]{0,200}\b(?:vmware|virtualbox|qemu|kvm|bochs|xen)|\bhypervisor\b[^\n;]{0,20}/proc/cpuinfo|"
    r"/proc/cpuinfo[^\n;]{0,60}\bhypervisor\b|\bsystemd-detect-virt\b|\bvirt-what\b|"
    r"(?:\$\{?(?:USER|LOGNAME|HOSTNAME)\b|\b(?:whoami|hostname|id -un|uname -n)\b)[^\n]{0,40}\n?[^\n]{0,80}"
    r"\b(?:sandbox|malware|cuckoo|maltest|virustotal|analyst|honeypot|vmware|virtualbox)",
)
"""A look for a debugger, a recorder or a machine that only pretends to be one."""

ENDS = pattern(
    r"\b(?:exit|return)\b(?:\s{1,4}0\b|\s{0,4}(?:[;&|})\n]|$))|\bkill (?:-\w{1,5} )?\$\$|\bsleep (?:\d{4,}|infinity)\b"
)
SAYS = pattern(r"\b(?:echo|printf|die|err|error|warn|log)\b|\s-{1,2}(?:eq|ne)\s0 \]\] \|\|")
STATEMENTS = frozenset("if_statement list case_statement while_statement for_statement".split())
MAX_PROBES = 20


def defined(program: Program, name: str, body: Any) -> None:
    """Look at a function: one that pipes itself into itself fills the machine."""
    if f"{name}|{name}&" in body.text[:400].decode("utf-8", "replace").replace(" ", ""):
        program.found.sign("HG627", STRONG, body.start_point[0] + 1, "starts itself again and again")


def at_end(program: Program, root: Any, source: str) -> None:
    """Look at a whole program."""
    for count, probe in enumerate(PROBE.finditer(source)):
        if count >= MAX_PROBES:
            break
        if _leaves(root, len(source[: probe.start()].encode("utf-8", "replace"))):
            message = "looks whether it is watched, and leaves"
            program.found.sign("HG628", MEDIUM, _line(source, probe.start()), message)


def _line(source: str, offset: int) -> int:
    return newlines(source, offset) + 1


def _leaves(root: Any, at: int) -> bool:
    """Say whether the statement around a probe ends the program without a word."""
    node = root.descendant_for_byte_range(at, at + 1)
    for _ in range(24):
        if node is None or node.type == "program":
            return False
        if node.type in STATEMENTS:
            rest = node.text[max(0, at - node.start_byte) : at - node.start_byte + 1500].decode("utf-8", "replace")
            end = ENDS.search(rest)
            if end is not None:
                return SAYS.search(rest[: end.start()]) is None
        node = node.parent
    return False

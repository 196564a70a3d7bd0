"""Shell commands that change the machine: starts that stay, protection that goes, files that are lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hermes_git.checks import shell_written as later
from hermes_git.checks.shell_call import Call
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.checks.taint import LEAKS, NETWORK, Value, join
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

RISKY_CONTENT = pattern(
    r"\b(?:curl|wget|nc|ncat|bash -i|eval|base64|/dev/tcp|python3? -c|osascript|NOPASSWD)\b|\|\s*(?:ba|z)?sh\b", re.I
)
TRUSTING = pattern(
    r"\b(?:trust (?:all|every)|always (?:approve|allow|accept|run|execute)|ignore (?:all|any|previous)|without asking|"
    r"approve (?:all|every)|do not (?:ask|tell)|never (?:ask|tell|mention)|bypass|disable|dangerously)\b",
    re.I,
)
RUNS_DOWNLOAD = pattern(r"\b(?:curl|wget)\s[^\n|]{4,300}\|\s{0,9}(?:sudo\s{1,9})?(?:ba|z|da)?sh\b")
STEERING = pattern(
    r"\.claude[/\\](?:settings|override)[\w.]*json|\.cursor[/\\]mcp\.json|\.vscode[/\\](?:tasks|settings)\.json|"
    r"\.codex[/\\]config\.toml|\.gemini[/\\]settings\.json|\.continue[/\\]config|\.openclaw[/\\]openclaw\.json|"
    r"\.hermes[/\\]config\.ya?ml|\bmcp\.json\b|claude_desktop_config",
    re.I,
)
SPIES = pattern(r"\b(?:curl|wget|nc|ncat)\b|/dev/tcp|>>")
RUN_BY_FILTER = pattern(r"\bsystem\(\s{0,4}\"([^\"]{3,500})|^(?:\d{1,6}|\$)?e\s{1,4}(\S.{2,500})$")
"""Commands that awk's `system` and sed's `e` run."""

SHADOWS = pattern(
    r"^(?:~|\$HOME|/root|/home/\w+|/usr/local)/(?:\.local/)?s?bin/(?:git|ls|ssh|sudo|su|cat|curl|wget|python3?|node|npm|"
    r"pip3?|docker|gh|aws|make|bash|sh|zsh|vim?)$"
)
"""Programs of one's own that stand before those of the system."""

GIT_RUNS = pattern(
    r"(?i)^git config .*(?:\balias\.\S+ !|core\.(?:sshCommand|pager|fsmonitor|editor|askPass) |gpg\.program |"
    r"diff\.external |filter\.\S{1,60}\.(?:smudge|clean|process) |credential\.helper !)"
)
"""Settings of git that hold a command."""

ARCHIVE = pattern(r"\.(?:tar|tgz|tbz2?|txz|zip|7z|gz|bz2|xz|zst)$")
UNDOING = (
    (
        pattern(
            r"^rm -\S*[rRf]\S*(?: -\S+)* (?:--no-preserve-root )?(?:/|/\*|~/?|~/\*|~/\.?\*|"
            r"~/\.\[\S*|~/(?:Documents|Desktop|Downloads|Pictures|Library)/?\*?|\$HOME/?|/home/?\*?|/usr|"
            r"/etc|/var|/boot)(?: |$)"
        ),
        "deletes a home or system folder",
    ),
    (pattern(r"^(?:mkfs|wipefs|shred)\b.* /dev/|^dd .*of=/dev/(?:sd|nvme|hd|disk|mmc)"), "overwrites a disk"),
    (
        pattern(r"^find (?:/|~|\$HOME)/?(?: .*)? -delete\b|^find (?:/|~|\$HOME) .*-exec rm\b"),
        "deletes everything below a home or the root",
    ),
    (
        pattern(r"^kill(?:all)? (?:-9|-KILL|-SIGKILL) -1\b|^(?:killall|pkill) (?:-\S+ )*(?:-u \S+|bash sh)"),
        "kills every process",
    ),
    (
        pattern(
            r"^chmod (?:-\S+ )*(?:0?777|a\+rwx) (?:/|/etc|/usr|/var|~|~/\.(?:ssh|aws|gnupg|kube))(?:\s|/?$)|"
            r"^chmod .*666 /var/run/docker\.sock"
        ),
        "opens system files to everyone",
    ),
)
DISABLING = (
    (
        pattern(
            r"^setenforce 0|^ufw disable|^iptables -F|^(?:systemctl|service) .*\b(?:stop|disable|"
            r"mask)\b.*\b(?:firewalld|ufw|auditd|apparmor|falcon|clamav|crowdstrike|osqueryd|wazuh)"
        ),
        "switches protection off",
        2,
    ),
    (
        pattern(
            r"^spctl .*(?:--master-disable|--global-disable)|^csrutil disable|^fdesetup disable|"
            r"^launchctl unload .*(?:XProtect|MRT)"
        ),
        "switches protection off",
        2,
    ),
    (pattern(r"^xattr .*com\.apple\.quarantine"), "takes the quarantine mark off a download", 1),
    (
        pattern(
            r"^history -c|^unset (?:HISTFILE|HISTORY)|^rm .*\.(?:bash|zsh)_history|^(?:shred|rm|"
            r"truncate) .*/var/log/(?:auth|secure|syslog|wtmp)"
        ),
        "wipes traces",
        2,
    ),
    (pattern(r"^git config .*core\.hooksPath (?:/dev/null|\"\"|'')|^rm .*\.git/hooks"), "switches git hooks off", 2),
    (
        pattern(r"^git config .*core\.hooksPath (?:~|\$HOME|/(?!dev/null))"),
        "has git run the hooks of another folder",
        2,
    ),
    (
        pattern(r"^claude .*--dangerously-skip-permissions|^codex .*--dangerously-bypass|^(?:gemini|qwen) .*--yolo"),
        "starts an agent without permissions",
        1,
    ),
)
ELEVATING = (
    (pattern(r"^chmod (?:\S+ )*(?:u\+s|\+s|[24567][0-7]{3}) |^setcap "), "sets a program to run with other rights", 3),
    (
        pattern(r"^usermod .*-\S*G (?:root|sudo|wheel)\b|^adduser .* (?:sudo|wheel)$"),
        "adds a user to a privileged group",
        2,
    ),
    (
        pattern(
            r"^docker run .*--privileged|^docker run .*-v /:/|^docker run .*(?:--pid[= ]host|"
            r"--cap-add[= ]SYS_ADMIN)"
        ),
        "starts a container with the rights of the host",
        2,
    ),
    (pattern(r"^usermod .*-\S*G docker\b"), "adds a user to the docker group", 1),
    (pattern(r"^docker .*/var/run/docker\.sock"), "hands the container engine to a container", 1),
    (pattern(r"^sc create .*type= ?kernel|^insmod |^modprobe .*\.ko"), "loads code into the kernel", 3),
    (pattern(r"^dscl .*-authonly|^iptables .*-j (?:REDIRECT|DNAT)"), "tests a password, or turns traffic aside", 2),
    (
        pattern(r"^osascript .*(?:do shell script|doShellScript|display dialog .*password)"),
        "runs shell code through AppleScript",
        2,
    ),
    (
        pattern(
            r"^(?:code|cursor|codium) .*--install-extension .*(?:--force|\.vsix)|^(?:code|"
            r"cursor) .*--force.*--install-extension"
        ),
        "forces an editor extension in",
        2,
    ),
)


def called(program: Program, call: Call) -> None:
    """Look at one command for what it does to the machine."""
    full = call.full
    if call.name == "cd":
        program.folder = call.texts[0] if call.texts else "~"
        return
    for shape, message in UNDOING:
        if shape.search(full):
            program.found.sign("HG627", STRONG, call.line, message)
    for shape, message, weight in DISABLING:
        if shape.search(full):
            program.found.sign("HG628", weight, call.line, message)
    for shape, message, weight in ELEVATING:
        if shape.search(full):
            program.found.sign("HG629", weight, call.line, message)
    _persistent(program, call, full)
    _copied_into_place(program, call)
    program.found.fact("runs", call.name[:60], call.line)


def _persistent(program: Program, call: Call, full: str) -> None:
    if call.name == "crontab" and (not call.texts or "-" in call.texts):
        risky = RISKY_CONTENT.search(call.stdin.text) or call.stdin.origins & {NETWORK}
        program.found.sign("HG626", STRONG if risky else WEAK, call.line, "installs a job that runs again and again")
        if call.stdin.text:
            jobs = re.sub(r"(?m)^\s*(?:@\w+|(?:\S+\s+){5})", "", call.stdin.text)
            program.found.add_inner(jobs, call.line, "shell")
    elif re.match(
        r"^(?:launchctl (?:load|bootstrap)|systemctl (?:--user )?enable|schtasks /create|at now)", full
    ) and not (call.name == "at" and call.stdin.text):
        program.found.sign("HG626", WEAK, call.line, "installs a service that starts by itself")
    elif call.name in ("at", "batch") and call.stdin.text:
        program.found.sign("HG626", MEDIUM, call.line, "leaves a command to be run later")
        program.found.add_inner(call.stdin.text, call.line, "shell")
    elif call.name in ("awk", "gawk", "mawk", "sed"):
        for text in call.texts:
            for match in RUN_BY_FILTER.finditer(text):
                program.found.add_inner(next(part for part in match.groups() if part), call.line, "shell")
            if "system(" in text and places.STRONG.search(text) and RISKY_CONTENT.search(text):
                program.found.sign("HG621", STRONG, call.line, "hands a credential store to a command inside awk")
    elif GIT_RUNS.search(full) and call.name == "git":
        program.found.add_inner(call.texts[-1].lstrip("!"), call.line, "shell")
    elif call.name == "launchctl" and "--" in call.texts:
        rest = call.args[call.texts.index("--") + 1 :]
        program.found.add_inner(" ".join(_quoted(arg.text) for arg in rest), call.line, "shell")
    elif call.name == "trap" and "DEBUG" in call.texts[1:] and SPIES.search(call.texts[0]):
        program.found.sign("HG626", STRONG, call.line, "hands on every command of a shell")
    elif call.name == "trap" and any(RISKY_CONTENT.search(text) for text in call.texts):
        program.found.add_inner(call.texts[0], call.line, "shell")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'" if " " in text else text


def _copied_into_place(program: Program, call: Call) -> None:
    """Look at files that are copied, moved, linked or edited into a place that is run or obeyed."""
    plain = [text for text in call.texts if not text.startswith("-")]
    if call.name in ("cp", "mv", "install", "ln") and len(plain) > 1:
        source = join([program.read(Value(text)) for text in plain[:-1]])
        written(program, plain[-1], source, ">", call.line)
        program.files[plain[-1].rstrip("/") or "/"] = source
    elif call.name in ("tar", "zip", "7z", "bsdtar"):
        archive = next((text for text in plain if ARCHIVE.search(text)), "")
        if archive:
            program.files[archive] = join([program.read(Value(text)) for text in plain if text != archive])
    elif call.name == "tee":
        for path in plain:
            written(program, path, call.stdin, ">>" if "-a" in call.texts else ">", call.line)
    elif call.name == "sed" and any(text.startswith("-i") for text in call.texts) and plain:
        written(program, plain[-1], Value(" ".join(plain[:-1])), ">>", call.line)


def written(program: Program, path: str, value: Value, operator: str, line: int) -> None:
    """Look at what is written where."""
    text = value.text
    program.found.fact("writes", path[:100], line)
    if value.origins & LEAKS and path:
        program.found.fact("keeps", path[:100], line)
    if re.search(r"authorized_keys\b", path) and (operator == ">>" or text):
        blank = re.search(r"\.\.\.|…|<[a-z_ -]{2,40}>|\.pub\b|YOUR|\$\(?\w*PUB", text, re.I)
        program.found.sign("HG626", WEAK if blank else STRONG, line, "lets another key log in (authorized_keys)")
    elif re.search(r"/etc/sudoers|/etc/ld\.so\.preload|/etc/pam\.d", path):
        program.found.sign("HG626", STRONG, line, f"changes who may do what ({path[:60]})")
    elif re.search(r"(?:^|/)waivers\.toml$", path):
        program.found.sign("HG628", STRONG, line, "waives findings about itself")
    elif SHADOWS.search(path):
        program.found.sign("HG626", STRONG, line, f"puts its own program before the system's ({path[:60]})")
    elif places.STARTUP.search(path):
        risky = RISKY_CONTENT.search(text) or value.origins & {NETWORK}
        program.found.sign(
            "HG626", STRONG if risky else WEAK, line, f"writes to a place that is run later ({path[:60]})"
        )
        if text:
            program.found.add_inner(text, line, "shell")
    elif STEERING.search(path):
        at_home = path.startswith(("~", "/", "$HOME", "..")) or (path.startswith(".") and ".hermes" not in path)
        program.found.sign(
            "HG626", MEDIUM if at_home else WEAK, line, f"changes the settings of an agent ({path[:60]})"
        )
    elif places.CONTROL.search(path):
        _steering(program, path, text, line)
    later.written(program, path, value, line)


def _steering(program: Program, path: str, text: str, line: int) -> None:
    """Judge a write to a file of instructions: by what is written, and whether it is the user's own."""
    own = path.startswith(("~", "$HOME", "/root", "/home", "/Users"))
    strong = own or TRUSTING.search(text) or RUNS_DOWNLOAD.search(text)
    program.found.sign("HG626", STRONG if strong else WEAK, line, f"writes instructions for agents ({path[:60]})")

"""Files that a shell program writes and that are run or obeyed later: login files, units, hooks, package settings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hermes_git.checks.shell_misuse import INDEX_NAMES, PUBLIC_ADDRESS, index
from hermes_git.checks.sign import MEDIUM, STRONG
from hermes_git.checks.taint import Value
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.shell_flow import Program

HOOK_CONTENT = pattern(r"(?:^|/)\.?(?:git)?hooks?/(?:pre|post|commit|prepare|update|applypatch|push)[\w-]{0,30}$")
"""A hook of git, wherever a template or another folder of hooks keeps it."""

LOGIN_FILES = pattern(
    r"(?:^|/)\.(?:bash_aliases|aliases|zsh_aliases)$|\.config/fish/(?:conf\.d|functions)/|\.oh-my-zsh/custom/|/etc/profile\.d/"
)
"""Files that login files read, besides those that start things by themselves."""

INDEX_FILES = pattern(
    r"(?:^|/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|pip\.ini|\.pip/\S+|uv\.toml|\.bunfig\.toml|\.gemrc|"
    r"\.cargo/config(?:\.toml)?|docker/daemon\.json)$"
)
INDEX_LINE = pattern(
    r"(?m)^[\s{\"]{0,9}(?:registry|index-url|extra-index-url|npmRegistryServer|index|PIP_INDEX_URL|registry-mirrors)\"?"
    r"\s{0,9}[=:]\s{0,9}\[?[\"']?(?:sparse\+)?(https?://[^\s\"'\]]{4,200})"
)
EXPORTED_INDEX = pattern(r"\b([A-Za-z_]{4,40})=[\"']?(https?://[^\s\"']{4,200})")
UNIT_COMMAND = pattern(r"(?m)^\s{0,9}Exec(?:Start|StartPre|StartPost|Stop)?\s{0,4}=\s{0,4}[-@!+:]{0,3}([^\n]{4,2000})")
LIST_STRING = pattern(r"<string>([^<]{1,2000})</string>")
SSH_COMMAND = pattern(r"(?mi)^\s{0,9}(?:ProxyCommand|LocalCommand|Match\s[^\n]{0,80}\bexec)\s{1,9}([^\n]{4,1000})")
LOCAL_COMMAND = pattern(r"(?mi)^\s{0,9}LocalCommand\s")
KNOWN_NAMES = pattern(r"(?<![\w-])[\w-]{1,63}\.(?:com|org|net|io|dev|ai|app)\b")
KNOWN_RESOLVERS = pattern(r"nameserver\s{1,9}(?:1\.[01]\.[01]\.1|8\.8\.[48]\.[48]|9\.9\.9\.9|208\.67\.)")


def written(program: Program, path: str, value: Value, line: int) -> None:
    """Look at text that is written: hooks of git, settings of package tools, commands in the place of others."""
    text, startup = value.text, places.STARTUP.search(path)
    if not text:
        return
    if HOOK_CONTENT.search(path) and not startup:
        program.found.add_inner(text, line, "shell")
    elif INDEX_FILES.search(path):
        for match in INDEX_LINE.finditer(text):
            index(program, match.group(1), line)
    elif path.endswith((".ssh/config", "ssh_config")):
        _ssh(program, text, line)
    elif path.endswith(".pth") and re.match(r"\s{0,9}import\b", text):
        program.found.sign("HG626", STRONG, line, "has every start of Python run its code")
        program.found.add_inner(text, line, "python")
    elif startup or LOGIN_FILES.search(path):
        if not startup:
            program.found.add_inner(text, line, "shell")
        _login_file(program, path, text, line)
    _system_file(program, path, text, line)


def _ssh(program: Program, text: str, line: int) -> None:
    for match in SSH_COMMAND.finditer(text):
        program.found.add_inner(match.group(1), line, "shell")
    if LOCAL_COMMAND.search(text):
        program.found.sign("HG626", MEDIUM, line, "has every login over ssh run a command here")


def _system_file(program: Program, path: str, text: str, line: int) -> None:
    """Look at what steers names, packages and rights of the whole machine."""
    if path.endswith("/etc/hosts") and PUBLIC_ADDRESS.search(text) and KNOWN_NAMES.search(text):
        program.found.sign("HG628", MEDIUM, line, "leads a known name to another machine")
    elif path.endswith("resolv.conf") and PUBLIC_ADDRESS.search(text) and not KNOWN_RESOLVERS.search(text):
        program.found.sign("HG628", MEDIUM, line, "has all names looked up by a stranger")
    elif "/apt/" in path and ("trusted=yes" in text.replace(" ", "") or "allow-insecure=yes" in text):
        program.found.sign("HG622", MEDIUM, line, "takes packages that nobody has signed")
    elif re.search(r"polkit-1/(?:rules|localauthority)", path):
        program.found.sign("HG629", MEDIUM, line, "changes who may do what")


TRUSTED = "sudo|su|doas|ssh|scp|passwd|login|gpg|git|pass|op|aws|kubectl|docker|npm"
STANDS_BEFORE = pattern(rf"(?m)^\s{{0,9}}(?:function\s{{1,4}})?(?:{TRUSTED})\s{{0,3}}(?:\(\)\s{{0,4}}\{{|;|\n)")
SHADOW_FILE = pattern(rf"/fish/functions/(?:{TRUSTED})\.fish$")
TAKES = pattern(r"\bread\s[^\n;]{0,40}-\w{0,4}s|>>|\btee -a\b|\bcurl\b|\bwget\b|\bnc\b")
OTHER_PROGRAM = pattern(
    rf"\balias\s{{1,4}}(?:{TRUSTED})=[\"']?(?:~/|\$(?:HOME|PWD|OLDPWD)|\.{{1,2}}/|/(?!usr/|opt/|bin/|snap/|nix/|Applications/))"
)
EVERY_COMMAND = pattern(
    r"\btrap\b[^\n]{0,200}(?:>>|\bnc\b|\bcurl\b|BASH_COMMAND)[^\n]{0,200}\bDEBUG\b|"
    r"\b(?:PROMPT_COMMAND|precmd|preexec)\b[^\n]{0,200}(?:\bnc\b|\bcurl\b|\bwget\b|/dev/tcp)|"
    r"\b(?:LD_PRELOAD|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT)=[\"']?[~$/.\w-]|"
    r"\bNODE_OPTIONS=[^\n]{0,60}--(?:require|import|loader)|^\s{0,9}(?:exec\s{1,4})?script\s{1,4}-\w",
    re.M,
)
UNCHECKED = pattern(r"\bNODE_TLS_REJECT_UNAUTHORIZED=[\"']?0|\bPYTHONHTTPSVERIFY=[\"']?0|\bGIT_SSL_NO_VERIFY=[\"']?\w")


def _login_file(program: Program, path: str, text: str, line: int) -> None:
    """Judge what a login file is given: commands in the place of trusted ones, and code before every command."""
    for match in EXPORTED_INDEX.finditer(text):
        if INDEX_NAMES.match(match.group(1)):
            index(program, match.group(2), line)
    for match in UNIT_COMMAND.finditer(text):
        program.found.add_inner(match.group(1), line, "shell")
    if "<string>" in text:
        words = [word.replace("&amp;", "&").replace("&gt;", ">") for word in LIST_STRING.findall(text)]
        program.found.add_inner("\n".join(words), line, "shell")
    stands = STANDS_BEFORE.search(text)
    takes = stands is not None and TAKES.search(text[stands.end() : stands.end() + 600])
    if takes or OTHER_PROGRAM.search(text) or SHADOW_FILE.search(path):
        program.found.sign("HG626", STRONG, line, "puts its own command in the place of a trusted one")
    if EVERY_COMMAND.search(text):
        program.found.sign("HG626", STRONG, line, "loads code into every command of a login")
    if UNCHECKED.search(text):
        program.found.sign("HG628", MEDIUM, line, "has programs trust any certificate from now on")

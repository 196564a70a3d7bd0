"""One pass over a document: each piece goes to the analysis of its language, then what was found inside it.

The result is shared by all checks that report signs; each check only picks its own.
"""

from __future__ import annotations

import functools
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from hermes_git.checks import decode, marks, prose_signs
from hermes_git.checks.grammar import Work
from hermes_git.checks.markdown_pieces import html_pieces
from hermes_git.checks.piece import PROSE_ROLES, Piece, newlines
from hermes_git.checks.pieces import MARKDOWN_KINDS, code_text, overlong, pieces_of, python_text
from hermes_git.checks.reading import Fact, Reading
from hermes_git.checks.registry import Spot
from hermes_git.checks.sign import Found, Sign
from hermes_git.finding import ERROR, NOTE, WARNING
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

MAX_DEPTH = 4
MAX_PIECES = 20_000
LONG_VALUE = 24
"""Characters from which on a value of a configuration is read as a sentence."""
COMMANDS = frozenset(
    "curl wget nc ncat netcat socat scp rsync sftp telnet dig nslookup base64 xxd openssl eval source crontab "
    "sudo rm dd mkfs "
    "chmod usermod kill killall pkill docker iptables launchctl systemctl osascript security history unset "
    "printenv env bash "
    "sh zsh python python3 perl ruby node php git pip pip3 npm aws gsutil mail find setenforce spctl csrutil "
    "xattr sc dscl "
    "deno authorized bashrc zshrc sudoers hosts mcp settings agents claude soul memory tar gpg pass op vault "
    "gh az gcloud code ufw zip ping host "
    "cursor insmod export ssh tee trap schtasks powershell kubectl rclone xmrig stratum exec install read alias".split()
)
"""Words of which a shell text must hold one before it is followed."""

DISGUISE = pattern(r"/dev/(?:tcp|udp)|\$'|\\[a-z]|(?:''|\"\")(?:[a-z]|(?<=[a-z]..))|\$\{?IFS|>>|\[[a-z]\]|\$[a-zA-Z_{]")


def _is_shell(text: str) -> bool:
    """Say whether a text holds a command or a disguise that is worth following as shell."""
    return not COMMANDS.isdisjoint(prose_signs.plain_words(text.lower())) or DISGUISE.search(text) is not None


COMMAND_LINE = pattern(
    r"^[ \t]{0,12}(?:[$%#>] )?(?:curl|wget|sudo|bash|sh|cat|echo|printf|base64|eval|nc|ncat|scp|git clone|chmod|"
    r"crontab|docker|rm|"
    r"export|powershell|pwsh|python3?|node|npx|pip3?|npm|openssl|dig|env|printenv|find|tar|osascript|security|source)\s+\S[^\n]{2,2000}$",
    re.M,
)
ASKED = pattern(
    r"\b(?:run|runs|running|execute|executes|executing|use|using|paste|type|enter|invoke|call|issue|command|install|via|with|do)\b"
    r"[^.!?`]{0,70}$",
    re.I,
)
"""A lead-in that asks for the command that follows."""

CODE_CUES = frozenset(
    "attacker attackers malicious adversarial hostile vulnerable vulnerability vulnerabilities insecure "
    "exploit exploits".split()
)
"""Words above a block of code that say: this is an attack, shown and not asked for."""

DOWNLOAD_PIPE = pattern(
    r"\b(?:curl|wget)\s[^\n\"'`|]{4,300}\|\s{0,9}(?:sudo\s{1,9})?(?:ba|z|da)?sh\b|\b(?:ba)?sh\s{1,9}(?:-c\s{1,9}[\"']?)?(?:<\(|\$\()\s{0,9}"
    r"(?:curl|wget)\s[^\n\"'`)]{4,300}\)"
)
"""A download that is piped into a shell, wherever it stands in a text."""

INLINE_CODE = pattern(r"(`{1,3})([^`\n]{6,1500})\1")


Queue = deque[tuple[Piece, int]]
"""Pieces found inside others, each with its depth."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that the analyses found in one document."""

    signs: tuple[Sign, ...] = ()
    facts: tuple[Fact, ...] = ()
    incomplete: tuple[str, ...] = ()


def analysis_of(reading: Reading) -> Analysis:
    """Return the analysis of a document, done once."""
    return reading.once("analysis", _analyse)


def spots(reading: Reading, check: str) -> Iterator[Spot]:
    """Yield the spots of one check, at most one a line: the gravest."""
    best: dict[int, Sign] = {}
    for sign in analysis_of(reading).signs:
        if sign.check == check and _rank(sign) > _rank(best.get(sign.line)):
            best[sign.line] = sign
    for line in sorted(best):
        yield spot(best[line])


def spot(sign: Sign) -> Spot:
    """Return the spot of a sign; a mention is a note, whatever it would weigh as a use."""
    severity = NOTE if sign.mention else {3: ERROR, 2: WARNING}.get(sign.weight, NOTE)
    return Spot(sign.line, sign.message + (" (quoted)" if sign.mention else ""), severity=severity)


def _rank(sign: Sign | None) -> int:
    return -1 if sign is None else 0 if sign.mention else sign.weight


def _analyse(reading: Reading) -> Analysis:
    signs: list[Sign] = []
    facts: list[Fact] = []
    incomplete: list[str] = []
    about = functools.cache(lambda: _topic(reading))
    work = Work()
    queue: Queue = deque()
    pieces = chain(((piece, 0) for piece in _first(reading)), _drained(queue))
    for count, (piece, depth) in enumerate(pieces, 1):
        if count > MAX_PIECES:
            incomplete.append(f"more than {MAX_PIECES:,} pieces of text")
            break
        found = Found(piece, about=about, work=work)
        _one(piece, found)
        mention = _is_mention(piece)
        signs += [replace(sign, mention=True) for sign in found.signs] if mention else found.signs
        facts += [replace(fact, path=reading.path) for fact in found.facts]
        incomplete += [found.incomplete] if found.incomplete else []
        if depth < MAX_DEPTH:
            queue += [(inner, depth + 1) for inner in found.inner]
        elif found.inner:
            incomplete.append(f"more than {MAX_DEPTH} layers inside each other")
    incomplete += overlong(reading)
    return Analysis(tuple(dict.fromkeys(signs)), tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(incomplete)))


TOPIC_WORD = pattern(r"[a-z0-9][a-z0-9-]+")


def _drained(queue: Queue) -> Iterator[tuple[Piece, int]]:
    while queue:
        yield queue.popleft()


def _topic(reading: Reading) -> frozenset[str]:
    """Return the words of a document, of its path and its skill, addresses left out: what it is openly about."""
    plain = places.without_urls(reading.text)
    return _topic_words(f"{reading.path} {plain[:200_000]}") | _topic_of_skill(reading.about[:100_000])


@functools.lru_cache(maxsize=4)
def _topic_of_skill(about: str) -> frozenset[str]:
    """Return the words of a SKILL.md, once for all files of the skill."""
    return _topic_words(about)


def _topic_words(text: str) -> frozenset[str]:
    return frozenset(TOPIC_WORD.findall(text.lower().replace("_", "-")))


def _first(reading: Reading) -> Iterator[Piece]:
    for piece in pieces_of(reading):
        yield piece
        if piece.role in PROSE_ROLES and reading.kind not in ("svg",):
            yield from _commands_in(piece, reading.kind in MARKDOWN_KINDS)


def _commands_in(piece: Piece, markdown: bool) -> Iterator[Piece]:
    """Yield command lines that stand in prose, in code marks or on lines of their own."""
    text = piece.text
    if not _is_shell(text):
        return
    if markdown and "`" in text:
        for match in INLINE_CODE.finditer(text):
            if _is_shell(match.group(2)) and " " in match.group(2):
                lead = text[max(0, match.start() - 90) : match.start()]
                role = "code" if ASKED.search(lead) else "inline"
                yield Piece(match.group(2), piece.at(match.start()), role, "shell", piece.layers, before=piece.before)
    lines = list(COMMAND_LINE.finditer(text))
    if not lines:
        spans = [match.span() for match in INLINE_CODE.finditer(text)] if markdown else []
        for match in DOWNLOAD_PIPE.finditer(text):
            if not any(low <= match.start() < high for low, high in spans):
                yield Piece(match.group(), piece.at(match.start()), "code", "shell", piece.layers, before=piece.before)
    if lines:
        first, last = lines[0].start(), lines[-1].end()
        yield Piece(text[first:last], piece.at(first), "code", "shell", piece.layers, before=piece.before)


PYTHON_WORDS = pattern(
    r"requests|urllib|httpx|aiohttp|socket|subprocess|\bos\b|\bexec\b|\beval\b|import_module|__import__|getattr|pickle|marshal|ctypes|"
    r"base64|\bopen\(|environ|smtplib|ftplib|paramiko|boto3|globals|\bvars\(|__builtins__|pynput|keyboard|rmtree|write_text|runpy|"
    r"gettrace|__subclasses__|sys\.exit|importlib|codecs|zlib|keyring|pyperclip|ImageGrab|compile\(|fromhex|__dict__|\[::-1\]|"
    r"SystemExit|mmap|winreg|logging\.handlers|setuptools|distutils|\bpip\b|unlink|write_bytes|openai|anthropic|webbrowser|"
    r"\bflask\b|http\.server|asyncio|yaml|telnetlib|shutil|sqlite3|get_ipython"
)


Analyser = Callable[[Piece, Found], None]


def _later(module: str, name: str) -> Analyser:
    """Return an analyser whose module is imported when a piece first needs it: most changes hold prose and shell."""

    def analyse(piece: Piece, found: Found) -> None:
        import importlib

        getattr(importlib.import_module(f"hermes_git.checks.{module}"), name)(piece, found)

    return analyse


def _shell(piece: Piece, found: Found) -> None:
    if (piece.line == 1 and not piece.layers and not piece.before) or _is_shell(piece.text):
        from hermes_git.checks import shell_flow

        shell_flow.analyse(piece.text, found)


def _indented(piece: Piece, found: Found) -> None:
    if COMMAND_LINE.search(piece.text):
        _shell(piece, found)
    prose_signs.analyse(piece, found)


def _python(piece: Piece, found: Found) -> None:
    code = PYTHON_PROMPT.sub("", piece.text) if ">>>" in piece.text else piece.text
    if "cell" in piece.layers or piece.before:
        for match in SHELL_LINE.finditer(code):
            found.add_inner(match.group(1), newlines(code, match.start()) + 1, "shell")
        code = SHELL_LINE.sub("", code)
    if PYTHON_WORDS.search(code):
        from hermes_git.checks import python_flow

        whole = python_flow.analyse(code, found)
        if not whole and not piece.before and piece.line == 1 and not piece.layers:
            found.sign("HG610", 2, 1, "Python that does not parse; its parts were audited one by one")
    for inner in python_text(code, piece.line):
        if prose_signs.may_match(inner.text):
            found.inner.append(inner._replace(layers=piece.layers))


SCRIPT_WORDS = pattern(
    r"require|import|process|child_process|fetch|axios|eval|Function|atob|Buffer|fromChar|document|localStorage|XMLHttp|exec|spawn|"
    r"\bBun\b|constructor|fs\.|sendBeacon|WebSocket|clipboard|globalThis|navigator|Reflect|prototype|\bnet\b"
)


def _script(piece: Piece, found: Found) -> None:
    if SCRIPT_WORDS.search(piece.text):
        from hermes_git.checks import script_flow

        script_flow.analyse(piece.text, found, typescript=piece.language == "typescript")
    _texts(piece, found)


def _texts(piece: Piece, found: Found) -> None:
    """Read the comments and strings of a program as prose, where they could say something."""
    if prose_signs.may_match(piece.text):
        for inner in code_text(piece.text, piece.line):
            if prose_signs.may_match(inner.text):
                found.inner.append(inner._replace(layers=piece.layers, before=piece.before))


def _config(piece: Piece, found: Found) -> None:
    _later("config_flow", "analyse")(piece, found)
    _texts(piece, found)
    if piece.language != "json":
        from hermes_git.checks import pairs

        for pair in pairs.of_yaml(piece.text):
            if len(pair.value) > LONG_VALUE and prose_signs.may_match(pair.value):
                prose_signs.analyse(Piece(pair.value, found.line(pair.line), "header", layers=piece.layers), found)


def _html(piece: Piece, found: Found) -> None:
    found.inner += [inner._replace(layers=piece.layers) for inner in html_pieces(piece.text, piece.line)]


def _with_texts(analyser: Analyser) -> Analyser:
    def both(piece: Piece, found: Found) -> None:
        analyser(piece, found)
        _texts(piece, found)

    return both


def _unknown(piece: Piece, found: Found) -> None:
    """Read program text of a language without an analysis for its comments and strings, and for command lines."""
    _texts(piece, found)
    if COMMAND_LINE.search(piece.text):
        lines = list(COMMAND_LINE.finditer(piece.text))
        found.add_inner(
            "\n".join(match.group() for match in lines), newlines(piece.text, lines[0].start()) + 1, "shell"
        )


SHELL_LINE = pattern(r"^[ \t]{0,20}(?:!{1,2}|%(?:sx|system|sh|bash)\b)[ \t]{0,9}([^\n=]\S[^\n]{1,2000})$", re.M)
"""A line of a notebook that is handed to a shell."""

PYTHON_PROMPT = pattern(r"^(?:>>>|\.\.\.) ?", re.M)


ANALYSERS: dict[str, Analyser] = {
    "shell": _shell,
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "json": _config,
    "yaml": _config,
    "toml": _config,
    "powershell": _with_texts(_later("other_flow", "powershell")),
    "batch": _with_texts(_later("other_flow", "batch")),
    "ruby": _with_texts(_later("loose_flow", "ruby")),
    "perl": _with_texts(_later("loose_flow", "analyse")),
    "php": _with_texts(_later("loose_flow", "analyse")),
    "lua": _with_texts(_later("loose_flow", "analyse")),
    "html": _html,
    "makefile": _later("build_flow", "makefile"),
    "dockerfile": _later("build_flow", "dockerfile"),
    "indented": _indented,
}
"""Language → its analysis."""


def _one(piece: Piece, found: Found) -> None:
    """Analyse one piece and note what it carries in an encoded layer."""
    if piece.role in PROSE_ROLES:
        prose_signs.analyse(piece, found)
    if piece.role in ("code", "inline"):
        ANALYSERS.get(piece.language, _unknown)(piece, found)
    marks.analyse(piece, found)
    _layers(piece, found)


def _layers(piece: Piece, found: Found) -> None:
    """Note what encoded runs decode to: read as prose and, where it looks like it, as commands."""
    if len(piece.text) < decode.MIN_RUN:
        return
    for layer, offset, text in decode.runs(piece.text):
        line = newlines(piece.text, offset) + 1
        found.inner.append(piece.inner(text, found.line(line), "", layer)._replace(role="hidden"))
        found.add_inner(text, line, "shell", layer)


def _is_mention(piece: Piece) -> bool:
    """Say whether a block of code is announced as an example of an attack."""
    if piece.role == "inline":
        return True
    if piece.role not in ("code", "fence") or piece.layers or not piece.before:
        return False
    words = {word.strip(".,:;!?()*`\"'#") for word in piece.before.lower().split()}
    return bool(words & CODE_CUES)

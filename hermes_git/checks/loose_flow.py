"""Perl, PHP, Ruby and Lua: statements with a little data flow, from secrets and downloads to the network and shells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hermes_git.checks import other_flow
from hermes_git.checks.piece import Piece, newlines
from hermes_git.checks.shell_system import RISKY_CONTENT, STEERING, TRUSTING
from hermes_git.checks.sign import MEDIUM, STRONG, WEAK, Found
from hermes_git.checks.taint import ASKED, DECODED, ENVIRONMENT, LEAKS, NETWORK, SECRET, describe
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

SPEAKS = "speaks"
"""Origin of an object through which a program speaks to another machine."""

MAX_STATEMENT, MAX_JOINED, MAX_STATEMENTS, MAX_HELD, MAX_WORDS = 4000, 30, 20_000, 400, 40

ALL_VARIABLES = pattern(
    r"%ENV\b|\$_ENV\b(?!\[)|\bgetenv\(\s{0,4}\)|\bENV\.(?:to_h|to_a|each|map|inspect|to_json|select|collect)\b|"
    r"(?:dump|encode_json|Dumper|json_encode|serialize|var_export)\w*\s{0,4}\(?\s{0,4}\\?%?\$?_?ENV\b(?![\[{])"
)
DOWNLOADS = pattern(
    r"\bfile_get_contents\s{0,4}\(\s{0,4}[\"'](?:https?|ftp)://|\bcurl_exec\b|\bfopen\s{0,4}\(\s{0,4}[\"']https?://|"
    r"\bURI\.open\b|\bURI\.parse\([^\n]{0,200}\)\.(?:read|open)\b|"
    r"\bNet::HTTP\.get\w*|\b(?:HTTParty|Faraday|RestClient|Excon|Typhoeus)\.get\b|\bopen\s{0,4}\(\s{0,4}[\"']https?://|"
    r"\bLWP::Simple\b|\bget\s{0,4}\(?\s{0,4}[\"']https?://|->(?:get|request|decoded_content|recv)\b|\bsocket\.http\b|"
    r"\bhttp\.request\b|\b(?:curl|wget)\s[^\n]{0,200}https?://|:receive\b|\bsocket_read\b|\bstream_get_contents\b|\.recv\b|\bfgets\b"
)
ASKS = pattern(r"\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\$HTTP_RAW_POST_DATA|php://input")
DECODES = pattern(
    r"\b(?:base64_decode|gzinflate|gzuncompress|str_rot13|hex2bin|strrev|convert_uudecode|decode_base64|unb64|uudecode)\b|"
    r"\bBase64\.\w*decode64\b|\bunpack\b|\bpack\s{0,4}\(?\s{0,4}[\"'](?:[Hh]\*|m|u|C\*|U\*)|\.reverse\b|\bscalar\s{1,4}reverse\b|"
    r"\bchr\b[^\n]{0,80}\bchr\b|\bmap\s{0,4}\{?\s{0,4}chr\b|\.tr\([^\n]{0,80}a-z|\bstring\.char\b|\btr/[a-zA-Z-]{2,20}/"
)
CONNECTS = pattern(
    r"\bIO::Socket\b|\bTCPSocket\b|\bUDPSocket\b|\bfsockopen\b|\bstream_socket_client\b|\bsocket_(?:create|connect)\b|\bsocket\.(?:tcp|udp|connect)\b|"
    r"\bLWP::UserAgent\b|\bHTTP::Tiny\b|\bHTTP::Request\b|\bNet::(?:HTTP|SMTP|FTP|SSH|SCP)\b|\bcurl_(?:init|setopt\w*|exec)\b|\bmail\s{0,4}\(|"
    r"\bsendmail\b|\b(?:HTTParty|Faraday|RestClient|Excon|Typhoeus|Mojo::UserAgent|WWW::Mechanize)\b|\bstream_context_create\b|"
    r"\bsocket\.(?:http|smtp)\b|\bhttp\.request\b|\bURI\.open\b|\bfile_get_contents\s{0,4}\(\s{0,4}[\"']https?://|"
    r"\bget\s{0,4}\(?\s{0,4}[\"']https?://|\|\s{0,4}(?:curl|nc|ncat|wget|mail)\b|[\"'`](?:curl|wget|nc)\s"
)
SOCKETS = pattern(
    r"\bIO::Socket\b|\bTCPSocket\b|\bfsockopen\b|\bstream_socket_client\b|\bsocket_create\b|\bsocket\.tcp\b|\bsocket\s{0,4}\("
)
EVALUATES = pattern(
    r"(?<![.\w$>:-])eval\b(?!\s{0,4}\{)|\b(?:instance|class|module)_eval\b|\bKernel\.eval\b|\bassert\s{0,4}\(\s{0,4}\$|\bcreate_function\b|"
    r"\b(?:include|require)(?:_once)?\s{0,4}\(?\s{0,4}\$|\bload(?:string)?\s{0,4}\(|\bdofile\b|\bMarshal\.load\b|\bunserialize\b|"
    r"\bYAML\.(?:unsafe_)?load\b|\bcall_user_func(?:_array)?\b|\bbinding\.eval\b|\bStorable::thaw\b"
)
STARTS = pattern(
    r"\b(?:system|exec|shell_exec|passthru|popen|proc_open|spawn|pcntl_exec)\b|\bos\.execute\b|\bio\.popen\b|\bqx\b|`[^`]{3,}`|"
    r"\b(?:IO\.popen|Open3\.\w+|PTY\.spawn|Process\.spawn)\b|%x[\[{(]|\bopen\s{0,4}\(?[^\n]{0,60}[\"']\s{0,4}\|"
)
COMMAND = pattern(
    r"(?:\b(?:system|exec|shell_exec|passthru|popen|proc_open|spawn|os\.execute|io\.popen|IO\.popen|Open3\.\w+|Process\.spawn)"
    r"|\bqx|%x)\s{0,4}[({\[]?\s{0,4}(?:\[\s{0,4})?(?:\"((?:[^\"\\]|\\.){2,1500})\"|'((?:[^'\\]|\\.){2,1500})'|([^\"'`$)}\]]{4,1500})[)}\]])"
    r"|`([^`]{3,1500})`|\bopen\s{0,4}\(?[^\n\"']{0,60}[\"']\s{0,4}\|([^\"']{3,800})[\"']|[\"']([^\"'|]{3,800})\|\s{0,4}[\"']"
)
MORE_WORDS = pattern(r"\s{0,4},\s{0,4}(?:\"((?:[^\"\\]|\\.){0,800})\"|'((?:[^'\\]|\\.){0,800})')")
ASSIGNED = pattern(
    r"^\s{0,80}(?:(?:my|our|local|let|var|static)\s{1,4})?\(?\s{0,4}[$@%]?(\w{1,60})(?:\[[^\]\n]{0,60}\])?\)?\s{0,8}(?:\.|\|\||\+|<<|,)?=(?![=~>])"
)
OPENED = pattern(r"\bopen\s{0,4}\(?\s{0,4}(?:my\s{1,4})?\$?(\w{1,60})\s{0,4},")
EACH = pattern(
    r"\b(?:foreach|for)\b[^\n]{0,200}?\bas\s{1,4}\$?(\w{1,60})|\bfor(?:each)?\s{1,4}(?:my\s{1,4})?\$?(\w{1,60})\s|\bdo\s{0,4}\|(\w{1,60})"
)
GLUED = pattern(r"([\"'])\s{0,8}(?:\.{1,2}|\+|<<)\s{0,8}[\"']")
CALLED_BY_NAME = frozenset(
    "system exec shell_exec passthru popen assert eval proc_open base64_decode create_function instance_eval".split()
)
NAME = pattern(r"[\"'](\w{4,20})[\"']")
CALLS_VARIABLE = pattern(r"(?:&\s{0,4})?\$\{?(\w{1,60})\}?\s{0,4}(?:->\s{0,4})?\(")
SENDS_NAME = pattern(
    r"\b(?:send|public_send|__send__|method|const_get|call_user_func)\s{0,4}\(?\s{0,4}[\"':](\w{4,20})"
)
HOMES = pattern(
    r"\$ENV\{[\"']?HOME|\bDir\.home\b|getenv\(\s{0,4}[\"']HOME|ENV\[[\"']HOME|[\"']~[\"'/]|[\"'](?:/root|/home|/)[\"']"
)
REMOVES = pattern(r"\b(?:remove_tree|rmtree|rm_rf|rm_r|remove_dir|remove_entry_secure|rimraf)\b")
WRITES = pattern(r"\b(?:file_put_contents|File\.(?:write|open)|IO\.write|fopen|open|io\.open)\b")
WRITE_MODE = pattern(r"[\"']\s{0,4}(?:>{1,2}|[wa]\+?b?)|file_put_contents|(?:File|IO)\.write|FILE_APPEND")
SHELL_ON_SOCKET = pattern(
    r"\bSTDIN\b[^\n]{0,60}<?[&>]|\bopen\s{0,4}\(?\s{0,4}STD(?:IN|OUT)\b|\$std(?:in|out)\.reopen|exec\b[^\n]{0,60}/(?:ba|z|da)?sh\b|"
    r"proc_open\b[^\n]{0,80}/?(?:ba)?sh\b|\bin:|/bin/(?:ba)?sh\s{1,4}-i|os\.execute\b[^\n]{0,60}sh\b|<&\d"
)
CUE = pattern(r"[\"'`$(|%]|ENV\b|qx\b|eval\b")
"""What a statement holds that could do anything: a text, a variable, a call, a pipe."""
PART = pattern(r";\s+")
COMMENT = pattern(r"^\s{0,200}(?:#(?!!)|//|--(?!\[)|=begin|=pod|\*)")


def ruby(piece: Piece, found: Found) -> None:
    """Look at Ruby line by line and statement by statement."""
    other_flow.ruby(piece, found)
    analyse(piece, found)


class Statement(NamedTuple):
    """A statement with the line it starts on."""

    text: str
    line: int


def analyse(piece: Piece, found: Found) -> None:
    """Follow a program statement by statement."""
    held: dict[str, frozenset[str]] = {}
    called: dict[str, str] = {}
    connected = SOCKETS.search(piece.text) is not None and STARTS.search(piece.text) is not None
    for count, statement in enumerate(_statements(piece.text)):
        if count > MAX_STATEMENTS:
            found.incomplete = f"more than {MAX_STATEMENTS:,} statements"
            return
        if not held and not CUE.search(statement.text):
            continue
        glued = GLUED.sub("", statement.text)
        words = {word for word in re.findall(r"[A-Za-z_]\w{0,60}", glued) if word in held}
        origins = _origins(glued).union(*(held[word] for word in words))
        _judge(statement._replace(text=glued), origins, found)
        _by_name(statement, glued, called, found)
        if connected and SHELL_ON_SOCKET.search(glued):
            found.sign("HG645", STRONG, statement.line, "connects a shell to the network")
        if len(held) < MAX_HELD and origins:
            for name in _names(glued):
                held[name] = held.get(name, frozenset()) | origins


def _statements(text: str) -> Iterator[Statement]:
    """Yield statements: lines, joined while a bracket stays open, and parted at semicolons outside of texts."""
    joined, start, depth, rows = "", 0, 0, 0
    for number, row in enumerate(text.split("\n"), start=1):
        if not joined:
            if not row.strip() or COMMENT.match(row):
                continue
            start = number
        joined += row + "\n"
        rows += 1
        plain = re.sub(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", "", row)
        depth += sum(plain.count(char) for char in "([") - sum(plain.count(char) for char in ")]")
        if depth <= 0 or rows >= MAX_JOINED or len(joined) > MAX_STATEMENT:
            position = 0
            for end in (*(match.end() for match in PART.finditer(joined)), len(joined)):
                yield Statement(joined[position:end][:MAX_STATEMENT], start + newlines(joined, position))
                position = end
            joined, depth, rows = "", 0, 0


def _names(text: str) -> list[str]:
    """Return the names that a statement gives a value to."""
    matches = [ASSIGNED.match(text), OPENED.search(text), EACH.search(text)]
    return [name for match in matches if match for name in match.groups() if name]


def _origins(text: str) -> frozenset[str]:
    found = set()
    if places.STRONG.search(text):
        found.add(SECRET)
    for shape, origin in (
        (ALL_VARIABLES, ENVIRONMENT),
        (DOWNLOADS, NETWORK),
        (DECODES, DECODED),
        (CONNECTS, SPEAKS),
        (ASKS, ASKED),
    ):
        if shape.search(text):
            found.add(origin)
    return frozenset(found)


def _judge(statement: Statement, origins: frozenset[str], found: Found) -> None:
    text, line = statement
    if SPEAKS in origins and origins & LEAKS:
        found.sign("HG644", STRONG, line, f"sends {describe(origins & LEAKS)} away")
    if EVALUATES.search(text):
        if origins & {NETWORK, DECODED}:
            found.sign("HG645", STRONG, line, "runs code that it decodes or downloads")
        elif ASKED in origins:
            found.sign("HG645", WEAK if found.piece.before else STRONG, line, "runs code that strangers ask it to run")
    if STARTS.search(text):
        _started(text, line, origins, found)
    if REMOVES.search(text) and HOMES.search(text):
        found.sign("HG646", STRONG, line, "removes a home or system folder")
    if WRITES.search(text) and WRITE_MODE.search(text):
        _written(text, line, origins, found)


def _started(text: str, line: int, origins: frozenset[str], found: Found) -> None:
    """Hand on the command that a statement starts; one that comes from elsewhere is judged here."""
    commands = 0
    for match in COMMAND.finditer(text):
        command = next((group for group in match.groups() if group), "")
        rest: list[str] = []
        after = text[match.end() :]
        while len(rest) < MAX_WORDS and (more := MORE_WORDS.match(after)) is not None:
            rest.append(more.group(1) or more.group(2) or "")
            after = after[more.end() :]
        commands += 1
        found.add_inner(" ".join([command, *rest]).replace('\\"', '"'), line, "shell")
    if not commands and ASKED in origins:
        found.sign("HG645", WEAK if found.piece.before else STRONG, line, "starts a command that strangers ask for")
    elif not commands and origins & {NETWORK, DECODED} and not places.URL.search(text):
        found.sign("HG645", STRONG, line, "starts a command that it decodes or downloads")


def _written(text: str, line: int, origins: frozenset[str], found: Found) -> None:
    """Look at files that are run or obeyed later."""
    if "authorized_keys" in text:
        found.sign("HG646", STRONG, line, "lets another key in")
    elif places.STARTUP.search(text):
        risky = RISKY_CONTENT.search(text) or NETWORK in origins
        found.sign("HG646", STRONG if risky else WEAK, line, "writes to a place that is run later")
    elif STEERING.search(text) or places.CONTROL.search(text):
        own = HOMES.search(text) or "~" in text
        found.sign(
            "HG646",
            STRONG if own or TRUSTING.search(text) else WEAK,
            line,
            "writes instructions or settings of an agent",
        )


def _by_name(statement: Statement, glued: str, called: dict[str, str], found: Found) -> None:
    """Look at functions that are called by a text which names them."""
    hidden = glued != statement.text
    match = ASSIGNED.match(glued)
    risky = [name for name in NAME.findall(glued) if name in CALLED_BY_NAME]
    if match and risky:
        called[match.group(1)] = risky[0]
    for name in CALLS_VARIABLE.findall(glued):
        if name in called:
            found.sign("HG645", STRONG, statement.line, f"calls {called[name]} by a text that names it")
    sent = next((name for name in SENDS_NAME.findall(glued) if name in CALLED_BY_NAME), "")
    if sent and (hidden or sent in ("eval", "assert", "create_function")):
        found.sign("HG645", STRONG if hidden else MEDIUM, statement.line, f"calls {sent} by a text that names it")

"""Makefiles and Dockerfiles: their commands as one shell text, with the names that they give to parts of it."""

from __future__ import annotations

import re

from hermes_git.checks.piece import Piece, newlines
from hermes_git.checks.sign import MEDIUM, Found
from hermes_git.patterns import places
from hermes_git.patterns.lazy import pattern

SECTION = pattern(
    r"(?m)^[ \t]{0,20}(?:ONBUILD[ \t]+|HEALTHCHECK[^\n]{0,200}?[ \t])?(RUN|CMD|ENTRYPOINT|ADD|ENV|ARG)[ \t]+"
    r"((?:--\w[\w-]{0,30}(?:=\S{0,200})?[ \t]+){0,8})((?:[^\n\\]|\\\r?\n|\\.)+)",
    re.I,
)
HEREDOC = pattern(r"^<<-?[\"']?(\w{1,40})[\"']?[ \t]*$")
WORD = pattern(r"\"((?:[^\"\\]|\\.){0,2000})\"")
SETTING = pattern(r"([A-Za-z_]\w{0,60})=(\"(?:[^\"\\]|\\.){0,2000}\"|'[^']{0,2000}'|[^\s\"']{0,2000})")
VARIABLE = pattern(
    r"(?m)^[ ]{0,20}(?:export[ ]+|override[ ]+)?([A-Za-z_][\w.-]{0,60})[ \t]*(?:[:?+]{0,3})=[ \t]*([^\n]{0,2000})$"
)
USED = pattern(r"\$[({]([A-Za-z_][\w.-]{0,60})[)}]")
CALLS = pattern(r"\$\(shell ([^\n]{4,2000})\)")
INTERPRETERS = {"python": "python", "python3": "python", "perl": "perl", "ruby": "ruby", "node": "javascript"}
MAX_EXPANDED, MAX_ROUNDS, MAX_USES, MAX_HEREDOC, MAX_HEREDOCS = 200_000, 4, 400, 20_000, 100


def dockerfile(piece: Piece, found: Found) -> None:
    """Hand the commands of a Dockerfile on as one text, each on its line: what one fetches another may run."""
    rows = [""] * (piece.text.count("\n") + 2)
    for match in SECTION.finditer(piece.text):
        word, text = match.group(1).upper(), match.group(3)
        line = newlines(piece.text, match.start(3))
        items = WORD.findall(text) if text.lstrip().startswith("[") else []
        if word == "ADD":
            rows[line] = _added(items or text.split())
        elif word in ("ENV", "ARG"):
            rows[line] = " ".join(f"export {one.group(1)}={one.group(2)};" for one in SETTING.finditer(text))
        elif (here := HEREDOC.match(text.strip())) is not None and len(found.inner) < MAX_HEREDOCS:
            rest = piece.text[match.end() : match.end() + MAX_HEREDOC]
            end = re.search(rf"(?m)^{re.escape(here.group(1))}[ \t]*\r?$", rest)
            body = rest[: end.start() if end else MAX_HEREDOC]
            found.add_inner(body, line + 1, "shell")
        else:
            rows[line] = " ".join(items) if items else re.sub(r"\\\r?\n", " ", text)
        if re.search(r"\bLD_PRELOAD\b", rows[line]):
            found.sign("HG646", MEDIUM, line + 1, "loads a library into every program of the image")
    if any(rows):
        found.add_inner("\n".join(rows), 1, "shell")


def _added(words: list[str]) -> str:
    """Return the command that an `ADD` of an address stands for."""
    if len(words) < 2 or not places.URL.match(words[0]):
        return ""
    target = words[-1] if not words[-1].endswith("/") else words[-1] + words[0].rsplit("/", 1)[-1]
    return f"curl -o {target} {words[0]}"


def makefile(piece: Piece, found: Found) -> None:
    """Hand the recipes of a makefile on with its variables filled in, `$$` read as `$`, and what `$(shell …)` runs."""
    values = {match.group(1): match.group(2).strip() for match in VARIABLE.finditer(piece.text)}
    rows = [row[1:].lstrip("@-+ ") if row.startswith("\t") else "" for row in piece.text.split("\n")]
    shell = (values.get("SHELL") or "sh").split()[-1].rsplit("/", 1)[-1]
    language = INTERPRETERS.get(shell, "shell")
    if any(rows):
        found.add_inner(_filled("\n".join(rows), values).replace("$$", "$"), 1, language)
    for match in CALLS.finditer(piece.text):
        text = _filled(match.group(1), values).replace("$$", "$")
        found.add_inner(text, newlines(piece.text, match.start()) + 1, "shell")


def _filled(text: str, values: dict[str, str]) -> str:
    """Return a text with variables replaced by their values, a few rounds deep and within a bound on length."""
    for _ in range(MAX_ROUNDS):
        if not USED.search(text) or len(text) > MAX_EXPANDED:
            return text
        uses = 0

        def one(match: re.Match[str]) -> str:
            nonlocal uses
            uses += 1
            known = match.group(1) in values and uses <= MAX_USES
            return values[match.group(1)] if known else match.group()

        text = USED.sub(one, text)
    return text

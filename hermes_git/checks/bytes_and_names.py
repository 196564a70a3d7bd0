"""HG1, one file at a time: bytes that cannot be read, hide something, or run without being text."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath

from hermes_git.checks.piece import newlines
from hermes_git.checks.reading import MAX_LINES, MAX_TEXT, Reading
from hermes_git.checks.registry import Spot, check
from hermes_git.document import MODE_EXECUTABLE, is_binary
from hermes_git.finding import ERROR, NOTE, WARNING
from hermes_git.patterns.lazy import pattern

SCRIPTS = frozenset("python shell ruby perl php lua javascript".split())
BINARY_DATA = frozenset({"image", "font", "media", "office"})
"""Binary kinds that are data: they pass, and are listed as not scanned."""


@check(
    "HG101",
    severity=ERROR,
    fires=((("run", b"#!/bin/sh\n# \xff\n"),),),
    quiet=((("run", "#!/bin/sh\n# ü\n"),), (("pic.png", b"\x89PNG\r\n\x1a\n\xff\xfe"),)),
)
def undecodable(reading: Reading) -> Iterator[Spot]:
    """Text that is not valid UTF-8.

    What cannot be decoded cannot be judged, and a single wrong byte must not hide a whole file. Agents, editors and
    shells each guess differently what such bytes mean. Memory files are covered by HG254.

    Fix: save the file as UTF-8 (UTF-16 and UTF-32 are read too when they are marked by their BOM).
    """
    document = reading.document
    if reading.area == "memory" or not document.is_text or document.encoding != "undecodable":
        return
    if is_binary(document.data):
        return
    line = newlines(document.text, max(0, document.text.find("\ufffd"))) + 1
    yield Spot(line, "bytes that are not UTF-8, so the text is not certain", hint="save the file as UTF-8")


@check(
    "HG102",
    severity=ERROR,
    fires=((("big.md", "word " * 300_000),), (("long.txt", "a\n" * 110_000),)),
    quiet=((("small.md", "word " * 300),),),
)
def too_long(reading: Reading) -> Iterator[Spot]:
    """A file too long to be scanned whole.

    The scan stops at a counted limit, the same on every machine, and a part that was not read does not pass: padding
    a file is the oldest way to hide its end.

    Fix: split the file, or keep data of that size outside the skill and link to it.
    """
    document = reading.document
    if not document.is_text:
        return
    for what, most, size in (
        ("characters", MAX_TEXT, len(document.text)),
        ("lines", MAX_LINES, document.text.count("\n")),
    ):
        if size > most:
            message = f"scan incomplete: {size:,} {what}, {most:,} are read"
            yield Spot(0, message, hint="split the file or keep the data elsewhere")


@check(
    "HG103",
    severity=ERROR,
    indicator=True,
    fires=((("d.md", b"\x7fELF" + b"\0" * 64),), (("notes.txt", b"PK\x03\x04" + b"\0" * 40),)),
    quiet=((("d.md", "# Title\n"),), (("e.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 9),)),
)
def binary_under_a_text_name(reading: Reading) -> Iterator[Spot]:
    """A binary file under the name of a text file.

    A program, archive or database that calls itself `.md` or `.txt` is passed over by readers that go by the name and
    is still there for a command that runs it.

    Fix: give the file its real suffix, or remove it.
    """
    document = reading.document
    if document.is_text and is_binary(document.data):
        yield Spot(0, "binary under a text name", hint="name the file after what it is, or remove it")


@check(
    "HG104",
    severity=ERROR,
    indicator=True,
    fires=((("scripts/__pycache__/m.cpython-311.pyc", b"\xa7\r\r\n" + b"\0" * 16),), (("x.wasm", b"\x00asm\x01"),)),
    quiet=((("scripts/m.py", "print(1)\n"),),),
)
def bytecode(reading: Reading) -> Iterator[Spot]:
    """Compiled code that no source explains.

    Python runs a `.pyc` in `__pycache__` in place of a source file that looks clean, and imports one that stands
    alone. The same holds for `.class`, `.jar` and `.wasm`. Nobody reviews them.

    Fix: remove the file and add its kind to `.gitignore`; ship source.
    """
    if reading.kind == "bytecode":
        yield Spot(0, "compiled code", hint="remove it, ship the source instead")


@check(
    "HG105",
    severity=ERROR,
    fires=((("bin/tool", b"\x7fELF\x02" + b"\0" * 64),), (("a.dll", b"MZ\x90"),)),
    quiet=((("bin/tool", "#!/bin/sh\necho ok\n"),),),
)
def executable(reading: Reading) -> Iterator[Spot]:
    """A native program or library.

    An executable, shared library or installer inside a skill cannot be reviewed and runs with the rights of the agent.

    Fix: name the package that provides the tool in SKILL.md, and remove the binary.
    """
    if reading.kind == "executable" and (reading.document.data or reading.document.mode == MODE_EXECUTABLE):
        yield Spot(0, "native program or library", hint="name the package that provides it instead")


@check(
    "HG106",
    severity=ERROR,
    fires=(),
    quiet=((("inside.md", "plain file"),),),
)
def link_leaving(reading: Reading) -> Iterator[Spot]:
    """A symbolic link that leaves its skill.

    A link is judged by the text git stores for it; its target is never opened. One that is absolute or climbs out of
    the skill folder reads or overwrites files of whoever installs the skill. A link that stays inside is a plain file
    name and passes; it is listed as not followed.

    Fix: copy the file into the skill, or name it by a relative link that stays inside.
    """
    if reading.kind != "link":
        return
    target = reading.document.data.decode("utf-8", "replace")
    if _leaves(reading.inner, target):
        yield Spot(1, f"link to {target!r} leaves its folder", hint="copy the file in, or link inside the folder")


def _leaves(inner: str, target: str) -> bool:
    """Say whether a link at `inner` points outside the folder that `inner` is relative to."""
    clean = target.replace("\\", "/")
    if clean.startswith(("/", "~")) or re.match(r"[A-Za-z]:", clean) or "\0" in clean or "\n" in clean:
        return True
    reached = posixpath.normpath(posixpath.join(posixpath.dirname(inner), clean))
    return reached == ".." or reached.startswith("../")


@check("HG107", severity=ERROR, fires=((("vendor/.git", "gitdir: ../x\n"),),), quiet=((("gitignore.md", "x"),),))
def nested_repository(reading: Reading) -> Iterator[Spot]:
    """A repository inside the repository.

    A gitlink holds no files, only a commit id that a later fetch fills with anything; a file or folder called `.git`
    turns the folder into a repository with hooks and configuration of its own.

    Fix: copy the files in, or remove the nested repository.
    """
    names = [part.lower() for part in PurePosixPath(reading.path).parts]
    if reading.kind == "gitlink":
        yield Spot(0, "a submodule: its content is not in this repository", hint="copy the files in instead")
    elif any(name in (".git", "git~1", ".gitmodules") for name in names):
        yield Spot(0, "a nested repository or its configuration", hint="remove it from the skill")


RESERVED = pattern(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)
ODD_CHARACTERS = pattern(r'[\x00-\x1f\x7f<>:"|?*\\\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]')


@check(
    "HG108",
    severity=WARNING,
    fires=((("aux.md", "x"),), (("a\u202egnp.md", "x"),), (("notes .", "x"),)),
    quiet=((("notiz-ü.md", "x"),), (("a b.md", "x"),), (("-n.md", "x"),), (("auxiliary.md", "x"),)),
)
def odd_name(reading: Reading) -> Iterator[Spot]:
    """A name that other systems cannot hold, or that does not look like what it is.

    Reserved device names, trailing dots or blanks, control and direction characters make a file vanish, collide or
    look like another one on the next machine.

    Fix: rename the file.
    """
    for part in PurePosixPath(reading.path).parts:
        if RESERVED.match(part) or ODD_CHARACTERS.search(part) or part.endswith((" ", ".")):
            yield Spot(0, f"the name {part!r} is reserved, misleading or not portable", hint="rename it")


@check(
    "HG109",
    severity=NOTE,
    fires=(),
    quiet=((("run.sh", "#!/bin/sh\necho ok\n"),),),
)
def executable_bit(reading: Reading) -> Iterator[Spot]:
    """The executable bit on a file that is no script.

    Nothing runs it by itself, but a mode that does not fit the content deserves a look.

    Fix: `git update-index --chmod=-x PATH`.
    """
    document = reading.document
    is_script = document.data.startswith(b"#!") or reading.kind in SCRIPTS
    if document.mode == MODE_EXECUTABLE and not is_script and reading.kind != "executable":
        yield Spot(0, "executable, but no script", hint="git update-index --chmod=-x")


HIDING_FILES = frozenset(
    ".skillignore .clawhubignore .skillscanignore .skill-scanner-ignore .ferretignore .semgrepignore .snyk "
    ".skillscan-suppress.yml .skillscan-suppress.yaml .skillspector-baseline.json .gitleaksignore .trivyignore".split()
)


@check(
    "HG110",
    severity=WARNING,
    indicator=True,
    fires=((("x/.skillignore", "setup.sh\n"),),),
    quiet=((("x/.gitignore", "*.pyc\n"),),),
)
def hiding_file(reading: Reading) -> Iterator[Spot]:
    """A file that asks scanners to look away.

    Several scanners read an ignore or baseline file that the scanned skill itself brings, and turn their verdict
    around. This one never does: everything is read, and the request is reported.

    Fix: remove the file; accept a finding with `hermes-git waive`, outside the skill.
    """
    name = unicodedata.normalize("NFKC", reading.document.name).lower()
    if name in HIDING_FILES or name.startswith(".skillscan-suppress"):
        yield Spot(0, "asks scanners to skip files; it is not obeyed", hint="remove it; use hermes-git waive instead")


GAP = pattern(r"\s(?<!\s\s)\s{499,}(?=\S)")


@check(
    "HG111",
    severity=WARNING,
    indicator=True,
    fires=((("pad.md", "# ok\n" + "\n" * 3000 + "text\n"),), (("pad.md", "ok" + " " * 800 + "text\n"),)),
    quiet=((("ok.md", "# ok\n\n\n\ntext\n"),), (("table.md", "| a" + " " * 120 + "| b |\n"),)),
)
def padding(reading: Reading) -> Iterator[Spot]:
    """A gap that pushes text out of sight.

    Hundreds of empty lines or blanks before more text hide that text from a person who scrolls, and from scanners that
    stop early.

    Fix: remove the gap.
    """
    if not reading.document.is_text or reading.kind in ("svg", "json", "notebook"):
        return
    for match in GAP.finditer(reading.text):
        inside = "\n" not in match.group()
        if not inside and len(match.group()) < 1000:
            continue
        if inside and "|" in reading.text[match.start() - 1 : match.start()] + reading.text[match.end()]:
            continue
        line = newlines(reading.text, match.end()) + 1
        yield Spot(line, f"{len(match.group()):,} blanks stand before this text", hint="remove the gap")
        return

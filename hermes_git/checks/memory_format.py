"""HG25: the format of memory files, as Hermes reads them."""

from __future__ import annotations

from collections.abc import Iterator

from hermes_git.checks.reading import Reading
from hermes_git.checks.registry import Spot, check
from hermes_git.finding import ERROR, WARNING
from hermes_git.knowledge.entries import SEPARATOR, parse
from hermes_git.knowledge.plain import is_plain_markdown
from hermes_git.patterns.lazy import pattern

AREAS = ("memory", "archived-memory")

LOOK_ALIKE_LINE = pattern(
    r"\A(?:[^\S\r\n]*§[^\S\r\n]+|[^\S\r\n]+§[^\S\r\n]*|[^\S\r\n]*(?:§{2,}|&sect;|&#167;|¶|⁋|⸿|\\u00a7|Â§|\\§)[^\S\r\n]*|"
    r"[^\S\r\n]*[\u200b-\u200f\u2060\ufeff]+§[\u200b-\u200f\u2060\ufeff]*|[^\S\r\n]*§[\u200b-\u200f\u2060\ufeff]+)\r?\Z"
)


@check(
    "HG251",
    severity=WARNING,
    fires=((("MEMORY.md", "one\n § \ntwo"),), (("MEMORY.md", "one\n§§\ntwo"),), (("USER.md", "one\n¶\ntwo"),)),
    quiet=((("MEMORY.md", "one\n§\ntwo"),), (("MEMORY.md", "law § 12 applies\n§\ntwo"),), (("notes.md", "a\n § \n"),)),
)
def separator_look_alike(reading: Reading) -> Iterator[Spot]:
    """A line that looks like the separator of entries but is not.

    Entries are joined by a line that holds exactly `§`. A line with blanks around it, with two signs or with a similar
    sign does not separate: two facts silently become one entry. At the very start or end of the file the sign separates
    nothing either.

    Fix: make the line exactly `§`, or put words on it.
    """
    if reading.area not in AREAS:
        return
    for number, line in enumerate(reading.lines, start=1):
        if LOOK_ALIKE_LINE.match(line):
            yield Spot(number, f"looks like the separator {SEPARATOR} but does not separate", hint="write exactly §")


@check(
    "HG252",
    severity=WARNING,
    fires=((("MEMORY.md", "# Schedule\n- daily: site check\n\n## Projects\n- project line\n"),),),
    quiet=(
        (("MEMORY.md", "uses zsh\n§\ntimezone UTC+2"),),
        (("MEMORY.md", "one fact"),),
        (("MEMORY.md", "# T\n\n- one\n§\n- two"),),
    ),
)
def plain_markdown(reading: Reading) -> Iterator[Spot]:
    """A memory file in plain Markdown, without separators.

    Hermes would read the whole page as one entry: it could be replaced or removed only as a whole, and a budget or a
    duplicate could not be seen. The content stays as it is.

    Fix: `hermes-git memory adopt` turns paragraphs and items into entries, or put a line that holds only `§` between
    the facts.
    """
    if reading.area not in AREAS:
        return
    file = parse(reading.text)
    if is_plain_markdown(file):
        lines = file.entries[0].text.count("\n") + 1
        yield Spot(
            file.entries[0].line,
            f"plain Markdown: its {lines} lines are one entry, because no line holds only {SEPARATOR}",
            hint="turn its paragraphs and items into entries: hermes-git memory adopt",
        )


CONFLICT = pattern(r"(?:<{7}|\|{7}|>{7}) |={7}\r?\Z")


@check(
    "HG253",
    severity=ERROR,
    fires=((("MEMORY.md", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"),),),
    quiet=((("MEMORY.md", "a\n§\nTitle\n=======\n"),), (("notes.md", "<<<<<<< HEAD\n"),)),
)
def conflict_markers(reading: Reading) -> Iterator[Spot]:
    """Conflict markers of an unfinished merge.

    Both sides and the markers would go into every prompt as if they were facts.

    Fix: keep the entries you want and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`.
    """
    if reading.area not in (*AREAS, "skill"):
        return
    marks = [(number, line) for number, line in enumerate(reading.lines, start=1) if CONFLICT.match(line)]
    if any(line[0] == "<" for _, line in marks) and any(line[0] == ">" for _, line in marks):
        number = next(number for number, line in marks if line[0] == "<")
        yield Spot(number, "conflict markers of an unfinished merge", hint="resolve the merge")


@check(
    "HG254",
    severity=ERROR,
    fires=((("MEMORY.md", b"uses z\xffsh"),), (("USER.md", "a".encode("utf-16")),)),
    quiet=((("MEMORY.md", "grüße"),), (("MEMORY.md", "\ufeffone\n§\ntwo"),)),
)
def unreadable_memory(reading: Reading) -> Iterator[Spot]:
    """A memory file that is not UTF-8.

    Hermes reads memory files as UTF-8 and nothing else; in another encoding their content is lost or garbled.

    Fix: save the file as UTF-8.
    """
    if reading.area not in AREAS:
        return
    if not reading.document.encoding.startswith("utf-8"):
        data = reading.document.data
        line = data.count(b"\n", 0, _first_bad_byte(data)) + 1
        yield Spot(line, f"not UTF-8 ({reading.document.encoding})", hint="save the file as UTF-8")


def _first_bad_byte(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0

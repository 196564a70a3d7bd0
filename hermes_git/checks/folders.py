"""HG1 over a whole skill or tree: what files do to each other by their names and number."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from hermes_git.checks.reading import SkillReading
from hermes_git.checks.registry import Spot, skill_check
from hermes_git.finding import ERROR, WARNING

MAX_FILES = 300
MAX_BYTES = 20 * 1024 * 1024

SKILL = "---\nname: x\ndescription: Does x.\n---\n"


@skill_check(
    "HG121",
    severity=ERROR,
    fires=((("x/SKILL.md", SKILL), ("x/Run.sh", "a"), ("x/run.sh", "b")),),
    quiet=((("x/SKILL.md", SKILL), ("x/a/run.sh", "a"), ("x/b/run.sh", "b")),),
)
def colliding_names(skill: SkillReading) -> Iterator[Spot]:
    """Two names that are one on another file system.

    Names that differ only in case or Unicode composition fall together on macOS and Windows: which file wins there
    was never reviewed.

    Fix: rename one of them.
    """
    seen: dict[str, str] = {}
    for reading in skill.readings:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", reading.path).casefold())
        if folded in seen:
            yield Spot(0, f"the same name as {seen[folded]} on other systems", path=reading.path, hint="rename one")
        seen.setdefault(folded, reading.path)


@skill_check(
    "HG122",
    severity=WARNING,
    fires=((("x/SKILL.md", SKILL), *((f"x/f{number}.md", "a") for number in range(MAX_FILES))),),
    quiet=((("x/SKILL.md", SKILL), ("x/a.md", "a")),),
)
def crowded(skill: SkillReading) -> Iterator[Spot]:
    """A skill with very many or very large files.

    Nobody reviews hundreds of files; a skill is a page of instructions with a few references.

    Fix: split the skill, or link to the data.
    """
    count, size = len(skill.readings), sum(len(reading.document.data) for reading in skill.readings)
    if count > MAX_FILES or size > MAX_BYTES:
        yield Spot(0, f"{count} files, {size:,} bytes", hint=f"keep to {MAX_FILES} files and {MAX_BYTES:,} bytes")

"""HG23 and HG24: house rules for the files of a skill: what is named is there, what is there is named."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from hermes_git.checks.house import WHEN, one, page
from hermes_git.checks.reading import Reading, SkillReading
from hermes_git.checks.registry import Spot, skill_check
from hermes_git.finding import NOTE, WARNING, Severity
from hermes_git.knowledge.sections import Reference, references
from hermes_git.knowledge.standards import MAX_REFERENCES, UNWANTED_FILES


def _references(skill: SkillReading) -> tuple[Reference, ...]:
    """Return what SKILL.md points to, parsed once for all checks."""

    def analyse(_: Reading) -> tuple[Reference, ...]:
        return references(skill.body, first_line=skill.skill.header.body_line)

    main = next((row for row in skill.readings if row.path == skill.path), None)
    return main.once("references", analyse) if main else ()


@skill_check(
    "HG236",
    severity=WARNING,
    fires=(one(page(WHEN + "See [all](references/all.md).\n")), one(page(WHEN + "Run `scripts/run.py`.\n"))),
    quiet=(
        one(page(WHEN + "See [all](references/all.md#top) in `references/`.\n"), "references/all.md"),
        one(page(WHEN + "Write `src/app.py`, see [x](https://example.invalid/a.md) and `scripts/<name>.py`.\n")),
    ),
)
def dangling_reference(skill: SkillReading) -> Iterator[Spot]:
    """A reference to a file that is not there.

    An agent that follows it loses a step, or invents what the file might say.

    Fix: correct the path, or add the file.
    """
    if skill.is_archived or skill.skill.problem:
        return
    inner = {row.inner for row in skill.readings}
    folders = {name.rsplit("/", depth)[0] for name in inner for depth in range(1, name.count("/") + 1)}
    seen: set[str] = set()
    for reference in _references(skill):
        path = _normal(reference.path)
        if reference.is_local and path not in seen and _is_ours(reference, path) and path not in inner | folders:
            seen.add(path)
            message = f"{reference.target} is not in the skill"
            yield Spot(reference.line, message, hint="correct the path, or add the file", severity=_weight(reference))


def _normal(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


def _weight(reference: Reference) -> Severity:
    """A script or asset named in code may be one of the reader's own project; a link or a reference may not."""
    is_certain = reference.how in ("link", "image") or reference.path.startswith(("references/", "templates/"))
    return WARNING if is_certain else NOTE


MARKS = "*<>{}$[]"
"""Marks of a pattern or a place to fill in, which is no path."""

OWN_FOLDERS = ("references/", "scripts/", "templates/", "assets/")


def _is_ours(reference: Reference, path: str) -> bool:
    """Say whether a path must be a file of this skill: a link that stays inside, or a path into a skill's own folders.

    Paths in code that merely look like one (`src/app.py`) are the reader's, and so are patterns.
    """
    if ".." in path.split("/") or path.startswith(("/", "~")) or any(mark in path for mark in MARKS):
        return False
    return reference.how in ("link", "image") or path.startswith(OWN_FOLDERS)


@skill_check(
    "HG237",
    severity=NOTE,
    fires=(one(page(), "references/all.md"),),
    quiet=(
        one(page(WHEN + "See `references/all.md`.\n"), "references/all.md"),
        one(page(WHEN + "Every file in `references/` is one API.\n"), "references/all.md"),
    ),
)
def unlisted_reference(skill: SkillReading) -> Iterator[Spot]:
    """A reference that nothing names.

    A file that neither SKILL.md nor another text of the skill points to is never loaded.

    Fix: name it in SKILL.md with one line on when to load it, or remove it.
    """
    if skill.is_archived or skill.skill.problem:
        return
    named = {_normal(row.path) for row in _references(skill)}
    body = "\n".join(row.text for row in skill.readings if row.kind in ("skill", "markdown"))
    for reading in skill.readings:
        folder = reading.inner.rpartition("/")[0]
        if not folder.startswith("references") or reading.inner in named or reading.document.name in body:
            continue
        if f"{folder}/" not in re.sub(rf"{re.escape(folder)}/[\w.-]", "", body):
            yield Spot(0, "nothing in the skill names it", path=reading.path, hint="say in SKILL.md when to load it")


@skill_check(
    "HG238",
    severity=WARNING,
    fires=((("x/SKILL.md", page()), ("x/references/a.md", "See [b](b.md).\n")),),
    quiet=(
        (
            ("x/SKILL.md", page()),
            ("x/references/a.md", "See [x](../SKILL.md), [b](b.md).\n"),
            ("x/references/b.md", "b"),
        ),
    ),
)
def broken_link(skill: SkillReading) -> Iterator[Spot]:
    """A broken relative link in a file of a skill.

    Fix: correct the path; it is relative to the file that holds it.
    """
    if skill.is_archived:
        return
    inner = {row.inner for row in skill.readings}
    for reading in skill.readings:
        is_template = reading.inner.startswith("templates/")  # its links are right where it will be used
        if reading.kind == "markdown" and not is_template and reading.path != skill.path:
            yield from _broken_links(reading.inner, reading.path, reading.text, inner)


def _broken_links(inner: str, path: str, text: str, known: set[str]) -> Iterator[Spot]:
    folders = {name.rpartition("/")[0] for name in known}
    for reference in references(text):
        if reference.how not in ("link", "image") or not reference.is_local or reference.path.startswith("/"):
            continue
        if any(mark in reference.path for mark in MARKS):
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(inner), reference.path))
        if not target.startswith("..") and target not in known and target not in folders:
            yield Spot(reference.line, f"{reference.target} is not there", path=path, hint="correct the link")


@skill_check(
    "HG241",
    severity=NOTE,
    fires=(one(page(), "README.md"),),
    quiet=(one(page(WHEN + "See `references/README.md`.\n"), "references/README.md"),),
)
def unwanted_file(skill: SkillReading) -> Iterator[Spot]:
    """A file for people who browse, not for agents who work.

    README, CHANGELOG and install scripts repeat SKILL.md or act on machines; hosts never show them to an agent.

    Fix: move what an agent needs into SKILL.md, and remove the file.
    """
    for reading in skill.readings:
        if reading.inner.lower() in UNWANTED_FILES and not skill.is_archived:
            yield Spot(0, "no host shows this file to an agent", path=reading.path, hint="move its content to SKILL.md")


@skill_check(
    "HG243",
    severity=NOTE,
    fires=(one(page(WHEN + "`references/`"), *(f"references/f{number}.md" for number in range(MAX_REFERENCES + 1))),),
    quiet=(one(page(WHEN + "`references/`"), *(f"references/f{number}.md" for number in range(3))),),
)
def sprawling_references(skill: SkillReading) -> Iterator[Spot]:
    """So many references that none is found.

    Fix: merge references that are loaded together, or split the skill.
    """
    found = [row for row in skill.readings if row.inner.startswith("references/") and row.inner.endswith(".md")]
    if len(found) > MAX_REFERENCES and not skill.is_archived:
        yield Spot(0, f"{len(found)} files in references/", hint=f"keep to {MAX_REFERENCES}")

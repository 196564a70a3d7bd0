"""Who in the repository names a skill: workflows, scheduled jobs, other skills, instructions for agents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from hermes_git.document import Document

WORD = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")
BREAK = re.compile(r"[^\w.@+-]+")
MIN_NAME = 3
CATALOGUE, CATALOGUE_SHARE = 12, 0.2
"""A file that names at least so many skills, and at least this share of them all, is a catalogue."""

COMMON_KINDS = frozenset("memory skill description markdown yaml toml json shell python makefile text".split())
JOB = re.compile(r"(?:^|/)(?:\.github/workflows/|\.gitlab-ci|crontab|cron[^/]*/|jobs\.json\Z|Makefile\Z)")


@dataclass(frozen=True, order=True, slots=True)
class Reference:
    """One place that names a skill: path, 1-based line, and its kind: job, instructions, skill, code or prose."""

    path: str
    line: int
    kind: str


def find(documents: Iterable[Document], roots: Mapping[str, str]) -> dict[str, tuple[Reference, ...]]:
    """Map each skill root to the places outside it that name it; `roots` maps root to the skill's name.

    A name counts as a whole word only. A name of one plain word such as `deploy` must be marked as code, linked, or
    followed by "skill": prose uses such words for themselves. A file that names a good part of all skills is a
    catalogue: being listed in it says nothing of use, so it is left out, unless it is a job.
    """
    wanted = _wanted(roots)
    found: dict[str, set[Reference]] = {root: set() for root in roots}
    for document in documents:
        if document.kind in COMMON_KINDS:
            for root, line in _hits(document, wanted, roots):
                found[root].add(Reference(document.path, line, kind_of(document.path, document.kind)))
    named = Counter(path for rows in found.values() for path in {row.path for row in rows if row.kind != "job"})
    catalogues = {path for path, count in named.items() if count >= max(CATALOGUE, CATALOGUE_SHARE * len(roots))}
    return {root: tuple(sorted(row for row in rows if row.path not in catalogues)) for root, rows in found.items()}


def kind_of(path: str, document_kind: str = "markdown") -> str:
    """Say what sort of file names a skill: job, instructions, skill, code or prose."""
    name = PurePosixPath(path).name
    if JOB.search(path):
        return "job"
    if name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "HERMES.md", "SOUL.md", "MEMORY.md", "USER.md"):
        return "instructions"
    if document_kind == "skill" or "/skills/" in f"/{path}":
        return "skill"
    return "prose" if document_kind in ("markdown", "text", "description") else "code"


def _wanted(roots: Mapping[str, str]) -> dict[str, list[str]]:
    """Map every last word by which a skill may be called to the roots that it may mean."""
    wanted: dict[str, list[str]] = {}
    for root, name in sorted(roots.items()):
        for word in {name, PurePosixPath(root).name}:
            if len(word) >= MIN_NAME:
                wanted.setdefault(word, []).append(root)
    return wanted


def _hits(document: Document, wanted: Mapping[str, list[str]], roots: Mapping[str, str]) -> Iterable[tuple[str, int]]:
    present = {word.strip(".") for word in set(BREAK.split(document.text))} & wanted.keys()
    if not present:
        return
    is_data = document.kind in ("yaml", "toml", "json")
    for number, line in enumerate(document.lines, 1):
        if not any(word in line for word in present):
            continue
        for match in WORD.finditer(line):
            for root in _meant(match.group(), wanted):
                inside = document.path.startswith(root + "/")
                if not inside and (is_data or _is_marked(line, match, roots[root])):
                    yield root, number


def _meant(word: str, wanted: Mapping[str, list[str]]) -> list[str]:
    """Return the roots that a word or path may mean: the longest agreement of components wins."""
    parts = word.strip(".").split("/")
    for position, part in enumerate(parts):
        roots = wanted.get(part)
        if roots:
            folder = "/".join(parts[:position])
            exact = [root for root in roots if folder and str(PurePosixPath(root).parent).endswith(folder)]
            return exact or roots
    return []


def _is_marked(line: str, match: re.Match[str], name: str) -> bool:
    """Say whether a word is meant as a name: hyphenated, a path, in code marks, in a link, or beside "skill"."""
    if "-" in name or "_" in name or "/" in match.group():
        return True
    before, after = line[: match.start()][-12:], line[match.end() :][:12]
    in_code = before.endswith(("`", '"', "'", "[", "(", "/")) and after[:1] in "`\"'])/"
    return in_code or after.lower().lstrip().startswith("skill") or before.lower().rstrip(" `").endswith("skill")

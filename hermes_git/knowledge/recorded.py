"""The sources a skill was learnt from, as its header records them: path or URL, digest, and the day. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.knowledge import splice
from hermes_git.knowledge.frontmatter import Value
from hermes_git.knowledge.skill import Skill

KEY = ("metadata", "sources")
DIGEST_LENGTH = 64


@dataclass(frozen=True, order=True, slots=True)
class Recorded:
    """One source: where it is, relative to the top of the repository or a URL, SHA-256 of its bytes, and the day.

    The digest is "" for a source that was not read by this tool, such as a page an agent fetched.
    """

    path: str
    digest: str
    day: str

    @property
    def is_url(self) -> bool:
        """Say whether the source is on the network, where this tool does not look."""
        return "://" in self.path


def sources_of(skill: Skill) -> tuple[Recorded, ...]:
    """Return the sources a skill records; rows that do not name a path are left out."""
    metadata = skill.header.values.get("metadata")
    rows = metadata.get("sources") if isinstance(metadata, dict) else None
    if not isinstance(rows, list):
        return ()
    found = [(_text(row, "path"), _text(row, "sha256"), _text(row, "read")) for row in rows if isinstance(row, dict)]
    return tuple(Recorded(*row) for row in found if row[0])


def _text(row: dict[str, Value], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else str(value or "")


def with_sources(text: str, sources: Iterable[Recorded]) -> str:
    """Return the text of SKILL.md with exactly these sources recorded, sorted by path."""
    rows: list[Value] = []
    for source in sorted(sources):
        row: dict[str, Value] = {"path": source.path, "read": source.day}
        if source.digest:
            row["sha256"] = source.digest
        rows.append(row)
    return splice.set_value(text, KEY, rows)

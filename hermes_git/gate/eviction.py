"""Which entries go to the archive when a memory file is over its budget, and how they go. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_git.knowledge.entries import MemoryFile, entry_id


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of one entry: when it was taught (seconds since 1970) and how often it was used since."""

    time: int = 0
    uses: int = 0


def order(texts: Sequence[str], known: Mapping[str, Record], first: str) -> list[str]:
    """Return texts in the order in which they are given up; equal ones by their place in the file."""
    place = {text: number for number, text in enumerate(texts)}

    def rank(text: str) -> tuple[int, int, int]:
        record = known.get(text, Record())
        uses = record.uses if first == "least-used" else 0
        return (uses, record.time, place[text])

    return sorted(dict.fromkeys(texts), key=rank)


def evict(
    file: MemoryFile, archive: MemoryFile, surplus: int, queue: Sequence[str], keep: frozenset[str]
) -> tuple[MemoryFile, MemoryFile, tuple[str, ...]]:
    """Move entries from the head of the queue to the archive until `surplus` code points are freed.

    Entries of `keep` (what is being written now) stay. The result may still be too long; the gate then refuses it.
    """
    moved: list[str] = []
    freed = 0
    for text in queue:
        if freed >= surplus:
            break
        if text in keep or text not in file.texts:
            continue
        file = file.remove(file.texts.index(text))
        archive = archive if text in archive.texts else archive.add(text)
        freed += len(text) + 3
        moved.append(text)
    return file, archive, tuple(moved)


def described(texts: Sequence[str], known: Mapping[str, Record], count: int = 3) -> list[str]:
    """Name the oldest and the least used entries, one line each, for a person who must choose."""
    from hermes_git.gate.memory import shorten

    lines = []
    for word in ("oldest", "least-used"):
        chosen = order(texts, known, word)[:count]
        lines.append(f"{word}: " + "; ".join(f"{entry_id(text)} {shorten(text, 40)}" for text in chosen))
    return lines

"""Three-way merge of memory files by entry: a set merge in which nothing that anybody added is lost. Pure.

Order of the result: the base's order for what stays, then what both sides added, in code-point order. That makes the
merge commutative and idempotent. An entry that one side rewrote and the other removed or rewrote otherwise is a
conflict, shown as entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_git.knowledge import entries
from hermes_git.knowledge.entries import MemoryFile


@dataclass(frozen=True, slots=True)
class Conflict:
    """One entry that both sides changed differently: its text in the base, and on either side ("" where removed)."""

    base: str
    ours: str
    theirs: str

    @property
    def sides(self) -> list[str]:
        """Return what is left on either side, in code-point order, so that the merge stays commutative."""
        return sorted({side for side in (self.ours, self.theirs) if side})

    def marked(self) -> str:
        """Return the conflict as one entry between git's own markers."""
        return f"<<<<<<< ours\n{self.ours}\n=======\n{self.theirs}\n>>>>>>> theirs"


@dataclass(frozen=True, slots=True)
class Merged:
    """The result of a merge: texts and conflicts in order, how many duplicates were folded, and the style of the file.

    `file` has the entries in dispute as both sides have them; `marked` has them between conflict markers.
    """

    items: tuple[str | Conflict, ...]
    style: MemoryFile
    folded: int = 0

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflicts, in order."""
        return tuple(item for item in self.items if isinstance(item, Conflict))

    @property
    def file(self) -> MemoryFile:
        """Return the merged file with both sides of every conflict as entries of their own."""
        texts = [text for item in self.items for text in ([item] if isinstance(item, str) else item.sides)]
        return _styled(list(dict.fromkeys(texts)), self.style)

    @property
    def marked(self) -> MemoryFile:
        """Return the merged file with every conflict between markers, as git leaves one for a person to settle."""
        return _styled([item if isinstance(item, str) else item.marked() for item in self.items], self.style)


def three_way(base: str, ours: str, theirs: str) -> Merged:
    """Merge the texts of two memory files over their common base."""
    files = [entries.parse(text) for text in (base, ours, theirs)]
    texts = [list(dict.fromkeys(file.texts)) for file in files]
    folded = sum(len(file.texts) - len(kept) for file, kept in zip(files, texts, strict=True))
    return Merged(tuple(merge_texts(*texts)), files[1] if files[1].texts else files[2], folded)


def merge_texts(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str | Conflict]:
    """Merge lists of distinct entry texts; what both sides changed differently comes back as a conflict."""
    if theirs in (ours, base):
        return [*ours]
    if ours == base:
        return [*theirs]
    left, right = set(ours), set(theirs)
    rewritten_left, rewritten_right = _rewrites(base, ours), _rewrites(base, theirs)
    kept: list[str | Conflict] = []
    for text in base:
        if text in left and text in right:
            kept.append(text)
            continue
        one = text if text in left else rewritten_left.get(text, "")
        other = text if text in right else rewritten_right.get(text, "")
        settled = _settle(text, one, other)
        if settled is None:
            kept.append(Conflict(text, one, other))
        elif settled:
            kept.append(settled)
    known = {*base, *rewritten_left.values(), *rewritten_right.values()}
    added = sorted((left | right) - known)
    return list(dict.fromkeys([*kept, *added]))


def _settle(base: str, one: str, other: str) -> str | None:
    """Return what becomes of one entry, "" when it goes, None when the sides disagree."""
    if one == other:
        return one
    if one == base:
        return other
    if other == base:
        return one
    return None


def _rewrites(base: Sequence[str], side: Sequence[str]) -> dict[str, str]:
    """Pair entries that a side dropped with entries it put in their place, by place between the same neighbours."""
    stays = set(base) & set(side)
    gaps_base, gaps_side = _gaps(base, stays), _gaps(side, stays)
    pairs: dict[str, str] = {}
    for key, dropped in gaps_base.items():
        put = gaps_side.get(key, [])
        if len(dropped) == len(put):
            pairs |= dict(zip(dropped, put, strict=True))
    return pairs


def _gaps(texts: Sequence[str], stays: set[str]) -> dict[tuple[str, str], list[str]]:
    """Group the texts that do not stay by the two neighbours that do."""
    gaps: dict[tuple[str, str], list[str]] = {}
    before, run = "", list[str]()
    for text in [*texts, ""]:
        if text in stays or text == "":
            if run:
                gaps[before, text] = run
            before, run = text, []
        else:
            run.append(text)
    return gaps


def _styled(texts: Sequence[str], style: MemoryFile) -> MemoryFile:
    """Write texts with the line ends, BOM and final newline of an existing file."""
    newline = style.newline
    body = entries.render(texts).replace("\n", newline)
    tail = newline if style.raw().endswith("\n") and texts else ""
    file = entries.parse(body + tail)
    return MemoryFile(file.parts, file.delimiters, style.bom)

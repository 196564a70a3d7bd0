"""What a proposal does to the entries of a memory file: added, replaced, removed, moved, split, merged.

Pure: entry texts before and after in, a tuple of changes out. Nothing is guessed silently: a pair counts as a
replacement only when it is alike or stands between the same neighbours.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_git.knowledge.entries import entry_id

ALIKE = 0.5
"""From this similarity on (difflib ratio over words and characters) two entries are one entry rewritten."""


@dataclass(frozen=True, slots=True)
class EntryChange:
    """One change: the action, and the texts it took away and put there."""

    action: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Return the ids of entries that are no longer there in the same words."""
        return tuple(entry_id(text) for text in self.before) if self.action not in ("move", "add") else ()


def classify(before: Sequence[str], after: Sequence[str]) -> tuple[EntryChange, ...]:
    """Compare two lists of entry texts; the order of the result follows `after`, removals come last."""
    gone, new = _difference(before, after), _difference(after, before)
    changes: list[EntryChange] = []
    for finder in (_splits, _merges, _replacements):
        for change in finder(gone, new, before, after):
            for text in change.before:
                gone.remove(text)
            for text in change.after:
                new.remove(text)
            changes.append(change)
    changes += [EntryChange("add", (), (text,)) for text in new]
    changes.sort(key=lambda change: after.index(change.after[0]))
    changes += [EntryChange("remove", (text,)) for text in gone]
    return (*changes, *(EntryChange("move", (text,), (text,)) for text in moved(before, after)))


def _difference(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the texts of `one` that `other` does not hold as often, in order."""
    left = Counter(other)
    kept = []
    for text in one:
        if left[text] > 0:
            left[text] -= 1
        else:
            kept.append(text)
    return kept


def moved(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the kept texts that left their place: those outside the longest run that keeps its order."""
    position = {text: number for number, text in enumerate(before)}
    kept = [text for text in dict.fromkeys(after) if text in position]
    stay = _longest_increasing([position[text] for text in kept])
    return [text for number, text in enumerate(kept) if number not in stay]


def _longest_increasing(numbers: list[int]) -> set[int]:
    """Return the indexes of a longest increasing subsequence."""
    import bisect

    tails: list[int] = []
    tail_index: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        place = bisect.bisect_left(tails, number)
        tails[place:] = [number]
        tail_index[place:] = [index]
        previous.append(tail_index[place - 1] if place else -1)
    found: set[int] = set()
    index = tail_index[-1] if tail_index else -1
    while index >= 0:
        found.add(index)
        index = previous[index]
    return found


def _words(text: str) -> str:
    return " ".join(text.split())


def _splits(gone: list[str], new: list[str], _before: object, _after: object) -> list[EntryChange]:
    """Find entries whose words reappear, in order and complete, as two or more new entries."""
    return [EntryChange("split", (text,), parts) for text, parts in _covered(gone, new)]


def _merges(gone: list[str], new: list[str], _before: object, _after: object) -> list[EntryChange]:
    """Find new entries that hold the words of two or more old ones, in order and complete."""
    return [EntryChange("merge", parts, (text,)) for text, parts in _covered(new, gone)]


def _covered(wholes: Sequence[str], pieces: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each text that pieces make up, with them; a piece that was used is used up."""
    left = list(pieces)
    for text in wholes:
        parts = _cover(text, left)
        for part in parts:
            left.remove(part)
        if parts:
            yield text, parts


def _cover(whole: str, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces, two or more and in order, that make up all words of the whole; () when none do."""
    rest, used = _words(whole), []
    for piece in pieces:
        words = _words(piece)
        if rest.startswith(words):
            rest = rest[len(words) :].lstrip(" ;,.-")
            used.append(piece)
    return tuple(used) if len(used) > 1 and not rest else ()


def _replacements(gone: list[str], new: list[str], before: Sequence[str], after: Sequence[str]) -> list[EntryChange]:
    """Pair what is gone with what is new: the most alike first, then those between the same neighbours."""
    scored = sorted(
        ((similarity(one, other), i, j) for i, one in enumerate(gone) for j, other in enumerate(new)),
        key=lambda row: (-row[0], row[1], row[2]),
    )
    pairs: dict[int, int] = {}
    for score, i, j in scored:
        between = _neighbours(before, gone[i]) == _neighbours(after, new[j])
        if i not in pairs and j not in pairs.values() and (score >= ALIKE or between):
            pairs[i] = j
    return [EntryChange("replace", (gone[i],), (new[j],)) for i, j in sorted(pairs.items())]


def _neighbours(texts: Sequence[str], text: str) -> tuple[str, str]:
    place = texts.index(text)
    return (texts[place - 1] if place else "", texts[place + 1] if place + 1 < len(texts) else "")


def similarity(one: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1, over words where there are several and characters otherwise."""
    left, right = one.casefold().split(), other.casefold().split()
    if min(len(left), len(right)) < 3:
        return difflib.SequenceMatcher(None, one.casefold()[:2000], other.casefold()[:2000], autojunk=False).ratio()
    return difflib.SequenceMatcher(None, left[:400], right[:400], autojunk=False).ratio()


def nearest(text: str, candidates: Sequence[str], *, count: int = 3) -> list[str]:
    """Return the candidates most like a text, best first; those that share nothing are left out."""
    scored = sorted(((-similarity(text, other), place, other) for place, other in enumerate(candidates)))
    return [other for score, _, other in scored[:count] if score < -0.1]

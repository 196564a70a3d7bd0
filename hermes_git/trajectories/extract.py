"""The built-in summariser: quotes the segments that cover most of what is worth keeping, within a number of tokens.

No model is asked. Segments are chosen greedily by the worth of words they add per token, so nothing is said twice;
what is left of the room lists further anchors with the turns they come from.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hermes_git.trajectories import anchors
from hermes_git.trajectories.row import RowTurn
from hermes_git.trajectories.segments import INDEX, VERBS, Segment, segments

Count = Callable[[str], int]

KIND_WORTH = {"asked": 4.0, "said": 4.0, "call": 8.0, "thought": 3.0, "result": 0.2}
"""What was said and done matters more than what was read, which can be read again."""

CHARS_PER_TOKEN = 3.2
LABEL_TOKENS = 5
INDEX_SHARE = 0.02
LEAST_ROOM, MAX_MISSES = 10, 40
"""When so little room is left, or so many good segments did not fit, the choice is over."""
INDEX_LABEL, INDEX_CHARS = f"\n{INDEX}", 2.2
"""How the index begins, and how many of its characters a token may hold at the least."""

MAX_REFERENCES = 3
MAX_KEPT_CHARS, MAX_KEPT_TURNS = 1500, 12
"""How much of how many later turns is looked at for words that are needed again; the beginnings tell."""


@dataclass(frozen=True, slots=True)
class Region:
    """What a summary is to stand for: the turns left out, where they begin, and the turns after them that stay."""

    turns: Sequence[RowTurn]
    first: int
    after: Sequence[RowTurn] = ()

    @property
    def label(self) -> str:
        """Name the turns, counted as in the row before compression."""
        last = self.first + len(self.turns) - 1
        return f"turn {self.first}" if last == self.first else f"turns {self.first}-{last}"


def summarise(region: Region, limit: int, count: Count) -> str:
    """Return a summary of a region of at most `limit` tokens: quoted segments in order, then an index of anchors.

    Where nothing can be quoted, it is "".
    """
    found = list(segments(region.turns, region.first))
    listed = [anchors.words(segment.text) for segment in found]
    following = "\n".join(turn.text[:MAX_KEPT_CHARS] for turn in region.after[:MAX_KEPT_TURNS])
    kept = frozenset(anchors.words(following))
    weights = anchors.weights(Counter(itertools.chain.from_iterable(listed)), kept)
    opening = f"{region.label} left out here; quoted from them:"
    room = limit - count(opening) - 2
    chosen, used = _fit(select(found, listed, weights, int(room * (1 - INDEX_SHARE))), found, room, count)
    quoted = "".join(f"\n{quote}" for quote in _quotes(found[place] for place in sorted(chosen)))
    covered = {word for place in chosen for word in listed[place]}
    told = quoted + index(found, listed, weights, covered, room - used, count)
    return opening + told if told else ""


def select(found: Sequence[Segment], listed: Sequence[list[str]], weights: dict[str, float], room: int) -> list[int]:
    """Choose segments by worth per token until the room is used; a word counts once. Best first.

    Gains only shrink as words get covered, so a segment whose old gain is below another's fresh gain can wait.
    """
    heap: list[tuple[float, int, float, list[tuple[str, float]]]] = []
    for place, (segment, row) in enumerate(zip(found, listed, strict=True)):
        worthy = [(word, weights[word]) for word in set(row) if word in weights]
        if worthy:
            scale = KIND_WORTH[segment.kind] / cost(segment)
            heap.append((-scale * math.fsum(weight for _, weight in worthy), place, scale, worthy))
    heapq.heapify(heap)
    return _take(heap, found, room)


def _take(
    heap: list[tuple[float, int, float, list[tuple[str, float]]]], found: Sequence[Segment], room: int
) -> list[int]:
    covered: set[str] = set()
    chosen: list[int] = []
    misses = 0
    while heap and room > LEAST_ROOM and misses < MAX_MISSES:
        _, place, scale, worthy = heapq.heappop(heap)
        fresh = [pair for pair in worthy if pair[0] not in covered]
        if not fresh:
            continue
        gain = -scale * math.fsum(weight for _, weight in fresh)
        if heap and gain > heap[0][0]:
            heapq.heappush(heap, (gain, place, scale, fresh))
        elif cost(found[place]) > room:
            misses += 1
        else:
            chosen.append(place)
            covered.update(word for word, _ in fresh)
            room -= cost(found[place])
    return chosen


def cost(segment: Segment) -> int:
    """Estimate the tokens a segment takes when quoted; exact counting follows for what was chosen."""
    return int(len(segment.text) / CHARS_PER_TOKEN) + LABEL_TOKENS


def _fit(chosen: list[int], found: Sequence[Segment], room: int, count: Count) -> tuple[list[int], int]:
    """Drop the least worthy of the chosen segments until the quotes really fit; returns the tokens they take, too."""
    while chosen:
        used = count("\n".join(_quotes(found[place] for place in sorted(chosen))))
        if used <= room:
            return chosen, used
        keep = int(len(chosen) * room / used)
        chosen = chosen[: min(keep, len(chosen) - 1)]
    return [], 0


def _quotes(chosen: Iterable[Segment]) -> list[str]:
    """Write segments with a label where the turn, the kind or the tool changes."""
    lines: list[str] = []
    before: tuple[int, str, str] | None = None
    for segment in chosen:
        here = (segment.turn, segment.kind, segment.tool)
        tool = f" {segment.tool}" if segment.tool else ""
        label = f"[{segment.turn}] {VERBS[segment.kind]}{tool}: "
        lines.append(segment.text if here == before else label + segment.text)
        before = here
    return lines


def index(
    found: Sequence[Segment],
    listed: Sequence[list[str]],
    weights: dict[str, float],
    covered: set[str],
    room: int,
    count: Count,
) -> str:
    """List anchors that no quote covers, worthiest first, each with the turns it is in, within `room` tokens."""
    open_words = {
        word: weight / (len(word) + 4)
        for word, weight in weights.items()
        if word not in covered and anchors.worth(word) > anchors.PLAIN
    }
    ranked = heapq.nsmallest(max(0, room) // 3, open_words, key=lambda word: (-open_words[word], word))
    places = _places(found, listed, set(ranked))
    entries = [f"{word} [{','.join(map(str, places[word]))}]" for word in ranked]
    sizes = itertools.accumulate(len(entry) + 2 for entry in entries)
    entries = entries[: sum(size <= room * INDEX_CHARS for size in sizes)]
    while entries and (used := count(text := INDEX_LABEL + "; ".join(entries))) > room:
        entries = entries[: min(int(len(entries) * room / used), len(entries) - 1)]
    return text if entries else ""


def _places(found: Sequence[Segment], listed: Sequence[list[str]], wanted: set[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {word: [] for word in wanted}
    for segment, row in zip(found, listed, strict=True):
        for word in wanted.intersection(row):
            turns = places[word]
            if len(turns) < MAX_REFERENCES and segment.turn not in turns:
                turns.append(segment.turn)
    return places

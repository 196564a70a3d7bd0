"""The built-in summariser: quotes the segments that cover most of what is worth keeping, within a number of tokens.

No model is asked. Segments are chosen greedily by the worth of words they add per token, so nothing is said twice;
what is left of the room lists further anchors with the turns they come from.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hermes_git.trajectories import anchors
from hermes_git.trajectories.row import RowTurn
from hermes_git.trajectories.segments import Segment, segments

Count = Callable[[str], int]

KIND_WORTH = {"asked": 1.6, "said": 1.4, "call": 1.2, "thought": 1.0, "result": 1.0}
VERBS = {"asked": "asked", "said": "said", "thought": "thought", "call": "called", "result": "got"}
CHARS_PER_TOKEN = 3.2
LABEL_TOKENS = 4
INDEX_SHARE = 0.1
MAX_REFERENCES = 3
MAX_KEPT_CHARS = 4000
"""How much of each later turn is looked at for words that are needed again; the beginning tells."""


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
    """Return a summary of a region of at most `limit` tokens: quoted segments in order, then an index of anchors."""
    found = list(segments(region.turns, region.first))
    listed = [anchors.words(segment.text) for segment in found]
    kept = {word for turn in region.after for word in anchors.words(turn.text[:MAX_KEPT_CHARS])}
    weights = anchors.weights(Counter(word for row in listed for word in row), kept)
    opening = f"{region.label} left out here; quoted from them:"
    room = limit - count(opening) - 2
    chosen = select(found, listed, weights, int(room * (1 - INDEX_SHARE)))
    lines = _fit(chosen, found, int(room * (1 - INDEX_SHARE)), count)
    body = "\n".join([opening, *_quotes(found[place] for place in sorted(lines))])
    covered = {word for place in lines for word in listed[place]}
    return body + index(found, listed, weights, covered, limit - count(body) - 2, count)


def select(found: Sequence[Segment], listed: Sequence[list[str]], weights: dict[str, float], room: int) -> list[int]:
    """Choose segments by worth per token until the room is used; a word counts once. Best first.

    Gains only shrink as words get covered, so a segment whose old gain is below another's fresh gain can wait.
    """
    covered: set[str] = set()

    def gain(place: int) -> float:
        fresh = sum(weights.get(word, 0.0) for word in set(listed[place]) if word not in covered)
        return fresh * KIND_WORTH[found[place].kind] / cost(found[place])

    heap = [(-gain(place), place) for place in range(len(found))]
    heapq.heapify(heap)
    chosen: list[int] = []
    while heap and room > 0:
        _, place = heapq.heappop(heap)
        fresh = gain(place)
        if fresh <= 0 or cost(found[place]) > room:
            continue
        if heap and fresh < -heap[0][0]:
            heapq.heappush(heap, (-fresh, place))
            continue
        chosen.append(place)
        covered.update(listed[place])
        room -= cost(found[place])
    return chosen


def cost(segment: Segment) -> int:
    """Estimate the tokens a segment takes when quoted; exact counting follows for what was chosen."""
    return int(len(segment.text) / CHARS_PER_TOKEN) + LABEL_TOKENS


def _fit(chosen: list[int], found: Sequence[Segment], room: int, count: Count) -> list[int]:
    """Drop the least worthy of the chosen segments until the quotes really fit."""
    while chosen:
        used = count("\n".join(_quotes(found[place] for place in sorted(chosen))))
        if used <= room:
            return chosen
        keep = int(len(chosen) * room / used)
        chosen = chosen[: min(keep, len(chosen) - 1)]
    return []


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
    places: dict[str, list[int]] = {}
    for segment, row in zip(found, listed, strict=True):
        for word in row:
            if word not in covered and anchors.worth(word) > anchors.PLAIN:
                turns = places.setdefault(word, [])
                if len(turns) < MAX_REFERENCES and segment.turn not in turns:
                    turns.append(segment.turn)
    ranked = sorted(places, key=lambda word: (-weights.get(word, 0.0) / (len(word) + 4), word))
    entries = [f"{word} [{','.join(map(str, places[word]))}]" for word in ranked[: max(0, room)]]
    while entries and count(text := "\nalso there: " + "; ".join(entries)) > room:
        entries = entries[: min(int(len(entries) * room / count(text)), len(entries) - 1)]
    return "\nalso there: " + "; ".join(entries) if entries else ""

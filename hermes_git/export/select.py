"""Which rows are kept and on which side they stand: duplicates, held-out material, and the validation split."""

from __future__ import annotations

import hashlib
import heapq
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from hermes_git.trajectories import row
from hermes_git.trajectories.plain import pieces

Dedupe = Literal["off", "exact", "near"]
WORDS = re.compile(r"\w+")
SHINGLE, SKETCH = 6, 128
NEAR = 0.85
"""Rows whose shared shingles are estimated to be more than this are taken for the same; the estimate is off by 0.03."""

MIN_HELD_OUT = 20


@dataclass(frozen=True, slots=True)
class Print:
    """What tells one row from another: a digest of all it says, and, where asked for, a sketch of its shingles."""

    session: str
    family: str
    digest: str
    sketch: tuple[int, ...] = ()
    held_out: str = ""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What must not be trained on: sessions (with their families) by id, and texts that no row may hold."""

    sessions: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()

    def describe(self) -> dict[str, object]:
        """Return how much is held out, and a digest of it."""
        listed = "\n".join([*sorted(self.sessions), *self.texts])
        digest = hashlib.sha256(listed.encode("utf-8")).hexdigest() if listed else ""
        return {"sessions": len(self.sessions), "texts": len(self.texts), "digest": digest}

    def found_in(self, session: str, family: str, text: str) -> str:
        """Return why a row is held out, or ""."""
        if session in self.sessions or family in self.sessions:
            return "held out by session"
        return "holds held-out text" if any(one in text for one in self.texts) else ""


def parse_held_out(text: str) -> HeldOut:
    """Parse an exclusion list: a line without blanks is a session id, a longer line is a text; `#` begins a comment."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]
    texts = tuple(line for line in lines if len(line) >= MIN_HELD_OUT and " " in line)
    return HeldOut(frozenset(line for line in lines if line not in texts), texts)


def print_of(made: dict[str, Any], *, dedupe: Dedupe, held_out: HeldOut) -> Print:
    """Take the print of a row, the ids of calls and the metadata left aside."""
    about = made["metadata"] if "metadata" in made else made["extra"]["metadata"]
    told = [f"{piece.kind} {piece.tool} {piece.text}" for turn in row.read(made).turns for piece in pieces(turn)]
    text = "\n".join(told)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest() if dedupe != "off" else ""
    sketch = sketch_of(text) if dedupe == "near" else ()
    reason = held_out.found_in(about["session"], about["family"], text)
    return Print(about["session"], about["family"], digest, sketch, reason)


def sketch_of(text: str) -> tuple[int, ...]:
    """Return the smallest hashes of all runs of words; two texts share about as many of them as of the runs."""
    words = WORDS.findall(text.lower())
    runs = (" ".join(words[start : start + SHINGLE]) for start in range(max(1, len(words) - SHINGLE + 1)))
    return tuple(heapq.nsmallest(SKETCH, {zlib.crc32(run.encode("utf-8")) for run in runs}))


@dataclass(slots=True)
class Seen:
    """The rows kept so far, by what tells them apart; grows by one sketch a row."""

    digests: dict[str, str] = field(default_factory=dict)
    sketches: list[tuple[int, ...]] = field(default_factory=list)
    places: dict[int, list[int]] = field(default_factory=dict)

    def admit(self, one: Print) -> str:
        """Return why a row is left out, or "" and remember it."""
        if one.held_out:
            return one.held_out
        if one.digest and one.digest in self.digests:
            return "duplicate"
        if one.sketch and self._is_near(one.sketch):
            return "near-duplicate"
        if one.digest:
            self.digests[one.digest] = one.session
        self._remember(one.sketch)
        return ""

    def _is_near(self, sketch: tuple[int, ...]) -> bool:
        counts: dict[int, int] = {}
        for value in sketch:
            for place in self.places.get(value, ()):
                counts[place] = counts.get(place, 0) + 1
        wanted = len(sketch) * NEAR * 0.8
        likely = (place for place, count in counts.items() if count >= wanted)
        return any(resemblance(sketch, self.sketches[place]) > NEAR for place in likely)

    def _remember(self, sketch: tuple[int, ...]) -> None:
        if not sketch:
            return
        for value in sketch:
            self.places.setdefault(value, []).append(len(self.sketches))
        self.sketches.append(sketch)


def resemblance(one: Iterable[int], other: Iterable[int]) -> float:
    """Estimate the share of runs that two texts have in common, from the smallest hashes of both."""
    left, right = set(one), set(other)
    smallest = heapq.nsmallest(min(len(left), len(right)), left | right)
    return sum(value in left and value in right for value in smallest) / max(1, len(smallest))


def is_validation(family: str, share: float) -> bool:
    """Say on which side of the split a family stands; the same family always on the same side."""
    place = int.from_bytes(hashlib.sha256(f"split\0{family}".encode()).digest()[:8], "big")
    return place < share * 2**64

"""Asking several providers at once: each isolated, each with the same deadline, answers merged by their ranks.

A provider that fails, or does not answer in time, is a value in the result, never an exception, and never the end of
the others. One that is still busy with an earlier question is not asked again.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hermes_git.providers.protocol import Provider, Recollection

DEADLINE = 0.3
"""Seconds that all providers together have by default."""

RANK_OFFSET = 60
"""The constant of reciprocal-rank fusion (Cormack, Clarke, Büttcher 2009): how little the first places differ."""

COMMAND = re.compile(r"\A\s*/[\w:-]+(?:[ \t]+|\s*\Z)")
"""The call of a skill at the start of an utterance; what follows it is what the user wants."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of one provider: `answered`, `failed`, `late`, `busy` or `unavailable`, and how long it took."""

    provider: str
    state: str
    found: int = 0
    seconds: float = 0.0
    error: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the published JSON form."""
        row: dict[str, object] = {"provider": self.provider, "state": self.state, "found": self.found}
        row["ms"] = round(1000 * self.seconds, 1)
        return row | ({"error": self.error} if self.error else {})


@dataclass(frozen=True, slots=True)
class Merged:
    """Everything that was remembered, best first, and what became of each provider."""

    recollections: tuple[Recollection, ...] = ()
    asked: tuple[Asked, ...] = ()


class Bus:
    """Holds the providers of one session in the order in which they were added."""

    def __init__(self, providers: Sequence[Provider], clock: Clock) -> None:
        self.providers = tuple(providers)
        self._clock = clock
        self._busy: dict[str, threading.Thread] = {}

    def prefetch_all(self, utterance: str, *, session_id: str = "", deadline: float = DEADLINE) -> Merged:
        """Ask every provider what matters to an utterance, and merge the answers; nothing for a bare `/command`."""
        query = COMMAND.sub("", utterance, count=1).strip()
        if not query:
            return Merged()
        start = self._clock()
        calls = [_Call(provider, query, session_id, self._clock) for provider in self.providers]
        for call in calls:
            self._begin(call)
        for call in calls:
            call.wait(max(0.0, start + deadline - self._clock()))
        return Merged(fuse([call.answer for call in calls]), tuple(call.outcome() for call in calls))

    def _begin(self, call: _Call) -> None:
        name = call.provider.name
        stuck = self._busy.get(name)
        if stuck is not None and stuck.is_alive():
            call.state = "busy"
            return
        self._busy[name] = call.start()


class _Call:
    """One question to one provider, asked in a thread of its own."""

    def __init__(self, provider: Provider, query: str, session_id: str, clock: Clock) -> None:
        self.provider, self.query, self.session_id, self.clock = provider, query, session_id, clock
        self.state, self.error = "late", ""
        self.began = self.ended = 0.0
        self._found: tuple[Recollection, ...] = ()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._is_over = False

    def start(self) -> threading.Thread:
        self.began = self.ended = self.clock()
        self._thread = threading.Thread(target=self._run, name=f"prefetch-{self.provider.name}", daemon=True)
        self._thread.start()
        return self._thread

    def _run(self) -> None:
        try:
            is_there = self.provider.is_available()
            found = tuple(self.provider.prefetch(self.query, session_id=self.session_id)) if is_there else ()
            state, error = ("answered" if is_there else "unavailable"), ""
        except Exception as problem:  # noqa: BLE001 - a provider is somebody else's code; its failure becomes a value
            found, state, error = (), "failed", f"{type(problem).__name__}: {problem}"
        with self._lock:
            if not self._is_over:
                self._found, self.state, self.error, self.ended = found, state, error, self.clock()

    def wait(self, seconds: float) -> None:
        """Wait for the answer; afterwards a late one no longer counts."""
        if self._thread is not None:
            self._thread.join(seconds)
            with self._lock:
                self._is_over = True
                if self.state == "late":
                    self.ended = self.clock()

    @property
    def answer(self) -> tuple[Recollection, ...]:
        return self._found

    def outcome(self) -> Asked:
        return Asked(self.provider.name, self.state, len(self._found), self.ended - self.began, self.error)


def fuse(rankings: Sequence[Sequence[Recollection]]) -> tuple[Recollection, ...]:
    """Merge rankings by reciprocal rank: what several providers put high comes first; the first provider wins ties."""
    scores: dict[str, float] = {}
    first: dict[str, Recollection] = {}
    for ranking in rankings:
        for place, key in enumerate(dict.fromkeys(row.key for row in ranking), start=1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (RANK_OFFSET + place)
        for row in ranking:
            first.setdefault(row.key, row)
    order = sorted(first, key=lambda key: -scores[key])
    return tuple(replace(first[key], score=scores[key]) for key in order)

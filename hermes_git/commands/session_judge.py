"""What an import is about to store, under the guard: what is known is not judged again, much new in parallel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from hermes_git.commands.call import Call
from hermes_git.finding import Report
from hermes_git.gate.scan_cache import ScanCache
from hermes_git.settings import Settings

IN_PARALLEL = 4 * 1024 * 1024
"""Bytes that are new from which on other processes are worth their start."""

File = tuple[str, bytes]
Judged = tuple[str, Report, dict[str, bytes]]
"""Path, what the guard says, and results that are worth keeping."""


class UnknownError(LookupError):
    """What is asked for was not judged before."""


@dataclass(frozen=True, slots=True)
class Known:
    """A cache that stops the work where it would have to begin."""

    cache: ScanCache

    def get(self, key: str) -> bytes:
        """Return what is kept under a key; `UnknownError` where nothing is."""
        found = self.cache.get(key)
        if found is None:
            raise UnknownError(key)
        return found

    def put(self, key: str, value: bytes) -> None:
        """Keep a value under a key."""
        self.cache.put(key, value)


@dataclass(frozen=True, slots=True)
class Notes:
    """A cache that only remembers what was found, to be sent back from another process."""

    kept: dict[str, bytes] = field(default_factory=dict)

    def get(self, key: str) -> bytes | None:
        """Return what was put under a key, or None."""
        return self.kept.get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep a value under a key."""
        self.kept[key] = value


@dataclass(frozen=True, slots=True)
class Job:
    """Judging, as it is sent to another process."""

    settings: Settings
    redacted: bool

    def build(self) -> Callable[[File], Judged]:
        """Return the step, which judges one file."""
        from hermes_git.gate.stored import judge_session

        def judge(file: File) -> Judged:
            notes = Notes()
            report = judge_session(*file, self.settings, cache=notes, redacted=self.redacted)
            return file[0], report, notes.kept

        return judge


@dataclass
class Judging:
    """The guard as an import asks it; `redacted` is False where a person keeps sessions as they were, outside git."""

    call: Call
    redacted: bool
    cache: ScanCache = field(init=False)

    def __post_init__(self) -> None:
        """Open what earlier scans found."""
        self.cache = ScanCache(self.call.repo.state)

    def judge(self, files: Mapping[str, bytes]) -> dict[str, Report]:
        """Return what the guard says of each file, by path."""
        from hermes_git.gate.stored import judge_session

        reports: dict[str, Report] = {}
        fresh: list[File] = []
        for path, data in files.items():
            try:
                reports[path] = judge_session(
                    path, data, self.call.settings, cache=Known(self.cache), redacted=self.redacted
                )
            except UnknownError:
                fresh.append((path, data))
        judged = self._fresh(fresh)
        for path, report, kept in self.call.watch(judged, "sessions judged", len(fresh)):
            reports[path] = report
            for key, value in kept.items():
                self.cache.put(key, value)
        self.cache.save()
        return reports

    def _fresh(self, files: list[File]) -> Iterator[Judged]:
        """Judge what is new: a session that has grown finds its first parts in the cache, much at once has company."""
        from hermes_git.gate.stored import judge_session

        if sum(len(data) for _, data in files) >= IN_PARALLEL:
            from hermes_git.export import workers

            job = Job(self.call.settings, self.redacted)
            yield from workers.run(job, files, os.cpu_count() or 1, size=lambda file: len(file[1]))
            return
        for path, data in files:
            report = judge_session(path, data, self.call.settings, cache=self.cache, redacted=self.redacted)
            yield path, report, {}

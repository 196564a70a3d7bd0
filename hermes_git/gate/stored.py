"""Stored sessions under the guard, wherever they live: bytes and secrets block, quoted attacks are counted notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hermes_git.checks.run import Cache, scan
from hermes_git.document import Document
from hermes_git.finding import Finding, Report
from hermes_git.settings import Settings

FAMILIES = ("HG1", "HG3", "HG4", "HG5")
PART = 512 * 1024
"""Bytes of a session that are judged at a time; a part ends at the end of a line, so a longer line is a part alone."""


def judge_session(path: str, data: bytes, settings: Settings, *, cache: Cache | None = None) -> Report:
    """Judge the bytes of one stored session; lines in the findings are those of the whole session."""
    placed = replace(settings, sessions=replace(settings.sessions, place="tree"))
    folder = f"{settings.sessions.folder}/"
    whole = Report()
    for first, part in _parts(data):
        done = scan([Document(folder + path, part)], settings=placed, select=FAMILIES, cache=cache)
        found = tuple(_moved(row, folder, first) for row in done.findings)
        skipped = tuple(replace(row, path=row.path.removeprefix(folder)) for row in done.not_scanned)
        whole = whole.plus(Report(found, skipped))
    return whole


def _moved(found: Finding, folder: str, first: int) -> Finding:
    line = found.line + first if found.line else 0
    return replace(found, path=found.path.removeprefix(folder), line=line)


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield parts of whole lines, each with the number of lines before it."""
    start, lines = 0, 0
    while start < len(data) or start == 0:
        end = data.find(b"\n", min(start + PART, len(data))) + 1 if start + PART < len(data) else 0
        part = data[start : end or len(data)]
        yield lines, part
        lines += part.count(b"\n")
        start = end or len(data) + 1


def counted(found: Iterable[Finding]) -> dict[str, int]:
    """Count findings by check, sorted by id."""
    counts: dict[str, int] = {}
    for row in found:
        counts[row.check] = counts.get(row.check, 0) + 1
    return dict(sorted(counts.items()))

"""Run the checks over documents: pure, sorted, fails closed, and tells what was not read.

Limits are counts of bytes, nodes and layers, never time, so that every machine gives the same verdict.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Protocol

from hermes_git.check_ids import selects
from hermes_git.checks import catalogue, session_text, surface
from hermes_git.checks.reading import Fact, Reading, SkillReading, TreeReading
from hermes_git.checks.registry import Check, Spot
from hermes_git.document import Document
from hermes_git.finding import ERROR, NOTE, WARNING, Finding, Severity, Skipped, digest
from hermes_git.knowledge import layout
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.patterns.places import without_urls
from hermes_git.settings import DEFAULTS, Settings
from hermes_git.version import RULES_VERSION

TRUST = ("own", "trusted", "community", "agent")
STRICT_TRUST = frozenset({"community", "agent"})
"""Authors whose malicious-looking warnings are errors."""

NO_ORIGINS: Mapping[str, str] = MappingProxyType({})

MEMORY_NAMES = {name: target for target, name in layout.TARGETS.items()}


class Cache(Protocol):
    """Where results of earlier scans are kept; losing one costs time, never a verdict."""

    def get(self, key: str) -> bytes | None:
        """Return what was put under a key, or None."""

    def put(self, key: str, value: bytes) -> None:
        """Keep a value under a key."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What the checks say: findings, sorted, and what was not scanned and why."""

    findings: tuple[Finding, ...] = ()
    not_scanned: tuple[Skipped, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What one document or skill yields before trust is applied: `(check id, spot)` pairs, skipped parts, facts."""

    spots: tuple[tuple[str, Spot], ...] = ()
    skipped: tuple[Skipped, ...] = ()
    facts: tuple[Fact, ...] = ()


Watch = Callable[[list[Reading]], Iterable[Reading]]
"""What the documents go through on their way to be judged."""


def scan(
    documents: Sequence[Document],
    *,
    settings: Settings = DEFAULTS,
    trust: str = "own",
    select: tuple[str, ...] = (),
    only: frozenset[str] | None = None,
    cache: Cache | None = None,
    watch: Watch = iter,
    origins: Mapping[str, str] = NO_ORIGINS,
) -> Scan:
    """Judge documents, which hold complete skill folders; `only` keeps document findings to the paths named.

    `watch` passes the documents on and may tell somebody how far the work is. `origins` says how far the source of
    what lies in a folder is trusted: the stricter of that and `trust` holds there.

    Findings of skill and tree checks are always given, because a change of one file can spoil another.
    """
    checks = [entry for entry in catalogue.load().values() if entry.run and selects(select, entry.id)]
    tree, results = _read(documents, settings, checks, (select, only, cache), watch)
    skill_checks = [entry for entry in checks if entry.shape == "skill"]
    results += [_skill_result(skill, skill_checks, select, cache) for skill in tree.skills]
    results.append(Result(tuple(_fired([entry for entry in checks if entry.shape == "tree"], tree))))
    evidence = Evidence({document.path: document for document in documents})
    said = (
        _finding(id, spot, trust_at(spot.path, trust, origins), evidence)
        for result in results
        for id, spot in result.spots
    )
    sessions = {reading.path for reading in tree.others if reading.area == session_text.AREA}
    findings = {_in_session(found) if found.path in sessions else found for found in said}
    skipped = {item for result in results for item in result.skipped}
    return Scan(tuple(sorted(findings)), tuple(sorted(skipped)), tree.facts)


Options = tuple[tuple[str, ...], frozenset[str] | None, Cache | None]


def _read(
    documents: Sequence[Document], settings: Settings, checks: list[Check], options: Options, watch: Watch
) -> tuple[TreeReading, list[Result]]:
    """Place and check every document; facts are collected from all of them, findings from the wanted ones."""
    select, only, cache = options
    roots = layout.skill_roots(document.path for document in documents)
    readings = _told([place(document, settings, roots) for document in documents])
    results = {
        reading.path: _document_result(reading, checks, select, cache) for reading in watch(sorted_by_path(readings))
    }
    skills = tuple(
        SkillReading(root, tuple(members), _facts(results, members)) for root, members in _members(readings, roots)
    )
    others = tuple(reading for reading in sorted_by_path(readings) if reading.root is None)
    tree = TreeReading(skills, others, _facts(results, sorted_by_path(readings)))
    return tree, [result for path, result in results.items() if only is None or path in only]


def sorted_by_path(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings in the order of their paths."""
    return sorted(readings, key=lambda reading: reading.path)


def _facts(results: dict[str, Result], readings: Iterable[Reading]) -> tuple[Fact, ...]:
    return tuple(fact for reading in readings for fact in results[reading.path].facts)


def _members(readings: list[Reading], roots: frozenset[str]) -> list[tuple[str, list[Reading]]]:
    found: dict[str, list[Reading]] = {root: [] for root in sorted(roots)}
    for reading in sorted_by_path(readings):
        if reading.root is not None:
            found[reading.root].append(reading)
    return list(found.items())


def _told(readings: list[Reading]) -> list[Reading]:
    """Tell each file of a skill what its SKILL.md is about: a script may speak to the service the skill is for."""
    mains = {
        reading.root: without_urls(reading.text) for reading in readings if reading.root and reading.inner == SKILL_FILE
    }
    return [
        replace(reading, about=mains[reading.root])
        if reading.root in mains and reading.inner != SKILL_FILE
        else reading
        for reading in readings
    ]


def place(document: Document, settings: Settings, roots: frozenset[str]) -> Reading:
    """Say where a document stands; outside the configured folders any SKILL.md makes a skill, MEMORY.md a memory."""
    spot = layout.place(document.path, settings, roots)
    root = spot.root or next((str(up) for up in PurePosixPath(document.path).parents if str(up) in roots), None)
    area, target = spot.area, spot.target
    if area == "other" and root is None and document.name in MEMORY_NAMES:
        area, target = "memory", MEMORY_NAMES[document.name]
    if area == "other" and root is not None:
        area = "skill"
    if area == "other" and session_text.is_session(document.path, settings):
        area = session_text.AREA
    inner = document.path if root in (None, ".") else document.path[len(str(root)) + 1 :]
    return Reading(document, area, target, root, inner)


def _document_result(reading: Reading, checks: list[Check], select: tuple[str, ...], cache: Cache | None) -> Result:
    """Check one document; of a session, which may be long, part by part, as text and not as code."""
    if reading.area != session_text.AREA:
        return _part_result(reading, checks, select, cache)
    wanted = [entry for entry in checks if entry.id.startswith(session_text.FAMILIES)]
    rows = [
        (first, _part_result(replace(reading, document=part, memo={}), wanted, select or session_text.FAMILIES, cache))
        for first, part in session_text.parts(reading.document)
    ]
    spots = tuple(
        (id, replace(spot, line=spot.line + first) if spot.line else spot)
        for first, row in rows
        for id, spot in row.spots
    )
    return Result(spots, tuple(item for _, row in rows for item in row.skipped))


def _part_result(reading: Reading, checks: list[Check], select: tuple[str, ...], cache: Cache | None) -> Result:
    key = _key(reading, select) if cache else ""
    kept = cache.get(key) if cache else None
    if kept is not None:
        return _moved(_thaw(kept, reading.path), reading.path)
    if reading.area == session_text.AREA:
        _read_as_text(reading)
    wanted = [entry for entry in checks if _concerns(entry, reading)]
    spots = tuple(_fired(wanted, reading))
    facts = _facts_of(reading) if any(entry.id.startswith(NEED_FACTS) for entry in checks) else ()
    result = Result(spots, tuple(surface.skipped(reading)), facts)
    if cache:
        cache.put(key, _freeze(result))
    return result


def _read_as_text(reading: Reading) -> None:
    """Choose the analysis that all checks share; one that fails fails again in every check that asks for it."""
    try:
        reading.once("analysis", session_text.analyse)
    except Exception:  # noqa: BLE001 - the same failure is an error finding of every check of the analysis
        return


NEED_FACTS = ("HG9", "HG4", "HG6")
"""Families whose checks use or yield facts; a selection without them spends nothing on facts."""


def _facts_of(reading: Reading) -> tuple[Fact, ...]:
    """Return the facts of a document; where the analysis failed its checks have already said so."""
    try:
        return surface.facts(reading)
    except Exception:  # noqa: BLE001 - the same failure is an error finding of every check of the analysis
        return ()


def _concerns(entry: Check, reading: Reading) -> bool:
    return entry.shape == "document" and (reading.kind in entry.kinds if entry.kinds else True)


def _skill_result(skill: SkillReading, checks: list[Check], select: tuple[str, ...], cache: Cache | None) -> Result:
    """Check one skill as a whole; the result is kept under the digest of all its files."""
    key = _skill_key(skill, select) if cache else ""
    kept = cache.get(key) if cache else None
    if kept is not None:
        return _thaw(kept, skill.path)
    result = Result(tuple((id, spot if spot.path else _at(spot, skill.path)) for id, spot in _fired(checks, skill)))
    if cache:
        cache.put(key, _freeze(result))
    return result


def _skill_key(skill: SkillReading, select: tuple[str, ...]) -> str:
    documents = [(reading.area, reading.document) for reading in skill.readings]
    files = [part for area, one in documents for part in (area, one.path, one.mode, one.kind, one.identity)]
    parts = ("skill", RULES_VERSION, skill.root, *files, "|", *select)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


FAILED = "the check itself failed"


def _at(spot: Spot, path: str) -> Spot:
    return Spot(spot.line, spot.message, spot.column, path, spot.hint, spot.severity, spot.evidence)


def _fired(checks: Iterable[Check], subject: Reading | SkillReading | TreeReading) -> list[tuple[str, Spot]]:
    """Run checks; one that crashes becomes an error that names itself, never a pass."""
    found: list[tuple[str, Spot]] = []
    path = subject.path if isinstance(subject, Reading | SkillReading) else ""
    for entry in checks:
        try:
            spots = list(entry.run(subject)) if entry.run else []
        except Exception as error:  # noqa: BLE001 - a guard that falls over must block, not vanish
            message = f"{FAILED} ({type(error).__name__}), so this was not judged"
            spots = [Spot(0, message, path=path, severity=ERROR, hint="please report this with the file, if you can")]
        found += [(entry.id, spot if spot.path else _at(spot, path)) for spot in spots]
    return found


def trust_at(path: str, trust: str, origins: Mapping[str, str]) -> str:
    """Return the stricter of the trust in an author and that in the place where the folder of a path came from."""
    if not origins:
        return trust
    known = (origins.get(str(folder), trust) for folder in PurePosixPath(path).parents)
    return max((trust, *known), key=TRUST.index)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Digests of the lines that findings lie on: each is hashed once, however long it is and however many lie there."""

    documents: Mapping[str, Document]
    known: dict[tuple[str, int], str] = field(default_factory=dict)

    def of(self, path: str, line: int) -> str:
        """Return the digest of a line; line 0 is the whole file."""
        if (path, line) not in self.known:
            self.known[path, line] = digest(_line(self.documents.get(path), line))
        return self.known[path, line]


def _finding(id: str, spot: Spot, trust: str, evidence: Evidence) -> Finding:
    entry = catalogue.load()[id]
    severity = spot.severity or entry.severity
    if trust in STRICT_TRUST and entry.indicator and severity == WARNING:
        severity = Severity.ERROR
    own = digest(spot.evidence) if spot.evidence is not None else evidence.of(spot.path, spot.line)
    return Finding(spot.path, spot.line, spot.column, id, severity, spot.message, own, spot.hint)


NOTED_IN_SESSIONS = ("HG3", "HG4")
"""Tools print quoted attacks all day; a session is read and never obeyed."""


def _in_session(found: Finding) -> Finding:
    """Make hidden text and threats notes in a session; a check that failed still blocks."""
    noted = found.check.startswith(NOTED_IN_SESSIONS) and not found.message.startswith(FAILED)
    return replace(found, severity=NOTE) if noted else found


def _line(document: Document | None, line: int) -> str:
    """Return the text that identifies a finding: its line without outer white space, or the bytes of a whole file."""
    if document is None:
        return ""
    if 0 < line <= len(document.lines):
        return document.lines[line - 1].strip()
    return document.identity


def _moved(result: Result, path: str) -> Result:
    """Return the kept result of a document at the path where the same bytes stand now."""
    return Result(tuple((id, _at(spot, path)) for id, spot in result.spots), result.skipped, result.facts)


def _key(reading: Reading, select: tuple[str, ...]) -> str:
    document = reading.document
    parts = (
        RULES_VERSION,
        document.identity,
        document.mode,
        document.kind,
        reading.area,
        reading.inner,
        reading.about,
        *select,
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _freeze(result: Result) -> bytes:
    spots = [
        [id, spot.line, spot.message, spot.column, spot.path, spot.hint, int(spot.severity or 0), spot.evidence]
        for id, spot in result.spots
    ]
    skipped = [item.reason for item in result.skipped]
    facts = [[fact.axis, fact.value, fact.line] for fact in result.facts]
    return json.dumps({"spots": spots, "skipped": skipped, "facts": facts}, ensure_ascii=True).encode("ascii")


def _thaw(data: bytes, path: str) -> Result:
    kept = json.loads(data)
    spots = tuple(
        (id, Spot(line, message, column, at, hint, Severity(severity) if severity else None, evidence))
        for id, line, message, column, at, hint, severity, evidence in kept["spots"]
    )
    facts = tuple(Fact(axis, value, path, line) for axis, value, line in kept["facts"])
    return Result(spots, tuple(Skipped(path, reason) for reason in kept["skipped"]), facts)

"""The proof that nothing is lost: every unit before a change is found after it, or is named as dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hermes_git.curator.units import FOLDABLE_INNER, Unit, units
from hermes_git.document import Document
from hermes_git.knowledge import entries
from hermes_git.knowledge.layout import TARGETS

STATUSES = ("verbatim", "moved", "duplicate", "dropped")
MARKDOWN_KINDS = frozenset(("skill", "description", "markdown", "memory"))
Canonical = Callable[[Document], str]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one unit: where it stood, its status, and where it stands now ("" when dropped)."""

    unit: Unit
    path: str
    status: str
    now: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the machine-readable row of the loss ledger."""
        row: dict[str, object] = {"status": self.status, "kind": self.unit.kind, "text": self.unit.text[:400]}
        return row | {"path": self.path, "line": self.unit.line, "now": self.now}


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss ledger of one change: the fate of every unit of every file it touched, in file order."""

    fates: tuple[Fate, ...] = ()

    def count(self, status: str) -> int:
        """Return how many units have a status."""
        return sum(fate.status == status for fate in self.fates)

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of units by status, zeros included."""
        return {status: self.count(status) for status in STATUSES}

    def of(self, *statuses: str) -> tuple[Fate, ...]:
        """Return the fates with one of the statuses."""
        return tuple(fate for fate in self.fates if fate.status in statuses)


def pieces(document: Document, canonical: Canonical | None = None) -> tuple[Unit, ...]:
    """Return the units of a document: blocks of Markdown and of memory entries, lines of other text, else its bytes."""
    if not document.is_text or document.encoding == "undecodable":
        return (Unit("file", document.identity, 0, 0),)
    text = canonical(document) if canonical else document.text
    if document.name in TARGETS.values():
        return tuple(unit for entry in entries.parse(text).entries for unit in _shifted(entry))
    if document.kind in MARKDOWN_KINDS:
        return units(text)
    lines = text.replace("\r\n", "\n").split("\n")
    return tuple(Unit("line", line.rstrip(), number, number) for number, line in enumerate(lines, 1) if line.strip())


def _shifted(entry: entries.Entry) -> Iterator[Unit]:
    for unit in units(entry.text):
        yield replace(unit, line=unit.line + entry.line - 1, end=unit.end + entry.line - 1)


def compare(
    before: Iterable[Document],
    after: Iterable[Document],
    *,
    canonical: tuple[Canonical, Canonical] | None = None,
    elsewhere: Iterable[Document] = (),
) -> Loss:
    """Map every unit of the documents before to its fate among the documents after.

    Units are counted: where a text stood twice and stands once, one of them is a duplicate of the other. `elsewhere`
    are documents that the change did not touch; a unit found only there is a duplicate too. `canonical` writes the
    links of documents before and after in a form that can be compared.
    """
    first, second = canonical or (None, None)
    old, new = sorted(before, key=_path), sorted(after, key=_path)
    supply = _supply(new, second)
    untouched = {unit.key: document.path for document in elsewhere for unit in pieces(document, second)}
    fates: list[Fate] = []
    rows = [(document.path, unit) for document in old for unit in pieces(document, first)]
    left = Counter({key: sum(paths.values()) for key, paths in supply.items()})
    taken: dict[tuple[str, tuple[str, str]], int] = Counter()
    waiting: list[int] = []
    for path, unit in rows:
        here = supply.get(unit.key, Counter())[path] - taken[path, unit.key]
        if here > 0:
            taken[path, unit.key] += 1
            left[unit.key] -= 1
            fates.append(Fate(unit, path, "verbatim", path))
        else:
            waiting.append(len(fates))
            fates.append(Fate(unit, path, "dropped"))
    for position in waiting:
        fates[position] = _elsewhere(fates[position], supply, left, untouched)
    return Loss(tuple(fates))


def _path(document: Document) -> str:
    return document.path


def _supply(documents: Iterable[Document], canonical: Canonical | None) -> dict[tuple[str, str], Counter[str]]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for document in documents:
        for unit in pieces(document, canonical):
            found.setdefault(unit.key, Counter())[document.path] += 1
    return found


def _elsewhere(
    fate: Fate,
    supply: Mapping[tuple[str, str], Counter[str]],
    left: Counter[tuple[str, str]],
    untouched: Mapping[tuple[str, str], str],
) -> Fate:
    """Decide about a unit that does not stand where it stood."""
    key, paths = fate.unit.key, supply.get(fate.unit.key, Counter())
    now = next((path for path in sorted(paths) if path != fate.path), next(iter(paths), ""))
    if now and left[key] > 0:
        left[key] -= 1
        return Fate(fate.unit, fate.path, "moved", now)
    if now:
        return Fate(fate.unit, fate.path, "duplicate", now)
    if key in untouched:
        return Fate(fate.unit, fate.path, "duplicate", untouched[key])
    return fate


def is_inner(unit: Unit) -> bool:
    """Say whether a unit is part of a sentence or item that is a unit itself."""
    return unit.kind in FOLDABLE_INNER

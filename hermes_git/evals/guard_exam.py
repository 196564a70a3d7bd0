"""How well the guard tells malicious skills from harmless ones: labelled skills as inert text, judged as a stranger's.

A skill counts as blocked by an error of the security checks alone; what the specification, the gate or the curator say
does not count. Nothing of a skill is run, imported or written to disk.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.evals.numbers import interval, mean
from hermes_git.finding import ERROR, Finding

SECURITY = ("HG1", "HG3", "HG4", "HG5", "HG6", "HG9")
FLOORS = {"false_blocks": 2.0, "hard_negatives": 0.0, "mutations": 90.0, "macro_recall": 40.0}
"""The most of harmless skills and hard negatives that may be blocked, the least of mutations and of malicious ones."""

MALICIOUS, BENIGN, MUTATION, DUAL_USE = "malicious", "benign", "mutation", "dual-use"
HARD = ("benign-hard", "benign-hard-ours")
SETS = (MALICIOUS, BENIGN, *HARD, MUTATION, DUAL_USE)


class File(msgspec.Struct, frozen=True):
    """One file of a labelled skill: its text, or its bytes in base64."""

    path: str
    mode: str = "100644"
    text: str | None = None
    base64: str = ""


class Skill(msgspec.Struct, frozen=True):
    """One labelled skill; `stratum` is where it comes from."""

    id: str
    stratum: str
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One skill and the findings that keep it out."""

    set: str
    id: str
    stratum: str
    blocking: tuple[Finding, ...]

    @property
    def is_blocked(self) -> bool:
        """Say whether it is kept out."""
        return bool(self.blocking)


def skill(line: bytes) -> Skill | None:
    """Read one line of a set; None for anything that is no labelled skill."""
    try:
        found = msgspec.json.decode(line, type=Skill)
        for file in found.files:
            _bytes(file)
    except (msgspec.DecodeError, binascii.Error, ValueError):
        return None
    return found


def _bytes(file: File) -> bytes:
    if file.text is None:
        return base64.b64decode(file.base64, validate=True)
    return file.text.encode("utf-8", "surrogateescape")


def judge(name: str, one: Skill) -> Judged:
    """Scan a skill of a set as one that comes from a stranger."""
    root = one.id.rsplit("/", 1)[-1]
    documents = [Document(f"{root}/{file.path}", _bytes(file), file.mode) for file in one.files]
    found = scan(documents, trust="community", select=SECURITY).findings
    return Judged(name, one.id, one.stratum, tuple(finding for finding in found if finding.severity == ERROR))


def rate(judged: Iterable[Judged]) -> float:
    """Return the share that is blocked, in percent."""
    return 100 * mean([float(one.is_blocked) for one in judged])


def strata(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    """Return judged skills by where they come from, sorted."""
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.stratum, []).append(one)
    return dict(sorted(groups.items()))


def card(judged: Sequence[Judged], unread: int) -> dict[str, Any]:
    """Sum up: by set and stratum, the figures that have floors, and which floors are missed."""
    by_set = {name: [one for one in judged if one.set == name] for name in SETS}
    groups = list(strata(by_set[MALICIOUS]).values())
    figures = {
        "macro_recall": mean([rate(group) for group in groups]),
        "false_blocks": rate(by_set[BENIGN]),
        "hard_negatives": rate([one for name in HARD for one in by_set[name]]),
        "mutations": rate(by_set[MUTATION]),
    }
    points = [[float(one.is_blocked) for one in group] for group in groups]
    return {
        "format": 1,
        "kind": "guard",
        "sets": {name: _set(found) for name, found in by_set.items() if found},
        "figures": {name: round(value, 1) for name, value in figures.items()},
        "recall": round(rate(by_set[MALICIOUS]), 1),
        "recall_interval": [round(100 * end, 1) for end in interval(points)],
        "floors_missed": [name for name in FLOORS if by_set[_NEEDED[name]] and _is_missed(name, figures)],
        "passed": [one.id for name in (MALICIOUS, MUTATION) for one in by_set[name] if not one.is_blocked],
        "blocked": {
            one.id: sorted({finding.check for finding in one.blocking})
            for name in (BENIGN, *HARD)
            for one in by_set[name]
            if one.is_blocked
        },
        "unread": unread,
    }


_NEEDED = {"false_blocks": BENIGN, "hard_negatives": HARD[0], "mutations": MUTATION, "macro_recall": MALICIOUS}


def _is_missed(name: str, figures: Mapping[str, float]) -> bool:
    is_bound = name in ("false_blocks", "hard_negatives")
    return figures[name] > FLOORS[name] if is_bound else figures[name] < FLOORS[name]


def _set(found: Sequence[Judged]) -> dict[str, Any]:
    return {
        "skills": len(found),
        "blocked": sum(one.is_blocked for one in found),
        "strata": {
            name: {"skills": len(group), "blocked": sum(one.is_blocked for one in group)}
            for name, group in strata(found).items()
        },
    }

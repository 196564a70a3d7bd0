"""How well a search ranks what it should find: the share found among the first few, and the mean reciprocal rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hermes_git.evals.numbers import interval, mean

DEPTHS = (1, 3, 10)
Places = Sequence[Sequence[int]]
"""Places at which what was sought was found, from 1, or 0 for not at all; in groups that share a source."""


def quality(groups: Places, depths: Sequence[int] = DEPTHS) -> dict[str, Any]:
    """Return R@k in percent and MRR, each with the 95 % bootstrap interval over groups."""
    found: dict[str, Any] = {"asked": sum(len(group) for group in groups)}
    for depth in depths:
        found |= _figure(f"R@{depth}", [[float(0 < place <= depth) for place in group] for group in groups], 100)
    return found | _figure("MRR", [[1 / place if place else 0.0 for place in group] for group in groups], 1)


def _figure(name: str, groups: Sequence[Sequence[float]], scale: int) -> dict[str, Any]:
    digits = 1 if scale > 1 else 3
    whole = mean([value for group in groups for value in group])
    return {name: round(scale * whole, digits), f"{name} interval": [round(scale * end, digits) for end in
                                                                     interval(groups)]}  # fmt: skip


def place_of(found: Sequence[object], wanted: frozenset[object]) -> int:
    """Return the place of the first wanted one, from 1, or 0."""
    return next((place for place, one in enumerate(found, 1) if one in wanted), 0)


def table(rows: Mapping[str, Mapping[str, Any]], depths: Sequence[int] = DEPTHS) -> str:
    """Write figures by the name of who found them as a Markdown table."""
    names = [*(f"R@{depth}" for depth in depths), "MRR"]
    head = f"| | asked | {' | '.join(names)} |\n|---|---|{'---|' * len(names)}"
    return "\n".join([head, *(f"| {name} | {row['asked']} | {_cells(row, names)} |" for name, row in rows.items())])


def _cells(row: Mapping[str, Any], names: Sequence[str]) -> str:
    return " | ".join(f"{row[name]} ({row[f'{name} interval'][0]}-{row[f'{name} interval'][1]})" for name in names)

"""From what providers remember to a fenced block for one turn: judged by the guard, cited, bounded in tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.finding import ERROR
from hermes_git.providers.bus import Merged
from hermes_git.providers.protocol import Recollection
from hermes_git.providers.scrubber_fence import LONGEST_RECALL, fence
from hermes_git.settings import Settings

BUDGET = 1000
"""Tokens of recalled context by default."""

KINDS = {"memory": "knowledge/recalled/MEMORY.md", "archive": "knowledge/recalled/MEMORY.md"}
"""The kind of file that a recollection is judged as."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Prefetched:
    """What goes into the prompt, what was left out and why, and what became of each provider."""

    block: str
    shown: tuple[Recollection, ...]
    refused: tuple[tuple[str, tuple[str, ...]], ...]
    left_out: int
    tokens: int
    merged: Merged

    def as_json(self) -> dict[str, Any]:
        """Return the published JSON form."""
        return {
            "block": self.block,
            "items": [row.as_json() for row in self.shown],
            "refused": [{"key": key, "checks": list(checks)} for key, checks in self.refused],
            "left_out": self.left_out,
            "tokens": self.tokens,
            "providers": [row.as_json() for row in self.merged.asked],
        }


def prefetched(merged: Merged, nonce: str, settings: Settings, count: Count, budget: int = BUDGET) -> Prefetched:
    """Judge, cite, bound and fence what providers remember; what the guard blocks is named, not shown."""
    shown: list[Recollection] = []
    refused: list[tuple[str, tuple[str, ...]]] = []
    lines: list[str] = []
    used = left_out = 0
    for row in merged.recollections:
        line = f"- {row.kind}: {row.text}\n  ({row.cite})"
        cost = count(line) + 1
        if used + cost > budget or sum(map(len, lines)) + len(line) + len(lines) > LONGEST_RECALL:
            left_out += 1
            continue
        found = threats(row, settings)
        if found:
            refused.append((row.key, found))
            continue
        shown.append(row)
        lines.append(line)
        used += cost
    return Prefetched(fence("\n".join(lines), nonce), tuple(shown), tuple(refused), left_out, used, merged)


def threats(row: Recollection, settings: Settings) -> tuple[str, ...]:
    """Return the ids of the checks that keep a recollection out of a prompt, as if an agent had just written it."""
    path = KINDS.get(row.kind, "recalled.md")
    report = scan([Document(path, row.text.encode("utf-8", "surrogatepass"))], settings=settings, trust="agent")
    return tuple(dict.fromkeys(found.check for found in report.findings if found.severity == ERROR))

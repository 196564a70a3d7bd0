"""What a whole run amounts to, counted over its records, whoever wrote them and in however many sittings. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hermes_git.batch.record import Record

FORMAT = 1


@dataclass(slots=True)
class Statistics:
    """Counts over records; adding is all it can do."""

    status: Counter[str] = field(default_factory=Counter)
    completed: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    call_failures: Counter[str] = field(default_factory=Counter)
    toolsets: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    usage: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0
    api_calls: int = 0
    turns: int = 0
    thoughts: int = 0

    def add(self, found: Record) -> None:
        """Take in one record."""
        self.status[found.status] += 1
        self.api_calls += found.api_calls
        self.usage.update({key: int(value) for key, value in found.usage.items() if key != "cost"})
        self.cost += found.usage.get("cost", 0.0)
        if found.status == "failed":
            self.failed[found.reason] += 1
            return
        if found.status == "dropped":
            self.dropped[found.reason] += 1
        else:
            self.completed += bool(found.row.get("completed"))
            self.outcomes[str(found.row.get("metadata", {}).get("outcome", ""))] += 1
        self.turns += found.turns
        self.thoughts += found.thoughts
        self.calls.update(found.tools)
        self.call_failures.update(found.tool_failures)
        self.toolsets.update(found.toolsets)
        self.redactions.update(found.redactions)

    def as_json(self) -> dict[str, Any]:
        """Return the published form; it holds no time, so that the same records give the same bytes."""
        return {
            "format": FORMAT,
            "prompts": self.status.total(),
            "trajectories": self.status["done"],
            "completed": self.completed,
            "failed": dict(sorted(self.failed.items())),
            "dropped": dict(sorted(self.dropped.items())),
            "outcomes": dict(sorted(self.outcomes.items())),
            "api_calls": self.api_calls,
            "usage": {**dict(sorted(self.usage.items())), "cost": round(self.cost, 6)},
            "toolsets": dict(sorted(self.toolsets.items())),
            "tool_statistics": {name: self._tool(name) for name in sorted(self.calls)},
            "reasoning_statistics": {
                "total_assistant_turns": self.turns,
                "turns_with_reasoning": self.thoughts,
                "turns_without_reasoning": self.turns - self.thoughts,
            },
            "redactions": dict(sorted(self.redactions.items())),
        }

    def _tool(self, name: str) -> dict[str, float]:
        count, failures = self.calls[name], self.call_failures[name]
        return {
            "count": count,
            "success": count - failures,
            "failure": failures,
            "success_rate": round(100 * (count - failures) / count, 2),
            "failure_rate": round(100 * failures / count, 2),
        }


def of(records: Iterable[Record]) -> Statistics:
    """Return the statistics of records."""
    found = Statistics()
    for one in records:
        found.add(one)
    return found

"""What compression did to each row and to a data set, under the names that Hermes' compressor uses, and a few more."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RowMetrics:
    """One row: tokens and turns before and after, the regions replaced, and whether the budget was met."""

    original_tokens: int = 0
    compressed_tokens: int = 0
    original_turns: int = 0
    compressed_turns: int = 0
    regions: tuple[tuple[int, int], ...] = ()
    stubbed_turns: int = 0
    was_compressed: bool = False
    still_over_limit: bool = False
    skipped_under_target: bool = False
    summarization_api_calls: int = 0
    summarization_errors: int = 0
    summary_tokens: int = 0
    policy: str = ""
    summary_turn: str = ""

    @property
    def tokens_saved(self) -> int:
        """Return how many tokens the row lost."""
        return self.original_tokens - self.compressed_tokens

    @property
    def ratio(self) -> float:
        """Return tokens after ÷ before, 1.0 for an empty row."""
        return self.compressed_tokens / self.original_tokens if self.original_tokens else 1.0

    def as_json(self) -> dict[str, object]:
        """Return the published form; `compression_region` spans all regions, `regions` names each."""
        start, end = (self.regions[0][0], self.regions[-1][1]) if self.regions else (-1, -1)
        replaced = sum(end - start for start, end in self.regions)
        return {
            "original_tokens": self.original_tokens,
            "compressed_tokens": self.compressed_tokens,
            "tokens_saved": self.tokens_saved,
            "compression_ratio": round(self.ratio, 4),
            "original_turns": self.original_turns,
            "compressed_turns": self.compressed_turns,
            "turns_removed": self.original_turns - self.compressed_turns,
            "compression_region": {"start_idx": start, "end_idx": end, "turns_count": replaced},
            "was_compressed": self.was_compressed,
            "still_over_limit": self.still_over_limit,
            "skipped_under_target": self.skipped_under_target,
            "summarization_api_calls": self.summarization_api_calls,
            "summarization_errors": self.summarization_errors,
            "summary_tokens": self.summary_tokens,
            "regions": [list(region) for region in self.regions],
            "stubbed_turns": self.stubbed_turns,
            "policy": self.policy,
            "summary_turn": self.summary_turn,
        }


@dataclass(slots=True)
class Aggregate:
    """Sums over rows; adding is all it can do, so that workers' sums can be added too."""

    total: int = 0
    compressed: int = 0
    skipped: int = 0
    over: int = 0
    failed: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    turns_before: int = 0
    turns_after: int = 0
    ratios: float = 0.0
    saved: int = 0
    turns_removed: int = 0
    api_calls: int = 0
    errors: int = 0
    summary_tokens: int = 0
    human_summaries: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def add(self, row: RowMetrics) -> None:
        """Take in one row."""
        self.total += 1
        self.skipped += row.skipped_under_target
        self.over += row.still_over_limit
        self.failed += bool(row.summarization_errors) and not row.was_compressed
        self.tokens_before += row.original_tokens
        self.tokens_after += row.compressed_tokens
        self.turns_before += row.original_turns
        self.turns_after += row.compressed_turns
        self.api_calls += row.summarization_api_calls
        self.errors += row.summarization_errors
        self.summary_tokens += row.summary_tokens
        if row.was_compressed:
            self.compressed += 1
            self.human_summaries += row.summary_turn == "human"
            self.ratios += row.ratio
            self.saved += row.tokens_saved
            self.turns_removed += row.original_turns - row.compressed_turns

    def drop(self, reason: str) -> None:
        """Count one row that did not come out, with its reason."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    @property
    def refused_by(self) -> list[str]:
        """Name the trainers that refuse some of the rows: a human turn after a tool turn breaks their alternation."""
        return ["llamafactory", "axolotl"] if self.human_summaries else []

    def as_json(self) -> dict[str, object]:
        """Return the published form, without times, so that a repeated run gives the same bytes."""
        done = max(1, self.compressed)
        return {
            "summary": {
                "total_trajectories": self.total,
                "trajectories_compressed": self.compressed,
                "trajectories_skipped_under_target": self.skipped,
                "trajectories_still_over_limit": self.over,
                "trajectories_failed": self.failed,
                "trajectories_dropped": dict(sorted(self.dropped.items())),
                "trajectories_with_human_summary": self.human_summaries,
                "compression_rate": round(self.compressed / max(1, self.total), 4),
            },
            "tokens": {
                "total_before": self.tokens_before,
                "total_after": self.tokens_after,
                "total_saved": self.tokens_before - self.tokens_after,
                "overall_compression_ratio": round(self.tokens_after / max(1, self.tokens_before), 4),
                "in_summaries": self.summary_tokens,
            },
            "turns": {
                "total_before": self.turns_before,
                "total_after": self.turns_after,
                "total_removed": self.turns_before - self.turns_after,
            },
            "averages": {
                "avg_compression_ratio": round(self.ratios / done, 4),
                "avg_tokens_saved_per_compressed": round(self.saved / done, 1),
                "avg_turns_removed_per_compressed": round(self.turns_removed / done, 2),
            },
            "summarization": {
                "total_api_calls": self.api_calls,
                "total_errors": self.errors,
                "success_rate": round(1 - self.errors / self.api_calls, 4) if self.api_calls else 1.0,
            },
        }

"""`hermes-git eval`: exams that tell what a procedure costs, and the comparison of two scorecards."""

from __future__ import annotations

import click

from hermes_git.commands.lazy import LazyGroup

COMMANDS = {
    "compression": ("commands.eval_compression:compression", "What compressing transcripts loses."),
    "cycles": ("commands.eval_cycles:cycles", "Compress a growing transcript again and again."),
    "curation": ("commands.eval_curation:curation", "Is what was answerable before a curator run answerable after?"),
    "guard": ("commands.eval_guard:guard", "What the guard catches, and what it keeps out for nothing."),
    "prefetch": ("commands.eval_prefetch:prefetch", "Does an utterance bring back what it is about?"),
    "recall": ("commands.eval_recall:recall", "Does search find the message?"),
    "diff": ("commands.eval_diff:diff", "Compare two scorecards of the same exam."),
}


@click.group("eval", cls=LazyGroup, table=COMMANDS)
def evaluate() -> None:
    """Measure what a procedure costs, without a model: the same exam before and after.

    \b
    hermes-git eval compression --input rows.jsonl --budgets 8000,16000 --out scores
    hermes-git eval cycles --input rows.jsonl --out cycles
    hermes-git eval recall
    hermes-git eval prefetch
    hermes-git eval curation
    hermes-git eval guard sets --floors
    hermes-git eval diff scores/scorecard.json later/scorecard.json
    """

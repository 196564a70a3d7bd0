"""`hermes-git batch`: a group whose commands are imported on use."""

from __future__ import annotations

import click

from hermes_git.commands.lazy import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "distributions": ("commands.batch_distributions:distributions", "List, show and sample distributions of toolsets."),
    "run": ("commands.batch_run:run", "Let agents work on a dataset of prompts; write their trajectories."),
    "swe": ("commands.batch_swe:swe", "Let agents work on repositories; record patches and test results."),
}
"""Command name → where it is, and its one-line help."""


@click.group(cls=LazyGroup, table=COMMANDS)
def batch() -> None:
    """Make trajectories: prompts in, one training row for each out, resumable at any moment.

    \b
    hermes-git batch run --dataset prompts.jsonl --run-name first
    hermes-git batch distributions show coding
    """

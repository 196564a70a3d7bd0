"""`hermes-git prefetch`: what this repository would whisper to an agent before it answers an utterance."""

from __future__ import annotations

import secrets
import time

import click

from hermes_git import errors
from hermes_git.commands.call import Call, common
from hermes_git.commands.search import progress
from hermes_git.providers.bus import DEADLINE, Bus
from hermes_git.providers.prefetch import BUDGET, Prefetched, prefetched
from hermes_git.providers.repository import LIMIT, RepositoryProvider
from hermes_git.recall.search import open_recall
from hermes_git.recall.snippet import plain
from hermes_git.tokens import estimate


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("-n", "--limit", default=LIMIT, type=click.IntRange(1, 50), metavar="N", help="Things to recall at most.")
@click.option("--budget", default=BUDGET, type=click.IntRange(1), metavar="TOKENS", help="Bound of the block.")
@click.option(
    "--deadline", default=round(DEADLINE * 1000), type=click.IntRange(1), metavar="MS", help="Time to answer."
)
@common(json_output=True)
def prefetch(call: Call, query: tuple[str, ...], limit: int, budget: int, deadline: int) -> int:
    """Show what matters for an utterance: entries, skills, past sessions, commits, cited and fenced.

    Everything recalled is judged by the guard first; what it blocks is named on standard error, not shown. Tokens
    are estimated. The exit code is 1 if a provider failed or was late, or the guard refused something.

    \b
    hermes-git prefetch "how do we deploy to staging?"
    hermes-git prefetch --json --budget 400 retries of the importer
    """
    with open_recall(call.repo, call.settings, progress=progress(call)) as recall:
        bus = Bus([RepositoryProvider(recall, limit)], time.monotonic)
        merged = bus.prefetch_all(" ".join(query), session_id=call.session, deadline=deadline / 1000)
        notes, complete = recall.notes, recall.complete
    count = estimate.counter(reason="prefetch").count
    done = prefetched(merged, secrets.token_hex(8), call.settings, count, budget)
    if call.json:
        call.emit({**done.as_json(), "notes": list(notes), "complete": complete})
    elif done.block:
        call.say(plain(done.block))
    else:
        call.say("Nothing in this repository matters to that.")
    return _report(call, done, notes, complete=complete)


def _report(call: Call, done: Prefetched, notes: tuple[str, ...], *, complete: bool) -> int:
    for note in notes:
        call.note(f"hermes-git: {note}")
    for key, checks in done.refused:
        call.note(f"hermes-git: {key} was not recalled: {', '.join(checks)} (see hermes-git explain {checks[0]})")
    if done.left_out:
        call.note(f"hermes-git: {done.left_out} more things did not fit the budget")
    troubled = [row for row in done.merged.asked if row.state != "answered"]
    for row in troubled:
        call.note(
            f"hermes-git: provider {row.provider} {row.state} after {row.seconds * 1000:.0f} ms {row.error}".rstrip()
        )
    return errors.OK if complete and not troubled and not done.refused else errors.FINDINGS

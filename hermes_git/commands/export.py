"""`hermes-git export`: sessions become training rows, with a manifest of what they were made from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from hermes_git import files
from hermes_git.commands.call import Call, common
from hermes_git.document import decode
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.export import raw, review, run, source, strike
from hermes_git.export.formats import FORMATS
from hermes_git.export.recipe import Families, Kitchen, Recipe
from hermes_git.export.select import Dedupe, HeldOut, parse_held_out
from hermes_git.screen import amount
from hermes_git.sessions.model import Session
from hermes_git.settings import Settings
from hermes_git.tokens import choose
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories.compress import Options, SummaryChoice
from hermes_git.trajectories.policy import DEFAULT, POLICIES, policy
from hermes_git.trajectories.styles import STYLES


@click.command()
@click.option("--out", metavar="DIR", required=True, help="Folder to write to; new, empty, or an earlier export's.")
@click.option("--budget", type=click.IntRange(min=0), default=None, help="Most tokens of a row; 0 keeps rows whole.")
@click.option("--style", type=click.Choice(tuple(STYLES)), default=None, help="Format of the rows.")
@click.option("--rev", metavar="REV", default=None, help="Take the sessions as they were at a commit of their branch.")
@click.option(
    "--from",
    "paths",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Take the sessions of these files or folders of agents, not the stored ones; may be repeated.",
)
@click.option("--tokenizer", metavar="NAME|PATH", default=None, help="What counts tokens.  [default: cl100k_base]")
@click.option("--policy", "policy_name", metavar="NAME", default=DEFAULT, show_default=True, help=", ".join(POLICIES))
@click.option(
    "--summary-turn",
    type=click.Choice(("auto", "human", "fold")),
    default="auto",
    show_default=True,
    help="How a summary enters a row: a human turn, or in place of the first turn left out.",
)
@click.option(
    "--format", "form", type=click.Choice(tuple(FORMATS)), default="jsonl", show_default=True, help="Of the files."
)
@click.option(
    "--dedupe",
    type=click.Choice(("off", "exact", "near")),
    default="exact",
    show_default=True,
    help="Leave out rows that say the same as an earlier one, or nearly.",
)
@click.option(
    "--validation",
    type=click.FloatRange(0, 0.5),
    default=0.0,
    metavar="SHARE",
    help="Share of session families that goes to validation files.  [default: 0]",
)
@click.option(
    "--exclude",
    metavar="FILE",
    default=None,
    help="Held-out list: a session id or a text a line; rows of it are left out.",
)
@click.option(
    "--review",
    "with_review",
    is_flag=True,
    help="Also write preference pairs and judgements made of edits and proposals.",
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@common(json_output=True)
def export(
    call: Call,
    *,
    out: str,
    rev: str | None,
    paths: tuple[Path, ...],
    tokenizer: str | None,
    with_review: bool,
    workers: int,
    **choices: Any,
) -> int:
    """Write the sessions as ShareGPT rows: completed and failed ones apart, secrets redacted, with a manifest.

    Repeating the command on the same commits writes the same bytes; one that was interrupted goes on where it was. No
    network and no model is used.

    \b
    hermes-git export --out data                        sharegpt rows that LLaMA-Factory loads as they are
    hermes-git export --out data --budget 8000          no row longer than 8,000 tokens
    hermes-git export --out data --style hermes         Hermes' own rows
    hermes-git export --out data --rev hermes/sessions~5
    hermes-git export --out data --from runs/           what agents wrote there, nothing is imported
    hermes-git export --out data --review               with preferences.jsonl and judgements.jsonl
    hermes-git export --out data --validation 0.05 --dedupe near --exclude held-out.txt
    """
    recipe = _recipe(call, **choices)
    counter = counter_for(tokenizer, call.settings)
    if not counter.exact:
        call.note(f"tokens are estimated ({counter.reason}): {counter.error}")
    reviewed = review.review(source.edits(call.repo), recipe.style) if with_review else None
    found = _raw(call, paths, rev) if paths else _stored(call, rev)
    kitchen = Kitchen(recipe, counter, source.reverted(call.repo), found.revision, found.families)
    strike.remember(call.repo.state, call.folder / Path(out))
    manifest = run.export(
        found.sessions,
        kitchen,
        call.folder / Path(out),
        commits={"knowledge": source.revision_of(call.repo), "sessions": found.revision},
        steps=run.here(kitchen, workers),
        reviewed=reviewed,
        note=call.note,
        account=found.account,
    )
    if call.json:
        call.emit(manifest)
    _say(call, manifest, out)
    return _complain(call, found.account)


@dataclass(frozen=True, slots=True)
class Found:
    """The sessions to export, and where they come from."""

    sessions: Iterable[Session]
    revision: str = ""
    families: Families = field(default_factory=dict)
    account: raw.Account | None = None


def _stored(call: Call, rev: str | None) -> Found:
    store = source.store_at(call.repo, call.settings, rev)
    if not store.revision:
        raise UserError("there are no sessions to export", hint="import some with: hermes-git session import PATH")
    watched = call.watch(source.sessions(store), "sessions", len(store.sessions()))
    return Found(watched, store.revision, source.families(store))


def _raw(call: Call, paths: tuple[Path, ...], rev: str | None) -> Found:
    if rev is not None:
        raise UserError("files have no revision", hint="leave out --rev or --from")
    account = raw.Account()
    return Found(raw.sessions([call.folder / path for path in paths], account), account=account)


def _complain(call: Call, account: raw.Account | None) -> int:
    """Say what could not be read of files; return the exit code."""
    if account is None:
        return OK
    for shown in account.unsupported[: raw.MAX_NAMED]:
        call.note(f"no known format: {shown}")
    for why, count in sorted(account.lost.items()):
        call.note(f"lost {count}: {why}")
    for place in account.damaged:
        call.note(f"  {place}")
    return FINDINGS if account.unsupported or account.lost else OK


def _recipe(
    call: Call,
    *,
    budget: int | None,
    style: str | None,
    policy_name: str,
    summary_turn: SummaryChoice,
    form: str,
    dedupe: Dedupe,
    validation: float,
    exclude: str | None,
) -> Recipe:
    """Return what is asked for, the settings' own choices where a flag is silent."""
    style = style or call.settings.export.style
    budget = call.settings.export.budget if budget is None else budget
    compression = Options(budget, policy(policy_name), summary_turn=summary_turn) if budget else None
    held_out = _held_out(call, exclude)
    return Recipe(style, budget, compression, format=form, dedupe=dedupe, validation=validation, held_out=held_out)


def _held_out(call: Call, path: str | None) -> HeldOut:
    if path is None:
        return HeldOut()
    text, encoding = decode(files.read_bytes(call.folder / path))
    if encoding == "undecodable":
        raise UserError("not UTF-8", where=path, hint="save the list as UTF-8")
    return parse_held_out(text)


def counter_for(tokenizer: str | None, settings: Settings) -> Counter:
    """Return the counter a flag or the settings name; the built-in default may fall back to a labelled estimate."""
    name = tokenizer or settings.export.tokenizer
    return choose.default() if tokenizer is None and name == choose.DEFAULT else choose.counter(name)


def _say(call: Call, manifest: dict[str, object], out: str) -> None:
    counts: Any = manifest["counts"]
    call.say(f"{amount(counts['sessions'], 'session')} -> {amount(counts['rows'], 'row')} in {out}")
    for title in ("outcomes", "dropped", "redactions", "marks"):
        if counts[title]:
            call.say(f"  {title}: " + ", ".join(f"{name} {count}" for name, count in counts[title].items()))
    compression = manifest["compression"]
    if isinstance(compression, dict):
        summary, tokens = compression["summary"], compression["tokens"]
        over = amount(summary["trajectories_still_over_limit"], "row")
        call.say(
            f"  compressed {amount(summary['trajectories_compressed'], 'row')}, {tokens['total_before']:,} -> "
            f"{tokens['total_after']:,} tokens; still over the budget: {over}"
        )

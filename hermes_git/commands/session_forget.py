"""`hermes-git session forget`: take sessions out of the store, its history, the index and later imports."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import click

from hermes_git.commands import complete, session_exports
from hermes_git.commands.call import Call, common
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.provenance.change import Change, message
from hermes_git.screen import amount
from hermes_git.sessions import forget as forgetting
from hermes_git.sessions.erase import Remains, remains
from hermes_git.sessions.store import Store, open_store

WAIT = 600.0


@click.command("forget")
@click.argument("names", nargs=-1, metavar="[ID|PATTERN]…", shell_complete=complete.sessions)
@click.option("--expired", is_flag=True, help="Also those that ended more than sessions.keep_days ago.")
@click.option("--check", is_flag=True, help="Only look whether any reference still holds what was forgotten.")
@click.option(
    "--export",
    "exports",
    multiple=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Also an export that another clone made, or that was moved.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be forgotten and change nothing.")
@common(json_output=True, now=True)
def forget(
    call: Call, *, names: tuple[str, ...], expired: bool, check: bool, exports: tuple[Path, ...], dry_run: bool
) -> int:
    """Forget sessions: out of the store and its history, the search index, exports, and never imported again.

    A pattern may hold * and ?. Sub-agents of a forgotten session go with it. The session branch is written anew; no
    other branch is touched and nothing is pushed. Their rows leave every export that this clone made. What git still
    holds is told, with the commands that end it; the exit code is 1 while another reference still reaches it, or an
    export could not be looked into. `session import --forgotten` takes a session back in.

    \b
    hermes-git session forget 20260901_080000_ab12cd
    hermes-git session forget 'specstory-*' --dry-run
    hermes-git session forget --expired
    hermes-git session forget --check
    hermes-git session forget --export ../published         rows of what was forgotten before
    """
    store = open_store(call.repo, call.settings, now=call.now)
    places = session_exports.folders(call, exports)
    if check:
        return _check(call, store, places)
    planned = forgetting.plan(store, names, before=_limit(call, bool(names or exports), expired))
    left = Remains((), False, 0)
    if planned.sessions and not dry_run:
        extra = {"sessions": str(len(planned.sessions))}
        change = Change("forget", "sessions", store.revision[:12], "", call.actor, call.session, extra)
        forgetting.forget(store, planned, message=message(f"sessions: forget {len(planned.sessions)}", [change]))
        _clean_index(call)
        left = remains(call.repo, planned.blobs)
    gone = forgetting.forgotten(store) | set(planned.digests)
    struck = session_exports.reach(places, gone, change=not dry_run)
    if call.json:
        call.emit({**_as_json(planned, left, dry_run), "exports": session_exports.as_json(struck)})
    else:
        _tell(call, store, planned, left, dry_run)
        session_exports.tell(call, struck, session_exports.PLANNED if dry_run else session_exports.STRUCK)
    return FINDINGS if left.is_reachable or any(one.unread for one in struck) else OK


def _check(call: Call, store: Store, places: list[Path]) -> int:
    """Say which references and exports still hold sessions that were forgotten, here or in another clone."""
    found = forgetting.traces(call.repo, store)
    exported = session_exports.reach(places, forgetting.forgotten(store), change=False)
    if call.json:
        call.emit({"traces": [trace._asdict() for trace in found], "exports": session_exports.as_json(exported)})
    for trace in found:
        call.say(f"{trace.reference} still holds {trace.id}: {_advice(trace.reference)}")
    session_exports.tell(call, exported, session_exports.LEFT)
    if not found:
        call.say("no reference holds a session that was forgotten")
    if not exported:
        call.say(f"nor does one of {amount(len(places), 'known export')}")
    return FINDINGS if found or exported else OK


def _limit(call: Call, named: bool, expired: bool) -> str:
    """Return the time before which sessions have expired, or "" if that was not asked for."""
    if not expired and not named:
        raise UserError("name a session or a pattern", hint="or --expired, with sessions.keep_days in the settings")
    if not expired:
        return ""
    days = call.settings.sessions.keep_days
    if not days:
        raise UserError("sessions.keep_days is 0: all are kept for ever", hint="set it in hermes-git.toml")
    return f"{call.clock() - timedelta(days=days):%Y-%m-%dT%H:%M:%S}Z"


def _clean_index(call: Call) -> None:
    """Take what was forgotten out of the index's files, if there is an index."""
    from hermes_git.recall import index
    from hermes_git.recall.update import bring_up_to_date, optimize

    if index.folder_of(call.repo.state).is_dir():
        bring_up_to_date(call.repo, call.settings, wait=WAIT, fully=True)
        optimize(call.repo, wait=WAIT)


def _as_json(planned: forgetting.Plan, left: Remains, dry: bool) -> dict[str, object]:
    return {
        "forgotten": [stored.id for stored in planned.sessions],
        "texts": len(planned.texts),
        "dry_run": dry,
        "reachable_from": list(left.references),
        "in_reflog": left.in_reflog,
        "objects_left": left.stored,
    }


def _tell(call: Call, store: Store, planned: forgetting.Plan, left: Remains, dry: bool) -> None:
    for stored in planned.sessions:
        call.say(f"{'would forget' if dry else 'forgot'} {stored.id}")
    texts = amount(len(planned.texts), "text")
    call.say(f"{amount(len(planned.sessions), 'session')}, and {texts} that nothing else names")
    if dry or not planned.sessions:
        return
    for name in left.references:
        call.say(f"still reachable from {name}: {_advice(name)}")
    if left.stored and not left.references:
        call.say(f"{left.stored:,} objects wait for git to drop them; at once and for good:")
        call.say(f"  git reflog expire --expire=now refs/heads/{call.settings.sessions.branch} && git gc --prune=now")
    if store.place.name == "tree":
        call.say("The history of this branch still holds them; rewriting it is your decision (git filter-repo).")
    call.say("Copies of exports, and what was trained or published from them, are not reached.")


def _advice(name: str) -> str:
    if name.startswith("refs/remotes/"):
        remote, _, branch = name.removeprefix("refs/remotes/").partition("/")
        return f"tell the others, then: git push --force-with-lease {remote} {branch}"
    return "delete or rewrite it yourself"

"""`hermes-git session merge`: take in what another clone imported and recorded."""

from __future__ import annotations

import click

from hermes_git.commands.call import Call, common
from hermes_git.errors import OK, UserError
from hermes_git.gitrepo import read
from hermes_git.provenance import spool
from hermes_git.provenance.change import Change, message
from hermes_git.screen import amount
from hermes_git.sessions.join import Joined, join
from hermes_git.sessions.places import BranchPlace
from hermes_git.sessions.store import open_store


@click.command("merge")
@click.argument("version", required=False, metavar="[REF]")
@click.option(
    "--remote", default="origin", show_default=True, help="Whose branch, as last fetched, where no REF is given."
)
@common(json_output=True, now=True)
def merge(call: Call, version: str | None, remote: str) -> int:
    """Merge another clone's sessions and ledger into the branch here; nothing is fetched and nothing is pushed.

    Rows of the ledger are united, sessions are taken in, and of one that grew on both sides the longer version stays.
    A session that one side has forgotten is never brought back: the merge says so and stops.

    \b
    git fetch origin hermes/sessions:refs/remotes/origin/hermes/sessions
    hermes-git session merge
    git push origin hermes/sessions
    """
    branch = call.settings.sessions.branch
    place = open_store(call.repo, call.settings, now=call.now).place
    if not isinstance(place, BranchPlace):
        raise UserError(
            f"sessions live {place.where}, not on a branch", hint="merge that folder as you do your other files"
        )
    name = version or f"refs/remotes/{remote}/{branch}"
    other = read.resolve(call.repo, name) if version else read.ref(call.repo, name)
    if other is None:
        raise UserError(f"{remote}/{branch} is not here", hint=f"git fetch {remote} {branch}:{name}")
    spool.flush(call.repo, call.settings, now=call.now)
    shown = version or f"{remote}/{branch}"
    found = take_in(call, place, other, shown)
    if call.json:
        call.emit({"how": found.how, "revision": found.revision, "files": found.taken, "rows": found.lines,
                   "differing": list(found.differing)})  # fmt: skip
    call.say(_told(found, shown))
    for path in found.differing:
        call.note(f"{path}: it grew on both sides; the longer version stays, the other one is in the history")
    return OK


def take_in(call: Call, place: BranchPlace, other: str, shown: str) -> Joined:
    """Join the version at commit `other`, which people know as `shown`, to the branch here."""
    change = Change("merge", "sessions", place.revision()[:12], other[:12], call.actor, call.session)
    return join(place, other, message(f"sessions: merge {shown}", [change]))


def _told(found: Joined, shown: str) -> str:
    if found.how == "current":
        return f"nothing new in {shown}"
    if found.how == "moved":
        return f"moved on to {shown}"
    return f"merged {shown}: {amount(found.taken, 'file')} taken in, {amount(found.lines, 'row')} added"

"""`hermes-git curate`: plan and apply what ages: archive the disused, merge the duplicate, lose nothing."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import curate_merge, curate_more
from hermes_git.commands.call import Call, common
from hermes_git.commands.curate_finish import finish, moment
from hermes_git.commands.lazy import Group
from hermes_git.curator import evidence, run, schedule
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.provenance import ledger
from hermes_git.provenance.spool import flush


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...", cls=Group)
@click.option("--dry-run", is_flag=True, help="Show the plan and change nothing (the default).")
@click.option("--apply", "is_applied", is_flag=True, help="Make the branch: one commit a step, and the report.")
@click.option("--background", is_flag=True, help="Apply, but only if a run is due; for cron, systemd and CI.")
@common(json_output=True, now=True)
def curate(call: Call, dry_run: bool, is_applied: bool, background: bool) -> int:
    """Plan what ages in the knowledge, and make it a branch to review.

    Nothing is deleted: a disused skill moves whole into the archive, a duplicate moves into its twin. The same commit,
    ledger and --now give the same branch. Your work tree and index are not touched.

    \b
    hermes-git curate                        show the plan
    hermes-git curate --apply                make branch curator/<date>-<base>
    hermes-git curate --apply --now 2026-11-29
    hermes-git curate --background           from cron: every week, when nobody works
    """
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        return errors.OK
    if dry_run and is_applied:
        raise UserError("--dry-run and --apply contradict each other", hint="give one of them")
    if background:
        return _in_background(call)
    return _run(call, is_applied, "asked for by hand: interval, idle time and pause do not hold")


def _in_background(call: Call) -> int:
    """Run when the schedule says so; the first time only the waiting starts."""
    now = call.clock()
    sessions = evidence.last_session(call.repo, call.settings)
    verdict = schedule.due(schedule.moment(call.repo, int(now.timestamp()), sessions), call.settings.curator)
    if verdict.first:
        schedule.note_run(call.repo, now.strftime(ledger.TIME))
    if verdict.is_due:
        return _run(call, True, verdict.why)
    if call.json:
        call.emit({"applied": False, "outcome": "not due", "why": verdict.why})
    call.say(f"not due: {verdict.why}")
    return errors.OK


def _run(call: Call, is_applied: bool, cause: str) -> int:
    base = read.head(call.repo)
    if base is None:
        raise UserError("there is no commit yet", hint="commit your knowledge first")
    if not call.settings.curator.enabled:
        raise UserError("the curator is switched off", hint="set curator.enabled = true in hermes-git.toml")
    if is_applied:
        flush(call.repo, call.settings, now=call.now)
    with call.progress() as tell:
        made = run.prepare(call.repo, base, call.settings, now=moment(call), cause=cause, tell=tell)
    if is_applied:
        schedule.note_run(call.repo, call.clock().strftime(ledger.TIME))
    return finish(call, made, is_applied)


for _command in (curate_merge.merge, *curate_more.COMMANDS):
    curate.add_command(_command)

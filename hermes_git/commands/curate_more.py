"""The rest of `hermes-git curate`: reports, undo, pause, what is due, and evidence from elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.screen import show
from hermes_git.curator import schedule
from hermes_git.curator import undo as undoing
from hermes_git.errors import UserError
from hermes_git.gate import commit as judged
from hermes_git.gitrepo import create, read
from hermes_git.provenance import hermes_usage, spool
from hermes_git.provenance.change import Change
from hermes_git.screen import amount


@click.command("undo")
@click.argument("run", metavar="RUN[:STEP]", shell_complete=complete.runs)
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def undo(call: Call, run: str, dry_run: bool) -> int:
    """Take back a merged run, or one step of it, by content: it works after a squash merge and keeps later edits.

    \b
    hermes-git curate undo 2026-11-29-1f0c9aa
    hermes-git curate undo 2026-11-29-1f0c9aa:2
    """
    name, _, number = run.partition(":")

    def draft(base: str | None) -> judged.Draft | None:
        steps = undoing.steps(call.repo, base or "", name, call.settings)
        wanted = [step for step in steps if number in ("", str(step.number))]
        if not wanted:
            known = ", ".join(str(step.number) for step in steps)
            raise UserError(f"run {name} has no step {number}", hint=f"its steps: {known}")
        content, modes = undoing.inverse(call.repo, base or "", wanted)
        if not content:
            return None
        changes = tuple(
            Change(
                "revert", step.target, actor=call.actor, session=call.session, extra={"run": f"{name}:{step.number}"}
            )
            for step in wanted
        )
        return judged.Draft(content, f"curator: take back {run}", changes, modes=modes)

    return _commit(call, draft, dry_run, run)


@click.command("report")
@click.argument("run", required=False, default="", shell_complete=complete.runs)
@common(json_output=True)
def report(call: Call, run: str) -> int:
    """Show the report of a run: the newest one that is merged, or one on its own branch.

    \b
    hermes-git curate report
    hermes-git curate report 2026-11-29-1f0c9aa --json
    """
    suffix = "json" if call.json else "md"
    places = ["HEAD", f"refs/heads/curator/{run}"] if run else ["HEAD"]
    name = run or next(iter(undoing.reports(call.repo, "HEAD", call.settings)), "")
    for revision in places if name else ():
        if revision == "HEAD" or read.ref(call.repo, revision):
            data = read.file_at(call.repo, revision, f"{call.settings.paths.curator}/{name}.{suffix}")
            if data is not None:
                show(data.decode("utf-8", "replace").rstrip())
                return errors.OK
    raise UserError(f"no report {name}".rstrip(), hint="make one with: hermes-git curate --apply")


@click.command("status")
@common(json_output=True, now=True)
def status(call: Call) -> int:
    """Say when the curator last ran, whether a run in the background is due, and what waits for review.

    \b
    hermes-git curate status
    """
    now = int(call.clock().timestamp())
    found = schedule.moment(call.repo, now, 0)
    verdict = schedule.due(found, call.settings.curator)
    unborn = read.head(call.repo) is None
    names = read.ref_names(call.repo, *(() if unborn else ("--no-merged=HEAD",)), "refs/heads/curator")
    waiting = [name.removeprefix("refs/heads/") for name in names]
    uses = len(spool.spooled(call.repo).uses)
    if call.json:
        call.emit(
            {
                "due": verdict.is_due,
                "why": verdict.why,
                "paused": found.paused,
                "last_run": found.last_run,
                "waiting": waiting,
                "unflushed_uses": uses,
            }
        )
    call.say(f"{'due' if verdict.is_due else 'not due'}: {verdict.why}")
    call.say(f"waiting for review: {', '.join(waiting) or 'nothing'}")
    call.say(f"uses not flushed yet: {uses}")
    return errors.OK


@click.command("pause")
@common()
def pause(call: Call) -> int:
    """Keep runs in the background from starting in this repository; runs by hand still work.

    \b
    hermes-git curate pause
    """
    create.configure(call.repo, {schedule.PAUSE_KEY: "true"})
    call.say("paused; go on with: hermes-git curate resume")
    return errors.OK


@click.command("resume")
@common()
def resume(call: Call) -> int:
    """Let runs in the background start again.

    \b
    hermes-git curate resume
    """
    create.configure(call.repo, {schedule.PAUSE_KEY: "false"})
    call.say("resumed")
    return errors.OK


@click.command("import-usage")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@common(json_output=True, now=True)
def import_usage(call: Call, paths: tuple[Path, ...]) -> int:
    """Put what Hermes' `.usage.json` still knows into the ledger; several versions of it add up, repeats are folded.

    \b
    hermes-git curate import-usage ~/.hermes/skills/.usage.json
    """
    found = [hermes_usage.read(files.read_bytes(call.folder / path), str(path)) for path in paths]
    uses = {use.id: use for sidecar in found for use in sidecar.uses}
    damaged = [line for sidecar in found for line in sidecar.damaged]
    pinned = sorted({name for sidecar in found for name in sidecar.pinned})
    spool.add(call.repo, call.settings, uses.values(), now=call.now)
    if call.json:
        call.emit({"uses": len(uses), "pinned": pinned, "damaged": damaged})
    call.say(f"in the ledger: {amount(len(uses), 'use')}")
    for line in damaged:
        call.note(f"skipped {line}")
    if pinned:
        call.say(f"pinned there; pin them here with curator.pinned = {pinned}")
    return errors.FINDINGS if damaged else errors.OK


def _commit(call: Call, draft: judged.Drafter, dry_run: bool, run: str) -> int:
    outcome = judged.commit(call.repo, draft, actor=call.actor, today=call.clock().date(), dry_run=dry_run)
    if call.json:
        call.emit({"commit": outcome.commit, "proposal": outcome.proposal, "verdict": outcome.report.verdict})
    if outcome.report.verdict == "block":
        from hermes_git.reports import text

        call.note(text.render(outcome.report))
        return errors.FINDINGS
    if not outcome.commit and not dry_run:
        call.say("nothing to do: it is so already")
        return errors.OK
    where = f" on branch {outcome.proposal}" if outcome.proposal else ""
    call.say(f"{'would take' if dry_run else 'took'} back {run}{where}")
    return errors.OK


COMMANDS = (undo, report, status, pause, resume, import_usage)

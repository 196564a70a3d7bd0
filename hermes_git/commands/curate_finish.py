"""How every run of the curator ends: its branch is published, and what it did is shown."""

from __future__ import annotations

from datetime import UTC, datetime, time

from hermes_git import errors
from hermes_git.commands.call import Call
from hermes_git.curator import apply, report
from hermes_git.curator.report import Run


def moment(call: Call) -> int:
    """Return `--now` in seconds, by default today 00:00 UTC so that two runs on a day agree."""
    if call.now is not None:
        return int(call.now.timestamp())
    return int(datetime.combine(call.clock().date(), time(0), UTC).timestamp())


def finish(call: Call, made: Run, is_applied: bool) -> int:
    """Publish the branch of a run if it is to be applied, show the run, and return the exit status."""
    outcome = apply.publish(call.repo, made.plan, made.tip) if is_applied and made.applied else "nothing"
    _show(call, made, is_applied, outcome)
    return errors.FINDINGS if made.findings else errors.OK


def _show(call: Call, made: Run, is_applied: bool, outcome: str) -> None:
    if call.json:
        call.emit(report.as_json(made, ledgers=False) | {"applied": is_applied, "outcome": outcome, "tip": made.tip})
        return
    if is_applied:
        for line in report.summary(made):
            call.say(line)
    else:
        if made.applied:
            call.say("A dry run, nothing is changed. With --apply this report comes with the branch:\n")
        call.say(report.render(made).rstrip())
        call.say()
    if not made.applied:
        call.say("Nothing to do." if not made.steps else "No step could be applied.")
    elif not is_applied:
        call.say("Make the branch with the same command and --apply.")
    else:
        said = {"created": "made", "replaced": "made anew", "unchanged": "there already"}[outcome]
        call.say(f"Branch {made.plan.branch} is {said}. Review: git log -p HEAD..{made.plan.branch}")
        call.say(f"Accept: git merge --no-ff {made.plan.branch}")
        call.say(f"Report: hermes-git curate report {made.plan.run}")

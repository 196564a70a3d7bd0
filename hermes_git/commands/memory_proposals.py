"""`hermes-git memory pending|approve|reject`: proposals that wait for a person."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.gate import proposals
from hermes_git.gate.proposals import Proposal
from hermes_git.gitrepo import run


def as_json(row: Proposal) -> dict[str, object]:
    """Return the published JSON form."""
    changes = [
        {"action": one.action, "target": one.target, "before": one.before, "after": one.after, "actor": str(one.actor)}
        for one in row.changes
    ]
    return {"id": row.id, "commit": row.commit, "base": row.base, "subject": row.subject, "changes": changes}


@click.command("pending")
@click.option("--diff", is_flag=True, help="Show what each proposal changes.")
@common(json_output=True)
def pending(call: Call, diff: bool) -> int:
    """List the proposals that wait for a person.

    \b
    hermes-git memory pending
    hermes-git memory pending --diff
    """
    rows = proposals.pending(call.repo)
    if call.json:
        call.emit([as_json(row) for row in rows])
        return errors.OK
    for row in rows:
        call.say(f"{row.id}  {row.changes[0].actor if row.changes else 'unknown'}  {row.subject}")
        if diff:
            call.say(run.text(call.repo.git("diff", "--no-ext-diff", row.base or call.repo.empty_tree, row.commit)))
    if not rows:
        call.say("nothing waits")
    return errors.OK


@click.command("approve")
@click.argument("id", shell_complete=complete.proposals)
@common(json_output=True, now=True)
def approve(call: Call, id: str) -> int:
    """Merge a proposal; only a person can, and only where what it changes is still as it was.

    \b
    hermes-git memory approve 1f3b9ac012
    """
    outcome = proposals.approve(call.repo, id, actor=call.actor, today=call.clock().date())
    if outcome.report.findings:
        from hermes_git.reports import text

        call.note(text.render(outcome.report))
    if call.json:
        call.emit({"commit": outcome.commit, "verdict": outcome.report.verdict})
    if not outcome.commit:
        return errors.FINDINGS
    call.say(f"approved: commit {outcome.commit[:12]}")
    return errors.OK


@click.command("reject")
@click.argument("id", shell_complete=complete.proposals)
@common(json_output=True)
def reject(call: Call, id: str) -> int:
    """Drop a proposal; its commit is kept under refs/hermes-git/rejected/.

    \b
    hermes-git memory reject 1f3b9ac012
    """
    row = proposals.reject(call.repo, id)
    if call.json:
        call.emit(as_json(row))
    call.say(f"rejected {row.id}: {row.subject}")
    return errors.OK

"""`hermes-git update-branch`: bring a proposal up to date with the merge drivers that hosts do not run."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.gate import proposals


@click.command("update-branch")
@click.argument("branch", shell_complete=complete.branches)
@click.option("--base", default="HEAD", show_default=True, help="What to merge into the branch.")
@common(json_output=True)
def update_branch(call: Call, branch: str, base: str) -> int:
    """Merge the base into a branch that is not checked out: memory by entry, skills by section; nothing is forced.

    \b
    hermes-git update-branch proposal/1f3b9ac012
    hermes-git update-branch curator/2026-11-29-1f3b9ac --base origin/main
    """
    made = proposals.update(call.repo, branch, base, actor=call.actor, session=call.session)
    if call.json:
        call.emit({"branch": branch, "base": base, "commit": made})
    call.say(f"{branch} is now at {made[:12]}" if made else f"{branch} holds {base} already")
    return errors.OK

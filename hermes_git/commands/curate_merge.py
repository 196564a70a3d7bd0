"""`hermes-git curate merge`: bring named skills together, by the same plan, proof and guards as any run."""

from __future__ import annotations

from dataclasses import replace

import click

from hermes_git.commands.call import Call, common
from hermes_git.commands.curate_finish import finish, moment
from hermes_git.curator import run, umbrella
from hermes_git.curator.snapshot import take
from hermes_git.errors import UserError
from hermes_git.gitrepo import read


@click.command("merge")
@click.argument("skills", nargs=-1, required=True)
@click.option("--into", default="", metavar="SKILL", help="The skill that takes the others in.")
@click.option("--name", default="", metavar="CATEGORY/NAME", help="A new skill to take them in instead.")
@click.option("--description", default="", metavar="TEXT", help="The description of the new skill.")
@click.option("--apply", "is_applied", is_flag=True, help="Make the branch.")
@common(json_output=True, now=True)
def merge(call: Call, skills: tuple[str, ...], into: str, name: str, description: str, is_applied: bool) -> int:
    """Merge skills into one of them, or under a new one; each becomes a reference with a line on when to load it.

    Asking for it stands for the agreement of the persons who wrote them; pinned and protected skills still stay.

    \b
    hermes-git curate merge devops/ship devops/deploy --into devops/release
    hermes-git curate merge web-a web-b web-c --name web/sites --description "Use for the three sites." --apply
    """
    if bool(into) == bool(name):
        raise UserError("give either --into or --name", hint="an existing skill, or the name of a new one")
    base = read.head(call.repo)
    if base is None:
        raise UserError("there is no commit yet", hint="commit your skills first")
    settings = replace(call.settings, curator=replace(call.settings.curator, person_authored=True))
    snapshot = take(call.repo, base, settings, now=moment(call))
    if into:
        planned = umbrella.plan_into(snapshot, skills, into, settings)
    else:
        planned = umbrella.plan_umbrella(snapshot, skills, name, description, settings)
    made = run.commit_all(call.repo, snapshot, planned, settings, cause="asked for by hand")
    return finish(call, made, is_applied)

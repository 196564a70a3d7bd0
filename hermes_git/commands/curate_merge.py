"""`hermes-git curate merge`: bring named skills together, by the same plan, proof and guards as any run."""

from __future__ import annotations

from dataclasses import replace

import click

from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.curate_finish import finish, moment
from hermes_git.commands.model import Named, chat, model_options
from hermes_git.curator import prose, run, umbrella
from hermes_git.curator.prose import Prose
from hermes_git.curator.snapshot import take
from hermes_git.errors import UserError
from hermes_git.gitrepo import read


@click.command("merge")
@click.argument("skills", nargs=-1, required=True, shell_complete=complete.skills)
@click.option("--into", default="", metavar="SKILL", help="The skill that takes the others in.")
@click.option("--name", default="", metavar="CATEGORY/NAME", help="A new skill to take them in instead.")
@click.option("--description", default="", metavar="TEXT", help="The description of the new skill.")
@click.option("--write", "is_written", is_flag=True, help="Let the configured model describe the new skill.")
@click.option("--apply", "is_applied", is_flag=True, help="Make the branch.")
@model_options
@common(json_output=True, now=True)
def merge(
    call: Call,
    skills: tuple[str, ...],
    *,
    into: str,
    name: str,
    description: str,
    is_written: bool,
    is_applied: bool,
    **named: str,
) -> int:
    """Merge skills into one of them, or under a new one; each becomes a reference with a line on when to load it.

    With --write a model writes the description and introduction of a new skill, and nothing else: what moves where is
    the same plan, and the same proof, guards and gate judge it.

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
    with call.progress() as tell:
        tell(run.READING)
        snapshot = take(call.repo, base, settings, now=moment(call))
        if into:
            planned = umbrella.plan_into(snapshot, skills, into, settings)
        else:
            words = Prose(description)
            if is_written:
                tell("asking the model")
                found = [umbrella.find(skill, snapshot) for skill in skills]
                words = prose.write(chat(call, Named(**named)), name, found)
            planned = umbrella.plan_umbrella(snapshot, skills, name, words, settings)
        made = run.commit_all(call.repo, snapshot, planned, settings, cause="asked for by hand", tell=tell)
    return finish(call, made, is_applied)

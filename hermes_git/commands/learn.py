"""`hermes-git learn`: build the prompt by which a running agent turns sources into a skill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from hermes_git import errors, files, learn
from hermes_git.commands.call import Call, common
from hermes_git.commands.model import Named, model_options
from hermes_git.commands.screen import show_data
from hermes_git.commands.skill_near import nearest
from hermes_git.commands.skill_read import skill_at
from hermes_git.commands.sources import read_sources
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.knowledge.categories import CATEGORIES
from hermes_git.knowledge.listing import Listing, listing
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.learn import LAYOUTS, Source, Task


@click.command("learn")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("--request", metavar="TEXT", default="", help="What the skill is to be for.")
@click.option("--update", metavar="SKILL", default="", help="Improve this skill instead of writing a new one.")
@click.option("--layout", type=click.Choice(LAYOUTS), default="skill", show_default=True, help="How it is laid out.")
@click.option("--out", metavar="FILE", default=None, help="Write the prompt to a file.")
@click.option("--write", "writes", is_flag=True, help="Let the configured model draft the skill on a proposal branch.")
@model_options
@common(json_output=True, now=True)
def learn_command(
    call: Call,
    *,
    sources: tuple[str, ...],
    request: str,
    update: str,
    layout: str,
    out: str | None,
    writes: bool,
    **model: str,
) -> int:
    """Build the prompt by which an agent writes one skill from files, folders, URLs and a request.

    Nothing is sent anywhere and no URL is fetched: give the prompt to a running agent as one turn. Text of sources is
    quoted as data, without hidden characters, and bounded. With --write the prompt goes to the model that your git
    configuration names; its draft is judged by the gate and waits on a branch until a person takes it.

    \b
    hermes-git learn docs/deploy.md --request "deploying to staging"
    hermes-git learn --update deploy notes.md
    hermes-git learn handbook/ --layout knowledge-base --out prompt.md
    hermes-git learn docs/deploy.md --write
    """
    found = read_sources(call, sources)
    task = _task(call, found, request, update, layout)
    if writes:
        return _write(call, task, Named(**model), out)
    text = learn.prompt(task)
    if out:
        files.write_atomic(call.folder / Path(out), text.encode("utf-8"))
    if call.json:
        call.emit(_as_json(task, text))
    elif not out:
        show_data(text)
    _note(call, task)
    return errors.OK


def _write(call: Call, task: Task, named: Named, out: str | None) -> int:
    from hermes_git.commands import learn_write, model

    if out:
        raise UserError("--out is for a prompt that is not sent", hint="give --out or --write, not both")
    _note(call, task)
    return learn_write.write(call, replace(task, by_tools=True), model.chat(call, named))


def _task(call: Call, sources: tuple[Source, ...], request: str, update: str, layout: str) -> Task:
    known = _known(call)
    query = " ".join([request, *(source.name + " " + source.text[:5000] for source in sources)])
    current, key = "", ""
    if update:
        skill = skill_at(call, update)
        current, key = skill.document(SKILL_FILE).text, skill.key
    near = tuple((row.key, row.description) for row in nearest(known, query) if row.key != key)
    there = {row.category for row in known.skills} | set(known.categories or ())
    categories = tuple(sorted(there - {""})) or tuple(CATEGORIES)
    return Task(sources, request, layout, key, current, near, categories)


def _known(call: Call) -> Listing:
    repo = call.find_repo()
    return listing(repo, call.settings, read.head(repo)) if repo else Listing()


def _as_json(task: Task, text: str) -> dict[str, object]:
    return {
        "prompt": text,
        "characters": len(text),
        "update": task.update,
        "near": [key for key, _ in task.near],
        "sources": [
            {"path": source.name, "sha256": source.digest, "characters": len(source.text), "skipped": source.skipped}
            for source in task.sources
        ],
    }


def _note(call: Call, task: Task) -> None:
    for source in task.sources:
        removed = learn.cleaned(source.text)[1]
        if source.skipped:
            call.note(f"{source.name}: not quoted: {source.skipped}")
        elif source.is_url:
            call.note(f"{source.name}: not fetched; the agent is told to")
        elif removed:
            call.note(f"{source.name}: {removed} hidden characters removed")

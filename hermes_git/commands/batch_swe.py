"""`hermes-git batch swe`: tasks on repositories in, trajectories with patches and test results out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hermes_git import files
from hermes_git.batch import task as tasks
from hermes_git.batch import work
from hermes_git.batch.dataset import Dataset
from hermes_git.batch.places import Kind
from hermes_git.batch.run import Runner, sitting
from hermes_git.batch.run_folder import run_folder
from hermes_git.batch.swe import TaskJob
from hermes_git.batch.toolsets import Distribution
from hermes_git.batch.work import Model, Options, Source
from hermes_git.commands.batch_agent import external_of
from hermes_git.commands.batch_distributions import distribution_of
from hermes_git.commands.batch_options import (
    ENVIRONMENTS,
    batch_options,
    engine_of,
    kind_of,
    meter,
    model_of,
    places_of,
    tell,
)
from hermes_git.commands.batch_run import begin, check_allowed, recipe_of, said, sampling_of, shared_description
from hermes_git.commands.call import Call, common
from hermes_git.commands.model import model_options
from hermes_git.errors import UserError
from hermes_git.recall.ask import ask
from hermes_git.recall.shapes import Parameters


@click.command()
@click.option("--tasks", "path", metavar="FILE", required=True, help="JSONL with a task a line.")
@click.option(
    "--env", "environment", type=click.Choice(ENVIRONMENTS[1:]), required=True, help="Where commands and tests run."
)
@click.option(
    "--distribution", metavar="NAME", default="terminal_only", show_default=True, help="Toolsets of the agent."
)
@click.option("--fetch", "may_fetch", is_flag=True, help="Get repositories that tasks name by an URL.")
@batch_options
@model_options
@common(json_output=True, now=True)
def swe(call: Call, *, path: str, environment: str, distribution: str, may_fetch: bool, **options: Any) -> int:
    """Let agents work on tasks in copies of repositories; record patch and test result as the outcome.

    A task names repository, commit and instruction, and may name test_command, test_patch, setup_command and image.
    The agent sees one commit of history and none of the tests that judge it; they run on a fresh copy with its patch.

    \b
    hermes-git batch swe --tasks tasks.jsonl --run-name fixes --env docker
    hermes-git batch swe --tasks tasks.jsonl --run-name fixes --env local --allow-local-exec
    hermes-git compress data/fixes/trajectories.jsonl small.jsonl --budget 8000
    """
    rows = read_tasks(call, path, options["max_samples"])
    chosen = distribution_of(call, distribution)
    kind = kind_of(environment, options["allow_local_exec"])
    other = external_of(call, options)
    if other is not None and kind != "local":
        raise UserError("agents of others work on this machine only", hint="give --env local --allow-local-exec")
    check_allowed(chosen, kind)
    model = model_of(call, options)
    folder = run_folder(call.folder / options["out"], options["run_name"])
    description = _description(options, chosen, kind, model)
    described = begin(call, folder, description, resume=options["resume"])
    with sitting(folder) as root:
        job = TaskJob(
            recipe_of(options, described, work.tool_names(chosen)),
            model,
            Options(chosen, options["seed"], options["max_turns"], sampling_of(options)),
            places_of(call, kind, root, options),
            _source(call, chosen, described["knowledge_commit"]),
            may_fetch,
            other,
        )
        report = Runner(folder, rows, options["batch_size"], meter(call)).run(engine_of(options, job))
    return tell(call, report, folder.path, {"run_name": options["run_name"], "distribution": chosen.name})


def read_tasks(call: Call, path: str, most: int) -> Dataset:
    """Read tasks; a file without any is an error, lines that are none are said one by one."""
    place = call.folder / Path(path)
    found = tasks.read(files.read_lines(place), place.resolve().parent).first(most)
    said(call, found, path)
    if not found.prompts:
        hint = 'write lines such as {"repository": "…", "commit": "…", "instruction": "…", "test_command": "…"}'
        raise UserError("no line holds a task", where=path, hint=hint)
    return found


def _description(options: dict[str, Any], chosen: Distribution, kind: Kind, model: Model) -> dict[str, Any]:
    drawn = {"distribution": chosen.name, "percent": dict(chosen.percent), "unmapped": dict(chosen.unmapped)}
    return {"kind": "tasks", **shared_description(options, model, kind), **drawn}


def _source(call: Call, chosen: Distribution, commit: str) -> Source | None:
    """Return the repository whose knowledge agents use, where they have tools for it."""
    if not {name for name, percent in chosen.percent if percent} - set(work.WORKING):
        return None
    if "sessions" in dict(chosen.percent):
        ask(call.repo, call.settings, Parameters())
    return Source(call.repo, call.settings, commit)

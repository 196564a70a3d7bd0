"""`hermes-git batch run`: prompts in, trajectories out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hermes_git import files
from hermes_git.batch import dataset as datasets
from hermes_git.batch import work
from hermes_git.batch.dataset import Dataset
from hermes_git.batch.places import Kind
from hermes_git.batch.record import Recipe
from hermes_git.batch.run import Runner, sitting
from hermes_git.batch.run_folder import RunFolder, run_folder
from hermes_git.batch.toolsets import EXECUTING, Distribution
from hermes_git.batch.work import Model, Options, PromptJob, Source
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
from hermes_git.commands.call import Call, common
from hermes_git.commands.given import given_json, given_text
from hermes_git.commands.model import model_options
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.llm.protocol import Message, Sampling
from hermes_git.recall.ask import ask
from hermes_git.recall.shapes import Parameters

MOST_SAID = 20


@click.command()
@click.option("--dataset", metavar="FILE", required=True, help="JSONL with a prompt a line.")
@click.option(
    "--distribution", metavar="NAME", default="knowledge", show_default=True, help="Toolsets; or a TOML file."
)
@click.option("--env", "environment", type=click.Choice(ENVIRONMENTS), default=None, help="Where commands run.")
@click.option("--ephemeral-system-prompt", "ephemeral", metavar="FILE", default="", help="Told to the model, not kept.")
@click.option("--prefill", metavar="FILE", default="", help="JSON list of messages put before the prompt, not kept.")
@batch_options
@model_options
@common(json_output=True, now=True)
def run(call: Call, *, dataset: str, distribution: str, environment: str | None, **options: Any) -> int:
    """Let agents work on a dataset of prompts, with the knowledge of this repository, and write their trajectories.

    Killed at any moment and run again with --resume, it repeats nothing that was finished. Memory that agents write
    lives as long as their prompt; commands run only where you say. Exit code 1 when a line has no trajectory.

    \b
    hermes-git batch run --dataset prompts.jsonl --run-name first
    hermes-git batch run --dataset prompts.jsonl --run-name first --resume
    hermes-git batch run --dataset tasks.jsonl --run-name code --distribution coding --env docker
    hermes-git batch run --dataset prompts.jsonl --run-name demo --model script:demo.json
    hermes-git batch run --dataset prompts.jsonl --run-name other --agent claude --allow-local-exec
    """
    rows = read_dataset(call, dataset, options["max_samples"])
    chosen = distribution_of(call, distribution)
    kind = kind_of(environment, options["allow_local_exec"])
    other = external_of(call, options)
    if other is None:
        check_allowed(chosen, kind)
    model = model_of(call, options)
    folder = run_folder(call.folder / options["out"], options["run_name"])
    described = begin(call, folder, _description(call, options, chosen, kind, model), resume=options["resume"])
    source = Source(call.repo, call.settings, described["knowledge_commit"])
    if "sessions" in dict(chosen.percent):
        ask(call.repo, call.settings, Parameters())  # the index is made once, not by every worker
    with sitting(folder) as root:
        job = PromptJob(
            recipe_of(options, described, work.tool_names(chosen)),
            model,
            _options(call, options, chosen),
            source,
            places_of(call, kind, root, options),
            other,
        )
        report = Runner(folder, rows, options["batch_size"], meter(call)).run(engine_of(options, job))
    return tell(call, report, folder.path, {"run_name": options["run_name"], "distribution": chosen.name})


def read_dataset(call: Call, path: str, most: int) -> Dataset:
    """Read prompts; a file without any is an error, lines that are none are said one by one."""
    found = datasets.read(files.read_lines(call.folder / path)).first(most)
    said(call, found, path)
    if not found.prompts:
        raise UserError("no line holds a prompt", where=path, hint='write lines such as {"prompt": "…"}')
    return found


def said(call: Call, found: Dataset, path: str) -> None:
    """Say which lines cannot be used, and why."""
    for row in found.invalid[:MOST_SAID]:
        call.note(f"{path}:{row.line}: {row.reason}")
    if len(found.invalid) > MOST_SAID:
        call.note(f"… and {len(found.invalid) - MOST_SAID} more lines that cannot be used")


def check_allowed(chosen: Distribution, kind: Kind) -> None:
    """Refuse toolsets that run commands where nothing says that they may."""
    wanted = sorted(name for name, percent in chosen.percent if percent and name in EXECUTING)
    if wanted and kind == "none":
        raise UserError(
            f"the distribution {chosen.name} holds {', '.join(wanted)}, and nothing says where commands may run",
            hint="give --env docker, or --allow-local-exec to run them on this machine",
        )


def begin(call: Call, folder: RunFolder, description: dict[str, Any], *, resume: bool) -> dict[str, Any]:
    """Begin a run, or go on with one of the same settings; the commit and the start are those of its beginning."""
    if folder.exists:
        if not resume:
            raise UserError(
                f"there is a run {folder.path.name} already",
                where=str(folder.path),
                hint="give --resume, or another name",
            )
        return folder.check_same(description)
    if resume:
        call.note(f"there is no run {folder.path.name} yet; it is begun")
    repo = call.find_repo()
    commit = (read.head(repo) or "") if repo else ""
    started = call.clock().strftime("%Y-%m-%dT%H:%M:%SZ")
    return folder.begin({**description, "knowledge_commit": commit, "started_at": started})


def recipe_of(options: dict[str, Any], described: dict[str, Any], tools: tuple[str, ...]) -> Recipe:
    """Return what all rows of the run share."""
    return Recipe(
        options["run_name"],
        options["style"],
        described["started_at"],
        described["knowledge_commit"],
        tools,
        options["require_reasoning"],
    )


def sampling_of(options: dict[str, Any]) -> Sampling:
    """Return how the model samples."""
    return Sampling(options["max_tokens"] or 0, options["temperature"], None, options["effort"])


def shared_description(options: dict[str, Any], model: Model, kind: Kind) -> dict[str, Any]:
    """Return the settings of a run that must not change under it."""
    return {
        "run_name": options["run_name"],
        "model": model.name,
        "agent": options["agent"],
        "environment": kind,
        "image": options["image"] if kind in ("docker", "modal") else "",
        "style": options["style"],
        "seed": options["seed"],
        "max_turns": options["max_turns"],
        "max_tokens": options["max_tokens"] or 0,
        "temperature": options["temperature"],
        "effort": options["effort"],
        "require_reasoning": options["require_reasoning"],
    }


def _description(call: Call, options: dict[str, Any], chosen: Distribution, kind: Kind, model: Model) -> dict[str, Any]:
    kept = {name: _digest(call, options[name]) for name in ("ephemeral", "prefill")}
    drawn = {"distribution": chosen.name, "percent": dict(chosen.percent), "unmapped": dict(chosen.unmapped)}
    return {"kind": "prompts", **shared_description(options, model, kind), **drawn, **kept}


def _digest(call: Call, path: str) -> str:
    import hashlib

    return hashlib.sha256(files.read_bytes(call.folder / path)).hexdigest() if path else ""


def _options(call: Call, options: dict[str, Any], chosen: Distribution) -> Options:
    ephemeral = given_text(call.folder / options["ephemeral"]) if options["ephemeral"] else ""
    prefill = _prefill(call.folder / options["prefill"]) if options["prefill"] else ()
    return Options(chosen, options["seed"], options["max_turns"], sampling_of(options), ephemeral, prefill)


def _prefill(path: Path) -> tuple[Message, ...]:
    hint = '[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]'
    rows = given_json(files.read_bytes(path), str(path), hint)
    try:
        return tuple(Message(_role(row["role"]), str(row["content"])) for row in rows)
    except (ValueError, TypeError, KeyError) as error:
        raise UserError("not a list of messages", where=str(path), hint=hint) from error


def _role(word: str) -> Any:
    if word not in ("system", "user", "assistant"):
        raise ValueError(word)
    return word

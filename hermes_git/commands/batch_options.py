"""Options that all commands of `hermes-git batch` share, and what they are made into."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from hermes_git import files
from hermes_git.batch.dataset import Prompt
from hermes_git.batch.environment import USUAL, Bounds
from hermes_git.batch.environment_docker import Engine, state_of
from hermes_git.batch.executor import Job, Pool
from hermes_git.batch.places import DEFAULT_IMAGE, Kind, Places
from hermes_git.batch.record import Record
from hermes_git.batch.run import Engine as RunEngine
from hermes_git.batch.run import Progress, Report
from hermes_git.batch.work import Model
from hermes_git.commands import model as models
from hermes_git.commands.call import Call, is_terminal
from hermes_git.commands.screen import show_progress
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.llm.client import Limits
from hermes_git.llm.pace import Patience
from hermes_git.screen import amount

ENGINE_KEY = "hermes-git.batch.docker"
"""The user's own configuration that names another container engine, such as podman."""

ENVIRONMENTS = ("none", "local", "docker", "modal")
ENGINES = ("processes", "inline", "ray")
Decorator = Callable[[Callable[..., int]], Callable[..., int]]

OPTIONS: tuple[Decorator, ...] = (
    click.option("--run-name", metavar="NAME", required=True, help="Name of the run, and of its folder."),
    click.option("--out", metavar="DIR", default="data", show_default=True, help="Folder that holds the runs."),
    click.option("--workers", type=click.IntRange(1, 256), default=4, show_default=True, help="Processes."),
    click.option("--batch-size", type=click.IntRange(1), default=50, show_default=True, help="Prompts a batch file."),
    click.option("--resume", is_flag=True, help="Go on with a run: what is done stays, what failed is tried again."),
    click.option("--max-turns", type=click.IntRange(1), default=10, show_default=True, help="Most replies a prompt."),
    click.option("--max-samples", type=click.IntRange(0), default=0, help="Only the first so many prompts."),
    click.option("--timeout", type=click.FloatRange(0), default=3600.0, show_default=True, help="Seconds a prompt."),
    click.option("--command-timeout", type=click.FloatRange(1), default=60.0, show_default=True, help="In seconds."),
    click.option("--memory", type=click.IntRange(64), default=4096, show_default=True, help="MiB of memory a command."),
    click.option("--allow-local-exec", is_flag=True, help="Let commands of the model run on this machine."),
    click.option("--image", default=DEFAULT_IMAGE, show_default=True, help="Container image."),
    click.option("--network", is_flag=True, help="Give containers a network."),
    click.option("--style", type=click.Choice(("hermes", "sharegpt", "trl", "axolotl", "openai")), default="hermes",
                 show_default=True, help="Format of the rows."),
    click.option("--max-tokens", type=click.IntRange(1), default=None, help="Most tokens of a reply."),
    click.option("--temperature", type=click.FloatRange(0, 2), default=None, help="Sampling temperature."),
    click.option("--effort", metavar="WORD", default="", help="Reasoning effort, as the endpoint names it."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the toolsets' sampling."),
    click.option("--retries", type=click.IntRange(0, 20), default=4, show_default=True, help="Retries of a request."),
    click.option("--require-reasoning", is_flag=True, help="Drop rows in which the model shows no thought."),
    click.option("--agent", metavar="NAME", default="", help="Another agent: claude, codex, hermes, command:'…'."),
    click.option("--agent-sessions", metavar="DIR", default="", help="Where that agent keeps its sessions."),
    click.option("--pass-env", metavar="NAME", multiple=True, help="A variable that agent gets."),
    click.option("--engine", type=click.Choice(ENGINES), default="processes", show_default=True,
                 help="Where workers run: processes, this process, or a Ray cluster."),
)  # fmt: skip


def batch_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options of every run to a command."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


def model_of(call: Call, options: dict[str, Any]) -> Model:
    """Return the model that flags, environment and configuration name; none where another agent works."""
    if options["agent"]:
        return Model()
    named = models.Named(options["model"], options["endpoint"], options["key_variable"])
    if named.script:
        return Model(script=files.read_bytes(call.folder / named.script), where=Path(named.script).name)
    limits = Limits(at_once=1, patience=Patience(attempts=options["retries"] + 1))
    return Model(models.endpoint(call, named), limits)


def kind_of(environment: str | None, allow_local: bool) -> Kind:
    """Return where commands run; nowhere, unless the user says where."""
    if environment == "local" and not allow_local:
        raise UserError(
            "commands of a model would run on this machine",
            hint="give --allow-local-exec if that is what you want, or --env docker",
        )
    if environment is None:
        return "local" if allow_local else "none"
    kinds: dict[str, Kind] = {"none": "none", "local": "local", "docker": "docker", "modal": "modal"}
    return kinds[environment]


def places_of(call: Call, kind: Kind, root: Path, options: dict[str, Any]) -> Places:
    """Return where prompts work; a container engine that does not answer is an error before anything is begun."""
    seconds, memory = options["command_timeout"], options["memory"] * 1024**2
    bounds: Bounds = replace(USUAL, seconds=seconds, cpu_seconds=int(seconds) + 1, memory=memory)
    engine = Engine(models.configuration(call).get(ENGINE_KEY, "docker"), options["network"])
    if kind == "docker":
        problem = state_of(engine)
        if problem:
            raise UserError(f"no container engine: {problem}", hint="start Docker, or take another --env")
    return Places(kind, root, bounds, options["image"], engine)


def engine_of(options: dict[str, Any], job: Job[Prompt, Record]) -> RunEngine:
    """Return what runs the job."""
    if options["engine"] == "ray":
        from hermes_git.batch.engine_ray import RayPool

        return RayPool(job, options["workers"], options["timeout"])
    if options["engine"] == "inline":
        from hermes_git.batch.engine_inline import Inline

        return Inline(job)
    return Pool(job, options["workers"], options["timeout"])


def meter(call: Call) -> Callable[[Progress], None]:
    """Return what shows progress on a terminal: done, rate, failures, cost; nothing elsewhere."""
    if call.quiet or not is_terminal():
        return lambda _: None
    start = time.monotonic()

    def show(progress: Progress) -> None:
        rate = progress.done / max(time.monotonic() - start, 0.001)
        share = (progress.before + progress.done) / max(1, progress.total)
        bar = "#" * int(20 * share)
        done = progress.before + progress.done
        cost = f", ${progress.cost:.2f}" if progress.cost else ""
        line = f"[{bar:20}] {done}/{progress.total}, {rate:.1f}/s, {progress.failed} failed{cost}"
        show_progress(line, done=done == progress.total)

    return show


def tell(call: Call, report: Report, where: Path, extra: dict[str, object]) -> int:
    """Say what a run did, and return the exit code: 1 where a line has no trajectory."""
    found = report.statistics
    if call.json:
        call.emit({**extra, "folder": str(where), "ran": report.ran, "done_before": report.before,
                   "invalid": dict(report.invalid), "torn_lines": report.torn,
                   "not_in_dataset": report.strangers, **found})  # fmt: skip
    made = f"{amount(found['trajectories'], 'trajectory')} ({found['completed']} completed)"
    call.say(f"{made} of {amount(found['prompts'], 'prompt')} in {where}")
    call.say(f"  {report.ran} ran now, {report.before} were done before; {amount(found['api_calls'], 'request')}"
             + (f", ${found['usage']['cost']:.2f}" if found["usage"]["cost"] else ""))  # fmt: skip
    for title, counts in (
        ("failed, tried again with --resume", found["failed"]),
        ("dropped", found["dropped"]),
        ("lines that are no prompt", report.invalid),
        ("redacted", found["redactions"]),
        ("outcomes", found["outcomes"]),
    ):
        if counts:
            call.say(f"  {title}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    if report.torn:
        call.say(f"  {report.torn} torn lines of a run that was killed; their prompts have been run again")
    if report.strangers:
        call.say(f"  left out, because the dataset no longer holds their prompts: {amount(report.strangers, 'result')}")
    return OK if report.is_clean else FINDINGS

"""`hermes-git compress`: bring the rows of a file or a folder within a budget of tokens."""

from __future__ import annotations

import os
from pathlib import Path

import click

from hermes_git import files
from hermes_git.commands import model
from hermes_git.commands.call import Call, common
from hermes_git.commands.model import Named, model_options
from hermes_git.document import decode
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.export import compress_files, manifest, ray_engine
from hermes_git.export.compress_files import CompressJob, Step
from hermes_git.export.shards import Written
from hermes_git.llm.client import Limits
from hermes_git.llm.pace import Patience
from hermes_git.screen import amount
from hermes_git.tokens import choose, ranks
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories import config as configuration
from hermes_git.trajectories.compress import Compressor, SummaryChoice
from hermes_git.trajectories.config import Config
from hermes_git.trajectories.model_summary import ModelSummary
from hermes_git.trajectories.policy import DEFAULT, POLICIES, Policy, policy
from hermes_git.version import __version__


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="[OUT]", required=False, default=None)
@click.option("--budget", type=click.IntRange(min=1), default=None, help="Most tokens of a row.")
@click.option("--config", "config_path", metavar="FILE", default=None, help="A trajectory_compression.yaml.")
@click.option("--tokenizer", metavar="NAME|PATH", default=None, help="What counts tokens.  [default: cl100k_base]")
@click.option("--policy", "policy_name", metavar="NAME", default=DEFAULT, show_default=True, help=", ".join(POLICIES))
@click.option(
    "--summary-turn",
    type=click.Choice(("auto", "human", "fold")),
    default="auto",
    show_default=True,
    help="How a summary enters a row: a human turn, or in place of the first turn left out.",
)
@click.option(
    "--summariser",
    type=click.Choice(("extractive", "model")),
    default="extractive",
    show_default=True,
    help="Who writes summaries: the built-in one, or the model you have configured.",
)
@click.option(
    "--on-failure",
    type=click.Choice(("extractive", "keep")),
    default="extractive",
    show_default=True,
    help="When the model's summary fails: the built-in one, or the row as it was, marked over the budget.",
)
@click.option(
    "--sample-percent",
    "sample",
    type=click.FloatRange(0, 100, min_open=True),
    default=100.0,
    metavar="P",
    help="Take only this share of the rows, chosen by their content.  [default: 100]",
)
@click.option(
    "--engine",
    type=click.Choice(("local", "ray")),
    default="local",
    show_default=True,
    help="ray: the same on Ray Data, OUT being a folder of Parquet files; RAY_ADDRESS names a cluster.",
)
@model_options
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes.  [default: 1]")
@common(json_output=True)
def compress(
    call: Call,
    *,
    source: str,
    target: str | None,
    budget: int | None,
    config_path: str | None,
    tokenizer: str | None,
    policy_name: str,
    summary_turn: SummaryChoice,
    summariser: str,
    on_failure: str,
    sample: float,
    engine: str,
    workers: int | None,
    **named: str,
) -> int:
    """Compress trajectories (JSONL, Parquet, or a folder of them) to a budget of tokens, without a network or a model.

    The first and last turns stay byte for byte; the middle gives way from its front, only as much as needed, to a
    summary that quotes it. Calls and results stay together. Exit code 1 when a line was no row, or when a model's
    summary failed. Run again after an interruption, the same command goes on where it was.

    \b
    hermes-git compress rows.jsonl small.jsonl --budget 8000
    hermes-git compress rows/ small/ --config trajectory_compression.yaml
    hermes-git compress rows.jsonl small.jsonl --budget 8000 --policy recency --workers 2
    hermes-git compress rows.jsonl small.jsonl --budget 8000 --summariser model
    hermes-git compress rows.jsonl small.jsonl --budget 8000 --summariser model --on-failure keep
    hermes-git compress rows/ small/ --budget 8000 --engine ray --workers 8
    """
    asks_model, asked = summariser == "model", Named(**named)
    settings, limit = _config(call, config_path, policy(policy_name), budget, asks_model=asks_model)
    counter = _counter(call, tokenizer, settings)
    options = configuration.options(settings, limit, summary_turn, falls_back=on_failure == "extractive")
    place, out = call.folder / source, call.folder / (target or _suffixed(Path(source), settings.output_suffix))
    totals = compress_files.Totals(sample=sample)
    job, workers = CompressJob(options, counter.name, settings.keeps_over_limit), workers or settings.workers or 1
    if engine == "ray":
        written = _on_ray(job, place, out, totals, workers, asks_model=asks_model)
    else:
        step = _asking(call, job, counter, settings, asked) if asks_model else compress_files.spread(job, workers)
        writer = _writer(call, asked) if asks_model else summariser
        made_of = compress_files.made_of(options, counter, writer, settings.keeps_over_limit)
        written = _run(place, out, _watched(call, step), totals, made_of)
    report = _report(totals, counter, settings, limit, written) | {"summariser": summariser}
    return _finish(call, report, totals, metrics_path(place, out, settings) if settings.metrics else None)


def _finish(call: Call, report: dict[str, object], totals: compress_files.Totals, path: Path | None) -> int:
    if path is not None:
        files.write_atomic(path, manifest.encode(report))
    if call.json:
        call.emit(report)
    _say(call, totals)
    return FINDINGS if totals.metrics.errors or set(totals.metrics.dropped) - {compress_files.OVER} else OK


def _watched(call: Call, step: Step) -> Step:
    """Return the step with a line of progress on a terminal."""
    return lambda lines: call.watch(step(lines), "rows")


def _run(source: Path, out: Path, step: Step, totals: compress_files.Totals, made_of: str) -> list[Written]:
    pairs = list(compress_files.targets(source, out))
    written = [compress_files.compress_file(path, result, step, totals, made_of) for path, result in pairs]
    for _, result in pairs:
        files.remove(compress_files.journal_of(result))
    return written


def _on_ray(
    job: CompressJob, source: Path, out: Path, totals: compress_files.Totals, workers: int, *, asks_model: bool
) -> list[Written]:
    if asks_model:
        raise UserError("a model is asked from this machine only", hint="leave out --engine ray or --summariser model")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    address = os.environ.get("RAY_ADDRESS")
    return ray_engine.compress(job, compress_files.inputs(source), out, totals, workers=workers, address=address)


def _asking(call: Call, job: CompressJob, counter: Counter, settings: Config, asked: Named) -> Step:
    """Return the step that asks the user's model."""
    patience = Patience(attempts=1 + settings.max_retries, first=settings.retry_delay, longest=30.0)
    limits = Limits(at_once=settings.at_once, patience=patience)
    chat = model.chat(call, asked, limits, cached=call.find_repo() is not None)
    summarise = ModelSummary(chat, settings.temperature)
    work = compress_files.RowWork(Compressor(job.options, counter, summarise), job.keeps_over_limit)
    return compress_files.asking(work, settings.at_once)


def _writer(call: Call, named: Named) -> str:
    """Return which model writes the summaries."""
    if named.script:
        return named.model
    found = model.endpoint(call, named)
    return f"{found.model} at {found.url}"


def _suffixed(source: Path, suffix: str) -> Path:
    """Return the default output beside the input: `<stem><suffix>.jsonl`, or `<folder><suffix>`."""
    is_file = source.name.endswith((*compress_files.SUFFIXES, compress_files.DOCUMENT))
    return source.with_name(f"{compress_files.stem_of(source)}{suffix}{'.jsonl' if is_file else ''}")


def metrics_path(source: Path, out: Path, settings: Config) -> Path:
    """Return where the metrics go: into the output folder, or beside the output file as `<stem>_metrics.json`."""
    name = Path(settings.metrics_file).name
    return out / name if source.is_dir() else out.with_name(f"{out.name.removesuffix('.jsonl')}_metrics.json")


def _config(
    call: Call, path: str | None, chosen: Policy, budget: int | None, *, asks_model: bool
) -> tuple[Config, int]:
    """Return what the file and the flags say, and the budget; what is ignored is said."""
    text = ""
    if path is not None:
        text, encoding = decode(files.read_bytes(call.folder / path))
        if encoding == "undecodable":
            raise UserError("not UTF-8", where=path, hint="save the file as UTF-8")
    settings = configuration.parse(text, chosen, where=path or "", asks_model=asks_model)
    limit = budget or settings.budget
    if not limit:
        raise UserError("no budget", hint="give --budget TOKENS, or compression.target_max_tokens in --config")
    configuration.report(settings, call.note)
    return settings, limit


def _counter(call: Call, tokenizer: str | None, settings: Config) -> Counter:
    """Return the counter: the flag's, else the configuration's if it is a built-in name, else the default."""
    if tokenizer:
        return choose.counter(tokenizer)
    if settings.tokenizer and settings.tokenizer not in choose.BUILT_IN:
        raise UserError(
            f"the configuration names the tokenizer {settings.tokenizer!r}, which is not built in",
            hint=f"give --tokenizer one of {', '.join(ranks.EXPECTED)}, or a path to that model's tokenizer.json or "
            "tiktoken.model",
        )
    counter = choose.counter(settings.tokenizer) if settings.tokenizer else choose.default()
    if not counter.exact:
        call.note(f"tokens are estimated ({counter.reason}): {counter.error}")
    return counter


def _report(
    totals: compress_files.Totals, counter: Counter, settings: Config, limit: int, written: list[Written]
) -> dict[str, object]:
    return {
        "format": manifest.FORMAT,
        "kind": "compression",
        "tool": f"hermes-git {__version__}",
        "budget": limit,
        "policy": settings.policy.name,
        "tokenizer": counter.describe(),
        "ignored": dict(settings.ignored),
        "sample_percent": totals.sample,
        "rows_left_out_by_sampling": totals.left_out,
        "rows_in": totals.rows_in,
        "rows_out": totals.rows_out,
        **totals.metrics.as_json(),
        "refused_by": totals.metrics.refused_by,
        "damaged": totals.damaged,
        "files": [
            {"name": item.name, "rows": item.rows, "bytes": item.bytes, "sha256": item.sha256} for item in written
        ],
    }


def _say(call: Call, totals: compress_files.Totals) -> None:
    found = totals.metrics
    if totals.replayed:
        call.note(f"went on after {totals.replayed} rows that an interrupted run had done")
    call.say(
        f"{amount(totals.rows_in, 'row')} in, {totals.rows_out} out; {found.compressed} compressed, "
        f"{found.skipped} within the budget as they were; still over it after all: {found.over}"
    )
    call.say(f"{found.tokens_before:,} -> {found.tokens_after:,} tokens, {found.summary_tokens:,} of them in summaries")
    if found.refused_by:
        who = " and ".join(found.refused_by)
        call.note(f"{found.human_summaries} rows have a human turn as their summary; {who} refuse them")
    if found.errors:
        kept = f"{amount(found.failed, 'row')} kept as before" if found.failed else ""
        stood = "the built-in summariser stood in" if found.errors > found.failed else ""
        call.note(f"{found.errors} summaries failed; {', '.join(filter(None, (stood, kept)))}")
    for reason, count in sorted(found.dropped.items()):
        call.note(f"dropped {count}: {reason}")
    for line in totals.damaged:
        call.note(f"  {line}")
    if totals.rows_in and not totals.rows_out:
        call.note("no row was found; what agents write becomes rows by: hermes-git session import, hermes-git export")

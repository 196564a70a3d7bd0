"""`hermes-git eval`: exams that tell what a procedure costs, and the comparison of two scorecards."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from hermes_git import files
from hermes_git.commands.call import Call, common, is_terminal
from hermes_git.commands.lazy import LazyGroup
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.evals import exam, plot, report, scorecard
from hermes_git.evals.exam import CONTROLS, Exam, Paper
from hermes_git.evals.transcript import Transcript, transcript
from hermes_git.export.compress_files import decode, inputs
from hermes_git.tokens import choose
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories.model import Drop
from hermes_git.trajectories.policy import POLICIES, policy

COMMANDS = {"cycles": ("commands.eval_cycles:cycles", "Compress a growing transcript again and again.")}


@click.group("eval", cls=LazyGroup, table=COMMANDS)
def evaluate() -> None:
    """Measure what a procedure costs, without a model: the same exam before and after.

    \b
    hermes-git eval compression --input rows.jsonl --budgets 8000,16000 --out scores
    hermes-git eval cycles --input rows.jsonl --out cycles
    hermes-git eval diff scores/scorecard.json later/scorecard.json
    """


@evaluate.command()
@click.option(
    "--input",
    "sources",
    metavar="FILES",
    multiple=True,
    required=True,
    help="JSONL files of trajectories, or folders of them; may be repeated, or separated by commas.",
)
@click.option(
    "--budgets",
    metavar="LIST",
    default="8000,16000,32000",
    show_default=True,
    help="Tokens, or percent of each transcript.",
)
@click.option("--out", metavar="DIR", required=True, help="Folder for the scorecard.")
@click.option("--policies", metavar="LIST", default=",".join((*CONTROLS, *POLICIES)), show_default=True)
@click.option(
    "--questions", "count", type=click.IntRange(min=1), default=20, show_default=True, help="Questions a transcript."
)
@click.option(
    "--negatives",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Further questions a transcript that it cannot answer.",
)
@click.option(
    "--min-tokens", type=click.IntRange(min=0), default=0, show_default=True, help="Leave out shorter transcripts."
)
@click.option(
    "--min-questions",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Leave out transcripts that give fewer questions.",
)
@click.option("--tokenizer", metavar="NAME|PATH", default=None, help="What counts tokens.  [default: cl100k_base]")
@click.option("--baseline", metavar="FILE", default=None, help="An earlier scorecard of the same exam.")
@click.option("--fail-under", type=float, default=None, help="With --baseline: exit 1 if recall fell by more points.")
@click.option("--timed", is_flag=True, help="Also time each compaction; the scorecard is then no longer repeatable.")
@common(json_output=True)
def compression(
    call: Call,
    *,
    sources: tuple[str, ...],
    budgets: str,
    out: str,
    policies: str,
    count: int,
    negatives: int,
    min_tokens: int,
    min_questions: int,
    tokenizer: str | None,
    baseline: str | None,
    fail_under: float | None,
    timed: bool,
) -> int:
    """Ask the same questions of a transcript and of its compressed forms: recall against retained tokens.

    Questions, summaries and answers are made by three parts that share no code; see docs/evals.

    \b
    hermes-git eval compression --input rows.jsonl --budgets 8000,16000 --out scores
    hermes-git eval compression --input rows/ --budgets 50% --policies six-step,recency --out scores
    hermes-git eval compression --input rows/ --out now --baseline scores/scorecard.json --fail-under 2
    """
    before = _load(call, baseline) if baseline else None
    counter = choose.counter(tokenizer) if tokenizer else choose.default()
    names = [policy(name).name if name not in CONTROLS else name for name in policies.split(",")]
    chosen = exam.parse_budgets(budgets)
    found, left_out = transcripts(call, sources, counter, min_tokens)
    found, papers = _asked(
        found, exam.papers(found, counter, count=count, negatives=negatives), min_questions, left_out
    )
    sitting = Exam(found, papers, counter, clock=time.process_time if timed else None)
    total = len(found) * sum(1 if name in CONTROLS else len(chosen) for name in names)
    results = []
    with click.progressbar(length=total, label="exams", file=_screen()) as bar:
        for result in sitting.sit(names, chosen):
            results.append(result)
            bar.update(1)
    options = {"budgets": budgets, "policies": names, "questions": count, "negatives": negatives,
               "min_tokens": min_tokens, "min_questions": min_questions, "left_out": left_out}  # fmt: skip
    card = scorecard.scorecard(results, papers, options=options, tokenizer=counter.describe())
    _write(call.folder / out, card, papers, _command(sources, budgets, count, min_tokens, min_questions))
    if call.json:
        call.emit(card)
    _say(call, card)
    return _judge(call, card, before, fail_under)


def _asked(
    found: list[Transcript], papers: list[Paper], least: int, left_out: dict[str, int]
) -> tuple[list[Transcript], list[Paper]]:
    """Leave out transcripts that give too few questions, and count them."""
    kept = [
        (one, paper)
        for one, paper in zip(found, papers, strict=True)
        if sum(question.kind != "negative" for question in paper.questions) >= least
    ]
    if len(kept) < len(found):
        left_out["fewer questions than --min-questions"] = len(found) - len(kept)
    if not kept:
        raise UserError(
            "no transcript gives enough questions", hint="give longer transcripts, or lower --min-questions"
        )
    return [one for one, _ in kept], [paper for _, paper in kept]


def _screen() -> Any:
    """Return where progress is drawn: the terminal's error stream, or nowhere."""
    import io
    import sys

    return sys.stderr if is_terminal() else io.StringIO()


def transcripts(
    call: Call, sources: tuple[str, ...], counter: Counter, min_tokens: int
) -> tuple[list[Transcript], dict[str, int]]:
    """Read all rows of some files as transcripts, and count what was left out by reason."""
    found: list[Transcript] = []
    left_out: dict[str, int] = {}
    for name, line in _lines(call, sources):
        try:
            one = transcript(name, decode(line))
        except Drop as drop:
            left_out[drop.reason] = left_out.get(drop.reason, 0) + 1
            continue
        if exam.tokens_of(one.row, counter) < min_tokens:
            left_out["shorter than --min-tokens"] = left_out.get("shorter than --min-tokens", 0) + 1
        else:
            found.append(one)
    if not found:
        raise UserError("no transcript to examine", hint="give --input files of trajectories, or lower --min-tokens")
    return found, left_out


def _lines(call: Call, sources: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for source in (word for text in sources for word in text.split(",") if word):
        for path in inputs(call.folder / source):
            rows = (line for _, line in files.read_lines(path) if line.strip())
            yield from ((f"{path.name}:{number}", line) for number, line in enumerate(rows, 1))


def _command(sources: tuple[str, ...], budgets: str, count: int, min_tokens: int, min_questions: int) -> str:
    named = " ".join(f"--input {Path(source).name}" for source in sources)
    asked = f"--budgets {budgets} --questions {count} --min-tokens {min_tokens} --min-questions {min_questions}"
    return f"hermes-git eval compression {named} {asked} --out DIR"


def _write(folder: Path, card: dict[str, Any], papers: Sequence[Paper], command: str) -> None:
    encoded = json.dumps(card, ensure_ascii=False, indent=1) + "\n"
    files.write_atomic(folder / "scorecard.json", encoded.encode("utf-8"))
    files.write_atomic(folder / "scorecard.md", report.markdown(card, command).encode("utf-8"))
    files.write_atomic(folder / "scorecard.csv", report.as_csv(card).encode("utf-8"))
    files.write_atomic(folder / "frontier.svg", plot.svg(card).encode("utf-8"))
    lines = b"".join(msgspec.json.encode(paper) + b"\n" for paper in papers)
    files.write_atomic(folder / "questions.jsonl", lines)


def _say(call: Call, card: dict[str, Any]) -> None:
    call.say(f"{'policy':22} {'budget':>7} {'kept':>7} {'recall':>7}  95 % interval")
    for line in card["lines"]:
        low, high = line["interval"]
        call.say(
            f"{line['policy']:22} {line['budget']:>7} {line['kept_percent']:6.1f}% {line['recall']:7.1f}  "
            f"{low:.1f} - {high:.1f}"
        )


def _judge(call: Call, card: dict[str, Any], before: dict[str, Any] | None, fail_under: float | None) -> int:
    """Hold a scorecard against an earlier one; a fall of more than `fail_under` points is a finding."""
    if before is None:
        return OK
    report.check_same_exam(before, card)
    fallen = [one for one in report.difference(before, card) if one["change"] < -(fail_under or 0.0)]
    for one in fallen:
        call.note(
            f"{one['policy']} at {one['budget']}: recall fell from {one['recall_before']} to {one['recall_after']}"
        )
    return FINDINGS if fallen else OK


def _load(call: Call, path: str) -> dict[str, Any]:
    try:
        card = msgspec.json.decode(files.read_bytes(call.folder / path), type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise UserError(f"not a scorecard: {error}", where=path, hint="give a scorecard.json") from error
    if card.get("format") != scorecard.FORMAT or "lines" not in card:
        raise UserError("not a scorecard of this format", where=path, hint="write it again with this version")
    return card


@evaluate.command()
@click.argument("before")
@click.argument("after")
@common(json_output=True)
def diff(call: Call, *, before: str, after: str) -> int:
    """Compare two scorecards of the same exam.

    \b
    hermes-git eval diff scores/scorecard.json later/scorecard.json
    """
    old, new = _load(call, before), _load(call, after)
    report.check_same_exam(old, new)
    found = report.difference(old, new)
    if call.json:
        call.emit({"lines": found})
    for one in found:
        call.say(
            f"{one['policy']:22} {one['budget']:>7} {one['recall_before']:6.1f} -> {one['recall_after']:6.1f} "
            f"({one['change']:+.1f})"
        )
    return OK

"""`hermes-git eval cycles`: compress a growing transcript again and again, and ask what is left."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from hermes_git import files
from hermes_git.commands.call import Call, common
from hermes_git.commands.eval_input import COUNT, Asked, input_options
from hermes_git.errors import OK, UserError
from hermes_git.evals.cycles import Loop, markdown, summary
from hermes_git.trajectories.policy import policy


@click.command()
@input_options
@click.option(
    "--threshold", type=click.IntRange(min=100), default=32_000, show_default=True, help="Compress above this."
)
@click.option(
    "--target", type=click.IntRange(min=50), default=None, help="Compress to this.  [default: half the threshold]"
)
@click.option("--most", type=COUNT, default=60, show_default=True, help="Compactions of one transcript.")
@click.option(
    "--policies", metavar="LIST", default="six-step,codex-style,drop-old-tool-output,recency", show_default=True
)
@click.option("--questions", "count", type=COUNT, default=20, show_default=True, help="Questions a transcript.")
@click.option("--out", metavar="DIR", required=True, help="Folder for cycles.json and cycles.md.")
@common(json_output=True)
def cycles(
    call: Call,
    *,
    threshold: int,
    target: int | None,
    most: int,
    policies: str,
    count: int,
    out: str,
    **given: Any,
) -> int:
    """Compress a growing transcript again and again: how much each time frees, and what of old facts is left.

    \b
    hermes-git eval cycles --input rows.jsonl --out cycles
    hermes-git eval cycles --input rows/ --threshold 16000 --most 40 --policies six-step,recency --out cycles
    """
    asked = Asked(**given)
    counter = asked.counter()
    loop = Loop(threshold, target or threshold // 2, most)
    chosen = [policy(name) for name in policies.split(",")]
    found = asked.transcripts(call, counter)
    papers = asked.papers(call, found, counter, count=count)
    runs = [(one, source, paper) for one in chosen for source, paper in zip(found, papers, strict=True)]
    watched = call.watch(runs, "runs", len(runs))
    rows = [cycle for one, source, paper in watched for cycle in loop.run(source, paper, one, counter)]
    if not rows:
        raise UserError("no transcript outgrows the threshold", hint="lower --threshold")
    card: dict[str, Any] = {
        "format": 1,
        "kind": "cycles",
        "options": {**asdict(loop), "policies": [one.name for one in chosen], **described(asked), "questions": count},
        "tokenizer": counter.describe(),
        "lines": summary(rows),
        "cycles": [asdict(row) for row in rows],
    }
    write(call.folder / out, card)
    if call.json:
        call.emit(card)
    for line in card["lines"]:
        freed, recalled = (f"{line[f'{name}_first']} % -> {line[f'{name}_last']} %" for name in ("freed", "recall"))
        call.say(f"{line['policy']:22} {line['cycles_mean']:5} cycles, frees {freed}, recalls {recalled}")
    return OK


def described(asked: Asked) -> dict[str, object]:
    """Return what a card says about the transcripts."""
    return {"inputs": [Path(source).name for source in asked.sources], **asked.described()}


def write(folder: Path, card: dict[str, Any]) -> None:
    """Write a card in both forms."""
    encoded = json.dumps(card, ensure_ascii=False, indent=1) + "\n"
    files.write_atomic(folder / "cycles.json", encoded.encode("utf-8"))
    files.write_atomic(folder / "cycles.md", markdown(card, command(card["options"])).encode("utf-8"))


def command(options: dict[str, Any]) -> str:
    """Return the command that repeats a run; where the inputs lie is the reader's to know."""
    words = ["hermes-git eval cycles", *(f"--input {name}" for name in options["inputs"])]
    names = ("min_tokens", "cap_tokens", "threshold", "target", "most", "questions")
    words += [f"--{name.replace('_', '-')} {options[name]}" for name in names if options[name]]
    words += [f"--part {options['part']}"] if options["part"] != "all" else []
    return " ".join([*words, f"--policies {','.join(options['policies'])}", "--out DIR"])

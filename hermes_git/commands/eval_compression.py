"""`hermes-git eval compression`: the same questions of a transcript and of its compressed forms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from hermes_git import files
from hermes_git.commands import eval_peer
from hermes_git.commands.call import Call, common
from hermes_git.commands.eval_diff import judge, load
from hermes_git.commands.eval_input import COUNT, ZERO, Asked, input_options, with_questions
from hermes_git.commands.eval_reading import Reading, reading_options
from hermes_git.commands.model import Named
from hermes_git.evals import plot, report, scorecard
from hermes_git.evals.exam import CONTROLS, MODEL_SUMMARY, Budget, Paper, Result, Seat, ordered, parse_budgets, seats
from hermes_git.trajectories.policy import DEFAULT, POLICIES, policy

ASKED = ("sources", "min_tokens", "cap_tokens", "part", "tokenizer", "cache")
READING = ("reader", "generator", "is_judged", "context_chars", "workers")
NOT_BUILT_IN = (*CONTROLS, eval_peer.NAME, MODEL_SUMMARY)
ALL_POLICIES = ",".join((*CONTROLS, *POLICIES))


@click.command()
@input_options
@click.option(
    "--budgets",
    metavar="LIST",
    default="8000,16000,32000",
    show_default=True,
    help="Tokens, or percent of each transcript.",
)
@click.option("--out", metavar="DIR", required=True, help="Folder for the scorecard.")
@click.option(
    "--policies",
    metavar="LIST",
    default=ALL_POLICIES,
    show_default=True,
    help=f"Also {MODEL_SUMMARY}, with summaries by the --model, and {eval_peer.NAME}, where HERMES_GIT_PEER_PYTHON "
    "names an interpreter that has it.",
)
@click.option("--match", metavar="POLICY", default="", help="Let every policy keep as many tokens as this one does.")
@click.option("--questions", "count", type=COUNT, default=20, show_default=True, help="Questions a transcript.")
@click.option(
    "--negatives", type=ZERO, default=3, show_default=True, help="Further questions a transcript cannot answer."
)
@click.option(
    "--min-questions", type=ZERO, default=1, show_default=True, help="Leave out transcripts that give fewer questions."
)
@click.option("--baseline", metavar="FILE", default=None, help="An earlier scorecard of the same exam.")
@click.option("--fail-under", type=float, default=None, help="With --baseline: exit 1 if recall fell by more points.")
@click.option("--timed", is_flag=True, help="Also time each compaction; the scorecard is then no longer repeatable.")
@click.option("--png", is_flag=True, help="Also draw the frontier as PNG (extra `plot`).")
@reading_options
@common(json_output=True)
def compression(call: Call, *, budgets: str, out: str, policies: str, **options: Any) -> int:
    """Ask the same questions of a transcript and of its compressed forms: recall against retained tokens.

    Questions, summaries and answers are made by three parts that share no code; see docs/evals. A model takes part
    only when --reader, --generator or --judge say so.

    \b
    hermes-git eval compression --input rows.jsonl --budgets 8000,16000 --out scores
    hermes-git eval compression --input rows/ --budgets 50% --match six-step --part held-out --out scores
    hermes-git eval compression --input rows/ --out now --baseline scores/scorecard.json --fail-under 2
    hermes-git eval compression --input rows/ --policies six-step --reader model --judge --out scores
    """
    before = load(call, options["baseline"]) if options["baseline"] else None
    named = tuple(name if name in NOT_BUILT_IN else policy(name).name for name in policies.split(","))
    match = policy(options["match"]).name if options["match"] else ""
    run = Run(call, named, parse_budgets(budgets), match, options)
    card, papers = run.card()
    folder = call.folder / out
    write(folder, card, papers, command(card, budgets))
    if options["png"]:
        plot.png(card, folder / "frontier.png")
    if call.json:
        call.emit(card)
    say(call, card)
    return judge(call, card, before, options["fail_under"])


class Run:
    """One run of the exam: what was asked for, and the steps from files to a scorecard."""

    def __init__(
        self, call: Call, policies: tuple[str, ...], budgets: tuple[Budget, ...], match: str, options: dict[str, Any]
    ) -> None:
        self.call, self.policies, self.budgets, self.match, self.options = call, policies, budgets, match, options
        self.asked = Asked(**{name: options[name] for name in ASKED})
        model = Named(*(options[name] for name in ("model", "endpoint", "key_variable")))
        given = {name: options[name] for name in READING}
        self.reading = Reading(call, self.asked, model, has_summaries=MODEL_SUMMARY in policies, **given)

    def card(self) -> tuple[dict[str, Any], list[Paper]]:
        """Sit the exam and sum it up."""
        counter = self.asked.counter()
        found = self.asked.transcripts(self.call, counter)
        papers = self.asked.papers(
            self.call, found, counter, count=self.options["count"], negatives=self.options["negatives"]
        )
        found, papers = with_questions(found, papers, self.options["min_questions"], self.asked.left_out)
        more = self.reading.more_questions(found, -(-self.options["count"] // 2))
        papers = [msgspec.structs.replace(one, questions=(*one.questions, *extra))
                  for one, extra in zip(papers, more, strict=True)]  # fmt: skip
        seated = seats(found, papers)
        elsewhere = eval_peer.rows(seated, self.budgets, self.match, counter) if eval_peer.NAME in self.policies else {}
        given = {"match": self.match, "timed": self.options["timed"], "elsewhere": elsewhere}
        watched = self.call.watch(self.reading.sit(seated, self.policies, self.budgets, **given), "exams", len(seated))
        results = ordered([one for done in watched for one in done], self.policies, self.budgets)
        noise = self.noise(seated[:3], results)
        card = scorecard.scorecard(results, papers, options=self.described(), tokenizer=counter.describe())
        card["checks"]["same_policy_twice"] = noise
        if "summaries" in card["options"]:
            spent = card["options"]["summaries"]
            spent["cost_usd_per_compaction"] = round(spent["cost_usd"] / (len(seated) * len(self.budgets)), 6)
        return card, papers

    def noise(self, seated: Sequence[Seat], results: Sequence[Result]) -> float | None:
        """Sit some exams of the default policy again and return the mean difference of a question's points."""
        if DEFAULT not in self.policies:
            return None
        budgets = self.budgets[:1]
        again = [one for done in self.reading.sit(seated, (DEFAULT,), budgets) for one in done]
        first = {one.transcript: one.grades for one in results
                 if (one.policy, one.budget) == (DEFAULT, budgets[0].label)}  # fmt: skip
        pairs = [pair for one in again for pair in zip(one.grades, first[one.transcript], strict=True)]
        return round(100 * sum(abs(a - b) / 2 for a, b in pairs) / max(1, len(pairs)), 2)

    def described(self) -> dict[str, object]:
        """Return what the scorecard says about the run."""
        names = ("count", "negatives", "min_questions")
        found: dict[str, object] = {"questions" if name == "count" else name: self.options[name] for name in names}
        return {
            "budgets": [budget.label for budget in self.budgets],
            "policies": list(self.policies),
            "match": self.match,
            "inputs": [Path(source).name for source in self.options["sources"]],
            **found,
            **self.asked.described(),
            **self.reading.described(),
        }


def command(card: dict[str, Any], budgets: str) -> str:
    """Return the command that repeats a run; where the inputs lie is the reader's to know."""
    options = card["options"]
    words = ["hermes-git eval compression", *(f"--input {name}" for name in options["inputs"]), f"--budgets {budgets}"]
    names = ("match", "questions", "min_tokens", "cap_tokens", "min_questions")
    words += [f"--{name.replace('_', '-')} {options[name]}" for name in names if options[name]]
    words += [f"--part {options['part']}"] if options["part"] != "all" else []
    policies = ",".join(options["policies"])
    words += [f"--policies {policies}"] if policies != ALL_POLICIES else []
    return " ".join([*words, "--out DIR"])


def write(folder: Path, card: dict[str, Any], papers: Sequence[Paper], repeat: str) -> None:
    """Write the scorecard in all its forms, and the questions."""
    encoded = json.dumps(card, ensure_ascii=False, indent=1) + "\n"
    files.write_atomic(folder / "scorecard.json", encoded.encode("utf-8"))
    files.write_atomic(folder / "scorecard.md", report.markdown(card, repeat).encode("utf-8"))
    files.write_atomic(folder / "scorecard.csv", report.as_csv(card).encode("utf-8"))
    files.write_atomic(folder / "frontier.svg", plot.svg(card).encode("utf-8"))
    lines = b"".join(msgspec.json.encode(paper) + b"\n" for paper in papers)
    files.write_atomic(folder / "questions.jsonl", lines)


def say(call: Call, card: dict[str, Any]) -> None:
    """Print the lines of all transcripts, and of those held out whether the aims are reached."""
    call.say(f"{'policy':22} {'budget':>7} {'kept':>7} {'recall':>7}  95 % interval")
    for line in card["lines"]:
        low, high = line["interval"]
        call.say(
            f"{line['policy']:22} {line['budget']:>7} {line['kept_percent']:6.1f}% {line['recall']:7.1f}  "
            f"{low:.1f} - {high:.1f}"
        )
    for name in ("model", "summaries"):
        if name in card["options"]:
            call.say(f"{name}: {cost(card['options'][name])}")


def cost(told: dict[str, Any]) -> str:
    """Return what asking a model cost, in words."""
    return (
        f"{told['requests']} requests, {told['from_cache']} from the cache, {told['input_tokens']} tokens in, "
        f"{told['output_tokens']} out, ${told['cost_usd']}"
    )

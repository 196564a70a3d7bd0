"""The scorecard as Markdown and CSV, and the difference of two scorecards."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_git.errors import UserError

COLUMNS = ("policy", "budget", "kept", "recall", "interval", "left out", "tokens", "over", "wins/losses/ties")
AGAINST = ("against", "budget", "kept", "recall", "difference", "times", "wins/losses/ties", "equal pairs alone")
HELD_OUT = "held-out"


def markdown(card: Mapping[str, Any], command: str) -> str:
    """Write a scorecard as a page: what is held out first, then all transcripts, then what the exam is worth."""
    options, checks = card["options"], card["checks"]
    parts = [
        "# Compression: recall against retained tokens",
        _about("All", len(card["transcripts"]), card, card["tokenizer"]["name"]),
        f"Repeat it with:\n\n```sh\n{command}\n```",
        "![recall against retained tokens](frontier.svg)",
    ]
    if options.get("match"):
        parts.append(
            f"Every policy got, transcript by transcript, the budget at which it keeps as many tokens as "
            f"`{options['match']}` does at the budget named, as near as whole turns allow; `kept` is what it kept."
        )
    held = card["parts"].get(HELD_OUT)
    if held:
        count = sum(one["part"] == HELD_OUT for one in card["transcripts"])
        parts += ["## Held out", _about("Held out from tuning:", count, held), *_sheet(held)]
    parts += [
        "## All transcripts",
        *_sheet(card),
        "Recall is the share of points (2 for a match, 1 for half of one) over all questions but the negatives; the "
        "column `negative` is the share of unanswerable questions that were rightly left unanswered. Intervals are "
        "95 % bootstrap intervals over families of transcripts, paired where two policies are compared. Wins, losses "
        "and ties are questions, of the policy in the row against the default policy, or of the default policy "
        "against the one in the row where the table says `against`. Equal pairs are transcripts of which both policies "
        "keep equally many tokens, within 3 %; an aim must be reached over all transcripts and over these. `left out` "
        "is recall of questions whose turn was replaced, so that only a summary can answer.",
        "## What the exam is worth",
        _table(("check", "value"), [(name.replace("_", " "), _shown(value)) for name, value in checks.items()]),
    ]
    return "\n\n".join(parts) + "\n"


def _about(who: str, count: int, sheet: Mapping[str, Any], tokenizer: str = "") -> str:
    kinds = ", ".join(f"{number} {kind}" for kind, number in sheet["questions"].items())
    counted = f" ({tokenizer})" if tokenizer else ""
    return (
        f"{who} {count} transcripts of {sheet['families']} families, {sheet['tokens']:,} tokens{counted}, "
        f"{sum(sheet['questions'].values())} questions: {kinds}."
    )


def _sheet(sheet: Mapping[str, Any]) -> list[str]:
    kinds = list(sheet["questions"])
    is_timed = any(line["seconds_per_compaction"] for line in sheet["lines"])
    names = [*COLUMNS, *kinds, *(["CPU seconds"] if is_timed else [])]
    rows = [_cells(line, kinds) for line in sheet["lines"]]
    for row, line in zip(rows, sheet["lines"] if is_timed else (), strict=is_timed):
        row.append(f"{line['seconds_per_compaction']:.3f}")
    found = [_table(names, rows)]
    if sheet["comparisons"]:
        found.append(_table(AGAINST, [_against(row) for row in sheet["comparisons"]]))
    if sheet["targets"]:
        aims = [(one["target"], f"{one['value']}", "yes" if one["is_reached"] else "no") for one in sheet["targets"]]
        found.append(_table(("aim", "value", "reached"), aims))
    return found


def _against(row: Mapping[str, Any]) -> list[str]:
    (kept, rival), (low, high) = row["kept_percent"], row["difference_interval"]
    pairs = row["equal_pairs"]
    alone = "none"
    if pairs:
        told = f"{pairs['difference']:+.1f}, {pairs['ratio']:.2f} times"
        alone = f"{pairs['transcripts']} of {row['transcripts']}: {told}"
    return [row["rival"], row["budget"], f"{kept:.1f} / {rival:.1f} %",
            f"{row['recall'][0]:.1f} / {row['recall'][1]:.1f}", f"{row['difference']:+.1f} ({low:+.1f} to {high:+.1f})",
            f"{row['ratio']:.2f} ({row['ratio_interval'][0]:.2f}-{row['ratio_interval'][1]:.2f})",
            f"{row['wins']}/{row['losses']}/{row['ties']}", alone]  # fmt: skip


def _cells(line: Mapping[str, Any], kinds: Sequence[str]) -> list[str]:
    low, high = line["interval"]
    against = line["against_default"]
    tally = f"{against['wins']}/{against['losses']}/{against['ties']}" if any(against.values()) else ""
    fixed = [line["policy"], line["budget"], f"{line['kept_percent']:.1f} %", f"{line['recall']:.1f}",
             f"{low:.1f}-{high:.1f}", _left_out(line), f"{line['tokens_mean']:,.0f}", str(line["over_budget"]),
             tally]  # fmt: skip
    return [*fixed, *(f"{line['kinds'][kind]:.1f}" if kind in line["kinds"] else "" for kind in kinds)]


def _left_out(line: Mapping[str, Any]) -> str:
    return "" if line["left_out"] is None else f"{line['left_out']:.1f}"


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = f"| {' | '.join(names)} |\n|{'---|' * len(names)}"
    return "\n".join([head, *(f"| {' | '.join(row)} |" for row in rows)])


def _shown(value: object) -> str:
    return "not measured" if value is None else f"{value}"


def as_csv(card: Mapping[str, Any]) -> str:
    """Write the lines of a scorecard as CSV."""
    kinds = list(card["questions"])
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["policy", "budget", "kept_percent", "recall", "low", "high", "tokens_mean", "over_budget", *kinds,
                     "seconds_per_compaction"])  # fmt: skip
    for line in card["lines"]:
        writer.writerow(
            [line["policy"], line["budget"], line["kept_percent"], line["recall"], *line["interval"],
             line["tokens_mean"], line["over_budget"], *(line["kinds"].get(kind, "") for kind in kinds),
             line["seconds_per_compaction"]]
        )  # fmt: skip
    return stream.getvalue()


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the change of recall and kept tokens of each policy and budget that both scorecards hold."""
    old = {(line["policy"], line["budget"]): line for line in before["lines"]}
    return [
        {
            "policy": line["policy"],
            "budget": line["budget"],
            "recall_before": old[line["policy"], line["budget"]]["recall"],
            "recall_after": line["recall"],
            "change": round(line["recall"] - old[line["policy"], line["budget"]]["recall"], 1),
            "kept_before": old[line["policy"], line["budget"]]["kept_percent"],
            "kept_after": line["kept_percent"],
        }
        for line in after["lines"]
        if (line["policy"], line["budget"]) in old
    ]


def check_same_exam(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Refuse to compare scorecards of different exams; points on different questions say nothing about each other."""
    is_told = all("exam" in one for card in (before, after) for one in card["transcripts"])
    names = ("digest", "questions", "exam") if is_told else ("digest", "questions")
    exams = [sorted(tuple(one[name] for name in names) for one in card["transcripts"]) for card in (before, after)]
    if exams[0] != exams[1]:
        raise UserError(
            "the two scorecards are of different exams", hint="compare scorecards of the same files and --questions"
        )

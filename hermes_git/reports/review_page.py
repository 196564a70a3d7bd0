"""A review as a page: headings, sentences, tables and bars, in the order in which a reviewer needs them. Pure.

What is written here holds raw text of the repository; the renderers make it harmless for their format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hermes_git.finding import ERROR, NOTE, Finding
from hermes_git.knowledge.compare import Altered
from hermes_git.provenance.reviewed import Ability, EntryRow, Hand, MemoryFile, Review, SkillRow, Usage
from hermes_git.reports.text import place, plural, summary

EVIDENCE = re.compile(r"([A-Za-z0-9][\w.-]{0,119})#(\d{1,9})", re.ASCII)
"""A session's id as the store allows it, and the number of a message."""

LONGEST = 240
MAX_ROWS = 60
MAX_ALTERED = 25


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a cell; `sign` is `+` for what is new, `-` for what is gone, "" for anything else."""

    text: str
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 3."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence; `tone` is good, bad, warn or plain."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class Bar:
    """A budget before and after, of a limit."""

    label: str
    before: int
    after: int
    limit: int
    unit: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: column heads, rows of cells (each a tuple of lines), and how many rows were left out."""

    head: tuple[str, ...]
    rows: tuple[tuple[tuple[Line, ...], ...], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that a reviewer opens on demand."""

    title: str
    blocks: tuple[Block, ...]


Block = Heading | Say | Bar | Table | Fold
Cell = tuple[Line, ...]


def page(review: Review) -> tuple[Block, ...]:
    """Lay a review out."""
    return (
        Heading(1, f"Review of {review.base[:12]}..{review.tip[:12]}"),
        *_head(review),
        *_memory(review),
        *_skills(review),
        *_evidence(review),
        *_findings(review),
        *_losses(review),
        *_others(review),
        *_commits(review),
        Say(f"hermes-git {review.report.tool}, rules {review.report.rules}"),
    )


def _head(review: Review) -> Iterator[Block]:
    verdict = review.report.verdict
    yield Say(f"Check: {summary(review.report)}", {"block": "bad", "warn": "warn"}.get(verdict, "good"))
    actions = Counter(row.action for item in review.memory for row in item.rows)
    entries = ", ".join(f"{count} {action}" for action, count in sorted(actions.items()))
    how = Counter(row.how for row in review.skills)
    skills = ", ".join(f"{count} {word}" for word, count in sorted(how.items()))
    yield Say(f"Teaches: {plural(sum(actions.values()), 'entry change')} ({entries or 'none'}); "
              f"{plural(len(review.skills), 'skill')} ({skills or 'none'}).")  # fmt: skip
    gained = sum(len(row.gained) for row in review.skills)
    gave_up = sum(len(row.gave_up) for row in review.skills)
    yield Say(f"Allows: {gained} new abilities, {gave_up} given up.", "warn" if gained else "plain")
    silent = sum(not row.declared for row in review.losses if row.status == "dropped")
    dropped = dict(review.loss_counts).get("dropped", 0)
    text = f"Loses: {plural(dropped, 'unit')} of text dropped, {silent} of them without a word about it."
    yield Say(text, "bad" if silent else "plain")
    yield from _approval(review)


def _approval(review: Review) -> Iterator[Block]:
    found = review.approval
    if not found.is_needed:
        yield Say("Approval: nobody else is needed.")
        return
    for reason in found.reasons:
        yield Say(f"Approval needed: {reason}", "warn")
    if found.approvers:
        yield Say(f"Approved by {', '.join(found.approvers)}", "good")
    else:
        yield Say("Not approved yet by anybody who is not the author.", "bad")
    for claim in found.unverified:
        yield Say(f"Unverified, counts for nothing: {claim}", "warn")


def _memory(review: Review) -> Iterator[Block]:
    if not review.memory:
        return
    yield Heading(2, "Memory")
    for item in review.memory:
        yield Bar(item.path, item.used_before, item.used_after, item.limit, item.unit)
        yield from _entries(item)


def _entries(item: MemoryFile) -> Iterator[Block]:
    rows = [
        (_one(row.action), _texts(row), _who([row.hand] if row.hand else []), _use(row.usage, row), _notes(row))
        for row in item.rows
    ]
    yield _table(("what", "entry", "by", "used before", "notes"), rows)


def _texts(row: EntryRow) -> Cell:
    kept = row.action in ("archive", "move", "restore")
    gone = [Line(short(text), "" if kept else "-") for text in row.before]
    return tuple(gone) if kept else (*gone, *(Line(short(text), "+") for text in row.after))


def _notes(row: EntryRow) -> Cell:
    quote = [f'evidence: "{short(row.hand.quote)}"'] if row.hand and row.hand.quote else []
    return tuple(Line(text) for text in (*row.clashes, *quote))


def _who(hands: Iterable[Hand]) -> Cell:
    lines: dict[Line, None] = {}
    for hand in hands:
        session, _, message = hand.evidence.partition("#")
        lines[Line(str(hand.actor))] = None
        if hand.session or session:
            lines[Line(f"session {session or hand.session}" + (f", message {message}" if message else ""))] = None
    return tuple(lines) or (Line("unknown"),)


def _use(usage: Usage, row: EntryRow | None = None) -> Cell:
    if row is not None and not row.before:
        return (Line("new"),)
    if not usage.count:
        return (Line("no record"),)
    failed = f", {usage.failed} failed or corrected" if usage.failed else ""
    often = "once" if usage.count == 1 else f"{usage.count} times"
    return (Line(f"{often}, last {usage.last}{failed}"),)


def _skills(review: Review) -> Iterator[Block]:
    if not review.skills:
        return
    yield Heading(2, "Skills")
    rows = [
        (
            (Line(row.key), Line(short(row.description))),
            _one(row.how),
            (*_abilities(row.gained, "+"), *_abilities(row.gave_up, "-")) or _one("nothing new"),
            _who(row.hands),
            (*_use(row.usage), *((Line(row.taught),) if row.taught else ())),
        )
        for row in review.skills
    ]
    yield _table(("skill", "what", "able to do", "by", "before"), rows)
    for row in review.skills:
        if row.altered:
            yield Fold(f"{row.key}: {_counted(row)}", (_altered(row),))


def _abilities(found: Iterable[Ability], sign: str) -> Cell:
    return tuple(Line(f"{item.axis} {item.value}", sign) for item in found)


def _counted(row: SkillRow) -> str:
    kinds = Counter(item.kind for item in row.altered)
    return ", ".join(plural(count, kind) if kind != "header" else f"{count} in the header"
                     for kind, count in sorted(kinds.items()))  # fmt: skip


def _altered(row: SkillRow) -> Table:
    rows = [(_one(item.kind), _one(item.what), _one(item.how), _change(item)) for item in row.altered]
    return _table(("part", "name", "how", "text"), rows, MAX_ALTERED)


def _change(item: Altered) -> Cell:
    """Show what differs: whole lines that only one side has, the rest is the reader's to look up in the diff."""
    old, new = item.before.split("\n"), item.after.split("\n")
    gone = [line for line in old if line.strip() and line not in new]
    came = [line for line in new if line.strip() and line not in old]
    lines = [*(Line(short(line), "-") for line in gone[:6]), *(Line(short(line), "+") for line in came[:6])]
    more = max(0, len(gone) - 6) + max(0, len(came) - 6)
    return (*lines, *((Line(f"and {more} more lines"),) if more else ()))


def _evidence(review: Review) -> Iterator[Block]:
    """Yield each place in a session that a change is said to come from, with the command that shows it.

    Messages of commits are anybody's: what is no plain id gets no command that a reviewer might copy.
    """
    hands = [row.hand for item in review.memory for row in item.rows if row.hand]
    hands += [hand for row in review.skills for hand in row.hands]
    places = list(dict.fromkeys(hand.evidence for hand in hands if hand.evidence))
    rows = []
    for evidence in places:
        found = EVIDENCE.fullmatch(evidence)
        look = f"hermes-git search --session {found[1]} --around {found[2]}" if found else "no plain id, look with care"
        rows.append((_one(short(evidence)), _one(look)))
    if rows:
        yield Fold(f"Evidence: {plural(len(rows), 'place')} in sessions", (_table(("place", "look at it"), rows),))


def _findings(review: Review) -> Iterator[Block]:
    yield Heading(2, "Findings")
    if not (review.report.findings or review.fixed or review.report.waived):
        yield Say("None, new or old.", "good")
    for title, found in (("new", review.report.findings), ("fixed", review.fixed), ("waived", review.report.waived)):
        ranked = sorted(found, key=lambda item: (-item.severity, item))
        grave = [_finding(item) for item in ranked if item.severity != NOTE]
        notes = [_finding(item) for item in ranked if item.severity == NOTE]
        if grave:
            yield _table((title, "check", "where", "what", "what to do"), grave)
        if notes:
            words = (title, "check", "where", "what", "what to do")
            yield Fold(f"Notes, {title}: {len(notes)}", (_table(words, notes),))
    if review.report.not_scanned:
        rows = [(_one(item.path), _one(item.reason)) for item in review.report.not_scanned]
        yield Fold(f"Not scanned: {len(rows)}", (_table(("path", "why"), rows),))


def _finding(item: Finding) -> tuple[Cell, ...]:
    sign = "-" if item.severity == ERROR else ""
    words = (item.check, place(item), item.message, item.hint)
    return ((Line(item.severity.word, sign),), *(_one(short(word)) for word in words))


def _losses(review: Review) -> Iterator[Block]:
    yield Heading(2, "Loss ledger")
    counts = ", ".join(f"{count:,} {status}" for status, count in review.loss_counts)
    yield Say(f"Units of text in the files that differ: {counts or 'none'}.")
    dropped = [row for row in review.losses if row.status == "dropped"]
    if dropped:
        rows = [
            (_one("declared") if row.declared else (Line("not declared", "-"),), _one(row.kind),
             (Line(short(row.text), "-"),), _one(f"{row.path}:{row.line}"))
            for row in sorted(dropped, key=lambda row: row.declared)
        ]  # fmt: skip
        yield _table(("dropped", "kind", "text", "where it was"), rows)
    moved = [row for row in review.losses if row.status != "dropped"]
    if moved:
        fates = [(_one(row.status), _one(short(row.text)), _one(row.path), _one(row.now)) for row in moved]
        yield Fold(f"Moved, or said elsewhere too: {len(moved)}", (_table(("fate", "text", "was", "is"), fates),))


def _others(review: Review) -> Iterator[Block]:
    if review.others:
        yield Heading(2, "Other files")
        yield _table(("path",), [(_one(path),) for path in review.others])


def _commits(review: Review) -> Iterator[Block]:
    rows = [(_one(hand.commit[:12]), _one(hand.subject), _one(str(hand.actor)), _one(hand.session))
            for hand in review.commits]  # fmt: skip
    yield Fold(f"Commits: {len(rows)}", (_table(("commit", "subject", "by", "session"), rows),))


def _one(text: str) -> Cell:
    return (Line(text),)


def _table(head: tuple[str, ...], rows: Sequence[tuple[Cell, ...]], most: int = MAX_ROWS) -> Table:
    return Table(head, tuple(rows[:most]), max(0, len(rows) - most))


def short(text: str, width: int = LONGEST) -> str:
    """Return text on one line, cut with a mark where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"

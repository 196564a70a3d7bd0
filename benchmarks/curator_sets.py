"""Seeded sets for the curator: skills that say the same or only look alike, entries that are stale or fresh.

Everything is made from one seed; with a folder of real skills the pairs are grown from those instead of the stock here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SUBJECTS = [
    ("postgres", "mysql"), ("staging", "production"), ("kubernetes", "nomad"), ("github", "gitlab"), ("aws", "gcp"),
    ("redis", "memcached"), ("pytest", "unittest"), ("npm", "cargo"), ("webpack", "rollup"), ("kafka", "rabbitmq"),
    ("ubuntu", "fedora"), ("slack", "teams"), ("terraform", "pulumi"), ("nginx", "caddy"), ("svelte", "angular"),
    ("android", "ios"), ("tokyo", "frankfurt"), ("billing-api", "search-api"), ("v2-schema", "v3-schema"),
    ("ruby", "elixir"),
]  # fmt: skip
STEPS = [
    "Read the {s} settings in `config/{s}.toml` before you touch anything.",
    "Make a backup of the {s} data with `tools/backup --target {s}` and check its size.",
    "Stop the writers and wait until the queue is empty.",
    "Run `make check-{s}` and read every warning it prints.",
    "Apply the change to one {s} node and watch it for ten minutes.",
    "Compare the error rate before and after; a rise of one percent is too much.",
    "Roll the change out to the other nodes one after the other.",
    "Start the writers again and confirm that the queue drains.",
    "Write what you did into the log of the on-call person.",
    "Remove the old backup after a week, not before.",
    "Ask the owner of {s} when a step takes more than an hour.",
    "Keep the terminal output; it is the only trace of the order of events.",
]
PITFALLS = [
    "A full disk makes {s} hang without a message.",
    "The clock of the nodes must agree within a second.",
    "Never run two changes at once.",
    "The default timeout of thirty seconds is too short for large tables.",
    "An old client keeps its connection for a day.",
    "Warnings about locale are harmless.",
]
SYNONYMS = {
    "wait until": "hold on till", "check": "verify", "Read": "Look at", "watch": "observe", "before": "ahead of",
    "one after the other": "in sequence", "confirm": "make sure", "too short": "not long enough", "at once": "together",
    "Remove": "Delete", "Keep": "Hold on to", "Make": "Create", "change": "modification", "person": "engineer",
}  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """Two skills as SKILL.md texts, and whether they say the same."""

    name: str
    one: str
    other: str
    is_duplicate: bool


def skill(name: str, title: str, body: str, description: str) -> str:
    """Return a SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n---\n\n# {title}\n\n{body}\n"


def stock_body(chance: random.Random, subject: str) -> str:
    """Write a body about a subject from the stock."""
    steps = [step.format(s=subject) for step in STEPS if chance.random() < 0.85]
    chance.shuffle(steps)
    pitfalls = [text.format(s=subject) for text in PITFALLS if chance.random() < 0.8]
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(steps, 1))
    dots = "\n".join(f"- {text}" for text in pitfalls)
    return (
        f"## When to use\n\nUse this when {subject} must be changed while people work with it.\n\n"
        f"## Procedure\n\n{listed}\n\n"
        f"```sh\ntools/backup --target {subject}\nmake check-{subject}\n```\n\n## Pitfalls\n\n{dots}\n"
    )


def duplicate(chance: random.Random, body: str) -> str:
    """Say the same in another way: words swapped, lines dropped and moved, bullets changed, a section added."""
    lines = [line for line in body.split("\n") if not line.strip() or line.startswith("#") or chance.random() > 0.06]
    text = "\n".join(lines)
    for old, new in SYNONYMS.items():
        if chance.random() < 0.3:
            text = text.replace(old, new, 1)
    if chance.random() < 0.5:
        text = re.sub(r"^- ", "* ", text, flags=re.MULTILINE)
    parts = re.split(r"(?m)^(?=## )", text)
    head, rest = parts[0], parts[1:]
    if chance.random() < 0.5:
        chance.shuffle(rest)
    if chance.random() < 0.5:
        rest.append("\n## Afterwards\n\nTell the team in the morning meeting.\nThank the people who helped.\n")
    return head + "".join(rest)


def look_alike(body: str, old: str, new: str) -> str:
    """Say the same about another subject."""
    return re.sub(rf"(?i)(?<![a-z0-9]){re.escape(old)}(?![a-z0-9])", new, body)


def stock_pairs(seed: int, count: int) -> Iterator[Pair]:
    """Yield `count` duplicates and as many look-alikes from the stock."""
    chance = random.Random(seed)
    for number in range(count):
        subject, other = SUBJECTS[number % len(SUBJECTS)]
        body = stock_body(chance, subject)
        one = skill(f"{subject}-change-{number}", f"Change {subject}", body, f"Change {subject} safely.")
        again = skill(
            f"safe-{subject}-{number}", f"Safe {subject} changes", duplicate(chance, body), f"Safely change {subject}."
        )
        yield Pair(f"stock duplicate {number}", one, again, True)
        body = look_alike(duplicate(chance, body), subject, other)
        yield Pair(
            f"stock look-alike {number}",
            one,
            skill(f"{other}-change-{number}", f"Change {other}", body, f"Change {other} safely."),
            False,
        )


def real_pairs(seed: int, count: int, paths: Sequence[Path]) -> Iterator[Pair]:
    """Yield duplicates and look-alikes grown from real skills: reworded, or with their own subject renamed."""
    chance = random.Random(seed)
    chosen = [path for path in paths if 1_500 < path.stat().st_size < 30_000]
    chance.shuffle(chosen)
    made = 0
    for path in chosen:
        body = path.read_text(encoding="utf-8", errors="replace").split("\n---", 1)[-1].split("\n", 1)[-1]
        subject = _subject(path.parent.name, body)
        if made >= count or not subject:
            continue
        made += 1
        one = skill(path.parent.name, path.parent.name, body, "x")
        yield Pair(
            f"real duplicate {path.parent.name}",
            one,
            skill(f"my-{path.parent.name}", "Mine", duplicate(chance, body), "y"),
            True,
        )
        other = "".join(reversed(subject)) + "er"
        renamed = path.parent.name.replace(subject, other)
        yield Pair(
            f"real look-alike {path.parent.name}",
            one,
            skill(renamed, renamed, look_alike(duplicate(chance, body), subject, other), "y"),
            False,
        )


def _subject(name: str, body: str) -> str:
    """Return the word of a skill's name that its body uses most, at least four times."""
    words = [word for word in name.split("-") if len(word) > 3]
    counts = {word: len(re.findall(rf"(?i)(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", body)) for word in words}
    best = max(counts, key=lambda word: counts[word], default="")
    return best if counts.get(best, 0) >= 4 else ""


@dataclass(frozen=True)
class Fact:
    """One memory entry of the set: its text, whether its day is over, and what it was made to test."""

    text: str
    is_stale: bool
    kind: str


def facts(seed: int, count: int) -> tuple[list[Fact], dict[str, str], dict[str, str]]:
    """Return `count` stale and `count` fresh entries, the repository's files before, and those left after.

    Entries of the kinds `old` and `covered` have a newer partner, which is fresh.
    """
    chance = random.Random(seed)
    nouns = "parser router scheduler exporter importer mailer cache ledger uploader resizer tagger crawler".split()
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    stale: list[Fact] = []
    fresh: list[Fact] = []
    number = 0
    while len(stale) < count or len(fresh) < count:
        noun = nouns[number % len(nouns)]
        for made in _facts(noun, number, chance, before, after):
            (stale if made.is_stale else fresh).append(made)
        number += 1
    return [*stale[:count], *fresh[:count]], before, after


def _facts(
    noun: str, number: int, chance: random.Random, before: dict[str, str], after: dict[str, str]
) -> Iterator[Fact]:
    gone, kept = f"src/{noun}{number}/old_{noun}.py", f"src/{noun}{number}/main.py"
    before[gone] = f"def run_{noun}_{number}():\n    return 'https://docs.example.invalid/{noun}/{number}'\n"
    before[kept] = after[kept] = f"class {noun.title()}{number}:\n    LIMIT_{number} = {number}\n"
    match number % 5:
        case 0:
            yield Fact(f"The {noun} {number} is started from {gone}.", True, "path")
            yield Fact(f"The {noun} {number} is configured in {kept}.", False, "path")
        case 1:
            yield Fact(f"Call `run_{noun}_{number}()` before the {noun} sends anything.", True, "symbol")
            yield Fact(f"Raise `LIMIT_{number}` when the {noun} is slow.", False, "symbol")
        case 2:
            yield Fact(f"How the {noun} retries: https://docs.example.invalid/{noun}/{number}", True, "url")
            unwritten = f"The plan for src/{noun}{number}/future.py is not written yet."
            plain = f"The user wants the {noun} of team {number} explained in short sentences."
            yield Fact(chance.choice([unwritten, plain]), False, "nothing that is gone")
        case 3:
            port = chance.randrange(2000, 8000)
            yield Fact(f"The {noun} number {number} listens on port {port} in the office.", True, "old")
            yield Fact(f"The {noun} number {number} listens on port {port + 1} in the office.", False, "new")
        case _:
            yield Fact(f"Restart the {noun} {number} on Mondays.", True, "covered")
            yield Fact(f"Restart the {noun} {number} on Mondays. Tell team {number} first.", False, "covering")

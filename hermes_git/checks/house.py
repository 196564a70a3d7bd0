"""HG23 and HG24: house rules for skills that agents find quickly, read cheaply and can follow.

They are notes where they are a matter of style, warnings where something is missing. The words and limits are in
`knowledge.standards`, because the authoring prompt teaches the same ones.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from hermes_git.checks.reading import SkillReading
from hermes_git.checks.registry import Spot, skill_check
from hermes_git.finding import NOTE, WARNING
from hermes_git.knowledge.sections import sections
from hermes_git.knowledge.skill import Section
from hermes_git.knowledge.standards import (
    MARKETING_WORD,
    MAX_LINES,
    MAX_TOKENS,
    PLACEHOLDER,
    REQUIRED_SECTIONS,
    SECTIONS,
    SHORT_DESCRIPTION,
)
from hermes_git.tokens import estimate

WHEN = "## When to Use\n\n- now\n"


def page(body: str = WHEN, description: str = "Checks links.") -> str:
    """Return a SKILL.md for the examples of this module."""
    return f"---\nname: x\ndescription: {description}\n---\n# X\n\n{body}"


def one(text: str, *others: str) -> tuple[tuple[str, str | bytes], ...]:
    """Return the example tree that holds one skill called x, with other files of one word."""
    return (("x/SKILL.md", text), *((f"x/{name}", "text\n") for name in others))


def _described(skill: SkillReading) -> tuple[str, int]:
    """Return the description on one line and its line; "" where there is none or the skill is archived."""
    if skill.is_archived or skill.skill.problem:
        return "", 1
    return " ".join(skill.skill.description.split()), skill.skill.header.lines.get("description", 1)


def _sections(skill: SkillReading) -> tuple[Section, ...]:
    return sections(skill.body, first_line=skill.skill.header.body_line)


@skill_check(
    "HG230",
    severity=NOTE,
    fires=(one(page(description="a" * 61 + ".")),),
    quiet=(one(page(description="a" * 59 + ".")), one(page())),
)
def description_is_cut(skill: SkillReading) -> Iterator[Spot]:
    """A description that an index cuts off.

    Hermes shows 60 characters of a description in its prompt index; what comes after does not help an agent to decide.

    Fix: say what the skill does in 60 characters; when to use it belongs under `## When to Use`.
    """
    text, line = _described(skill)
    if len(text) > SHORT_DESCRIPTION:
        hint = f"the index shows: {text[: SHORT_DESCRIPTION - 3]}..."
        yield Spot(line, f"the description has {len(text)} characters, {SHORT_DESCRIPTION} are shown", hint=hint)


@skill_check(
    "HG231",
    severity=NOTE,
    fires=(one(page(description="Checks links")), one(page(description="Checks links. Use it often."))),
    quiet=(
        one(page()),
        one(page(description="Checks v1.2 links, e.g. http ones.")),
        one(page(description="检查链接。")),
    ),
)
def description_is_no_sentence(skill: SkillReading) -> Iterator[Spot]:
    """A description that is not one sentence with a full stop.

    One finished sentence is read as a statement of what the skill does; a fragment or a paragraph is not.

    Fix: write one sentence and end it with a full stop.
    """
    text, line = _described(skill)
    if text and not text.endswith((".", "。", "．")):
        yield Spot(line, "the description does not end with a full stop", hint=f"write: {text[:59].rstrip()}.")
    elif re.search(r"(?<=[a-z0-9)`'\"]{2})[.!?] +[A-Z]", text) or "。" in text[:-1]:
        yield Spot(line, "the description has several sentences", hint="keep what the skill does; move the rest down")


@skill_check(
    "HG232",
    severity=NOTE,
    fires=(one(page(description="A powerful link checker.")),),
    quiet=(one(page()), one(page(description="Checks links with robust-parser."))),
)
def description_praises(skill: SkillReading) -> Iterator[Spot]:
    """A description that praises.

    Words such as powerful, comprehensive or seamless cost room in every session and tell an agent nothing.

    Fix: leave the word out.
    """
    text, line = _described(skill)
    found = sorted({match.group().lower() for match in MARKETING_WORD.finditer(text)})
    if found:
        yield Spot(line, f"praise instead of content: {', '.join(found)}", hint="leave it out")


@skill_check(
    "HG233",
    severity=NOTE,
    fires=(one(page("## Pitfalls\n\na\n\n## When to Use\n\nb\n")), one(page("## Procedure\n\n1. a\n"))),
    quiet=(one(page()), one(page("## When to Use\n\na\n\n## Ours\n\n## Procedure\n\nb\n\n## Verification\n\nc\n"))),
)
def sections_in_another_order(skill: SkillReading) -> Iterator[Spot]:
    """Sections that are missing or in another order than in other skills.

    An agent that knows one skill finds its way in the next: When to Use, Prerequisites, How to Run, Quick Reference,
    Procedure, Pitfalls, Verification. Sections may be left out, others may stand between; When to Use is needed.

    Fix: add `## When to Use`, or move the section.
    """
    if skill.is_archived or skill.skill.problem:
        return
    known = {name.lower(): name for name in SECTIONS}
    found = [(known[row.title.lower()], row.line) for row in _sections(skill) if row.title.lower() in known]
    for name in REQUIRED_SECTIONS:
        if name not in {title for title, _ in found}:
            yield Spot(skill.skill.header.body_line, f"there is no section {name!r}", hint=f"add: ## {name}")
    order = list(SECTIONS)
    for (before, _), (after, line) in itertools.pairwise(found):
        if order.index(after) < order.index(before):
            yield Spot(line, f"the section {after!r} stands after {before!r}", hint=f"move it before {before!r}")


@skill_check(
    "HG234",
    severity=NOTE,
    fires=(one(page(WHEN + "a\n" * 500)), one(page(WHEN + "word " * 6000))),
    quiet=(one(page(WHEN + "a\n" * 400)),),
)
def long_skill(skill: SkillReading) -> Iterator[Spot]:
    """A SKILL.md that is long to load.

    The whole file enters the context when the skill is used. The specification recommends to stay below 500 lines and
    5,000 tokens (estimated here), and to keep what is needed only sometimes in `references/`.

    Fix: move chapters to `references/` and say in SKILL.md when to load each.
    """
    main = next((row for row in skill.readings if row.path == skill.path), None)
    if main is None or skill.is_archived:
        return
    lines, count = len(main.lines), estimate.count(main.text)
    if lines > MAX_LINES or count > MAX_TOKENS:
        hint = "move chapters to references/ and say when to load each"
        yield Spot(0, f"{lines:,} lines, about {count:,} tokens (estimate)", hint=hint)


TICKET = re.compile(r"(?<![\w&])(?:#\d{2,5}|[A-Z]{2,6}-\d{2,6}|(?:PR|MR|issue|pull request) #?\d{2,5})\b")
DATED = re.compile(r"^(?:[-*] |#+ )?\**20\d\d-\d\d-\d\d\b", re.MULTILINE)
MIN_TICKETS = 4
TICKETS_IN_1000 = 0.5


@skill_check(
    "HG235",
    severity=NOTE,
    fires=(one(page(WHEN + "Seen in #101, #102, #103 and #104.\n")), one(page(WHEN + "- 2026-01-02 broke\n" * 4))),
    quiet=(
        one(page(WHEN + "Close the issue with `Fixes #12`.\n")),
        one(page(WHEN + "text " * 4000 + "#11 #12 #13 #14")),
    ),
)
def incident_log(skill: SkillReading) -> Iterator[Spot]:
    """A skill that reads like a log of incidents.

    Ticket numbers and dates say what happened once; an agent needs the rule that came of it.

    Fix: write the rule and how to see that it applies; leave tickets to the history of the repository.
    """
    body = skill.skill.body
    if skill.is_archived or skill.skill.problem:
        return
    for what, found in (("ticket numbers", TICKET.findall(body)), ("dated lines", DATED.findall(body))):
        if len(found) >= MIN_TICKETS and len(found) >= TICKETS_IN_1000 * len(body) / 1000:
            yield Spot(skill.skill.header.body_line, f"{len(found)} {what}", hint="keep the rule, drop the incident")


@skill_check(
    "HG242",
    severity=WARNING,
    fires=(one(page(f"{WHEN}\n## Procedure\n\n{PLACEHOLDER} numbered steps.\n")),),
    quiet=(one(page()),),
)
def unwritten_section(skill: SkillReading) -> Iterator[Spot]:
    """A section that nobody has written yet.

    The skeleton of a new skill says in each section what belongs there; an agent would read that as instructions.

    Fix: write the section, or remove it.
    """
    if skill.is_archived:
        return
    for number, line in enumerate(skill.skill.body.split("\n")):
        if line.startswith(PLACEHOLDER):
            line_number = skill.skill.header.body_line + number
            yield Spot(line_number, "the section is not written", hint="write it, or remove the section")

"""The house standards of a skill: what authoring prompts ask for, new skills start from, and house checks look at."""

from __future__ import annotations

import re

SHORT_DESCRIPTION = 60
"""Characters of a description that every index shows whole."""

SECTIONS: dict[str, str] = {
    "When to Use": "the situations, requests and file kinds that call for this skill, and those that do not",
    "Prerequisites": "what must be installed, configured or known before the first step",
    "How to Run": "the command or tool call that does the usual thing, complete and copyable",
    "Quick Reference": "a table of the commands, flags or decisions needed most often",
    "Procedure": "numbered steps, each with what to do and how to see that it worked",
    "Pitfalls": "what goes wrong, how it shows, and what to do then",
    "Verification": "the check that proves the whole thing worked",
}
"""Section titles in their order, and what each of them answers."""

REQUIRED_SECTIONS = ("When to Use",)
"""Sections that a reader cannot do without; the others may be left out, but not stand in another order."""

PLACEHOLDER = "To be written:"
"""How the skeleton of a new skill marks text that nobody has written yet."""

MARKETING = (
    "powerful comprehensive seamless seamlessly robust advanced cutting-edge state-of-the-art world-class "
    "revolutionary effortless effortlessly blazing blazingly ultimate supercharge unleash game-changing next-level "
    "best-in-class enterprise-grade"
).split()
"""Words that praise instead of saying what a skill does."""

MARKETING_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(MARKETING)})(?![\w-])", re.IGNORECASE)

MAX_LINES = 500
MAX_TOKENS = 5000
"""Lines and tokens of a SKILL.md that the specification recommends to stay below."""

MAX_REFERENCES = 60
"""Files below `references/` from which on nobody finds anything."""

UNWANTED_FILES = frozenset("readme.md changelog.md install.sh setup.sh .gitignore .gitattributes .ds_store".split())
"""Files, by lower-case name, that are for people browsing a repository and not for an agent that uses a skill."""


def body(title: str, intro: str) -> str:
    """Return the body of a new skill: its title, one sentence, and each section with what is to be written there."""
    parts = [f"# {title}", intro]
    for name, question in SECTIONS.items():
        parts += [f"## {name}", f"{PLACEHOLDER} {question}."]
    return "\n\n".join(parts) + "\n"


def title_of(name: str) -> str:
    """Return a title for a skill's name: `release-notes` becomes `Release notes`."""
    words = name.replace("-", " ").strip()
    return words[:1].upper() + words[1:]

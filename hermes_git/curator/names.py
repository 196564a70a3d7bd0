"""Names of skills in the headers of other skills, where hosts follow them: they change when the skill is merged."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hermes_git.document import Document
from hermes_git.knowledge.frontmatter import BadHeader, read

LIST_KEYS = ("related_skills", "related-skills", "skills", "requires_skills", "depends_on")


def has_header(document: Document) -> bool:
    """Say whether a document may have a header with lists of skills: a skill, or one that became a reference."""
    return document.kind in ("skill", "markdown")


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with names replaced in those lists of its header that hold names of skills."""
    try:
        header = read(text)
    except BadHeader:
        return text
    lines = text[header.start : header.end].split("\n")
    in_list = False
    for number, line in enumerate(lines):
        key, colon, _ = line.partition(":")
        in_list = key.strip() in LIST_KEYS if colon else in_list and line.lstrip().startswith("- ")
        if in_list:
            lines[number] = _swapped(line, names)
    return text[: header.start] + "\n".join(lines) + text[header.end :]


def _swapped(line: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        line = re.sub(rf"(?<![\w/.-]){re.escape(old)}(?![\w/.-])", new, line)
    return line

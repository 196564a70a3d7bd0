"""What a person typed: a command of an agent's own prompt without the tags it is stored in. Pure."""

from __future__ import annotations

import re

LONGEST = 4000
"""Characters at the beginning of a message in which the parts of a command are looked for."""

NAME = re.compile(r"<command-name>([^<]{1,200})</command-name>")
ARGUMENTS = re.compile(r"<command-args>([^<]{1,1000})</command-args>")


def typed(text: str) -> str:
    """Return `/review the parser` for a command that Claude Code stored in tags; any other text as it is."""
    if not text.lstrip().startswith("<command-"):
        return text
    name, arguments = (pattern.search(text[:LONGEST]) for pattern in (NAME, ARGUMENTS))
    if name is None:
        return text
    said = [name.group(1).strip(), arguments.group(1).strip() if arguments else ""]
    return " ".join(part for part in said if part)

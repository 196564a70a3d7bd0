"""The list of pinned skills in `hermes-git.toml`, edited so that every other byte of the file stays. Pure.

Pins are policy: they live in the settings, where taking one off is a loosening that an agent may not make alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence

from hermes_git.errors import UserError
from hermes_git.settings import FILE_NAME

TABLE = re.compile(r"^[ \t]*\[curator\][ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
LIST = re.compile(r"^[ \t]*pinned[ \t]*=[ \t]*\[[^\[\]]*\]", re.MULTILINE)
NEXT = re.compile(r"^[ \t]*\[", re.MULTILINE)


def with_pins(text: str, names: Sequence[str]) -> str:
    """Return the settings text with exactly these pins; `UserError` where only a person can edit the list."""
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"pinned = {json.dumps(list(names), ensure_ascii=False)}"
    table = TABLE.search(text)
    if table is None:
        base = text if not text or text.endswith("\n") else text + newline
        after = f"{base}{newline if base else ''}[curator]{newline}{line}{newline}"
    else:
        end_match = NEXT.search(text, table.end())
        end = end_match.start() if end_match else len(text)
        found = LIST.search(text, table.end(), end)
        if found:
            after = text[: found.start()] + line + text[found.end() :]
        else:
            after = text[: table.end()] + newline + line + text[table.end() :]
    if not _says(text, after, names):
        raise UserError("the pins cannot be edited here", where=FILE_NAME, hint=f"write below [curator]: {line}")
    return after


def _says(before: str, after: str, names: Sequence[str]) -> bool:
    """Say whether the edited text parses to the old settings with the new pins, and nothing else."""
    try:
        wanted, found = tomllib.loads(before.replace("\r\n", "\n")), tomllib.loads(after.replace("\r\n", "\n"))
    except (ValueError, RecursionError):
        return False
    wanted.setdefault("curator", {})["pinned"] = list(names)
    return found == wanted

"""Files that a person hands to a command: text and JSON, or a sentence that says what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hermes_git import files
from hermes_git.errors import UserError


def given_text(path: Path) -> str:
    """Return the text of a file in UTF-8, a byte order mark left off."""
    return _text(files.read_bytes(path), str(path))


def given_json(data: bytes, where: str, hint: str) -> Any:
    """Return the value of a JSON file; anything else is an error with that hint."""
    try:
        return json.loads(_text(data, where))
    except (ValueError, RecursionError) as error:
        raise UserError(f"not JSON: {error}", where=where, hint=hint) from error


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError("not UTF-8", where=f"{where}:{line}", hint="save it as UTF-8") from error

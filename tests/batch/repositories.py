"""Small repositories to work on, and tasks about them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository


def repository(folder: Path, files: Mapping[str, str]) -> tuple[Repository, str]:
    """Make a repository with one commit of these files; return it and the commit."""
    repo = create.create(folder)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "files")
    return repo, repo.git("rev-parse", "HEAD").decode().strip()


def call(tool: str, /, **arguments: object) -> dict[str, object]:
    return {"name": tool, "arguments": arguments}


def script(*scripts: tuple[str, list[dict[str, Any]]]) -> bytes:
    """Return a script: (part of the instruction, replies) in turn."""
    rows = [{"match": match, "replies": replies} for match, replies in scripts]
    return json.dumps({"format": 1, "scripts": rows}, ensure_ascii=False).encode()


def working(*calls: dict[str, object], thought: str = "Do it.") -> list[dict[str, Any]]:
    """Return replies: one call a turn, then an answer."""
    return [{"reasoning": thought, "tool_calls": [one]} for one in calls] + [{"text": "Done."}]

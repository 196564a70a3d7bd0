"""Where the agents of this user keep their sessions, and how much is there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files


@dataclass(frozen=True, slots=True)
class Home:
    """One place of sessions: the agent, the path, and how many files and bytes are there."""

    agent: str
    path: Path
    files: int
    bytes: int


PLACES = (
    ("claude-code", "CLAUDE_CONFIG_DIR", "~/.claude", ("projects",)),
    ("codex", "CODEX_HOME", "~/.codex", ("sessions", "archived_sessions")),
    ("hermes", "HERMES_HOME", "~/.hermes", ("state.db", "sessions")),
    ("gemini-cli", "", "~/.gemini/tmp", ("*/chats",)),
    ("cursor", "", "~/.cursor/projects", ("*/agent-transcripts",)),
    ("pi", "PI_CODING_AGENT_DIR", "~/.pi/agent", ("sessions",)),
    ("openclaw", "", "~/.openclaw/agents", ("*/sessions",)),
)
"""Agent, the variable that moves its home, its usual home, and what in it holds sessions."""

HERE = (("specstory", ".specstory/history"),)
"""Agent and the folder that it keeps in each project."""


def find(environment: Mapping[str, str], home: Path, project: Path) -> Iterator[Home]:
    """Yield the places that exist for a user's environment and home, and for the project at hand."""
    for agent, variable, usual, patterns in PLACES:
        named = environment.get(variable, "") if variable else ""
        root = Path(named) if named else home / usual.removeprefix("~/")
        for pattern in patterns:
            yield from (_measured(agent, path) for path in sorted(root.glob(pattern)))
    for agent, folder in HERE:
        if (project / folder).is_dir():
            yield _measured(agent, project / folder)


def _measured(agent: str, path: Path) -> Home:
    found = [path] if path.is_file() else [real for _, real in files.walk(path) if not real.is_symlink()]
    return Home(agent, path, len(found), sum(files.file_size(real) for real in found))


def of_this_user(project: Path) -> list[Home]:
    """Return the places of the user who runs this process."""
    return list(find(os.environ, Path.home(), project))

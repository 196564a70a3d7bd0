"""Where the agents of this user keep their sessions, and how much is there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files
from hermes_git.sessions.intake import Folder, Given, expand


@dataclass(frozen=True, slots=True)
class Home:
    """One place of sessions: the agent, what is to be imported, and how many files and bytes that is."""

    agent: str
    place: Given
    files: int
    bytes: int

    @property
    def path(self) -> Path:
        """Return the file or folder."""
        return self.place.path if isinstance(self.place, Folder) else self.place


PLACES = (
    ("claude-code", "CLAUDE_CONFIG_DIR", "~/.claude", "projects", "*.jsonl"),
    ("codex", "CODEX_HOME", "~/.codex", "sessions", "*.jsonl*"),
    ("codex", "CODEX_HOME", "~/.codex", "archived_sessions", "*.jsonl*"),
    ("hermes", "HERMES_HOME", "~/.hermes", "state.db", ""),
    ("hermes", "HERMES_HOME", "~/.hermes", "sessions", "*_*.json*"),
    ("gemini-cli", "", "~/.gemini/tmp", "*/chats", "session-*.json*"),
    ("opencode", "XDG_DATA_HOME", "~/.local/share", "opencode/opencode*.db", ""),
    ("opencode", "XDG_DATA_HOME", "~/.local/share", "opencode/storage", "storage"),
    ("cursor", "", "~/.cursor", "chats", "store.db"),
    ("cursor", "", "~/.cursor/projects", "*/agent-transcripts", "*.jsonl"),
    ("pi", "PI_CODING_AGENT_DIR", "~/.pi/agent", "sessions", "*.jsonl"),
    ("openclaw", "", "~/.openclaw/agents", "*/sessions", "*.jsonl"),
)
"""Agent, the variable that moves its home, its usual home, what in it holds sessions, and how their files are called.

Agents keep other files there too (indexes, settings); those are not meant, so they are not refused by name.
"""

HERE = (("specstory", ".specstory/history", "*.md"),)
"""Agent, the folder that it keeps in each project, and how its files are called."""


def find(environment: Mapping[str, str], home: Path, project: Path) -> Iterator[Home]:
    """Yield the places that exist for a user's environment and home, and for the project at hand."""
    for agent, variable, usual, inner, names in PLACES:
        named = environment.get(variable, "") if variable else ""
        root = Path(named) if named else home / usual.removeprefix("~/")
        yield from (_measured(agent, path, names) for path in sorted(root.glob(inner)))
    for agent, folder, names in HERE:
        if (project / folder).is_dir():
            yield _measured(agent, project / folder, names)


def _measured(agent: str, path: Path, names: str) -> Home:
    place = path if path.is_file() else Folder(path, names)
    found = [real for source in expand([place]) for real in _inside(source)]
    return Home(agent, place, len(found), sum(files.file_size(real) for real in found))


def _inside(source: Path) -> list[Path]:
    """Return the files of a source, which may be a folder that an agent keeps as one store."""
    return [real for _, real in files.walk(source) if not real.is_symlink()] if source.is_dir() else [source]


def of_this_user(project: Path) -> list[Home]:
    """Return the places of the user who runs this process."""
    return list(find(os.environ, Path.home(), project))

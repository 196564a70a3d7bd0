"""`--agent`: which agent of others works on the prompts, where it keeps its sessions, and what it gets to know."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from hermes_git.batch.external import NO_LIMIT, External
from hermes_git.commands import agent_homes
from hermes_git.commands.call import Call
from hermes_git.errors import UserError
from hermes_git.sessions.intake import Folder

COMMAND = "command:"
BUILT_IN = {
    "claude": ("claude", "-p", "{prompt}"),
    "codex": ("codex", "exec", "{prompt}"),
    "hermes": ("hermes", "chat", "-q", "{prompt}"),
}
"""Agents that can be named alone, and the command that asks each for one answer."""

VARIABLES = (
    "HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "HERMES_HOME",
)  # fmt: skip
"""Variables by which an agent finds its own settings, which it needs; none of them is a secret."""

HOMES = {"claude": "claude-code", "codex": "codex", "hermes": "hermes"}


def external_of(call: Call, options: dict[str, Any]) -> External | None:
    """Return the agent that `--agent` names, or None for our own."""
    named: str = options["agent"]
    if not named:
        return None
    if not options["allow_local_exec"]:
        raise UserError(
            f"{named} would work on this machine, with the permissions you gave it",
            hint="give --allow-local-exec if that is what you want",
        )
    words = BUILT_IN.get(named) or _split(named)
    program = PurePosixPath(words[0]).name
    places = (*_own(call, options["agent_sessions"]), *_of(HOMES.get(program, "")))
    if not places:
        raise UserError(f"it is not known where {program} keeps its sessions", hint="say it: --agent-sessions DIR")
    return External(program, words, places, _variables(options["pass_env"]), options["timeout"] or NO_LIMIT)


def _variables(named: Sequence[str]) -> tuple[tuple[str, str], ...]:
    missing = [name for name in named if name not in os.environ]
    if missing:
        raise UserError(f"there is no variable {missing[0]} to pass on", hint=f"export {missing[0]}=… first")
    return tuple((name, os.environ[name]) for name in (*VARIABLES, *named) if name in os.environ)


def _split(named: str) -> tuple[str, ...]:
    if not named.startswith(COMMAND):
        raise UserError(
            f"no agent called {named!r}", hint=f"there are {', '.join(BUILT_IN)}, and command:'PROGRAM ARGUMENTS'"
        )
    try:
        words = tuple(shlex.split(named.removeprefix(COMMAND)))
    except ValueError as error:
        raise UserError(f"--agent {named}: {error}", hint="quote the command as in a shell") from error
    if not words:
        raise UserError("--agent command: names no program", hint="for example --agent command:'claude -p {prompt}'")
    return words


def _own(call: Call, folder: str) -> tuple[Folder, ...]:
    return (Folder((call.folder / folder).resolve(), "*"),) if folder else ()


def _of(agent: str) -> tuple[Folder, ...]:
    """Return where an agent of this user keeps its sessions, whether or not it is there yet."""
    found = []
    for name, variable, usual, inner, pattern in agent_homes.PLACES:
        if name == agent and agent:
            root = Path(os.environ.get(variable, "") or Path(usual).expanduser())
            found.append(Folder(root / inner, pattern) if pattern else Folder(root, inner))
    return tuple(found)

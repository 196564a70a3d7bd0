"""Agents of others: a command that works in the scratch folder, and the session that it leaves, read as any import is.

A session is the command's own when it names the scratch folder, which no other prompt has, as the place it was held in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from hermes_git import files
from hermes_git.batch import record, subprocesses
from hermes_git.batch.dataset import Prompt
from hermes_git.batch.record import NOTHING, Extra, Recipe, Record
from hermes_git.errors import UserError
from hermes_git.sessions.detect import detect
from hermes_git.sessions.intake import Folder, expand
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.model import Session
from hermes_git.sessions.source import Source

PROMPT = "{prompt}"
NO_LIMIT = 24 * 3600.0
MAX_SESSION_FILE = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class External:
    """An agent's command, where it leaves sessions, the variables it gets, and the seconds it may take.

    `{prompt}` in an argument stands for the prompt; without it the prompt is the last argument.
    """

    name: str
    command: tuple[str, ...]
    places: tuple[Folder, ...] = ()
    variables: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    seconds: float = NO_LIMIT

    def arguments(self, prompt: str) -> list[str]:
        """Return the command for a prompt; its text is an argument, never a piece of a shell command."""
        if any(PROMPT in word for word in self.command):
            return [word.replace(PROMPT, prompt) for word in self.command]
        return [*self.command, prompt]

    def environment(self, folder: Path) -> dict[str, str]:
        """Return the variables that the agent gets."""
        return {**subprocesses.restricted(folder), **dict(self.variables)}


def perform(agent: External, prompt: str, folder: Path) -> Session:
    """Run an agent in a folder and return its session; `UserError` when there is none."""
    before = {path: _marks(path) for path in _candidates(agent.places)}
    done = subprocesses.run(
        agent.arguments(prompt), folder=folder, environment=agent.environment(folder), seconds=agent.seconds
    )
    if done.timed_out:
        raise UserError(f"{agent.name} was not done after {agent.seconds:g} s", hint="give it more --timeout")
    changed = [path for path in _candidates(agent.places) if _marks(path) != before.get(path)]
    found = [session for path in changed for session in _held_in(path, folder)]
    if not found:
        said = " ".join(done.output.split())[-300:]
        raise UserError(
            f"{agent.name} left no session (exit code {done.exit_code}): {said}",
            hint="say where it keeps them: --agent-sessions DIR",
        )
    best = max(found, key=lambda session: len(session.messages))
    ended = best.end_reason or (f"error: exit code {done.exit_code}" if done.exit_code else "")
    return msgspec.structs.replace(best, end_reason=ended)


Mark = tuple[int, int] | None


def _marks(path: Path) -> tuple[Mark, Mark]:
    """Return what changes when a file is written; a database in use is written to the log beside it."""
    return files.mark(path), files.mark(path.with_name(path.name + "-wal"))


def _candidates(places: Iterable[Folder]) -> Iterator[Path]:
    yield from expand(place for place in places if place.exists())


def _held_in(path: Path, folder: Path) -> Iterator[Session]:
    """Yield the sessions of a file that were held in a folder; files in no known format hold none."""
    if files.file_size(path) > MAX_SESSION_FILE:
        raise UserError(f"{path} is larger than {MAX_SESSION_FILE:,} bytes", hint="move old sessions away")
    source = Source(path)
    module = detect(source.head)
    if module is None:
        return
    for session in module.read(source, Tally(source.shown)):
        if session.cwd and Path(session.cwd).resolve() == folder:
            yield session


def of_session(prompt: Prompt, session: Session, recipe: Recipe, *, extra: Extra = NOTHING) -> Record:
    """Return the record of a prompt that an agent of others worked on."""
    answers = [message for message in session.messages if message.role == "assistant"]
    calls = Counter(call.name for message in answers for call in message.tool_calls)
    failures = Counter(
        message.tool_name or "unknown" for message in session.messages if message.role == "tool" and message.is_error
    )
    usage = session.usage or _summed(message.usage for message in answers)
    counted = {
        "api_calls": len(answers),
        "usage": {"input": usage.get("input", 0), "output": usage.get("output", 0)},
        "tools": dict(sorted(calls.items())),
        "tool_failures": {name: min(count, calls[name]) for name, count in sorted(failures.items()) if calls[name]},
        "turns": len(answers),
        "thoughts": sum(bool(message.reasoning.strip()) for message in answers),
    }
    columns = {"partial": False, "api_calls": len(answers), "toolsets_used": [session.agent]}
    columns |= record.tool_columns(recipe.tools, calls, failures)
    named = msgspec.structs.replace(session, id=f"{recipe.run}-{prompt.id}")
    return record.of_session(prompt, named, recipe, columns=columns, counted=counted, extra=extra)


def _summed(rows: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row)
    return dict(total)

"""Tasks on repositories: one JSON object a line, each a prompt with the repository it is about and how it is judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_git.batch import dataset
from hermes_git.batch.dataset import Dataset, Invalid, Names, Prompt
from hermes_git.trajectories import strict_json

KEYS: Mapping[str, tuple[str, ...]] = {
    "text": ("instruction", "problem_statement", "prompt", "task"),
    "repository": ("repository", "repo"),
    "commit": ("commit", "base_commit"),
    "test_command": ("test_command",),
    "test_patch": ("test_patch",),
    "setup_command": ("setup_command",),
    "image": ("docker_image", "image"),
    "cwd": ("cwd",),
}
"""What a task reads, and under which keys, the first one that is there; all other keys are carried along."""

REQUIRED = ("text", "repository")


@dataclass(frozen=True, slots=True)
class Task(Prompt):
    """A prompt about a repository: a path or URL, the commit, a command before the work, and how the result is tested.

    `test_patch` is applied before `test_command` runs, so that an agent never sees the tests that judge it.
    """

    repository: str = ""
    commit: str = ""
    setup_command: str = ""
    test_command: str = ""
    test_patch: str = ""

    @property
    def is_remote(self) -> bool:
        """Say whether its repository is reached over a network."""
        return is_remote(self.repository)


def is_remote(source: str) -> bool:
    """Say whether a source is an URL or an address such as `git@host:path`."""
    host, colon, _ = source.partition(":")
    return "://" in source or (bool(colon) and "/" not in host)


def read(lines: Iterable[tuple[int, bytes]], folder: Path) -> Dataset:
    """Read tasks; paths of repositories are relative to `folder`, the one that the file is in."""
    tasks: list[Prompt] = []
    invalid: list[Invalid] = []
    names = Names()
    for number, row in dataset.rows(lines, invalid):
        reason = _problem(row)
        if reason:
            invalid.append(Invalid(number, reason))
        else:
            tasks.append(_task(row, len(tasks), names, folder))
    return Dataset(tuple(tasks), tuple(sorted(invalid, key=lambda one: one.line)))


def _problem(row: Mapping[str, Any]) -> str:
    for name, keys in KEYS.items():
        value = _value(row, name)
        if value is not None and not isinstance(value, str):
            return f"{keys[0]} is not a string"
        if name in REQUIRED and not (value or "").strip():
            return f"no {keys[0]}"
    return ""


def _value(row: Mapping[str, Any], name: str) -> Any:
    return next((row[key] for key in KEYS[name] if row.get(key) is not None), None)


def _task(row: Mapping[str, Any], index: int, names: Names, folder: Path) -> Task:
    found = {name: strict_json.encodable(_value(row, name) or "") for name in KEYS}
    known = {key for keys in KEYS.values() for key in keys}
    extra = json.dumps(
        {key: value for key, value in row.items() if key not in known}, ensure_ascii=True, sort_keys=True
    )
    if not is_remote(found["repository"]):
        found["repository"] = str((folder / found["repository"]).resolve())
    return Task(id=names.name(row), index=index, extra=extra, **found)

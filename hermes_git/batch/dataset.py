"""Prompts to run: one JSON object a line, each known by its content, so that a resumed run finds its place again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hermes_git.trajectories import strict_json

MAX_PROMPT = 4 * 1024 * 1024
ID_DIGITS = 16
OURS = frozenset(("prompt", "image", "docker_image", "cwd"))
"""Keys of a row that the runner reads; all others are carried into the trajectory as they are."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One row of a dataset.

    `id` is a digest of the whole row, with `-2`, `-3` … for equal rows, so that duplicates stay apart and reordering
    changes nothing. `extra` is JSON text of the row's other keys.
    """

    id: str
    index: int
    text: str
    image: str = ""
    cwd: str = ""
    extra: str = "{}"


@dataclass(frozen=True, slots=True)
class Invalid:
    """A line that is no prompt, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """All prompts in order, the lines that were none, and the SHA-256 of the prompts' ids."""

    prompts: tuple[Prompt, ...] = ()
    invalid: tuple[Invalid, ...] = ()

    @property
    def digest(self) -> str:
        """Return what identifies the prompts and their order."""
        return hashlib.sha256("\n".join(prompt.id for prompt in self.prompts).encode()).hexdigest()

    def reasons(self) -> dict[str, int]:
        """Return how many lines were refused, by reason."""
        return dict(sorted(Counter(row.reason for row in self.invalid).items()))

    def first(self, count: int) -> Dataset:
        """Return the dataset cut to its first prompts; 0 keeps all."""
        return Dataset(self.prompts[:count], self.invalid) if count else self


@dataclass(slots=True)
class Names:
    """Gives out ids by content, equal content a number behind."""

    seen: Counter[str] = field(default_factory=Counter)

    def name(self, row: Mapping[str, Any]) -> str:
        """Return the id of a row."""
        text = json.dumps(row, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()[:ID_DIGITS]
        self.seen[digest] += 1
        return digest if self.seen[digest] == 1 else f"{digest}-{self.seen[digest]}"


def read(lines: Iterable[tuple[int, bytes]]) -> Dataset:
    """Read `(number, line)` pairs; blank lines are skipped, lines that are no prompt are kept with their reason."""
    prompts: list[Prompt] = []
    invalid: list[Invalid] = []
    names = Names()
    for number, row in rows(lines, invalid):
        reason = _problem(row)
        if reason:
            invalid.append(Invalid(number, reason))
            continue
        extra = {key: value for key, value in row.items() if key not in OURS}
        prompts.append(
            Prompt(
                names.name(row),
                len(prompts),
                strict_json.encodable(row["prompt"]),
                str(row.get("docker_image") or row.get("image") or ""),
                str(row.get("cwd") or ""),
                json.dumps(extra, ensure_ascii=True, sort_keys=True),
            )
        )
    return Dataset(tuple(prompts), tuple(sorted(invalid, key=lambda one: one.line)))


def rows(lines: Iterable[tuple[int, bytes]], invalid: list[Invalid]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield `(number, object)` of lines that hold one; others but blank ones go to `invalid`."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            row = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            invalid.append(Invalid(number, "not UTF-8"))
        except (ValueError, RecursionError):
            invalid.append(Invalid(number, "not valid JSON"))
        else:
            if isinstance(row, dict):
                yield number, row
            else:
                invalid.append(Invalid(number, "not a JSON object"))


def _problem(row: Mapping[str, Any]) -> str:
    prompt = row.get("prompt")
    if not isinstance(prompt, str):
        return "no prompt" if prompt is None else "prompt is not a string"
    if not prompt.strip():
        return "prompt is empty"
    return "prompt is too long" if len(prompt) > MAX_PROMPT else ""

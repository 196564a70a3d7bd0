"""HG790, HG791: what other scanners say, held to the same policy as what this one says.

They are named in the user's own git configuration and nowhere else: a repository must not choose who judges it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from hermes_git.checks.registry import declare
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, NOTE, WARNING, Finding, Severity, digest

PREFIX = "hermes-git.opinion."
SECONDS = 60
LONGEST_MESSAGE = 300

SECOND = declare(
    "HG790",
    severity=WARNING,
    title="A second opinion.",
    doc="""
    Another scanner, which the user's git configuration names, reported this. Its severity is taken over: what it calls
    critical, high or an error blocks.

    Fix: see what that scanner says about its rule; waive the finding here if it is wrong.
    """,
)
SILENT = declare(
    "HG791",
    severity=ERROR,
    title="A second opinion that could not be had.",
    doc="""
    The scanner is missing, took too long, printed neither SARIF nor JSON, says that it did not finish, or ended with
    an exit status that says nothing. `onFailure` says each time what that means: `closed` blocks, `open` is a note.
    There is no number of failures after which one becomes the other.

    Fix: mend the command of `hermes-git.opinion.NAME.command`, or take it out of your git configuration.
    """,
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A scanner to ask: its name, its command, what a failure means, and its time in seconds.

    `form` is how it answers (`report` or `exit`), `warn_code` the exit status that is a warning, `about` what it is
    asked about, `doors` where it is asked (see docs/settings.md).
    """

    name: str
    command: tuple[str, ...]
    is_open: bool = False
    seconds: int = SECONDS
    form: str = "report"
    warn_code: int | None = None
    about: tuple[str, ...] = ("skills",)
    doors: str = "all"


@dataclass(frozen=True, order=True, slots=True)
class Said:
    """One thing that a scanner says of what it was asked about: path inside it, line (0: none), gravity, message."""

    path: str
    line: int
    severity: Severity
    message: str


CHOICES = {
    "onfailure": ("onFailure", ("closed", "open")),
    "format": ("format", ("report", "exit")),
    "doors": ("doors", ("all", "check")),
}
"""Key as git prints it → how it is written, and what it may say, the default first."""
NUMBERS = {"seconds": ("seconds", 1, 3600), "warncode": ("warnCode", 1, 255)}
ABOUT = ("skills", "files", "commands")
END_OF_OPTIONS = "--"


def configured(options: Mapping[str, str]) -> tuple[Opinion, ...]:
    """Return the scanners of a git configuration, sorted by name; a mistake in it is a `UserError`."""
    rows: dict[str, dict[str, str]] = {}
    for key in sorted(options):
        if key.startswith(PREFIX):
            name, _, last = key[len(PREFIX) :].rpartition(".")
            rows.setdefault(name, {})[last] = options[key]
    return tuple(_opinion(name, rows[name]) for name in sorted(rows))


def _opinion(name: str, row: Mapping[str, str]) -> Opinion:
    where = f"{PREFIX}{name}"
    known = ("command", "about", *CHOICES, *NUMBERS)
    unknown = next((key for key in row if key not in known), "")
    if unknown:
        raise UserError(f"{where}.{unknown} is no setting", hint=f"there are: {', '.join(known)}")
    choice = {key: _choice(where, key, row) for key in CHOICES}
    seconds = _number(where, "seconds", row)
    command, about = _command(where, row), _about(where, row)
    if "commands" in about and command[-1] != END_OF_OPTIONS:
        raise UserError(
            f"{where}.command does not end with {END_OF_OPTIONS}",
            hint="a block of commands that begins with a hyphen must not be read as an option: end it with --",
        )
    is_open = choice["onfailure"] == "open"
    warn = _number(where, "warncode", row)
    return Opinion(name, command, is_open, seconds or SECONDS, choice["format"], warn, about, choice["doors"])


def _command(where: str, row: Mapping[str, str]) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(row.get("command", "")))
    except ValueError as error:
        raise UserError(f"{where}.command cannot be split: {error}", hint="close its quotes") from error
    if not command:
        raise UserError(f"{where} has no command", hint=f"git config --global {where}.command 'SCANNER --format sarif'")
    return command


def _about(where: str, row: Mapping[str, str]) -> tuple[str, ...]:
    words = tuple(row.get("about", ABOUT[0]).replace(",", " ").split())
    if not words or not set(words) <= set(ABOUT):
        raise UserError(f"{where}.about is {row['about']!r}", hint=f"write one or more of {', '.join(ABOUT)}")
    return tuple(word for word in ABOUT if word in words)


def _choice(where: str, key: str, row: Mapping[str, str]) -> str:
    shown, choices = CHOICES[key]
    value = row.get(key, choices[0])
    if value not in choices:
        raise UserError(f"{where}.{shown} is {value!r}", hint=f"write {' or '.join(choices)}")
    return value


def _number(where: str, key: str, row: Mapping[str, str]) -> int | None:
    shown, least, most = NUMBERS[key]
    text = row.get(key)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and least <= int(text[:6]) <= most):
        raise UserError(f"{where}.{shown} is {text!r}", hint=f"write a number from {least} to {most}")
    return int(text)


def failed(opinion: Opinion, why: str, path: str = "") -> Finding:
    """Return the finding for an opinion on a path that could not be had."""
    severity = NOTE if opinion.is_open else ERROR
    meaning = "passes, since its onFailure is open" if opinion.is_open else "blocks, since its onFailure is closed"
    message = f"{opinion.name} gave no opinion: {why}; that {meaning}"
    return Finding(path, 0, 1, SILENT.id, severity, message, digest(opinion.name), "mend its command, or take it out")


def finding(opinion: Opinion, said: Said, path: str, line: int) -> Finding:
    """Return the finding for what a scanner says, at the path and line it means in the tree."""
    text = f"{opinion.name}: {said.message[:LONGEST_MESSAGE]}"
    hint = "see what that scanner says of it"
    return Finding(path, line, 1, SECOND.id, said.severity, text, digest(said.message), hint)

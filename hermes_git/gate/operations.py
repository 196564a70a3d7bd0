"""Operations on a memory file: resolved against the entries that are there, then applied to any copy of it. Pure.

`old_text` must select exactly one entry: the whole text of an entry wins over a part of one; nothing and several are
errors that show what could have been meant. A batch is applied in order to a copy and judged on its end state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_git.errors import UserError
from hermes_git.gate.memory import shorten
from hermes_git.knowledge.changes import nearest
from hermes_git.knowledge.entries import MemoryFile, entry_id, lone_separator_line, normal_text, same_meaning

ACTIONS = ("add", "replace", "remove")


class NotOneEntry(UserError):
    """A text that was to select one entry selects none, or several."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What somebody asks for: an action, the text (or a part of it) to find, and the new text."""

    action: str
    content: str = ""
    old_text: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """An operation resolved: the exact text of the entry before, and of the entry after ("" where there is none)."""

    action: str
    before: str
    after: str


def resolve(file: MemoryFile, operations: Sequence[Operation]) -> tuple[Step, ...]:
    """Resolve operations against a file, each seeing the ones before it; any that cannot be resolved stops them all.

    Adding what is there already, but for white space and Unicode composition, is no step: the result is shorter.
    """
    steps: list[Step] = []
    for number, operation in enumerate(operations, start=1):
        label = f"operation {number}" if len(operations) > 1 else ""
        step = _resolve_one(file, operation, label)
        if step is not None:
            file = apply(file, (step,))
            steps.append(step)
    return tuple(steps)


def _resolve_one(file: MemoryFile, operation: Operation, label: str) -> Step | None:
    if operation.action not in ACTIONS:
        raise UserError(f"unknown action {operation.action!r}", where=label, hint=f"use one of {', '.join(ACTIONS)}")
    content = normal_text(operation.content)
    if operation.action != "remove":
        _check_content(content, label)
    if operation.action == "add":
        return None if _standing(file.texts, content) else Step("add", "", content)
    before = select(file.texts, operation.old_text, label)
    if operation.action == "remove":
        return Step("remove", before, "")
    if content == before:
        return None
    if content in file.texts:
        raise UserError(f"entry {entry_id(content)} says this already", where=label, hint="remove the old one instead")
    return Step("replace", before, content)


def _check_content(content: str, label: str) -> None:
    if not content:
        raise UserError("the text of the entry is empty", where=label, hint="give the fact in a sentence")
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as error:
        hint = "it holds half of a surrogate pair, or bytes that are not UTF-8; give it as UTF-8"
        raise UserError(f"character {error.start + 1} of the text is no Unicode", where=label, hint=hint) from error
    line = lone_separator_line(content)
    if line:
        raise UserError(
            f"line {line} of the text holds only the separator §, which would end the entry there",
            where=label,
            hint="put words on that line, or add two entries",
        )


def _standing(texts: Sequence[str], content: str) -> str:
    """Return the entry that says the same but for white space and composition, or ""."""
    return next((text for text in texts if same_meaning(text) == same_meaning(content)), "")


def standing(file: MemoryFile, content: str) -> str:
    """Return the entry of a file that already says this, or "": the reason why an add was no step."""
    return _standing(file.texts, normal_text(content))


def select(texts: Sequence[str], old_text: str, label: str = "") -> str:
    """Return the one entry that `old_text` selects: by id, by whole text, or by a part that only it holds."""
    wanted = normal_text(old_text)
    if not wanted:
        raise UserError("old_text is empty", where=label, hint="give the entry's text, or a part that only it holds")
    whole = [text for text in texts if text == wanted or entry_id(text) == wanted]
    found = list(dict.fromkeys(whole or [text for text in texts if wanted in text]))
    if len(found) == 1:
        return found[0]
    if not found:
        near = nearest(wanted, texts) or list(texts[:3])
        listed = "\n".join(f"  {entry_id(text)}  {shorten(text)}" for text in near)
        hint = f"the nearest entries are:\n{listed}" if near else "the file has no entries yet"
        raise NotOneEntry(f"no entry holds {shorten(wanted)!r}", where=label, hint=hint)
    listed = "\n".join(f"  {entry_id(text)}  {shorten(text)}" for text in found)
    raise NotOneEntry(
        f"{len(found)} entries hold {shorten(wanted)!r}; nothing was changed",
        where=label,
        hint=f"give more of the text, or an id:\n{listed}",
    )


def apply(file: MemoryFile, steps: Sequence[Step]) -> MemoryFile:
    """Apply resolved steps to a file; `UserError` where a step's entry is not in it."""
    for step in steps:
        if step.action == "add":
            file = file if step.after in file.texts else file.add(step.after)
            continue
        if step.before not in file.texts:
            raise UserError(f"entry {entry_id(step.before)} is not there: {shorten(step.before)}")
        position = file.texts.index(step.before)
        file = file.remove(position) if step.action == "remove" else file.replace(position, step.after)
    return file

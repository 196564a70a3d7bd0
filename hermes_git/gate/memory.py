"""Judging a memory file: budget, duplicates, contradictions, and entries that would not read back as one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_git.finding import ERROR, WARNING, Finding
from hermes_git.gate.findings import finding
from hermes_git.knowledge import budget
from hermes_git.knowledge.budget import Count
from hermes_git.knowledge.entries import Entry, MemoryFile
from hermes_git.settings import MemorySettings

CLASH_CHECKS = {"same": "HG703", "near": "HG704", "contradiction": "HG705"}


def judge(
    path: str,
    target: str,
    before: MemoryFile,
    after: MemoryFile,
    settings: MemorySettings,
    *,
    count_tokens: Count | None = None,
) -> Iterator[Finding]:
    """Yield what stands against a memory file as proposed, given what it was."""
    yield from _budget(path, target, before, after, settings, count_tokens)
    old = set(before.texts)
    seen: dict[str, Entry] = {}
    for entry in after.entries:
        if entry.text in seen:
            first = seen[entry.text]
            yield finding(
                "HG702", path, f"entry {entry.id} also stands at line {first.line}", line=entry.line, text=entry.text
            )
        elif entry.text not in old:
            yield from _clashes(path, entry, [text for text in after.texts if text != entry.text])
        seen.setdefault(entry.text, entry)


def _clashes(path: str, entry: Entry, others: Sequence[str]) -> Iterator[Finding]:
    from hermes_git.gate.duplicates import clashes  # only where an entry is new

    for clash in clashes(entry.text, others):
        message = f"{clash.why}: {shorten(clash.other)}"
        yield finding(CLASH_CHECKS[clash.kind], path, message, line=entry.line, text=entry.text)


def _budget(
    path: str, target: str, before: MemoryFile, after: MemoryFile, settings: MemorySettings, count: Count | None
) -> Iterator[Finding]:
    limit = budget.limit_of(target, settings)
    now, was = budget.used(after.texts, settings, count), budget.used(before.texts, settings, count)
    if now <= limit:
        return
    shrinking = limit < now < was
    message = f"{now:,} of {limit:,} {settings.unit}: {now - limit:,} too many"
    oldest = ", ".join(f"{entry.id} ({shorten(entry.text, 40)})" for entry in after.entries[:2])
    hint = f"shorten or remove entries; the first ones are {oldest}"
    found = finding("HG701", path, message, text=f"{target} budget", hint=hint)
    yield replace(found, severity=WARNING if shrinking or now == was else ERROR)


def shorten(text: str, width: int = 80) -> str:
    """Return the start of a text on one line, for messages."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"

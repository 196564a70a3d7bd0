"""Over budget: which entries to give up, from their history and their uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hermes_git.commands.call import Call
from hermes_git.gate import eviction
from hermes_git.gate.doors import token_counter
from hermes_git.gate.drift import decoded
from hermes_git.gate.eviction import Record
from hermes_git.gitrepo import read
from hermes_git.knowledge import budget
from hermes_git.knowledge.entries import MemoryFile, entry_id
from hermes_git.knowledge.layout import archived_memory_path
from hermes_git.provenance import entry_history, spool
from hermes_git.provenance.change import Change


def records(call: Call) -> dict[str, Record]:
    """Return when each entry at HEAD was taught and how often it was used since, as far as the ledger knows."""
    head = read.head(call.repo)
    if head is None:
        return {}
    origins = entry_history.blame(entry_history.load(call.repo, head))
    uses: Counter[str] = Counter()
    for reading in (spool.read_ledger(call.repo, call.settings), spool.spooled(call.repo)):
        uses.update(use.subject_id for use in reading.uses if use.subject == "entry" and not use.maintenance)
    return {text: Record(origin.step.time, uses[entry_id(text)]) for text, origin in origins.items()}


def evicted(
    call: Call, target: str, base: str | None, file: MemoryFile, written: Sequence[str]
) -> tuple[MemoryFile, dict[str, bytes | None], tuple[Change, ...]]:
    """Make room in an over-full file where the settings say so; return it, the archive file, and what is declared."""
    settings = call.settings.memory
    used = budget.used(file.texts, settings, token_counter(call.settings))
    surplus = used - budget.limit_of(target, settings)
    if settings.over_budget != "evict" or surplus <= 0:
        return file, {}, ()
    path = archived_memory_path(call.settings, target)
    archive = decoded((read.file_at(call.repo, base, path) if base else None) or b"", path)
    scale = 4 if settings.unit == "tokens" else 1  # code points to free for each token that is too many
    queue = eviction.order(file.texts, records(call), settings.evict_first)
    kept, archive, moved = eviction.evict(file, archive, surplus * scale, queue, frozenset(written))
    changes = tuple(Change("evict", target, entry_id(text), entry_id(text), call.actor, call.session) for text in moved)
    return kept, {path: archive.encode()} if moved else {}, changes


def room(call: Call, target: str, file: MemoryFile, written: Sequence[str]) -> str:
    """Say how full a file is and how long the texts are that are to be written, in the unit of the settings."""
    settings, count = call.settings.memory, token_counter(call.settings)
    limit, used = budget.limit_of(target, settings), budget.used(file.texts, settings, count)
    said = f"the file holds {used:,} of {limit:,} {settings.unit}"
    texts = [text for text in written if text]
    return f"{said}; the new text needs {budget.used(texts, settings, count):,}" if texts else said


def advice(call: Call, texts: Sequence[str], known: Mapping[str, Record] | None = None) -> list[str]:
    """Name the oldest and the least used entries for a person who must make room."""
    return eviction.described(texts, known if known is not None else records(call))

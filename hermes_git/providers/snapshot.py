"""The memory block of a system prompt: frozen at a revision, scanned entry by entry, bounded in size.

Layout and headers are Hermes' own, so that a prompt made here and one made there are the same bytes. Pure: a file and
settings in, text out; the same file gives the same block.
"""

from __future__ import annotations

from dataclasses import dataclass

from hermes_git.checks.registry import CHECKS
from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.finding import ERROR, Finding
from hermes_git.knowledge import budget, entries
from hermes_git.knowledge.entries import Entry, MemoryFile
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.settings import Settings

RULE = "═" * 46
TITLES = {"memory": "MEMORY (your personal notes)", "user": "USER PROFILE (who the user is)"}
HEAD_SHARE, TAIL_SHARE = 0.7, 0.2
SMALLEST_CAP = 4000


@dataclass(frozen=True, slots=True)
class Block:
    """One rendered block ("" for an empty store), and one line for every entry that was kept out of it."""

    target: str
    text: str
    quarantined: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the published JSON form."""
        return {"target": self.target, "text": self.text, "quarantined": list(self.quarantined)}


def block(target: str, file: MemoryFile, settings: Settings) -> Block:
    """Render the block of one target; an entry with a blocking finding is replaced by a line that names it."""
    path = memory_path(settings, target)
    shown, notes = [], []
    for entry in dict.fromkeys(Entry(text) for text in file.texts):
        found = threats(path, entry, settings)
        if found:
            ids = ", ".join(dict.fromkeys(found_one.check for found_one in found))
            shown.append(f"[BLOCKED: {TARGETS[target]} entry {entry.id} is not shown: {ids}. "
                         f"A person can read it with: hermes-git memory show {entry.id}]")  # fmt: skip
            notes.append(f"{path}: entry {entry.id} is not in the prompt: {ids} {_title(found[0])}")
        else:
            shown.append(entry.text)
    if not shown:
        return Block(target, "")
    return Block(target, _layout(target, shown, settings), tuple(notes))


def threats(path: str, entry: Entry, settings: Settings) -> list[Finding]:
    """Return the findings that keep an entry out of a prompt, judged as if an agent had written it just now."""
    document = Document(path, entry.text.encode("utf-8", "surrogatepass"))
    report = scan([document], settings=settings, trust="agent")
    return [found for found in report.findings if found.severity == ERROR]


def _title(found: Finding) -> str:
    return CHECKS[found.check].title if found.check in CHECKS else found.message


def _layout(target: str, shown: list[str], settings: Settings) -> str:
    body = entries.render(shown)
    limit = budget.limit_of(target, settings.memory)
    percent = min(100, int(len(body) * 100 / limit)) if limit else 100
    over = " ⚠ OVER BUDGET" if len(body) > limit else ""
    header = f"{TITLES[target]} [{percent}% — {len(body):,}/{limit:,} chars]{over}"
    return "\n".join((RULE, header, RULE, _bounded(body, max(2 * limit, SMALLEST_CAP))))


def _bounded(body: str, cap: int) -> str:
    """Cut a body that is far over budget in the middle, saying how much is missing."""
    if len(body) <= cap:
        return body
    head, tail = body[: int(cap * HEAD_SHARE)], body[len(body) - int(cap * TAIL_SHARE) :]
    left_out = len(body) - len(head) - len(tail)
    return f"{head}\n[… {left_out:,} characters left out: the file is over its budget …]\n{tail}"

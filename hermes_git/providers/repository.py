"""This repository as a provider of memory: entries, skills, past sessions and commits, found by recall."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_git.knowledge.entries import entry_id
from hermes_git.providers.bus import RANK_OFFSET
from hermes_git.providers.protocol import Quiet, Recollection
from hermes_git.recall.answer import Hit
from hermes_git.recall.search import Recall
from hermes_git.recall.snippet import CLOSE, OPEN
from hermes_git.recall.source import is_memory

NAME = "repository"
LIMIT = 8
WORTH = {"memory,skill": 1.0, "session": 0.975, "commit": 0.95, "archive": 0.94}
"""How much a rank counts by kind: entries and skills are ranked together, sessions come after the first, and so on."""

LONGEST_ENTRY, LONGEST_DESCRIPTION = 1200, 400


class RepositoryProvider(Quiet):
    """Answers from an open recall; what the asking session still has in its context is left out."""

    name = NAME

    def __init__(self, recall: Recall, limit: int = LIMIT) -> None:
        self.recall, self.limit = recall, limit

    def is_available(self) -> bool:
        """Say whether there is anything to search."""
        return bool(self.recall.engines)

    def prefetch(self, query: str, *, session_id: str = "") -> Sequence[Recollection]:
        """Return what matters: each kind ranked by itself, then merged by rank, what people keep before what passed."""
        rows: list[tuple[float, int, Hit]] = []
        for order, (kind, worth) in enumerate(WORTH.items()):
            found = self.recall.find(f"{query} kind:{kind}", limit=self.limit, current=session_id)
            for place, hit in enumerate((*found.knowledge.hits, *found.sessions.hits), start=1):
                rows.append((-worth / (RANK_OFFSET + place), order, hit))
        rows.sort(key=lambda row: row[:2])
        return [self._recollection(hit) for _, _, hit in rows[: self.limit]]

    def _recollection(self, hit: Hit) -> Recollection:
        source = hit.source
        said = hit.snippet.replace(OPEN, "").replace(CLOSE, "")
        if source.kind == "session":
            cite = f"hermes-git search --session {source.id} --around {hit.unit}"
            where = f"{source.title or source.id}, {source.started[:10] or 'undated'}, {hit.role}"
            return Recollection(f"session:{source.id}#{hit.unit}", "session", f"{where}: {said}", cite, hit.score)
        if source.kind == "commit":
            cite = f"git show {source.blob[:12]}"
            return Recollection(f"commit:{source.blob}", "commit", f"{source.title} ({source.author})", cite, hit.score)
        if is_memory(source.key):
            text = self.recall.texts.of(source)[hit.unit].text
            entry = entry_id(text)
            return Recollection(f"entry:{entry}", source.kind, _short(text), f"{source.path}, entry {entry}", hit.score)
        cite = f"hermes-git skill show {source.id}" if source.kind == "skill" else f"git show HEAD:{source.path}"
        told = _short(self.recall.texts.of(source)[1].text, LONGEST_DESCRIPTION)
        text = f"{told} | {said}" if hit.unit > 1 else told
        return Recollection(f"{source.kind}:{source.id}", source.kind, text, cite, hit.score)


def _short(text: str, most: int = LONGEST_ENTRY) -> str:
    return text if len(text) <= most else text[:most] + "…"

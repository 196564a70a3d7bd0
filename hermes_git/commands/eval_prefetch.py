"""`hermes-git eval prefetch`: does an utterance bring back the entry or skill that it is about?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import click

from hermes_git.commands.call import Call, common
from hermes_git.commands.eval_input import ZERO
from hermes_git.commands.eval_recall import publish
from hermes_git.commands.fts5 import Fts5
from hermes_git.commands.search import progress
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.evals import ranking
from hermes_git.evals.utterances import About, Piece, utterances
from hermes_git.knowledge.entries import entry_id
from hermes_git.providers.bus import Bus
from hermes_git.providers.prefetch import BUDGET, prefetched
from hermes_git.providers.repository import LIMIT, RepositoryProvider
from hermes_git.recall.search import Recall, open_recall
from hermes_git.recall.source import KNOWLEDGE
from hermes_git.tokens import estimate

DEADLINE = 60.0
"""An exam is about what is found, not about how fast; the command has a deadline of its own."""

KINDS = ("memory", "skill")
Keys = Callable[[str], Sequence[str]]


@click.command()
@click.option("--utterances", "most", type=ZERO, default=300, show_default=True, help="At most; 0 for all.")
@click.option("--out", metavar="DIR", default=None, help="Folder for prefetch.json and prefetch.md.")
@common(json_output=True)
def prefetch(call: Call, *, most: int, out: str | None) -> int:
    """Say something about each memory entry and skill, and see at which place prefetch brings it back.

    An utterance holds two fifths of the words of an entry, or of a skill's description, in another order, without the
    rarest word and the skill's name. `shown` is what is left after the guard and the token budget.

    \b
    hermes-git eval prefetch
    hermes-git eval prefetch --utterances 0 --out scores
    """
    with open_recall(call.repo, call.settings, progress=progress(call)) as recall:
        pieces = list(known(recall))
        asked, short = utterances(pieces, most)
        if not asked:
            raise UserError("no entry or skill says enough to ask about", hint="hermes-git memory add, skill new")
        with closing(Fts5((piece.key, 1, piece.text) for piece in pieces)) as rival:
            searches: dict[str, Keys] = {
                "prefetch": Prefetch(recall, call).keys,
                "prefetch, shown": Prefetch(recall, call).shown,
                "FTS5": lambda text: [key for key, _ in rival.find(text, LIMIT)],
            }
            lines = {
                line: row for name, find in searches.items() for line, row in _examined(call, asked, name, find).items()
            }
        notes, complete = recall.notes, recall.complete
    card = {"format": 1, "kind": "prefetch", "options": {"utterances": most, "limit": LIMIT, "budget": BUDGET},
            "pieces": len(pieces), "too_short": short, "utterances": len(asked), "lines": lines,
            "notes": list(notes), "complete": complete}  # fmt: skip
    about = f"{len(asked)} utterances about {len(pieces)} entries and skills, {short} of which say too little"
    publish(call, card, out, "prefetch", about)
    return OK if complete else FINDINGS


def known(recall: Recall) -> Iterator[Piece]:
    """Yield the entries and skills that prefetch may bring back, by the keys under which it does."""
    engine = recall.engines.get(KNOWLEDGE)
    for source in engine.sources() if engine else ():
        if source.kind in KINDS:
            units = recall.texts.of(source)
            if source.kind == "skill":
                yield Piece(f"skill:{source.id}", "skill", units[1].text, source.id)
            else:
                yield from (Piece(f"entry:{entry_id(unit.text)}", "entry", unit.text) for unit in units.values())


class Prefetch:
    """The prefetch of a repository, as keys in order: all that it found, or what it would show."""

    def __init__(self, recall: Recall, call: Call) -> None:
        self.bus = Bus([RepositoryProvider(recall, LIMIT)], time.monotonic)
        self.settings, self.count = call.settings, estimate.counter(reason="prefetch").count

    def keys(self, text: str) -> list[str]:
        """Return the keys of all that is found."""
        return [row.key for row in self.bus.prefetch_all(text, deadline=DEADLINE).recollections]

    def shown(self, text: str) -> list[str]:
        """Return the keys of what the guard and the budget leave."""
        merged = self.bus.prefetch_all(text, deadline=DEADLINE)
        return [row.key for row in prefetched(merged, "0" * 16, self.settings, self.count).shown]


def _examined(call: Call, asked: Sequence[About], name: str, find: Keys) -> dict[str, object]:
    places: dict[str, list[list[int]]] = {}
    for one in call.watch(asked, name, len(asked)):
        places.setdefault(one.kind, []).append([ranking.place_of(find(one.text), frozenset([one.key]))])
    return {f"{name}: {kind}": ranking.quality(found) for kind, found in sorted(places.items())}

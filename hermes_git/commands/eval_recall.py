"""`hermes-git eval recall`: does search find the message that a sentence came from?"""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import click

from hermes_git import files
from hermes_git.commands.call import Call, common
from hermes_git.commands.eval_input import COUNT, ZERO
from hermes_git.commands.fts5 import Fts5
from hermes_git.commands.search import progress
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.evals import ranking, search_exam
from hermes_git.evals.session_bank import Place, queries
from hermes_git.recall.passage import session_units
from hermes_git.recall.search import Recall, open_recall
from hermes_git.sessions.model import Session
from hermes_git.sessions.store import open_store


@click.command()
@click.option("--questions", "count", type=COUNT, default=5, show_default=True, help="Sentences a session.")
@click.option("--sessions", "most", type=ZERO, default=100, show_default=True, help="Sessions asked about; 0 for all.")
@click.option("--out", metavar="DIR", default=None, help="Folder for recall.json and recall.md.")
@common(json_output=True)
def recall(call: Call, *, count: int, most: int, out: str | None) -> int:
    """Search for words of sentences whose message is known: R@k and MRR, beside BM25 of SQLite FTS5.

    All sessions are searched, some are asked about. A query holds the words of a sentence without one exact term, or
    four of these words. A message counts when it holds the sentence, a session when one of its messages does.

    \b
    hermes-git eval recall
    hermes-git eval recall --sessions 0 --questions 10 --out scores
    """
    sessions = stored(call)
    asked = queries(sessions, search_exam.sample(sessions, most), count)
    if not asked:
        raise UserError("the sessions hold no sentence to ask about", hint="import longer ones: hermes-git session")
    texts = ((session.id, unit.id, unit.text) for session in sessions for unit in session_units(session))
    with (
        closing(Fts5(texts)) as rival,
        open_recall(call.repo, call.settings, progress=progress(call)) as opened,
    ):
        searches = {"search": lambda text, limit: found(opened, text, limit), "FTS5": rival.find}
        lines = search_exam.examined(asked, searches, lambda rows: call.watch(rows, "queries", len(rows)))
        notes, complete = opened.notes, opened.complete
    options = {"questions": count, "sessions": most}
    card = {"format": 1, "kind": "recall", "options": options, "sessions": len(sessions), "queries": len(asked),
            "lines": lines, "notes": list(notes), "complete": complete}  # fmt: skip
    publish(call, card, out, "recall", f"{len(asked)} queries about {len(sessions)} sessions")
    return OK if complete else FINDINGS


def stored(call: Call) -> list[Session]:
    """Return all stored sessions."""
    store = open_store(call.repo, call.settings, now=call.now)
    paths = [one.path for one in store.sessions()]
    found = [store.decode(data, path) for path, data in call.watch(store.read(paths), "sessions", len(paths))]
    if not found:
        raise UserError("no sessions are stored", hint="hermes-git session import FILE")
    return found


def found(opened: Recall, text: str, limit: int) -> list[Place]:
    """Return what `hermes-git search` finds in sessions, the best message of each."""
    hits = opened.find(f"{text} kind:session", limit=limit).sessions.hits
    return [(hit.source.id, hit.unit) for hit in hits]


def publish(call: Call, card: dict[str, Any], out: str | None, name: str, about: str) -> None:
    """Print a card of ranked figures, and write it where a folder is named."""
    if out:
        encoded = json.dumps(card, ensure_ascii=False, indent=1) + "\n"
        page = f"# {name.capitalize()}: what is found among the first\n\n{about}.\n\n{ranking.table(card['lines'])}\n"
        files.write_atomic(call.folder / out / f"{name}.json", encoded.encode("utf-8"))
        files.write_atomic(call.folder / out / f"{name}.md", page.encode("utf-8"))
    if call.json:
        call.emit(card)
    call.say(about)
    for line, row in card["lines"].items():
        figures = "  ".join(f"R@{depth} {row[f'R@{depth}']:5}" for depth in ranking.DEPTHS)
        call.say(f"{line:34} {figures}  MRR {row['MRR']}")
    for note in card["notes"]:
        call.note(f"hermes-git: {note}")

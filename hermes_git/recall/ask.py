"""The one call: open recall, answer in one of the four shapes, and rebuild once if the index turns out damaged."""

from __future__ import annotations

from typing import Any

from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import shapes
from hermes_git.recall.manifest import Damaged
from hermes_git.recall.search import open_recall, rebuilt
from hermes_git.recall.shapes import Parameters
from hermes_git.recall.update import Progress
from hermes_git.settings import Settings


def ask(repo: Repository, settings: Settings, given: Parameters, *, progress: Progress | None = None) -> dict[str, Any]:
    """Answer a call as plain values, ready for JSON. Errors: `UserError` for an unknown session or message."""
    try:
        with open_recall(repo, settings, progress=progress) as recall:
            return shapes.call(recall, given)
    except Damaged as damage:
        rebuilt(repo)
        with open_recall(repo, settings, progress=progress) as recall:
            answer = shapes.call(recall, given)
        return {**answer, "notes": [f"the index was damaged ({damage}) and has been rebuilt"]}

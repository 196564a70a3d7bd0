"""`hermes-git eval curation`: what could be answered before a curator run can be answered after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from hermes_git.commands.call import Call, common
from hermes_git.commands.curate_finish import moment
from hermes_git.commands.eval_input import COUNT
from hermes_git.curator import run
from hermes_git.curator.snapshot import read_tree
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.evals.curation import Asked, Texts, examined, questions
from hermes_git.gitrepo import read
from hermes_git.knowledge.layout import is_below
from hermes_git.settings import Settings


@click.command()
@click.argument("base", required=False)
@click.argument("tip", required=False)
@click.option("--questions", "count", type=COUNT, default=20, show_default=True, help="Questions a touched file.")
@common(json_output=True, now=True)
def curation(call: Call, *, base: str | None, tip: str | None, count: int) -> int:
    """Ask about every knowledge file that a change touches, before and after it: nothing answered may be lost.

    Without commits the change is the curator's next run, as a dry run. What is archived counts as there, and is
    counted apart. The exit code is 1 if the answer to a question that was answered before is lost; where the sentence
    still stands and the reader took another line for it, the question counts as misread.

    \b
    hermes-git eval curation
    hermes-git eval curation main curator/2026-11-29-1a2b3c4
    """
    start, end = commits(call, base, tip)
    before, after = (knowledge(call, commit) for commit in (start, end))
    touched = [path for path, text in before.items() if after.get(path) != text]
    active = {path: text for path, text in after.items() if not is_below(path, call.settings.paths.archive)}
    asked = questions(before, touched, count)
    found = examined(call.watch(asked, "questions", len(asked)), before, after, active)
    lost = [one for one in found if one.is_lost]
    answered = sum(one.is_answered for one in found)
    card = {"format": 1, "kind": "curation", "base": start, "tip": end, "touched": len(touched), "asked": len(asked),
            "answered_before": len(found), "answered_after": answered,
            "answered_by_what_is_active": sum(one.is_active for one in found),
            "misread": len(found) - answered - len(lost), "lost": told(lost)}  # fmt: skip
    _show(call, card)
    return FINDINGS if lost else OK


def commits(call: Call, base: str | None, tip: str | None) -> tuple[str, str]:
    """Return the commits to compare: those named, or HEAD and the tip of the curator's next run."""
    if base and tip:
        return read.resolve(call.repo, base), read.resolve(call.repo, tip)
    if base:
        raise UserError("one commit is no change", hint="name two, or none for the curator's next run")
    start = read.head(call.repo)
    if start is None:
        raise UserError("there is no commit yet", hint="commit your knowledge first")
    with call.progress() as tell:
        made = run.prepare(call.repo, start, call.settings, now=moment(call), cause="an exam", tell=tell)
    return start, made.tip if made.applied else start


def knowledge(call: Call, commit: str) -> Texts:
    """Return the text of every knowledge file of a commit."""
    tree, _ = read_tree(call.repo, commit)
    found = (one for one in tree.documents() if is_knowledge(one.path, call.settings) and one.is_text)
    return {one.path: one.text for one in found}


def is_knowledge(path: str, settings: Settings) -> bool:
    """Say whether a file is memory, of a skill, or archived."""
    return any(is_below(path, folder) for folder in (settings.paths.memory, settings.paths.skills,
                                                     settings.paths.archive))  # fmt: skip


def told(lost: Sequence[Asked]) -> list[dict[str, str]]:
    """Return what is published of the questions that nothing answers any more."""
    return [{"path": one.path, "question": one.question.text, "answer": one.question.gold} for one in lost]


def _show(call: Call, card: dict[str, Any]) -> None:
    if call.json:
        call.emit(card)
    call.say(
        f"{card['touched']} files touched, {card['asked']} questions: {card['answered_before']} answered before, "
        f"{card['answered_after']} after, {card['answered_by_what_is_active']} by what is not archived; "
        f"{card['misread']} misread, {len(card['lost'])} lost"
    )
    for one in card["lost"]:
        call.say(f"{one['path']}: {one['question']} ({one['answer']})")

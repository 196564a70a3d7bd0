"""The guards of the curator: their ids and documentation pages (family HG8)."""

from __future__ import annotations

from hermes_git.checks.registry import declare
from hermes_git.finding import ERROR, Finding, digest

PAGES: dict[str, tuple[str, str]] = {
    "HG801": (
        "Step touches what is not the curator's to move",
        """
        The skill is pinned, protected, built in, in probation, or written by a person while
        `curator.person_authored` is off.

        Fix: leave it out, or change the setting in a commit of its own.
        """,
    ),
    "HG802": (
        "Step removes the last copy of a file",
        """
        A file would be gone: its bytes stand nowhere in the tree after the step. The curator moves, it never deletes.

        Fix: move the file along.
        """,
    ),
    "HG803": (
        "Step merges a skill into nothing",
        """
        The skill named as `into` does not exist after the step, or it is moved by a step of the same plan, so that
        what was merged would be found nowhere.

        Fix: name a skill that stays.
        """,
    ),
    "HG804": (
        "Step loses what a text says",
        """
        A sentence, list item, heading, command, path, URL, table row or code block stood in the knowledge before the
        step, stands there less often after it, and the step does not declare it as a proved duplicate.

        Fix: keep it, or move it to the target's `references/`.
        """,
    ),
    "HG805": (
        "Step shrinks the skill it merges into",
        """
        The target's SKILL.md is shorter after the merge than before it. A merge only adds to its target.

        Fix: put the lines back.
        """,
    ),
    "HG806": (
        "Plan moves a skill twice or in a circle",
        """
        One skill is the subject of two steps, or two skills are merged into each other.

        Fix: keep one of the steps.
        """,
    ),
    "HG807": (
        "Repository moved while the plan was made",
        """
        HEAD is no longer the commit that the plan was made on, so the plan may undo newer work.

        Fix: run `hermes-git curate` again.
        """,
    ),
    "HG808": (
        "Plan has more steps than allowed",
        """
        Nobody reviews a hundred steps. `curator.max_steps` bounds them; the rest waits for the next run.

        Fix: apply fewer, or raise the setting.
        """,
    ),
    "HG809": (
        "Step has no evidence",
        """
        A skill would be archived although nothing proves that it is not used: its history is cut off, or the ledger
        of uses is empty, damaged or too young. No data is not disuse.

        Fix: fetch the history and the branch of sessions, or wait.
        """,
    ),
    "HG810": (
        "Step archives what was restored a short time ago",
        """
        Somebody took the skill back from the archive less than `curator.restore_grace_days` ago.

        Fix: leave it; it ages again from the day it was restored.
        """,
    ),
    "HG811": (
        "Step archives what is named elsewhere",
        """
        A job, instructions for agents, or a skill that stays names the skill, so it would be missed.

        Fix: take it out there first.
        """,
    ),
}

for _id, (_title, _doc) in PAGES.items():
    declare(_id, severity=ERROR, title=_title, doc=_doc)


def guard(check: str, path: str, message: str, *, line: int = 0, hint: str = "") -> Finding:
    """Return the finding of one guard; its identity is what it says."""
    return Finding(path, line, 1, check, ERROR, message, digest(message), hint)

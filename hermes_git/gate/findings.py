"""The findings of the gate: their ids, severities and documentation pages (family HG7)."""

from __future__ import annotations

from hermes_git.checks.registry import declare
from hermes_git.finding import ERROR, NOTE, WARNING, Finding, Severity, digest

PAGES: dict[str, tuple[Severity, str, str]] = {
    "HG701": (
        ERROR,
        "Memory file is over its budget",
        """
        A memory file is put into every prompt, so its length is bounded: 2,200 characters for MEMORY.md and 1,375
        for USER.md unless `hermes-git.toml` says otherwise. Length is counted in Unicode code points of the entries
        joined by their delimiters. A file that was over budget before may shrink step by step: that is a warning.

        Fix: shorten or remove entries (`hermes-git memory list` shows them), or raise `memory.memory_limit`.
        """,
    ),
    "HG702": (
        ERROR,
        "Entry stands twice in one file",
        """
        The same text twice costs budget and says nothing new; Hermes drops the second copy when it reads the file.

        Fix: remove one of the two.
        """,
    ),
    "HG703": (
        WARNING,
        "Entry repeats another one but for white space",
        """
        Two entries differ only in white space, a final dot, or Unicode composition (NFC, NFD).

        Fix: keep the better one.
        """,
    ),
    "HG704": (
        WARNING,
        "Entry has the same words as another one",
        """
        Two entries say nearly the same thing in another order.

        Fix: merge them, or make the difference plain.
        """,
    ),
    "HG705": (
        WARNING,
        "Entry may contradict another one",
        """
        Two entries are alike but for one number or version, one opposite, or a negation. Both are kept: nothing is
        ever removed by adding.

        Fix: replace the outdated one: `hermes-git memory replace`.
        """,
    ),
    "HG706": (
        ERROR,
        "Entry holds a line with only the separator",
        """
        A line that holds only `§` ends an entry, so the entry would be read back as two.

        Fix: put text on that line, or write the sign inside a sentence.
        """,
    ),
    "HG707": (
        ERROR,
        "File is too large to judge",
        """
        A file larger than the limit is not read, and what is not read does not pass.

        Fix: split the file, or keep it outside the repository and link to it.
        """,
    ),
    "HG708": (
        ERROR,
        "Settings or waivers cannot be read",
        """
        The policy of the next commit would be unreadable, and an unreadable policy blocks everything.

        Fix: correct the line that the message names.
        """,
    ),
    "HG710": (
        ERROR,
        "Entry is gone and the commit message does not say so",
        """
        An entry that is in HEAD and missing from the proposal is either meant to go or a lost update. An agent, or
        anyone under `gate.intent = always`, must say which: the message of the commit declares it with a line
        `Hermes-Change: remove memory <id>..- actor=<kind>:<name>`. The tool writes this line by itself.

        Fix: add the line that the message shows, or put the entry back: `git restore -s HEAD -SW <file>`.
        """,
    ),
    "HG711": (
        ERROR,
        "Skill is gone and the commit message does not say so",
        """
        Removing a SKILL.md takes a skill away from every agent that loads it. Like the loss of a memory entry, an
        agent must declare it; archiving and renaming keep the content and need no more than their own line.

        Fix: add the line that the message shows, or use `hermes-git curate`, which archives.
        """,
    ),
    "HG720": (
        WARNING,
        "Policy is loosened",
        """
        Settings, waivers, hooks, workflows or attributes decide what later changes may do. A change that loosens
        them is judged by the policy before it, and an agent may not make it alone: for an agent this is an error
        that another person has to commit.

        Fix: let a person commit the change, by itself, with the reason.
        """,
    ),
    "HG721": (
        ERROR,
        "Waiver shares a commit with other changes",
        """
        A waiver is an agreement to live with a finding. Beside other changes it is overlooked, and a revert of those
        would take it along. It counts only from the commit after it, so it cannot be meant for its neighbours either.

        Fix: commit `knowledge/waivers.toml` by itself, with the reason in the message.
        """,
    ),
    "HG730": (
        NOTE,
        "Memory files are not merged by entry here",
        """
        Git merges by line, and two branches that each add an entry then conflict. A merge driver merges by entry. It
        needs two things: an attribute in `.gitattributes`, which everybody shares, and a line in the configuration of
        each clone. Hosts of repositories run no drivers at all: there, `hermes-git update-branch` merges the base
        into a branch first.

        Fix: `hermes-git doctor --fix` in this clone; `hermes-git init` where the attribute is missing.
        """,
    ),
}

for _id, (_severity, _title, _doc) in PAGES.items():
    declare(_id, severity=_severity, title=_title, doc=_doc)


def finding(check: str, path: str, message: str, *, line: int = 0, text: str = "", hint: str = "") -> Finding:
    """Build a finding of this family; `text` is what it is about and becomes its evidence."""
    return Finding(path, line, 0, check, PAGES[check][0], message, digest(text), hint)

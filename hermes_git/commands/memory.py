"""`hermes-git memory`: a group whose commands are imported on use."""

from __future__ import annotations

import click

from hermes_git.commands.lazy import LazyGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "add": ("commands.memory_entries:add", "Add one entry; what is there already is no change."),
    "adopt": ("commands.memory_drift:adopt", "Commit the edits on disk through the gate."),
    "apply": ("commands.memory_drift:apply", "Carry out a list of operations as one commit."),
    "approve": ("commands.memory_proposals:approve", "Merge a proposal; only a person can."),
    "bisect": ("commands.memory_history:bisect", "Find the commit whose entry made a probe fail."),
    "blame": ("commands.memory_history:blame", "Say who taught each entry, when, in which session."),
    "discard": ("commands.memory_drift:discard", "Give up the edits on disk."),
    "drift": ("commands.memory_drift:drift", "Show, entry by entry, what no commit explains."),
    "list": ("commands.memory_entries:list_entries", "List the entries with their ids and the budget used."),
    "log": ("commands.memory_history:log", "Follow one entry back through edits, moves and renames."),
    "merge": ("commands.memory_driver:merge_files", "Merge three memory files by entry."),
    "merge-driver": ("commands.memory_driver:merge_driver", "Merge memory files as git's merge driver."),
    "merge-skill-driver": ("commands.memory_driver:merge_skill_driver", "Merge SKILL.md files as git's merge driver."),
    "pending": ("commands.memory_proposals:pending", "List the proposals that wait for a person."),
    "reject": ("commands.memory_proposals:reject", "Drop a proposal; its commit is kept aside."),
    "remove": ("commands.memory_entries:remove", "Remove one entry; history keeps it."),
    "render": ("commands.memory_entries:render", "Render the block for the system prompt."),
    "replace": ("commands.memory_entries:replace", "Replace one entry."),
    "revert": ("commands.memory_history:revert", "Take back what a commit did to entries."),
    "show": ("commands.memory_entries:show", "Show one entry whole."),
    "textconv": ("commands.memory_driver:textconv", "Print a memory file with ids, for git diff."),
    "why": ("commands.memory_history:why", "Show what an entry was learnt from."),
}
"""Command name → module and function, and its one-line help."""

SECTIONS = {
    "Read": "list show render",
    "Write": "add replace remove apply revert",
    "Whose is it": "log blame why bisect",
    "Edits on disk": "drift adopt discard",
    "Proposals": "pending approve reject",
    "For git": "merge merge-driver merge-skill-driver textconv",
}


@click.group(cls=LazyGroup, table=COMMANDS, sections=SECTIONS)
def memory() -> None:
    """Read and change memory entries.

    \b
    hermes-git memory add "The staging host is 10.0.0.7." --target memory
    hermes-git memory replace --old-text "10.0.0.7" --new-text "The staging host is 10.0.0.9."
    hermes-git memory remove --old-text "staging host"
    hermes-git memory list --json
    """

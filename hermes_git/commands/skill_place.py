"""Moving whole skills: what is pinned stays, bytes and modes go along, and who names the skill is told."""

from __future__ import annotations

from collections.abc import Iterable

from hermes_git.commands.call import Call
from hermes_git.curator.snapshot import read_tree
from hermes_git.curator.tree import Edit, Tree
from hermes_git.document import MODE_GITLINK
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.knowledge import lock
from hermes_git.knowledge.layout import is_below
from hermes_git.knowledge.listing import Listed
from hermes_git.knowledge.skill import read_skill
from hermes_git.provenance.references import find as find_references
from hermes_git.reports.text import visible
from hermes_git.screen import amount

SHOWN_REFERENCES = 8


def whole_tree(call: Call, base: str | None) -> Tree:
    """Read the tree of a commit with its texts; an empty one before the first commit."""
    return read_tree(call.repo, base)[0] if base else Tree({}, call.repo.object_format)


def refuse_fixed(call: Call, listed: Listed, tree: Tree, verb: str) -> None:
    """Stop where the settings, or the skill's own header, say that it stays where it is."""
    names = {listed.key, listed.name, listed.folder}
    if names & set(call.settings.curator.pinned):
        hint = f"a person can take the pin off: hermes-git skill unpin {listed.key}"
        raise UserError(f"{listed.key} is pinned and cannot be {verb}", hint=hint)
    if _pins_itself(listed, tree):
        hint = f"take it off: hermes-git skill edit {listed.key} --unset metadata.pinned"
        raise UserError(f"{listed.key} is pinned by its header and cannot be {verb}", hint=hint)
    if names & set(call.settings.curator.protected):
        raise UserError(f"{listed.key} is protected by curator.protected", hint="take it off that list first")


def _pins_itself(listed: Listed, tree: Tree) -> bool:
    """Say whether `metadata.pinned` is true, which the curator obeys too."""
    values = read_skill(listed.root, tree.documents(listed.root)).header.values
    metadata = values.get("metadata")
    pinned = metadata.get("pinned") if isinstance(metadata, dict) else values.get("pinned")
    return pinned in (True, "true")


def contents(call: Call, edits: Iterable[Edit]) -> tuple[dict[str, bytes | None], dict[str, str]]:
    """Return path → bytes (None removes) and path → mode of edits; a submodule cannot be moved."""
    rows = list(edits)
    unread = [edit.leaf.id for edit in rows if edit.leaf is not None and edit.leaf.data is None]
    for edit in rows:
        if edit.leaf is not None and edit.leaf.mode == MODE_GITLINK:
            raise UserError("a submodule inside a skill cannot be moved", where=edit.path, hint="copy its files in")
    blobs = dict(read.blobs(call.repo, unread))
    content: dict[str, bytes | None] = {}
    for edit in rows:
        leaf = edit.leaf
        content[edit.path] = None if leaf is None else blobs[leaf.id] if leaf.data is None else leaf.data
    return content, {edit.path: edit.leaf.mode for edit in rows if edit.leaf is not None}


def relocked(call: Call, base: str | None, before: str, after: str) -> dict[str, bytes | None]:
    """Return the lock file with an installed skill under its new key ("" takes it off); nothing for any other skill."""
    where = lock.path(call.settings)
    locks = lock.parse((read.file_at(call.repo, base, where) if base else None) or b"", where=where)
    if before not in locks:
        return {}
    kept = lock.moved(locks, before, after)
    return {where: lock.render(kept) if kept else None}


def tell_references(call: Call, tree: Tree, listed: Listed) -> None:
    """Name the places outside a skill that name it, which somebody may want to change."""
    documents = [row for row in tree.documents() if not is_below(row.path, call.settings.paths.archive)]
    rows = find_references(documents, {listed.root: listed.name})[listed.root]
    if not rows:
        return
    call.note(f"named in {amount(len(rows), 'place')} outside of it:")
    for row in rows[:SHOWN_REFERENCES]:
        call.note(f"  {visible(row.path)}:{row.line} ({row.kind})")
    if len(rows) > SHOWN_REFERENCES:
        call.note(f"  and {len(rows) - SHOWN_REFERENCES} more")

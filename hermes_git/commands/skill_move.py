"""`hermes-git skill rename` and `skill delete`."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_archive import renamed
from hermes_git.commands.skill_new import check_name, refuse_taken
from hermes_git.commands.skill_place import contents, refuse_fixed, relocked, tell_references, whole_tree
from hermes_git.commands.skill_write import Write, carry_out, short_id
from hermes_git.curator import archive
from hermes_git.curator.links import Moves, Place, rewrite
from hermes_git.curator.tree import Edit, Tree
from hermes_git.errors import UserError
from hermes_git.knowledge.listing import SKILL_FILE, Listed, Listing, find


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.argument("new")
@click.option("--category", metavar="NAME", default=None, help="Move it to this category too.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def rename(call: Call, *, name: str, new: str, category: str | None, dry_run: bool) -> int:
    """Rename a skill, folder and header together; paths inside it go on pointing where they pointed.

    \b
    hermes-git skill rename deploy ship
    hermes-git skill rename deploy deploy --category devops
    """
    check_name("name", new)
    for part in (category or "").strip("/").split("/"):
        check_name("category", part) if part else None
    moved: list[tuple[Tree, Listed]] = []

    def build(base: str | None, known: Listing) -> Write | None:
        listed = find(known, name)
        kept = listed.category if category is None else category.strip("/")
        target = "/".join(part for part in (call.settings.paths.skills, kept, new) if part)
        if target == listed.root:
            return None
        others = tuple(row for row in known.skills if row.root != listed.root)
        refuse_taken(new, target, Listing(others))
        tree = whole_tree(call, base)
        refuse_fixed(call, listed, tree, "renamed")
        moved[:] = [(tree, listed)]
        edits = _moved(call, tree, listed, target, new)
        content, modes = contents(call, edits)
        after = short_id(call, content[f"{target}/{SKILL_FILE}"] or b"")
        key = target[len(call.settings.paths.skills) + 1 :]
        content |= relocked(call, base, listed.key, key)
        subject = f"skills: rename {listed.key} to {key}"
        folders = (listed.root, target)
        return Write("rename", listed.key, content, subject, listed.blob[:12], after, {"to": key}, modes, folders)

    code = carry_out(call, build, dry_run=dry_run)
    if code == errors.OK and moved:
        tell_references(call, *moved[0])
    return code


def _moved(call: Call, tree: Tree, listed: Listed, target: str, new: str) -> tuple[Edit, ...]:
    """Return the edits of a move: files as they are, paths in texts rewritten where they would point elsewhere."""
    inside = tree.below(listed.root)
    paths = {path: target + path[len(listed.root) :] for path in inside}
    moves = Moves({**paths, listed.root: target})
    edits = []
    for edit in archive.move(tree, listed.root, target):
        if edit.leaf is None or edit.leaf.data is None:
            edits.append(edit)
            continue
        before = Place(listed.root + edit.path[len(target) :], listed.root, call.settings.paths.skills)
        after = Place(edit.path, target, call.settings.paths.skills)
        edits.append(renamed(tree, _rewritten(tree, edit, before, after, moves), target, new))
    return tuple(edits)


def _rewritten(tree: Tree, edit: Edit, before: Place, after: Place, moves: Moves) -> Edit:
    """Return an edit whose text, if it is one, points from its new place to where it pointed from the old one."""
    leaf = edit.leaf
    if leaf is None or leaf.data is None or not edit.path.endswith(".md"):
        return edit
    try:
        text = leaf.data.decode("utf-8")
    except UnicodeDecodeError:
        return edit
    changed = rewrite(text, before, after, tree, moves)
    return edit if changed == text else Edit(edit.path, tree.leaf(changed.encode("utf-8"), leaf.mode))


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--reason", metavar="TEXT", default="", help="Why it goes.")
@click.option("--absorbed-into", metavar="SKILL", default="", help="The skill that holds its content now.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def delete(call: Call, *, name: str, reason: str, absorbed_into: str, dry_run: bool) -> int:
    """Remove a skill; say why, or which skill holds its content now. History keeps it: `hermes-git undo`.

    \b
    hermes-git skill delete deploy --absorbed-into ship
    hermes-git skill delete trial --reason "was a test"
    """
    if not reason.strip() and not absorbed_into:
        raise UserError(
            "say why it goes", hint="give --reason TEXT or --absorbed-into SKILL; to keep it: skill archive"
        )
    moved: list[tuple[Tree, Listed]] = []

    def build(base: str | None, known: Listing) -> Write | None:
        listed = find(known, name)
        tree = whole_tree(call, base)
        refuse_fixed(call, listed, tree, "deleted")
        extra = {"reason": reason.strip()} if reason.strip() else {}
        if absorbed_into:
            into = find(known, absorbed_into)
            if into.root == listed.root:
                raise UserError("a skill cannot be absorbed into itself", hint="name another one, or give --reason")
            extra["into"] = into.key
        moved[:] = [(tree, listed)]
        content: dict[str, bytes | None] = dict.fromkeys(tree.below(listed.root))
        content |= relocked(call, base, listed.key, "")
        modes = {path: leaf.mode for path, leaf in tree.below(listed.root).items()}
        subject = f"skills: delete {listed.key}"
        return Write("delete", listed.key, content, subject, listed.blob[:12], "", extra, modes, (listed.root,))

    code = carry_out(call, build, dry_run=dry_run)
    if code == errors.OK and moved:
        tell_references(call, *moved[0])
    return code

"""`hermes-git skill archive`, `archived`, `restore`: out of use and back, whole packages, nothing overwritten."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_new import check_name, refuse_taken
from hermes_git.commands.skill_place import contents, refuse_fixed, relocked, tell_references, whole_tree
from hermes_git.commands.skill_write import Write, carry_out
from hermes_git.curator import archive
from hermes_git.curator.archive import Archived
from hermes_git.curator.tree import Edit, Tree
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.knowledge import splice
from hermes_git.knowledge.frontmatter import BadHeader
from hermes_git.knowledge.listing import SKILL_FILE, Listed, Listing, find
from hermes_git.knowledge.skill import read_skill
from hermes_git.reports.text import visible


@click.command("archive")
@click.argument("name", shell_complete=complete.skills)
@click.option("--reason", metavar="TEXT", default="", help="Why, kept in the history.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def archive_skill(call: Call, name: str, reason: str, dry_run: bool) -> int:
    """Move a skill to the archive, whole, under a name with the date and its version.

    \b
    hermes-git skill archive deploy --reason "replaced by ship"
    """
    moved: list[tuple[Tree, Listed]] = []

    def build(base: str | None, known: Listing) -> Write | None:
        listed = find(known, name)
        tree = whole_tree(call, base)
        refuse_fixed(call, listed, tree, "archived")
        moved[:] = [(tree, listed)]
        now = int(call.clock().timestamp())
        target = archive.archive_root(listed.root, tree.folder_id(listed.root), now, tree, call.settings)
        content, modes = contents(call, archive.move(tree, listed.root, target))
        content |= relocked(call, base, listed.key, "")
        extra = {"to": target, **({"reason": reason} if reason else {})}
        subject = f"skills: archive {listed.key} as {label_of(target, call)}"
        ids = listed.blob[:12]
        return Write("archive", listed.key, content, subject, ids, ids, extra, modes, (listed.root, target))

    code = carry_out(call, build, dry_run=dry_run)
    if code == errors.OK and moved:
        tell_references(call, *moved[0])
    return code


def label_of(root: str, call: Call) -> str:
    """Return the name by which an archived folder is restored."""
    return root[len(call.settings.paths.archive) + 1 :]


@click.command()
@common(json_output=True)
def archived(call: Call) -> int:
    """List what is in the archive; every name printed is one that `restore` takes.

    \b
    hermes-git skill archived
    """
    tree = whole_tree(call, read.head(call.repo))
    points = archive.archived(tree, call.settings)
    if call.json:
        call.emit([_as_json(point, tree) for point in points])
        return errors.OK
    for point in points:
        call.say(f"{visible(point.label)}  {visible(_description(point, tree))}")
    call.say(f"{len(points)} in the archive; bring one back with: hermes-git skill restore NAME")
    return errors.OK


def _description(point: Archived, tree: Tree) -> str:
    return read_skill(point.root, tree.documents(point.root)).description


def _as_json(point: Archived, tree: Tree) -> dict[str, object]:
    return {
        "name": point.label,
        "key": point.key,
        "date": point.date,
        "path": point.root,
        "description": _description(point, tree),
    }


@click.command()
@click.argument("name", shell_complete=complete.archived)
@click.option("--as", "new_name", metavar="NEW", default="", help="Restore it under another name.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def restore(call: Call, name: str, new_name: str, dry_run: bool) -> int:
    """Copy a skill back from the archive to its category; the archived version stays where it is.

    An active skill is never overwritten, and the time of the restoring counts as use.

    \b
    hermes-git skill restore devops/deploy@20261129-1a2b3c4
    hermes-git skill restore deploy --as deploy-old
    """
    if new_name:
        check_name("name", new_name)

    def build(base: str | None, known: Listing) -> Write | None:
        tree = whole_tree(call, base)
        point = archive.find(name, archive.archived(tree, call.settings))
        target, edits = _edits(call, tree, point, new_name)
        refuse_taken(target.rsplit("/", 1)[-1], target, known)
        content, modes = contents(call, edits)
        key = target[len(call.settings.paths.skills) + 1 :]
        main = next((edit.leaf.id[:12] for edit in edits if edit.leaf and edit.path == f"{target}/{SKILL_FILE}"), "")
        subject = f"skills: restore {key} from {point.label}"
        return Write("restore", key, content, subject, "", main, {"from": point.root}, modes, (target,))

    return carry_out(call, build, dry_run=dry_run)


def _edits(call: Call, tree: Tree, point: Archived, new_name: str) -> tuple[str, tuple[Edit, ...]]:
    """Return where a restore point goes and the edits that copy it there, its name changed if another one is asked."""
    if not new_name:
        return archive.restore(tree, point, call.settings)
    category = point.key.rpartition("/")[0]
    target = "/".join(part for part in (call.settings.paths.skills, category, new_name) if part)
    if tree.has_folder(target) or target in tree.leaves:
        raise UserError(f"{target} exists and is in use", hint="choose another name")
    edits = [Edit(target + path[len(point.root) :], leaf) for path, leaf in tree.below(point.root).items()]
    return target, tuple(renamed(tree, edit, target, new_name) for edit in edits)


def renamed(tree: Tree, edit: Edit, target: str, new_name: str) -> Edit:
    """Return an edit with the name in the header of SKILL.md changed; every other file as it is."""
    if edit.leaf is None or edit.path != f"{target}/{SKILL_FILE}" or edit.leaf.data is None:
        return edit
    try:
        text = splice.set_value(edit.leaf.data.decode("utf-8"), ("name",), new_name)
    except (BadHeader, UnicodeDecodeError) as error:
        hint = "mend its header first, then rename it"
        raise UserError(
            "the header cannot be read, so its name cannot be changed", where=edit.path, hint=hint
        ) from error
    return Edit(edit.path, tree.leaf(text.encode("utf-8"), edit.leaf.mode))

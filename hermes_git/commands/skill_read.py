"""One skill of a revision, found by the word a person uses for it, with all its files."""

from __future__ import annotations

from dataclasses import dataclass

from hermes_git.commands.call import Call
from hermes_git.document import MODE_GITLINK, Document
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.read import TreeEntry
from hermes_git.knowledge.listing import Listed, find, listing
from hermes_git.knowledge.skill import Skill, read_skill

MAX_BYTES = 8 * 1024 * 1024
"""Largest file of a skill that is read; a larger one is named with its size."""


@dataclass(frozen=True, slots=True)
class Found:
    """One skill at one commit: its place in the listing, the skill, its tree entries, and files too large to read."""

    commit: str
    listed: Listed
    skill: Skill
    entries: dict[str, TreeEntry]
    too_large: tuple[tuple[str, int], ...] = ()

    @property
    def root(self) -> str:
        """Return the folder of the skill."""
        return self.listed.root

    @property
    def key(self) -> str:
        """Return `category/name`, by which change lines and the ledger call the skill."""
        return self.listed.key

    def inner(self, path: str) -> str:
        """Return a path of the repository relative to the skill's folder."""
        return path[len(self.root) + 1 :]

    def document(self, inner: str) -> Document:
        """Return one file of the skill; one that is not there, is a link, or is too large is an error."""
        path = f"{self.root}/{inner}"
        found = next((document for document in self.skill.documents if document.path == path), None)
        if found is None or found.kind in ("link", "gitlink"):
            listed = "\n".join(f"  {self.inner(document.path)}" for document in self.skill.documents)
            what = f"{inner!r} is a {found.kind}, which is not followed" if found else f"{self.key} has no {inner!r}"
            raise UserError(what, hint=f"its files are:\n{listed}")
        return found


def skill_at(call: Call, name: str, rev: str = "HEAD") -> Found:
    """Find and read one skill at a revision."""
    base = read.head(call.repo) if rev == "HEAD" else read.resolve(call.repo, rev)
    found = listing(call.repo, call.settings, base)
    return read_found(call, base or "", find(found, name))


def read_found(call: Call, commit: str, listed: Listed) -> Found:
    """Read all files of a listed skill."""
    entries = read.tree(call.repo, commit, listed.root)
    ids = [entry.id for entry in entries.values() if entry.mode != MODE_GITLINK]
    sizes = read.sizes(call.repo, ids)
    content = dict(read.blobs(call.repo, [object_id for object_id in ids if sizes[object_id] <= MAX_BYTES]))
    documents = [
        Document(path, content.get(entry.id, entry.id.encode()), entry.mode, blob=entry.id)
        for path, entry in entries.items()
        if entry.id in content or entry.mode == MODE_GITLINK
    ]
    too_large = tuple((path, sizes[entry.id]) for path, entry in entries.items() if sizes.get(entry.id, 0) > MAX_BYTES)
    return Found(commit, listed, read_skill(listed.root, documents), entries, too_large)


def tree_id(call: Call, found: Found) -> str:
    """Return the id of the tree object of the skill's folder."""
    return call.repo.ask("rev-parse", "--verify", "--end-of-options", f"{found.commit}:{found.root}") or ""

"""Where skills are installed from: a folder on disk, or a revision of a repository, read in quarantine."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hermes_git import files
from hermes_git.commands.call import Call
from hermes_git.commands.sources import shown
from hermes_git.document import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_LINK, Document
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.fetch import check_source, fetch
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import is_below, skill_roots

MAX_FILE = 8 * 1024 * 1024
MAX_FILES = 2000
SHORTHAND = re.compile(r"[\w.-]+/[\w.-]+\Z")
CREDENTIALS = re.compile(r"^([a-z+]+://)[^/@]*@", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """A source as it is recorded, as git or the file system takes it, and the revision asked for."""

    recorded: str
    place: str
    revision: str
    is_folder: bool


@dataclass(frozen=True, slots=True)
class Obtained:
    """What a source holds: its commit ("" for a folder), and skill folder → its documents, paths from the source's top.

    `too_large` are files that were not read, by skill folder.
    """

    address: Address
    commit: str
    skills: dict[str, tuple[Document, ...]]
    too_large: dict[str, tuple[str, ...]]


def address(call: Call, text: str) -> Address:
    """Understand `SOURCE[@REV]`: a folder that is there, a URL, or `owner/repo` on GitHub."""
    place, revision = _split(call, text)
    local = Path(os.path.normpath(call.folder / Path(place).expanduser()))
    if local.is_dir():
        is_top = (local / ".git").exists() or ((local / "HEAD").is_file() and (local / "objects").is_dir())
        return Address(shown(call, local), str(local), revision, not revision and not is_top)
    if SHORTHAND.match(place):
        place = f"https://github.com/{place}"
    check_source(place)
    if "://" not in place and ":" not in place:
        raise UserError(f"no such folder: {place}", hint="give a folder, a URL, or owner/repo")
    return Address(CREDENTIALS.sub(r"\1", place), place, revision, False)


def _split(call: Call, text: str) -> tuple[str, str]:
    """Cut the revision off at the last @ that does not belong to a path, a user name or a host."""
    head, at, revision = text.rpartition("@")
    if not at or not head or ":" in revision or (call.folder / Path(text).expanduser()).is_dir():
        return text, ""
    _, scheme, rest = head.partition("://")
    if scheme and "/" not in rest:
        return text, ""
    return head, revision


@contextlib.contextmanager
def quarantine(call: Call) -> Iterator[Path]:
    """Yield a folder of its own in the state folder, gone afterwards."""
    state = call.repo.state / "tmp"
    state.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="quarantine-", dir=state) as scratch:
        yield Path(scratch)


def obtain(call: Call, where: Address) -> Obtained:
    """Read all skills of a source, in quarantine: nothing of it touches the work tree, nothing is run."""
    if where.is_folder:
        return _from_folder(where)
    with quarantine(call) as folder:
        repo, commit = fetch(where.place, where.revision, folder)
        return _from_commit(repo, commit, where)


def _from_folder(where: Address) -> Obtained:
    top = Path(where.place)
    found: dict[str, Path] = {}
    for relative, path in files.walk(top):
        if not any(part.startswith(".") for part in PurePosixPath(relative).parts[:-1]):
            found[relative] = path
        if len(found) > MAX_FILES:
            raise UserError(f"{top} has more than {MAX_FILES} files", hint="name the folder of one skill")
    roots = _roots(found)
    skills = {root: tuple(_document(name, path) for name, path in _inside(found, root)) for root in roots}
    large = {root: tuple(name for name, path in _inside(found, root) if _is_large(path)) for root in roots}
    return Obtained(where, "", skills, large)


def _roots(paths: dict[str, Path] | dict[str, read.TreeEntry]) -> list[str]:
    """Return the skill folders of a source; "." for a source that is one skill, archived ones left out."""
    return [root for root in sorted(skill_roots(paths)) if "@" not in PurePosixPath(root).name]


def _inside(found: dict[str, Path], root: str) -> list[tuple[str, Path]]:
    return [(name, path) for name, path in found.items() if root == "." or is_below(name, root)]


def _is_large(path: Path) -> bool:
    return not path.is_symlink() and path.stat().st_size > MAX_FILE


def _document(name: str, path: Path) -> Document:
    link = files.read_link(path)
    if link is not None:
        return Document(name, link, MODE_LINK)
    if _is_large(path):
        return Document(name, b"")
    mode = MODE_EXECUTABLE if path.stat().st_mode & 0o111 else MODE_FILE
    return Document(name, files.read_bytes(path, limit=MAX_FILE), mode)


def _from_commit(repo: Repository, commit: str, where: Address) -> Obtained:
    entries = read.tree(repo, commit)
    roots = _roots(entries)
    wanted = {
        path: entry for path, entry in entries.items() if any(root == "." or is_below(path, root) for root in roots)
    }
    if len(wanted) > MAX_FILES * 10:
        raise UserError(
            f"{where.recorded} has more than {MAX_FILES * 10:,} files in skills", hint="install from a folder"
        )
    sizes = read.sizes(repo, [entry.id for entry in wanted.values() if entry.mode != MODE_GITLINK])
    small = [object_id for object_id, size in sizes.items() if size <= MAX_FILE]
    content = dict(read.blobs(repo, small))
    documents = {
        path: Document(
            path, content.get(entry.id, entry.id.encode() if entry.mode == MODE_GITLINK else b""), entry.mode
        )
        for path, entry in wanted.items()
    }
    skills, large = {}, {}
    for root in roots:
        inside = [path for path in wanted if root == "." or is_below(path, root)]
        skills[root] = tuple(documents[path] for path in inside)
        large[root] = tuple(path for path in inside if sizes.get(wanted[path].id, 0) > MAX_FILE)
    return Obtained(where, commit, skills, large)


def choose(found: Obtained, names: tuple[str, ...]) -> list[str]:
    """Return the folders of the skills wanted: by name or path, or the only one there is."""
    if not found.skills:
        raise UserError(f"{found.address.recorded} holds no skill", hint="a skill is a folder with a SKILL.md")
    if not names:
        if len(found.skills) == 1:
            return list(found.skills)
        listed = "\n".join(f"  {root}" for root in found.skills)
        raise UserError(f"{len(found.skills)} skills are there", hint=f"name those you want with --skill:\n{listed}")
    return [_named(found, name) for name in names]


def _named(found: Obtained, name: str) -> str:
    rows = [root for root in found.skills if name in (root, PurePosixPath(root).name)]
    if len(rows) == 1:
        return rows[0]
    listed = "\n".join(f"  {root}" for root in rows or found.skills)
    raise UserError(f"{len(rows) or 'no'} skills are called {name!r} there", hint=f"there are:\n{listed}")

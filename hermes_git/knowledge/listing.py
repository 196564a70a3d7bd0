"""Every skill of a revision by name, description and category: what an agent's prompt index shows.

Read from the tree, not the work tree. What each SKILL.md blob says is cached by blob id, so a second listing reads no
file and loads no YAML.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.read import TreeEntry
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import is_below, skill_roots
from hermes_git.settings import Settings

CACHE_VERSION = 2
CACHE_LIMIT = 64 * 1024 * 1024
MAX_BYTES = 1024 * 1024
"""Largest SKILL.md that is read for a listing; a larger one is listed with that as its problem."""

SHOWN = 60
"""Characters of a description that Hermes shows in its index; a longer one is cut to 57 and three dots."""

SKILL_FILE = "SKILL.md"
CATEGORY_FILE = "DESCRIPTION.md"

Said = tuple[str, str, str]
"""What one file says: name and description as written ("" where missing), and why it cannot be read ("" if it can)."""


@dataclass(frozen=True, order=True, slots=True)
class Listed:
    """One skill of a listing; `problem` says why its header cannot be read, and name is the folder's then."""

    category: str
    name: str
    root: str
    description: str
    blob: str
    problem: str = ""

    @property
    def folder(self) -> str:
        """Return the name of the skill's folder."""
        return PurePosixPath(self.root).name

    @property
    def key(self) -> str:
        """Return `category/folder`, which is unique, or the folder alone for a skill without category."""
        return f"{self.category}/{self.folder}" if self.category else self.folder

    @property
    def path(self) -> str:
        """Return the path of the SKILL.md file."""
        return f"{self.root}/{SKILL_FILE}"

    @property
    def line(self) -> str:
        """Return the line of the prompt index: name and the description as far as it is shown."""
        return f"- {self.name}: {cut(self.description)}"


@dataclass(frozen=True, slots=True)
class Listing:
    """All skills of a revision, sorted by category and name, and the description of each category that has one."""

    skills: tuple[Listed, ...] = ()
    categories: Mapping[str, str] | None = None

    def by_category(self) -> dict[str, tuple[Listed, ...]]:
        """Return the skills of each category, categories sorted."""
        found: dict[str, list[Listed]] = {}
        for skill in self.skills:
            found.setdefault(skill.category, []).append(skill)
        return {category: tuple(rows) for category, rows in found.items()}

    def described(self, category: str) -> str:
        """Return what DESCRIPTION.md says about a category, or ""."""
        return (self.categories or {}).get(category, "")


def cut(description: str) -> str:
    """Return a description on one line as Hermes' index shows it.

    >>> len(cut("a" * 61))
    60
    """
    flat = " ".join(description.split())
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 3] + "..."


def listing(repo: Repository, settings: Settings, revision: str | None) -> Listing:
    """List the skills of a revision (None: no commit yet); the archive is left out."""
    if revision is None:
        return Listing()
    entries = read.tree(repo, revision, settings.paths.skills)
    live = {path: entry for path, entry in entries.items() if not is_below(path, settings.paths.archive)}
    roots = skill_roots(live)
    mains = {root: live[f"{root}/{SKILL_FILE}"] for root in roots if f"{root}/{SKILL_FILE}" in live}
    notes = {path: entry for path, entry in live.items() if _is_note(path, entry, roots)}
    said = _said(repo, [*mains.values(), *notes.values()])
    skills = [_listed(root, entry, said, settings.paths.skills) for root, entry in mains.items()]
    described = {
        _category(str(PurePosixPath(path).parent), settings.paths.skills, own=True): said[entry.id][1]
        for path, entry in sorted(notes.items())
    }
    return Listing(tuple(sorted(skills)), {name: text for name, text in described.items() if text})


def _is_note(path: str, entry: TreeEntry, roots: frozenset[str]) -> bool:
    """Say whether a path is the description of a category, not a file of some skill."""
    parents = map(str, PurePosixPath(path).parents)
    return path.endswith(f"/{CATEGORY_FILE}") and _is_file(entry) and roots.isdisjoint(parents)


def _listed(root: str, entry: TreeEntry, said: Mapping[str, Said], skills: str) -> Listed:
    name, description, problem = said[entry.id] if _is_file(entry) else ("", "", "SKILL.md is not a regular file")
    return Listed(_category(root, skills), name or PurePosixPath(root).name, root, description, entry.id, problem)


def _category(root: str, skills: str, *, own: bool = False) -> str:
    inner = PurePosixPath(root).relative_to(skills)
    found = str(inner if own else inner.parent)
    return "" if found == "." else found


def _is_file(entry: TreeEntry) -> bool:
    return entry.mode.startswith("100")


def _said(repo: Repository, entries: Iterable[TreeEntry]) -> dict[str, Said]:
    """Return what each file says, from the cache where it knows the blob; new ones are read and kept."""
    wanted = {entry.id for entry in entries if _is_file(entry)}
    path = repo.state / "cache" / f"skills-{CACHE_VERSION}.json"
    known = _load(path)
    fresh = {object_id: _read(data) for object_id, data in _small_blobs(repo, sorted(wanted - set(known)))}
    fresh |= dict.fromkeys(wanted - set(known) - set(fresh), ("", "", f"larger than {MAX_BYTES:,} bytes"))
    if fresh:
        kept = {object_id: said for object_id, said in known.items() if object_id in wanted or len(known) < KEPT}
        _save(path, kept | fresh)
    return known | fresh


KEPT = 20_000
"""How many files the cache remembers before it forgets those that the current revision does not have."""


def _small_blobs(repo: Repository, ids: list[str]) -> Iterable[tuple[str, bytes]]:
    sizes = read.sizes(repo, ids) if ids else {}
    return read.blobs(repo, [object_id for object_id in ids if sizes.get(object_id, 0) <= MAX_BYTES])


def _read(data: bytes) -> Said:
    from hermes_git.document import decode
    from hermes_git.knowledge.frontmatter import BadHeader
    from hermes_git.knowledge.frontmatter import read as read_header
    from hermes_git.knowledge.skill import encoding_problem

    try:
        values = read_header(decode(data)[0]).values
    except BadHeader as error:
        return "", "", f"line {error.problem.line}: {error.problem.message}"
    unread = encoding_problem(data)
    name, description = values.get("name"), values.get("description")
    return (
        name.strip() if isinstance(name, str) else "",
        description.strip() if isinstance(description, str) else "",
        f"line {unread.line}: {unread.message}" if unread else "",
    )


def _load(path: Path) -> dict[str, Said]:
    """Read the cache; one that is missing, torn or of another version is empty."""
    data = files.read_optional(path, limit=CACHE_LIMIT)
    try:
        table = json.loads(data or b"{}")
        if table.get("version") != CACHE_VERSION:
            return {}
        return {object_id: (name, text, problem) for object_id, (name, text, problem) in table["skills"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _save(path: Path, said: Mapping[str, Said]) -> None:
    table = {"version": CACHE_VERSION, "skills": said}
    files.keep(path, json.dumps(table, ensure_ascii=True).encode("ascii"))


def find(found: Listing, wanted: str) -> Listed:
    """Return the one skill that a word means: its key, path, folder or name; none or several are errors."""
    word = wanted.strip("/").removesuffix(f"/{SKILL_FILE}")
    exact = [skill for skill in found.skills if word in (skill.key, skill.root)]
    named = exact or [skill for skill in found.skills if word in (skill.folder, skill.name)]
    if len(named) == 1:
        return named[0]
    if not named:
        near = _near(word, found)
        hint = f"did you mean: {', '.join(near)}" if near else "list them with: hermes-git skill list"
        raise UserError(f"no skill called {wanted!r}", hint=hint)
    paths = "\n".join(f"  {skill.key}  ({skill.path})" for skill in named)
    raise UserError(f"{len(named)} skills are called {wanted!r}", hint=f"name one of them:\n{paths}")


def _near(word: str, found: Listing) -> list[str]:
    import difflib

    by_word = {name: skill.key for skill in found.skills for name in (skill.key, skill.folder, skill.name)}
    close = difflib.get_close_matches(word, by_word, n=5, cutoff=0.6)
    return list(dict.fromkeys(by_word[name] for name in close))[:3]

"""Which path is what: memory file, skill, archived skill, waivers, or none of our business."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_git.settings import FILE_NAME, Paths, Settings

TARGETS = {"memory": "MEMORY.md", "user": "USER.md"}
"""The two memory targets of Hermes and their file names."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a path is.

    `area` is one of memory, archived-memory, skill, archived-skill, category, waivers, settings, curator, policy,
    other. `target` is memory or user for the two memory areas. `root` is the folder of the skill the path belongs
    to, and `inner` the path inside it.
    """

    area: str
    target: str = ""
    root: str = ""
    inner: str = ""


SKILL_FILE = "SKILL.md"

POLICY_FILES = (".gitattributes", ".pre-commit-config.yaml", "lefthook.yml", ".gitlab-ci.yml")
POLICY_FOLDERS = ("hooks", ".github/workflows", ".gitlab", ".husky")

OTHER = Place("other")


def memory_path(settings: Settings, target: str) -> str:
    """Return the path of the memory file of a target, relative to the top."""
    return f"{settings.paths.memory}/{TARGETS[target]}"


def archived_memory_path(settings: Settings, target: str) -> str:
    """Return the path where retired entries of a target are kept."""
    return f"{settings.paths.archive}/{TARGETS[target]}"


def place(path: str, settings: Settings, skill_roots: frozenset[str] = frozenset()) -> Place:
    """Say what a path is; `skill_roots` are the folders known to hold a SKILL.md in the tree being judged."""
    paths = settings.paths
    for target, name in TARGETS.items():
        if path == f"{paths.memory}/{name}":
            return Place("memory", target)
        if path == f"{paths.archive}/{name}":
            return Place("archived-memory", target)
    if path in (FILE_NAME, paths.waivers):
        return Place("settings" if path == FILE_NAME else "waivers")
    attributes = name_of(path) == ".gitattributes"  # git reads one in every folder
    if attributes or path in POLICY_FILES or any(is_below(path, folder) for folder in POLICY_FOLDERS):
        return Place("policy")
    if is_below(path, paths.curator):
        return Place("curator")
    return _skill_place(path, paths, skill_roots)


def _skill_place(path: str, paths: Paths, skill_roots: frozenset[str]) -> Place:
    in_archive = is_below(path, paths.archive)
    if not in_archive and not is_below(path, paths.skills):
        return OTHER
    area = "archived-skill" if in_archive else "skill"
    for parent in (*_above(path), "."):
        if parent in skill_roots:
            return Place(area, root=parent, inner=path if parent == "." else path[len(parent) + 1 :])
    if name_of(path) == "DESCRIPTION.md":
        return Place("category")
    return Place(area)


def name_of(path: str) -> str:
    """Return the last part of a path of the tree."""
    return path.rpartition("/")[2]


def is_below(path: str, folder: str) -> bool:
    """Say whether a path lies inside a folder."""
    return path.startswith(folder.rstrip("/") + "/")


def skill_roots(paths: Iterable[str]) -> frozenset[str]:
    """Return the folders among an iterable of paths that hold a SKILL.md, outermost ones only.

    A SKILL.md inside another skill's folder is one of its files, not a skill of its own.
    """
    mains = [path for path in paths if path == SKILL_FILE or path.endswith(f"/{SKILL_FILE}")]
    roots = {path.removesuffix(SKILL_FILE).rstrip("/") or "." for path in mains}
    return frozenset(root for root in roots if not any(up in roots for up in _above(root)))


def _above(root: str) -> Iterator[str]:
    """Yield the folders that hold a folder, nearest first, the top of the tree (`.`) left out."""
    while "/" in root:
        root = root.rpartition("/")[0]
        yield root


def skill_key(root: str, settings: Settings) -> str:
    """Return `category/name` of a skill root relative to the skills folder; just `name` for a flat one."""
    for folder in (settings.paths.skills, settings.paths.archive):
        if is_below(root, folder):
            return root[len(folder.rstrip("/")) + 1 :]
    return root

"""Paths and links inside texts: what they point to, and how to say the same after files have moved.

A Markdown link is relative to its file; a path in code or prose is relative to the skill's folder, as agents read it.
Either may also be written from the top of the repository, from the skills folder, or with a prefix such as `~/`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from hermes_git.curator.tree import Tree

LINK = r"(?<=\]\()<?(?P<link>[^\s()<>]{1,500})>?"
DEFINITION = r"^[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]+<?(?P<definition>[^\s<>]{1,500})>?"
BARE = r"(?<![\w/.@:~+-])(?P<bare>(?:~/|\.{1,2}/|/)?(?:[\w.@+-]+/)+[\w.@+-]*)"
TOKEN = re.compile(f"{LINK}|{DEFINITION}|{BARE}", re.MULTILINE)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: its path, the root of its skill ("" outside any), and the skills folder."""

    path: str
    root: str
    skills: str

    @property
    def folder(self) -> str:
        """Return the folder of the file."""
        return posixpath.dirname(self.path)


@dataclass(frozen=True, slots=True)
class Moves:
    """Which paths moved where, and which skill's name stands for which now.

    A moved skill's folder maps to the document that holds its text.
    """

    paths: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def after(self, path: str) -> str:
        """Return where a path is now."""
        return self.paths.get(path, path)


@dataclass(frozen=True, slots=True)
class Target:
    """What a written path means: the path in the repository, the rule it was written by, text to keep around it."""

    path: str
    rule: str
    prefix: str = ""
    suffix: str = ""


def resolve(written: str, is_link: bool, place: Place, tree: Tree, known: Moves) -> Target | None:
    """Say which existing file or moved folder a written path means, or None if it means none of them."""
    if SCHEME.match(written) or written.startswith(("#", "//")) or not any(map(str.isalnum, written)):
        return None
    bare, suffix = _cut(written, is_link)
    for rule, candidate, prefix in _readings(bare, is_link, place):
        path = posixpath.normpath(candidate) if candidate else ""
        slash = "/" if bare.endswith("/") else ""
        if path in tree.leaves or path in tree.folders or path in known.paths:
            return Target(path, rule, prefix, slash + suffix)
    return None


def _cut(written: str, is_link: bool) -> tuple[str, str]:
    if not is_link:
        bare = written.rstrip(".")
        return bare, written[len(bare) :]
    cut = min((at for at in (written.find("#"), written.find("?")) if at >= 0), default=len(written))
    return unquote(written[:cut]), written[cut:]


def _readings(bare: str, is_link: bool, place: Place) -> list[tuple[str, str, str]]:
    by_file = ("file", posixpath.join(place.folder, bare), "")
    by_root = ("root", posixpath.join(place.root, bare) if place.root else "", "")
    readings = [by_file, by_root] if is_link else [by_root, by_file]
    if not bare.startswith("."):
        readings.append(("top", bare, ""))
        readings += [("skills", posixpath.join(place.skills, bare), "")] if "/" in bare.rstrip("/") else []
    if bare.startswith(("/", "~/")):
        readings = []
    at = bare.find(f"{place.skills}/")
    if at > 0:
        readings.append(("top", bare[at:], bare[:at]))
    return readings


def written(target: Target, place: Place, is_link: bool) -> str:
    """Write a path by the rule it was written by before, seen from a place."""
    if target.rule == "file":
        text = posixpath.relpath(target.path, place.folder or ".")
    elif target.rule == "root" and place.root:
        text = posixpath.relpath(target.path, place.root)
    elif target.rule == "skills" and target.path.startswith(place.skills + "/"):
        text = target.path[len(place.skills) + 1 :]
    else:
        text = target.prefix + target.path
    return (quote(text, safe="/@+:~,;=&!$'*()") if is_link and " " in text else text) + target.suffix


def rewrite(text: str, before: Place, after: Place, tree: Tree, moves: Moves) -> str:
    """Return a text that stood at `before` and stands at `after`, each path in it pointing where it pointed.

    `tree` is the repository before the move. A path that meant nothing is left alone.
    """

    def replaced(match: re.Match[str]) -> str:
        name = str(match.lastgroup)
        raw = match.group(name)
        target = resolve(raw, name != "bare", before, tree, moves)
        if target is None:
            return match.group()
        now = Target(moves.after(target.path), target.rule, target.prefix, _suffix(target, moves))
        new = written(now, after, name != "bare")
        stays = (now.path == target.path and before == after) or posixpath.normpath(new) == posixpath.normpath(raw)
        return match.group() if stays else match.group().replace(raw, new)

    return TOKEN.sub(replaced, text)


def _suffix(target: Target, moves: Moves) -> str:
    """Drop the slash of a folder that became a document."""
    became_file = target.suffix.startswith("/") and moves.after(target.path).endswith(".md")
    return target.suffix[1:] if became_file else target.suffix


def canonical(text: str, place: Place, tree: Tree, moves: Moves, leave: frozenset[str] = frozenset()) -> str:
    """Return a text with each path that means something written from the top, as it will be after the moves.

    Two texts with the same canonical form say the same and point to the same files. Paths in `leave` stay as they are.
    """

    def replaced(match: re.Match[str]) -> str:
        name = str(match.lastgroup)
        raw = match.group(name)
        target = None if raw in leave else resolve(raw, name != "bare", place, tree, moves)
        if target is None:
            return match.group()
        return match.group().replace(raw, f"/{moves.after(target.path)}{_suffix(target, moves).strip('/')}")

    return TOKEN.sub(replaced, text)


def dangling(text: str, place: Place, tree: Tree, moves: Moves) -> frozenset[str]:
    """Return the paths in a text that mean no file; after a move they may happen to mean one, and say no more."""
    found = ((match.group(str(match.lastgroup)), match.lastgroup != "bare") for match in TOKEN.finditer(text))
    return frozenset(raw for raw, is_link in found if resolve(raw, is_link, place, tree, moves) is None)

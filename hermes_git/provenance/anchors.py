"""What a fact hangs on: paths, symbols, URLs and versions it names, and whether a repository still has them.

An anchor is gone only where it was once: a path that history has and the tree has not, a text that some commit removed.
What was never there proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository

ALIVE, GONE, UNKNOWN = "alive", "gone", "unknown"
MAX_SEARCHES, MAX_COMMITS = 200, 500
"""Texts looked up in the history of one repository, and commits read for them; the rest stays unknown."""

URL = re.compile(r"https?://[^\s<>()\[\]\"'`]{3,500}")
PATH = re.compile(r"(?<![\w/.~@:$-])((?:[\w.@+-]+/)+[\w.@+-]*|[\w-]+\.(?:py|ts|js|go|rs|sh|md|toml|yaml|yml|json))")
CODE = re.compile(r"`([^`\s]{3,120})`")
SYMBOL = re.compile(r"-{0,2}[A-Za-z_][\w.:-]*(?:\(\))?\Z")
MARKED = re.compile(r"[_(:.]|--|[a-z][A-Z]|\w-\w")
VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+\.\d+(?:[.-][\w.]+)?)(?![\w])")


@dataclass(frozen=True, order=True, slots=True)
class Anchor:
    """One thing that a fact names: kind (path, symbol, url, version) and its text."""

    kind: str
    text: str


def find(text: str) -> tuple[Anchor, ...]:
    """Return the anchors of a text, sorted; absolute paths and home folders are of one machine and left out."""
    return tuple(sorted(set(_find(text))))


def _find(text: str) -> Iterator[Anchor]:
    for match in URL.finditer(text):
        yield Anchor("url", match.group().rstrip(".,;:!?"))
    bare = URL.sub(" ", text)
    for match in PATH.finditer(bare):
        path = match.group(1).removeprefix("./").rstrip(".")
        if path.strip("/.") and not path.startswith(".."):
            yield Anchor("path", path)
    for match in CODE.finditer(bare):
        word = match.group(1)
        if SYMBOL.match(word) and MARKED.search(word) and not PATH.fullmatch(word):
            yield Anchor("symbol", word.removesuffix("()"))
    for match in VERSION.finditer(bare):
        yield Anchor("version", match.group(1))


def check(repo: Repository, anchors: Iterable[Anchor], leave_out: Iterable[str] = ()) -> dict[Anchor, str]:
    """Say of each anchor whether the repository has it at HEAD, had it once, or never had it.

    `leave_out` are folders whose texts do not count, because a fact must not be kept alive by its own words.
    """
    wanted = sorted(set(anchors))
    head = read.head(repo)
    if head is None:
        return dict.fromkeys(wanted, UNKNOWN)
    specs = [".", *(f":(top,exclude,literal){folder}" for folder in leave_out)]
    found: dict[Anchor, str] = {}
    paths = [anchor for anchor in wanted if anchor.kind == "path"]
    if paths:
        found |= _check_paths(repo, head, paths)
    texts = [anchor for anchor in wanted if anchor.kind != "path"]
    here = _present(repo, head, texts, specs)
    absent = [anchor for anchor in texts if anchor not in here]
    once = _removed(repo, head, absent[:MAX_SEARCHES], specs) if absent else set()
    found |= {anchor: ALIVE if anchor in here else GONE if anchor in once else UNKNOWN for anchor in texts}
    return found


def _check_paths(repo: Repository, head: str, anchors: Iterable[Anchor]) -> dict[Anchor, str]:
    now = _endings(read.tree(repo, head))
    once = _endings(read.log(repo, "--format=", "--name-only", "--diff-filter=D", "--no-renames", head, "--"))
    found = {}
    for anchor in anchors:
        path = anchor.text.strip("/")
        found[anchor] = ALIVE if path in now else GONE if path in once else UNKNOWN
    return found


def _endings(paths: Iterable[str]) -> set[str]:
    """Return every path and folder by every ending it can be called by: `a/b/c` is also `b/c` and `c`."""
    found: set[str] = set()
    for path in paths:
        parts = path.strip("\n").split("/")
        for end in range(1, len(parts) + 1):
            found |= {"/".join(parts[start:end]) for start in range(end)}
    return found


PATTERNS = {"GIT_LITERAL_PATHSPECS": "0"}
"""Lets the folders to leave out be written as pathspecs; each of them is marked literal by itself."""


def _present(repo: Repository, head: str, anchors: list[Anchor], specs: list[str]) -> set[Anchor]:
    """Return the anchors whose text stands in the tree as whole words: one search for all, then one for each left."""
    if not anchors:
        return set()
    every = [word for anchor in anchors for word in ("-e", anchor.text)]
    out = repo.git(*GREP, "-o", "-h", *every, head, "--", *specs, env=PATTERNS, accept=(0, 1))
    lines = set(out.decode("utf-8", "replace").split("\n"))
    found = {anchor for anchor in anchors if anchor.text in lines}
    for anchor in anchors:  # of two anchors on one spot, the search for all prints only one
        overlaps = any(anchor.text in other.text for other in found)
        if anchor not in found and overlaps:
            single = repo.git(*GREP, "-l", "-e", anchor.text, head, "--", *specs, env=PATTERNS, accept=(0, 1))
            found |= {anchor} if single else set()
    return found


GREP = ("grep", "--no-color", "-I", "-F", "-w")


def _removed(repo: Repository, head: str, anchors: list[Anchor], specs: list[str]) -> set[Anchor]:
    """Return the anchors whose text stands in a line that some commit removed: one pass over the history."""
    special = re.compile(r"([.\[\]()*+?{}|^$\\])")
    pattern = "|".join(special.sub(r"\\\1", anchor.text) for anchor in anchors)
    args = ("log", "-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--format=")
    out = repo.git(*args, f"-G{pattern}", f"--max-count={MAX_COMMITS}", head, "--", *specs, env=PATTERNS)
    removed = "\n".join(line for line in out.decode("utf-8", "replace").split("\n") if line.startswith("-"))
    return {anchor for anchor in anchors if re.search(rf"(?<!\w){re.escape(anchor.text)}(?!\w)", removed)}

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
MAX_SEARCHES = 40
"""Texts looked up in the whole history of one repository; the rest stay unknown."""

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
    for number, anchor in enumerate(texts):
        found[anchor] = _check_text(repo, head, anchor, specs) if number < MAX_SEARCHES else UNKNOWN
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


def _check_text(repo: Repository, head: str, anchor: Anchor, specs: list[str]) -> str:
    env = {"GIT_LITERAL_PATHSPECS": "0"}
    whole = ["-w"] if anchor.kind != "url" else []
    grep = ("grep", "-l", "-I", "-F", *whole, "-e", anchor.text, head, "--", *specs)
    if repo.git(*grep, env=env, accept=(0, 1)):
        return ALIVE
    edge = "" if anchor.kind == "url" else "[^[:alnum:]_]"
    sought = re.sub(r"([.\[\]()*+?{}|^$\\])", r"\\\1", anchor.text)
    pattern = f"(^|{edge}){sought}($|{edge})" if edge else sought
    once = repo.git("log", "-1", "--format=%H", "--pickaxe-regex", f"-S{pattern}", head, "--", *specs, env=env)
    return GONE if once.strip() else UNKNOWN

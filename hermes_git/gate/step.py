"""The commit that is being made: what it will stand on, and the messages that come with it.

An amended commit stands on the parent of the one it replaces; a merge brings the messages of the sides it merges.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from hermes_git import files
from hermes_git.finding import digest
from hermes_git.gitrepo import read
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.read import Difference
from hermes_git.gitrepo.repository import Repository

MAX_STATE = 64 * 1024
PROCESS_VARIABLE = "HERMES_GIT_PROCESS"
"""Set by the hook files to the id of the git process that runs them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a hook knows of the world: its environment, the day, and the git command that runs it, if that is known."""

    environment: Mapping[str, str]
    today: date
    command: tuple[str, ...] = ()

    @property
    def process(self) -> str:
        """Return the id of the git process that makes the commit, or ""."""
        return self.environment.get(PROCESS_VARIABLE, "")

    @property
    def is_final(self) -> bool:
        """Say whether the message is what will be committed: git names `:` as editor when it opens none."""
        return self.environment.get("GIT_EDITOR") == ":"

    @property
    def amends(self) -> bool:
        """Say whether the command is seen to amend; git takes any beginning of the option that is its alone."""
        return any("--amend".startswith(word) and len(word) >= len("--am") for word in self.command)


@dataclass(frozen=True, slots=True)
class Step:
    """The base of the commit being made (None: no commit yet) and the messages of everything it merges."""

    base: str | None
    others: tuple[str, ...] = ()
    is_merge: bool = False


def next_step(repo: Repository, objects: Objects, *, amends: bool = False) -> Step:
    """Say what the commit that git is making stands on; `amends` when it replaces HEAD."""
    found = objects.named("HEAD^{commit}")
    if found is None:
        return Step(None)
    head = found[0]
    if not amends:
        return _merging(repo, head, _merge_heads(repo))
    words = (repo.ask("rev-list", "--parents", "--max-count=1", head) or head).split()
    return _merging(repo, words[1], words[2:]) if len(words) > 1 else Step(None)


def _merging(repo: Repository, base: str, sides: Sequence[str]) -> Step:
    if not sides:
        return Step(base)
    ends = ["--end-of-options", *sides, f"^{base}", "--"]
    return Step(base, tuple(read.log(repo, "--format=%B", *ends)), True)


def _merge_heads(repo: Repository) -> list[str]:
    """Return the commits that a merge under way brings in; git keeps them in a file of its own."""
    data = files.read_optional(repo.git_dir / "MERGE_HEAD")
    return (data or b"").decode("ascii", "replace").split()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the hooks of one commit tell each other, kept in the git folder of the work tree.

    `process` is the git process that makes the commit; `judged` names the content that passed; `amended` is the commit
    that is being replaced; `template` the digest of a message that nobody has written anything into yet.
    """

    process: str = ""
    judged: str = ""
    amended: str = ""
    template: str = ""


def receipt(repo: Repository) -> Receipt:
    """Read what an earlier hook left; damage counts as nothing, which only means that content is judged again."""
    data = files.read_optional(repo.git_dir / "hermes-git" / "receipt.json", limit=MAX_STATE)
    try:
        row = json.loads(data) if data else {}
        return Receipt(*(str(row.get(name, "")) for name in ("process", "judged", "amended", "template")))
    except (ValueError, RecursionError, AttributeError):
        return Receipt()


def was_judged(repo: Repository, now: Moment) -> bool:
    """Say whether this very git process has just had its content judged, so that commit-msg is going to follow."""
    left = receipt(repo)
    return bool(now.process) and left.process == now.process and bool(left.judged)


def amends(now: Moment, source: str, name: str) -> bool:
    """Say whether the commit replaces HEAD: git's arguments say so, or its command line does."""
    return now.amends or (source == "commit" and name == "HEAD")


def leave(repo: Repository, found: Receipt) -> None:
    """Leave a receipt for the next hook of this commit."""
    row = {"format": 1, "process": found.process, "judged": found.judged, "amended": found.amended}
    data = json.dumps({**row, "template": found.template}).encode("ascii")
    files.write_atomic(repo.git_dir / "hermes-git" / "receipt.json", data, durable=False)


def passed(repo: Repository, judged: str) -> None:
    """Note that this content passed, in the receipt that is there."""
    leave(repo, replace(receipt(repo), judged=judged))


def content_key(base: str | None, differences: Sequence[Difference], trust: str, tool: str) -> str:
    """Name what is judged: the base, every difference, how strictly, and by which version of the tool."""
    rows = [f"{row.path}\0{row.mode_after}\0{row.id_after}" for row in differences]
    return digest(base or "", trust, tool, *rows)

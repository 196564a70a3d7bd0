"""Getting one revision of another repository into a folder of its own: no hooks, no submodules, no checkout."""

from __future__ import annotations

import re
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository, require

SAFE = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "protocol.ext.allow=never",
    "-c", "submodule.recurse=false",
    "-c", "fetch.fsckObjects=true",
)  # fmt: skip
SLOWEST, PATIENCE = 1_000, 60
"""Over http, a source that sends fewer bytes a second than this, for so many seconds, is given up."""
HEX = re.compile(r"[0-9a-f]{4,64}\Z")
HELPER = re.compile(r"[a-z0-9+.-]+::", re.IGNORECASE)


def _safely() -> tuple[str, ...]:
    return (*SAFE, "-c", f"http.lowSpeedLimit={SLOWEST}", "-c", f"http.lowSpeedTime={PATIENCE}")


def check_source(source: str) -> None:
    """Refuse what git would take for an option or for a command to run."""
    if not source or source.startswith("-") or HELPER.match(source) or any(ord(char) < 32 for char in source):
        raise UserError(f"{source!r} is no repository", hint="give a folder, or a URL such as https://host/owner/repo")


def fetch(source: str, revision: str, folder: Path) -> tuple[Repository, str]:
    """Fetch a revision ("" for the default branch) of a repository into a new bare one; return it and the commit.

    `source` is a path or URL that git understands. The network is used only where the source is on it.
    """
    check_source(source)
    folder.mkdir(parents=True, exist_ok=True)
    run.run(["init", "--quiet", "--bare", "."], cwd=folder, clean=True)
    repo = require(folder, clean=True)
    if revision.startswith("-"):
        raise UserError(f"{revision!r} is no revision", hint="give a branch, a tag or a commit after @")
    status, _, said = run.attempt(
        [*_safely(), "fetch", "--quiet", "--depth=1", "--no-tags", "--end-of-options", source, revision or "HEAD"],
        cwd=folder,
        clean=True,
    )
    if status == 0:
        return repo, read.resolve(repo, "FETCH_HEAD")
    if not HEX.match(revision):
        message = said.decode("utf-8", "replace").strip().split("\n")[-1].removeprefix("fatal: ")
        raise UserError(
            f"cannot fetch {revision or 'HEAD'} from {source}: {message}", hint="check address and revision"
        )
    return repo, _by_id(repo, source, revision)


def _by_id(repo: Repository, source: str, revision: str) -> str:
    """Fetch all branches and tags, to find a commit that cannot be asked for by its id alone."""
    wanted = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    repo.git(*_safely(), "fetch", "--quiet", "--end-of-options", source, *wanted)
    return read.resolve(repo, revision)


def remote_commit(cwd: Path, source: str, revision: str) -> str:
    """Return the commit a branch or tag of a repository names now ("" for the default branch), without fetching."""
    check_source(source)
    wanted = revision or "HEAD"
    output = run.run([*_safely(), "ls-remote", "--end-of-options", source], cwd=cwd, clean=True)
    pairs = (row.split("\t", 1) for row in run.text(output).split("\n") if "\t" in row)
    rows = {name: commit for commit, name in pairs}
    for name in (f"refs/tags/{wanted}^{{}}", f"refs/tags/{wanted}", f"refs/heads/{wanted}", wanted):
        if name in rows:
            return rows[name]
    if HEX.match(wanted):
        return wanted
    raise UserError(f"{source} has no {wanted!r}", hint="list what there is with: git ls-remote SOURCE")

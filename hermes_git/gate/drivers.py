"""Whether git would merge memory files by entry here: hosts never do, and a clone does only once it is told how."""

from __future__ import annotations

from hermes_git.finding import Finding
from hermes_git.gate.findings import finding
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import memory_path
from hermes_git.settings import FILE_NAME, Settings

DRIVER = "hermes-memory"
ATTRIBUTES = ".gitattributes"


def judge_drivers(repo: Repository, settings: Settings, *, is_local: bool) -> tuple[Finding, ...]:
    """Note a merge driver that no attribute names, or, where people merge, that git is not told how to run.

    Only a repository with settings of its own is judged; `is_local` is false where nobody merges, as in CI.
    """
    path = memory_path(settings, "memory")
    if not repo.top or not (repo.top / FILE_NAME).is_file() or not (repo.top / path).is_file():
        return ()
    found = run.fields(repo.git("check-attr", "-z", "merge", "--", path))
    if found[2:3] != [DRIVER]:
        said = "no attribute has git merge this file by entry, so two branches that add entries will conflict"
        return (finding("HG730", ATTRIBUTES, said, text=path, hint="run: hermes-git init"),)
    key = f"merge.{DRIVER}.driver"
    if is_local and not read.config(repo, f"merge.{DRIVER}.").get(key):
        said = f"git is not told here how to run the merge driver {DRIVER}, so it merges memory files by line"
        return (finding("HG730", path, said, text=key, hint="run: hermes-git doctor --fix"),)
    return ()

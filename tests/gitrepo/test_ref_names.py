"""Names of references are lines: any byte but a line end can be in one."""

from __future__ import annotations

import os
from collections.abc import Callable

from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository


def test_odd_names_stay_whole(repo: Repository, commit: Callable[..., str]) -> None:
    tip = commit()
    names = ["refs/heads/a\u00a0b", "refs/heads/c\u0085d", os.fsdecode(b"refs/heads/e\xff")]
    for name in names:
        repo.git("update-ref", name, tip)
    assert sorted(read.ref_names(repo, "refs/heads")) == sorted([*names, "refs/heads/main"])

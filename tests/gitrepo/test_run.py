"""Git is started so that nothing of the user's own configuration changes what it does for us."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo import read, write
from hermes_git.gitrepo.repository import Repository


@pytest.mark.skipif(os.name == "nt", reason="the monitor is a shell script")
def test_a_file_monitor_neither_runs_nor_eats_what_we_write(
    repo: Repository, commit: Callable[..., str], tmp_path: Path
) -> None:
    base = commit()
    monitor = tmp_path / "monitor"
    monitor.write_text(f"#!/bin/sh\ncat\ntouch '{tmp_path}/ran'\n", encoding="utf-8")
    monitor.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(monitor))
    blob = write.write_blob(repo, b"kept")
    tree = write.write_tree(repo, base, [write.Edit("a", blob)])
    assert read.tree(repo, tree)["a"].id == blob
    assert not (tmp_path / "ran").exists()

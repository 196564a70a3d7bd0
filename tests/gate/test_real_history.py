"""Real histories of real knowledge: range check and review account for everything, and fall over nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gate.range import judge_range
from hermes_git.gate.replay import Listings, commits
from hermes_git.gitrepo import read, run, write
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.knowledge.entries import parse
from tests.conftest import Ran

BUNDLES = ("skills-jk-md", "trailofbits-skills-md", "hermes-agent-skills-md")
BACK = 15
HOME = ".hermes/memories"
EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def clone(data: Path, tmp_path: Path, name: str) -> Repository:
    source = data / "knowledge" / f"{name}.bundle"
    if not source.is_file():
        pytest.skip(f"{source.name} is not there")
    run.run(["clone", "-q", "--bare", "-b", "main", str(source), name], cwd=tmp_path, clean=True)
    return require(tmp_path / name, clean=True)


@pytest.mark.parametrize("name", BUNDLES)
def test_a_real_branch_is_replayed_and_judged(data: Path, tmp_path: Path, name: str) -> None:
    repo = clone(data, tmp_path, name)
    base = read.resolve(repo, f"main~{BACK}")
    rows = commits(repo, base, "main")
    listings = Listings(repo, rows, ("skills", "plugins"))
    for number, row in enumerate(rows):
        files = listings.of(row)
        if number % 5 == 0:
            assert list(row.differences) == read.compare(repo, row.parents[0], row.id)
            assert files == read.tree(repo, row.id, "skills", "plugins")
    assert len(rows) >= BACK
    report = judge_range(repo, base, "main")
    assert not [found for found in report.findings if "check itself failed" in found.message]
    changed = {change.path for row in rows for change in row.differences}
    assert {found.path for found in report.findings} <= changed | {item.path for item in report.not_scanned}


def moved(repo: Repository, revision: str, parents: list[str]) -> str:
    """Make a commit whose memory files are those of a Hermes home at a revision, at this tool's usual place."""
    edits = [
        write.Edit(path.replace(HOME, "knowledge/memory"), entry.id)
        for path, entry in read.tree(repo, revision, HOME).items()
    ]
    return write.commit_tree(repo, write.write_tree(repo, EMPTY, edits), parents, f"as of {revision}")


def test_a_real_memory_is_reviewed_entry_by_entry(data: Path, tmp_path: Path, hg: Callable[..., Ran]) -> None:
    repo = clone(data, tmp_path, "skills-jk-md")
    history = repo.git("rev-list", "main", "--", f"{HOME}/MEMORY.md").decode().split()
    assert len(history) > 20
    base = moved(repo, history[20], [])
    tip = moved(repo, history[0], [base])
    found = hg("review", "--range", f"{base}..{tip}", "--json", folder=repo.git_dir).json
    for item in found["memory"]:
        old, new = (set(parse((read.file_at(repo, at, item["path"]) or b"").decode()).texts) for at in (base, tip))
        gone = {row["text"] for change in item["changes"] for row in change["before"]}
        came = {row["text"] for change in item["changes"] for row in change["after"]}
        assert gone == old - new and came == new - old, "every entry that differs, and no other"
    assert len(found["memory"]) == 2
    for form in ("markdown", "html"):
        assert len(hg("review", "--range", f"{base}..{tip}", "--format", form, folder=repo.git_dir).out) > 1000

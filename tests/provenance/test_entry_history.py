"""History per entry: origins and chains on histories made here, and on a real one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository, require
from hermes_git.knowledge.entries import entry_id, render
from hermes_git.provenance import entry_history as history
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
Hg = Callable[..., Ran]
MEMORY, USER = "knowledge/memory/MEMORY.md", "knowledge/memory/USER.md"


def blamed(repo: Repository) -> dict[str, history.Origin]:
    return history.blame(history.load(repo, "HEAD"))


def test_origin_follows_an_entry_through_edits_of_its_neighbours(
    repo: Repository, write: Write, commit: Commit
) -> None:
    write(MEMORY, render(["alpha is the host"]))
    first = commit("first")
    write(MEMORY, render(["new at the top", "alpha is the host"]))
    second = commit("second")
    write(MEMORY, render(["alpha is the host", "new at the top", "third"]))
    commit("third")
    found = blamed(repo)
    assert found["alpha is the host"].step.id == first and found["new at the top"].step.id == second


def test_moves_and_renames_keep_the_origin(repo: Repository, write: Write, commit: Commit) -> None:
    write("memories/MEMORY.md", render(["one fact", "another fact"]))
    first = commit("first")
    (repo.work_tree() / MEMORY).parent.mkdir(parents=True)
    (repo.work_tree() / "memories/MEMORY.md").rename(repo.work_tree() / MEMORY)
    commit("rename the file")
    write(MEMORY, render(["one fact"]))
    write(USER, render(["another fact"]))
    commit("move an entry")
    assert {origin.step.id for origin in blamed(repo).values()} == {first}


def test_a_chain_follows_rewrites_made_through_the_tool(repo: Repository, hg: Hg) -> None:
    hg("memory", "add", "The host is alpha.")
    hg("memory", "add", "Something else entirely.")
    hg("memory", "replace", "--old-text", "alpha", "--new-text", "Staging runs on beta now, since May.")
    hg("memory", "replace", "--old-text", "beta", "--new-text", "gamma")
    store = history.load(repo, "HEAD")
    links = history.chain(store, "gamma")
    assert [link.text for link in links] == ["gamma", "Staging runs on beta now, since May.", "The host is alpha."]
    assert {link.certainty for link in links} == {"sure"} and str(links[0].actor) == "person:tester"


@pytest.mark.parametrize(
    ("new", "certainty"),
    [("the deploy host is beta not alpha", "sure"), ("deploys happen somewhere", "likely")],
)
def test_raw_rewrites_are_linked_by_likeness(
    repo: Repository, write: Write, commit: Commit, new: str, certainty: str
) -> None:
    write(MEMORY, render(["first", "the deploy host is alpha", "last"]))
    commit("first")
    write(MEMORY, render(["first", new, "last"]))
    commit("second")
    origin = blamed(repo)[new]
    assert (origin.action, origin.before) == ("replace", ("the deploy host is alpha",))
    assert origin.certainty == certainty


def test_squashed_and_shallow_histories_are_not_guessed(
    repo: Repository, write: Write, commit: Commit, tmp_path: Path
) -> None:
    commit("start")
    write(MEMORY, render(["one", "two", "three"]))
    commit("Teach things (#7)\n\n* teach one\n* teach two\n* teach three\n")
    assert {origin.certainty for origin in blamed(repo).values()} == {"unknown (squashed)"}
    write(MEMORY, render(["one", "two", "three", "four"]))
    commit("more")
    clone = tmp_path / "shallow"
    source = f"file://{repo.work_tree()}"
    subprocess.run(["git", "clone", "-q", "--depth", "1", source, str(clone)], check=True)
    found = blamed(require(clone, clean=True))
    assert {origin.certainty for origin in found.values()} == {"unknown (shallow)"}
    assert str(found["one"].actor) == "unknown:shallow"


def test_a_squash_keeps_the_actor_that_its_change_lines_name(repo: Repository, write: Write, commit: Commit) -> None:
    commit("start")
    write(MEMORY, render(["one", "two", "three"]))
    line = f"    Hermes-Change: add memory -..{entry_id('two')} actor=agent:codex session=s1"
    commit(f"Squash (#7)\n\n* teach one\n* teach two\n\n{line}\n")
    found = blamed(repo)
    assert str(found["two"].actor) == "agent:codex" and found["one"].certainty == "unknown (squashed)"


def test_merges_pass_entries_to_the_parent_that_has_them(repo: Repository, write: Write, commit: Commit) -> None:
    write(MEMORY, render(["base"]))
    commit("base")
    repo.git("checkout", "-q", "-b", "side")
    write(MEMORY, render(["base", "from the side"]))
    side = commit("side")
    repo.git("checkout", "-q", "main")
    write(MEMORY, render(["base", "from main"]))
    main = commit("main")
    repo.git("merge", "-q", "--no-commit", "-s", "ours", "side")
    write(MEMORY, render(["base", "from main", "from the side"]))
    commit("merge")
    found = blamed(repo)
    assert found["from the side"].step.id == side and found["from main"].step.id == main


def test_a_real_history_is_blamed_whole(data: Path, tmp_path: Path) -> None:
    clone = tmp_path / "real"
    bundle = data / "knowledge" / "skills-jk-md.bundle"
    subprocess.run(["git", "clone", "-q", "-b", "main", str(bundle), str(clone)], check=True)
    repo = require(clone, clean=True)
    store = history.load(repo, "HEAD")
    assert len(store.steps) > 60
    found = history.blame(store)
    assert set(found) == set(store.texts())
    for origin in found.values():
        assert origin.text in origin.step.texts
        parents = [store.steps[parent] for parent in origin.step.parents]
        assert all(origin.text not in parent.texts for parent in parents)

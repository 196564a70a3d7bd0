from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.export import review, source
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from hermes_git.provenance.change import Actor, Change, message
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS
from hermes_git.trajectories import validate
from tests.trajectories.sessions import FLAKY

MEMORY = "knowledge/memory/MEMORY.md"
SKILL = "knowledge/skills/web/links/SKILL.md"
AGENT = Actor("agent", "hermes")
OLD, NEW, OTHER = "the tests need network", "the tests need no network", "the server runs Postgres 15"

Write = Callable[[str, str], Path]
CommitAll = Callable[..., str]


def changed(action: str, before: str, after: str, **extra: str) -> str:
    ids = (entries.entry_id(text) if text else "" for text in (before, after))
    return message(action, [Change(action, "memory", *ids, AGENT, "s1", extra)])


@pytest.fixture
def history(repo: Repository, write: Write, commit: CommitAll) -> Repository:
    """Return a repository where an entry was added, rewritten and, in part, taken back, and a skill was edited."""
    write(MEMORY, OLD)
    commit(changed("add", "", OLD, quote="it hangs without network"))
    write(MEMORY, NEW)
    commit(changed("replace", OLD, NEW))
    write(MEMORY, entries.render([NEW, OTHER]))
    added = commit(changed("add", "", OTHER))
    write(MEMORY, NEW)
    commit(f"Revert\n\nThis reverts commit {added}.")
    write(SKILL, "---\nname: links\ndescription: Checks links.\n---\nold body\n")
    commit("a person's plain commit")
    write(SKILL, "---\nname: links\ndescription: Checks links.\n---\nnew body\n")
    commit(message("patch", [Change("patch", "web/links", "", "", Actor("curator", "hermes-git"))]))
    return repo


def found(repo: Repository, style: str = "trl") -> review.Review:
    return review.review(source.edits(repo), style)


def test_rewrites_become_pairs_and_writes_become_judgements(history: Repository) -> None:
    made = found(history)
    pairs = [(row["chosen"][0]["content"], row["rejected"][0]["content"]) for row in made.preferences]
    assert pairs[0] == (NEW, OLD)
    assert "new body" in pairs[1][0]
    assert "old body" in pairs[1][1]
    assert len(pairs) == 2
    labels = {row["completion"][0]["content"]: row["label"] for row in made.judgements}
    assert (labels[NEW], labels[OTHER]) == (True, False)
    assert "it hangs without network" in made.judgements[0]["prompt"][0]["content"]


def test_every_row_names_commit_session_and_actor(history: Repository) -> None:
    for row in found(history).judgements:
        assert len(row["metadata"]["commit"]) == 40
        assert row["metadata"]["actor"] in ("agent:hermes", "curator:hermes-git")
    assert found(history).preferences[0]["metadata"]["session"] == "s1"


@pytest.mark.parametrize(("style", "trainer"), [("sharegpt", "llamafactory"), ("trl", "trl")])
def test_rows_load(history: Repository, style: str, trainer: str) -> None:
    made = found(history, style)
    rows = made.preferences if style == "sharegpt" else [*made.preferences, *made.judgements]
    assert not [objection for row in rows for objection in validate.TRAINERS[trainer](row)]


def test_a_refused_proposal_is_the_worse_half(history: Repository, write: Write, commit: CommitAll) -> None:
    base = history.git("rev-parse", "HEAD").decode().strip()
    worse = "the tests need a network card"
    write(MEMORY, worse)
    proposed = commit(changed("replace", NEW, worse))
    history.git("update-ref", "refs/hermes-git/rejected/abc", proposed)
    history.git("update-ref", "HEAD", base)
    pair = found(history).preferences[-1]
    assert (pair["chosen"][0]["content"], pair["rejected"][0]["content"]) == (NEW, worse)
    assert pair["metadata"]["outcome"] == "refused"


def test_secrets_are_redacted(repo: Repository, write: Write, commit: CommitAll) -> None:
    secret = "the token is ghp_" + "a8Kd93kfLs02kdPq71mZxV" + "bNc4tYwQ6eRj9H"
    write(MEMORY, secret)
    commit(changed("add", "", secret))
    made = found(repo)
    assert "ghp_" not in json.dumps(made.judgements)
    assert sum(made.redactions.values()) == 1


def test_the_command_writes_both_files_and_counts_them(history: Repository, tmp_path: Path) -> None:
    open_store(history, DEFAULTS).write(dict(session_files(FLAKY)), message="import")
    out = tmp_path / "out"
    assert main(["export", "-C", str(history.cwd), "--out", str(out), "--review", "-q"]) == 0
    manifest: Any = json.loads((out / "manifest.json").read_bytes())
    counts = {item["name"]: item["rows"] for item in manifest["files"]}
    assert counts["preferences.jsonl"] == manifest["review"]["preferences"] == 2
    assert counts["judgements.jsonl"] == manifest["review"]["judgements"] == 4


def test_an_empty_history_gives_nothing(repo: Repository) -> None:
    assert found(repo) == review.Review()

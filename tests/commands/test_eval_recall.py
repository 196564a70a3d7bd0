from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS
from tests.conftest import Ran
from tests.evals.sessions import session

Commit = Callable[..., str]


@pytest.fixture
def stocked(repo: Repository, commit: Commit) -> Repository:
    commit()
    for seed in (1, 2, 3):
        open_store(repo, DEFAULTS).write(session_files(session(seed)), message="import")
    return repo


def test_words_of_a_sentence_find_its_session(stocked: Repository, hg: Callable[..., Ran]) -> None:
    done = hg("eval", "recall", "--json", "--out", "scores", "--questions", "4")
    assert done.code == 0
    assert done.json["sessions"] == 3
    assert done.json["lines"]["search, sentence: session"]["R@3"] == 100
    assert done.json["lines"]["FTS5, sentence: session"]["R@3"] == 100
    assert done.json["lines"]["search, words: message"]["asked"] > 0
    written: Any = json.loads((stocked.work_tree() / "scores/recall.json").read_bytes())
    assert written == done.json
    assert "| search, words: session | " in (stocked.work_tree() / "scores/recall.md").read_text("utf-8")


def test_the_same_sessions_give_the_same_figures(stocked: Repository, hg: Callable[..., Ran]) -> None:
    one, two = (hg("eval", "recall", "--json", "--sessions", "2").json["lines"] for _ in range(2))
    assert one == two


def test_without_sessions_it_says_how_to_get_some(repo: Repository, commit: Commit, hg: Callable[..., Ran]) -> None:
    commit()
    done = hg("eval", "recall")
    assert done.code == 2
    assert "session import" in done.err


def test_sessions_that_say_nothing_exact_are_no_exam(repo: Repository, commit: Commit, hg: Callable[..., Ran]) -> None:
    commit()
    short = session(1).__class__("short", "hermes", messages=session(1).messages[:1])
    open_store(repo, DEFAULTS).write(session_files(short), message="import")
    done = hg("eval", "recall")
    assert done.code == 2
    assert "no sentence to ask about" in done.err


def test_real_sessions_are_found(repo: Repository, commit: Commit, hg: Callable[..., Ran], data: Path) -> None:
    commit()
    assert hg("session", "import", str(data / "sessions" / "pi"), "-q").code in (0, 1)
    done = hg("eval", "recall", "--json", "--sessions", "20", "--questions", "3")
    assert done.code == 0
    assert done.json["queries"] >= 10
    assert done.json["lines"]["search, sentence: session"]["R@10"] >= 80

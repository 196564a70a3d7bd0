"""Real sessions of many agents: imported, indexed, and found again by strings that stand in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hermes_git.cli import main
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import care
from hermes_git.recall.passage import readable
from hermes_git.recall.search import open_recall
from hermes_git.sessions.store import open_store
from hermes_git.settings import DEFAULTS
from tests.conftest import GIT_ENVIRONMENT

WINDOW = re.compile(r"(?<!\w)[^\W_](?:[^\n\"]{22,40})[^\W_](?!\w)")
SIGNS = re.compile("[\u4e00-\u9fff]{4,8}")


def known_strings(repo: Repository, number: int) -> list[tuple[str, str]]:
    """Return `(session id, string)` pairs spread over all stored sessions; the second half is Chinese."""
    store = open_store(repo, DEFAULTS)
    texts = []
    for stored in store.sessions():
        for message in store.session(stored.id).messages:
            if message.state != "rewound":
                texts.append((stored.id, readable(message.content)))
    plain = [(name, found.group()) for name, text in texts if (found := WINDOW.search(text, len(text) // 3))]
    signs = [(name, found.group()) for name, text in texts if (found := SIGNS.search(text, len(text) // 3))]
    chosen = []
    for pool in (plain, signs):
        step = max(1, len(pool) // (number // 2))
        chosen += pool[::step][: number // 2]
    return chosen


@pytest.fixture(scope="module")
def imported(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
        repo = create.create(tmp_path_factory.mktemp("real") / "repo")
        assert main(["-C", str(repo.work_tree()), "session", "import", "-q", str(data / "sessions")]) in (0, 1)
    return repo


def test_strings_of_real_sessions_are_found(imported: Repository) -> None:
    strings = known_strings(imported, 50)
    assert len(strings) == 50 and sum(bool(SIGNS.search(text)) for _, text in strings) >= 25
    missed = []
    with open_recall(imported, DEFAULTS) as recall:
        assert recall.complete, recall.notes
        for name, text in strings:
            hits = recall.find(f'"{text}"', limit=50, within=name).sessions.hits
            everywhere = recall.find(f'"{text}"', limit=10).sessions
            if not (any(hit.rung in ("phrase", "all") for hit in hits) and everywhere.rung in ("phrase", "all")):
                missed.append((name, text))
    assert not missed
    report = care.verify(imported, DEFAULTS)
    assert (report["missing"], report["surplus"], report["damage"], report["unreadable"]) == (0, 0, [], [])


def test_questions_about_real_sessions_are_answered_in_bounds(imported: Repository) -> None:
    with open_recall(imported, DEFAULTS) as recall:
        sizes = [len(str(recall.find(question).sessions.hits)) for question in QUESTIONS]
        assert all(recall.find(question).sessions.hits for question in QUESTIONS)
    assert max(sizes) < 5000


QUESTIONS = (
    "how do the tests run?",
    "why did the build fail",
    "什么是配置",
    "what files were changed in the last commit and why",
)

"""Sessions wherever they live, a substring scan as the judge, and writes that stay small."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from hermes_git.gitrepo import run, write
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.recall import care, index, update
from hermes_git.recall.ask import ask
from hermes_git.recall.search import open_recall
from hermes_git.recall.shapes import Parameters
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS
from tests.recall.conftest import Search, Store, found, talk


@pytest.mark.parametrize("place", ["branch", "tree", "folder"])
def test_every_place_of_sessions_is_searched(repo: Repository, tmp_path: Path, place: str) -> None:
    repo.git("config", "hermes-git.sessionsFolder", str(tmp_path / "outside"))
    settings = replace(DEFAULTS, sessions=replace(DEFAULTS.sessions, place=place))
    store = open_store(repo, settings)
    store.write(session_files(talk("one", "alpha question", "the answer")), message="one")
    assert found(ask(repo, settings, Parameters("alpha"))) == ["one"]
    store.write(session_files(talk("two", "beta question")), message="two")
    assert sorted(found(ask(repo, settings, Parameters("question")))) == ["one", "two"]
    assert (
        ask(repo, settings, Parameters(session_id="one", around_message_id=2))["messages"][1]["content"] == "the answer"
    )
    assert care.verify(repo, settings)["damage"] == []


def test_a_folder_that_is_not_there_is_not_taken_for_an_empty_one(repo: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    repo.git("config", "hermes-git.sessionsFolder", str(outside))
    settings = replace(DEFAULTS, sessions=replace(DEFAULTS.sessions, place="folder"))
    open_store(repo, settings).write(session_files(talk("one", "alpha question")), message="one")
    assert ask(repo, settings, Parameters("alpha"))["complete"]
    outside.rename(tmp_path / "unmounted")
    answer = ask(repo, settings, Parameters("alpha"))
    assert not answer["complete"] and f"none was searched: {outside}" in " ".join(answer["notes"])
    assert care.status(repo, settings)["unreadable"] == [f"{outside}: the folder of sessions is not there"]
    (tmp_path / "unmounted").rename(outside)
    assert found(ask(repo, settings, Parameters("alpha"))) == ["one"]
    assert care.status(repo, settings)["unreadable"] == []


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_object_formats_and_work_trees(tmp_path: Path, object_format: str) -> None:
    run.run(["init", "-q", "-b", "main", f"--object-format={object_format}", "main"], cwd=tmp_path)
    repo = require(tmp_path / "main")
    open_store(repo, DEFAULTS).write(session_files(talk("one", "alpha question")), message="one")
    repo.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "start")
    repo.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    other = require(tmp_path / "other")
    assert found(ask(repo, DEFAULTS, Parameters("alpha"))) == ["one"]
    assert found(ask(other, DEFAULTS, Parameters("alpha"))) == ["one"]
    assert index.place_of(other) == index.place_of(repo)


SIGNS = "部署脚本昨晚修改服务端的日志"


def test_names_that_are_not_utf_8_are_searched_like_others(repo: Repository, search: Search) -> None:
    text = b"---\nname: ok\ndescription: Feeds the okapi.\n---\n# Ok\n"
    blob = write.write_blob(repo, text)
    path = os.fsdecode(b"knowledge/skills/c\xff/ok/SKILL.md")
    made = write.commit_tree(repo, write.write_tree(repo, None, [write.Edit(path, blob)]), [], "odd name")
    write.move_ref(repo, "HEAD", made, None, "test")
    for _ in range(2):
        (row,) = [row for row in search("okapi")["knowledge"] if row["kind"] == "skill"]
        assert row["path"] == "knowledge/skills/c\\xff/ok/SKILL.md"


def test_signs_are_found_exactly_where_a_substring_scan_finds_them(repo: Repository, store: Store) -> None:
    chance = random.Random(3)
    texts = {
        f"s{number}": " ".join(
            "".join(chance.choice(SIGNS) for _ in range(chance.randint(1, 9))) for _ in range(chance.randint(1, 12))
        )
        for number in range(80)
    }
    store([talk(name, text) for name, text in texts.items()])
    queries = {"".join(chance.choice(SIGNS) for _ in range(size)) for size in (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4)}
    whole = [chance.choice(text.split()) for text in list(texts.values())[:20]]
    with open_recall(repo, DEFAULTS) as recall:
        for query in [*sorted(queries), *whole]:
            expected = {name for name, text in texts.items() if query in text}
            answer = recall.find(query, limit=100).sessions
            exact = {hit.source.id for hit in answer.hits if hit.rung == "phrase" or len(query) < 3}
            assert exact == expected, (query, answer.rung)


def test_words_are_found_exactly_where_they_stand(repo: Repository, store: Store) -> None:
    chance = random.Random(4)
    words = ["cache", "Zebra", "src/main.py", "max_retries", "C++", "don't", "v1.2", "fooBar", "ALPHA"]
    texts = {f"s{number}": " ".join(chance.choice(words) for _ in range(chance.randint(2, 9))) for number in range(60)}
    store([talk(name, text) for name, text in texts.items()])
    pairs = [f"{chance.choice(words)} {chance.choice(words)}" for _ in range(25)]
    with open_recall(repo, DEFAULTS) as recall:
        for query in [*words, *pairs]:
            expected = {name for name, text in texts.items() if f" {query} ".lower() in f" {text} ".lower()}
            answer = recall.find(f'"{query}"', limit=100).sessions
            assert expected <= {hit.source.id for hit in answer.hits}, query
            if expected:
                assert answer.rung == (
                    "all" if query in ("cache", "Zebra", "max_retries", "C++", "fooBar", "ALPHA") else "phrase"
                )


def test_adding_one_session_writes_little(repo: Repository, store: Store, search: Search) -> None:
    chance = random.Random(5)

    def text() -> str:
        return " ".join(f"word{chance.randint(0, 20_000)}" for _ in range(300))

    store([talk(f"s{number}", text(), text()) for number in range(150)])
    update.bring_up_to_date(repo, DEFAULTS)
    folder = index.place_of(repo).folder
    whole = sum(path.stat().st_size for path in folder.iterdir())
    for number in range(12):
        before = {path.name for path in folder.iterdir()}
        store([talk(f"new{number}", text())])
        assert update.bring_up_to_date(repo, DEFAULTS).added == 1
        fresh = sum(path.stat().st_size for path in folder.iterdir() if path.name not in before)
        assert fresh < whole / 4, (number, fresh, whole)
    assert len(index.load(folder).segments) <= 12  # type: ignore[union-attr]

"""One contract, two engines: the same sessions, rungs and messages come back from Whoosh and from tantivy."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import care, index, update
from hermes_git.settings import DEFAULTS
from tests.recall.conftest import Search, Store, found, talk

Configure = Callable[[str], None]


@pytest.fixture
def configure(repo: Repository) -> Configure:
    def choose(engine: str) -> None:
        if engine == "tantivy":
            pytest.importorskip("tantivy", reason="the engine tantivy is an extra")
        repo.git("config", "hermes-git.engine", engine)

    return choose


SESSIONS = [
    talk(
        "deploy",
        "why did the staging deploy fail?",
        "the zebra cache in src/heron/otter_pool.py was full, max_retries=3",
    ),
    talk("deploy2", "zebra crossing", "nothing about caches", start="2026-06-01T10:00:00Z"),
    talk("tool", "tool: Traceback: CrimsonOtterError quota exceeded for tenant 10411", start="2026-04-01T10:00:00Z"),
    talk("signs", "部署记录：集群的编号是 falcon-10685，回滚脚本"),
    talk("digest", "fixed in 0123456789abcdef0123456789abcdef01234567", "ok"),
    talk("same", "zebra " * 5, parent="deploy2", parent_kind="compaction"),
]
QUERIES = [
    ("zebra cache", "phrase"),
    ("cache zebra", "all"),
    ("zebra", "all"),
    ("src/heron/otter_pool.py", "phrase"),
    ("max_retries", "all"),
    ("CrimsonOtterError: quota", "all"),
    ("crimsonottererror quota exceeded", "phrase"),
    ("集群的编号是多少", "weighted"),
    ("集群的编号", "phrase"),
    ("0123456789abcdef0123456789abcdef01234567", "phrase"),
    ("0123456789abcdef0123456789abcdef0123ffff", ""),
    ("which tenant hit the quota error", "weighted"),
    ("crimsonott", "prefix"),
    ("zerba", "fuzzy"),
    ("zebr*", "all"),
    ("rossin", "substring"),
    ("falcon OR crimson", "all"),
    ("zebra NOT cache", "all"),
    ('"zebra crossing"', "phrase"),
    ('"crossing zebra"', "all"),
    ("quota role:tool", "all"),
    ("quota role:user", ""),
    ("zebra after:2026-05-15", "all"),
    ("zebra before:2026-05-15", "all"),
    ("zebra agent:nobody", ""),
    ("zebra path:src/heron", "all"),
    ("qqqzzz", ""),
]


def answers(search: Search) -> dict[str, tuple[str, set[tuple[str, int]]]]:
    result = {}
    for query, _ in QUERIES:
        answer = search(query, limit=10)
        result[query] = (answer["rung"], {(row["session_id"], row["match_message_id"]) for row in answer["results"]})
    return result


def test_both_engines_give_the_same_answers(store: Store, search: Search, configure: Configure) -> None:
    store(SESSIONS)
    configure("whoosh")
    ours = answers(search)
    assert {query: rung for query, (rung, _) in ours.items()} == dict(QUERIES)
    configure("tantivy")
    theirs = answers(search)
    assert theirs == ours
    assert found(search("zebra", sort="newest", limit=10))[0] in ("deploy2", "same")


def test_tantivy_follows_the_store(repo: Repository, store: Store, search: Search, configure: Configure) -> None:
    configure("tantivy")
    store([talk("one", "alpha question")])
    assert found(search("alpha")) == ["one"]
    store([talk("one", "alpha question", "gamma answer"), talk("two", "beta question")])
    assert found(search("gamma")) == ["one"] and len(search("alpha")["results"]) == 1
    assert sorted(found(search("question"))) == ["one", "two"]
    report = care.verify(repo, DEFAULTS)
    assert (report["engine"], report["indexed"], report["missing"], report["damage"]) == ("tantivy", 2, 0, [])
    assert update.bring_up_to_date(repo, DEFAULTS) == update.Update()
    update.rebuild(repo, DEFAULTS)
    assert found(search("gamma")) == ["one"]
    assert care.verify(repo, DEFAULTS)["damage"] == []


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)


@pytest.mark.parametrize(
    "damage", [_spoil, os.unlink, lambda path: os.truncate(path, 1)], ids=["flip", "delete", "cut"]
)
@pytest.mark.parametrize("which", ["*-sessions/*.idx", "*-sessions/meta.json", "*-sessions/*.store", "*.sources"])
def test_damage_is_noticed_and_mended(
    repo: Repository, store: Store, search: Search, configure: Configure, damage: Callable[[Path], None], which: str
) -> None:
    configure("tantivy")
    store([talk("one", "alpha question")])
    assert found(search("alpha")) == ["one"]
    damage(next(index.place_of(repo).folder.glob(which)))
    answer = search("alpha")
    assert found(answer) == ["one"] and "rebuilt" in " ".join(answer["notes"])
    assert care.verify(repo, DEFAULTS)["damage"] == []


def test_an_unknown_engine_is_an_error_that_names_the_known(
    repo: Repository, search: Search, configure: Configure
) -> None:
    configure("lucene")
    with pytest.raises(UserError, match="not one of whoosh, tantivy") as caught:
        search("x")
    assert "git config hermes-git.engine whoosh" in caught.value.hint


def test_a_missing_engine_is_an_error_that_says_how_to_install_it(
    repo: Repository, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "hermes-git.engine", "tantivy")
    monkeypatch.setattr(index.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UserError, match="tantivy is not installed") as caught:
        search("x")
    assert "hermes-git[fast]" in caught.value.hint

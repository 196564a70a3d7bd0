"""What people really type: punctuation, code, paths, operators out of place, and scripts without blanks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hermes_git.gitrepo import create
from hermes_git.recall.search import Recall, open_recall
from hermes_git.recall.shapes import Parameters, call
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS
from tests.conftest import GIT_ENVIRONMENT
from tests.recall.conftest import Search, found, talk

TEXT = (
    "昨晚修改youer服务端的部署脚本 wrong-book TODO: fix C++ #123 don't "
    "alice@example.com src/main.py 50% POL-358 C:\\x\\y"
)
OTHER = "wrong turn in the book; fix main, py and C; 123 dont example alice com todo src 50 POL and 358"
SIGNS_APART = "部分脚印，署名本子；晚上昨天；务必服从客户端"
KOREAN = "오늘 끝말잇기 게임"
JAPANESE = "今日は成語しりとりをした"
NFC = "das Café am Markt"
ALL = {"a": TEXT, "b": OTHER, "c": SIGNS_APART, "d": KOREAN, "e": JAPANESE, "f": NFC}


@pytest.fixture(scope="module", params=["whoosh", "tantivy"])
def recall(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Recall]:
    """Return recall, opened once for all queries of this file, over each engine."""
    if request.param == "tantivy":
        pytest.importorskip("tantivy", reason="the engine tantivy is an extra")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
        repo = create.create(tmp_path_factory.mktemp("literals") / "repo")
        repo.git("config", "hermes-git.engine", request.param)
        sessions = [talk(name, text) for name, text in ALL.items()]
        files = {path: data for session in sessions for path, data in session_files(session).items()}
        open_store(repo, DEFAULTS).write(files, message="sessions")
        with open_recall(repo, DEFAULTS) as opened:
            yield opened


def ask(recall: Recall, query: str, **given: object) -> dict:
    return call(recall, Parameters(query, **given))  # type: ignore[arg-type]


LITERALS = [
    "wrong-book", "TODO: fix", "#123", "C++", "don't", "alice@example.com", "src/main.py", "50%", "POL-358", "C:\\x\\y",
    "昨晚", "晚修", "部署脚本", "youer", "youer服务端", "服务端 修改", "部署 wrong-book", "修改YOUER服务端的", "don’t",
]  # fmt: skip


@pytest.mark.parametrize("query", LITERALS)
def test_the_exact_text_comes_first(recall: Recall, query: str) -> None:
    answer = ask(recall, query)
    assert found(answer)[0] == "a", answer["results"]
    assert answer["complete"] and answer["success"]


@pytest.mark.parametrize(
    ("query", "session"),
    [("끝말잇기", "d"), ("말잇", "d"), ("しりとり", "e"), ("語", "e"), ("cafe\u0301", "f"), ("CAFÉ", "f")],
)
def test_scripts_and_forms(recall: Recall, query: str, session: str) -> None:
    assert found(ask(recall, query)) == [session]


def test_one_sign_finds_all_that_hold_it(recall: Recall) -> None:
    assert sorted(found(ask(recall, "晚", limit=10))) == ["a", "c"]


CONTAINED = [
    "昨晚",
    "晚",
    "部",
    "服务",
    "部署脚本",
    "修改",
    "署名",
    "끝말",
    "게임",
    "りとり",
    "成語し",
    "した",
    "客户端",
]


@pytest.mark.parametrize("query", CONTAINED)
def test_signs_find_what_a_scan_for_the_substring_finds(recall: Recall, query: str) -> None:
    assert sorted(found(ask(recall, f'"{query}"', limit=10))) == [name for name, text in ALL.items() if query in text]


def test_signs_in_another_order_come_after(recall: Recall) -> None:
    assert found(ask(recall, "部署脚本", limit=10))[:1] == ["a"]
    assert "c" not in found(ask(recall, "部署脚本", limit=10))


@pytest.mark.parametrize(
    "query", ['"open', "NOT", "a AND", "x:y", "*", "NEAR(a b)", "OR", "(", "[a TO", "AND OR", '""', "\0", "role:"]
)
def test_odd_queries_are_never_errors_and_never_everything(recall: Recall, query: str) -> None:
    answer = ask(recall, query, limit=10)
    assert answer["success"]
    assert len(answer.get("results", ())) < 6 or answer["mode"] == "browse"


def test_an_empty_store_answers_too(search: Search) -> None:
    for query in (*LITERALS, "끝말잇기", "zqxjkvbw", "*"):
        answer = search(query)
        assert answer["results"] == [] and answer["message"]


def test_a_word_that_nobody_said_finds_nothing(recall: Recall) -> None:
    answer = ask(recall, "zqxjkvbw")
    assert answer["results"] == [] and answer["rung"] == "" and answer["message"] == "No matching sessions found."

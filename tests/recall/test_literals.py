"""What people really type: punctuation, code, paths, operators out of place, and scripts without blanks."""

from __future__ import annotations

import pytest

from tests.recall.conftest import Search, Store, found, talk

TEXT = (
    "昨晚修改youer服务端的部署脚本 wrong-book TODO: fix C++ #123 don't "
    "alice@example.com src/main.py 50% POL-358 C:\\x\\y"
)
OTHER = "wrong turn in the book; fix main, py and C; 123 dont example alice com todo src 50 POL and 358"
SIGNS_APART = "部分脚印，署名本子；晚上昨天；务必服从客户端"
KOREAN = "오늘 끝말잇기 게임"
JAPANESE = "今日は成語しりとりをした"
NFC = "das Café am Markt"


@pytest.fixture
def corpus(store: Store) -> None:
    texts = {"a": TEXT, "b": OTHER, "c": SIGNS_APART, "d": KOREAN, "e": JAPANESE, "f": NFC}
    store([talk(name, text) for name, text in texts.items()])


LITERALS = [
    "wrong-book", "TODO: fix", "#123", "C++", "don't", "alice@example.com", "src/main.py", "50%", "POL-358", "C:\\x\\y",
    "昨晚", "晚修", "部署脚本", "youer", "youer服务端", "服务端 修改", "部署 wrong-book", "修改YOUER服务端的", "don’t",
]  # fmt: skip


@pytest.mark.parametrize("query", LITERALS)
@pytest.mark.usefixtures("corpus")
def test_the_exact_text_comes_first(search: Search, query: str) -> None:
    answer = search(query)
    assert found(answer)[0] == "a", answer["results"]
    assert answer["complete"] and answer["success"]


@pytest.mark.parametrize(
    ("query", "session"),
    [("끝말잇기", "d"), ("말잇", "d"), ("しりとり", "e"), ("語", "e"), ("cafe\u0301", "f"), ("CAFÉ", "f")],
)
@pytest.mark.usefixtures("corpus")
def test_scripts_and_forms(search: Search, query: str, session: str) -> None:
    assert found(search(query)) == [session]


@pytest.mark.usefixtures("corpus")
def test_one_sign_finds_all_that_hold_it(search: Search) -> None:
    assert sorted(found(search("晚", limit=10))) == ["a", "c"]


@pytest.mark.usefixtures("corpus")
def test_signs_in_another_order_come_after(search: Search) -> None:
    assert found(search("部署脚本", limit=10))[:1] == ["a"]
    assert "c" not in found(search("部署脚本", limit=10))


@pytest.mark.parametrize(
    "query", ['"open', "NOT", "a AND", "x:y", "*", "NEAR(a b)", "OR", "(", "[a TO", "AND OR", '""', "\0", "role:"]
)
@pytest.mark.usefixtures("corpus")
def test_odd_queries_are_never_errors_and_never_everything(search: Search, query: str) -> None:
    answer = search(query, limit=10)
    assert answer["success"]
    assert len(answer.get("results", ())) < 6 or answer["mode"] == "browse"


@pytest.mark.parametrize("query", [*LITERALS, "끝말잇기", "zqxjkvbw", "*"])
def test_an_empty_store_answers_too(search: Search, query: str) -> None:
    answer = search(query)
    assert answer["results"] == [] and answer["message"]


@pytest.mark.usefixtures("corpus")
def test_a_word_that_nobody_said_finds_nothing(search: Search) -> None:
    answer = search("zqxjkvbw")
    assert answer["results"] == [] and answer["rung"] == "" and answer["message"] == "No matching sessions found."

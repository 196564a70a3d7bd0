"""The timeline: what was active last, by day, by repository; lineages once, filters kept, output bounded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall.ask import ask
from hermes_git.recall.shapes import Parameters
from hermes_git.sessions.model import Message, Session
from hermes_git.settings import DEFAULTS
from tests.conftest import Ran
from tests.recall.conftest import Search, Store, found, talk

SHOP = "https://example.org/shop.git"
SESSIONS = [
    talk("a", "one", start="2026-05-01T10:00:00Z", repository=SHOP),
    talk("b", "two", "three", start="2026-05-01T23:59:59Z", cwd="/srv/garden"),
    talk("c", "four", start="2026-05-03T08:00:00Z", repository=SHOP, cwd="/srv/shop"),
    talk("c2", "five", start="2026-05-03T09:00:00Z", repository=SHOP, parent="c", parent_kind="compaction"),
    talk("d", "six", start=""),
]


@pytest.mark.parametrize(
    ("by", "groups", "order"),
    [
        ("", None, ["c2", "b", "a", "d"]),
        ("day", [("2026-05-03", 1, 1), ("2026-05-01", 2, 3), ("unknown", 1, 1)], ["c2", "b", "a", "d"]),
        ("repository", [(SHOP, 2, 2), ("/srv/garden", 1, 2), ("unknown", 1, 1)], ["c2", "a", "b", "d"]),
    ],
)
def test_sessions_are_listed_by_time_day_and_repository(
    store: Store, search: Search, by: str, groups: list[tuple[str, int, int]] | None, order: list[str]
) -> None:
    store(SESSIONS)
    answer = search("", by=by, limit=10)
    assert answer["mode"] == "browse" and found(answer) == order
    told = [(group[by], group["sessions"], group["messages"]) for group in answer.get("groups", ())]
    assert told == (groups or [])
    assert (answer["count"], answer["total"]) == (4, 4)


def test_filters_narrow_the_groups(store: Store, search: Search) -> None:
    store(SESSIONS)
    assert found(search("after:2026-05-02", by="day")) == ["c2"]
    assert found(search("repo:garden", by="repository")) == ["b"]


def test_groups_and_what_is_shown_of_each_are_bounded(store: Store, search: Search) -> None:
    store([talk(f"s{n:02}", "x", start=f"2026-05-{1 + n // 8:02}T10:{n:02}:00Z") for n in range(24)])
    answer = search("", by="day", limit=2)
    assert [(group["day"], group["sessions"], group["shown"]) for group in answer["groups"]] == [
        ("2026-05-03", 8, 5),
        ("2026-05-02", 8, 5),
    ]
    assert found(answer) == [f"s{n:02}" for n in (23, 22, 21, 20, 19, 15, 14, 13, 12, 11)]
    assert "10 of 24 sessions in 2 of 3 days" in answer["message"]


COMMAND = "<command-name>/review</command-name><command-args>the parser</command-args>"


@pytest.mark.parametrize(
    ("texts", "preview"),
    [
        (("<environment>", "+Fix it."), "Fix it."),
        (("<environment>",), "<environment>"),
        ((COMMAND, "+Fix it."), "/review the parser"),
        (("<command-name>/clear</command-name>", "+Fix it."), "Fix it."),
        ((), ""),
    ],
)
def test_the_preview_is_what_the_person_asked_first(
    store: Store, search: Search, texts: tuple[str, ...], preview: str
) -> None:
    answer = Message(9, "assistant", "ok")
    said = [
        Message(number, "user", text.lstrip("+"), state="active" if text.startswith("+") else "harness")
        for number, text in enumerate(texts, start=1)
    ]
    store([Session("a", "codex", messages=(*said, answer))])
    assert [row["preview"] for row in search()["results"]] == [preview]


def test_an_unknown_grouping_is_an_error(repo: Repository) -> None:
    with pytest.raises(UserError, match="no grouping"):
        ask(repo, DEFAULTS, Parameters(by="month"))


def test_the_command_shows_groups_and_refuses_words(hg: Callable[..., Ran], store: Store) -> None:
    store(SESSIONS)
    ran = hg("search", "--by", "day")
    assert ran.code == 0
    assert ran.out.split("\n")[0] == "2026-05-03  (1 session, 1 message)"
    assert "4 of 4 sessions in 3 of 3 days, the last active first" in ran.out
    assert len(hg("search", "agent:hermes").out.strip().split("\n")) == 5, "filters alone list like no words at all"
    for words in (("six",), ("--session", "a")):
        refused = hg("search", "--by", "day", *words)
        assert refused.code == 2 and "takes no words" in refused.err


def test_days_of_real_sessions(hg: Callable[..., Ran], data: Path) -> None:
    assert hg("session", "import", str(data / "sessions" / "hermes")).code in (0, 1)
    answer = hg("search", "--by", "day", "--json").json
    assert {group["day"] for group in answer["groups"]} <= {"2026-05-04", "2026-05-05"}
    assert sum(group["sessions"] for group in answer["groups"]) == answer["total"] > 0

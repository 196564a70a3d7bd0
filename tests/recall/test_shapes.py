"""The four shapes: what is inferred, what comes back, and that nothing comes back twice or without end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.recall.shapes import Parameters
from hermes_git.sessions.model import Message, Session, ToolCall
from tests.recall.conftest import Search, Store, found, talk


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        ({}, "browse"),
        ({"query": "  "}, "browse"),
        ({"query": "x"}, "discover"),
        ({"session_id": "s"}, "read"),
        ({"query": "x", "session_id": "s"}, "read"),
        ({"session_id": "s", "around_message_id": 0}, "scroll"),
        ({"query": "x", "session_id": "s", "around_message_id": 3}, "scroll"),
        ({"around_message_id": 3}, "browse"),
    ],
)
def test_the_shape_is_inferred(given: dict[str, object], shape: str) -> None:
    assert Parameters(**given).shape == shape  # type: ignore[arg-type]


FIELDS = {"session_id", "when", "source", "model", "title", "matched_role", "match_message_id", "snippet", "messages",
          "bookend_start", "bookend_end", "messages_before", "messages_after", "detail", "rung"}  # fmt: skip


def long_talk(session_id: str, needle: str, at: int, size: int = 40, **more: object) -> Session:
    turns = [f"line {number} of {session_id}" for number in range(1, size + 1)]
    turns[at - 1] = needle
    return talk(session_id, *turns, **more)


def test_discovery_hydrates_the_first_and_anchors_the_rest(store: Store, search: Search) -> None:
    store([long_talk("a", "the zebra deploy", 20), long_talk("b", "a zebra elsewhere", 10), long_talk("c", "zebra", 3)])
    answer = search("zebra deploy")
    assert {"success", "mode", "query", "detail", "results", "count", "sessions_searched"} <= answer.keys()
    assert (answer["mode"], answer["count"], answer["sessions_searched"]) == ("discover", 3, 3)
    first, *others = answer["results"]
    assert first.keys() >= FIELDS and first["session_id"] == "a" and first["detail"] == "full"
    assert first["match_message_id"] == 20 and first["matched_role"] == "assistant"
    assert [row["id"] for row in first["messages"]] == list(range(15, 26))
    assert [row["id"] for row in first["messages"] if row.get("anchor")] == [20]
    assert [row["id"] for row in first["bookend_start"]] == [1, 2, 3]
    assert [row["id"] for row in first["bookend_end"]] == [38, 39, 40]
    assert (first["messages_before"], first["messages_after"]) == (5, 5)
    assert ">>>" in first["snippet"]
    for row in others:
        assert row["detail"] == "compact" and len(row["messages"]) == 1 and row["bookend_start"] == []
    assert [row["detail"] for row in search("zebra", detail="full")["results"]] == ["full"] * 3


def test_one_result_for_each_lineage(store: Store, search: Search) -> None:
    root = talk("root", "the walrus plan", title="Plan", start="2026-05-01T10:00:00Z")
    child = talk("child", "walrus walrus walrus", parent="root", parent_kind="compaction")
    grandchild = talk("grandchild", "more of the walrus", parent="child", parent_kind="compaction")
    other = talk("other", "an unrelated walrus")
    store([root, child, grandchild, other])
    answer = search("walrus", limit=10)
    assert len(answer["results"]) == 2
    row = next(row for row in answer["results"] if row["session_id"] != "other")
    assert row["title"] == "Plan"
    assert row["session_id"] == "root" or row["parent_session_id"] == "root"


def test_a_lineage_that_talks_of_nothing_else_hides_nobody(store: Store, search: Search) -> None:
    chatty = [talk(f"c{number}", *["penguin " * 900] * 8, parent="c0" if number else "") for number in range(8)]
    store([*chatty, talk("quiet", "penguin and other birds of the south, told at some length " + "word " * 3000)])
    assert "quiet" in found(search("penguin", limit=3))


def test_a_cycle_of_parents_ends(store: Store, search: Search) -> None:
    store([talk("x", "ouroboros", parent="y"), talk("y", "ouroboros", parent="x"), talk("z", "ouroboros", parent="z")])
    assert len(found(search("ouroboros", limit=10))) >= 2
    assert search()["count"] >= 2


def test_the_asking_session_is_left_out_but_not_what_it_lost(store: Store, search: Search) -> None:
    now = talk("now", "kestrel in context", "kestrel lost in compaction")
    lost = Message(2, "assistant", "kestrel lost in compaction", state="compacted")
    store([Session("now", "hermes", messages=(now.messages[0], lost)), talk("then", "kestrel long ago")])
    answer = search("kestrel", current="now", limit=5)
    assert sorted(found(answer)) == ["now", "then"]
    assert next(row for row in answer["results"] if row["session_id"] == "now")["match_message_id"] == 2


def test_what_was_undone_is_not_found_nor_shown(store: Store, search: Search) -> None:
    messages = (
        Message(1, "user", "ask"),
        Message(2, "assistant", "narwhal", state="rewound"),
        Message(3, "user", "ask on"),
    )
    store([Session("a", "hermes", messages=messages)])
    assert found(search("narwhal")) == []
    assert [row["id"] for row in search("ask")["results"][0]["messages"]] == [1, 3]
    assert [row["id"] for row in search(session_id="a")["messages"]] == [1, 3]


def test_what_a_summary_replaced_is_found_and_read(store: Store, search: Search) -> None:
    messages = (Message(1, "user", "the ibex secret", state="compacted"), Message(2, "assistant", "summary"))
    store([Session("a", "hermes", messages=messages)])
    assert search("ibex")["results"][0]["match_message_id"] == 1
    assert search(session_id="a")["messages"][0]["state"] == "compacted"


def test_tool_output_is_found_but_counts_less(store: Store, search: Search) -> None:
    told = talk("told", "the gecko is here", "yes")
    printed = Session("printed", "hermes", messages=(Message(1, "tool", "the gecko is here", tool_name="terminal"),))
    store([printed, told])
    assert found(search("gecko")) == ["told", "printed"]
    assert found(search("gecko tool:terminal")) == ["printed"]
    assert found(search("gecko role:user")) == ["told"]
    assert found(search("gecko", role_filter="tool")) == ["printed"]


def test_arguments_and_json_output_are_searched_unescaped(store: Store, search: Search) -> None:
    call = ToolCall("c1", "patch", '{"path": "src/x.py", "text": "first\\nsecondword"}')
    out = Message(2, "tool", '{"output": "alpha\\nbetaword", "exit_code": 0}', tool_name="patch", tool_call_id="c1")
    store([Session("a", "hermes", messages=(Message(1, "assistant", "", tool_calls=(call,)), out))])
    assert search("secondword")["results"][0]["match_message_id"] == 1
    assert search("betaword")["results"][0]["match_message_id"] == 2
    assert found(search("nbetaword")) in ([], ["a"]) and search("nbetaword")["rung"] not in ("phrase", "all")
    window = search("secondword")["results"][0]["messages"]
    assert [row["id"] for row in window] == [1, 2]  # the answer to the call that matched stays in sight
    assert window[0]["tool_calls"][0]["function"]["name"] == "patch"


def test_a_giant_message_gives_a_small_answer_with_the_hit_in_it(store: Store, search: Search) -> None:
    giant = "filler word " * 20_000 + "the okapi is here " + "filler word " * 20_000
    store([talk("a", giant, giant, giant), talk("b", *["x" * 5000 + f" okapi {number}" for number in range(30)])])
    answer = search("okapi", limit=10, detail="full")
    text = str(answer)
    assert len(text) < 80_000
    anchor = next(
        message
        for row in answer["results"]
        if row["session_id"] == "a"
        for message in row["messages"]
        if message.get("anchor")
    )
    assert "okapi" in anchor["content"] and anchor["content_truncated"]
    assert anchor["original_content_chars"] == len(giant)
    assert len(str(search(session_id="a"))) < 60_000


def test_title_match_comes_first(store: Store, search: Search) -> None:
    store(
        [
            talk("a", "hello", title="Auth refactor"),
            talk("b", "hi", title="auth refactor #2"),
            talk("c", "auth refactor"),
        ]
    )
    answer = search("`Auth Refactor`")
    assert found(answer)[0] == "b"
    assert answer["results"][0]["matched_role"] == "session_title"
    assert answer["results"][0]["match_message_id"] == 1


def test_order_by_time_keeps_to_what_matches(store: Store, search: Search) -> None:
    store([talk(f"s{day}", "tapir " * (day % 3 + 1), start=f"2026-05-{day:02}T10:00:00Z") for day in range(1, 9)])
    assert found(search("tapir", sort="newest")) == ["s8", "s7", "s6"]
    assert found(search("tapir", sort="oldest")) == ["s1", "s2", "s3"]


def test_time_filters(store: Store, search: Search) -> None:
    store([talk(f"s{day}", "tapir", start=f"2026-05-{day:02}T10:00:00Z") for day in range(1, 5)])
    assert sorted(found(search("tapir after:2026-05-02 before:2026-05-04", limit=9))) == ["s2", "s3"]
    odd = search("tapir before:yesterday")
    assert odd["success"] and "before:yesterday" in " ".join(odd["notes"])


def test_other_filters(store: Store, search: Search) -> None:
    here = talk("a", "lemur", repository="github.com/x/garden", model="big-model-4")
    store(
        [
            here,
            talk("b", "lemur", cwd="/srv/shop", model="small-1"),
            Session("c", "codex", messages=(Message(1, "user", "lemur src/garden.py"),)),
        ]
    )
    assert found(search("lemur repo:garden")) == ["a"]
    assert found(search("lemur repo:shop")) == ["b"]
    assert found(search("lemur agent:codex")) == ["c"]
    assert found(search("lemur model:small")) == ["b"]
    assert found(search('lemur path:"src/garden.py"')) == ["c"]
    assert found(search("lemur kind:session", limit=9)) != []
    assert found(search("lemur kind:memory")) == []


def test_scroll(store: Store, search: Search) -> None:
    store([long_talk("a", "x", 5, size=30)])
    answer = search(session_id="a", around_message_id=10, window=3)
    assert (answer["mode"], [row["id"] for row in answer["messages"]]) == ("scroll", [7, 8, 9, 10, 11, 12, 13])
    assert (answer["messages_before"], answer["messages_after"]) == (3, 3)
    assert (answer["remaining_before"], answer["remaining_after"]) == (6, 17)
    assert answer["session_meta"].keys() == {"when", "source", "model", "title"}
    assert search(session_id="a", around_message_id=1)["messages_before"] == 0
    assert len(search(session_id="a", around_message_id=15, window=99)["messages"]) == 30


def test_scroll_follows_the_lineage(store: Store, search: Search) -> None:
    store([long_talk("a", "x", 5, size=30), talk("b", "x", "y", parent="a", parent_kind="compaction")])
    answer = search(session_id="b", around_message_id=20)
    assert answer["session_id"] == "a" and "a" in answer["warning"]
    with pytest.raises(UserError, match="not in session_id"):
        search(session_id="b", around_message_id=99)
    with pytest.raises(UserError, match="session_id not found"):
        search(session_id="nobody")


def test_read_whole_and_in_part(store: Store, search: Search) -> None:
    store([long_talk("short", "x", 5, size=10), long_talk("long", "the quokka", 33, size=60)])
    whole = search(session_id="short")
    assert (whole["mode"], whole["message_count"], whole["truncated"]) == ("read", 10, False)
    part = search(session_id="@session:default/long")
    assert part["truncated"] and [row["id"] for row in part["messages"]] == [*range(1, 21), *range(51, 61)]
    assert "21 to 50" in part["message"]


def test_a_query_works_inside_a_session(store: Store, search: Search) -> None:
    store([long_talk("long", "the quokka", 33, size=60), talk("other", "quokka")])
    answer = search("quokka", session_id="long")
    assert answer["mode"] == "read"
    assert [(row["match_message_id"], row["matched_role"]) for row in answer["matches"]] == [(33, "user")]


def test_browse(store: Store, search: Search) -> None:
    sessions = [talk(f"s{day}", f"day {day} " + "x" * 80, start=f"2026-05-{day:02}T10:00:00Z") for day in range(1, 6)]
    store([*sessions, talk("s6", "go on", parent="s1", parent_kind="compaction", start="2026-05-09T10:00:00Z")])
    answer = search(limit=3)
    assert (answer["mode"], found(answer), answer["total"]) == ("browse", ["s6", "s5", "s4"], 5)
    row = answer["results"][1]
    assert row.keys() >= {"session_id", "title", "source", "started_at", "last_active", "message_count", "preview"}
    assert row["preview"] == ("day 5 " + "x" * 80)[:60] + "..."


def test_browse_by_filters(store: Store, search: Search) -> None:
    days = [
        talk(f"s{day}", f"day {day}", start=f"2026-05-{day:02}T10:00:00Z", repository="garden") for day in (1, 2, 3)
    ]
    store([*days, talk("other", "elsewhere", repository="shop", start="2026-05-02T11:00:00Z")])
    assert found(search("repo:garden", limit=9)) == ["s3", "s2", "s1"]
    assert found(search("after:2026-05-02 before:2026-05-03", limit=9)) == ["other", "s2"]
    odd = search("role:user repo:shop", limit=9)
    assert found(odd) == ["other"] and "role: needs a word" in " ".join(odd["notes"])


@pytest.mark.parametrize(
    ("kind", "query"),
    [("memory", "juniper"), ("skill", "pruning shears"), ("archive", "basalt"), ("commit", "quartzite")],
)
def test_knowledge_is_found_by_kind(
    store: Store, search: Search, write: Callable[[str, str], Path], commit: Callable[..., str], kind: str, query: str
) -> None:
    write("knowledge/memory/MEMORY.md", "uses zsh\n§\nthe staging server is called juniper\n§\nnever force-push")
    write(
        "knowledge/skills/garden/prune/SKILL.md", "---\nname: prune\ndescription: Use pruning shears.\n---\n# Prune\n"
    )
    write("knowledge/archive/MEMORY.md", "the old server was called basalt")
    head = commit("teach: quartzite decisions")
    store([talk("a", f"nothing of {query[::-1]}")])
    answer = search(query)
    assert [row["kind"] for row in answer["knowledge"]] == [kind]
    row = search(f"{query} kind:{kind}")["knowledge"][0]
    assert row["kind"] == kind and ">>>" in row["snippet"]
    assert row["open"] == {
        "memory": "hermes-git memory list",
        "skill": "hermes-git skill show garden/prune",
        "archive": "git show HEAD:knowledge/archive/MEMORY.md",
        "commit": f"git show {head[:12]}",
    }.get(kind)
    if kind == "memory":
        assert row["path"] == "knowledge/memory/MEMORY.md" and len(row["entry"]) == 12
    if kind == "commit":
        assert row["commit"] == head and row["author"] == "Test Author"

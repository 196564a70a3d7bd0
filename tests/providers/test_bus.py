"""Several providers at once: isolated, bounded, merged."""

# ruff: noqa: ARG002 - providers take what the protocol gives

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pytest

from hermes_git.providers.bus import RANK_OFFSET, Bus, fuse
from hermes_git.providers.protocol import Provider, Quiet, Recollection


def item(key: str) -> Recollection:
    return Recollection(key, "memory", f"text of {key}", f"open {key}")


class Fixed(Quiet):
    def __init__(self, name: str, keys: str = "", *, there: bool = True) -> None:
        self.name, self.keys, self.there = name, keys.split(), there
        self.heard: list[str] = []

    def is_available(self) -> bool:
        return self.there

    def prefetch(self, query: str, *, session_id: str = "") -> Sequence[Recollection]:
        self.heard.append(query)
        return [item(key) for key in self.keys]


class Broken(Fixed):
    def prefetch(self, query: str, *, session_id: str = "") -> Sequence[Recollection]:
        raise ConnectionError("no route")


class Stuck(Fixed):
    release = threading.Event()

    def prefetch(self, query: str, *, session_id: str = "") -> Sequence[Recollection]:
        self.release.wait(10)
        return [item("late")]


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        ([], []),
        ([["a", "b", "c"]], ["a", "b", "c"]),
        ([["a", "b"], ["b", "a"]], ["a", "b"]),
        ([["a", "b"], ["b", "c"]], ["b", "a", "c"]),
        ([["x"], ["y"]], ["x", "y"]),
        ([["a", "a", "b"], ["b"]], ["b", "a"]),
        ([[], ["z"]], ["z"]),
    ],
)
def test_fusion(rankings: list[list[str]], expected: list[str]) -> None:
    assert [row.key for row in fuse([[item(key) for key in ranking] for ranking in rankings])] == expected


def test_fused_scores_are_sums_of_reciprocal_ranks() -> None:
    first = fuse([[item("a"), item("b")], [item("b")]])[0]
    assert first.key == "b" and first.score == pytest.approx(1 / (RANK_OFFSET + 2) + 1 / (RANK_OFFSET + 1))


def test_one_failure_does_not_stop_the_others() -> None:
    providers: list[Provider] = [Broken("broken"), Fixed("absent", "x", there=False), Fixed("fine", "a b")]
    merged = Bus(providers, time.monotonic).prefetch_all("what now", deadline=5.0)
    assert [row.key for row in merged.recollections] == ["a", "b"]
    assert [(row.provider, row.state, row.found) for row in merged.asked] == [
        ("broken", "failed", 0),
        ("absent", "unavailable", 0),
        ("fine", "answered", 2),
    ]
    assert merged.asked[0].error == "ConnectionError: no route"


def test_a_late_provider_is_left_behind_and_not_asked_again() -> None:
    stuck, fine = Stuck("stuck"), Fixed("fine", "a")
    bus = Bus([stuck, fine], time.monotonic)
    start = time.monotonic()
    merged = bus.prefetch_all("one", deadline=0.1)
    assert time.monotonic() - start < 5
    assert [row.state for row in merged.asked] == ["late", "answered"]
    assert [row.key for row in merged.recollections] == ["a"]
    assert [row.state for row in bus.prefetch_all("two", deadline=0.1).asked] == ["busy", "answered"]
    stuck.release.set()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        third = bus.prefetch_all("three", deadline=1.0)
        if third.asked[0].state == "answered":
            break
    assert [row.key for row in third.recollections] == ["a", "late"] or {row.key for row in third.recollections} == {
        "a",
        "late",
    }


@pytest.mark.parametrize(
    ("utterance", "heard"),
    [
        ("/deploy to staging", ["to staging"]),
        ("/deploy", []),
        ("  ", []),
        ("what about /etc/hosts", ["what about /etc/hosts"]),
        ("/etc/hosts is broken", ["/etc/hosts is broken"]),
        ("/plan:all  now", ["now"]),
    ],
)
def test_the_call_of_a_skill_is_no_question(utterance: str, heard: list[str]) -> None:
    provider = Fixed("fine", "a")
    Bus([provider], time.monotonic).prefetch_all(utterance, deadline=5.0)
    assert provider.heard == heard


def test_quiet_calls_do_nothing() -> None:
    quiet = Fixed("quiet")
    quiet.initialize("s")
    quiet.sync_turn("u", "a")
    quiet.on_memory_write("add", "memory", "x")
    quiet.shutdown()
    assert (quiet.system_prompt_block(), list(quiet.get_tool_schemas())) == ("", [])
    assert isinstance(quiet, Provider)

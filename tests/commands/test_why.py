"""From a message to the knowledge that cites it, and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import hermes_git
from tests.conftest import Ran

Hg = Callable[..., Ran]
SESSIONS = Path(hermes_git.__file__).parent / "data" / "tour" / "sessions" / "hermes"
SESSION = "20261120_101500_4be9d1"


@pytest.fixture
def taught(hg: Hg) -> None:
    hg("init")
    assert hg("session", "import", str(SESSIONS)).code == 0
    done = hg("memory", "add", "The handbook is checked for broken links.", "--evidence", f"{SESSION}#1", "--quote",
              "Check the links")  # fmt: skip
    assert done.code == 0, done.err


def test_there_and_back(taught: None, hg: Hg) -> None:
    (row,) = hg("why", f"{SESSION}#1", "--json").json
    assert row["target"] == "memory" and row["message_id"] == 1 and row["quote"] == "Check the links"
    assert hg("why", SESSION[:12], "--json").json == [row]
    (back,) = hg("why", "broken links", "--json").json
    assert back["session_id"] == SESSION
    shown = hg("memory", "why", "broken links")
    assert shown.code == 0 and SESSION in shown.out


def test_hits_say_how_to_ask_and_the_answer_says_how_to_read(taught: None, hg: Hg) -> None:
    found = hg("search", "broken links", "--json").json
    session = next(row for row in found["results"] if row["session_id"] == SESSION)
    entry = next(row for row in found["knowledge"] if row["kind"] == "memory")
    (cited,) = hg(*session["why"].split()[1:], "--json").json
    assert cited["after"] == entry["entry"]
    (taught_by,) = hg(*entry["why"].split()[1:], "--json").json
    assert taught_by == cited and taught_by["session_id"] == SESSION
    told = hg(*entry["why"].split()[1:]).out.strip().split("\n")[-1].split()
    shown = hg(*told[1:], "--json").json
    assert (shown["mode"], shown["around_message_id"]) == ("scroll", 1)
    assert "what these taught: hermes-git why" in hg("search", "broken links").out


def test_nothing_known_is_said(taught: None, hg: Hg) -> None:
    assert hg("why", f"{SESSION}#2").code == 1
    assert hg("why", "no such thing").code == 1


def test_a_quote_must_really_be_there(taught: None, hg: Hg) -> None:
    refused = hg("memory", "add", "x y z", "--evidence", f"{SESSION}#1", "--quote", "never said")
    assert refused.code == 2 and "does not hold the words" in refused.err
    assert hg("memory", "add", "x y z", "--evidence", f"{SESSION}#999").code == 2
    assert hg("memory", "add", "x y z", "--evidence", "nonsense").code == 2

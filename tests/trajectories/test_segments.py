from __future__ import annotations

import json

import pytest

from hermes_git.tokens import choose
from hermes_git.trajectories import extract, row, tags
from hermes_git.trajectories.extract import Region
from hermes_git.trajectories.segments import PREFIX, Segment, segments

COUNT = choose.default().count


def turns(*values: tuple[str, str]) -> tuple[row.RowTurn, ...]:
    return row.read({"conversations": [{"from": role, "value": value} for role, value in values]}).turns


CALL = json.dumps({"name": "Bash", "arguments": {"command": "pytest -q tests/test_zones.py"}})
ROUND = (
    ("gpt", f"The limit of zones is 37 seconds.\n{tags.CALL[0]}{CALL}{tags.CALL[1]}"),
    ("human", "Set it to 12 seconds.\nAnd tell me when the build of zones is done."),
)


@pytest.mark.parametrize(
    ("quotes", "found"),
    [
        ("[3] said: The limit is 37.", [Segment(3, "said", "The limit is 37.")]),
        ("[3] called Bash: command: ls", [Segment(3, "call", "command: ls", "Bash")]),
        ("[3] asked: one\ntwo", [Segment(3, "asked", "one"), Segment(3, "asked", "two")]),
        ("[3] got Bash: ok\nalso there: zones [3]", [Segment(3, "result", "ok", "Bash")]),
        ("[3] wrote: no label\n[4] said: one", [Segment(4, "said", "one")]),
    ],
)
def test_quotes_of_a_summary_are_again_what_they_were(quotes: str, found: list[Segment]) -> None:
    opening = f"{PREFIX}turns 2-9 left out here; quoted from them:\n"
    assert list(segments(turns(("human", opening + quotes)), 1)) == found


def test_a_summary_that_a_model_wrote_is_cut_into_what_it_says() -> None:
    summary = f"{PREFIX}It set the limit of zones to 37 seconds.\nThe build is not done."
    assert [one.text for one in segments(turns(("human", summary)), 5)] == [
        "It set the limit of zones to 37 seconds.",
        "The build is not done.",
    ]
    assert {(one.turn, one.kind) for one in segments(turns(("human", summary)), 5)} == {(5, "said")}


def test_a_summary_of_a_summary_with_room_enough_says_the_same() -> None:
    once = extract.summarise(Region(turns(*ROUND), 4), 400, COUNT)
    again = extract.summarise(Region(turns(("human", PREFIX + once)), 1), 400, COUNT)
    assert once.split("\n")[1:] == again.split("\n")[1:]
    assert "[4] called Bash: command: pytest -q tests/test_zones.py" in once

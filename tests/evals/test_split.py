from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.evals.split import PARTS, family, is_in, part
from hermes_git.trajectories import row


def conversation(*turns: tuple[str, str]) -> row.View:
    return row.read({"conversations": [{"from": role, "value": text} for role, text in turns]})


def test_a_continued_session_stays_in_its_family() -> None:
    short = conversation(("system", "You help."), ("human", "Mend the clock."), ("gpt", "Done."))
    long = conversation(("system", "Other."), ("human", "Mend the clock."), ("gpt", "Which?"), ("human", "That."))
    other = conversation(("human", "Mend the zone."), ("gpt", "Done."))
    assert family(short) == family(long) != family(other)


@pytest.mark.parametrize(("digit", "name"), [*((one, "tuning") for one in "07"), *((one, "held-out") for one in "8f")])
def test_the_first_digit_tells_the_side(digit: str, name: str) -> None:
    assert part(digit * 64) == name
    assert [wanted for wanted in PARTS if is_in(digit * 64, wanted)] == [
        wanted for wanted in PARTS if wanted in ("all", name)
    ]


def test_both_sides_get_about_half() -> None:
    sides = [part(family(conversation(("human", f"task {number}")))) for number in range(400)]
    assert 160 < sides.count("tuning") < 240


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(UserError, match="dev"):
        is_in("0" * 64, "dev")

"""Who is asked for a second opinion: mistakes in the configuration are named, nothing is guessed."""

from __future__ import annotations

import pytest

from hermes_git.checks import opinions
from hermes_git.checks.opinions import Opinion, configured
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, NOTE

BASE = "hermes-git.opinion.x"


def test_what_is_said_and_what_holds_otherwise() -> None:
    assert configured({}) == ()
    assert configured({f"{BASE}.command": "scan --format 'a b'"}) == (Opinion("x", ("scan", "--format", "a b")),)
    full = {
        f"{BASE}.command": "scan --", f"{BASE}.onfailure": "open", f"{BASE}.seconds": "5", f"{BASE}.format": "exit",
        f"{BASE}.warncode": "2", f"{BASE}.about": "commands, skills", f"{BASE}.doors": "check",
        "hermes-git.opinion.a.b.command": "other",
    }  # fmt: skip
    first, second = configured(full)
    assert first.name == "a.b"
    assert second == Opinion("x", ("scan", "--"), True, 5, "exit", 2, ("skills", "commands"), "check")


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"command": ""}, "no command"),
        ({"command": "scan 'x"}, "cannot be split"),
        ({"onfailure": "maybe"}, "onFailure"),
        ({"seconds": "0"}, "seconds"),
        ({"seconds": "9999"}, "seconds"),
        ({"warncode": "x"}, "warnCode"),
        ({"format": "xml"}, "format"),
        ({"doors": "hooks"}, "doors"),
        ({"about": "memory"}, "about"),
        ({"about": " "}, "about"),
        ({"onfailur": "open"}, "onfailur"),
        ({"about": "commands"}, "does not end with --"),
    ],
)
def test_mistakes_in_the_configuration_are_named(more: dict[str, str], named: str) -> None:
    options = {f"{BASE}.command": "scan", **{f"{BASE}.{key}": value for key, value in more.items()}}
    with pytest.raises(UserError, match=r"hermes-git\.opinion\.x") as caught:
        configured(options)
    assert named in str(caught.value)


def test_a_setting_without_a_command_is_a_mistake() -> None:
    with pytest.raises(UserError, match="no command"):
        configured({f"{BASE}.onfailure": "open"})


@pytest.mark.parametrize(("is_open", "severity", "means"), [(False, ERROR, "blocks"), (True, NOTE, "passes")])
def test_a_failure_says_what_it_means(is_open: bool, severity: int, means: str) -> None:
    found = opinions.failed(Opinion("x", ("scan",), is_open), "it took more than 5 s", "a/SKILL.md")
    assert (found.check, found.severity, found.path) == ("HG791", severity, "a/SKILL.md")
    assert means in found.message and "5 s" in found.message

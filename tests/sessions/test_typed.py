"""A command of an agent's prompt is shown as it was typed."""

from __future__ import annotations

import pytest

from hermes_git.sessions.typed import typed

CASES = [
    ("<command-name>/model</command-name>\n<command-message>model</command-message>", "/model"),
    (
        "<command-message>review</command-message> <command-name>/review</command-name>\n"
        "<command-args>the parser</command-args>",
        "/review the parser",
    ),
    (" <command-name>/clear</command-name><command-args></command-args>", "/clear"),
]
QUIET = ["", "Run /model now.", "What is <command-name>/x</command-name>?", "<command-message>x", "<commandments>"]


@pytest.mark.parametrize(("text", "said"), CASES)
def test_a_command_is_shown_as_it_was_typed(text: str, said: str) -> None:
    assert typed(text) == said


@pytest.mark.parametrize("text", QUIET)
def test_other_text_stays(text: str) -> None:
    assert typed(text) == text

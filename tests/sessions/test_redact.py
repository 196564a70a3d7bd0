"""Redaction: the same secret, the same placeholder; nothing else changes; JSON stays JSON."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.sessions import canonical
from hermes_git.sessions.model import Message, Session, ToolCall
from hermes_git.sessions.redact import redact

TOKEN = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
OTHER = "gh" + "p_" + "Z1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
PEM = "-----BEGIN " + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END " + "PRIVATE KEY-----"


def only(message: Message) -> Message:
    return redact(Session("s", "x", messages=(message,)))[0].messages[0]


def test_the_same_secret_has_the_same_placeholder_everywhere() -> None:
    session = Session(
        "s",
        "x",
        title=f"about {OTHER}",
        system_prompt=f"use {TOKEN}",
        messages=(
            Message(1, "user", f"my token is {TOKEN}"),
            Message(
                2,
                "assistant",
                reasoning=f"{OTHER} or {TOKEN}",
                tool_calls=(ToolCall("c", "bash", json.dumps({"c": f"x {TOKEN}\n"})),),
            ),
            Message(3, "tool", f"out: {OTHER}"),
        ),
    )
    redacted, counts = redact(session)
    assert redacted.messages[0].content == "my token is [REDACTED:github-token:1]"
    assert redacted.messages[1].reasoning == "[REDACTED:github-token:2] or [REDACTED:github-token:1]"
    assert json.loads(redacted.messages[1].tool_calls[0].arguments) == {"c": "x [REDACTED:github-token:1]\n"}
    assert redacted.title == "about [REDACTED:github-token:2]"
    assert redacted.system_prompt == "use [REDACTED:github-token:1]"
    assert counts == {"github-token": 7}
    stored = canonical.encode(redacted) + b"".join(canonical.texts(redacted).values())
    assert TOKEN.encode() not in stored and OTHER.encode() not in stored


def test_growth_does_not_renumber() -> None:
    first = Session("s", "x", messages=(Message(1, "user", TOKEN),), title=OTHER)
    grown = msgspec.structs.replace(first, messages=(*first.messages, Message(2, "user", f"{TOKEN} {OTHER}")))
    assert redact(grown)[0].messages[0] == redact(first)[0].messages[0]


ARGUMENTS = [
    (json.dumps({"key": PEM}), {"key": "[REDACTED:private-key:1]"}),
    (json.dumps({"file": json.dumps({"token": TOKEN})}), {"file": '{"token": "[REDACTED:github-token:1]"}'}),
    (json.dumps({"password": "Tr0ub4dor" + "3", "a": "\n"}), {"password": "[REDACTED:password:1]", "a": "\n"}),
    (json.dumps({TOKEN: 1}), {"[REDACTED:github-token:1]": 1}),
    (json.dumps({"card": 4111111111111111}), {"card": "[REDACTED:card:1]"}),
    (json.dumps({"env": [f"A\nB={TOKEN}"]}), {"env": ["A\nB=[REDACTED:github-token:1]"]}),
]


@pytest.mark.parametrize(("arguments", "expected"), ARGUMENTS)
def test_arguments_stay_json(arguments: str, expected: object) -> None:
    call = only(Message(1, "assistant", tool_calls=(ToolCall("c", "t", arguments),))).tool_calls[0]
    assert json.loads(call.arguments) == expected


KEPT = ['{"a":1}{"a":1}', '{"a":"cut', '{"a": NaN, "a": 2}', '{"e":"\\ud83d \\u00e9"}', "", '{ "spaced" : [ 1 ] }']


@pytest.mark.parametrize("arguments", KEPT)
def test_arguments_without_secrets_are_kept_to_the_byte(arguments: str) -> None:
    call = ToolCall("c", "t", arguments)
    assert only(Message(1, "assistant", tool_calls=(call,))).tool_calls[0] == call


def test_controls_are_unchanged() -> None:
    text = (
        "commit 4e0dcdf1b9e88b68faa669e6df14e658bb167d65 id 550e8400-e29b-41d4-a716-446655440000 "
        "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC keys start with sk- or sk-proj-"
    )
    redacted, counts = redact(Session("s", "x", messages=(Message(1, "tool", text),)))
    assert redacted.messages[0].content == text
    assert counts == {}


def test_redacting_twice_changes_nothing_more() -> None:
    session = Session("s", "x", messages=(Message(1, "user", f"password={TOKEN} a@contoso.com"),))
    once = redact(session)[0]
    assert redact(once) == (once, {})


def test_secrets_that_are_glued_together_are_all_replaced() -> None:
    key = "AKIA" + "QZ7XW2LMN5PRT3VK"
    assert only(Message(1, "user", f"{key}{TOKEN}")).content == "[REDACTED:aws-access-key:1][REDACTED:github-token:1]"


HOMES = [
    ("/home/anna/src", "/home/[REDACTED:user-name:1]/src"),
    ("/Users/anna", "/Users/[REDACTED:user-name:1]"),
    ("C:\\Users\\anna\\x", "C:\\Users\\[REDACTED:user-name:1]\\x"),
    ("projects/-Users-anna-work-shop", "projects/-Users-[REDACTED:user-name:1]-work-shop"),
    ('{"cwd":"/home/anna.k"}', '{"cwd":"/home/[REDACTED:user-name:1]"}'),
    ("/Users/Shared/z /home/runner/work /homes/x /home/", "/Users/Shared/z /home/runner/work /homes/x /home/"),
]


@pytest.mark.parametrize(("text", "expected"), HOMES)
def test_user_names_in_paths_are_an_option(text: str, expected: str) -> None:
    session = Session("s", "x", cwd=text, messages=(Message(1, "tool", text),))
    assert redact(session)[0] == session
    redacted, counts = redact(session, homes=True)
    assert (redacted.cwd, redacted.messages[0].content) == (expected, expected)
    assert counts == ({"user-name": 2} if text != expected else {})


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_text_around_a_secret_survives(text: str) -> None:
    content = f"{text} {TOKEN} {text}"
    assert TOKEN not in only(Message(1, "user", content)).content

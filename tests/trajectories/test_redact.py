from __future__ import annotations

import json

import pytest

from hermes_git.trajectories import redact, style_hermes
from hermes_git.trajectories.convert import convert
from tests.trajectories.sessions import call, message, session

TOKEN = "ghp_" + "a8Kd93kfLs02kdPq71mZxV" + "bNc4tYwQ6eRj9H"
KEY = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nq8Zk\n-----END RSA " + "PRIVATE KEY-----"
CONTROLS = [
    "commit 9f4c5cc0e7a1b2c3d4e5f60718293a4b5c6d7e8f",
    "id 123e4567-e89b-42d3-a456-426614174000",
    "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC",
    "keys that begin with sk- are from that provider",
]


def written(text: str, arguments: str = "{}") -> tuple[str, dict[str, int]]:
    source = session(
        message("user", text), message("assistant", text, reasoning=text, calls=(call(1, arguments=arguments),)),
        message("tool", text, answers="c1"), message("assistant", "done"), system_prompt=text,
    )  # fmt: skip
    cleaned, found = redact.redact(convert(source))
    return json.dumps(style_hermes.render(cleaned), ensure_ascii=False), dict(found)


@pytest.mark.parametrize("secret", [TOKEN, KEY])
@pytest.mark.parametrize(
    "around", ["{}", "x" * 70_000 + " {} " + "y" * 70_000, '{{"output": "token {}", "exit_code": 0}}']
)
def test_secrets_are_replaced_wherever_they_stand(secret: str, around: str) -> None:
    row, found = written(around.format(secret))
    assert secret not in row
    assert "[REDACTED:" in row
    assert sum(found.values()) == 5


def test_secrets_in_arguments_leave_valid_json() -> None:
    arguments = json.dumps({"command": f"curl -H 'Authorization: Bearer {TOKEN}'", "password": 'hunter2"x\\y9876'})
    row, found = written("text", arguments)
    assert TOKEN not in row
    inside = style_hermes.parse(json.loads(row))[1].calls[0]
    assert not inside.is_broken
    assert set(json.loads(inside.arguments)) == {"command", "password"}
    assert found


@pytest.mark.parametrize("text", CONTROLS)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    row, found = written(text)
    assert text in row
    assert not found

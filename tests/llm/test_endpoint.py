"""Where the endpoint comes from, and what is refused as one."""

from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.llm.endpoint import Endpoint, endpoint, is_configured

CONFIGURED = {
    "hermes-git.llm.endpoint": "https://api.example.com/v1/",
    "hermes-git.llm.model": "small",
    "hermes-git.llm.keyvariable": "EXAMPLE_KEY",
}


def test_flags_win_over_the_environment_and_that_over_configuration() -> None:
    world = {"EXAMPLE_KEY": "k1", "OTHER": "k2", "HERMES_GIT_LLM_MODEL": "middle"}
    assert endpoint(CONFIGURED, world) == Endpoint("https://api.example.com/v1", "middle", "k1", "EXAMPLE_KEY")
    assert endpoint(CONFIGURED, world, model="large", key_variable="OTHER").model == "large"
    assert is_configured(CONFIGURED, {}) and not is_configured({}, {"EXAMPLE_KEY": "k"})


def test_the_key_is_never_shown() -> None:
    assert "k1" not in repr(endpoint(CONFIGURED, {"EXAMPLE_KEY": "k1"}))


@pytest.mark.parametrize("url", ["http://localhost:8080/v1", "http://127.0.0.1:1/v1", "http://[::1]:1/v1"])
def test_this_machine_needs_no_encryption(url: str) -> None:
    assert endpoint(CONFIGURED, {"EXAMPLE_KEY": "k"}, url=url).is_local


@pytest.mark.parametrize(
    ("configuration", "world", "said"),
    [
        ({}, {}, "no model is configured"),
        ({"hermes-git.llm.endpoint": "https://a.example/v1"}, {}, "no model of"),
        (CONFIGURED, {}, "EXAMPLE_KEY is empty"),
        (CONFIGURED | {"hermes-git.llm.keyvariable": "not-a-name"}, {}, "is no name of an environment variable"),
        (CONFIGURED | {"hermes-git.llm.endpoint": "http://api.example.com/v1"}, {"EXAMPLE_KEY": "k"}, "unencrypted"),
        (CONFIGURED | {"hermes-git.llm.endpoint": "file:///etc"}, {"EXAMPLE_KEY": "k"}, "cannot be an endpoint"),
        (CONFIGURED | {"hermes-git.llm.endpoint": "https://u:p@h/v1"}, {"EXAMPLE_KEY": "k"}, "cannot be an endpoint"),
        (CONFIGURED | {"hermes-git.llm.endpoint": "http://[::1"}, {"EXAMPLE_KEY": "k"}, "is no URL"),
        (CONFIGURED, {"EXAMPLE_KEY": "k\r\nx: y"}, "characters no key has"),
    ],
)
def test_refusals_say_what_to_do(configuration: dict[str, str], world: dict[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        endpoint(configuration, world)
    assert caught.value.hint and "not-a-name" not in str(caught.value)

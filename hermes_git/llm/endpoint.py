"""Which model to ask: read from the user's own configuration, never from a file of a repository. Pure.

`git config hermes-git.llm.endpoint https://host/v1`, `….model`, `….keyVariable` (the *name* of the environment variable
that holds the key). The environment (`HERMES_GIT_LLM_ENDPOINT`, …) wins over it, flags win over both.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hermes_git.errors import UserError

PREFIX = "hermes-git.llm."
VARIABLES = {
    "endpoint": "HERMES_GIT_LLM_ENDPOINT",
    "model": "HERMES_GIT_LLM_MODEL",
    "keyvariable": "HERMES_GIT_LLM_KEY_VARIABLE",
}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}\Z")
SET_UP = (
    "git config --global hermes-git.llm.endpoint https://HOST/v1\n"
    "  git config --global hermes-git.llm.model NAME\n"
    "  git config --global hermes-git.llm.keyVariable VARIABLE   (the name of the variable that holds the key)"
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is: base URL, its name, and the key, which is never shown and never written."""

    url: str
    model: str
    key: str = field(default="", repr=False)
    key_variable: str = ""

    @property
    def is_local(self) -> bool:
        """Say whether the endpoint is on this machine."""
        return is_loopback(urlsplit(self.url).hostname or "")


def is_loopback(host: str) -> bool:
    """Say whether a host name or address is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_configured(configuration: Mapping[str, str], environment: Mapping[str, str]) -> bool:
    """Say whether the user has named an endpoint."""
    return bool(_value("endpoint", "", configuration, environment))


def endpoint(
    configuration: Mapping[str, str],
    environment: Mapping[str, str],
    *,
    url: str = "",
    model: str = "",
    key_variable: str = "",
) -> Endpoint:
    """Return the endpoint that flags, environment and configuration name together.

    Errors: `UserError` when there is none, when its URL is none, or when its key would travel unencrypted.
    """
    url = _value("endpoint", url, configuration, environment).rstrip("/")
    model = _value("model", model, configuration, environment)
    variable = _value("keyvariable", key_variable, configuration, environment)
    if not url:
        raise UserError("no model is configured", hint=SET_UP)
    if not model:
        raise UserError(f"no model of {url} is named", hint="git config --global hermes-git.llm.model NAME")
    if variable and not NAME.match(variable):
        raise UserError(
            "the key's variable is no name of an environment variable",
            hint="give the variable's name, never the key: git config --global hermes-git.llm.keyVariable NAME",
        )
    key = environment.get(variable, "").strip() if variable else ""
    if variable and not key:
        raise UserError(f"the environment variable {variable} is empty", hint=f"export {variable}=… and run it again")
    found = Endpoint(url, model, key, variable)
    _check(found)
    return found


def _value(name: str, flag: str, configuration: Mapping[str, str], environment: Mapping[str, str]) -> str:
    return (flag or environment.get(VARIABLES[name], "") or configuration.get(PREFIX + name, "")).strip()


def _check(found: Endpoint) -> None:
    try:
        parts = urlsplit(found.url)
        host = parts.hostname or ""
    except ValueError:
        raise UserError(f"{found.url!r} is no URL", hint="for example https://api.example.com/v1") from None
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.query or parts.fragment:
        raise UserError(
            f"{found.url!r} cannot be an endpoint",
            hint="a plain http(s) address, for example https://api.example.com/v1",
        )
    if found.key and parts.scheme == "http" and not found.is_local:
        raise UserError("the key would travel unencrypted", where=found.url, hint="use https for this endpoint")
    if any(char.isspace() or ord(char) < 33 or ord(char) > 126 for char in found.key):
        raise UserError(f"the key in {found.key_variable} holds characters no key has", hint="check how it was set")

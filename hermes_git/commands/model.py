"""The model that a command asks: named by flags, environment and the user's git configuration, built in one place."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from hermes_git import files
from hermes_git.commands.call import Call
from hermes_git.gitrepo import run
from hermes_git.gitrepo.read import config
from hermes_git.llm import endpoint as endpoints
from hermes_git.llm import scripted
from hermes_git.llm.cache import Cached
from hermes_git.llm.client import Client, Limits
from hermes_git.llm.endpoint import Endpoint
from hermes_git.llm.protocol import Chat

SCRIPT = "script:"
CACHE_FOLDER = "replies"
Decorator = Callable[[Callable[..., int]], Callable[..., int]]


def model_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add `--model`, `--endpoint` and `--key-variable` to a command."""
    for option in reversed(
        [
            click.option("--model", metavar="NAME", default="", help="The model; script:FILE plays a script instead."),
            click.option("--endpoint", metavar="URL", default="", help="An OpenAI-compatible endpoint (…/v1)."),
            click.option("--key-variable", metavar="NAME", default="", help="Environment variable that holds its key."),
        ]
    ):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True)
class Named:
    """What flags say about the model; the rest is in the environment and in the user's configuration."""

    model: str = ""
    endpoint: str = ""
    key_variable: str = ""

    @property
    def script(self) -> str:
        """Return the path of the script to play, or ""."""
        return self.model.removeprefix(SCRIPT) if self.model.startswith(SCRIPT) else ""


def configuration(call: Call) -> Mapping[str, str]:
    """Return the user's `hermes-git.*` configuration, outside a repository too."""
    repo = call.find_repo()
    if repo is not None:
        return config(repo)
    status, out, _ = run.attempt(["config", "-z", "--get-regexp", r"^hermes-git\."], cwd=call.folder)
    rows = run.fields(out) if status == 0 else []
    return {key: value for key, _, value in (row.partition("\n") for row in rows)}


def is_configured(call: Call) -> bool:
    """Say whether the user has named an endpoint, without looking at flags."""
    return endpoints.is_configured(configuration(call), os.environ)


def endpoint(call: Call, named: Named) -> Endpoint:
    """Return the endpoint to ask, or say how to name one."""
    return endpoints.endpoint(
        configuration(call), os.environ, url=named.endpoint, model=named.model, key_variable=named.key_variable
    )


def chat(call: Call, named: Named, limits: Limits | None = None, *, cached: bool = False) -> Chat:
    """Return the model that flags, environment and configuration name; `cached` keeps replies beside the repository."""
    if named.script:
        return scripted.parse(files.read_bytes(call.folder / named.script), where=named.script)
    found = endpoint(call, named)
    client: Chat = Client(found, limits or Limits())
    return Cached(client, FolderStore(call.repo.state / CACHE_FOLDER), found.url) if cached else client


@dataclass(frozen=True, slots=True)
class FolderStore:
    """Replies as files of a folder, by digest; the folder can be deleted at any time."""

    folder: Path

    def get(self, name: str) -> bytes | None:
        """Return the bytes kept under a name, or None."""
        return files.read_optional(self._path(name))

    def put(self, name: str, data: bytes) -> None:
        """Keep bytes under a name."""
        files.write_atomic(self._path(name), data)

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.json"

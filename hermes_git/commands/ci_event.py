"""What a CI job is about: which commits, which pull request; read from the event, and checked before it is used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_git import files
from hermes_git.commands.given import given_json
from hermes_git.errors import UserError
from hermes_git.names import whole_number

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?\Z")


@dataclass(frozen=True, slots=True)
class Event:
    """The commits that an event is about, the pull request ("" and 0 where there is none), and who opened it."""

    base: str
    head: str
    number: int = 0
    author: str = ""

    @property
    def bounds(self) -> str:
        """Return the range `base..head`."""
        return f"{self.base}..{self.head}"


def read_event(environment: Mapping[str, str]) -> Event:
    """Read the event of a GitHub or GitLab job; `UserError` where it names no commits."""
    if environment.get("GITLAB_CI"):
        return _checked(_gitlab(environment))
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        raise UserError("GITHUB_EVENT_PATH is not set", hint="this command runs in a CI job (docs/ci.md)")
    event = given_json(files.read_bytes(Path(path)), path, "GITHUB_EVENT_PATH names what the host wrote for this job")
    return _checked(_github(event if isinstance(event, dict) else {}))


def _github(event: dict[str, Any]) -> Event:
    request = event.get("pull_request")
    if isinstance(request, dict):
        author = str((request.get("user") or {}).get("login", ""))
        return Event(_sha(request, "base"), _sha(request, "head"), int(request.get("number") or 0), author)
    group = event.get("merge_group")
    if isinstance(group, dict):
        return Event(str(group.get("base_sha", "")), str(group.get("head_sha", "")))
    return Event(str(event.get("before", "")), str(event.get("after", "")))


def _sha(request: dict[str, Any], side: str) -> str:
    return str((request.get(side) or {}).get("sha", ""))


def _gitlab(environment: Mapping[str, str]) -> Event:
    base = environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA") or environment.get("CI_COMMIT_BEFORE_SHA", "")
    number = environment.get("CI_MERGE_REQUEST_IID", "0")
    return Event(base, environment.get("CI_COMMIT_SHA", ""), whole_number(number) or 0)


def _checked(event: Event) -> Event:
    """Refuse what is no commit id: these words come from outside and go to git."""
    for name, value in (("base", event.base), ("head", event.head)):
        if not COMMIT.match(value):
            raise UserError(
                f"the event names no {name} commit ({value[:40]!r})",
                hint="run this on pull_request, merge_group, push or workflow_run events",
            )
    return event

"""What a CI job is about, read from events of GitHub and GitLab; anything else is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_git.commands.ci_event import read_event
from hermes_git.errors import UserError


def pull_event(base: str, head: str, number: int = 5) -> dict[str, Any]:
    request = {"number": number, "user": {"login": "codex-bot"}, "base": {"sha": base}, "head": {"sha": head}}
    return {"action": "synchronize", "pull_request": request}


@pytest.mark.parametrize(
    ("environment", "event", "bounds"),
    [
        ({}, {"merge_group": {"base_sha": "a" * 40, "head_sha": "b" * 40}}, f"{'a' * 40}..{'b' * 40}"),
        ({}, {"before": "a" * 40, "after": "b" * 40}, f"{'a' * 40}..{'b' * 40}"),
        ({}, pull_event("a" * 64, "b" * 64), f"{'a' * 64}..{'b' * 64}"),
        (
            {"GITLAB_CI": "true", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "a" * 40, "CI_COMMIT_SHA": "b" * 40},
            {},
            f"{'a' * 40}..{'b' * 40}",
        ),
    ],
    ids=["merge queue", "push", "SHA-256", "GitLab"],
)
def test_events_name_their_commits(tmp_path: Path, environment: dict[str, str], event: object, bounds: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event), encoding="utf-8")
    assert read_event({**environment, "GITHUB_EVENT_PATH": str(path)}).bounds == bounds


@pytest.mark.parametrize(
    "event",
    [{}, [], {"pull_request": {"base": {}, "head": {}}}, pull_event("--output=x", "b" * 40), {"before": "main"}],
)
def test_events_of_another_shape_are_the_users_mistake(tmp_path: Path, event: object) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event), encoding="utf-8")
    with pytest.raises(UserError):
        read_event({"GITHUB_EVENT_PATH": str(path)})

"""When a run that nobody asked for is due."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hermes_git.curator.schedule import HOUR, Moment, due, last_run, note_run
from hermes_git.gitrepo.repository import Repository
from hermes_git.settings import CuratorSettings

NOW = 10_000 * HOUR
SETTINGS = CuratorSettings()

CASES = [
    (Moment(NOW, NOW - 168 * HOUR, NOW - 2 * HOUR), SETTINGS, True, "last run 168 hours ago"),
    (Moment(NOW, NOW - 168 * HOUR + 1, NOW - 9 * HOUR), SETTINGS, False, "167 hours ago"),
    (Moment(NOW, NOW - 300 * HOUR, NOW - 2 * HOUR + 1), SETTINGS, False, "119 minutes ago"),
    (Moment(NOW, NOW - 300 * HOUR, NOW + HOUR), SETTINGS, False, "in use 0 minutes ago"),
    (Moment(NOW, 0, 0), SETTINGS, False, "first run deferred"),
    (Moment(NOW, NOW + HOUR, 0), SETTINGS, False, "first run deferred"),
    (Moment(NOW, NOW - 300 * HOUR, 0, paused=True), SETTINGS, False, "paused"),
    (Moment(NOW, NOW - 300 * HOUR, 0), CuratorSettings(enabled=False), False, "curator.enabled is off"),
    (Moment(NOW, NOW - HOUR, 0), CuratorSettings(interval_hours=1, min_idle_hours=0), True, "last run 1 hours"),
]


@pytest.mark.parametrize(("moment", "settings", "is_due", "why"), CASES)
def test_a_run_is_due(moment: Moment, settings: CuratorSettings, is_due: bool, why: str) -> None:
    found = due(moment, settings)
    assert (found.is_due, why in found.why) == (is_due, True)


def test_the_last_run_is_noted_and_survives_damage(repo: Repository, commit: Callable[..., str]) -> None:
    commit()
    assert last_run(repo) == 0
    note_run(repo, "1970-01-02T00:00:00Z")
    assert last_run(repo) == 86_400
    (repo.state / "curator.json").write_bytes(b"{torn")
    assert last_run(repo) == 0

"""Whether a run that nobody asked for is due: interval, idle time, pause, and a first run that waits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.names import whole_number
from hermes_git.provenance.ledger import seconds
from hermes_git.settings import CuratorSettings

HOUR = 3600
PAUSE_KEY = "hermes-git.curatorpaused"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Moment:
    """What a schedule looks at: now, the last run, the last commit or session (seconds, 0 for never), and the pause."""

    now: int
    last_run: int = 0
    last_activity: int = 0
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """Whether to run, and the sentence that says why or why not; `first` means that the waiting starts now."""

    is_due: bool
    why: str
    first: bool = False


def due(moment: Moment, settings: CuratorSettings) -> Due:
    """Decide about a run in the background."""
    if not settings.enabled:
        return Due(False, "curator.enabled is off")
    if moment.paused:
        return Due(False, "paused; go on with: hermes-git curate resume")
    if not moment.last_run or moment.last_run > moment.now:
        return Due(False, f"first run deferred for {settings.interval_hours} hours", first=True)
    waited = (moment.now - moment.last_run) // HOUR
    if moment.now - moment.last_run < settings.interval_hours * HOUR:
        return Due(False, f"last run {waited} hours ago, every {settings.interval_hours} hours is enough")
    idle = moment.now - moment.last_activity
    if idle < settings.min_idle_hours * HOUR:
        return Due(False, f"in use {max(0, idle) // 60} minutes ago, waits for {settings.min_idle_hours} quiet hours")
    return Due(True, f"last run {waited} hours ago, quiet for {idle // HOUR} hours")


def moment(repo: Repository, now: int, last_session: int) -> Moment:
    """Read when the curator last ran, when the last commit was made, and whether it is paused."""
    return Moment(now, last_run(repo), max(last_commit(repo), last_session), is_paused(repo))


def is_paused(repo: Repository) -> bool:
    """Say whether the user has paused the curator in this repository's own configuration."""
    return read.config(repo).get(PAUSE_KEY, "") == "true"


def last_commit(repo: Repository) -> int:
    """Return the committer time of HEAD, or 0."""
    said = repo.ask("log", "-1", "--format=%ct", "HEAD")
    return whole_number(said or "") or 0


def _path(repo: Repository) -> Path:
    return repo.state / "curator.json"


def last_run(repo: Repository) -> int:
    """Return the time of the last run, as noted here or as told by the newest curator branch; 0 for never."""
    names = repo.ask("for-each-ref", "--format=%(committerdate:unix)", "refs/heads/curator", "refs/remotes/*/curator/*")
    branches = [whole_number(word) or 0 for word in (names or "").split()]
    return max([_noted(repo), *branches])


def _noted(repo: Repository) -> int:
    data = files.read_optional(_path(repo))
    if data is None:
        return 0
    try:
        return seconds(json.loads(data)["last_run"])
    except (ValueError, RecursionError, KeyError, TypeError, UserError):
        return 0


def note_run(repo: Repository, iso: str) -> None:
    """Note that a run took place; losing the note only means that the next one comes earlier or is deferred."""
    row = {"format": FORMAT, "last_run": iso}
    files.write_atomic(_path(repo), json.dumps(row).encode("ascii") + b"\n")

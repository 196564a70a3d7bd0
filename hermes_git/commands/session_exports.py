"""What forgetting does to exports: it looks through those that are known, and takes the rows out."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from pathlib import Path

from hermes_git.commands.call import Call
from hermes_git.errors import UserError
from hermes_git.export import strike
from hermes_git.export.strike import Held
from hermes_git.screen import amount
from hermes_git.sessions.forget import identity_of


def folders(call: Call, given: Collection[Path]) -> list[Path]:
    """Return the folders that this clone exported to and those that were named; a named one must be there."""
    named = [call.folder / path for path in given]
    missing = next((path for path in named if not path.is_dir()), None)
    if missing is not None:
        raise UserError(f"no such folder: {missing}", hint="--export names the folder that an export was written to")
    return list(dict.fromkeys([*strike.remembered(call.repo.state), *named]))


def reach(places: Collection[Path], digests: Collection[str], *, change: bool) -> list[Held]:
    """Return which exports hold rows of forgotten sessions, and take them out if asked to."""

    def is_forgotten(agent: str, name: str) -> bool:
        return identity_of(agent, name) in digests

    found = []
    for folder in places:
        one = strike.held(folder, is_forgotten)
        if change:
            strike.strike(one, is_forgotten)
        if one.rows or one.unread:
            found.append(one)
    return found


def as_json(found: Collection[Held]) -> list[dict[str, object]]:
    """Return the published form: folder, rows by file, ids of sessions, and files that could not be looked into."""
    return [
        {
            "folder": str(one.folder),
            "rows": dict(sorted(one.rows.items())),
            "sessions": sorted(one.sessions),
            "unread": one.unread,
        }
        for one in found
    ]


STRUCK, PLANNED, LEFT = "took out", "would take out", "still holds"


def tell(call: Call, found: Collection[Held], what: str) -> None:
    """Say what was, would be, or still is there."""
    for one in found:
        if one.rows:
            rows, sessions = amount(one.rows.total(), "row"), amount(len(one.sessions), "session")
            call.say(f"{one.folder}: {what} {rows} of {sessions}")
        if one.rows and what == LEFT:
            call.say(f"  hermes-git session forget --export {shlex.quote(str(one.folder))}")
        for problem in one.unread:
            call.say(f"could not look into {problem}")

"""Two clones' versions of the branch of sessions as one: both keep what they imported and recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.errors import UserError
from hermes_git.sessions import canonical
from hermes_git.sessions.forget import forgotten_in, identity
from hermes_git.sessions.places import BranchPlace, Changes, View
from hermes_git.sessions.store import FORGOTTEN, SESSIONS, SUFFIX

LINES = ("ledger/", FORGOTTEN)
"""Files that hold independent lines, of which a merge keeps every one."""

NAMED = 3


@dataclass
class Joined:
    """What a merge did: how, the branch's commit, files taken in, lines added, and sessions that differed.

    `how` is `current` (nothing new), `moved` (the branch was behind) or `merged`. Of a session that grew on both sides
    the longer version is kept; the other one stays in the history.
    """

    how: str = "current"
    revision: str = ""
    taken: int = 0
    lines: int = 0
    differing: tuple[str, ...] = ()


def join(place: BranchPlace, other: str, message: str) -> Joined:
    """Take the version of the branch at commit `other` in.

    Errors: `UserError` when one side has forgotten a session that the other still has: a merge would bring it back.
    """
    done = Joined()
    before = place.revision()

    def merge(ours: View, theirs: View) -> Changes:
        nonlocal done
        done = Joined("merged")
        _check_forgotten(ours, theirs, "here", "there")
        _check_forgotten(theirs, ours, "there", "here")
        differ = [path for path, blob in theirs.listing.items() if ours.listing.get(path, blob) != blob]
        absent = [path for path in theirs.listing if path not in ours.listing]
        mine, yours = ours.data(differ), theirs.data([*differ, *absent])
        changes: dict[str, bytes | None] = {path: yours[path] for path in absent}
        done.taken = len(absent)
        for path in differ:
            changes[path] = _both(path, mine[path], yours[path], done)
        return changes

    done.revision = place.join(other, merge, message)
    if done.how != "merged" and done.revision != before:
        done.how = "moved"
    return done


def _both(path: str, ours: bytes, theirs: bytes, done: Joined) -> bytes:
    if path.startswith(LINES):
        known = set(ours.split(b"\n"))
        added = [line for line in theirs.split(b"\n") if line not in known]
        done.lines += len(added)
        end = b"" if not ours or ours.endswith(b"\n") else b"\n"
        return ours + end + b"".join(line + b"\n" for line in added)
    mine, yours = ours.split(b"\n"), theirs.split(b"\n")
    if not set(mine[1:]) <= set(yours[1:]) and not set(yours[1:]) <= set(mine[1:]):
        done.differing = (*done.differing, path)
    return max(ours, theirs, key=lambda data: (data.count(b"\n"), data))


def _check_forgotten(one: View, other: View, where: str, elsewhere: str) -> None:
    """Refuse to merge when `other` still holds what `one` has forgotten."""
    gone = forgotten_in(one.data([FORGOTTEN]).get(FORGOTTEN, b""))
    if not gone:
        return
    held = sorted(_held(other, gone))
    if held:
        names = ", ".join(held[:NAMED]) + (f" and {len(held) - NAMED} more" if len(held) > NAMED else "")
        hint = f"run there: hermes-git session forget {held[0]}" if elsewhere == "there" else ""
        hint = hint or f"run: hermes-git session forget {held[0]}"
        raise UserError(f"forgotten {where} and still kept {elsewhere}: {names}", hint=hint)


def _held(view: View, gone: Iterable[str]) -> Iterable[str]:
    digests = frozenset(gone)
    paths = [path for path in view.listing if path.startswith(SESSIONS) and path.endswith(SUFFIX)]
    for path, data in view.data(paths).items():
        header = canonical.decode_header(data, where=path)
        if identity(header) in digests:
            yield header.id

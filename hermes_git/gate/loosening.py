"""Which changes of policy let later changes do more than before. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from hermes_git.settings import INTENT, Settings

STRICTNESS = {INTENT[2]: 0, INTENT[0]: 1, INTENT[1]: 2}
"""How strict each value of `gate.intent` is: never < agents < always."""


def loosened(before: Settings, after: Settings) -> Iterator[str]:
    """Yield one phrase for each setting that the change loosens; tightening yields nothing.

    Moving a path is one: what lies at the old place is no longer judged as what it is, and a file that somebody wrote
    beforehand comes into force at the new one."""
    for name in ("memory_limit", "user_limit"):
        was, now = getattr(before.memory, name), getattr(after.memory, name)
        if now > was or (after.memory.unit == "tokens" != before.memory.unit):
            yield f"memory.{name} from {was} to {now} {after.memory.unit}"
    for name in ("intent", "approval"):
        was, now = getattr(before.gate, name), getattr(after.gate, name)
        if STRICTNESS[now] < STRICTNESS[was]:
            yield f"gate.{name} from {was} to {now}"
    if before.gate.scope == "all" and after.gate.scope != "all":
        yield f"gate.scope from all to {after.gate.scope}"
    for area in fields(before.paths):
        was, now = getattr(before.paths, area.name), getattr(after.paths, area.name)
        if was != now:
            yield f"paths.{area.name} from {was} to {now}"
    for name in ("redact", "redact_homes"):
        if getattr(before.sessions, name) and not getattr(after.sessions, name):
            yield f"sessions.{name} from true to false"
    if 0 < after.sessions.keep_days < (before.sessions.keep_days or after.sessions.keep_days + 1):
        yield f"sessions.keep_days from {before.sessions.keep_days} to {after.sessions.keep_days}"
    curator_before, curator_after = before.curator, after.curator
    if after.curator.person_authored and not before.curator.person_authored:
        yield "curator.person_authored from false to true"
    for name in ("pinned", "protected"):
        gone = sorted({*getattr(curator_before, name)} - {*getattr(curator_after, name)})
        if gone:
            yield f"curator.{name} without {', '.join(gone)}"
    if before.requires and before.requires != after.requires:
        yield f"requires from {before.requires!r} to {after.requires!r}"

"""Policy: the settings and waivers that hold, read from a commit so that a change cannot approve itself."""

from __future__ import annotations

import re

from hermes_git.errors import UserError
from hermes_git.gitrepo import read
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.settings import DEFAULTS, FILE_NAME, Settings, parse

USUAL = (FILE_NAME, DEFAULTS.paths.waivers, *(memory_path(DEFAULTS, target) for target in TARGETS))
"""Files that most commands ask for next, read together with the settings: one process instead of four."""


def settings_at(repo: Repository, revision: str | None = "HEAD") -> Settings:
    """Read the settings of a revision; the built-in defaults where it has none or there is no commit yet."""
    if revision is None:
        return DEFAULTS
    data = read.contents(repo, [f"{revision}:{path}" for path in USUAL])[0]
    return DEFAULTS if data is None else parse_bytes(data, where=at(FILE_NAME, revision))


def at(path: str, revision: str) -> str:
    """Return how a file at a revision is named to people: a whole id is cut to its first twelve digits."""
    return f"{path} at {revision[:12] if WHOLE_ID.fullmatch(revision) else revision}"


WHOLE_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def policy_files(
    repo: Repository, revision: str | None, objects: Objects | None = None
) -> tuple[Settings, bytes | None]:
    """Read the settings of a revision and the bytes of its waivers, in one process where paths are the default ones."""
    if revision is None:
        return DEFAULTS, None
    if objects is not None:
        found = objects.named(f"{revision}:{FILE_NAME}")
        settings = parse_bytes(found[1], where=at(FILE_NAME, revision)) if found else DEFAULTS
        accepted = objects.named(f"{revision}:{settings.paths.waivers}")
        return settings, accepted[1] if accepted else None
    usual = DEFAULTS.paths.waivers
    text, waivers = read.contents(repo, [f"{revision}:{path}" for path in USUAL])[:2]
    settings = DEFAULTS if text is None else parse_bytes(text, where=at(FILE_NAME, revision))
    if settings.paths.waivers != usual:
        waivers = read.contents(repo, [f"{revision}:{settings.paths.waivers}"])[0]
    return settings, waivers


def parse_bytes(data: bytes, *, where: str = FILE_NAME) -> Settings:
    """Parse the bytes of a settings file; undecodable bytes are the user's mistake."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 at byte {error.start}", where=where, hint="save the file as UTF-8") from error
    return parse(text, where=where)

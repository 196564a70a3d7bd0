"""Stored sessions under the guard, wherever they live: bytes and secrets block, quoted attacks are counted notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hermes_git.checks.run import Cache, scan
from hermes_git.checks.session_text import FAMILIES
from hermes_git.document import Document
from hermes_git.finding import NOTE, Finding, Report, Skipped
from hermes_git.gate.findings import finding
from hermes_git.gate.proposal import MAX_BYTES
from hermes_git.settings import Settings

SECRETS = "HG5"
"""The family of secrets and personal data; a note where somebody has asked for what is not redacted."""


def judge_session(
    path: str, data: bytes, settings: Settings, *, cache: Cache | None = None, redacted: bool = True
) -> Report:
    """Judge the bytes of one stored session, or of a text that sessions share, as a commit would in the tree.

    `redacted` is False where a person keeps sessions unredacted, outside the repository: secrets are notes there.
    """
    placed = replace(settings, sessions=replace(settings.sessions, place="tree"))
    folder = f"{settings.sessions.folder}/"
    done = scan([Document(folder + path, data)], settings=placed, select=FAMILIES, cache=cache)
    found = tuple(_noted(row, folder, redacted) for row in done.findings)
    if settings.sessions.place == "tree" and len(data) > MAX_BYTES:
        found = (*found, _too_large(path, len(data)))
    return Report(found, tuple(Skipped(row.path.removeprefix(folder), row.reason) for row in done.not_scanned))


def _too_large(path: str, size: int) -> Finding:
    """Say at import what the next commit would say: a file of the tree has a bound, one of the branch has none."""
    hint = 'keep sessions on their branch: sessions.place = "branch" in the settings'
    return finding("HG707", path, f"{size:,} bytes are more than can be judged in the tree", text=path, hint=hint)


def _noted(found: Finding, folder: str, redacted: bool) -> Finding:
    is_note = not redacted and found.check.startswith(SECRETS)
    return replace(found, path=found.path.removeprefix(folder), severity=NOTE if is_note else found.severity)


def counted(found: Iterable[Finding]) -> dict[str, int]:
    """Count findings by check, sorted by id."""
    counts: dict[str, int] = {}
    for row in found:
        counts[row.check] = counts.get(row.check, 0) + 1
    return dict(sorted(counts.items()))

"""What is known of the knowledge before a range: how it was used, and who taught it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import spool
from hermes_git.provenance.history import history
from hermes_git.provenance.ledger import Use
from hermes_git.provenance.reviewed import Usage
from hermes_git.settings import Settings

BAD = ("failed", "corrected")


@dataclass(frozen=True, slots=True)
class Past:
    """Uses by name, and a sentence on who taught each skill, by its folder."""

    uses: Mapping[str, tuple[Use, ...]] = field(default_factory=dict)
    taught: Mapping[str, str] = field(default_factory=dict)

    def usage(self, subject: str, names: Iterable[str]) -> Usage:
        """Count the uses of a subject under any of its names; looks by maintainers do not count."""
        found = {use for name in names for use in self.uses.get(f"{subject} {name}", ())}
        last = max((use.iso[:10] for use in found), default="")
        return Usage(len(found), last, sum(use.outcome in BAD for use in found))


def past(repo: Repository, base: str | None, settings: Settings) -> Past:
    """Read the ledger, the spool, and the history of the base."""
    uses: dict[str, list[Use]] = {}
    for use in (*spool.read_ledger(repo, settings).uses, *spool.spooled(repo).uses):
        if not use.maintenance:
            for name in _names(use):
                uses.setdefault(f"{use.subject} {name}", []).append(use)
    return Past({name: tuple(found) for name, found in uses.items()}, _taught(repo, base) if base else {})


def _names(use: Use) -> set[str]:
    """Return the names by which a use may be looked up: an entry's id; a skill's key and its last component."""
    if use.subject == "entry":
        return {use.subject_id} if use.subject_id else set()
    return {use.key, use.key.rsplit("/", 1)[-1]}


def _taught(repo: Repository, base: str) -> dict[str, str]:
    found = {}
    for root, life in history(repo, base).skills.items():
        last = life.events[-1]
        said = f"made by {life.created.author} on {_day(life.created.time)}"
        if last is not life.created:
            said += f", last changed by {last.author} on {_day(last.time)}"
        found[root] = said
    return found


def _day(moment: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")

"""Who must approve a range, and who did: an agent that lets a skill do more, or waives a finding, needs somebody else.

What counts is the state of a review at the host, or a good signature by somebody whom the user's own configuration
allows. A line in a message claims and proves nothing: it is shown as unverified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_git.finding import Report
from hermes_git.gate.replay import Commit
from hermes_git.gate.review_skills import HARMLESS
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor, parse
from hermes_git.provenance.reviewed import Approval, SkillRow

SHOWN = 6
GOOD_SIGNATURE = "G"


@dataclass(frozen=True, slots=True)
class HostedReview:
    """One review as the host tells it: who, the state (`approved`, …), and the commit that was looked at."""

    user: str
    state: str
    commit: str
    is_bot: bool = False


def hosted_reviews(rows: object) -> tuple[HostedReview, ...]:
    """Read the list that GitHub's `pulls/N/reviews` returns; rows of another shape are left out and prove nothing."""
    found = []
    for row in rows if isinstance(rows, list) else []:
        user = row.get("user") if isinstance(row, dict) else None
        if isinstance(user, Mapping) and isinstance(user.get("login"), str):
            state, commit = str(row.get("state", "")).lower(), str(row.get("commit_id") or "")
            found.append(HostedReview(user["login"], state, commit, user.get("type") == "Bot"))
    return tuple(found)


def approval(
    repo: Repository,
    tip: str,
    rows: Sequence[Commit],
    skills: Iterable[SkillRow],
    report: Report,
    *,
    reviews: Sequence[HostedReview] = (),
    author: str = "",
) -> Approval:
    """Say whether the range needs an approver, and who approved it; `author` is the login that opened the request."""
    reasons = [*_growth(skills), *_waivers(report)]
    if not reasons:
        return Approval()
    given, stale = _at_host(reviews, tip, author)
    signed = _signed(repo, rows)
    return Approval(tuple(reasons), tuple(dict.fromkeys([*given, *signed])), (*stale, *_claims(rows)))


def _growth(skills: Iterable[SkillRow]) -> Iterator[str]:
    for row in skills:
        agents = sorted({str(hand.actor) for hand in row.hands if hand.actor.is_agent})
        gained = [f"{item.axis} {item.value}" for item in row.gained if item.axis not in HARMLESS]
        if agents and gained:
            more = f" and {len(gained) - SHOWN} more" if len(gained) > SHOWN else ""
            yield f"{', '.join(agents)} lets {row.key} do more: {', '.join(gained[:SHOWN])}{more}"


def _waivers(report: Report) -> Iterator[str]:
    for found in report.findings:
        if found.check == "HG720" and found.severity.word == "error" and found.message.startswith("waives "):
            yield f"an agent adds a waiver: {found.message}"


def _at_host(reviews: Sequence[HostedReview], tip: str, author: str) -> tuple[list[str], list[str]]:
    """Return who approved this very commit, and approvals that do not count, each as a phrase."""
    last: dict[str, HostedReview] = {}
    for review in reviews:
        if review.state in ("approved", "changes_requested", "dismissed"):
            last[review.user] = review
    given, stale = [], []
    for user, review in sorted(last.items()):
        if review.state != "approved":
            continue
        if user == author or review.is_bot:
            stale.append(f"{user} approved, but is {'the author' if user == author else 'no person'}")
        elif review.commit != tip:
            stale.append(f"{user} approved an older commit ({review.commit[:12] or 'unknown'})")
        else:
            given.append(f"{user} (review at the host)")
    return given, stale


def _signed(repo: Repository, rows: Sequence[Commit]) -> list[str]:
    """Return the signers of commits by persons that stand on top of everything that agents did in the range."""
    if not rows or _brings_its_own_signers(repo, rows):
        return []
    agents = [number for number, row in enumerate(rows) if (actor_of_message(row.message) or Actor()).is_agent]
    above = rows[agents[-1] + 1 :] if agents else rows
    if not above:
        return []
    records = read.log(repo, "--no-walk", "--format=%G?%x1f%H%x1f%GS", *(row.id for row in above), "--")
    found = [record.split("\x1f", 2) for record in records]
    return [f"{signer} (signed {commit[:12]})" for state, commit, signer in found if state == GOOD_SIGNATURE]


def _brings_its_own_signers(repo: Repository, rows: Sequence[Commit]) -> bool:
    """Say whether the range edits the list of allowed signers that its signatures would be checked with."""
    named = repo.ask("config", "--type=path", "--get", "gpg.ssh.allowedSignersFile")
    if not named or repo.top is None:
        return False
    full = Path(named) if Path(named).is_absolute() else repo.top / named
    if not full.is_relative_to(repo.top):
        return False
    inside = full.relative_to(repo.top).as_posix()
    return any(change.path == inside for row in rows for change in row.differences)


def _claims(rows: Iterable[Commit]) -> Iterator[str]:
    for row in rows:
        for change in parse(row.message):
            if "approved" in change.extra:
                yield f"commit {row.id[:12]} claims approval by {change.extra['approved']}"

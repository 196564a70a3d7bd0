"""The gate: one proposal in, one report out, the same for hook, command line, CI and library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from hermes_git.check_ids import selects
from hermes_git.document import Document
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, Finding, Report
from hermes_git.gate import intent, loosening, memory, waivers
from hermes_git.gate.findings import finding
from hermes_git.gate.intent import Loss
from hermes_git.gate.policy import parse_bytes
from hermes_git.gate.proposal import Proposal
from hermes_git.gitrepo.read import Difference
from hermes_git.knowledge import entries
from hermes_git.knowledge.budget import Count
from hermes_git.knowledge.changes import classify
from hermes_git.knowledge.layout import place, skill_key
from hermes_git.provenance.change import Actor
from hermes_git.settings import FILE_NAME, Settings

if TYPE_CHECKING:
    from hermes_git.checks.run import Cache
    from hermes_git.gate.second import Second


@dataclass(frozen=True, slots=True)
class Policy:
    """What holds for a judgement: settings and waivers of the base, who acts, what day it is.

    `broken` says why the base's own policy could not be read; the built-in defaults stand in for it then. `second`
    asks other scanners, if the user has named any.
    """

    settings: Settings
    actor: Actor
    waivers: tuple[waivers.Waiver, ...] = ()
    today: date | None = None
    select: tuple[str, ...] = ()
    count_tokens: Count | None = field(default=None, compare=False)
    cache: Cache | None = field(default=None, compare=False)
    broken: str = ""
    second: Second | None = field(default=None, compare=False)

    @property
    def trust(self) -> str:
        """Return the trust that an actor's change gets: agents and unknown actors are read more strictly."""
        return "agent" if self.actor.is_agent else "own"


def judge_content(proposal: Proposal, policy: Policy) -> Report:
    """Judge what a proposal holds: scans, budgets, duplicates, policy; everything but intent."""
    return _judge(proposal, policy, [*_memory_findings(proposal, policy), *_policy_findings(proposal, policy)])


def judge_scanned(proposal: Proposal, policy: Policy) -> Report:
    """Judge the documents of a proposal as they stand, whatever was there before."""
    return _judge(proposal, policy, [])


def _judge(proposal: Proposal, policy: Policy, found: list[Finding]) -> Report:
    from hermes_git.checks.run import scan  # the checks are most of the start-up; who judges intent alone needs none

    report = scan(
        proposal.documents,
        settings=policy.settings,
        trust=policy.trust,
        select=policy.select,
        only=proposal.changed,
        cache=policy.cache,
        origins=proposal.origins,
    )
    found += report.findings
    if policy.second is not None and selects(policy.select, "HG790"):
        found += policy.second.findings(proposal.documents, proposal.touched, policy.settings)
    for path, size in proposal.too_large:
        found.append(finding("HG707", path, f"{size:,} bytes are more than can be judged", text=path))
    standing, waived = waivers.divide(sorted(set(found)), policy.waivers, policy.today)
    return Report(standing, tuple(sorted({*report.not_scanned, *proposal.not_scanned})), waived)


def judge_intent(
    proposal: Proposal, policy: Policy, messages: Sequence[str], reverted: frozenset[str] = frozenset()
) -> Report:
    """Judge what one commit means: it declares what it takes away, where policy asks its author to; a waiver is alone.

    `reverted` are ids of entries and SKILL.md files that a reverted commit had put there. A merge has several messages.
    """
    found = [] if len(messages) > 1 else list(_accompanied_waivers(proposal, policy))
    if intent.holds_for(policy.settings.gate.intent, policy.actor):
        found += intent.undeclared(losses(proposal, policy.settings), messages, policy.actor, reverted)
    standing, waived = waivers.divide(sorted(found), policy.waivers, policy.today)
    return Report(standing, (), waived)


def _memory_findings(proposal: Proposal, policy: Policy) -> Iterator[Finding]:
    for path, data in sorted(proposal.new.items()):
        spot = place(path, policy.settings)
        if spot.area != "memory":
            continue
        before, after = memory_file(proposal.old.get(path, b"")), memory_file(data)
        yield from memory.judge(
            path, spot.target, before, after, policy.settings.memory, count_tokens=policy.count_tokens
        )


def memory_file(data: bytes) -> entries.MemoryFile:
    """Parse a memory file as the gate sees it, undecodable bytes replaced (which is a finding of its own)."""
    return entries.parse(Document("", data).text)


def losses(proposal: Proposal, settings: Settings) -> list[Loss]:
    """List what a proposal takes away: entries that stand in no memory file afterwards, and skills."""
    found: list[Loss] = []
    stays = {text for path, data in proposal.new.items() for text in memory_file(data).texts}
    for row in proposal.differences:
        spot = place(row.path, settings)
        if spot.area in ("memory", "archived-memory"):
            before = memory_file(proposal.old.get(row.path, b"")).texts
            after = memory_file(proposal.new.get(row.path, b"")).texts
            target = spot.target if spot.area == "memory" else f"archive:{spot.target}"
            for change in classify(before, after):
                gone = tuple(text for text in change.before if text not in stays)
                if change.lost and gone:
                    found.append(Loss(row.path, target, replace(change, before=gone)))
    return [*found, *_lost_skills(proposal, settings)]


def _lost_skills(proposal: Proposal, settings: Settings) -> Iterator[Loss]:
    """Yield each SKILL.md of the skills folder that is gone and whose content stands nowhere else afterwards."""
    kept = {row.id_after for row in proposal.differences if row.id_after}
    for row in proposal.differences:
        if row.path.endswith("/SKILL.md") and _is_gone(row) and row.id_before not in kept:
            root = row.path.removesuffix("/SKILL.md")
            if place(row.path, settings, frozenset({root})).area == "skill":
                yield Loss(row.path, skill_key(root, settings), None, row.id_before[:12])


def _is_gone(row: Difference) -> bool:
    return bool(row.id_before) and not row.id_after


def _policy_findings(proposal: Proposal, policy: Policy) -> Iterator[Finding]:
    """Yield what a proposal does to the policy; loosening it is an error for an agent, a warning for a person."""
    mends = [
        row.path for row in proposal.differences if place(row.path, policy.settings).area in ("settings", "waivers")
    ]
    if policy.broken and mends:
        yield _loosened(mends[0], "the policy that held could not be read and is replaced", policy)
    elif policy.broken:
        message = f"the policy that holds cannot be read: {policy.broken.splitlines()[0]}"
        yield finding("HG708", FILE_NAME, message, text=message, hint="mend it in a commit of its own first")
    for row in proposal.differences:
        area = place(row.path, policy.settings).area
        if area == "settings":
            yield from _settings_findings(row.path, proposal, policy)
        elif area == "waivers":
            yield from _waiver_findings(row.path, proposal, policy)
        elif area == "policy" and row.id_before:
            yield _loosened(row.path, f"{row.path} decides what later changes may do", policy)


FIRST_MAY_SAY = ("gate.scope", "paths.")
"""What the first settings of a repository may say without loosening anything: which files count, and where they are."""


def _settings_findings(path: str, proposal: Proposal, policy: Policy) -> Iterator[Finding]:
    data = proposal.new.get(path)
    if data is None:
        yield _loosened(path, "the settings are removed", policy)
        return
    try:
        after = parse_bytes(data, where=path)
    except UserError as error:
        yield finding("HG708", path, error.message, text=error.message, hint=error.hint)
        return
    for phrase in loosening.loosened(policy.settings, after):
        if not (path not in proposal.old and phrase.startswith(FIRST_MAY_SAY)):
            yield _loosened(path, phrase, policy)


def _waiver_findings(path: str, proposal: Proposal, policy: Policy) -> Iterator[Finding]:
    before = _waivers(proposal.old.get(path, b""))
    try:
        after = waivers.parse(proposal.new.get(path, b"").decode("utf-8"), where=path)
    except (UserError, UnicodeDecodeError) as error:
        yield finding("HG708", path, str(error), text=str(error))
        return
    for waiver in after:
        if waiver not in before:
            yield _loosened(path, f"waives {waiver.check or waiver.fingerprint} ({waiver.reason})", policy)


def _accompanied_waivers(proposal: Proposal, policy: Policy) -> Iterator[Finding]:
    """Yield a finding where a new waiver shares a commit with anything else, a first import left out."""
    path = policy.settings.paths.waivers
    others = [row for row in proposal.differences if row.path != path]
    if not others or path not in proposal.new or not any(row.id_before for row in proposal.differences):
        return
    added = [row for row in _waivers(proposal.new[path]) if row not in _waivers(proposal.old.get(path, b""))]
    if added:
        message = f"a waiver is added beside {len(others)} other changed file{'' if len(others) == 1 else 's'}"
        yield finding("HG721", path, message, text=message)


def _waivers(data: bytes) -> tuple[waivers.Waiver, ...]:
    """Return the waivers of a file; one that cannot be read has none, which is a finding of its own."""
    try:
        return waivers.parse(data.decode("utf-8", "replace"), where="")
    except UserError:
        return ()


def _loosened(path: str, phrase: str, policy: Policy) -> Finding:
    found = finding("HG720", path, phrase, text=phrase)
    if not policy.actor.is_agent:
        return found
    hint = "a person must make this change, in a commit of its own (git config hermes-git.actor person:<name>)"
    return replace(found, severity=ERROR, hint=hint)

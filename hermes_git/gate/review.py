"""What a range of commits teaches, allows and loses, put together for a reviewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from hermes_git.gate import review_skills
from hermes_git.gate.doors import policy_at, token_counter, tree_listing
from hermes_git.gate.duplicates import clashes
from hermes_git.gate.judge import memory_file
from hermes_git.gate.memory import shorten
from hermes_git.gate.proposal import Proposal, build
from hermes_git.gate.range import judge_range
from hermes_git.gate.replay import Commit, commits
from hermes_git.gate.review_past import Past, past
from hermes_git.gitrepo import read
from hermes_git.gitrepo.read import Difference
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import budget
from hermes_git.knowledge.changes import EntryChange, classify
from hermes_git.knowledge.entries import entry_id
from hermes_git.knowledge.layout import TARGETS, archived_memory_path, is_below, memory_path, place
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor, parse
from hermes_git.provenance.reviewed import EntryRow, Hand, MemoryFile, Review
from hermes_git.settings import Settings


@dataclass(frozen=True, slots=True)
class Span:
    """A range resolved: both ends, the settings of its base, its commits and what it changes as a whole."""

    base: str
    tip: str
    settings: Settings
    rows: tuple[Commit, ...]
    differences: tuple[Difference, ...]


def span(repo: Repository, base: str, tip: str) -> Span:
    """Resolve a range from the merge base of its ends to its tip."""
    end = read.resolve(repo, tip)
    start = read.merge_base(repo, read.resolve(repo, base), end)
    settings = policy_at(repo, start, Actor()).settings
    differences = read.compare(repo, start or repo.empty_tree, end)
    return Span(start or repo.empty_tree, end, settings, tuple(commits(repo, start, end)), tuple(differences))


def review(repo: Repository, found: Span, *, today: date | None = None, default: Actor | None = None) -> Review:
    """Put a review together; what the range loses is added by whoever can measure it."""
    start = None if found.base == repo.empty_tree else found.base
    report = judge_range(repo, start, found.tip, today=today, default=default)
    hands = tuple(_hand(row, default or Actor()) for row in found.rows)
    before, after = sides(repo, found)
    then, now = review_skills.scans(before, after, found.settings, _trust(hands))
    known = past(repo, start, found.settings)
    standing = {item.fingerprint for item in report.findings}
    gone = tuple(item for item in then.findings if item.fingerprint not in {row.fingerprint for row in now.findings})
    return Review(
        found.base,
        found.tip,
        hands,
        tuple(_memory(repo, found, known)),
        review_skills.rows(found.differences, (before, after), (then, now), found.settings, (found.rows, known)),
        report,
        tuple(item for item in gone if item.fingerprint not in standing),
        (),
        (),
        tuple(_others(found)),
    )


def _trust(hands: Iterable[Hand]) -> str:
    return "agent" if any(hand.actor.is_agent for hand in hands) else "own"


def sides(repo: Repository, found: Span) -> tuple[Proposal, Proposal]:
    """Return the documents that the range touches, as they were and as they are, skills whole."""
    turned = [
        Difference(row.path, row.status, row.mode_after, row.id_after, row.mode_before, row.id_before)
        for row in found.differences
    ]
    return (
        build(repo, turned, tree_listing(repo, found.base), found.settings),
        build(repo, found.differences, tree_listing(repo, found.tip), found.settings),
    )


def _hand(row: Commit, default: Actor) -> Hand:
    declared = parse(row.message)
    session = next((change.session for change in declared if change.session), "")
    actor = actor_of_message(row.message) or default
    return Hand(actor, row.id, row.message.split("\n", 1)[0], session)


def _memory(repo: Repository, found: Span, known: Past) -> Iterator[MemoryFile]:
    """Yield each memory file that the range touches; entries that move between files and archive are no loss."""
    hands = entry_hands(found.rows)
    elsewhere = _texts_after(repo, found)
    for target in TARGETS:
        path = memory_path(found.settings, target)
        if not any(row.path == path for row in found.differences):
            continue
        old, new = read.contents(repo, [f"{found.base}:{path}", f"{found.tip}:{path}"])
        before, after = memory_file(old or b"").texts, memory_file(new or b"").texts
        archive = found.settings.paths.archive
        changes = [_moved(change, archive, elsewhere) for change in classify(before, after)]
        rows = tuple(_row(change, after, hands, known) for change in changes if change.action != "reorder")
        limits = found.settings.memory
        count = token_counter(found.settings)
        yield MemoryFile(
            target, path, rows, budget.used(before, limits, count), budget.used(after, limits, count),
            budget.limit_of(target, limits), limits.unit, len(after),
        )  # fmt: skip


def _texts_after(repo: Repository, found: Span) -> dict[str, str]:
    """Map every entry of the tip to the file that holds it."""
    paths = [archived_memory_path(found.settings, target) for target in TARGETS]
    paths += [memory_path(found.settings, target) for target in TARGETS]
    data = read.contents(repo, [f"{found.tip}:{path}" for path in paths])
    return {text: path for path, content in zip(paths, data, strict=True) for text in memory_file(content or b"").texts}


def _moved(change: EntryChange, archive: str, elsewhere: Mapping[str, str]) -> EntryChange:
    """Call a removal an archiving or a move where the entry stands in another file afterwards."""
    if change.action == "move":
        return replace(change, action="reorder")
    if change.action != "remove" or change.before[0] not in elsewhere:
        return change
    return replace(change, action="archive" if is_below(elsewhere[change.before[0]], archive) else "move")


def _row(change: EntryChange, after: Sequence[str], hands: Mapping[str, Hand], known: Past) -> EntryRow:
    ids = [entry_id(text) for text in (*change.after, *change.before)]
    hand = next((hands[name] for name in ids if name in hands), None)
    said = [
        f"{clash.kind}: {clash.why}: {shorten(clash.other)}"
        for text in change.after
        for clash in clashes(text, [other for other in after if other != text])
    ]
    usage = known.usage("entry", [entry_id(text) for text in change.before])
    return EntryRow(change.action, change.before, change.after, hand, usage, tuple(said))


def entry_hands(rows: Iterable[Commit]) -> dict[str, Hand]:
    """Map the ids that change lines name, after and before, to who wrote them; the newest commit wins."""
    found: dict[str, Hand] = {}
    for row in rows:
        for change in parse(row.message):
            evidence, quote = change.extra.get("evidence", ""), change.extra.get("quote", "")
            hand = Hand(change.actor, row.id, row.message.split("\n", 1)[0], change.session, evidence, quote)
            found.update({name[:12]: hand for name in (change.before, change.after) if name})
    return found


def _others(found: Span) -> Iterator[str]:
    """Yield the paths that are neither memory nor skills: policy first, because it decides about everything else."""
    areas = {row.path: place(row.path, found.settings).area for row in found.differences}
    policy = sorted(path for path, area in areas.items() if area in ("policy", "settings", "waivers"))
    yield from policy
    yield from sorted(path for path, area in areas.items() if area == "other")

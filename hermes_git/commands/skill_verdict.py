"""What blocks in a skill that is shown: judged once for each version of it, and said beside its text."""

from __future__ import annotations

import json

from hermes_git.commands.call import Call
from hermes_git.commands.skill_read import Found
from hermes_git.finding import ERROR, Finding, Severity, digest
from hermes_git.gate.scan_cache import ScanCache
from hermes_git.gitrepo import read
from hermes_git.knowledge import lock
from hermes_git.version import RULES_VERSION

CACHE = "skill-verdicts.json"


def blocking(call: Call, found: Found, tree: str) -> tuple[Finding, ...]:
    """Return the errors of a skill whose folder has this tree id, those left out that a waiver of HEAD accepts."""
    if not tree:
        return ()
    where = lock.path(call.settings)
    locked = read.file_at(call.repo, found.commit, where)
    trust = lock.origins(locked, call.settings).get(found.root, "own") if locked is not None else "own"
    cache = ScanCache(call.repo.state, CACHE)
    key = digest(RULES_VERSION, found.root, tree, trust)
    kept = _thaw(cache.get(key))
    if kept is None:
        kept = _judged(call, found, trust)
        cache.put(key, _freeze(kept))
        cache.save()
    return _standing(call, kept) if kept else ()


def _judged(call: Call, found: Found, trust: str) -> tuple[Finding, ...]:
    from hermes_git.checks.run import scan  # most of the start-up, and needed once for each version of a skill

    done = scan(found.skill.documents, settings=call.settings, trust=trust)
    return tuple(row for row in done.findings if row.severity == ERROR)


def _standing(call: Call, rows: tuple[Finding, ...]) -> tuple[Finding, ...]:
    from hermes_git.gate.doors import policy_at
    from hermes_git.gate.waivers import divide
    from hermes_git.provenance.change import Actor

    policy = policy_at(call.repo, read.head(call.repo), Actor())
    return divide(rows, policy.waivers, call.clock().date())[0]


def _freeze(rows: tuple[Finding, ...]) -> bytes:
    table = [[row.path, row.line, row.column, row.check, int(row.severity), row.message, row.evidence] for row in rows]
    return json.dumps(table).encode("ascii")


def _thaw(data: bytes | None) -> tuple[Finding, ...] | None:
    """Read what was kept; what is damaged is judged again."""
    try:
        rows = json.loads(data) if data is not None else None
        return None if rows is None else tuple(
            Finding(path, line, column, check, Severity(weight), message, evidence)
            for path, line, column, check, weight, message, evidence in rows
        )  # fmt: skip
    except (ValueError, TypeError):
        return None

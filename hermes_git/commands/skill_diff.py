"""`hermes-git skill diff`: what changed between two versions of a skill, in the words of a review."""

from __future__ import annotations

from dataclasses import replace

import click

from hermes_git import errors
from hermes_git.checks.run import Scan, scan
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_history import past_of
from hermes_git.commands.skill_read import Found, read_found
from hermes_git.errors import UserError
from hermes_git.gate.review_skills import abilities
from hermes_git.gitrepo import read
from hermes_git.knowledge.compare import Altered, Comparison, compare
from hermes_git.knowledge.conformance import altered_hosts
from hermes_git.knowledge.listing import Listed
from hermes_git.knowledge.skill import Skill
from hermes_git.provenance.reviewed import Ability
from hermes_git.reports.text import visible
from hermes_git.tokens import estimate

MAX_SHOWN = 120


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option(
    "--from", "start", metavar="REV", default=None, help="The older version.  [default: before the last change]"
)
@click.option("--to", "end", metavar="REV", default="HEAD", show_default=True, help="The newer version.")
@common(json_output=True)
def diff(call: Call, name: str, start: str | None, end: str) -> int:
    """Say what changed: header, sections, files, findings, what it is able to do, who loads it, and what it costs.

    \b
    hermes-git skill diff deploy
    hermes-git skill diff deploy --from v1.0 --json
    """
    past, _ = past_of(call, name)
    tip = read.resolve(call.repo, end)
    base = _base(call, start, past.events[-1].commit)
    after = _version(call, tip, past.roots)
    if after is None:
        raise UserError(f"{name} is not there at {end}", hint="hermes-git skill log NAME shows where it has been")
    before = _version(call, base, past.roots) if base else None
    found = _compared(call, before, after)
    tokens = (_tokens(before), _tokens(after))
    if call.json:
        call.emit({"from": base or "", "to": tip, "tokens": {"before": tokens[0], "after": tokens[1]},
                   "changes": [_as_json(row) for row in found.rows]})  # fmt: skip
        return errors.OK
    for row in found.rows:
        call.say(_line(row))
    if not found.rows:
        call.say("nothing changed")
    call.say(f"about {tokens[0]:,} tokens before, {tokens[1]:,} after (estimate)")
    return errors.OK


def _base(call: Call, start: str | None, last: str) -> str | None:
    """Return the older commit: the one named, or the parent of the last change, None where that was the first."""
    if start is not None:
        return read.resolve(call.repo, start)
    return call.repo.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{last}^")


def _version(call: Call, commit: str, roots: tuple[str, ...]) -> Found | None:
    """Read a skill at a commit, in the newest of its folders that is there."""
    for root in reversed(roots):
        if read.tree(call.repo, commit, f"{root}/SKILL.md"):
            return read_found(call, commit, Listed("", root.rsplit("/", 1)[-1], root, "", ""))
    return None


def _compared(call: Call, before: Found | None, after: Found) -> Comparison:
    old = (
        before.skill
        if before
        else Skill(after.root, after.skill.folder, "", replace(after.skill.header, values={}, body=""))
    )
    found = compare(old, after.skill)
    then = scan(before.skill.documents, settings=call.settings) if before else Scan()
    now = scan(after.skill.documents, settings=call.settings)
    renamed: tuple[Altered, ...] = ()
    if before and before.root != after.root:
        renamed = (Altered("folder", after.root, "renamed", before.root, after.root),)
    could = abilities(before.skill, then, before.root) if before else set()
    able = _capabilities(could, abilities(after.skill, now, after.root))
    hosts = altered_hosts(before.skill if before else None, after.skill)
    return replace(found, extra=(*renamed, *able, *hosts, *_findings(then, now)))


def _capabilities(could: set[Ability], can: set[Ability]) -> list[Altered]:
    rows = [Altered("able", f"{row.axis} {row.value}", "removed") for row in sorted(could - can)]
    return rows + [Altered("able", f"{row.axis} {row.value}", "added") for row in sorted(can - could)]


def _findings(then: Scan, now: Scan) -> list[Altered]:
    old, new = ({(row.check, row.severity.word, row.message) for row in done.findings} for done in (then, now))
    rows = [Altered("finding", f"{check} {word}", "removed", message) for check, word, message in sorted(old - new)]
    return rows + [
        Altered("finding", f"{check} {word}", "added", "", message) for check, word, message in sorted(new - old)
    ]


def _tokens(found: Found | None) -> int:
    texts = [row.text for row in found.skill.documents if row.is_text] if found else []
    return sum(estimate.count(text) for text in texts)


def _line(row: Altered) -> str:
    shown = [_short(text) for text in (row.before, row.after)]
    detail = (
        " -> ".join(text for text in shown if text) if row.kind != "section" or row.how in ("renamed", "moved") else ""
    )
    if row.kind == "section" and row.how == "changed":
        detail = f"{row.before.count(chr(10)) + 1} -> {row.after.count(chr(10)) + 1} lines"
    return f"{row.kind:<8} {row.how:<8} {visible(row.what)}" + (f": {detail}" if detail else "")


def _short(text: str) -> str:
    flat = visible(" ".join(text.split()))
    return flat if len(flat) <= MAX_SHOWN else flat[:MAX_SHOWN] + "…"


def _as_json(row: Altered) -> dict[str, str]:
    return {"kind": row.kind, "what": row.what, "how": row.how, "before": row.before, "after": row.after}

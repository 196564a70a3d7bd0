"""`hermes-git skill check`: the specification and the house rules on skills as they are on disk, and safe mends."""

from __future__ import annotations

import difflib
from dataclasses import replace

import click

from hermes_git import errors, files
from hermes_git.checks import house_pages
from hermes_git.checks.run import scan
from hermes_git.commands import complete
from hermes_git.commands.call import Call, colour_allowed, common
from hermes_git.commands.screen import show
from hermes_git.commands.skill_files import OnDisk, choose, on_disk
from hermes_git.curator.consolidate import alike
from hermes_git.curator.facts import SkillFacts
from hermes_git.document import Document
from hermes_git.finding import Finding, Report
from hermes_git.knowledge import fixes, hosts
from hermes_git.knowledge.fixes import Fix
from hermes_git.knowledge.layout import is_below, skill_key
from hermes_git.knowledge.seen import EFFECTS, REFUSED, see
from hermes_git.reports import text
from hermes_git.reports.json import as_json

FAMILIES = ("HG1", "HG2")


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete.skills)
@click.option("--fix", is_flag=True, help="Mend headers on disk where that is safe for every host.")
@click.option("--dry-run", is_flag=True, help="With --fix: show the difference, write nothing.")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
@common(json_output=True)
def check(call: Call, names: tuple[str, ...], fix: bool, dry_run: bool, strict: bool) -> int:
    """Check skills on disk, all or those named: structure, agentskills.io rules, house rules, relations.

    \b
    hermes-git skill check
    hermes-git skill check release-notes --fix --dry-run
    hermes-git skill check --json
    """
    found = on_disk(call)
    wanted = choose(call, found, names)
    if fix:
        for root in wanted:
            _fix(call, found, root, dry_run)
        found = found if dry_run else on_disk(call)
    report = _report(call, found, wanted)
    if call.json:
        call.emit(as_json(report))
    elif not call.quiet:
        show(text.render(report, colour=colour_allowed()), end="", colour=colour_allowed())
    return errors.FINDINGS if report.verdict == "block" or (strict and report.verdict == "warn") else errors.OK


def _report(call: Call, found: OnDisk, wanted: list[str]) -> Report:
    """Judge all skills together, because names and relations need all, and keep what is about the wanted ones."""
    done = scan(found.documents, settings=call.settings, select=FAMILIES)
    findings = [*done.findings, *house_pages.missing_related(found.skills, wanted), *_overlaps(call, found)]
    inside = tuple(sorted({row for row in findings if any(is_below(row.path, root) for root in wanted)}))
    skipped = [row for row in (*done.not_scanned, *found.skipped) if any(is_below(row.path, root) for root in wanted)]
    return Report(inside, tuple(sorted(set(skipped))))


def _overlaps(call: Call, found: OnDisk) -> list[Finding]:
    facts = {
        root: SkillFacts(skill, skill_key(root, call.settings), "")
        for root, skill in found.skills.items()
        if not skill.problem
    }
    rows = []
    for pair in alike(facts, call.settings.curator.similarity):
        one, other = found.skills[pair.one], found.skills[pair.other]
        rows += [house_pages.overlap(one, other, pair.similarity), house_pages.overlap(other, one, pair.similarity)]
    return rows


def _fix(call: Call, found: OnDisk, root: str, dry_run: bool) -> None:
    """Mend one header on disk, and say per host what that changes; a mend that any host would refuse is left out."""
    skill = found.skills[root]
    main = next((row for row in skill.documents if row.path == skill.path), None)
    if main is None or main.encoding not in ("utf-8", "utf-8-sig") or main.kind != "skill":
        return
    before = main.data.decode("utf-8")
    done = fixes.mend(before, skill.folder)
    if not done:
        return
    after = done[-1].text
    effects = _effects(root, skill.documents, main, after)
    if any(now == REFUSED for _, now in effects.values()):
        hosts_said = ", ".join(host for host, (_, now) in effects.items() if now == REFUSED)
        call.note(f"{skill.path}: not mended, because {hosts_said} would refuse the result")
        return
    _say_fix(call, skill.path, done, effects, dry_run)
    if dry_run:
        call.say("".join(_difference(skill.path, before, after)).rstrip("\n"))
    else:
        files.write_atomic(found.top / skill.path, after.encode("utf-8"))


def _effects(root: str, documents: tuple[Document, ...], main: Document, after: str) -> dict[str, tuple[str, str]]:
    """Return host → verdict before and after, for the hosts whose verdict changes."""
    changed = tuple(replace(row, data=after.encode("utf-8"), blob="") if row is main else row for row in documents)
    old, new = hosts.judge(see(root, documents)), hosts.judge(see(root, changed))
    pairs = {host: (hosts.verdict(old[host]), hosts.verdict(new[host])) for host in hosts.HOSTS}
    return {host: pair for host, pair in pairs.items() if pair[0] != pair[1]}


def _say_fix(call: Call, path: str, done: tuple[Fix, ...], effects: dict[str, tuple[str, str]], dry_run: bool) -> None:
    word = "would be mended" if dry_run else "mended"
    call.note(f"{text.visible(path)} {word}:")
    for fix in done:
        call.note(f"  {text.visible(fix.message)}")
    for host, (was, now) in effects.items():
        gain = EFFECTS.index(was) < (EFFECTS.index(now) if now in EFFECTS else len(EFFECTS))
        call.note(f"  {host} {'gains' if gain else 'loses'}: {was} -> {now}")
    for fix in done:
        for host, loss in fix.loses.items():
            call.note(f"  {host} loses: {text.visible(loss)}")


def _difference(path: str, before: str, after: str) -> list[str]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return list(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"))

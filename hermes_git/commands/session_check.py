"""`hermes-git session check`: stored sessions under the guard."""

from __future__ import annotations

import click

from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.errors import FINDINGS, OK, UserError
from hermes_git.finding import ERROR, Report
from hermes_git.gate.scan_cache import ScanCache
from hermes_git.reports import text
from hermes_git.reports.json import as_json
from hermes_git.screen import amount
from hermes_git.sessions import canonical
from hermes_git.sessions.store import TEXTS, Store, absent, open_store


@click.command("check")
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete.sessions)
@common(json_output=True)
def check(call: Call, ids: tuple[str, ...]) -> int:
    """Judge stored sessions, all or those named, wherever they live: bytes and secrets block.

    Hidden text and words of attacks are counted and do not block: tools print them all day. An import has judged what
    it stored, so this costs little afterwards. Exit code 1: something blocks, such as a secret in a session that was
    stored by an earlier version, came from another clone or was edited since.

    \b
    hermes-git session check
    hermes-git session check 4555072a --json
    """
    store = open_store(call.repo, call.settings)
    if folder := absent(store):
        raise UserError(f"the folder of sessions is not there: {folder}", hint="mount its disk, or import again")
    paths = [store.find(name).path for name in ids] or [item.path for item in store.sessions()]
    report = _judged(call, store, paths)
    if call.json:
        call.emit(as_json(report) | {"sessions": len(paths), "counts": _counts(report)})
    else:
        _tell(call, report, len(paths))
    return FINDINGS if report.verdict == "block" else OK


def _judged(call: Call, store: Store, paths: list[str]) -> Report:
    from hermes_git.gate.stored import judge_session

    cache = ScanCache(call.repo.state)
    report = Report()
    texts: set[str] = set()
    for path, data in call.watch(store.read(paths), "sessions", len(paths)):
        report = report.plus(judge_session(path, data, call.settings, cache=cache))
        texts |= _texts(path, data)
    for path, data in store.read(texts):
        report = report.plus(judge_session(path, data, call.settings, cache=cache))
    cache.save()
    return report


def _texts(path: str, data: bytes) -> set[str]:
    """Return the paths of the texts that a session shares; one whose header is damaged names none that can be read."""
    try:
        return {TEXTS + digest for digest in canonical.references(data, where=path)}
    except UserError:
        return set()


def _counts(report: Report) -> dict[str, int]:
    from hermes_git.gate.stored import counted

    return counted(report.findings)


def _tell(call: Call, report: Report, count: int) -> None:
    blocking = tuple(found for found in report.findings if found.severity == ERROR)
    if blocking:
        call.note(text.render(Report(blocking)).rstrip("\n"))
        call.note("forget one with: hermes-git session forget ID; look at it with: hermes-git session show ID")
    noted = ", ".join(f"{check} {number}" for check, number in _counts(report).items()) or "nothing"
    call.say(f"{amount(count, 'session')} judged, {amount(len(blocking), 'finding')} that block; found: {noted}")

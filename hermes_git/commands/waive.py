"""`hermes-git waive`: accept one finding, with a reason, an owner and, where wanted, a last day."""

from __future__ import annotations

import json
from datetime import date

import click

from hermes_git import files
from hermes_git.commands.call import Call, common
from hermes_git.commands.check import everything
from hermes_git.errors import OK, UserError
from hermes_git.finding import Finding
from hermes_git.gate import waivers
from hermes_git.provenance.change import Actor

MIN_REASON = 8
HEAD = f"format = {waivers.FORMAT}\n"


@click.command()
@click.argument("fingerprint")
@click.option("--reason", required=True, metavar="TEXT", help="Why the finding is accepted.")
@click.option("--owner", default=None, metavar="KIND:NAME", help="Who answers for it.  [default: who acts]")
@click.option("--expires", default=None, metavar="DATE", help="The last day on which it holds, such as 2027-01-31.")
@common(json_output=True, now=True)
def waive(call: Call, *, fingerprint: str, reason: str, owner: str | None, expires: str | None) -> int:
    """Accept one finding of `hermes-git check --all`: write it to the waivers file, which you then commit.

    A waiver holds from the commit after the one that adds it, ends when its line is edited or its day has passed, and
    cannot be added by an agent alone. FINGERPRINT is printed by `hermes-git check --all --json`; its first 6 digits do.

    \b
    hermes-git waive 5d1c2f0a9be37c44 --reason "example token of the vendor's documentation"
    hermes-git waive 5d1c2f --reason "quoted on purpose" --expires 2027-06-30
    """
    if len(reason.strip()) < MIN_REASON:
        raise UserError("--reason is too short to tell anybody anything", hint="say why this finding is acceptable")
    path = call.repo.work_tree() / call.settings.paths.waivers
    old = (files.read_optional(path) or b"").decode("utf-8-sig")
    known = waivers.parse(old, where=call.settings.paths.waivers)
    found = _finding(call, fingerprint, known)
    row = _row(found, reason.strip(), owner or _owner(call.actor), _day(call, expires))
    files.write_atomic(path, _joined(old, row).encode("utf-8"))
    if call.json:
        call.emit({"waived": found.as_json(), "path": call.settings.paths.waivers})
    call.say(f"waived {found.check} at {found.path}:{found.line} in {call.settings.paths.waivers}")
    call.say(f"commit it on its own: git commit -m 'waive {found.check}' -- {call.settings.paths.waivers}")
    return OK


def _owner(actor: Actor) -> str:
    return f"{actor.kind}:{actor.name}"


def _finding(call: Call, fingerprint: str, known: tuple[waivers.Waiver, ...]) -> Finding:
    """Return the one finding that a fingerprint or its beginning names."""
    wanted = fingerprint.strip().lower()
    report = everything(call)
    hits = {finding.fingerprint: finding for finding in report.findings if finding.fingerprint.startswith(wanted)}
    if any(waiver.fingerprint.startswith(wanted) for waiver in known) and not hits:
        raise UserError(f"{fingerprint} is waived already", hint="git log -p shows by whom, and why")
    if len(wanted) < 6 or not hits:
        near = ", ".join(finding.fingerprint for finding in report.findings[:3]) or "there are no findings"
        raise UserError(f"no finding has the fingerprint {fingerprint}", hint=f"such as: {near}")
    if len(hits) > 1:
        raise UserError(
            f"{fingerprint} names {len(hits)} findings", hint=f"give more digits: {', '.join(sorted(hits))}"
        )
    return next(iter(hits.values()))


def _day(call: Call, text: str | None) -> date | None:
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"--expires {text!r} is not a date", hint="for example --expires 2027-01-31") from error
    if day < call.clock().date():
        raise UserError(f"--expires {text} has passed", hint="give a day to come, or leave it out")
    return day


def _row(found: Finding, reason: str, owner: str, expires: date | None) -> str:
    """Return one waiver as TOML; a JSON string is a TOML basic string."""
    pairs = [("fingerprint", found.fingerprint), ("check", found.check), ("path", found.path)]
    pairs += [("reason", reason), ("owner", owner)]
    rows = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs]
    return "\n".join(["[[waiver]]", *rows, *([f"expires = {expires.isoformat()}"] if expires else [])]) + "\n"


def _joined(old: str, row: str) -> str:
    """Return the file with one more waiver at its end, the rest as it was."""
    start = old if old.strip() else HEAD
    gap = "" if start.endswith("\n\n") else "\n" if start.endswith("\n") else "\n\n"
    return f"{start}{gap}{row}"

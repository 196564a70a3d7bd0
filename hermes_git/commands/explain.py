"""`hermes-git explain`: what a check id means, why it matters, and what to do."""

from __future__ import annotations

import difflib

import click

from hermes_git.check_ids import FAMILIES, family
from hermes_git.checks import catalogue
from hermes_git.checks.registry import Check, Example
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.screen import show
from hermes_git.errors import OK, UserError

MAX_EXAMPLES = 3


@click.command()
@click.argument("id", required=False, shell_complete=complete.checks)
@common(json_output=True)
def explain(call: Call, id: str | None) -> int:
    """Explain a check: why it matters, what fires it, how to fix it, how to waive it. Without ID, list all checks.

    \b
    hermes-git explain HG301
    hermes-git explain HG3          the checks whose ids begin so
    hermes-git explain
    hermes-git explain HG301 --json
    """
    checks = catalogue.load_all()
    if id is None:
        _list(call, checks)
        return OK
    entry = checks.get(id.upper())
    alike = {name: check for name, check in checks.items() if name.startswith(id.upper())}
    if entry is None and alike:
        _list(call, alike)
        return OK
    if entry is None:
        near = difflib.get_close_matches(id.upper(), checks, n=3, cutoff=0.5)
        hint = f"near: {', '.join(near)}" if near else "list them with: hermes-git explain"
        raise UserError(f"no check called {id!r}", hint=hint)
    if call.json:
        call.emit(as_json(entry))
    else:
        show(page(entry))
    return OK


def as_json(entry: Check) -> dict[str, object]:
    """Return the published form of a check's page."""
    return {
        "check": entry.id,
        "title": entry.title,
        "family": family(entry.id),
        "severity": entry.severity.word,
        "indicator": entry.indicator,
        "doc": entry.doc,
        "fires": [shown(example) for example in entry.fires],
        "quiet": [shown(example) for example in entry.quiet],
    }


def _list(call: Call, checks: dict[str, Check]) -> None:
    if call.json:
        call.emit([as_json(entry) for entry in checks.values()])
        return
    for name, meaning in FAMILIES.items():
        rows = [entry for entry in checks.values() if family(entry.id) == name]
        if rows:
            show(f"{name}: {meaning}")
        for entry in rows:
            show(f"  {entry.id}  {entry.severity.word:<8} {entry.title.rstrip('.')}")


def page(entry: Check) -> str:
    """Return the page of a check as text."""
    rows = [f"{entry.id} ({entry.severity.word}): {entry.title}", "", entry.doc]
    if entry.indicator:
        rows += ["", "A sign of malice: from authors who are not trusted, its warnings are errors."]
    for word, examples in (("Fires on", entry.fires), ("Quiet on", entry.quiet)):
        for example in examples[:MAX_EXAMPLES]:
            rows += ["", f"{word}:", *(f"    {row}" for row in shown(example).split("\n"))]
    rows += [
        "",
        f"Waive one finding: hermes-git waive FINGERPRINT --reason TEXT (see hermes-git check --json for {entry.id})",
    ]
    return "\n".join(rows)


def shown(example: Example, limit: int = 400) -> str:
    """Return an example as printable text, what is invisible as escapes, cut to `limit` characters a file."""
    files = ((None, example),) if isinstance(example, str) else example
    parts = []
    for path, content in files[:4]:
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        cut = text if len(text) <= limit else f"{text[:limit]} … ({len(text):,} characters)"
        body = "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in cut).rstrip("\n")
        parts.append(f"{path}:\n{body}" if path else body)
    more = [f"… and {len(files) - 4} more files"] if len(files) > 4 else []
    return "\n".join([*parts, *more])

"""The page of checks, from their docstrings and examples."""

from __future__ import annotations

from hermes_git.check_ids import FAMILIES, family
from hermes_git.checks.catalogue import load_all
from hermes_git.checks.registry import Check, Example

SHOWN = 4
"""Examples shown of each kind; the tests run them all."""
FILES = 4
"""Files of one example that are shown; the others are counted."""


def page() -> str:
    """Return docs/checks.md."""
    lines = [
        "# Checks",
        "",
        "Every finding names a check. Errors block, warnings warn, notes print; `hermes-git explain ID` shows a page.",
        "An id is never reused.",
        "",
        "## Contents",
        "",
        "| family | checks |",
        "|---|---|",
    ]
    known = load_all()
    lines += _contents(known)
    for name, about in FAMILIES.items():
        members = [known[id] for id in sorted(known) if family(id) == name]
        if members:
            lines += ["", f"## {name}: {about}"]
            for entry in members:
                lines += ["", *_section(entry)]
    return "\n".join(lines) + "\n"


def _contents(known: dict[str, Check]) -> list[str]:
    """Return a row for each family: what it is about, and its checks, each linked to its section."""
    rows = []
    for name, about in FAMILIES.items():
        members = [id for id in sorted(known) if family(id) == name]
        if members:
            rows.append(f"| {name}: {about} | {' '.join(f'[{id}](#{id.lower()})' for id in members)} |")
    return rows


def _section(entry: Check) -> list[str]:
    lines = [f"### {entry.id}", "", f"**{entry.title}** ({entry.severity.word})", "", entry.doc]
    for title, examples in (("Fires on", entry.fires), ("Quiet on", entry.quiet)):
        if examples:
            lines += ["", f"{title}:", ""]
            lines += [f"- {_example(example)}" for example in examples[:SHOWN]]
    return lines


def _example(example: Example) -> str:
    """Show an example on one line, with invisible characters spelled out."""
    if isinstance(example, str):
        return _code(example)
    shown = [f"`{path}`: {_code(content)}" for path, content in example[:FILES]]
    more = [f"and {len(example) - FILES} more files"] if len(example) > FILES else []
    return ", ".join([*shown, *more])


def _code(content: str | bytes) -> str:
    plain = repr(content)
    if isinstance(content, str):
        plain = plain[1:-1].encode("ascii", "backslashreplace").decode()
    short = plain if len(plain) <= 160 else plain[:159] + "…"
    return f"`` {short} ``" if "`" in short else f"`{short}`"

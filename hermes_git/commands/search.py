"""`hermes-git search`: find, scroll, read and browse what was said."""

from __future__ import annotations

import re
from typing import Any

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, colour_allowed, common, is_terminal
from hermes_git.commands.screen import show, show_progress
from hermes_git.errors import UserError
from hermes_git.gate.memory import shorten
from hermes_git.recall.ask import ask
from hermes_git.recall.query import parse
from hermes_git.recall.shapes import DEFAULT_LIMIT, DEFAULT_WINDOW, Parameters
from hermes_git.recall.snippet import CLOSE, OPEN, plain
from hermes_git.recall.timeline import GROUPINGS
from hermes_git.screen import amount, printable


@click.command()
@click.argument("query", nargs=-1)
@click.option("-n", "--limit", default=None, type=click.IntRange(1), metavar="N", help="Results to show.")
@click.option(
    "--session",
    "session_id",
    default="",
    metavar="ID",
    help="Read one session; with QUERY, search in it.",
    shell_complete=complete.sessions,
)
@click.option("--around", "around", default=None, type=int, metavar="MESSAGE", help="Show the messages around one.")
@click.option("--window", default=DEFAULT_WINDOW, type=click.IntRange(1), metavar="N", help="Messages on each side.")
@click.option("--sort", type=click.Choice(["relevance", "newest", "oldest"]), default="relevance", help="Order.")
@click.option("--role", default="", metavar="ROLES", help="Only messages of these roles, with commas between.")
@click.option("--by", type=click.Choice(GROUPINGS), default=None, help="Without words: list by day or repository.")
@click.option("--detail", type=click.Choice(["adaptive", "full"]), default="adaptive", help="Surroundings in --json.")
@common(json_output=True)
def search(
    call: Call, query: tuple[str, ...], limit: int | None, session_id: str, around: int | None, **more: Any
) -> int:
    """Find what was said in sessions, memory, skills and commits. No model, no network.

    Words are searched from the exact phrase down to parts of words; the answer says which rung found it. Without
    words the last active sessions are listed. Filters: role: tool: repo: agent: author: before: after: kind: path:
    model:, for example kind:memory or after:2026-01-01.

    \b
    hermes-git search staging cluster name
    hermes-git search '"permission denied" tool:terminal after:2026-05-01'
    hermes-git search --session 20260901_080000_ab12cd --around 17
    hermes-git search --by day after:2026-05-01
    hermes-git search --json what did we decide about retries
    """
    text = " ".join(query)
    _refuse(session_id, around, more["role"])
    browsing = not session_id and not parse(text).pieces
    if more["by"] and not browsing:
        raise UserError(
            "--by lists sessions and takes no words", hint="leave out the words; filters such as repo: may stay"
        )
    given = Parameters(
        text,
        limit or (20 if browsing and not call.json else DEFAULT_LIMIT),
        more["sort"],
        more["role"],
        session_id,
        around,
        more["window"],
        more["detail"],
        by=more["by"] or "",
    )
    answer = ask(call.repo, call.settings, given, progress=progress(call))
    if call.json:
        call.emit(answer)
    else:
        for line in () if call.quiet else render(answer, colour=colour_allowed()):
            show(line, colour=colour_allowed())
    for note in answer.get("notes", ()):
        call.note(f"hermes-git: {note}")
    return errors.OK if answer["complete"] else errors.FINDINGS


def progress(call: Call) -> Any:
    """Return a function that shows how far indexing is, on a terminal; None elsewhere."""
    if call.quiet or not is_terminal():
        return None

    def show(done: int, total: int) -> None:
        if total >= 50 and (done % 25 == 0 or done == total):
            show_progress(f"indexing {done:,} of {total:,}", done=done == total)

    return show


ROLES = ("user", "assistant", "tool", "system")


def _refuse(session_id: str, around: int | None, roles: str) -> None:
    """Stop at options that would quietly find nothing, or quietly do nothing."""
    if around is not None and not session_id:
        raise UserError("--around needs --session ID", hint=f"for example --session 20260901_08 --around {around}")
    unknown = [role for role in (part.strip() for part in roles.split(",")) if role and role.casefold() not in ROLES]
    if unknown:
        raise UserError(f"--role {unknown[0]!r} is no role", hint=f"there are: {', '.join(ROLES)}")


def render(answer: dict[str, Any], *, colour: bool = False) -> list[str]:
    """Return an answer as lines for people; what answers the query is bold where colours are shown."""
    shapes = {"discover": _discovered, "browse": _browsed, "scroll": _messages, "read": _messages}
    with_snippet = SHOWS_SNIPPET.get(answer["mode"], "\n")
    lines = [printable(line) for line in shapes[answer["mode"]](answer)]
    return [_painted(line, colour) if line.startswith(with_snippet) else line for line in lines]


MARKED = re.compile(f"{OPEN}((?:(?!{OPEN}).)*?){CLOSE}")
SHOWS_SNIPPET = {"discover": "  ", "read": "match "}
"""Shape of an answer → how its lines with a snippet begin."""


def _painted(line: str, colour: bool) -> str:
    """Turn the marks of a snippet into bold type, or take them out."""
    return MARKED.sub(lambda match: click.style(match[1], bold=True) if colour else match[1], line)


def _who(row: dict[str, Any]) -> str:
    """Return the agent of a session, and the channel it was talked to on where that says more."""
    agent, channel = row.get("agent", row["source"]), row["source"]
    return plain(agent if channel in ("cli", agent) else f"{agent} on {channel}")


def _discovered(answer: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for row in answer["results"]:
        title = plain(row["title"]) or "(no title)"
        at = f", commit {row['commit'][:12]}" if row.get("commit") else ""
        lines += [f"{row['session_id']}  {title}  ({_who(row)}, {row['when']}{plain(at)}, found by: {row['rung']})"]
        lines += [f"  {row['matched_role']} {row['match_message_id']}: {row['snippet']}"]
        lines += [f"  hermes-git search --session {row['session_id']} --around {row['match_message_id']}", ""]
    for row in answer["knowledge"]:
        where = row.get("path") or row["commit"][:12]
        lines += [f"{row['kind']}  {plain(where)}  (found by: {row['rung']})", f"  {row['snippet']}"]
        lines += [f"  {row['open']}", *([f"  {row['why']}"] if "why" in row else []), ""]
    if cited := [row["why"] for row in answer["results"] if "why" in row]:
        lines += [f"what these taught: {cited[0]}"]
    return lines or [answer["message"]]


def _browsed(answer: dict[str, Any]) -> list[str]:
    rows = [
        f"{row['session_id']}  {row['last_active'][:16].replace('T', ' ') or 'no time':<16}  {_who(row):<12}  "
        f"{row['message_count']:>5,}  {shorten(plain(row['title'] or row['preview']), 60)}"
        for row in answer["results"]
    ]
    lines: list[str] = []
    for group in answer.get("groups", ()):
        held = f"{amount(group['sessions'], 'session')}, {amount(group['messages'], 'message')}"
        lines += [f"{plain(group[answer['by']])}  ({held})", *(f"  {row}" for row in rows[: group["shown"]]), ""]
        rows = rows[group["shown"] :]
    return [*lines, *rows, answer["message"]]


def _messages(answer: dict[str, Any]) -> list[str]:
    meta = answer["session_meta"]
    lines = [f"{answer['session_id']}  {plain(meta['title'])}  ({_who(meta)}, {meta['when']})", ""]
    for row in answer["messages"]:
        mark = ">" if row.get("anchor") else " "
        called = "".join(
            f"\n  {call['function']['name']} {call['function']['arguments']}" for call in row.get("tool_calls", ())
        )
        lines += [f"{mark}[{row['id']}] {row['role']}", *f"{row['content']}{plain(called)}".split("\n"), ""]
    for row in answer.get("matches", ()):
        lines.append(f"match {row['match_message_id']} ({row['rung']}): {row['snippet']}")
    lines += [answer[name] for name in ("warning", "message") if answer.get(name)]
    return lines

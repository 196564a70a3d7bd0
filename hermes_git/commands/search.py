"""`hermes-git search`: find, scroll, read and browse what was said."""

from __future__ import annotations

from typing import Any

import click

from hermes_git import errors
from hermes_git.commands.call import Call, common, is_terminal
from hermes_git.recall.ask import ask
from hermes_git.recall.shapes import DEFAULT_LIMIT, DEFAULT_WINDOW, Parameters
from hermes_git.recall.snippet import plain


@click.command()
@click.argument("query", nargs=-1)
@click.option("-n", "--limit", default=None, type=click.IntRange(1), metavar="N", help="Results to show.")
@click.option("--session", "session_id", default="", metavar="ID", help="Read one session; with QUERY, search in it.")
@click.option("--around", "around", default=None, type=int, metavar="MESSAGE", help="Show the messages around one.")
@click.option("--window", default=DEFAULT_WINDOW, type=click.IntRange(1), metavar="N", help="Messages on each side.")
@click.option("--sort", type=click.Choice(["relevance", "newest", "oldest"]), default="relevance", help="Order.")
@click.option("--role", default="", metavar="ROLES", help="Only messages of these roles, with commas between.")
@click.option("--detail", type=click.Choice(["adaptive", "full"]), default="adaptive", help="Surroundings in --json.")
@common(json_output=True)
def search(
    call: Call, query: tuple[str, ...], limit: int | None, session_id: str, around: int | None, **more: Any
) -> int:
    """Find what was said in sessions, memory, skills and commits. No model, no network.

    Words are searched from the exact phrase down to parts of words; the answer says which rung found it. Without
    QUERY the last active sessions are listed. Filters: role: tool: repo: agent: author: before: after: kind: path:
    model:, for example kind:memory or after:2026-01-01.

    \b
    hermes-git search staging cluster name
    hermes-git search '"permission denied" tool:terminal after:2026-05-01'
    hermes-git search --session 20260901_080000_ab12cd --around 17
    hermes-git search --json what did we decide about retries
    """
    text = " ".join(query)
    browsing = not text.strip() and not session_id
    given = Parameters(
        text,
        limit or (20 if browsing and not call.json else DEFAULT_LIMIT),
        more["sort"],
        more["role"],
        session_id,
        around,
        more["window"],
        more["detail"],
    )
    answer = ask(call.repo, call.settings, given, progress=progress(call))
    if call.json:
        call.emit(answer)
    else:
        for line in render(answer):
            call.say(line)
    for note in answer.get("notes", ()):
        call.note(f"hermes-git: {note}")
    return errors.OK if answer["complete"] else errors.FINDINGS


def progress(call: Call) -> Any:
    """Return a function that shows how far indexing is, on a terminal; None elsewhere."""
    if call.quiet or not is_terminal():
        return None

    def show(done: int, total: int) -> None:
        if total >= 50 and (done % 25 == 0 or done == total):
            click.echo(f"\rindexing {done:,} of {total:,}" + ("\n" if done == total else ""), nl=False, err=True)

    return show


def render(answer: dict[str, Any]) -> list[str]:
    """Return an answer as lines for people."""
    shapes = {"discover": _discovered, "browse": _browsed, "scroll": _messages, "read": _messages}
    return shapes[answer["mode"]](answer)


def _discovered(answer: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for row in answer["results"]:
        title = plain(row["title"]) or "(no title)"
        lines += [f"{row['session_id']}  {title}  ({row['source']}, {row['when']}, found by: {row['rung']})"]
        lines += [f"  {row['matched_role']} {row['match_message_id']}: {row['snippet']}"]
        lines += [f"  hermes-git search --session {row['session_id']} --around {row['match_message_id']}", ""]
    for row in answer["knowledge"]:
        where = row.get("path") or row["commit"][:12]
        lines += [f"{row['kind']}  {plain(where)}  (found by: {row['rung']})", f"  {row['snippet']}"]
        lines += [f"  {row['open']}", ""]
    return lines or [answer["message"]]


def _browsed(answer: dict[str, Any]) -> list[str]:
    rows = [
        f"{row['session_id']}  {row['last_active'][:16]}  {row['message_count']:>5}  {row['source']:<12} "
        f"{plain(row['title'] or row['preview'])[:70]}"
        for row in answer["results"]
    ]
    return [*rows, answer["message"]]


def _messages(answer: dict[str, Any]) -> list[str]:
    meta = answer["session_meta"]
    lines = [f"{answer['session_id']}  {plain(meta['title'])}  ({meta['source']}, {meta['when']})", ""]
    for row in answer["messages"]:
        mark = ">" if row.get("anchor") else " "
        called = "".join(
            f"\n  {call['function']['name']} {call['function']['arguments']}" for call in row.get("tool_calls", ())
        )
        lines += [f"{mark}[{row['id']}] {row['role']}", f"{row['content']}{plain(called)}", ""]
    for row in answer.get("matches", ()):
        lines.append(f"match {row['match_message_id']} ({row['rung']}): {row['snippet']}")
    lines += [answer[name] for name in ("warning", "message") if answer.get(name)]
    return lines

"""The four shapes of one tool: DISCOVERY, SCROLL, READ and BROWSE, told apart by what was given.

Field names are those of Hermes' `session_search`, so that a model trained on it feels at home; `agent`, `rung`,
`score`, `commit`, `blob`, `path`, `open`, `why`, `knowledge`, `notes` and `complete` are our additions. Times are ISO
8601, in UTC.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hermes_git.errors import UserError
from hermes_git.knowledge.entries import entry_id
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.recall import analyze, query, timeline
from hermes_git.recall.answer import Hit
from hermes_git.recall.engine import NEWEST, OLDEST, RELEVANCE
from hermes_git.recall.passage import seconds
from hermes_git.recall.payload import Budget, message_row
from hermes_git.recall.query import Filters
from hermes_git.recall.search import Findings, Recall
from hermes_git.recall.source import Source, is_memory
from hermes_git.recall.timeline import GROUPINGS
from hermes_git.sessions.model import Message, Session

DEFAULT_LIMIT, MAX_LIMIT = 3, 10
DEFAULT_WINDOW, MAX_WINDOW = 5, 20
BOOKENDS = 3
HEAD, TAIL = 20, 10
PROSE = ("user", "assistant")
ORDERS = {"newest": NEWEST, "oldest": OLDEST}
EVERYTHING = Filters()
SUMMARY_MARKS = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a caller may give; which of it decides the shape."""

    query: str = ""
    limit: int = DEFAULT_LIMIT
    sort: str = ""
    role_filter: str = ""
    session_id: str = ""
    around_message_id: int | None = None
    window: int = DEFAULT_WINDOW
    detail: str = "adaptive"
    current: str = ""
    by: str = ""

    @property
    def shape(self) -> str:
        """Return scroll, read, browse or discover."""
        if self.session_id.strip():
            return "scroll" if self.around_message_id is not None else "read"
        return "discover" if self.query.strip() else "browse"


def call(recall: Recall, given: Parameters) -> dict[str, Any]:
    """Answer in the shape that the parameters ask for. Errors: `UserError` for an unknown session or message."""
    shapes = {"scroll": scroll, "read": read, "browse": browse, "discover": discover}
    answer = shapes[given.shape](recall, given)
    notes = [*recall.notes, *answer.pop("notes", ())]
    return {**answer, **({"notes": notes} if notes else {}), "complete": recall.complete}


def discover(recall: Recall, given: Parameters) -> dict[str, Any]:
    """Find the sessions, and the knowledge, that answer a query; the first session comes with its surroundings.

    A query of filters alone, such as `repo:garden after:2026-05-01`, lists the sessions that pass them.
    """
    asked = query.parse(given.query)
    if not asked.pieces and not asked.filters.is_open and asked.filters.of("kind") in ((), ("session",)):
        return browse(recall, given, asked.filters)
    limit = min(max(given.limit, 1), MAX_LIMIT)
    roles = tuple(role.strip() for role in given.role_filter.split(",") if role.strip())
    order = ORDERS.get(given.sort, RELEVANCE)
    found = recall.find(given.query, limit=limit, order=order, roles=roles, current=given.current)
    budget = Budget()
    results = [_title_row(recall, source) for source in _titled(recall, given)][:1]
    shown = {row["session_id"] for row in results}
    for hit in found.sessions.hits:
        if len(results) < limit and recall.lineages.root(hit.source) not in {recall.lineages.of(key) for key in shown}:
            full = given.detail == "full" or not results
            results.append(_result(recall, hit, budget, full=full))
            shown.add(hit.source.id)
    answer: dict[str, Any] = {
        "success": True,
        "mode": "discover",
        "query": given.query,
        "detail": given.detail,
        "results": results,
        "count": len(results),
        "sessions_searched": len(recall.lineages.by_id),
        "rung": found.rung,
        "knowledge": [_knowledge_row(recall, hit) for hit in found.knowledge.hits],
        "notes": found.notes,
    }
    if not results and not found.knowledge.hits:
        answer["message"] = _nothing(found)
    return answer


def _nothing(found: Findings) -> str:
    if not found.query.pieces and found.query.filters.is_open:
        return "The query holds no words to search for."
    return "No matching sessions found."


def _titled(recall: Recall, given: Parameters) -> list[Source]:
    """Return the session whose title is the query: the newest `title #N` before the exact one."""
    wanted = analyze.squeeze(given.query.strip("`'\" "))
    if not wanted or ":" in wanted:
        return []
    mine = recall.lineages.of(given.current) if given.current else ""
    variants = (
        title for title in recall.titles if title.startswith(wanted + " #") and title[len(wanted) + 2 :].isdigit()
    )
    for titles in (list(variants), [wanted]):
        named = [source for title in titles for source in recall.titles.get(title, ())]
        seen = [source for source in named if not mine or recall.lineages.root(source) != mine]
        if seen:
            return [max(seen, key=lambda source: (source.started, source.id))]
    return []


def _title_row(recall: Recall, source: Source) -> dict[str, Any]:
    session = recall.texts.session(source.key)
    first = next((message for message in session.messages if message.state != "rewound"), None)
    return {
        **_head(recall, source),
        "matched_role": "session_title",
        "match_message_id": first.id if first else 0,
        "snippet": f"Session title matched: {source.title}",
        "bookend_start": [],
        "messages": [message_row(first, Budget(), anchor=True)] if first else [],
        "bookend_end": [],
        "messages_before": 0,
        "messages_after": 0,
        "detail": "compact",
        "rung": "title",
    }


def _head(recall: Recall, source: Source) -> dict[str, Any]:
    """Return what is said of a session in every result; title, time, source and model are those of its root."""
    root_id = recall.lineages.root(source)
    root = recall.lineages.by_id.get(root_id, source) if root_id != source.id else source
    head = {
        "session_id": source.id,
        "when": when(root.started),
        "source": root.channel or root.agent,
        "agent": root.agent,
        "model": root.model or "unknown",
        "title": root.title or source.title,
    }
    if root_id != source.id:
        head["parent_session_id"] = root_id
    return {**head, "path": source.path, "blob": source.blob}


def when(timestamp: str) -> str:
    """Return a time as Hermes writes it, in UTC; "unknown" for none."""
    if not seconds(timestamp):
        return "unknown"
    return datetime.fromisoformat(timestamp).strftime("%B %d, %Y at %I:%M %p")


def _result(recall: Recall, hit: Hit, budget: Budget, *, full: bool) -> dict[str, Any]:
    session = recall.texts.session(hit.source.key)
    visible = [message for message in session.messages if message.state != "rewound"]
    at = next(number for number, message in enumerate(visible) if message.id == hit.unit)
    first, last, kept = _window(visible, at, DEFAULT_WINDOW if full else 0)
    start, end = _bookends(visible, first, last) if full else ([], [])
    row = {
        **_head(recall, hit.source),
        "matched_role": hit.role,
        "match_message_id": hit.unit,
        "snippet": hit.snippet,
        "messages": [message_row(message, budget, anchor=message.id == hit.unit, near=hit.snippet) for message in kept],
        "bookend_start": [message_row(message, budget, bookend=True) for message in start],
        "bookend_end": [message_row(message, budget, bookend=True) for message in end],
        "messages_before": sum(message.id < hit.unit for message in kept),
        "messages_after": sum(message.id > hit.unit for message in kept),
        "detail": "full" if full else "compact",
        "rung": hit.rung,
        "score": round(hit.score, 4),
        "open": f"hermes-git search --session {hit.source.id} --around {hit.unit}",
        "why": f"hermes-git why {hit.source.id}",
    }
    return row | ({"commit": session.commit} if session.commit else {})


def _window(visible: Sequence[Message], at: int, width: int) -> tuple[int, int, list[Message]]:
    """Return first and last position, and the messages: the anchor, what it called or answers, and prose around it."""
    first, last = max(0, at - width), min(len(visible) - 1, at + width)
    calls = {call.id for call in visible[at].tool_calls} | {visible[at].tool_call_id} - {""}
    kept = [
        message
        for number, message in enumerate(visible[first : last + 1], start=first)
        if number == at or message.role in PROSE or message.tool_call_id in calls
    ]
    return first, last, kept


def _bookends(visible: Sequence[Message], first: int, last: int) -> tuple[list[Message], list[Message]]:
    def speaks(message: Message) -> bool:
        return message.role in PROSE and bool(message.content) and not message.content.startswith(SUMMARY_MARKS)

    before = [message for message in visible[:first] if speaks(message)]
    after = [message for message in visible[last + 1 :] if speaks(message)]
    return before[:BOOKENDS], after[-BOOKENDS:]


def _knowledge_row(recall: Recall, hit: Hit) -> dict[str, Any]:
    source = hit.source
    row: dict[str, Any] = {"kind": source.kind, "id": source.id, "title": source.title, "snippet": hit.snippet}
    if source.kind == "commit":
        row |= {"commit": source.blob, "author": source.author, "when": when(source.started)}
        row["open"] = f"git show {source.blob[:12]}"
    else:
        row |= {"path": source.path, "blob": source.blob, **_opened(recall, hit)}
    return {**row, "rung": hit.rung, "score": round(hit.score, 4)}


def _opened(recall: Recall, hit: Hit) -> dict[str, str]:
    """Return how to open an entry, a skill or an archived file, and how to ask where it was learnt."""
    source, shown = hit.source, f"git show {shlex.quote(f'HEAD:{hit.source.path}')}"
    if is_memory(source.key):
        entry = entry_id(recall.texts.of(source)[hit.unit].text)
        return {
            "entry": entry,
            "open": "hermes-git memory list" if source.kind == "memory" else shown,
            "why": f"hermes-git why {entry}",
        }
    name = shlex.quote(source.id)
    is_skill = source.kind == "skill" and source.path.endswith(f"/{SKILL_FILE}")
    return {"open": f"hermes-git skill show {name}" if is_skill else shown, "why": f"hermes-git why {name}"}


def _require(recall: Recall, name: str) -> Source:
    """Find a session by id, or by the beginning of only one; a value such as `@session:profile/id` is accepted."""
    wanted = name.strip().removeprefix("@session:").rsplit("/", 1)[-1]
    known = recall.lineages.by_id
    if wanted in known:
        return known[wanted]
    near = sorted(session_id for session_id in known if session_id.startswith(wanted))
    if len(near) == 1:
        return known[near[0]]
    hint = f"did you mean: {', '.join(near[:5])}" if near else "list sessions with: hermes-git search"
    raise UserError(f"session_id not found: {name}", hint=hint)


def scroll(recall: Recall, given: Parameters) -> dict[str, Any]:
    """Show the messages around one message; an id that lives in another session of the lineage is served from there."""
    anchor = given.around_message_id if given.around_message_id is not None else 0
    window = min(max(given.window, 1), MAX_WINDOW)
    source = _require(recall, given.session_id)
    session, warning = recall.texts.session(source.key), ""
    if all(message.id != anchor for message in session.messages):
        source, session, warning = _rebound(recall, source, anchor)
    messages = session.messages
    at = next(number for number, message in enumerate(messages) if message.id == anchor)
    first, last = max(0, at - window), min(len(messages), at + window + 1)
    budget = Budget()
    rows = [message_row(message, budget, anchor=message.id == anchor) for message in messages[first:last]]
    answer = {
        "success": True,
        "mode": "scroll",
        "session_id": source.id,
        "around_message_id": anchor,
        "session_meta": _meta(recall, source),
        "window": window,
        "messages": rows,
        "messages_before": at - first,
        "messages_after": last - at - 1,
        "remaining_before": first,
        "remaining_after": len(messages) - last,
    }
    return answer | ({"warning": warning} if warning else {})


def _rebound(recall: Recall, source: Source, anchor: int) -> tuple[Source, Session, str]:
    for other in recall.lineages.members(source.id):
        session = recall.texts.session(other.key)
        if any(message.id == anchor for message in session.messages):
            return other, session, f"message {anchor} is in {other.id}, of the same lineage"
    raise UserError(
        f"around_message_id {anchor} not in session_id {source.id}",
        hint=f"its messages are 1 to {source.messages}: hermes-git search --session {source.id}",
    )


def _meta(recall: Recall, source: Source) -> Mapping[str, Any]:
    head = _head(recall, source)
    return {name: head[name] for name in ("when", "source", "model", "title")}


def read(recall: Recall, given: Parameters) -> dict[str, Any]:
    """Show a session: whole, or its head and tail; with a query also where in it the query is answered."""
    source = _require(recall, given.session_id)
    session = recall.texts.session(source.key)
    visible = [message for message in session.messages if message.state != "rewound"]
    truncated = len(visible) > HEAD + TAIL
    kept = [*visible[:HEAD], *visible[-TAIL:]] if truncated else visible
    budget = Budget()
    answer: dict[str, Any] = {
        "success": True,
        "mode": "read",
        "session_id": source.id,
        "session_meta": _meta(recall, source),
        "message_count": len(visible),
        "truncated": truncated,
        "messages": [message_row(message, budget) for message in kept],
        "path": source.path,
        "blob": source.blob,
    }
    if truncated:
        hidden = f"messages {kept[HEAD - 1].id + 1} to {kept[HEAD].id - 1} are left out"
        answer["message"] = f"{hidden}; see them with: hermes-git search --session {source.id} --around ID"
    if given.query.strip():
        answer |= _matches(recall, source, given)
    return answer


def _matches(recall: Recall, source: Source, given: Parameters) -> dict[str, Any]:
    """Return where a session answers a query."""
    found = recall.find(given.query, limit=MAX_LIMIT, within=source.id)
    rows = [
        {"match_message_id": hit.unit, "matched_role": hit.role, "snippet": hit.snippet, "rung": hit.rung}
        for hit in found.sessions.hits
    ]
    return {"query": given.query, "matches": rows, "rung": found.rung, "notes": found.notes}


def browse(recall: Recall, given: Parameters, filters: Filters = EVERYTHING) -> dict[str, Any]:
    """List the lineages that were active last; grouped by day or repository if that is asked for."""
    if given.by not in ("", *GROUPINGS):
        raise UserError(f"by {given.by!r} is no grouping", hint=f"there are: {', '.join(GROUPINGS)}")
    return timeline.browse(recall, filters, limit=max(given.limit, 1), current=given.current, by=given.by)

"""The repository's own tools for an agent: memory, skills and session search, all as of one commit.

Nothing is written to the repository: what an agent does to memory lives in its own copy, judged by the same gate as
a real write, and ends with the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hermes_git.batch.kit import Bound, ToolFailed, integer, schema, string
from hermes_git.document import Document
from hermes_git.errors import UserError
from hermes_git.finding import ERROR
from hermes_git.gate import memory as memory_rules
from hermes_git.gate import operations
from hermes_git.gate.doors import token_counter
from hermes_git.gate.operations import Operation
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import budget, entries
from hermes_git.knowledge.budget import Count
from hermes_git.knowledge.entries import MemoryFile
from hermes_git.knowledge.layout import TARGETS, memory_path
from hermes_git.knowledge.listing import Listing, find, listing
from hermes_git.llm.protocol import Tool
from hermes_git.providers import snapshot
from hermes_git.recall.ask import ask
from hermes_git.recall.shapes import Parameters
from hermes_git.settings import Settings

SHOWN_DESCRIPTION = 1024


@dataclass(slots=True)
class Knowledge:
    """The knowledge of a repository at one commit; read once, then shared by all prompts of a worker."""

    repo: Repository
    settings: Settings
    commit: str
    files: dict[str, MemoryFile] = field(default_factory=dict)
    skills: Listing = field(default_factory=Listing)

    @classmethod
    def at(cls, repo: Repository, settings: Settings, commit: str) -> Knowledge:
        """Read memory and the list of skills of a commit ("" for a repository without one)."""
        paths = {target: memory_path(settings, target) for target in TARGETS}
        data = {target: read.file_at(repo, commit, path) if commit else None for target, path in paths.items()}
        files = {target: entries.parse(Document(paths[target], found or b"").text) for target, found in data.items()}
        return cls(repo, settings, commit, files, listing(repo, settings, commit or None))

    def prompt(self, toolsets: tuple[str, ...]) -> str:
        """Return what an agent is told at the start: memory and the index of skills, as far as it has the tools."""
        parts = []
        if "memory" in toolsets:
            blocks = (snapshot.block(target, file, self.settings).text for target, file in self.files.items())
            parts += [block for block in blocks if block]
        if "skills" in toolsets and self.skills.skills:
            lines = ["## Skills", "Load one with skill_view before a task that it is about."]
            for category, rows in self.skills.by_category().items():
                lines += [f"{category or 'uncategorised'}:", *(f"  {row.line}" for row in rows)]
            parts.append("\n".join(lines))
        return "\n\n".join(parts)


def memory_tool(knowledge: Knowledge) -> Bound:
    """Return the memory tool, on a copy of the memory that ends with the prompt."""
    copies = dict(knowledge.files)

    def run(given: Mapping[str, Any]) -> object:
        target = given.get("target") or "memory"
        wanted = Operation(given["action"], given.get("content", ""), given.get("old_text", ""))
        before = copies[target]
        steps = operations.resolve(before, (wanted,))
        after = operations.apply(before, steps)
        _judge(knowledge.settings, target, before, after)
        copies[target] = after
        settings = knowledge.settings.memory
        used = budget.used(after.texts, settings, _counter(knowledge.settings))
        return {
            "success": True,
            "target": target,
            "changed": bool(steps),
            "entries": list(after.texts),
            "usage": f"{used:,}/{budget.limit_of(target, settings):,} {settings.unit}",
        }

    return Bound(
        Tool(
            "memory",
            "Keep a durable fact for later sessions: add an entry, replace one, or remove one.",
            schema(
                "action",
                action=string("What to do.", *operations.ACTIONS),
                target=string("memory for your notes, user for who the user is.", *TARGETS),
                content=string("The whole text of the new entry."),
                old_text=string("A part of the entry to replace or remove, found in no other entry."),
            ),
        ),
        run,
    )


def _counter(settings: Settings) -> Count | None:
    return token_counter(settings) if settings.memory.unit == "tokens" else None


def _judge(settings: Settings, target: str, before: MemoryFile, after: MemoryFile) -> None:
    """Refuse what the gate would refuse an agent: over budget, duplicates, threats."""
    path = memory_path(settings, target)
    judged = memory_rules.judge(path, target, before, after, settings.memory, count_tokens=_counter(settings))
    found = [one for one in judged if one.severity == ERROR]
    for entry in after.entries:
        if entry.text not in before.texts:
            found += snapshot.threats(path, entry, settings)
    if found:
        raise ToolFailed("; ".join(f"{one.check} {one.message}" for one in found[:3]))


def skill_tools(knowledge: Knowledge) -> tuple[Bound, Bound]:
    """Return the two tools that list skills and load one."""

    def list_all(given: Mapping[str, Any]) -> object:
        wanted = given.get("category", "")
        rows = [row for row in knowledge.skills.skills if not wanted or row.category == wanted]
        return {
            "success": True,
            "skills": [
                {"name": row.name, "description": row.description[:SHOWN_DESCRIPTION], "category": row.category}
                for row in rows
            ],
            "count": len(rows),
        }

    def view(given: Mapping[str, Any]) -> object:
        listed = find(knowledge.skills, given["name"])
        inner = given.get("file_path") or "SKILL.md"
        tree = read.tree(knowledge.repo, knowledge.commit, listed.root)
        inside = [path[len(listed.root) + 1 :] for path, entry in tree.items() if entry.mode.startswith("100")]
        if inner not in inside:
            raise UserError(f"{listed.key} has no file {inner!r}", hint=f"its files are {', '.join(inside)}")
        document = Document(f"{listed.root}/{inner}", read.blob(knowledge.repo, tree[f"{listed.root}/{inner}"].id))
        if not document.is_text:
            raise ToolFailed(f"{inner} is not a text file ({len(document.data):,} bytes)")
        return {"success": True, "name": listed.name, "path": inner, "content": document.text, "files": inside}

    return (
        Bound(
            Tool("skills_list", "List the skills there are.", schema("", category=string("Only of this category."))),
            list_all,
        ),
        Bound(
            Tool(
                "skill_view",
                "Load a skill, or one of its files.",
                schema("name", name=string("Its name."), file_path=string("A file of it, such as references/x.md.")),
            ),
            view,
        ),
    )


def session_tool(knowledge: Knowledge) -> Bound:
    """Return the tool that searches past sessions, in the four shapes of `hermes-git search`."""

    def run(given: Mapping[str, Any]) -> object:
        known = {name: value for name, value in given.items() if value is not None}
        answer = ask(knowledge.repo, knowledge.settings, Parameters(**known))
        return {key: value for key, value in answer.items() if key != "notes"}

    return Bound(
        Tool(
            "session_search",
            "Find what was said in past sessions; with session_id read one, with around_message_id scroll in it.",
            schema(
                "",
                query=string("Words or a quoted phrase; empty lists the last sessions."),
                limit=integer("Results, 1 to 10."),
                sort=string("newest or oldest; by relevance otherwise."),
                role_filter=string("Roles with commas between."),
                session_id=string("The session to read or to scroll in."),
                around_message_id=integer("The message to show the surroundings of."),
                window=integer("Messages on each side, 1 to 20."),
            ),
        ),
        run,
    )


def bound(knowledge: Knowledge, toolset: str) -> tuple[Bound, ...]:
    """Return the tools of one of the toolsets memory, skills and sessions."""
    if toolset == "memory":
        return (memory_tool(knowledge),)
    return skill_tools(knowledge) if toolset == "skills" else (session_tool(knowledge),)

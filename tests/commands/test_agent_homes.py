"""Discovery: usual homes, homes moved by variables, the project's own; counted before anything is read."""

from __future__ import annotations

from pathlib import Path

from hermes_git.commands.agent_homes import find


def put(path: Path, size: int = 3) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)


def test_homes_are_found_and_measured(tmp_path: Path) -> None:
    home, project, moved = tmp_path / "home", tmp_path / "project", tmp_path / "moved"
    put(home / ".claude/projects/-srv/a.jsonl")
    put(home / ".claude/projects/-srv/b.jsonl", 4)
    put(home / ".claude/projects/-srv/sessions-index.json")
    put(home / ".codex/sessions/ignored.jsonl")
    put(moved / "sessions/2026/09/01/rollout.jsonl")
    put(moved / "sessions/2026/08/01/rollout.jsonl.zst", 2)
    put(home / ".hermes/state.db")
    put(home / ".gemini/tmp/abc/chats/session-1.json")
    put(home / ".local/share/opencode/opencode.db", 5)
    put(home / ".local/share/opencode/opencode.db-wal", 5)
    for inner in ("session/p/s.json", "message/s/m.json", "part/m/p.json"):
        put(home / ".local/share/opencode/storage" / inner)
    put(home / ".cursor/chats/0a1b/1a2b/store.db", 6)
    put(home / ".cursor/chats/0a1b/1a2b/store.db-wal", 6)
    put(project / ".specstory/history/x.md")
    put(project / ".specstory/history/.project.json")
    found = [(h.agent, h.path, h.files, h.bytes) for h in find({"CODEX_HOME": str(moved)}, home, project)]
    assert found == [
        ("claude-code", home / ".claude/projects", 2, 7),
        ("codex", moved / "sessions", 2, 5),
        ("hermes", home / ".hermes/state.db", 1, 3),
        ("gemini-cli", home / ".gemini/tmp/abc/chats", 1, 3),
        ("opencode", home / ".local/share/opencode/opencode.db", 1, 5),
        ("opencode", home / ".local/share/opencode/storage", 3, 9),
        ("cursor", home / ".cursor/chats", 1, 6),
        ("specstory", project / ".specstory/history", 1, 3),
    ]


def test_a_home_without_agents_has_none(tmp_path: Path) -> None:
    assert list(find({}, tmp_path, tmp_path)) == []

"""Watching: only what changed since the last look is handed on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.sessions.watch import changes


class Stop(Exception):
    """Ends a watch as an interrupt would."""


def test_new_and_grown_files_are_seen_once(tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_text("1\n", encoding="utf-8")
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: (tmp_path / "new.jsonl").write_text("1\n", encoding="utf-8"),
        lambda: (tmp_path / "old.jsonl").write_text("1\n2\n", encoding="utf-8"),
        (tmp_path / "new.jsonl").unlink,
    ]

    def pause() -> None:
        if not steps:
            raise Stop
        steps.pop(0)()

    seen = []
    with pytest.raises(Stop):
        for changed in changes([tmp_path, tmp_path / "later"], pause=pause):
            seen.append([path.name for path in changed])
    assert seen == [["new.jsonl"], ["old.jsonl"]]


def test_a_database_changes_with_its_log_and_a_store_with_any_file_in_it(tmp_path: Path) -> None:
    store = tmp_path / "storage"
    for folder in ("session/p", "message/s", "part/m"):
        (store / folder).mkdir(parents=True)
    (store / "session/p/s.json").write_text("{}", encoding="utf-8")
    (tmp_path / "state.db").write_bytes(b"x")
    steps: list[Callable[[], object]] = [
        lambda: (store / "part/m/p.json").write_text("{}", encoding="utf-8"),
        lambda: (tmp_path / "state.db-wal").write_bytes(b"new rows"),
    ]

    def pause() -> None:
        if not steps:
            raise Stop
        steps.pop(0)()

    seen = []
    with pytest.raises(Stop):
        for changed in changes([tmp_path], pause=pause):
            seen.append([path.name for path in changed])
    assert seen == [["storage"], ["state.db"]]

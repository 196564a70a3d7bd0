"""How the tests of the formats read: rows into a file, the file through detection and its reader, books checked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hermes_git.sessions.detect import detect
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.model import LossReport, Session
from hermes_git.sessions.source import Source


def write_rows(path: Path, rows: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def write_document(path: Path, value: Any, indent: int | None = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent), encoding="utf-8")
    return path


def read(path: Path, name: str) -> tuple[list[Session], LossReport]:
    """Read a file that must be recognised as `name`; every row must be accounted for."""
    source = Source(path)
    module = detect(source.head)
    assert module is not None, f"{path.name} is not recognised"
    assert str(module.NAME) == name
    tally = Tally(path.name)
    sessions = list(module.read(source, tally))
    report = tally.report()
    assert report.unaccounted == 0, report
    return sessions, report


def one(path: Path, name: str) -> tuple[Session, LossReport]:
    sessions, report = read(path, name)
    assert len(sessions) == 1
    return sessions[0], report


def told(session: Session) -> list[tuple[str, str]]:
    """Return role and content of all messages."""
    return [(message.role, message.content) for message in session.messages]

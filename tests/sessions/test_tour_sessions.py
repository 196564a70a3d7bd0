"""The packaged sessions of the tour: exact formats, no loss, no secret on disk, one long enough to compress."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.patterns import secrets
from hermes_git.sessions.detect import detect
from hermes_git.sessions.loss import Tally, is_loss
from hermes_git.sessions.model import Message, Session
from hermes_git.sessions.redact import redact
from hermes_git.sessions.source import Source
from hermes_git.tokens.choose import counter

FOLDER = Path(__file__).parent.parent.parent / "hermes_git" / "data" / "tour" / "sessions"
FILES = sorted(FOLDER.rglob("*.jsonl"))
MARK = "{{FAKE_TOKEN}}"


def read(path: Path) -> tuple[list[Session], Tally]:
    source = Source(path)
    module = detect(source.head)
    assert module is not None and str(module.NAME) == path.parent.name
    tally = Tally(path.name)
    return list(module.read(source, tally)), tally


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_each_file_is_in_its_agents_format_and_loses_nothing(path: Path) -> None:
    sessions, tally = read(path)
    assert sessions
    assert tally.report().unaccounted == 0
    assert not [why for why in tally.dropped if is_loss(why)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_no_file_holds_a_secret(path: Path) -> None:
    assert secrets.find(path.read_text(encoding="utf-8")) == ()


def test_one_session_gets_a_token_that_redaction_catches(tmp_path: Path) -> None:
    marked = [path for path in FILES if MARK in path.read_text(encoding="utf-8")]
    assert [path.parent.name for path in marked] == ["codex"]
    token = "gh" + "p_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    copy = tmp_path / "codex" / marked[0].name
    copy.parent.mkdir()
    copy.write_text(marked[0].read_text(encoding="utf-8").replace(MARK, token), encoding="utf-8")
    redacted, counts = redact(read(copy)[0][0])
    assert counts == {"github-token": 1}
    assert not any(token in message.content for message in redacted.messages)


def texts(message: Message) -> list[str]:
    return [message.content, message.reasoning, *(call.arguments for call in message.tool_calls)]


def test_one_session_is_long_and_one_is_chinese() -> None:
    sessions = [session for path in FILES for session in read(path)[0]]
    count = counter("cl100k_base").count
    sizes = [sum(count(text) for message in session.messages for text in texts(message)) for session in sessions]
    assert max(sizes) >= 6000
    assert any("部署" in session.title for session in sessions)
    assert len(sessions) >= 7

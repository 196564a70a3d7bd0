"""Frozen samples: one of each file the tool writes, by format version; they must load for ever."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

from hermes_git.curator import undo
from hermes_git.gate import waivers
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import lock
from hermes_git.provenance import change, ledger
from hermes_git.sessions import canonical
from hermes_git.settings import DEFAULTS, parse
from tests.conftest import Ran

FROZEN = Path(__file__).parent / "frozen"
Hg = Callable[..., Ran]


def test_settings_1() -> None:
    assert parse((FROZEN / "settings" / "1.toml").read_text(encoding="utf-8")).requires == ">=0.1"


def test_waivers_1() -> None:
    (found,) = waivers.parse((FROZEN / "waivers" / "1.toml").read_text(encoding="utf-8"), where="frozen")
    assert (found.check, found.owner, found.expires) == ("HG501", "person:alice", date(2027, 6, 30))


def test_session_1() -> None:
    folder = FROZEN / "session"
    texts = {path.name: path.read_text(encoding="utf-8") for path in (folder / "texts").iterdir()}
    session = canonical.decode((folder / "1.jsonl").read_bytes(), texts, where="frozen")
    assert session.id == "20261120_101500_4be9d1" and len(session.messages) == 14
    assert session.system_prompt and session.messages[0].role == "user" and session.messages[0].id == 1
    calls = {call.id for message in session.messages for call in message.tool_calls}
    assert calls and calls == {message.tool_call_id for message in session.messages if message.role == "tool"}


def test_ledger_1() -> None:
    reading = ledger.read([("1.jsonl", (FROZEN / "ledger" / "1.jsonl").read_bytes())])
    assert not reading.damaged and [use.key for use in reading.uses] == ["web/link-check", "memory"]
    assert reading.uses[1].maintenance and reading.uses[0].id == "10ce2958d7efcb4d"


def test_curator_report_1(repo: Repository, write: Callable[..., Path], commit: Callable[..., str]) -> None:
    write("knowledge/curator/2026-11-29-b58a56c.json", (FROZEN / "curator" / "1.json").read_bytes())
    commit()
    found = undo.steps(repo, "HEAD", "2026-11-29-b58a56c", DEFAULTS)
    assert [row.kind for row in found] == ["archive", "consolidate"]


def test_skill_lock_1() -> None:
    found = lock.parse((FROZEN / "skill-lock" / "1.json").read_bytes())
    assert found["web/link-check"].files[0].path == "SKILL.md"


def test_change_line_1() -> None:
    text = (
        'Hermes-Change: archive web/a 4f1c0aa2b9de..4f1c0aa2b9de actor=curator:hermes-git reason="unused for 120 days"'
    )
    (found,) = change.parse(text)
    assert found.extra == {"reason": "unused for 120 days"} and found.line() == text


def test_rows_and_manifest_1(hg: Hg) -> None:
    done = hg("trajectory", "validate", "--for", "llamafactory", str(FROZEN / "export" / "sharegpt-1.jsonl"), "--json")
    assert done.code == 0, done.err
    manifest = json.loads((FROZEN / "export" / "manifest-1.json").read_text(encoding="utf-8"))
    assert manifest["format"] == 1 and manifest["counts"]["rows"] == 10


def test_scorecard_1(hg: Hg) -> None:
    path = str(FROZEN / "eval" / "scorecard-1.json")
    assert hg("eval", "diff", path, path).code == 0

"""opencode's own stores: the folder of many small files in its two layouts, and the database; one talk, one session."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from hermes_git.errors import UserError
from hermes_git.sessions.intake import expand
from hermes_git.sessions.model import Session
from tests.sessions.formats.reading import one, read, told, write_document
from tests.sessions.formats.test_any_input import ROWS

BEGAN = 1788249600000
SID = "ses_4f1d0000ffeAbCdEf"
TALK = [("user", "Fix it."), ("assistant", "I run it."), ("tool", "1 failed"), ("assistant", "It was UTC.")]


def session(**more: Any) -> dict[str, Any]:
    times = {"created": BEGAN, "updated": BEGAN + 9000}
    return {
        "id": SID,
        "version": "1.2.6",
        "projectID": "p",
        "directory": "/srv/shop",
        "title": "Dates",
        "time": times,
    } | more


def message(number: int, role: str, **more: Any) -> dict[str, Any]:
    mine = {"modelID": "m", "tokens": {"input": 9, "cache": {"read": 5}}} if role == "assistant" else {}
    times = {"created": BEGAN + number * 1000}
    return {"id": f"msg_{number}", "sessionID": SID, "role": role, "time": times, **mine, **more}


def text(number: int, said: str) -> dict[str, Any]:
    return {"id": f"prt_{number}", "sessionID": SID, "messageID": f"msg_{number}", "type": "text", "text": said}


TOOL = {
    "id": "prt_2b",
    "sessionID": SID,
    "messageID": "msg_2",
    "type": "tool",
    "callID": "c1",
    "tool": "bash",
    "state": {
        "status": "error",
        "input": {"command": "pytest"},
        "error": "1 failed",
        "time": {"start": BEGAN + 2100, "end": BEGAN + 2900},
    },
}
STEP = {"id": "prt_2c", "messageID": "msg_2", "type": "step-finish", "tokens": {}}
MESSAGES = [message(1, "user"), message(2, "assistant"), message(3, "assistant"), message(4, "user")]
PARTS = [text(1, "Fix it."), text(2, "I run it."), TOOL, STEP, text(3, "It was UTC.")]


def storage(root: Path, *, legacy: bool = False, **more: Any) -> Path:
    write_document(root / "session" / "p" / f"{SID}.json", session(**more))
    for row in MESSAGES:
        write_document(root / "message" / SID / f"{row['id']}.json", row)
    for part in PARTS:
        folder = root / "part" if legacy else root / "part" / str(part["messageID"])
        write_document(folder / f"{part['id']}.json", part)
    return root


SCHEMA = """
CREATE TABLE `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text, `slug` text NOT NULL,
 `directory` text NOT NULL, `title` text NOT NULL, `version` text NOT NULL, `revert` text,
 `time_created` integer NOT NULL, `time_updated` integer NOT NULL);
CREATE TABLE `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer NOT NULL,
 `time_updated` integer NOT NULL, `data` text NOT NULL);
CREATE TABLE `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL,
 `time_created` integer NOT NULL, `time_updated` integer NOT NULL, `data` text NOT NULL);
"""


def database(path: Path, revert: str | None = None) -> sqlite3.Connection:
    link = sqlite3.connect(path)
    link.execute("PRAGMA journal_mode=WAL")
    link.executescript(SCHEMA)
    row = (SID, "p", None, "dates", "/srv/shop", "Dates", "1.2.6", revert, BEGAN, BEGAN + 9000)
    link.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?,?)", row)
    for said in MESSAGES:
        data = {key: value for key, value in said.items() if key not in ("id", "sessionID")}
        link.execute(
            "INSERT INTO message VALUES (?,?,?,0,?)", (said["id"], SID, said["time"]["created"], json.dumps(data))
        )
    for part in PARTS:
        data = {key: value for key, value in part.items() if key not in ("id", "sessionID", "messageID")}
        link.execute("INSERT INTO part VALUES (?,?,?,0,0,?)", (part["id"], part["messageID"], SID, json.dumps(data)))
    link.commit()
    return link


def check(found: Session) -> None:
    assert told(found) == TALK
    assert (found.id, found.agent, found.title, found.cwd) == (SID, "opencode", "Dates", "/srv/shop")
    assert (found.started_at, found.ended_at) == ("2026-09-01T08:00:00Z", "2026-09-01T08:00:09Z")
    answer, result = found.messages[1:3]
    assert (answer.model, answer.usage, answer.source_ids) == ("m", {"cache_read": 5, "input": 9}, ("msg_2",))
    assert (result.is_error, result.tool_call_id, result.timestamp) == (True, "c1", "2026-09-01T08:00:02.900Z")


@pytest.mark.parametrize("legacy", [False, True])
def test_a_storage_is_one_source(tmp_path: Path, legacy: bool) -> None:
    root = storage(tmp_path / "opencode" / "storage", legacy=legacy)
    write_document(root / "todo" / f"{SID}.json", [])
    (tmp_path / "opencode" / "auth.txt").write_text("x", encoding="utf-8")
    assert [path.name for path in expand([tmp_path])] == ["auth.txt", "storage"]
    found, report = one(root, "opencode-storage")
    check(found)
    assert (report.rows_in, report.kept, report.merged) == (11, 3, 5)
    assert report.dropped == {"bookkeeping:step-finish": 1, "bookkeeping:todo": 1, "empty:user": 1}


def test_the_file_of_a_session_is_that_session(tmp_path: Path) -> None:
    root = storage(tmp_path)
    write_document(root / "session" / "p" / "ses_other.json", session(id="ses_other"))
    found, report = one(root / "session" / "p" / f"{SID}.json", "opencode-storage")
    check(found)
    assert report.rows_in == 10


def test_a_database_at_rest_is_read_without_a_trace(tmp_path: Path) -> None:
    database(tmp_path / "any.db").close()
    found, report = one(tmp_path / "any.db", "opencode-db")
    check(found)
    assert (report.rows_in, report.kept, report.merged) == (10, 3, 5)
    assert [path.name for path in tmp_path.iterdir()] == ["any.db"]


def test_a_database_in_use_shows_what_is_only_in_its_log(tmp_path: Path) -> None:
    link = database(tmp_path / "opencode.db")
    check(one(tmp_path / "opencode.db", "opencode-db")[0])
    link.close()


def test_folder_and_database_are_the_same_talk(tmp_path: Path) -> None:
    database(tmp_path / "opencode.db").close()
    ours = one(storage(tmp_path / "storage"), "opencode-storage")[0]
    theirs = one(tmp_path / "opencode.db", "opencode-db")[0]
    assert ours.messages == theirs.messages


def test_what_was_undone_is_rewound(tmp_path: Path) -> None:
    database(tmp_path / "a.db", '{"messageID":"msg_3"}').close()
    found = one(tmp_path / "a.db", "opencode-db")[0]
    assert [row.state for row in found.messages] == ["active", "active", "active", "rewound"]
    partly = one(storage(tmp_path / "s", revert={"messageID": "msg_2", "partID": "prt_2b"}), "opencode-storage")[0]
    assert [row.state for row in partly.messages] == ["active", "active", "active", "rewound"]


def test_what_a_summary_replaced_is_compacted(tmp_path: Path) -> None:
    root = storage(tmp_path)
    write_document(root / "message" / SID / "msg_3.json", message(3, "assistant", summary=True))
    assert [row.state for row in one(root, "opencode-storage")[0].messages] == ["compacted"] * 3 + ["harness"]


def test_what_belongs_to_no_session_and_what_is_damaged_is_counted(tmp_path: Path) -> None:
    root = storage(tmp_path / "storage")
    write_document(root / "message" / "ses_gone" / "msg_9.json", message(9, "user"))
    write_document(root / "part" / "msg_9" / "prt_9.json", text(9, "left behind"))
    (root / "part" / "msg_1" / "prt_1b.json").write_text('{"type": "te', encoding="utf-8")
    (root / "session" / "p" / "ses_bad.json").write_text("[]", encoding="utf-8")
    found, report = one(root, "opencode-storage")
    check(found)
    assert report.dropped["damaged"] == 2 and "msg_1/prt_1b.json: not a JSON object" in " ".join(report.damaged)
    assert report.dropped["unknown:message/without-its-session"] == 1
    assert report.dropped["unknown:part/without-its-session"] == 1


def test_rows_of_no_session_and_damaged_rows_of_a_database_are_counted(tmp_path: Path) -> None:
    link = database(tmp_path / "a.db")
    link.execute("INSERT INTO message VALUES ('msg_9', 'ses_gone', 0, 0, '{}')")
    link.execute("INSERT INTO part VALUES ('prt_9', 'msg_gone', ?, 0, 0, '{\"type\":\"text\"}')", (SID,))
    link.execute("INSERT INTO part VALUES ('prt_10', 'msg_1', ?, 0, 0, '{\"type\":')", (SID,))
    link.commit()
    link.close()
    found, report = one(tmp_path / "a.db", "opencode-db")
    check(found)
    assert report.dropped["unknown:message/without-its-session"] == report.dropped["damaged"] == 1
    assert report.dropped["unknown:part/without-its-session"] == 1
    assert "part 'prt_10': not a JSON object" in report.damaged[0]


def test_nothing_outside_the_storage_is_followed(tmp_path: Path) -> None:
    outside = write_document(tmp_path / "outside" / "prt_x.json", text(1, "SECRET"))
    root = storage(tmp_path / "storage")
    (root / "part" / "msg_1" / "prt_x.json").symlink_to(outside)
    (root / "part" / "msg_4").symlink_to(outside.parent)
    write_document(root / "session" / "p" / "ses_up.json", session(id="../../outside"))
    found, report = read(root, "opencode-storage")
    assert [row.id for row in found] == [SID] and "SECRET" not in str(found)
    assert report.dropped["unknown:part/without-its-session"] == 2


@given(rows=ROWS)
@settings(max_examples=20, deadline=None)
def test_no_json_in_a_database_brings_the_reader_down(rows: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        link = database(Path(folder) / "a.db")
        for number, row in enumerate(rows):
            data = json.dumps(row)
            link.execute("INSERT INTO message VALUES (?,?,0,0,?)", (f"msg_x{number}", SID, data))
            link.execute("INSERT INTO part VALUES (?,?,?,0,0,?)", (f"prt_x{number}", f"msg_{number}", SID, data))
            link.execute("UPDATE session SET revert = ?, title = ?", (data, number))
        link.commit()
        link.close()
        assert one(Path(folder) / "a.db", "opencode-db")[0].messages


def test_a_torn_database_is_one_error(tmp_path: Path) -> None:
    database(tmp_path / "a.db").close()
    data = (tmp_path / "a.db").read_bytes()
    (tmp_path / "a.db").write_bytes(data[: len(data) // 2])
    with pytest.raises(UserError, match="cannot read"):
        read(tmp_path / "a.db", "opencode-db")


def test_real_storages_are_accounted_for(data: Path) -> None:
    stores = [path for path in expand([data / "sessions" / "multi"]) if path.is_dir()]
    assert len(stores) == 2
    counts = {}
    for path in stores:
        found, report = read(path, "opencode-storage")
        counts[path.name] = (len(found), report.rows_in, sum(report.dropped.get(why, 0) for why in ("damaged",)))
    assert counts == {"storage_legacy": (1, 5, 0), "storage_v2": (2, 22, 0)}

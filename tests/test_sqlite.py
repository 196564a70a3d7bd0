"""Databases of other programs: bounded, never written, and no query of theirs is run."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hermes_git import sqlite
from hermes_git.errors import UserError


def make(path: Path, *statements: str) -> Path:
    link = sqlite3.connect(path)
    for statement in statements:
        link.execute(statement)
    link.commit()
    link.close()
    return path


def test_tables_and_rows_are_read_and_nothing_is_left_beside_them(tmp_path: Path) -> None:
    path = make(tmp_path / "a #1?.db", "CREATE TABLE t (a TEXT, b BLOB)", "INSERT INTO t VALUES ('x', x'00ff')")
    assert sqlite.tables(path) == {"t": frozenset(("a", "b"))}
    assert list(sqlite.read_table(path, "SELECT * FROM t WHERE a = ?", ("x",))) == [{"a": "x", "b": b"\x00\xff"}]
    assert [found.name for found in tmp_path.iterdir()] == ["a #1?.db"]


def test_text_that_is_no_utf_8_is_read(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (CAST(x'61ff' AS TEXT))")
    assert list(sqlite.read_table(path, "SELECT a FROM t")) == [{"a": "a\ufffd"}]


OTHERS = ("CREATE TABLE real (a)", "INSERT INTO real VALUES (1)", "CREATE VIEW t AS SELECT a FROM real")
ENDLESS = "CREATE VIEW t AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n"


@pytest.mark.parametrize(
    ("statements", "query"),
    [
        ((ENDLESS,), "SELECT * FROM t"),
        (OTHERS, "SELECT a FROM t"),
        (("CREATE TABLE t (a)", "INSERT INTO t VALUES (zeroblob(70000000))"), "SELECT * FROM t"),
        (("CREATE TABLE t (a)",), "SELECT nothing FROM t"),
        ((), "SELECT * FROM t"),
    ],
    ids=["endless", "view", "huge", "column", "table"],
)
def test_what_is_no_true_table_or_too_large_is_an_error(
    tmp_path: Path, statements: tuple[str, ...], query: str
) -> None:
    path = make(tmp_path / "a.db", *statements)
    with pytest.raises(UserError, match=r"cannot read .*a\.db"):
        list(sqlite.read_table(path, query))


def test_views_and_virtual_tables_are_no_tables(tmp_path: Path) -> None:
    path = make(
        tmp_path / "a.db", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT 1", "CREATE VIRTUAL TABLE f USING fts5(x)"
    )
    assert {"t"} <= sqlite.tables(path).keys() and not {"v", "f"} & sqlite.tables(path).keys()


def test_a_log_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
    outside = tmp_path / "outside"
    outside.write_bytes(b"x" * 64)
    (tmp_path / "a.db-wal").symlink_to(outside)
    assert list(sqlite.read_table(path, "SELECT a FROM t")) == [{"a": 1}]
    assert outside.read_bytes() == b"x" * 64 and not (tmp_path / "a.db-shm").exists()


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(sqlite.MAGIC + b"\xff" * 2000)
    with pytest.raises(UserError, match="cannot read"):
        sqlite.tables(tmp_path / "a.db")

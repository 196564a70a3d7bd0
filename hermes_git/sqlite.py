"""Databases of other programs: SQLite files, read and never written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from hermes_git.errors import UserError

MAGIC = b"SQLite format 3\0"
LONGEST_VALUE = 64 * 1024 * 1024
TRUE_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"


def read_table(path: Path, query: str, values: Sequence[str] = ()) -> Iterator[dict[str, object]]:
    """Yield the rows of a query on an SQLite file that is opened for reading only and never waited for long.

    A database that nobody writes to (no `-wal` beside it) is opened without creating any file beside it. Only true
    tables are read: a view may be made so that it never ends. Text that is not UTF-8 comes with replacement characters.
    Errors: `UserError` when the file is no database, is damaged, its tables or columns are missing or no true ones, or
    a value is longer than `LONGEST_VALUE`.
    """
    import sqlite3

    try:
        log = path.with_name(path.name + "-wal")
        quiet = "" if log.is_file() and not log.is_symlink() else "&immutable=1"
        link = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{quiet}", uri=True, timeout=5.0)
    except sqlite3.Error as error:
        raise UserError(f"cannot read {path}: {error}", hint="check the file and its permissions") from error
    with contextlib.closing(link):
        link.row_factory = sqlite3.Row
        link.text_factory = _lenient_text
        link.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        link.set_authorizer(_only_tables)
        try:
            for row in link.execute(query, tuple(values)):
                yield dict(zip(row.keys(), tuple(row), strict=True))
        except sqlite3.Error as error:
            raise UserError(f"cannot read {path}: {error}", hint="check the file, or import an export of it") from error


def tables(path: Path) -> dict[str, frozenset[str]]:
    """Return the true tables of a database, each with the names of its columns."""
    names = [str(row["name"]) for row in read_table(path, TRUE_TABLES)]
    columns = "SELECT name FROM pragma_table_info(?)"
    return {name: frozenset(str(row["name"]) for row in read_table(path, columns, (name,))) for name in names}


def _only_tables(action: int, _first: str | None, _second: str | None, _base: str | None, view: str | None) -> int:
    import sqlite3

    return sqlite3.SQLITE_DENY if view or action == sqlite3.SQLITE_RECURSIVE else sqlite3.SQLITE_OK


def _lenient_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")

"""Rows of forgotten sessions leave the exports that hold them, and the manifest says how many did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.export import card, manifest
from hermes_git.export.formats import FORMATS, SUFFIXES, Hashed, kept_rows, table_rows
from hermes_git.export.shards import Written, group_of

REGISTER = "exports"
"""Which folders this clone exported to, a JSON object a line, among the notes that never leave the clone."""

WHY = "forgotten"
OF_SESSIONS = frozenset(("trajectory_samples", "failed_trajectories", "validation_samples", "failed_validation"))

Forgotten = Callable[[str, str], bool]
"""Agent and id of a session → whether it was forgotten."""


def remember(state: Path, folder: Path) -> None:
    """Note that rows are exported to a folder, so that forgetting a session can reach them."""
    if folder.absolute() not in remembered(state):
        files.append_line(state / REGISTER, msgspec.json.encode({"folder": str(folder.absolute())}))


def remembered(state: Path) -> list[Path]:
    """Return the folders that were exported to, in the order of their first export."""
    lines = (files.read_optional(state / REGISTER) or b"").split(b"\n")
    return list(dict.fromkeys(_folder(line, number) for number, line in enumerate(lines, start=1) if line))


def _folder(line: bytes, number: int) -> Path:
    try:
        return Path(msgspec.json.decode(line, type=dict[str, str])["folder"])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError) as error:
        raise UserError("no note of an export", where=f"{REGISTER}:{number}", hint="remove the line") from error


@dataclass(slots=True)
class Held:
    """What the folder of an export holds of forgotten sessions: rows by file, ids, and files that cannot be read."""

    folder: Path
    rows: Counter[str] = field(default_factory=Counter)
    sessions: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)


def held(folder: Path, is_forgotten: Forgotten) -> Held:
    """Look through an export for rows of forgotten sessions; a folder that is gone, or is no export, holds none."""
    found = Held(folder)
    for path in _files(folder):
        try:
            for about in _rows(path):
                if is_forgotten(about.get("agent", ""), about.get("session", "")):
                    found.rows[path.name] += 1
                    found.sessions.add(about["session"])
        except UserError as error:
            found.rows.pop(path.name, None)
            found.unread.append(f"{path}: {error.message}; {error.hint}")
    return found


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of an export that hold rows of sessions; links are left alone."""
    for name, path in files.walk(folder):
        if manifest.OURS.fullmatch(name) and group_of(name) in OF_SESSIONS and not path.is_symlink():
            yield path


def _form(path: Path) -> str:
    return next(form for form, suffix in SUFFIXES.items() if path.name.endswith(suffix))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield what each row of a file says of its origin."""
    if _form(path) == "parquet":
        yield from map(about_of, table_rows(path))
    else:
        yield from (about_of(_row(line, number)) for number, line in files.read_lines(path))


def _row(line: bytes, number: int) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"line {number} is no row", hint="export again, or delete the file") from error


def about_of(row: dict[str, Any]) -> dict[str, str]:
    """Return the origin that a row names: in `metadata`, or in that of its `extra`, which a table keeps as text."""
    extra = row.get("extra")
    if isinstance(extra, str):
        extra = _row(extra.encode("utf-8"), 1)
    about = row.get("metadata") or (extra.get("metadata") if isinstance(extra, dict) else None)
    return {key: value for key, value in about.items() if isinstance(value, str)} if isinstance(about, dict) else {}


def strike(found: Held, is_forgotten: Forgotten) -> None:
    """Write the files of an export anew without the rows that were found, then its card and its manifest.

    The rows that an interrupted export left for the next are forgotten too. Counts that do not say of which session
    they are, redactions and those of compression, stay as they were, which `struck` tells.
    """
    with files.lock(found.folder / manifest.LOCK, purpose="forgetting sessions"):
        try:
            told = _manifest(found.folder)
            gone: list[dict[str, str]] = []
            written = [_strike(found.folder / name, is_forgotten, gone) for name in sorted(found.rows)]
            files.remove(found.folder / manifest.JOURNAL)
            if told and written:
                _amend(found.folder, told, written, gone)
        finally:
            files.remove(found.folder / manifest.LOCK)


def _strike(path: Path, is_forgotten: Forgotten, gone: list[dict[str, str]]) -> Written:
    rows = 0

    def is_kept(row: dict[str, Any]) -> bool:
        nonlocal rows
        about = about_of(row)
        if is_forgotten(about.get("agent", ""), about.get("session", "")):
            gone.append(about)
            return False
        rows += 1
        return True

    with files.writing(path) as stream:
        hashed = Hashed(stream)
        if _form(path) == "parquet":
            kept_rows(path, hashed, is_kept)
        else:
            out = FORMATS[_form(path)](hashed)
            for number, line in files.read_lines(path):
                if is_kept(_row(line, number)):
                    out.add(line + b"\n")
            out.finish()
    return Written(path.name, rows, hashed.size, hashed.digest.hexdigest())


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of an export, {} where an interrupted one has written none yet."""
    path = folder / manifest.NAME
    data = files.read_optional(path)
    told = _row(data, 1) if data is not None else {}
    if told and (told.get("kind"), told.get("format")) != ("export", manifest.FORMAT):
        raise UserError("not the manifest of an export", where=str(path), hint="delete the rows yourself")
    return told


def _amend(folder: Path, told: dict[str, Any], written: list[Written], gone: list[dict[str, str]]) -> None:
    """Let manifest and card say what is there now."""
    fresh = {item.name: asdict(item) for item in written}
    told["files"] = [fresh.get(item["name"], item) for item in told["files"]]
    counts = told["counts"]
    outcomes = Counter(counts["outcomes"])
    outcomes.subtract(about.get("outcome", "") for about in gone)
    counts["outcomes"] = dict(sorted((+outcomes).items()))
    counts["rows"] -= len(gone)
    counts["dropped"] = dict(sorted((Counter(counts["dropped"]) + Counter({WHY: len(gone)})).items()))
    told["struck"] = told.get("struck", 0) + len(gone)
    files.write_atomic(folder / card.NAME, card.card(told).encode("utf-8"))
    files.write_atomic(folder / manifest.NAME, manifest.encode(told))

"""The lock file of installed skills: where each came from, at which commit, and the digest of every file. Pure.

Format in docs/formats/skill-lock.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hermes_git.document import MODE_EXECUTABLE, MODE_FILE, Document
from hermes_git.errors import UserError
from hermes_git.names import is_inside
from hermes_git.settings import Settings

FORMAT = 1
NAME = "skills.lock.json"
MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, order=True, slots=True)
class LockedFile:
    """One file of an installed skill: path inside it, SHA-256 of its bytes, mode."""

    path: str
    digest: str
    mode: str = MODE_FILE


@dataclass(frozen=True, slots=True)
class Locked:
    """One installed skill: its key here, its source, the revision asked for, the commit got, and the folder there.

    `left_out` are files of the source that were not installed, because they were not scanned.
    """

    key: str
    source: str
    revision: str = ""
    commit: str = ""
    folder: str = ""
    trust: str = "community"
    rules: str = ""
    installed: str = ""
    files: tuple[LockedFile, ...] = ()
    left_out: tuple[str, ...] = ()


def path(settings: Settings) -> str:
    """Return the path of the lock file."""
    return f"{settings.paths.skills}/{NAME}"


def parse(data: bytes, *, where: str = NAME) -> dict[str, Locked]:
    """Read a lock file; one that cannot be read is an error, never "nothing is installed"."""
    if not data:
        return {}
    try:
        table = json.loads(data)
        if table["format"] != FORMAT:
            raise UserError(f"format {table['format']!r}, this tool reads format {FORMAT}", where=where)
        return {key: _locked(key, row) for key, row in table["skills"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "restore it from history: git log -- " + where
        raise UserError(f"the lock file cannot be read: {error}", where=where, hint=hint) from error


def _locked(key: str, row: Mapping[str, object]) -> Locked:
    rows = row["files"]
    if not is_inside(key) or not isinstance(rows, dict):
        raise ValueError(f"{key!r} is not a row of a lock file")
    files = [LockedFile(name, str(file["sha256"]), str(file.get("mode", MODE_FILE))) for name, file in rows.items()]
    if not all(is_inside(file.path) for file in files):
        raise ValueError(f"{key!r} names a file outside its folder")
    texts = {name: str(row.get(name, "")) for name in ("source", "revision", "commit", "folder", "rules", "installed")}
    left_out = row.get("left_out", [])
    return Locked(
        key,
        trust=str(row.get("trust", "community")),
        files=tuple(sorted(files)),
        left_out=tuple(map(str, left_out)) if isinstance(left_out, list) else (),
        **texts,
    )


def origins(data: bytes | None, settings: Settings) -> dict[str, str]:
    """Return folder of an installed skill → `trusted` or `community`, from the bytes of a lock file.

    Where the file cannot be read (None: nor opened) nobody knows what came from elsewhere, so everything may have.
    """
    try:
        rows = parse(data) if data is not None else None
    except UserError:
        rows = None
    if rows is None:
        return {settings.paths.skills: "community"}
    known = {f"{settings.paths.skills}/{key}": row.trust for key, row in rows.items()}
    return {folder: "trusted" if trust == "trusted" else "community" for folder, trust in known.items()}


def render(skills: Mapping[str, Locked]) -> bytes:
    """Return the bytes of a lock file: sorted, one key a line, the same for the same content."""
    rows = {key: _row(locked) for key, locked in sorted(skills.items())}
    text = json.dumps({"format": FORMAT, "skills": rows}, ensure_ascii=False, indent=2)
    return (text + "\n").encode("utf-8")


def _row(locked: Locked) -> dict[str, object]:
    row: dict[str, object] = {
        "source": locked.source,
        "revision": locked.revision,
        "commit": locked.commit,
        "folder": locked.folder,
        "trust": locked.trust,
        "rules": locked.rules,
        "installed": locked.installed,
        "files": {file.path: {"sha256": file.digest, "mode": file.mode} for file in locked.files},
        "left_out": list(locked.left_out),
    }
    return {key: value for key, value in row.items() if value}


def files_of(documents: Iterable[Document], root: str) -> tuple[LockedFile, ...]:
    """Return path, digest and mode of the documents of a skill folder."""
    cut = len(root) + 1 if root else 0
    return tuple(
        sorted(LockedFile(row.path[cut:], hashlib.sha256(row.data).hexdigest(), row.mode) for row in documents)
    )


@dataclass(frozen=True, order=True, slots=True)
class Drifted:
    """One difference between an installed skill and its lock: path, and changed, mode, missing, extra or on-disk."""

    path: str
    state: str


def drift(locked: Locked, files: Iterable[LockedFile]) -> tuple[Drifted, ...]:
    """Compare the files that are there with the ones that were installed."""
    wanted = {file.path: file for file in locked.files}
    found = {file.path: file for file in files}
    rows = [Drifted(name, "missing") for name in wanted.keys() - found.keys()]
    rows += [Drifted(name, "extra") for name in found.keys() - wanted.keys()]
    for name in wanted.keys() & found.keys():
        if wanted[name].digest != found[name].digest:
            rows.append(Drifted(name, "changed"))
        elif wanted[name].mode != found[name].mode:
            rows.append(Drifted(name, "mode"))
    return tuple(sorted(rows))


def moved(skills: Mapping[str, Locked], before: str, after: str) -> dict[str, Locked]:
    """Return the locks with one skill under another key; without it where `after` is ""."""
    kept = {key: locked for key, locked in skills.items() if key != before}
    if after and before in skills:
        kept[after] = replace(skills[before], key=after)
    return kept


PLAIN_MODES = (MODE_FILE, MODE_EXECUTABLE)
"""The modes of files that are installed; links and submodules never are."""

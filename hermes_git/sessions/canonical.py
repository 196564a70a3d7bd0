"""The canonical session file: one header line, then one message a line (docs/formats/session.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from hermes_git.errors import UserError
from hermes_git.sessions.model import Message, Session

FORMAT = 1
HEADER_FIELDS = tuple(name for name in Session.__struct_fields__ if name != "messages")
REQUIRED = ("id", "agent")
TEXT_FIELDS = ("system_prompt", "tools")
"""Fields that repeat over many sessions; the file names them by digest and the store keeps each once."""

_ENCODER = msgspec.json.Encoder(order="deterministic")
_HEADER = msgspec.json.Decoder(dict[str, Any])
_MESSAGE = msgspec.json.Decoder(Message)


def digest(text: str) -> str:
    """Return the name under which a shared text is stored: the SHA-256 of its UTF-8 bytes, in hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def texts(session: Session) -> dict[str, bytes]:
    """Return the shared texts of a session as digest → UTF-8 bytes; empty texts are not stored."""
    values = (str(getattr(session, name)) for name in TEXT_FIELDS)
    return {digest(value): value.encode("utf-8") for value in values if value}


def encode(session: Session) -> bytes:
    """Write a session as canonical bytes; the same session gives the same bytes on every machine."""
    lines = [msgspec.json.encode(_header(session)), *(_ENCODER.encode(message) for message in session.messages)]
    return b"\n".join(lines) + b"\n"


def _header(session: Session) -> dict[str, Any]:
    """Return the header: format and id first, empty fields left out, shared texts by digest."""
    row: dict[str, Any] = {}
    for name in HEADER_FIELDS:
        value = getattr(session, name)
        if value or name in REQUIRED:
            row[name] = f"sha256:{digest(value)}" if name in TEXT_FIELDS else value
    return {"format": FORMAT, **row, "messages": len(session.messages)}


def decode(data: bytes, shared: Mapping[str, str] | None = None, *, where: str = "session") -> Session:
    """Read canonical bytes.

    `shared` maps digests to texts; a digest it lacks is an error. Without it the shared texts are left empty, which
    is what search wants. Fields of a later minor version are ignored; another format, damage and a torn file are
    `UserError`s that name the line.
    """
    lines = data.split(b"\n")
    row = _read_header(lines[0], where)
    found = tuple(_messages(lines[1:], where))
    if row.get("messages", len(found)) != len(found):
        raise _damage(where, len(found) + 2, f"torn: {len(found)} of {row['messages']} messages are here")
    return _session(row, found, shared, where)


def decode_header(data: bytes, *, where: str = "session") -> Session:
    """Read the header line alone; the session comes back without messages and shared texts."""
    return _session(_read_header(data.split(b"\n", 1)[0], where), (), None, where)


def references(data: bytes, *, where: str = "session") -> tuple[str, ...]:
    """Return the digests of the shared texts that a canonical file names."""
    row = _read_header(data.split(b"\n", 1)[0], where)
    return tuple(str(row[name]).removeprefix("sha256:") for name in TEXT_FIELDS if row.get(name))


def _read_header(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = _HEADER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _damage(where, 1, f"not a session header: {error}") from error
    if row.get("format") != FORMAT:
        newer = isinstance(row.get("format"), int) and row["format"] > FORMAT
        hint = "upgrade: pip install --upgrade hermes-git" if newer else "import the session again from its source"
        raise UserError(f"format {row.get('format')!r}, this tool reads format {FORMAT}", where=where, hint=hint)
    return row


def _messages(lines: list[bytes], where: str) -> Iterator[Message]:
    for number, line in enumerate(lines, start=2):
        if not line:
            continue
        yield decode_message(line, number, where=where)


def decode_message(line: bytes, number: int, *, where: str = "session") -> Message:
    """Read one line of messages; `number` is its 1-based line in the file, for the error."""
    try:
        return _MESSAGE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _damage(where, number, str(error)) from error


def _session(row: dict[str, Any], found: tuple[Message, ...], shared: Mapping[str, str] | None, where: str) -> Session:
    values = {name: row[name] for name in HEADER_FIELDS if name in row}
    for name in TEXT_FIELDS:
        if name in values:
            values[name] = _resolve(str(values[name]), shared, where)
    try:
        return msgspec.convert({**values, "messages": found}, Session)
    except msgspec.ValidationError as error:
        raise _damage(where, 1, str(error)) from error


def _resolve(reference: str, shared: Mapping[str, str] | None, where: str) -> str:
    if shared is None:
        return ""
    name = reference.removeprefix("sha256:")
    if name not in shared:
        raise UserError(f"the text {name} that it names is missing", where=where, hint=HINT)
    return shared[name]


HINT = "restore the file from its history, or import the session again from its source"


def _damage(where: str, line: int, reason: str) -> UserError:
    return UserError(reason, where=f"{where}:{line}", hint=HINT)

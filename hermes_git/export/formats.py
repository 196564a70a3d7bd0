"""How rows lie in a file: JSON lines, JSON lines packed with Zstandard, or Parquet; each repeats byte for byte."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from hermes_git.errors import UserError

SUFFIXES = {"jsonl": ".jsonl", "zst": ".jsonl.zst", "parquet": ".parquet"}
BATCH_BYTES = 16 * 1024 * 1024
ZSTD_LEVEL = 10
TEXT_FIELDS = ("session", "family", "agent", "commit", "outcome", "marks", "actor", "action", "target")


@dataclass(slots=True)
class Hashed:
    """A stream that remembers the digest and the number of the bytes written to it."""

    stream: BinaryIO
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)
    size: int = 0
    closed: bool = False

    def write(self, data: bytes) -> int:
        """Write bytes."""
        self.digest.update(data)
        self.size += len(data)
        return self.stream.write(data)

    def flush(self) -> None:
        """Flush the stream below."""
        self.stream.flush()

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self.size

    def close(self) -> None:
        """Do nothing: whoever opened the stream below closes it."""


class Format(Protocol):
    """Takes rows as JSON lines and writes them to a stream."""

    def add(self, line: bytes) -> None:
        """Write one row."""

    def finish(self) -> None:
        """Write what is left."""


@dataclass(slots=True)
class Lines:
    """JSON lines as they come."""

    stream: Hashed

    def add(self, line: bytes) -> None:
        """Write one row."""
        self.stream.write(line)

    def finish(self) -> None:
        """Nothing is left."""


class Packed:
    """JSON lines packed with Zstandard; needs the extra `zst`."""

    def __init__(self, stream: Hashed) -> None:
        try:
            import zstandard
        except ImportError as error:
            raise UserError("packing needs zstandard", hint="pip install 'hermes-git[zst]'") from error
        self._stream = stream
        self._packer = zstandard.ZstdCompressor(level=ZSTD_LEVEL).compressobj()

    def add(self, line: bytes) -> None:
        """Pack one row."""
        self._stream.write(self._packer.compress(line))

    def finish(self) -> None:
        """Write what the packer still holds."""
        self._stream.write(self._packer.flush())


class Table:
    """Parquet with one schema for all rows of a style; needs the extra `parquet`.

    Turns are lists of structs of text. Messages, whose calls vary in shape, are lists of Arrow's JSON type, which
    `datasets` from 4.7 on gives back as the objects that JSON lines give. What else varies in shape is JSON text, so
    that no column changes its type from row to row.
    """

    def __init__(self, stream: Hashed) -> None:
        _parquet()
        import pyarrow

        self._arrow, self._stream = pyarrow, stream
        self._writer: Any = None
        self._rows: list[dict[str, Any]] = []
        self._held = 0

    def add(self, line: bytes) -> None:
        """Hold one row until a batch is full."""
        self._rows.append(flat(json.loads(line)))
        self._held += len(line)
        if self._held >= BATCH_BYTES:
            self._write()

    def finish(self) -> None:
        """Write the last batch and the footer; a file without rows has a schema all the same."""
        if self._rows or self._writer is None:
            self._write()
        self._writer.close()

    def _write(self) -> None:
        arrow = self._arrow
        found = self._writer.schema.names if self._writer else (name for row in self._rows for name in row)
        names = list(dict.fromkeys(found))
        rows = [{name: row.get(name) for name in names} for row in self._rows]
        table = arrow.Table.from_pylist(rows, schema=table_schema(names, arrow.string()))
        table = table.cast(table_schema(names, arrow.json_()))
        if self._writer is None:
            self._writer = arrow.parquet.ParquetWriter(self._stream, table.schema, compression="zstd")
        self._writer.write_table(table)
        self._rows, self._held = [], 0


def table_rows(path: Path, names: Sequence[str] = ("metadata", "extra")) -> Iterator[dict[str, Any]]:
    """Yield those columns of a Parquet file's rows that it has."""
    with _table(path) as table:
        wanted = [name for name in names if name in table.schema_arrow.names]
        for batch in table.iter_batches(columns=wanted):
            yield from batch.to_pylist()


def kept_rows(path: Path, stream: Hashed, is_kept: Callable[[dict[str, Any]], bool]) -> None:
    """Write the rows of a Parquet file that are to be kept, under the schema of the file."""
    with _table(path) as table, _parquet().ParquetWriter(stream, table.schema_arrow, compression="zstd") as out:
        for batch in table.iter_batches():
            out.write_batch(batch.take([place for place, row in enumerate(batch.to_pylist()) if is_kept(row)]))


@contextlib.contextmanager
def _table(path: Path) -> Iterator[Any]:
    try:
        with _parquet().ParquetFile(path) as table:
            yield table
    except (ValueError, OSError) as error:  # what pyarrow raises for damage is a ValueError
        raise UserError(f"cannot read it: {error}", where=str(path), hint="export again, or delete the file") from error


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise UserError("Parquet needs pyarrow", hint="pip install 'hermes-git[parquet]'") from error
    return pyarrow.parquet


TURN_COLUMNS = {
    "conversations": ("from", "value"),
    **dict.fromkeys(("prompt", "completion", "chosen", "rejected"), ("role", "content")),
}
MESSAGES = "messages"
BOOLEANS = ("completed", "label", "kto_tag", "parallel_tool_calls")


def table_schema(names: Sequence[str], message: Any) -> Any:
    """Return the Arrow schema of columns by their names; a message has the type given."""
    import pyarrow

    text = pyarrow.string()
    types = {
        **{name: pyarrow.list_(pyarrow.struct([(key, text) for key in keys])) for name, keys in TURN_COLUMNS.items()},
        **dict.fromkeys(BOOLEANS, pyarrow.bool_()),
        "metadata": pyarrow.struct([(key, text) for key in TEXT_FIELDS]),
        MESSAGES: pyarrow.list_(message),
    }
    return pyarrow.schema([(name, types.get(name, text)) for name in names])


OPTIONAL = {
    "conversations": ("compression_metrics",),
    "messages": ("compression_metrics", "tools", "parallel_tool_calls"),
    "steps": ("notes",),
}
"""Columns that some rows of a layout lack; the schema has them from the first row on."""


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose columns have one type each: nested values other than turns become JSON text."""
    made = {name: _flat(name, value) for name, value in row.items()}
    optional = next((names for layout, names in OPTIONAL.items() if layout in row), ())
    return {**made, **{name: made.get(name) for name in optional}}


def _flat(name: str, value: Any) -> Any:
    if name == MESSAGES and isinstance(value, list):
        return [json.dumps(message, ensure_ascii=False) for message in value]
    if name in TURN_COLUMNS and isinstance(value, list):
        return [{key: _text(turn.get(key)) for key in TURN_COLUMNS[name]} for turn in value]
    if name == "metadata" or isinstance(value, bool):
        return value
    return _text(value)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) or value is None else json.dumps(value, ensure_ascii=False)


FORMATS: dict[str, Callable[[Hashed], Format]] = {"jsonl": Lines, "zst": Packed, "parquet": Table}

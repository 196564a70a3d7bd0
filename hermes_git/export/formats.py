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
from hermes_git.export import columns

SUFFIXES = {"jsonl": ".jsonl", "zst": ".jsonl.zst", "parquet": ".parquet"}
BATCH_BYTES = 16 * 1024 * 1024
ZSTD_LEVEL = 10


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

    def abandon(self) -> None:
        """Let go of the stream, whose content will be thrown away."""


@dataclass(slots=True)
class Lines:
    """JSON lines as they come."""

    stream: Hashed

    def add(self, line: bytes) -> None:
        """Write one row."""
        self.stream.write(line)

    def finish(self) -> None:
        """Nothing is left."""

    def abandon(self) -> None:
        """Nothing is held."""


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

    def abandon(self) -> None:
        """Nothing but memory is held."""


class Table:
    """Parquet with one schema for all rows of a style, as `columns` has it; needs the extra `parquet`."""

    def __init__(self, stream: Hashed) -> None:
        self._parquet, self._stream = _parquet(), stream
        self._writer: Any = None
        self._kinds: columns.Kinds = {}
        self._rows: list[dict[str, Any]] = []
        self._held = 0

    def add(self, line: bytes) -> None:
        """Hold one row until a batch is full."""
        self._rows.append(json.loads(line))
        self._held += len(line)
        if self._held >= BATCH_BYTES:
            self._write()

    def finish(self) -> None:
        """Write the last batch and the footer; a file without rows has a schema all the same."""
        if self._rows or self._writer is None:
            self._write()
        self._writer.close()

    def abandon(self) -> None:
        """Close the writer, which would write to the stream when it is collected."""
        if self._writer is not None:
            self._writer.close()

    def _write(self) -> None:
        if self._writer is None:
            self._kinds = columns.kinds(self._rows)
        elif not all(columns.fits(row, self._kinds) for row in self._rows):
            raise UserError("rows of different shapes do not fit into one table", hint="use --format jsonl")
        table = columns.table(self._rows, self._kinds)
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self._stream, table.schema, compression="zstd")
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


def whole_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as they went into it."""
    with _table(path) as table:
        for batch in table.iter_batches():
            yield from columns.rows_of(batch)


def write_table(table: Any, stream: Hashed) -> None:
    """Write an Arrow table as a Parquet file."""
    _parquet().write_table(table, stream, compression="zstd")


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


FORMATS: dict[str, Callable[[Hashed], Format]] = {"jsonl": Lines, "zst": Packed, "parquet": Table}

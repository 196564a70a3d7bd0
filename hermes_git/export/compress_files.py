"""Compression of files of rows: a file to a file or a folder to a folder, row by row, in order."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.export import formats
from hermes_git.export.journal import kept
from hermes_git.export.shards import Written
from hermes_git.export.workers import run, run_waiting
from hermes_git.tokens import choose
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.metrics import Aggregate, RowMetrics
from hermes_git.trajectories.model import Drop
from hermes_git.version import __version__

PARQUET = ".parquet"
DOCUMENT, MAX_DOCUMENT = ".json", 512 * 1024 * 1024
"""Files that are one JSON document; they are read whole, and only when they are named."""

PACKED = (".gz", ".zst")
SUFFIXES = (".jsonl", *(f".jsonl{suffix}" for suffix in PACKED), PARQUET)
NO_METRICS = RowMetrics()
OVER = "over the budget, and save_over_limit is false"


@dataclass(frozen=True, slots=True)
class Out:
    """One row that came out, its line None when it is the one that went in, or the reason why it did not."""

    line: bytes | None = None
    metrics: RowMetrics = NO_METRICS
    dropped: str = ""


@dataclass(frozen=True, slots=True)
class RowWork:
    """The pure step from a line to a line; any worker can do it."""

    compressor: Compressor
    keeps_over_limit: bool = True

    def __call__(self, line: bytes) -> Out:
        """Compress one line of a JSONL file."""
        try:
            row, metrics = self.compressor(decode(line))
        except Drop as drop:
            return Out(dropped=drop.reason)
        if metrics.still_over_limit and not self.keeps_over_limit:
            return Out(dropped=OVER)
        changed = metrics.was_compressed or metrics.still_over_limit
        return Out(msgspec.json.encode(row) if changed else None, metrics)


@dataclass(frozen=True, slots=True)
class CompressJob:
    """All that another process needs to compress lines; the tokenizer is named, since a vocabulary does not travel."""

    options: Options
    tokenizer: str
    keeps_over_limit: bool = True

    def build(self) -> RowWork:
        """Return the step, with a tokenizer of its own."""
        return RowWork(Compressor(self.options, choose.counter(self.tokenizer)), self.keeps_over_limit)


def decode(line: bytes) -> object:
    """Decode one row; a line that is no JSON is dropped with that reason."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Drop("not valid JSON") from error


MAX_NAMED = 20


@dataclass(slots=True)
class Totals:
    """Counts of one run.

    `sample` is the share of rows taken, in percent; `damaged` names up to 20 bad lines; `replayed` counts the rows that
    an interrupted run had done.
    """

    sample: float = 100.0
    left_out: int = 0
    replayed: int = 0
    rows_in: int = 0
    rows_out: int = 0
    metrics: Aggregate = field(default_factory=Aggregate)
    damaged: list[str] = field(default_factory=list)

    def take(self, out: Out, where: str) -> bool:
        """Count one row, and say whether there is one to write."""
        self.rows_in += 1
        if out.dropped:
            self.metrics.drop(out.dropped)
            self.damaged += [f"{where}: {out.dropped}"] if len(self.damaged) < MAX_NAMED else []
            return False
        self.metrics.add(out.metrics)
        self.rows_out += 1
        return True


Step = Callable[[Iterable[bytes]], Iterator[Out]]
"""Lines in, what came of them out, in the same order."""


def inputs(source: Path) -> list[Path]:
    """Return the files to read: the file itself, or the JSONL files that lie in a folder, sorted."""
    if source.is_dir():
        found = [path for name, path in files.walk(source) if "/" not in name and name.endswith(SUFFIXES)]
        if not found:
            raise UserError(f"no {' or '.join(SUFFIXES)} files in {source}", hint="give a file, or a folder of them")
        return found
    if not source.is_file():
        raise UserError(f"no such file: {source}", hint="give a JSONL file of trajectories, or a folder of them")
    return [source]


def spread(job: CompressJob, workers: int) -> Step:
    """Return what compresses lines in processes; the built-in summariser needs nothing but time."""
    return lambda lines: run(job, lines, workers, size=len)


def asking(work: RowWork, at_once: int) -> Step:
    """Return what compresses lines while several requests to a model are under way."""
    return lambda lines: run_waiting(work, lines, at_once)


def compress_file(source: Path, target: Path, step: Step, totals: Totals, made_of: str = "") -> Written:
    """Compress one file into another; rows in = rows out + drops by reason.

    `made_of` is a digest of the options. Killed at any point, the same call goes on with the rows that were done.
    """
    digest, rows, size = hashlib.sha256(), 0, 0
    taken: deque[tuple[int, bytes]] = deque()
    keeping = kept(journal_of(target), made_of, msgspec.msgpack.encode, _unpack)
    with keeping as journal, files.writing(target) as stream:
        for out in journal.carry_on(_lines(source, taken, totals), step, _name):
            number, line = taken.popleft()
            if not totals.take(out, f"{source}:{number}"):
                continue
            written = (line if out.line is None else out.line) + b"\n"
            stream.write(written)
            digest.update(written)
            rows, size = rows + 1, size + len(written)
        totals.replayed += journal.replayed
    return Written(target.name, rows, size, digest.hexdigest())


def journal_of(target: Path) -> Path:
    """Return where the rows done so far are kept; whoever compresses several files removes it after the last."""
    return target.with_name(f".{target.name}.journal")


def made_of(*parts: object) -> str:
    """Return a digest of all that rows are made of besides their lines."""
    told = repr((__version__, *(part.describe() if isinstance(part, Counter) else part for part in parts)))
    return hashlib.sha256(told.encode("utf-8")).hexdigest()


def _name(line: bytes) -> str:
    return hashlib.blake2b(line, digest_size=16).hexdigest()


def _unpack(data: bytes) -> Out:
    return msgspec.msgpack.decode(data, type=Out)


def _lines(source: Path, taken: deque[tuple[int, bytes]], totals: Totals) -> Iterator[bytes]:
    """Yield the lines to compress, and remember them by number for what comes back in the same order."""
    for number, row in lines_of(source):
        if totals.sample < 100 and not is_sampled(row, totals.sample):
            totals.left_out += 1
            continue
        taken.append((number, row))
        yield row


def lines_of(source: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of a file as lines of JSON, with their numbers; blank lines are none."""
    if source.suffix == PARQUET:
        yield from enumerate((msgspec.json.encode(row) for row in formats.whole_rows(source)), 1)
        return
    if source.suffix == DOCUMENT:
        yield from enumerate(map(msgspec.json.encode, _document(source)), 1)
        return
    for number, line in files.read_lines(source):
        row = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if row.strip():
            yield number, row


def _document(source: Path) -> list[object]:
    """Return the rows of a JSON document: the members of a list, or the one it is, such as an ATIF trajectory."""
    try:
        found = msgspec.json.decode(files.read_bytes(source, limit=MAX_DOCUMENT))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"not valid JSON: {error}", where=str(source), hint="JSON lines are called .jsonl") from error
    return found if isinstance(found, list) else [found]


def is_sampled(line: bytes, percent: float) -> bool:
    """Say whether a row is in the sample: by its content, so that order and neighbours do not matter."""
    place = int.from_bytes(hashlib.blake2b(line, digest_size=8).digest(), "big")
    return place < percent / 100 * 2**64


def stem_of(path: Path) -> str:
    """Return the name of a file of rows without what tells its format."""
    name = path.name.removesuffix(PARQUET).removesuffix(DOCUMENT)
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    return name.removesuffix(".jsonl")


def targets(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """Pair each input file with its output file; an output is never packed and never its own input."""
    for path in inputs(source):
        out = target / f"{stem_of(path)}.jsonl" if source.is_dir() else target
        if out.resolve() == path.resolve():
            raise UserError(f"{out} would overwrite its own input", hint="give OUT another name")
        yield path, out

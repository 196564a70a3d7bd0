"""The same compression on Ray Data: JSON lines or Parquet in, Parquet out, the rows those of one machine.

Files are read where Ray runs the reading, so they must lie where all its nodes see them. The order is kept, each row is
the result of the same step as elsewhere, and nothing is kept for a run that is interrupted. Needs the extra `ray`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.export import columns, compress_files, formats
from hermes_git.export.compress_files import CompressJob, Out, Totals
from hermes_git.export.shards import Written, names

BATCH = 64
NAME = "rows-{place:05d}-{number:09d}.parquet"
OURS = re.compile(r"rows-[0-9]{5,}-[0-9]{9,}\.parquet")
LEFT_OUT = "not in the sample"


class Work:
    """What an actor keeps: the step with its tokenizer."""

    def __init__(self, job: CompressJob, sample: float) -> None:
        self._step, self._sample = job.build(), sample

    def __call__(self, lines: Any) -> Any:
        """Compress a batch of lines; return each row or none, its columns, and the account of it."""
        outs = [(line, self._out(line)) for line in lines.column("line").to_pylist()]
        rows = [b"" if out.dropped else line if out.line is None else out.line for line, out in outs]
        told = {
            "row": rows,
            "kinds": [msgspec.json.encode(columns.kinds([msgspec.json.decode(row)])) if row else b"{}" for row in rows],
            "account": [msgspec.msgpack.encode(Out(None, out.metrics, out.dropped)) for _, out in outs],
        }
        return _table({name: lines.column(name).to_pylist() for name in ("path", "number")} | told)

    def _out(self, line: bytes) -> Out:
        is_left_out = self._sample < 100 and not compress_files.is_sampled(line, self._sample)
        return Out(dropped=LEFT_OUT) if is_left_out else self._step(line)


def compress(
    job: CompressJob, sources: Sequence[Path], target: Path, totals: Totals, *, workers: int, address: str | None
) -> list[Written]:
    """Compress files into a folder of Parquet files, whose rows in the order of their names are those of the files.

    `address` is that of a cluster; without one a runtime of this machine is started, and stopped at the end.
    """
    data = _data()
    _prepare(target)
    with _Runtime(workers, address):
        data.DataContext.get_current().execution_options.preserve_order = True
        data.DataContext.get_current().enable_progress_bars = False
        made = (
            data.from_items([str(path.resolve()) for path in sources], override_num_blocks=len(sources))
            .map_batches(_read, batch_size=1, batch_format="pyarrow")
            .map_batches(
                Work,
                fn_constructor_args=(job, totals.sample),
                batch_size=BATCH,
                batch_format="pyarrow",
                concurrency=workers,
            )
            .materialize()
        )
        kinds = _account(made, totals)
        places = {str(path.resolve()): number for number, path in enumerate(sources)}
        write = {"places": places, "kinds": kinds, "folder": str(target)}
        files_of = made.map_batches(_write, fn_kwargs=write, batch_size=None, batch_format="pyarrow")
        written = [
            Written(**row) for batch in files_of.iter_batches(batch_format="pyarrow") for row in batch.to_pylist()
        ]
    return sorted(written, key=lambda one: one.name)


def _read(batch: Any) -> Iterator[Any]:
    """Yield the lines of files, a few at a time, with where they come from."""
    for path in batch.column("item").to_pylist():
        held: dict[str, list[Any]] = {"path": [], "number": [], "line": []}
        for number, line in compress_files.lines_of(Path(path)):
            for name, value in zip(held, (path, number, line), strict=True):
                held[name].append(value)
            if len(held["path"]) == BATCH:
                yield _table(held)
                held = {name: [] for name in held}
        yield _table(held)


def _table(values: dict[str, list[Any]]) -> Any:
    import pyarrow

    types = {"path": pyarrow.string(), "number": pyarrow.int64()}
    return pyarrow.table({name: pyarrow.array(row, types.get(name, pyarrow.binary())) for name, row in values.items()})


def _account(made: Any, totals: Totals) -> dict[str, str]:
    """Count what became of each row, and return the columns of those that are there."""
    kinds: dict[str, str] = {}
    told = made.select_columns(["path", "number", "kinds", "account"])
    for batch in told.iter_batches(batch_format="pyarrow"):
        for row in batch.to_pylist():
            out = msgspec.msgpack.decode(row["account"], type=Out)
            kinds = columns.joined(kinds, msgspec.json.decode(row["kinds"]))
            if out.dropped == LEFT_OUT:
                totals.left_out += 1
            else:
                totals.take(out, f"{row['path']}:{row['number']}")
    return kinds


def _write(batch: Any, places: dict[str, int], kinds: dict[str, str], folder: str) -> Any:
    """Write the rows of a batch into a file named by the place of its first, so that writing again changes nothing."""
    import pyarrow

    rows = [msgspec.json.decode(row) for row in batch.column("row").to_pylist() if row]
    made: list[dict[str, object]] = []
    if rows:
        place, number = places[batch.column("path")[0].as_py()], batch.column("number")[0].as_py()
        name = NAME.format(place=place, number=number)
        with files.writing(Path(folder) / name) as stream:
            hashed = formats.Hashed(stream)
            formats.write_table(columns.table(rows, kinds), hashed)
        made = [asdict(Written(name, len(rows), hashed.size, hashed.digest.hexdigest()))]
    types = {"name": pyarrow.string(), "rows": pyarrow.int64(), "bytes": pyarrow.int64(), "sha256": pyarrow.string()}
    return pyarrow.Table.from_pylist(made, schema=pyarrow.schema(list(types.items())))


def _prepare(target: Path) -> None:
    """Clear what an earlier run wrote; anything else in the folder is an error."""
    found = sorted(names(target)) if target.exists() else []
    foreign = next((name for name in found if not OURS.fullmatch(name) and not name.endswith(".json")), "")
    if foreign:
        raise UserError(f"the folder holds {foreign}", where=str(target), hint="give OUT the name of a new folder")
    for name in filter(OURS.fullmatch, found):
        files.remove(target / name)


def _data() -> Any:
    try:
        import ray.data
    except ImportError as error:
        raise UserError("this engine needs Ray", hint="pip install 'hermes-git[ray]'") from error
    return ray.data


class _Runtime:
    """A runtime of this machine, or a cluster that is there."""

    def __init__(self, workers: int, address: str | None) -> None:
        self._workers, self._address = workers, address

    def __enter__(self) -> None:
        import ray

        quiet = {"log_to_driver": False, "logging_level": "error", "include_dashboard": False}
        if self._address:
            ray.init(address=self._address, log_to_driver=False)
        else:
            ray.init(num_cpus=self._workers + 1, **quiet)  # one reads while the others compress

    def __exit__(self, *error: object) -> None:
        import ray

        ray.shutdown()

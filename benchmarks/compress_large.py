"""Measure the memory of a compression of a large file: resident bytes of all its processes together, at the most.

    python -m benchmarks.compress_large --rows ROWS.jsonl [--gigabytes 2] [--workers 2] [--budget 15250]

ROWS is repeated, each copy with a number of its own in every row, until the file is as large as asked for. Linux only:
the figures are those of /proc, taken every half second.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def write(rows: Path, target: Path, size: int) -> int:
    """Write a file of at least `size` bytes; return the number of its rows."""
    lines = [json.loads(line) for line in rows.read_bytes().splitlines()]
    count = 0
    with target.open("wb") as stream:
        while stream.tell() < size:
            for line in lines:
                stream.write(json.dumps({**line, "number": count}, ensure_ascii=False).encode() + b"\n")
                count += 1
    return count


def resident(root: int) -> tuple[int, int]:
    """Return the bytes resident of a process and all below it, and how many processes those are."""
    parents, sizes = {}, {}
    for folder in Path("/proc").iterdir():
        try:
            fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        except OSError:
            continue
        parents[int(fields["Pid"])] = int(fields["PPid"])
        sizes[int(fields["Pid"])] = int(fields.get("VmRSS", "0 kB").split()[0]) * 1024
    family = {root}
    while grown := {child for child, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(sizes.get(one, 0) for one in family), len(family)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--budget", type=int, default=15250)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "in.jsonl"
        rows = write(args.rows, source, int(args.gigabytes * 1e9))
        options = ["--budget", str(args.budget), "--workers", str(args.workers), "--json", "-q"]
        command = [sys.executable, "-m", "hermes_git", "compress", str(source), f"{scratch}/out.jsonl", *options]
        began, most = time.perf_counter(), (0, 0)
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            while process.poll() is None:
                most = max(most, resident(process.pid))
                time.sleep(0.5)
            report = json.loads(process.stdout.read()) if process.stdout else {}
        seconds = time.perf_counter() - began
        print(f"{source.stat().st_size / 1e9:.2f} GB, {rows} rows in, {report['rows_out']} out, {args.workers} workers")
        print(f"{seconds:.0f} s; at the most {most[0] / 1e6:.0f} MB resident in {most[1]} processes together")


if __name__ == "__main__":
    main()

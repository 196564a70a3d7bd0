"""Measure what the runner costs beside the model: trajectories a second with a scripted model, and kills survived.

    python -m benchmarks.batch [--prompts 400] [--workers 1,2,4] [--kills 10]

The scripted model answers at once: each prompt writes to memory, lists skills, and answers, so the time is that of the
agent's loop, the tools, the conversion, redaction and the files. `--kills` runs 200 prompts with 4 workers, kills the
run that many times with SIGKILL at random points, resumes it, and compares every byte with an undisturbed run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hermes_git.cli import main as command_line

SCRIPT = {
    "format": 1,
    "scripts": [
        {
            "match": "",
            "replies": [
                {
                    "reasoning": "Keep it, then see which skills there are.",
                    "tool_calls": [
                        {"name": "memory", "arguments": {"action": "add", "content": "Asked: {prompt}"}},
                        {"name": "skills_list", "arguments": {}},
                    ],
                },
                {"text": "I have kept it: {prompt}"},
            ],
        }
    ],
}
FILES = ("trajectories.jsonl", "failures.jsonl", "statistics.json", "checkpoint.json")


def prepared(folder: Path, prompts: int) -> Path:
    """Make a repository with a dataset and a script in it."""
    quietly("-C", str(folder), "init", "place", "-q")
    place = folder / "place"
    rows = (json.dumps({"prompt": f"Question {number}: how does step {number * 7} work?"}) for number in range(prompts))
    (place / "prompts.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (place / "demo.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    return place


def quietly(*arguments: str) -> dict[str, object]:
    """Run the command line and return what it printed as JSON, if it did."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = command_line(list(arguments))
    assert code == 0, f"{arguments}: exit code {code}"
    return json.loads(out.getvalue()) if out.getvalue().startswith("{") else {}  # type: ignore[no-any-return]


def arguments(place: Path, name: str, workers: int) -> list[str]:
    """Return the command line of a run."""
    base = ["-C", str(place), "batch", "run", "--dataset", "prompts.jsonl", "--run-name", name, "--model"]
    return [*base, "script:demo.json", "--workers", str(workers), "--now", "2026-11-29", "--json"]


def rates(place: Path, prompts: int, workers: list[int]) -> None:
    """Print CPU time a trajectory in one process, and trajectories a second with workers, their start included."""
    quietly(*arguments(place, "warm", 1), "--engine", "inline", "--max-samples", "5")
    cpu = time.process_time()
    quietly(*arguments(place, "inline", 1), "--engine", "inline")
    cpu = time.process_time() - cpu
    print(f"in one process: {1000 * cpu / prompts:6.2f} CPU-ms each, so {2 * prompts / cpu:6.1f} /s on two whole cores")
    for count in workers:
        wall = time.perf_counter()
        quietly(*arguments(place, f"rate-{count}", count))
        print(f"{count} workers: {prompts / (time.perf_counter() - wall):7.1f} trajectories/s wall")


def kills(place: Path, count: int) -> None:
    """Kill a run at random points, resume it each time, and compare it with an undisturbed one."""
    quietly(*arguments(place, "qxwhole", 4))
    folder, generator, before = place / "data" / "qxagain", random.Random(11), []
    options = [*arguments(place, "qxagain", 4), "--resume"]
    total = sum(path.stat().st_size for path in (place / "data" / "qxwhole").glob("batch_*"))
    for number in range(count):
        process = subprocess.Popen(
            [sys.executable, "-m", "hermes_git", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wanted = size_of(folder) + generator.randrange(1, max(2, 3 * total // (2 * (count + 1))))
        pause = generator.random()
        while process.poll() is None and size_of(folder) < wanted:
            time.sleep(0.001 + 0.005 * pause)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before.append(size_of(folder))
        print(f"kill {number + 1}: {100 * before[-1] / total:5.1f} % of the records were written")
    report = quietly(*options)
    same = [
        (folder / name).read_bytes() == (place / "data" / "qxwhole" / name).read_bytes().replace(b"qxwhole", b"qxagain")
        for name in FILES
    ]
    verdicts = dict(zip(FILES, same, strict=True))
    print(f"resumed: {report['ran']} ran, {report['done_before']} were done; same bytes: {verdicts}")
    assert all(same)


def size_of(folder: Path) -> int:
    """Return the bytes of all batch files."""
    return sum(path.stat().st_size for path in folder.glob("batch_*")) if folder.exists() else 0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=400)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as scratch:
        if options.kills:
            kills(prepared(Path(scratch), 200), options.kills)
        else:
            place = prepared(Path(scratch), options.prompts)
            rates(place, options.prompts, [int(word) for word in options.workers.split(",")])


if __name__ == "__main__":
    main()

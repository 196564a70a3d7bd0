"""What a judged memory write and a blame cost, beside git doing the bare thing, in one run.

    python benchmarks/memory.py [--runs 15] [--commits 5000]

Bounds printed: one add in process ≤ the bare `git commit` + 40 ms; from the shell ≤ 350 ms; blame of a 60-entry file
over N commits ≤ 1 s and ≤ 3 × `git log -p` on that file. Wall time, medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hermes_git.commands import memory_write
from hermes_git.commands.call import Call
from hermes_git.gate.operations import Operation
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import render
from hermes_git.provenance import entry_history as history

MEMORY = "knowledge/memory/MEMORY.md"


def median(run: Callable[[], None], runs: int) -> float:
    """Return the median wall time of a call after one warm-up, in milliseconds."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[1:])


def small(folder: Path) -> Repository:
    """Make a repository with a memory file of some entries."""
    repo = create.create(folder)
    create.configure(repo, {"user.name": "bench", "user.email": "bench@example.invalid"})
    path = folder / MEMORY
    path.parent.mkdir(parents=True)
    path.write_text(render(f"fact number {n} about the system" for n in range(20)), encoding="utf-8")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "start")
    return repo


def writes(folder: Path, runs: int) -> None:
    """Measure one add in process and from the shell, and a bare commit of the same size in turn."""
    repo = small(folder)
    counter = iter(range(10**6))
    other = folder / "other.txt"
    git = ["git", "-C", str(folder)]

    def bare() -> None:
        other.write_text(f"{next(counter)}\n", encoding="utf-8")
        subprocess.run([*git, "add", "other.txt"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "x", "--", "other.txt"], check=True)

    def in_process() -> None:
        call = Call(repo.work_tree(), quiet=True)
        memory_write.write(call, "memory", (Operation("add", f"n{next(counter)}"),))

    def from_shell() -> None:
        command = [sys.executable, "-m", "hermes_git", "-C", str(folder), "memory", "add", "-q", f"s{next(counter)}"]
        subprocess.run(command, check=True)

    base = median(bare, runs)
    for name, run, bound in (("add in process", in_process, base + 40), ("add from the shell", from_shell, 350.0)):
        value = median(run, runs)
        verdict = "met" if value <= bound else "NOT met"
        print(f"{name:<22} {value:7.1f} ms   bare git commit {base:6.1f} ms   bound {bound:6.1f} ms  {verdict}")


def grow(folder: Path, commits: int) -> Repository:
    """Make a history of N commits on a file of 60 entries with fast-import."""
    repo = create.create(folder)
    texts = [f"fact {n} holds since the beginning of this long history" for n in range(60)]
    lines: list[bytes] = []
    for number in range(commits):
        texts[number % 60] = f"fact {number % 60} says {number} since revision {number}"
        body = render(texts).encode("utf-8")
        lines += [b"commit refs/heads/main", f"committer b <b@x> {1_700_000_000 + number * 60} +0000".encode(),
                  b"data 1\nx", f"M 100644 inline {MEMORY}".encode(), f"data {len(body)}".encode(), body]  # fmt: skip
    repo.git("fast-import", "--quiet", stdin=b"\n".join(lines) + b"\n")
    return repo


def blames(folder: Path, commits: int, runs: int) -> None:
    """Measure blame over a long history beside `git log -p`."""
    repo = grow(folder, commits)

    def ours() -> None:
        history.blame(history.load(repo, "main"))

    def git_log() -> None:
        subprocess.run(["git", "-C", str(folder), "log", "-p", "main", "--", MEMORY], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip

    base, value = median(git_log, runs), median(ours, runs)
    verdict = "met" if value <= 1000 and value <= 3 * base else "NOT met"
    print(f"blame, {commits} commits   {value:7.1f} ms   git log -p {base:6.1f} ms   {value / base:4.2f} x   {verdict}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--commits", type=int, default=5000)
    options = parser.parse_args()
    os.environ["HERMES_GIT_ACTOR"] = "person:bench"
    print(f"{options.runs} runs, {os.cpu_count()} CPUs; medians of wall time")
    with tempfile.TemporaryDirectory() as scratch:
        writes(Path(scratch) / "small", options.runs)
        blames(Path(scratch) / "long", options.commits, max(3, options.runs // 5))


if __name__ == "__main__":
    main()

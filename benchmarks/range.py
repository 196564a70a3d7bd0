"""How long the range check takes on a long branch, beside one pass of `git log` over it, measured in turn in one run.

    python benchmarks/range.py [--skills 1000] [--commits 200] [--runs 3]

Each commit edits one skill, or one memory entry every tenth time; the bound printed is 10 s for 200 commits.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hermes_git.gitrepo.repository import Repository, require

SKILL = """---
name: skill-{number}
description: Check thing {number}. Use when thing {number} changes.
---

# Skill {number}

## When to Use

- Thing {number} changed; edition {edition}.
"""
MEMORY = "knowledge/memory/MEMORY.md"


def build(folder: Path, skills: int, commits: int) -> Repository:
    """Make a repository of skills with a branch of commits after the tag base, through one fast-import."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    repo = require(folder)
    stream = [_commit("base", {_path(n): SKILL.format(number=n, edition=0) for n in range(skills)})]
    for edition in range(1, commits + 1):
        number = edition % skills
        files = {_path(number): SKILL.format(number=number, edition=edition)}
        if edition % 10 == 0:
            files[MEMORY] = "\n§\n".join(f"fact number {n}" for n in range(edition // 10))
        said = f"edit {edition}\n\nHermes-Change: edit c/skill-{number} -..- actor=person:bench"
        stream.append(_commit(said, files))
    repo.git("fast-import", "--quiet", stdin="".join(stream).encode())
    repo.git("tag", "base", f"main~{commits}")
    return repo


def _path(number: int) -> str:
    return f"knowledge/skills/category-{number % 13}/skill-{number}/SKILL.md"


def _commit(message: str, files: dict[str, str]) -> str:
    head = "commit refs/heads/main\ncommitter bench <bench@example.invalid> 1700000000 +0000\n"
    head += f"data {len(message.encode())}\n{message}\n"
    rows = (f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n" for path, text in files.items())
    return head + "".join(rows) + "\n"


def seconds(command: list[str], folder: Path) -> float:
    """Return the wall time of one run of a command that passes."""
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skills", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "repo"
        build(folder, options.skills, options.commits)
        check = [sys.executable, "-m", "hermes_git", "check", "--range", "base..main", "-q"]
        log = ["git", "log", "--raw", "-z", "--format=%H%n%B", "base..main"]
        times: dict[str, list[float]] = {"git log --raw": [], "hermes-git check --range": []}
        for _ in range(options.runs):
            times["git log --raw"].append(seconds(log, folder))
            times["hermes-git check --range"].append(seconds(check, folder))
    print(f"{options.commits} commits, {options.skills} skills, {options.runs} runs, {os.cpu_count()} CPUs; medians")
    for name, found in times.items():
        print(f"{name:<26} {statistics.median(found):7.2f} s")
    took = statistics.median(times["hermes-git check --range"])
    bound = 10 * options.commits / 200
    print(f"{'bound (10 s for 200)':<26} {bound:7.2f} s   {'met' if took <= bound else 'NOT met'}")


if __name__ == "__main__":
    main()

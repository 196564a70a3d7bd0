"""How long `skill list` takes over many skills, cold and warm, beside an interpreter that imports click and yaml.

    python benchmarks/skill_list.py [--skills 1000] [--runs 9]

Cold is a start without the cache of what each SKILL.md says (the operating system's file cache stays as it is); warm is
with it. Bounds: cold at most 0.5 s, warm at most 3 × `python -c "import click, yaml"`; medians of wall and CPU time,
measured in turn. On a busy machine CPU time is the one to look at.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository

BODY = "Look at thing {number}, then at the next one, and write down what is odd about it.\n" * 90
SKILL = """---
name: skill-{number}
description: Checks thing {number} and tells what is wrong with it, in one table.
license: MIT
metadata:
  version: 1.0.{number}
  hermes:
    tags:
      - thing-{number}
---

# Skill {number}

## When to Use

- Thing {number} changed.

## Procedure

"""


def build(folder: Path, skills: int) -> Repository:
    """Make a repository of skills of about 8 kB each, committed and packed as a clone would be."""
    repo = create.create(folder)
    for number in range(skills):
        root = folder / "knowledge" / "skills" / f"category-{number % 13:02}" / f"skill-{number}"
        (root / "references").mkdir(parents=True)
        (root / "SKILL.md").write_text((SKILL + BODY).format(number=number), encoding="utf-8")
        (root / "references" / "notes.md").write_text(f"Notes on thing {number}.\n" * 20, encoding="utf-8")
    create.configure(repo, {"user.name": "bench", "user.email": "bench@example.invalid"})
    repo.git("add", "-A")
    repo.git("commit", "-q", "--no-verify", "-m", "skills")
    repo.git("gc", "-q")
    return repo


def run(command: list[str], folder: Path) -> tuple[float, float]:
    """Return wall and CPU seconds of one run of a command, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skills", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {"python": [], "cold": [], "warm": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "repo"
        repo = build(folder, options.skills)
        command = [sys.executable, "-m", "hermes_git", "skill", "list"]
        for _ in range(options.runs):
            times["python"].append(run([sys.executable, "-c", "import click, yaml"], folder))
            shutil.rmtree(repo.state / "cache", ignore_errors=True)
            times["cold"].append(run(command, folder))
            times["warm"].append(run(command, folder))
    wall, cpu = ({name: statistics.median(row[at] for row in rows) for name, rows in times.items()} for at in (0, 1))
    for name in times:
        print(f"{name:<7} wall {wall[name] * 1000:6.0f} ms   CPU {cpu[name] * 1000:6.0f} ms")
    print(f"cold: {wall['cold']:.2f} s wall, {cpu['cold']:.2f} s CPU of 0.5 s allowed")
    ratio, ratio_cpu = wall["warm"] / wall["python"], cpu["warm"] / cpu["python"]
    print(f"warm: {ratio:.1f} x wall, {ratio_cpu:.1f} x CPU of 3 x allowed")


if __name__ == "__main__":
    main()

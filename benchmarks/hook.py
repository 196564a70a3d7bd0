"""How long the hooks take, beside the start of an interpreter with click, measured in turn in one run.

    python benchmarks/hook.py [--skills 1000] [--runs 15]

The hooks are run as git runs them (the installed sh files) on a one-file change in a repository of N skills; the bound
printed is 3 × `python -c "import click"` + 150 ms, and 350 ms. `git commit` is timed with and without them. Wall time
and CPU time (of all processes), medians.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from hermes_git.commands import hook_files
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository

BASE = "python -c 'import click'"

SKILL = """---
name: skill-{number}
description: Check thing {number}. Use when thing {number} changes.
---

# Skill {number}

## When to Use

- Thing {number} changed and the links in it may be broken.

## Procedure

1. Read `references/notes.md`.
2. Run `make check-{number}`.
"""


def build(folder: Path, skills: int) -> Repository:
    """Make a repository of skills with the hooks installed and one skill changed in the index."""
    repo = create.create(folder)
    create.configure(repo, {"hermes-git.python": sys.executable, "hermes-git.actor": "person:bench",
                            "user.name": "bench", "user.email": "bench@example.invalid"})  # fmt: skip
    for number in range(skills):
        root = folder / "knowledge" / "skills" / f"category-{number % 13}" / f"skill-{number}"
        (root / "references").mkdir(parents=True)
        (root / "SKILL.md").write_text(SKILL.format(number=number), encoding="utf-8")
        (root / "references" / "notes.md").write_text(f"Notes on thing {number}.\n" * 20, encoding="utf-8")
    repo.git("add", "-A")
    repo.git("commit", "-q", "--no-verify", "-m", "skills")
    hook_files.install(repo)
    changed = folder / "knowledge" / "skills" / "category-0" / "skill-0" / "SKILL.md"
    changed.write_text(SKILL.format(number=0) + "\nOne more line.\n", encoding="utf-8")
    repo.git("add", "-A")
    return repo


Times = tuple[float, float]


def seconds(command: list[str], folder: Path, env: dict[str, str] | None = None) -> Times:
    """Return the wall and CPU time of one run of a command."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, **(env or {})})  # fmt: skip
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commit(folder: Path, *, hooks: bool) -> Times:
    """Time one commit of the staged change, and take it back."""
    off = [] if hooks else ["-c", f"core.hooksPath={os.devnull}"]
    taken = seconds(["git", *off, "commit", "-q", "-m", "change one skill"], folder)
    subprocess.run(["git", "reset", "-q", "--soft", "HEAD~1"], cwd=folder, check=True)
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skills", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode, and so has every hook
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "repo"
        repo = build(folder, options.skills)
        message = Path(scratch) / "message"
        message.write_text("change one skill\n", encoding="utf-8")
        hooks = repo.common_dir / "hooks"
        runs: dict[str, Callable[[], Times]] = {
            BASE: lambda: seconds([sys.executable, "-c", "import click"], folder),
            "pre-commit": lambda: seconds([str(hooks / "pre-commit")], folder),
            "commit-msg": lambda: seconds([str(hooks / "commit-msg"), str(message)], folder),
            "git commit without hooks": lambda: commit(folder, hooks=False),
            "git commit with hooks": lambda: commit(folder, hooks=True),
        }
        times: dict[str, list[Times]] = {name: [] for name in runs}
        for _ in range(options.runs + 1):
            for name, run in runs.items():
                times[name].append(run())
    report(options.skills, options.runs, times)


def report(skills: int, runs: int, times: dict[str, list[Times]]) -> None:
    """Print medians, without the first run, and whether the bounds are met."""
    medians = {
        name: [statistics.median(row[part] for row in found[1:]) for part in (0, 1)] for name, found in times.items()
    }
    print(f"{skills} skills, {runs} runs, {os.cpu_count()} CPUs; medians")
    base = medians[BASE]
    for name, (wall, cpu) in medians.items():
        print(f"{name:<26} {wall * 1000:7.1f} ms wall  {cpu * 1000:7.1f} ms CPU   {wall / base[0]:5.2f} x")
    for part, word in enumerate(("wall", "CPU")):
        bound = min(3 * base[part] + 0.150, 0.350)
        for name in ("pre-commit", "commit-msg"):
            met = "met" if medians[name][part] <= bound else "NOT met"
            print(f"{name} {word}: {medians[name][part] * 1000:.0f} ms of {bound * 1000:.0f} ms   {met}")


if __name__ == "__main__":
    main()

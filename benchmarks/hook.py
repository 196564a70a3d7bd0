"""How long the hooks take, beside the start of an interpreter with click, measured in turn in one run.

    python benchmarks/hook.py [--skills 500] [--runs 15]

The pre-commit hook is run as git runs it (the installed sh file) on a one-file change in a repository of N skills; the
bound printed is 3 × `python -c "import click"` + 150 ms, in wall time, medians.
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

from hermes_git.commands import hook_files
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository

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


def seconds(command: list[str], folder: Path) -> float:
    """Return the wall time of one run of a command."""
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skills", type=int, default=500)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "repo"
        repo = build(folder, options.skills)
        message = Path(scratch) / "message"
        message.write_text("change one skill\n", encoding="utf-8")
        hooks = repo.common_dir / "hooks"
        commands = {
            "python -c 'import click'": [sys.executable, "-c", "import click"],
            "pre-commit": [str(hooks / "pre-commit")],
            "commit-msg": [str(hooks / "commit-msg"), str(message)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.runs + 1):
            for name, command in commands.items():
                times[name].append(seconds(command, folder))
    medians = {name: statistics.median(found[1:]) for name, found in times.items()}
    print(f"{options.skills} skills, {options.runs} runs, {os.cpu_count()} CPUs; medians of wall time")
    base = medians["python -c 'import click'"]
    bound = 3 * base + 0.150
    for name, value in medians.items():
        print(f"{name:<26} {value * 1000:7.1f} ms   {value / base:5.2f} x")
    print(
        f"{'bound (3 x + 150 ms)':<26} {bound * 1000:7.1f} ms   {'met' if medians['pre-commit'] <= bound else 'NOT met'}"
    )


if __name__ == "__main__":
    main()

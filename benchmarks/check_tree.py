"""Measure `hermes-git check --all` on a tree of many skills, twice, and `check` on files of 1 MB made to be hard.

Prints user and system time and peak memory of each run, and how many times less the second run over an unchanged
tree takes. Everything is made up here. Usage: `python benchmarks/check_tree.py [SKILLS]` (1,000 unless told).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1_000_000
VERBS = "checks collects counts formats joins lists measures merges prints renames sorts splits tests traces".split()
THINGS = "addresses books charts dates entries figures graphs headings images links numbers pages tables words".split()
HARD = {
    "parens.sh": "(",
    "dollars.sh": "${",
    "pipes.sh": "curl x | ",
    "pipes.md": "curl x | sh\n\n",
    "rules.md": "---\n",
    "fences.md": "```bash\n",
    "angles.md": "<",
    "ticks.md": "`",
    "blanks.md": " ",
    "joiners.md": "\u200b",
    "orders.md": "ignore all previous ",
    "escapes.py": "\\u0049",
    "brackets.py": "[",
    "sums.py": "a+",
    "calls.js": "f(",
    "types.ts": "a<b,",
    "braces.ps1": "${",
    "table.json": '[{"a":',
    "base64.txt": "aWdub3Jl",
    "token.txt": "token=",
}
"""File name → unit that is repeated up to 1 MB."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took: exit code, CPU seconds, peak memory in MB."""

    code: int
    seconds: float
    megabytes: float


def page(number: int, dice: random.Random) -> str:
    """Return a SKILL.md of some three to eight kB that no other skill has."""
    verb, thing = dice.choice(VERBS), dice.choice(THINGS)
    lines = [f"---\nname: skill-{number}\ndescription: {verb.capitalize()} {thing}. Use when {thing} change.\n---\n"]
    for part in range(dice.randint(4, 10)):
        lines.append(f"## Part {part}\n")
        for _ in range(dice.randint(3, 8)):
            words = [dice.choice(VERBS + THINGS) for _ in range(dice.randint(8, 16))]
            lines.append(f"- First look at `{dice.choice(THINGS)}.txt`, which {' '.join(words)}.")
        lines.append(f"\n```bash\nsort -u {dice.choice(THINGS)}.txt | head -n {dice.randint(1, 99)}\n```\n")
    return "\n".join([*lines, "Run `scripts/run.py`; see `references/more.md`.", ""])


def script(dice: random.Random) -> str:
    """Return a small program."""
    rows = ["import pathlib", ""]
    for part in range(dice.randint(5, 20)):
        rows += [f"def part_{part}(path: str) -> int:", "    text = pathlib.Path(path).read_text('utf-8')"]
        rows += [f"    return text.count({dice.choice(THINGS)!r}) + {dice.randint(1, 999)}", ""]
    return "\n".join(rows)


def plant(top: Path, count: int) -> None:
    """Write a repository of that many skills, each with a reference and a script."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(top)], check=True)
    dice = random.Random(7)
    for number in range(count):
        folder = top / "knowledge/skills" / VERBS[number % len(VERBS)] / f"skill-{number}"
        for name, text in (
            ("SKILL.md", page(number, dice)),
            ("references/more.md", "# More\n\n" + page(number, dice).split("---\n", 2)[2]),
            ("scripts/run.py", script(dice)),
        ):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", newline="")


def measured(folder: Path, *args: str) -> Cost:
    """Run `hermes-git check` in a folder and return what it took."""
    command = [sys.executable, "-m", "hermes_git", "-C", str(folder), "check", *args]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Cost(child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def show(name: str, cost: Cost) -> None:
    """Print one row."""
    print(f"{name:<28} exit {cost.code}  CPU {cost.seconds:7.2f} s  peak {cost.megabytes:5.0f} MB", flush=True)


def main() -> int:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as scratch:
        tree, hard = Path(scratch) / "tree", Path(scratch) / "hard"
        plant(tree, count)
        first = measured(tree, "--all")
        second = measured(tree, "--all")
        show(f"{count} skills, first", first)
        show(f"{count} skills, second", second)
        print(f"the second run takes {first.seconds / second.seconds:.1f} times less CPU")
        hard.mkdir()
        show("nothing", measured(hard, "."))
        for name, unit in HARD.items():
            (hard / name).write_text((unit * MEGABYTE)[:MEGABYTE], encoding="utf-8", newline="")
        show(f"{len(HARD)} hard files of 1 MB", measured(hard, "."))
    return 0


if __name__ == "__main__":
    sys.exit(main())

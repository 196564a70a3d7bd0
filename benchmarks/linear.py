"""Time every pattern and every check on texts made to be slow: seconds for each megabyte, and how they grow.

Usage: python benchmarks/linear.py [patterns] [checks] [--size BYTES] [--kind NAME] [--bound SECONDS]

Texts are repetitions of units that parsers stumble over and, for patterns, of what each of their repetitions accepts,
behind a text that leads up to it. Each is timed at half the size too: twice the time is linear growth, four times is
the square. Only what exceeds the bound a megabyte is printed; the exit code is 1 when anything does.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import hermes_git.checks
import hermes_git.patterns
from hermes_git.checks.run import scan
from hermes_git.document import Document
from hermes_git.patterns.lazy import Pattern

UNITS = (
    "\\u0049", " ", "\t", "\n", " \n", "(", "<", "`", "```\n", "~~~\n", "QUJD", "\u200b", "\U000e0041", "a ", "a\n",
    "a  b", "![](", "[a](", "[", "]", "<!--", "<a ", "<div>", "- ", "> ", "| a ", "# ", "*", "_", "a_", "~", "$(",
    "${", "%41", "&#65;", "0x41,", "65, ", "-", "=", '"', "'", "\\", "/*", "//", "{", "}", ")", "a<b,", "<<A\n",
    "a=(", "for(", "case x in ", "ignore previous ", "do not tell the user ", "send the key to ", "curl x | ",
    "echo a; ", "import os\n", "x=1\n", "eval(", "if a:\n ", "lambda:", "not ", "f(", "'a'+", "1", "A1", "a.", "@",
    "a@b.", "sk-", "password=", "key: ", "token ", "http://a/", "://a.", "---\n", "§\n", "\r\n", "é", "и",
    "ignore\u0430", "a\u0301", "你", "\ufe0f", "\u202e",
)  # fmt: skip

KINDS = (
    "SKILL.md", "MEMORY.md", "notes.txt", "run.py", "run.sh", "run.mjs", "run.ts", "run.ps1", "run.bat", "run.rb",
    "run.pl", "run.php", "a.json", "a.yml", "a.toml", "a.html", "a.ipynb", "Makefile", "Dockerfile",
    ".github/workflows/a.yml",
)  # fmt: skip


def modules() -> Iterator[ModuleType]:
    """Yield the modules whose patterns and checks are timed."""
    for package in (hermes_git.patterns, hermes_git.checks):
        for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            yield importlib.import_module(info.name)


def patterns() -> dict[str, re.Pattern[str]]:
    """Return every compiled expression over text that a module holds, by its name or that of its table."""
    found: dict[str, re.Pattern[str]] = {}

    def add(name: str, value: object, depth: int = 0) -> None:
        if isinstance(value, Pattern):
            value = value.compiled
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                found.setdefault(value.pattern, value)
                names.setdefault(value.pattern, name)
        elif depth < 3 and isinstance(value, tuple | list | frozenset):
            for item in value:
                add(name, item, depth + 1)
        elif depth < 3 and isinstance(value, dict):
            for item in value.values():
                add(name, item, depth + 1)
        elif depth < 3 and hasattr(value, "__dataclass_fields__"):
            for field in value.__dataclass_fields__:
                add(name, getattr(value, field, None), depth + 1)

    names: dict[str, str] = {}
    for module in modules():
        for name, value in vars(module).items():
            if not name.startswith("__"):
                add(f"{module.__name__.removeprefix('hermes_git.')}.{name}", value)
    return {f"{names[source]} #{number}": value for number, (source, value) in enumerate(found.items())}


def leads(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return `(text that leads up to a repetition, what it repeats)` for the repetitions of an expression."""
    found: list[tuple[str, str]] = []
    walk(re._parser.parse(pattern.pattern, pattern.flags), "", found)  # type: ignore[attr-defined]
    return list(dict.fromkeys(found))[:60]


def walk(tree: Any, before: str, found: list[tuple[str, str]]) -> str:
    """Collect repetitions below a node; return a text that the node matches, appended to `before`."""
    for op, argument in tree:
        name = str(op)
        if name in ("LITERAL", "NOT_LITERAL"):
            before += chr(argument) if name == "LITERAL" else "x"
        elif name == "ANY":
            before += "x"
        elif name == "IN":
            before += one_of(argument)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, inner = argument
            unit = walk(inner, "", found)
            if high > 1:
                found.append((before, unit or "x"))
            before += unit * min(max(low, 1), 3 if low < 3 else low)
        elif name == "SUBPATTERN":
            before = walk(argument[3], before, found)
        elif name == "ATOMIC_GROUP":
            before = walk(argument, before, found)
        elif name == "BRANCH":
            texts = [walk(branch, before, found) for branch in argument[1]]
            before = max(texts[:8], key=len)
    return before


def one_of(members: Any) -> str:
    """Return a character that a class accepts."""
    for op, argument in members:
        if str(op) == "LITERAL":
            return chr(argument)
        if str(op) == "RANGE":
            return chr(argument[0])
        if str(op) == "CATEGORY":
            return {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "1", "CATEGORY_NOT_WORD": "-"}.get(str(argument), "x")
    return "x"


def repeated(unit: str, size: int) -> str:
    """Return a unit repeated to at most `size` bytes."""
    return unit * max(1, size // len(unit.encode("utf-8", "replace")))


def seconds(run: Callable[[str], object], text: str) -> float:
    """Return the processor time that a run over a text takes."""
    start = time.process_time()
    run(text)
    return time.process_time() - start


Units = list[tuple[str, str]]


def slow(name: str, run: Callable[[str], object], units: Units, size: int, bound: float) -> Iterator[str]:
    """Yield a line for each text that takes longer than the bound for a megabyte; begin small, lest one never ends."""
    for lead, unit in units:
        part, spent, before = size // 16, 0.0, 0.0
        while part <= size:
            before, spent = spent, seconds(run, lead + repeated(unit, part))
            if spent > bound * size / 1e6:
                growth = f", {spent / before:.1f} times the half" if before else ""
                yield f"{name} {ascii(lead)[-40:]} {ascii(unit)[:40]}: {spent / part * 1e6:.1f} s a MB{growth}"
                break
            part *= 2


def of_patterns(size: int, bound: float) -> Iterator[str]:
    """Yield what is slow among patterns."""
    for name, pattern in patterns().items():
        own = leads(pattern)
        units = [("", unit) for unit in UNITS] + own + [("", lead + unit) for lead, unit in own if lead]
        yield from slow(name, lambda text, found=pattern: sum(1 for _ in found.finditer(text)), units, size, bound)


def of_checks(size: int, bound: float, kinds: tuple[str, ...]) -> Iterator[str]:
    """Yield what is slow among all checks together, one kind of file after the other."""
    for kind in kinds:

        def run(text: str, name: str = kind) -> object:
            return scan([Document(f"skill/{name}", text.encode("utf-8", "replace"))], trust="community")

        yield from slow(kind, run, [("", unit) for unit in UNITS], size, bound)


def main() -> int:
    """Time what is asked for and print what is slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["patterns", "checks"])
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--bound", type=float, default=2.0, help="seconds a megabyte")
    options = parser.parse_args()
    count = 0
    if "patterns" in options.what:
        for line in of_patterns(options.size, options.bound):
            count += 1
            print(line, flush=True)
        print(f"{len(patterns())} patterns, {count} texts too slow", flush=True)
    if "checks" in options.what:
        for line in of_checks(options.size, options.bound, tuple(options.kind) or KINDS):
            count += 1
            print(line, flush=True)
        print(f"{len(options.kind or KINDS)} kinds of files x {len(UNITS)} texts", flush=True)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

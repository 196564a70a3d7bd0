"""The exam is not circular: who asks, who summarises and who answers share nothing but the reading of the format."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent.parent / "hermes_git"

PARTS = {
    "generator": ("evals.bank", "evals.cloze", "evals.calls", "evals.shapes"),
    "summariser": ("trajectories.extract", "trajectories.anchors", "trajectories.segments", "trajectories.summaries"),
    "reader": ("evals.reader",),
}
FORMAT = {
    "errors", "trajectories.atif_steps", "trajectories.model", "trajectories.row", "trajectories.plain",
    "trajectories.strict_json", "trajectories.tags", "trajectories.policy", "trajectories.plan",
    "evals.question", "evals.transcript",
}  # fmt: skip
"""What all parts may use: values, the format of rows, and which turns are protected."""


def imports(module: str) -> set[str]:
    path = PACKAGE / f"{module.replace('.', '/')}.py"
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hermes_git"):
            base = (node.module or "").removeprefix("hermes_git").removeprefix(".")
            for alias in node.names:
                whole = f"{base}.{alias.name}" if base else alias.name
                found.add(whole if (PACKAGE / f"{whole.replace('.', '/')}.py").is_file() else base)
    return found


def reach(modules: tuple[str, ...]) -> set[str]:
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += imports(module)
    return seen


@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(PARTS, 2)])
def test_parts_share_only_the_format(one: str, other: str) -> None:
    assert reach(PARTS[one]) & reach(PARTS[other]) <= FORMAT


def test_the_format_holds_no_patterns_of_an_exam() -> None:
    for module in ("row", "plan", "policy", "model"):
        assert "re.compile" not in (PACKAGE / f"trajectories/{module}.py").read_text(encoding="utf-8")


def test_the_reader_never_sees_gold() -> None:
    text = (PACKAGE / "evals/reader.py").read_text(encoding="utf-8")
    assert ".gold" not in text
    assert ".source" not in text

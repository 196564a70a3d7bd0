"""Small on purpose: a number in a test beats a sentence in a guide."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path
    for folder in ("hermes_git", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
    if "data" not in path.relative_to(ROOT).parts
)
MAX_MODULE, MAX_FUNCTION = 400, 50


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_module_and_functions_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    assert lines <= MAX_MODULE, f"{path.name} has {lines} lines"
    long = [
        f"{node.name} ({node.end_lineno - node.lineno + 1} lines)"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION
    ]
    assert not long, f"{path.name}: {long}"

"""The ladder: a module imports only from rungs below its own, and areas on one rung do not know each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "hermes_git"

LADDER = [
    {"errors", "version", "names", "screen"},
    {"finding", "document", "settings", "patterns", "check_ids", "zst"},
    {"gitrepo", "files", "sqlite", "tokens", "llm", "scanner"},
    {"knowledge", "sessions"},
    {"provenance"},
    {"checks", "recall"},
    {"gate", "providers", "trajectories", "reports", "learn"},
    {"curator", "batch", "evals", "export"},
    {"hook", "mcp_server", "commands"},
    {"cli"},
    {"book", "__main__"},
]
RUNG = {name: number for number, names in enumerate(LADDER) for name in names}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "data" not in path.relative_to(PACKAGE).parts)


def area(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "hermes_git":
                names |= {alias.name for alias in node.names}
            elif node.module.startswith("hermes_git."):
                names.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("hermes_git.")}
        elif isinstance(node, ast.ImportFrom):
            raise AssertionError(f"{path}:{node.lineno}: write absolute imports")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_down(path: Path) -> None:
    here = area(path)
    if path == PACKAGE / "__init__.py":
        return
    assert here in RUNG, f"{here} has no rung; add it to the ladder"
    up = sorted(there for there in imported(path) if there != here and RUNG[there] >= RUNG[here])
    assert not up, f"{here} must not import {up}"


def test_packages_do_not_re_export() -> None:
    full = [path for path in PACKAGE.rglob("__init__.py") if path.read_text(encoding="utf-8").strip()]
    assert not full, f"these __init__.py files must stay empty: {full}"


def test_packages_are_flat() -> None:
    deep = [path for path in MODULES if len(path.relative_to(PACKAGE).parts) > 2]
    allowed = [path for path in deep if path.relative_to(PACKAGE).parts[:2] == ("sessions", "formats")]
    assert deep == allowed

"""Effects by name: only the listed modules touch the world; everything else is values in, values out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.test_layers import MODULES, PACKAGE, area

WORLD = {
    "gitrepo",
    "files",
    "sqlite",
    "tokens",
    "scanner",
    "hook",
    "mcp_server",
    "commands",
    "book",
    "cli",
    "__main__",
    "batch",
}
WORLD_MODULES = {"llm/client.py", "recall/index.py", "evals/plot.py"}

MODULE_EFFECTS = {"subprocess", "random", "time", "socket", "urllib", "http", "httpx", "requests", "tempfile", "shutil"}
PURE_IMPORTS = {"urllib.parse"}
CALL_EFFECTS = {"open", "print", "input", "exec", "eval"}
ATTRIBUTE_EFFECTS = {
    "os.environ", "os.getenv", "os.system", "os.popen", "sys.argv", "sys.stdin", "sys.stdout", "sys.stderr",
    "datetime.now", "datetime.utcnow", "datetime.today", "date.today", "Path.home", "Path.cwd", "os.getcwd",
    "uuid.uuid4", "os.urandom",
}  # fmt: skip
METHOD_EFFECTS = {"read_text", "read_bytes", "write_text", "write_bytes", "unlink", "mkdir", "rmdir", "iterdir", "stat"}

PURE = [
    path for path in MODULES if area(path) not in WORLD and path.relative_to(PACKAGE).as_posix() not in WORLD_MODULES
]


def effects(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = _effect(node)
        if name:
            found.append(f"line {getattr(node, 'lineno', 0)}: {name}")
    return found


def _effect(node: ast.AST) -> str:
    if isinstance(node, ast.Import):
        return next((alias.name for alias in node.names if alias.name.split(".")[0] in MODULE_EFFECTS), "")
    if isinstance(node, ast.ImportFrom) and node.module not in PURE_IMPORTS:
        if (node.module or "").split(".")[0] in MODULE_EFFECTS:
            return node.module or ""
        return ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALL_EFFECTS:
        return node.func.id
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHOD_EFFECTS:
        named = isinstance(node.func.value, ast.Name) and node.func.value.id == "files"  # asked of the module that may
        return "" if named else f".{node.func.attr}()"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        dotted = f"{node.value.id}.{node.attr}"
        return dotted if dotted in ATTRIBUTE_EFFECTS else ""
    return ""


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_module_has_no_effects(path: Path) -> None:
    found = effects(path)
    assert not found, f"{path.relative_to(PACKAGE)} touches the world: {found}"

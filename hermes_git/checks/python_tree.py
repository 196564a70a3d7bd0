"""Python source as a syntax tree: parsed once, never compiled to code, never run."""

from __future__ import annotations

import ast
import functools
import warnings


@functools.lru_cache(maxsize=16)
def parse(source: str) -> ast.Module | None:
    """Parse Python source; None when it is none. Source is data: nothing is compiled to code or run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


@functools.lru_cache(maxsize=2)
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return all nodes of a tree, collected once for the two who look at them: program and text."""
    return tuple(ast.walk(tree))

"""The one list of modules that hold checks; importing them fills the registry."""

from __future__ import annotations

import functools
import importlib

from hermes_git.checks.registry import CHECKS, Check

MODULES = (
    "bytes_and_names",
    "archives",
    "folders",
    "specification",
    "house",
    "house_files",
    "house_pages",
    "memory_format",
    "hidden_text",
    "secrets",
    "hidden_markdown",
    "prose",
    "prose_control",
    "python_code",
    "shell_code",
    "script_code",
    "other_code",
    "composition",
    "skill_composition",
    "opinions",
)
"""Modules of this package; a new module of checks is added here by hand."""

DECLARING = ("hermes_git.gate.findings", "hermes_git.curator.pages")
"""Modules of other areas that only declare the ids they raise."""


@functools.cache
def load() -> dict[str, Check]:
    """Import all modules of checks and return the registry, sorted by id."""
    for name in MODULES:
        importlib.import_module(f"hermes_git.checks.{name}")
    return dict(sorted(CHECKS.items()))


def load_all(declaring: tuple[str, ...] = DECLARING) -> dict[str, Check]:
    """Return the registry together with the ids that other areas declare, for `explain` and the documentation."""
    load()
    for name in declaring:
        importlib.import_module(name)
    return dict(sorted(CHECKS.items()))

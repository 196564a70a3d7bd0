"""Files that ship with the package: templates, hooks, and the data of the tour."""

from __future__ import annotations

import shutil
from pathlib import Path

from hermes_git import files
from hermes_git.errors import UserError

PACKAGE = Path(__file__).resolve().parent.parent


def template(name: str, **values: str) -> str:
    """Return a template's text with `{name}` marks filled in; other braces stay as they are."""
    text = files.read_bytes(PACKAGE / "data" / "templates" / name).decode("utf-8")
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    return text


def hook(name: str) -> bytes:
    """Return the hook file of a name: packaged in a wheel, or the repository's own in a development install."""
    for folder in (PACKAGE / "data" / "hooks", PACKAGE.parent / "hooks"):
        if (folder / name).is_file():
            return files.read_bytes(folder / name)
    raise UserError(f"the hook file {name} is missing from this installation", hint="reinstall hermes-git")


def folder(name: str) -> Path:
    """Return the path of a packaged data folder."""
    return PACKAGE / "data" / name


def copy(source: Path, target: Path) -> None:
    """Copy a packaged folder; what an installer compiled beside its Python files is no part of it."""
    shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))

"""Other tools that manage hooks: how to recognise them, and where their users want our call to stand."""

from __future__ import annotations

from pathlib import Path

from hermes_git import files

MAX_HOOK = 1024 * 1024

PRE_COMMIT = (
    "the pre-commit framework's hook runs first; to have both managed there, add the ids hermes-git and "
    "hermes-git-intent to .pre-commit-config.yaml"
)
LEFTHOOK = (
    "lefthook rewrites this file whenever it installs; add to lefthook.yml: "
    "{name}: {{commands: {{hermes-git: {{run: hermes-git hook {name} {{0}}}}}}}}"
)


def is_husky(folder: Path) -> bool:
    """Say whether a hook folder is husky's: `.husky`, or `.husky/_` in its later versions."""
    return ".husky" in folder.parts


def editable(folder: Path) -> Path:
    """Return the folder whose hooks people edit: husky generates `.husky/_` and calls the files beside it."""
    return folder.parent if is_husky(folder) and folder.name == "_" else folder


def manager(hook: Path) -> str:
    """Return which tool wrote a hook file: pre-commit, lefthook, husky, or "" for anything else."""
    if not hook.is_file():
        return ""
    data = files.read_bytes(hook, limit=MAX_HOOK)
    for mark, name in ((b"pre-commit.com", "pre-commit"), (b"lefthook", "lefthook"), (b"husky", "husky")):
        if mark in data:
            return name
    return ""


def advice(hook: Path, name: str) -> str:
    """Say what the user of a hook manager should do so that our hook stays called; "" where nothing is to be said."""
    found = manager(hook)
    if found == "pre-commit":
        return PRE_COMMIT
    return LEFTHOOK.format(name=name) if found == "lefthook" else ""

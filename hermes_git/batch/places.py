"""Scratch folders and the environments in them: made for one prompt, gone after it, never inside a repository."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_git.batch.environment import USUAL, Bounds, Environment
from hermes_git.batch.environment_docker import Docker, Engine
from hermes_git.batch.environment_local import Local
from hermes_git.batch.environment_modal import Modal
from hermes_git.errors import UserError

Kind = Literal["none", "local", "docker", "modal"]
"""`none` has scratch folders and file tools, but runs no command."""

WORK, HOME = "work", "home"
"""Folders of a prompt: what it works in, and the home of its commands, which must not mix with it."""

PREFIX = "hermes-git-batch-"
DEFAULT_IMAGE = "python:3.11-slim"
DOCKER = Engine()


@dataclass(frozen=True, slots=True)
class Places:
    """Where the prompts of a run work: the kind of environment, its bounds, and the folder of scratch folders."""

    kind: Kind
    root: Path
    bounds: Bounds = USUAL
    image: str = DEFAULT_IMAGE
    engine: Engine = DOCKER

    @contextlib.contextmanager
    def scratch(self, name: str) -> Iterator[Path]:
        """Yield a new folder for a prompt, with a home beside it, and remove both."""
        around = Path(tempfile.mkdtemp(prefix=f"{name[:24]}-", dir=self.root)).resolve()
        try:
            for inner in (WORK, HOME):
                (around / inner).mkdir()
            yield around / WORK
        finally:
            remove_tree(around)

    def open(self, folder: Path, *, image: str = "", cwd: str = "") -> Environment:
        """Return an environment on a scratch folder; `UserError` when it cannot be had.

        `image` and `cwd` mean something in a container only.
        """
        if self.kind == "docker":
            return Docker.started(folder, image or self.image, self.bounds, self.engine, cwd)
        if self.kind == "modal":
            return Modal.started(folder, image or self.image, self.bounds, cwd)
        return Local(folder, self.bounds, home=folder.with_name(HOME), allowed=self.kind == "local")


def new_root() -> Path:
    """Make the folder of a run's scratch folders, in the system's place for temporary files."""
    return Path(tempfile.mkdtemp(prefix=PREFIX))


def remove_root(path: Path) -> None:
    """Remove what a killed run left, if it is a folder that `new_root` made for this user."""
    try:
        found = path.lstat()
    except OSError:
        return
    if path.name.startswith(PREFIX) and stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
        remove_tree(path)


def remove_tree(folder: Path) -> None:
    """Remove a folder whatever permissions a command left inside; links are removed, not followed."""
    for inside, names, _ in os.walk(folder, followlinks=False):
        for name in names:
            path = Path(inside) / name
            if not path.is_symlink():
                path.chmod(0o700)
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UserError(f"cannot remove {folder}: {error.strerror}", hint="remove it by hand") from error

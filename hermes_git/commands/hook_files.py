"""Installing the hook files: an existing hook is kept and runs first, a foreign hook folder is left alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files
from hermes_git.commands import packaged
from hermes_git.gate.commit import HOOK_MARK, KEPT_SUFFIX
from hermes_git.gitrepo.repository import Repository

NAMES = ("pre-commit", "commit-msg")


@dataclass(frozen=True, slots=True)
class HookState:
    """One hook: whether ours is there and runs, whether an older one is chained, and what to say about it."""

    name: str
    state: str
    detail: str = ""

    @property
    def is_good(self) -> bool:
        """Say whether this hook judges commits."""
        return self.state in ("installed", "chained")


@dataclass(frozen=True, slots=True)
class HookFolder:
    """Where git looks for hooks, and why we must not write there, if so."""

    path: Path
    foreign: str = ""


def hook_folder(repo: Repository) -> HookFolder:
    """Find the folder git takes hooks from, and say when it is not this repository's own."""
    path = Path(repo.ask("rev-parse", "--path-format=absolute", "--git-path", "hooks") or repo.common_dir / "hooks")
    own = repo.common_dir / "hooks"
    if path.resolve() == own.resolve():
        return HookFolder(path)
    scope = (repo.ask("config", "--show-scope", "--get", "core.hooksPath") or "").split("\t")[0]
    manager = _manager(path)
    return HookFolder(path, f"core.hooksPath ({scope or 'configured'}) points to {path}{manager}")


def _manager(path: Path) -> str:
    if ".husky" in path.parts:
        return ", which is husky's"
    return ""


def explanation(folder: HookFolder) -> str:
    """Say what a person has to do where hooks are run from a folder that is not ours to write to."""
    lines = "\n".join(f'    {folder.path / name}:  hermes-git hook {name} "$@" || exit $?' for name in NAMES)
    return f"{folder.foreign}, so no hook was written.\n  Add one line to each of these hooks:\n{lines}"


def install(repo: Repository) -> list[HookState]:
    """Install our hooks into the repository's own folder; a hook that is there is kept beside ours and runs first."""
    folder = hook_folder(repo)
    if folder.foreign:
        return [HookState(name, "foreign", folder.foreign) for name in NAMES]
    return [_install_one(folder.path, name) for name in NAMES]


def _install_one(folder: Path, name: str) -> HookState:
    target, ours = folder / name, packaged.hook(name)
    kept = folder / (name + KEPT_SUFFIX)
    if os.path.lexists(target) and not is_ours(target):
        if os.path.lexists(kept):
            return HookState(name, "blocked", f"{kept} is in the way; move it, then run: hermes-git hooks install")
        target.rename(kept)
    if not target.is_file() or files.read_bytes(target) != ours or not os.access(target, os.X_OK):
        files.write_atomic(target, ours, mode=0o755)
    return HookState(name, "chained" if kept.exists() else "installed")


def uninstall(repo: Repository) -> list[HookState]:
    """Remove our hooks and put back what they were chained to."""
    folder = hook_folder(repo).path
    done = []
    for name in NAMES:
        target, kept = folder / name, folder / (name + KEPT_SUFFIX)
        if is_ours(target):
            files.remove(target)
            if kept.exists():
                kept.rename(target)
            done.append(HookState(name, "removed"))
    return done


def status(repo: Repository) -> list[HookState]:
    """Say of each hook whether it is there, ours, executable, and able to find an interpreter."""
    folder = hook_folder(repo)
    return [_state(repo, folder, name) for name in NAMES]


def _state(repo: Repository, folder: HookFolder, name: str) -> HookState:
    target = folder.path / name
    if folder.foreign:
        calls = target.is_file() and b"hermes-git hook" in files.read_bytes(target)
        return HookState(name, "chained" if calls else "foreign", folder.foreign)
    if not target.is_file():
        return HookState(name, "missing", "run: hermes-git hooks install")
    if not is_ours(target):
        calls = b"hermes-git hook" in files.read_bytes(target)
        return HookState(name, "chained" if calls else "other", "run: hermes-git hooks install")
    if not os.access(target, os.X_OK):
        return HookState(name, "not executable", f"git ignores it; run: chmod +x {target}")
    if not _finds_interpreter(repo):
        return HookState(name, "no interpreter", "run: hermes-git hooks install, or put hermes-git on PATH")
    return HookState(name, "chained" if (folder.path / (name + KEPT_SUFFIX)).exists() else "installed")


def _finds_interpreter(repo: Repository) -> bool:
    import shutil

    python = repo.ask("config", "--get", "hermes-git.python")
    return bool(python and os.access(python, os.X_OK)) or shutil.which("hermes-git") is not None


def is_ours(path: Path) -> bool:
    """Say whether a hook file is one of ours."""
    return path.is_file() and not path.is_symlink() and HOOK_MARK + b":" in files.read_bytes(path)[:512]

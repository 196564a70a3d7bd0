"""Installing the hook files: an existing hook is kept and runs first, a foreign hook folder is left alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from hermes_git import files
from hermes_git.commands import hook_managers, packaged
from hermes_git.gate.commit import HOOK_MARK, KEPT_SUFFIX
from hermes_git.gitrepo.repository import Repository

NAMES = (
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "applypatch-msg",
    "pre-applypatch",
    "pre-push",
)
"""Hooks that every installation has: together they see every commit that git makes here, and every push."""

STRICT = ("reference-transaction",)
REFRESH = ("post-merge", "post-checkout")
OPTIONAL = (*STRICT, *REFRESH)
"""Hooks that are installed only when they are asked for."""

MARK = HOOK_MARK + b":"


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
    manager = ", which is husky's" if hook_managers.is_husky(path) else ""
    return HookFolder(path, f"core.hooksPath ({scope or 'configured'}) points to {path}{manager}")


def explanation(folder: HookFolder) -> str:
    """Say what a person has to do where hooks are run from a folder that is not ours to write to."""
    place = hook_managers.editable(folder.path)
    lines = "\n".join(f'    {place / name}:  hermes-git hook {name} "$@" || exit $?' for name in NAMES)
    return f"{folder.foreign}, so no hook was written.\n  Add one line to each of these hooks:\n{lines}"


def install(repo: Repository, *, strict: bool = False, refresh: bool = False) -> list[HookState]:
    """Install our hooks into the repository's own folder; a hook that is there is kept beside ours and runs first."""
    folder = hook_folder(repo)
    wanted = (*NAMES, *(STRICT if strict else ()), *(REFRESH if refresh else ()))
    if folder.foreign:
        return [HookState(name, "foreign", folder.foreign) for name in wanted]
    known = [name for name in OPTIONAL if name not in wanted and is_ours(folder.path / name)]
    return [_install_one(folder.path, name) for name in (*wanted, *known)]


def _install_one(folder: Path, name: str) -> HookState:
    target, ours = folder / name, packaged.hook(name)
    kept = folder / (name + KEPT_SUFFIX)
    if os.path.lexists(target) and not is_ours(target):
        if os.path.lexists(kept):
            return HookState(name, "blocked", f"{kept} is in the way; move it, then run: hermes-git hooks install")
        target.rename(kept)
    if not target.is_file() or files.read_bytes(target) != ours or not os.access(target, os.X_OK):
        files.write_atomic(target, ours, mode=0o755)
    return HookState(name, "chained" if kept.exists() else "installed", hook_managers.advice(kept, name))


def uninstall(repo: Repository) -> list[HookState]:
    """Remove our hooks and put back what they were chained to."""
    folder = hook_folder(repo).path
    done = []
    for name in (*NAMES, *OPTIONAL):
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
    wanted = [*NAMES, *(name for name in OPTIONAL if is_ours(folder.path / name))]
    return [_state(repo, folder, name) for name in wanted]


def _state(repo: Repository, folder: HookFolder, name: str) -> HookState:
    target = folder.path / name
    if folder.foreign:
        return _foreign_state(folder, name)
    if not target.is_file():
        return HookState(name, "missing", "run: hermes-git hooks install")
    kept = folder.path / (name + KEPT_SUFFIX)
    if not is_ours(target):
        legacy = folder.path / f"{name}.legacy"  # where `pre-commit install` keeps, and still runs, what it found
        return _called(target, name) or _called(legacy, name) or _replaced(target, name)
    if not os.access(target, os.X_OK):
        return HookState(name, "not executable", f"git ignores it; run: chmod +x {target}")
    if not _finds_interpreter(repo):
        return HookState(name, "no interpreter", "run: hermes-git hooks install, or put hermes-git on PATH")
    if files.read_bytes(target) != packaged.hook(name):
        return HookState(name, "outdated", "it is from another version; run: hermes-git hooks install")
    return HookState(name, "chained" if kept.exists() else "installed", hook_managers.advice(kept, name))


def _foreign_state(folder: HookFolder, name: str) -> HookState:
    found = _called(folder.path / name, name) or _called(hook_managers.editable(folder.path) / name, name)
    return found or HookState(name, "foreign", f"{folder.foreign}; what to add there: hermes-git hooks install")


def _called(target: Path, name: str) -> HookState | None:
    """Return a good state when somebody else's executable hook calls ours by name."""
    if not target.is_file() or not os.access(target, os.X_OK):
        return None
    data = files.read_bytes(target)
    calls = MARK in data[:512] or f"hermes-git hook {name}".encode() in data
    return HookState(name, "chained", f"called by {target}") if calls else None


def _replaced(target: Path, name: str) -> HookState:
    return HookState(name, "other", hook_managers.advice(target, name) or "run: hermes-git hooks install")


def _finds_interpreter(repo: Repository) -> bool:
    import shutil

    python = repo.ask("config", "--get", "hermes-git.python")
    return bool(python and os.access(python, os.X_OK)) or shutil.which("hermes-git") is not None


def is_ours(path: Path) -> bool:
    """Say whether a hook file is one of ours."""
    return path.is_file() and not path.is_symlink() and MARK in files.read_bytes(path)[:512]

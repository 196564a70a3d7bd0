"""Writing to git by plumbing: blobs, trees from a private index, commits, and references that are compared first."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.gitrepo import read, run
from hermes_git.gitrepo.repository import Repository


@dataclass(frozen=True, slots=True)
class Edit:
    """One path of a tree to be set to a blob, or to be removed when `id` is empty."""

    path: str
    id: str
    mode: str = "100644"


@dataclass(frozen=True, slots=True)
class Person:
    """A name, an address and a moment (`<seconds> +0000`) for the author or committer of a commit."""

    name: str
    email: str
    date: str

    def env(self, role: str) -> dict[str, str]:
        """Return the three environment variables git reads for `AUTHOR` or `COMMITTER`."""
        return {f"GIT_{role}_NAME": self.name, f"GIT_{role}_EMAIL": self.email, f"GIT_{role}_DATE": self.date}


LOCK_FILE = re.compile(r"Unable to create '([^'\n]*\.lock)': File exists")
"""What git prints, in any version, when it finds the lock of another process."""


class Moved(UserError):
    """A reference was not where it was expected: somebody else wrote in between."""


def write_blob(repo: Repository, data: bytes) -> str:
    """Store bytes as a blob, without filters, and return its id."""
    object_id = run.text(repo.git("hash-object", "-w", "-t", "blob", "--stdin", stdin=data))
    read.remember(object_id, data)
    return object_id


def write_blobs(repo: Repository, contents: Sequence[bytes]) -> list[str]:
    """Store many blobs with one process and return their ids in the same order."""
    if len(contents) <= FEW:
        return [write_blob(repo, data) for data in contents]
    blobs = b"".join(b"blob\ndata %d\n%b\n" % (len(data), data) for data in contents)
    repo.git("fast-import", "--quiet", "--done", stdin=blobs + b"done\n")
    return [blob_id(repo, data) for data in contents]


FEW = 3
"""Up to this many blobs one `hash-object` each is cheaper than a `fast-import`, which may start a pack."""


def blob_id(repo: Repository, data: bytes) -> str:
    """Return the id that bytes have, or would have, as a blob of this repository."""
    return hashlib.new(repo.object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


@contextlib.contextmanager
def private_index(repo: Repository, base: str | None, edits: Iterable[Edit]) -> Iterator[Path]:
    """Yield an index file that holds tree `base` with the edits applied; the user's own index is not touched."""
    folder = repo.state / "tmp"
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    with tempfile.TemporaryDirectory(prefix="index-", dir=folder) as scratch:
        path = Path(scratch) / "index"
        env = {"GIT_INDEX_FILE": str(path)}
        repo.git(*(("read-tree", "--end-of-options", base) if base else ("read-tree", "--empty")), env=env)
        update_index(repo, edits, env=env)
        yield path


LEFT_AFTER_SECONDS = 24 * 3600


def _sweep(folder: Path) -> None:
    """Remove what killed processes left a day ago or longer; what cannot be removed does no harm."""
    oldest = time.time() - LEFT_AFTER_SECONDS
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if path.lstat().st_mtime < oldest:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def update_index(repo: Repository, edits: Iterable[Edit], *, env: dict[str, str] | None = None) -> None:
    """Set or remove paths in an index by object id, without looking at the work tree."""
    rows = b"".join(_index_row(repo, edit) for edit in edits)
    if not rows:
        return
    args = ["update-index", "-z", "--index-info"]
    status, _, err = run.attempt(args, cwd=repo.cwd, stdin=rows, env=env, clean=repo.clean)
    said = err.decode("utf-8", "replace")
    if status != 0:
        raise run.GitError(args, status, said)
    ignored = next((line for line in said.splitlines() if line.startswith("Ignoring path ")), "")
    if ignored:  # git says so and goes on, and the write would be lost
        path = ignored.removeprefix("Ignoring path ")
        raise UserError(f"git does not take the path {path!r}", hint="use a plain relative path; nothing was written")


INDEX_WAIT_SECONDS = 5.0
"""How long another git process may hold the index; git itself does not wait for it at all."""


def patiently(update: Callable[[], None]) -> None:
    """Run an update of the index; start over for a while where another git process is just writing it."""
    deadline = time.monotonic() + INDEX_WAIT_SECONDS
    while True:
        try:
            update()
        except run.GitError as error:
            if "index.lock" not in error.stderr or time.monotonic() >= deadline:
                raise
            time.sleep(0.05)
        else:
            return


def set_index_flags(repo: Repository, flags: Mapping[str, str]) -> None:
    """Give index entries back the flags that `read.index_flags` told of."""
    wanted = {"--skip-worktree": [path for path, flag in flags.items() if flag in "Ss"]}
    wanted["--assume-unchanged"] = [path for path, flag in flags.items() if flag.islower()]
    for option, paths in wanted.items():
        if paths:
            repo.git("update-index", option, "-z", "--stdin", stdin=b"\0".join(map(run.encode_path, paths)) + b"\0")


def _index_row(repo: Repository, edit: Edit) -> bytes:
    mode, object_id = (edit.mode, edit.id) if edit.id else ("0", repo.null_id)
    return f"{mode} {object_id}\t".encode() + run.encode_path(edit.path) + b"\0"


def index_tree(repo: Repository, index: Path | None = None) -> str:
    """Write the tree of an index (by default the one git is using) and return its id."""
    env = {"GIT_INDEX_FILE": str(index)} if index else None
    return run.text(repo.git("write-tree", env=env))


def write_tree(repo: Repository, base: str | None, edits: Iterable[Edit]) -> str:
    """Return the id of tree `base` with the edits applied."""
    with private_index(repo, base, edits) as index:
        return index_tree(repo, index)


UTF_8 = ("-c", "i18n.commitEncoding=UTF-8")
"""Messages are written in UTF-8 whatever the user's own commits are in, so that ids do not depend on it."""


def commit_tree(
    repo: Repository,
    tree: str,
    parents: Iterable[str],
    message: str,
    *,
    author: Person | None = None,
    committer: Person | None = None,
    sign: bool = False,
) -> str:
    """Create a commit object and return its id; no reference moves. Without persons git's own identity is used."""
    env = {**(author.env("AUTHOR") if author else {}), **(committer.env("COMMITTER") if committer else {})}
    args = [
        *UTF_8,
        "commit-tree",
        tree,
        *(word for parent in parents for word in ("-p", parent)),
        *(["-S"] if sign else []),
    ]
    return run.text(repo.git(*args, "-F", "-", stdin=message.encode("utf-8"), env=env))


def move_ref(repo: Repository, name: str, new: str, old: str | None, reason: str) -> None:
    """Point a reference at `new` only if it still points at `old` (None: does not exist); else raise `Moved`."""
    args = ["update-ref", "-m", reason, name, new, old or repo.null_id]
    status, _, err = run.attempt(args, cwd=repo.cwd, clean=repo.clean)
    if status == 0:
        return
    said = err.decode("utf-8", "replace")
    held = LOCK_FILE.search(said)
    if held:
        hint = "run the command again; if no git process is running, one was killed: remove that file"
        raise Moved(f"another git process holds {held.group(1)}", hint=hint)
    if "but expected" in said or "reference already exists" in said or "unable to resolve" in said:
        raise Moved(f"{name} kept moving while this was being written", hint="run the command again")
    raise run.GitError(args, status, said)


def delete_ref(repo: Repository, name: str, old: str) -> None:
    """Delete a reference only if it still points at `old`."""
    repo.git("update-ref", "-d", name, old)


def wants_signature(repo: Repository, options: Mapping[str, str] | None = None) -> bool:
    """Say whether the user has asked for every commit to be signed; `options` are git's, where they are known."""
    if options is not None and "commit.gpgsign" not in options:
        return False
    return repo.ask("config", "--type=bool", "commit.gpgSign") == "true"


def hooks_folder(repo: Repository, options: Mapping[str, str] | None = None) -> Path:
    """Return the folder git takes hooks from; `options` are git's, where they are known."""
    if options is not None and "core.hookspath" not in options:
        return repo.common_dir / "hooks"
    located = repo.ask("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    return Path(located) if located else repo.common_dir / "hooks"


def find_hook(folder: Path, name: str) -> Path | None:
    """Return the hook git would run under this name, or None where it is missing or not executable, as git has it."""
    hook = folder / name
    return hook if hook.is_file() and os.access(hook, os.X_OK) else None


def run_hook(repo: Repository, hook: Path, *args: str, index: Path | None = None) -> tuple[int, str]:
    """Run one of the user's hooks as git would, against a given index; return its status and what it printed."""
    import subprocess

    env = {key: value for key, value in os.environ.items() if key != "GIT_INDEX_FILE"}
    env |= {"GIT_DIR": str(repo.git_dir), "GIT_EDITOR": ":"}
    if index:
        env["GIT_INDEX_FILE"] = str(index)
    command = ["sh", str(hook), *args] if os.name == "nt" else [str(hook), *args]
    done = subprocess.run(
        command,
        cwd=repo.work_tree(),
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")

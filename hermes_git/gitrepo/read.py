"""Questions to git, each answered by one process: trees, blobs, the index, differences, configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.gitrepo import run
from hermes_git.gitrepo.repository import Repository


class _Memo:
    """Object content that this process has seen: an id names its bytes for ever, so nothing is read twice."""

    LIMIT = 32 * 1024 * 1024
    LARGEST = 2 * 1024 * 1024

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.named: dict[str, bytes | None] = {}
        self.size = 0

    def add(self, object_id: str, data: bytes) -> None:
        if len(data) > self.LARGEST or object_id in self.kept:
            return
        if self.size + len(data) > self.LIMIT:
            self.kept.clear()
            self.named.clear()
            self.size = 0
        self.kept[object_id] = data
        self.size += len(data)


_memo = _Memo()


def remember(object_id: str, data: bytes) -> None:
    """Keep the bytes of an object for this process."""
    _memo.add(object_id, data)


def remembered(object_id: str) -> bytes | None:
    """Return the bytes of an object that this process has seen, if it still has them."""
    return _memo.kept.get(object_id)


BATCH = 2000
"""Objects asked of one `cat-file` at a time, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path of a tree or of the index: six-digit mode and object id."""

    mode: str
    id: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One path that differs between two trees, or between a tree and the index; a missing side has id ``""``."""

    path: str
    status: str
    mode_before: str
    id_before: str
    mode_after: str
    id_after: str


def resolve(repo: Repository, revision: str, *, kind: str = "commit") -> str:
    """Return the full id of a revision peeled to `kind`; a revision that names nothing is an error."""
    found = repo.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{{kind}}}")
    if not found and revision.startswith("HEAD") and head(repo) is None:
        raise UserError("there is no commit yet", hint="commit your knowledge first")
    if not found:
        raise UserError(f"no {kind} called {revision!r}", hint="list what there is with: git log --oneline --all")
    return found


def head(repo: Repository) -> str | None:
    """Return the id of the commit HEAD names, or None before the first commit."""
    return repo.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def branch(repo: Repository) -> str | None:
    """Return the full name of the branch HEAD is on, or None when it is detached."""
    return repo.ask("symbolic-ref", "--quiet", "HEAD")


def checked_out(repo: Repository) -> frozenset[str]:
    """Return the full names of the branches that some work tree has checked out."""
    rows = run.fields(repo.git("worktree", "list", "--porcelain", "-z", accept=(0, 129)))
    if not rows:  # git before 2.36 has no -z here
        rows = run.text(repo.git("worktree", "list", "--porcelain")).split("\n")
    return frozenset(row.removeprefix("branch ") for row in rows if row.startswith("branch "))


def ref(repo: Repository, name: str) -> str | None:
    """Return the commit a full reference name points to, or None if there is no such reference."""
    return repo.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")


def ref_names(repo: Repository, *options: str) -> list[str]:
    """Return the full names of the references that `git for-each-ref OPTIONS` lists, in its order."""
    rows = run.text(repo.git("for-each-ref", "--format=%(refname)", *options)).split("\n")
    return [row for row in rows if row]  # a name may hold any byte but a line end


def merge_base(repo: Repository, one: str, other: str) -> str | None:
    """Return the best common ancestor of two commits, or None where histories are unrelated."""
    return repo.ask("merge-base", "--end-of-options", one, other)


def tree(repo: Repository, revision: str, *paths: str) -> dict[str, TreeEntry]:
    """List a revision's files recursively, links and gitlinks included, as path → entry."""
    output = repo.git(
        "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", revision, *(("--", *paths) if paths else ())
    )
    return dict(_tree_rows(run.fields(output)))


def _tree_rows(rows: Iterable[str]) -> Iterator[tuple[str, TreeEntry]]:
    for row in rows:
        head_part, _, path = row.partition("\t")
        mode, _, object_id = head_part.split(" ")
        yield path, TreeEntry(mode, object_id)


def index(repo: Repository, *paths: str) -> dict[str, TreeEntry]:
    """List the index that git is using right now (`GIT_INDEX_FILE` in a hook), unmerged paths left out."""
    entries = {}
    for row in run.fields(repo.git("ls-files", "-s", "-z", "--full-name", *(("--", *paths) if paths else ()))):
        meta, _, path = row.partition("\t")
        mode, object_id, stage = meta.split(" ")
        if stage == "0":
            entries[path] = TreeEntry(mode, object_id)
    return entries


def index_flags(repo: Repository, *paths: str) -> dict[str, str]:
    """Return path → git's letter for index entries that are not checked out (S) or assumed unchanged (lower case)."""
    rows = run.fields(repo.git("ls-files", "-v", "-z", "--full-name", *(("--", *paths) if paths else ())))
    return {row[2:]: row[0] for row in rows if row[0] == "S" or row[0].islower()}


def flagged_index(repo: Repository, *paths: str) -> tuple[dict[str, TreeEntry], dict[str, str]]:
    """Return what `index` and `index_flags` do, with one process."""
    entries, flags = {}, {}
    for row in run.fields(repo.git("ls-files", "-s", "-v", "-z", "--full-name", *(("--", *paths) if paths else ()))):
        meta, _, path = row.partition("\t")
        flag, mode, object_id, stage = meta.split(" ")
        if stage == "0":
            entries[path] = TreeEntry(mode, object_id)
            if flag == "S" or flag.islower():
                flags[path] = flag
    return entries, flags


def sizes(repo: Repository, ids: Iterable[str]) -> dict[str, int]:
    """Return the size in bytes of each object that exists."""
    distinct = list(dict.fromkeys(ids))
    known = {name: len(_memo.kept[name]) for name in distinct if name in _memo.kept}
    wanted = [name for name in distinct if name not in known]
    if not wanted:
        return known
    output = repo.git(
        "cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer", stdin="\n".join(wanted).encode()
    )
    rows = (line.split(" ") for line in run.text(output).split("\n"))
    return known | {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


def blobs(repo: Repository, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield `(id, bytes)` of each distinct object, in batches of one process each; a missing one is an error."""
    distinct = list(dict.fromkeys(ids))
    known = {name: _memo.kept[name] for name in distinct if name in _memo.kept}
    yield from known.items()
    wanted = [name for name in distinct if name not in known]
    for start in range(0, len(wanted), BATCH):
        part = wanted[start : start + BATCH]
        output = repo.git("cat-file", "--batch", "--buffer", stdin=("\n".join(part) + "\n").encode())
        yield from _objects(output, part)


def _objects(output: bytes, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    position = 0
    for name in wanted:
        end = output.index(b"\n", position)
        words = output[position:end].split(b" ")
        if len(words) != 3 or not words[2].isdigit():
            raise UserError(f"object {name} is missing", hint="check the repository with: git fsck")
        size = int(words[2])
        yield name, output[end + 1 : end + 1 + size]
        position = end + 1 + size + 1


COMMIT_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?:")


def contents(repo: Repository, names: Iterable[str]) -> list[bytes | None]:
    """Return the bytes of each blob named like `HEAD:path` or by id, None where there is none, in one process.

    A name that starts with a whole commit id means the same for ever and is asked for only once.
    """
    wanted = list(names)
    found = {name: _memo.named[name] for name in wanted if name in _memo.named}
    asked = [name for name in dict.fromkeys(wanted) if name not in found and "\n" not in name]
    if asked:
        found |= zip(asked, _contents(repo, asked), strict=True)
    _memo.named |= {name: found[name] for name in asked if COMMIT_NAME.match(name)}
    return [found.get(name) for name in wanted]


def _contents(repo: Repository, names: list[str]) -> Iterator[bytes | None]:
    output = repo.git("cat-file", "--batch", stdin=b"".join(run.encode_path(name) + b"\n" for name in names))
    position = 0
    for _ in names:
        end = output.index(b"\n", position)
        words = output[position:end].rsplit(b" ", 2)
        has_size = len(words) == 3 and words[2].isdigit()
        data = output[end + 1 : end + 1 + int(words[2])] if has_size else b""
        position = end + 1 + (len(data) + 1 if has_size else 0)
        if has_size and words[1] == b"blob":
            remember(words[0].decode("ascii"), data)
            yield data
        else:
            yield None


def options(repo: Repository) -> dict[str, str]:
    """Return all of git's configuration as it holds here; keys as git prints them, the last value wins."""
    rows = run.fields(repo.git("config", "-z", "--list"))
    return {key: value for key, _, value in (row.partition("\n") for row in rows)}


def blob_id(repo: Repository, data: bytes) -> str:
    """Return the id that bytes have as a blob, without asking git and without storing them."""
    import hashlib

    return hashlib.new(repo.object_format, b"blob %d\0" % len(data) + data).hexdigest()


def blob(repo: Repository, object_id: str) -> bytes:
    """Return the bytes of one object."""
    return next(blobs(repo, [object_id]))[1]


def smudged(repo: Repository, object_id: str, path: str) -> bytes:
    """Return a blob's bytes as a checkout would write them at this path: line ends and filters applied."""
    return repo.git("cat-file", "--filters", f"--path={path}", object_id)


def file_at(repo: Repository, revision: str, path: str) -> bytes | None:
    """Return the bytes of a regular file at a revision, or None if the revision has no such file."""
    found = tree(repo, revision, path).get(path)
    if found is None or not found.mode.startswith("100"):
        return None
    return blob(repo, found.id)


def compare(repo: Repository, before: str, after: str) -> list[Difference]:
    """List the paths that differ between two trees or commits; renames appear as a removal and an addition."""
    output = repo.git(
        "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-commit-id", "--end-of-options", before, after
    )
    return differences(run.fields(output), repo.null_id)


def staged(repo: Repository, base: str | None = None) -> list[Difference]:
    """List what the index that is being committed changes against `base` (HEAD, or nothing before the first commit)."""
    against = base or head(repo) or repo.empty_tree
    output = repo.git(
        "diff-index",
        "--cached",
        "--ita-invisible-in-index",
        "-z",
        "--raw",
        "--no-renames",
        "--end-of-options",
        against,
        "--",
    )
    found = differences(run.fields(output), repo.null_id)
    return [row for row in found if row.status == "D" or row.id_after]


def pending(repo: Repository, *paths: str, ignored: bool = False) -> dict[str, str]:
    """Return what is not committed at or below these paths: path → two-letter status, `??` for an unknown file.

    With `ignored`, files that git is told to ignore too, as `!!`.
    """
    more = ("--ignored=traditional",) if ignored else ()
    output = repo.git("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", *more, "--", *paths)
    return {row[3:]: row[:2] for row in run.fields(output)}


def differences(rows: list[str], null_id: str) -> list[Difference]:
    """Read the rows of `--raw -z`: meta data and path in turn, without renames."""
    found = []
    for meta, path in zip(rows[::2], rows[1::2], strict=True):
        mode_before, mode_after, id_before, id_after, status = meta.removeprefix(":").split(" ")
        before = "" if id_before == null_id else id_before
        after = "" if id_after == null_id else id_after
        found.append(Difference(path, status[:1], mode_before, before, mode_after, after))
    return found


def config(repo: Repository, prefix: str = "hermes-git.") -> dict[str, str]:
    """Return the user's configuration under a prefix; of a key given several times the last one holds."""
    status, out, _ = run.attempt(
        ["config", "-z", "--get-regexp", "^" + prefix.replace(".", r"\.")], cwd=repo.cwd, clean=repo.clean
    )
    rows = run.fields(out) if status == 0 else []
    return {key: value for key, _, value in (row.partition("\n") for row in rows)}


def user_config(folder: Path, prefix: str, *, clean: bool = False) -> dict[str, str]:
    """Return what the user's and the machine's configuration say under a prefix; a repository's own does not count.

    Nor does what one command line adds (`git -c`): it must not be able to take back what the user has said.
    """
    args = ["config", "-z", "--show-scope", "--get-regexp", "^" + prefix.replace(".", r"\.")]
    status, out, err = run.attempt(args, cwd=folder, clean=clean)
    if status not in (0, 1):
        raise run.GitError(args, status, run.text(err))
    rows = run.fields(out)
    pairs = [row.partition("\n") for scope, row in zip(rows[::2], rows[1::2], strict=True) if scope in OWN_SCOPES]
    return {key: value for key, _, value in pairs}


OWN_SCOPES = ("system", "global")


def log(repo: Repository, *args: str) -> list[str]:
    """Run one `git log -z` pass and return its NUL-separated records; the format is the caller's."""
    return run.fields(repo.git("log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv", *args))


LATEST = 253_402_300_799
"""The last second of the year 9999."""


def moment(text: str) -> int:
    """Return what git printed for a date (%ct, %at) as seconds since 1970 up to the year 9999.

    A commit that somebody made by hand can name any moment, or none that git prints; that is 0.
    """
    return min(int(text), LATEST) if text.isascii() and text.isdigit() and len(text) < 20 else 0


def commits(repo: Repository, base: str | None, tip: str) -> list[str]:
    """List the commits of `base..tip`, oldest first; all of them when there is no base."""
    span = f"{base}..{tip}" if base else tip
    return run.text(repo.git("rev-list", "--reverse", "--topo-order", "--end-of-options", span)).split()

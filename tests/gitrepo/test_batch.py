"""Objects read one at a time from one long-lived process."""

from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo import write
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.repository import Repository

CONTENTS = [b"", b"one\n", b"\0\xff\n" * 3, b"x" * 3_000_000, "部署".encode()]


def test_objects_in_any_order_and_twice(repo: Repository) -> None:
    ids = [write.write_blob(repo, data) for data in CONTENTS]
    with Objects(repo) as objects:
        for at in (3, 0, 4, 1, 2, 3):
            assert objects.read(ids[at]) == CONTENTS[at]


def test_a_missing_object_is_named_and_the_next_is_read(repo: Repository) -> None:
    there = write.write_blob(repo, b"there")
    with Objects(repo) as objects:
        with pytest.raises(UserError, match="object " + "1" * 40 + " is missing"):
            objects.read("1" * 40)
        assert objects.read(there) == b"there"
    objects.close()


def test_nothing_is_started_for_nothing(repo: Repository) -> None:
    objects = Objects(repo)
    objects.close()
    assert objects._process is None


def test_names_are_resolved_and_nothing_is_none(repo: Repository) -> None:
    with Objects(repo) as objects:
        assert objects.named("HEAD^{commit}") is None, "no commit yet"
    (repo.work_tree() / "a b.md").write_bytes(b"text\n")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "start")
    head = repo.git("rev-parse", "HEAD").decode().strip()
    stored = repo.git("hash-object", "-w", "--stdin", stdin=b"after").decode().strip()
    with Objects(repo) as objects:
        assert (objects.named("HEAD^{commit}") or ("", b""))[0] == head
        assert (objects.named("HEAD:a b.md") or ("", b""))[1] == b"text\n"
        assert objects.named("HEAD:missing") is None and objects.named("HEAD:with\nnewline") is None
        assert objects.fetch(stored, limit=10) == (5, b"after"), "the stream is still in step"


def test_large_objects_are_passed_over_and_small_ones_read(repo: Repository) -> None:
    small, empty, large = (
        repo.git("hash-object", "-w", "--stdin", stdin=data).decode().strip()
        for data in (b"a\nb\n", b"", b"x" * 3_000_000)
    )
    with Objects(repo) as objects:
        for _ in range(2):
            assert objects.fetch(large, limit=1000) == (3_000_000, None)
            assert objects.fetch(small, limit=1000) == (4, b"a\nb\n")
            assert objects.fetch(empty, limit=1000) == (0, b"")
        assert objects.fetch(large, limit=3_000_000) == (3_000_000, b"x" * 3_000_000)

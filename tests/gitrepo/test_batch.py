"""One long-lived reader of objects: small ones whole, large ones by their size only, missing ones named."""

from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.gitrepo.batch import Objects
from hermes_git.gitrepo.repository import Repository


def store(repo: Repository, data: bytes) -> str:
    return repo.git("hash-object", "-w", "--stdin", stdin=data).decode().strip()


def test_objects_of_any_size_in_any_order(repo: Repository) -> None:
    small, empty, large = (store(repo, data) for data in (b"a\nb\n", b"", b"x" * 3_000_000))
    with Objects(repo) as objects:
        for _ in range(2):
            assert objects.fetch(large, limit=1000) == (3_000_000, None)
            assert objects.fetch(small, limit=1000) == (4, b"a\nb\n")
            assert objects.fetch(empty, limit=1000) == (0, b"")
        assert objects.fetch(large, limit=3_000_000) == (3_000_000, b"x" * 3_000_000)


def test_a_missing_object_is_named(repo: Repository) -> None:
    with Objects(repo) as objects, pytest.raises(UserError, match="f00d"):
        objects.fetch("f00d" * 10, limit=10)

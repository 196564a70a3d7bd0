"""Trees as values: edits, and the very ids that git gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.curator.snapshot import read_tree
from hermes_git.curator.tree import Edit, Leaf, Tree, blob_id, root_of, tree_id
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.layout import is_below


def test_ids_are_those_of_git(repo: Repository, write: Callable[..., Path], commit: Callable[..., str]) -> None:
    for path in ("a", "b/c.md", "b/d/e.sh", "b.txt", "b0", "ü/é.md"):
        write(path, f"content of {path}\n")
    (repo.work_tree() / "b/d/e.sh").chmod(0o755)
    (repo.work_tree() / "link").symlink_to("b/c.md")
    commit()
    tree, not_read = read_tree(repo, "HEAD")
    assert not_read == ()
    assert tree.folder_id("") == repo.ask("rev-parse", "HEAD^{tree}")
    assert tree.folder_id("b") == repo.ask("rev-parse", "HEAD:b")
    assert tree.leaves["link"].data is None
    data = tree.leaves["b/c.md"].data
    assert data is not None and blob_id(data) == tree.leaves["b/c.md"].id


def test_ids_follow_the_object_format(tmp_path: Path) -> None:
    repo = create.create(tmp_path / "plain")
    repo.git("init", "-q", "--object-format=sha256", str(tmp_path / "big"))
    assert len(blob_id(b"x", "sha256")) == 64
    assert repo.git("hash-object", "--stdin", stdin=b"x").decode().strip() == blob_id(b"x")


def test_the_empty_tree_has_the_known_id(repo: Repository) -> None:
    assert tree_id({}) == repo.empty_tree


def test_edits_make_a_new_tree_and_leave_the_old() -> None:
    one = Tree({"a/x": Leaf("100644", "1"), "b": Leaf("100644", "2")})
    two = one.edited([Edit("a/x", None), Edit("c/d", Leaf("100755", "3"))])
    assert set(one.leaves) == {"a/x", "b"} and set(two.leaves) == {"b", "c/d"}
    assert two.has_folder("c") and not two.has_folder("a")
    assert list(two.below("c")) == ["c/d"]


@pytest.mark.parametrize(
    ("path", "root"), [("s/a/SKILL.md", "s/a"), ("s/a/references/x.md", "s/a"), ("s/b.md", ""), ("SKILL.md", "")]
)
def test_the_skill_of_a_path_is_the_nearest_folder_with_a_skill_file(path: str, root: str) -> None:
    assert root_of(path, Tree({"s/a/SKILL.md": Leaf("100644", "1")})) == root


PATHS = st.lists(st.text("ab/.0-\udcff\U0001f600", min_size=1, max_size=8), max_size=20)


@given(PATHS, st.text("ab/.0", min_size=1, max_size=3).filter(lambda text: text.strip("/")))
def test_below_is_what_lies_in_the_folder(paths: list[str], folder: str) -> None:
    leaf = Leaf("100644", "0" * 40)
    assert list(Tree(dict.fromkeys(paths, leaf)).below(folder)) == [
        path for path in sorted(set(paths)) if is_below(path, folder)
    ]

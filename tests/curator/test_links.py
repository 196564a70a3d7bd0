"""Links that follow files: by file, by skill folder, from the top, with prefixes, and alone where they mean nothing."""

from __future__ import annotations

import pytest

from hermes_git.curator.links import Moves, Place, canonical, rewrite
from hermes_git.curator.tree import Leaf, Tree

S = "knowledge/skills"
OLD, NEW = f"{S}/dev/old", f"{S}/dev/new"
TREE = Tree(
    {
        path: Leaf("100644", "1")
        for path in (
            f"{OLD}/SKILL.md", f"{OLD}/references/r.md", f"{OLD}/scripts/run.sh", f"{OLD}/my file.md",
            f"{NEW}/SKILL.md", "docs/guide.md", "README.md",
        )
    }
)  # fmt: skip
MOVES = Moves(
    {
        OLD: f"{NEW}/references/old.md",
        f"{OLD}/SKILL.md": f"{NEW}/references/old.md",
        f"{OLD}/references/r.md": f"{NEW}/references/r.md",
        f"{OLD}/scripts/run.sh": f"{NEW}/scripts/old/run.sh",
        f"{OLD}/my file.md": f"{NEW}/my file.md",
        f"{OLD}/scripts": f"{NEW}/scripts/old",
    }
)
HOME, AWAY = Place(f"{OLD}/SKILL.md", OLD, S), Place(f"{NEW}/references/old.md", NEW, S)
GUIDE = Place("docs/guide.md", "", S)

INSIDE = [
    ("[r](references/r.md)", "[r](r.md)"),
    ("[r](references/r.md#part)", "[r](r.md#part)"),
    ("[r](./references/r.md)", "[r](r.md)"),
    ("[f](my%20file.md)", "[f](../my%20file.md)"),
    ("Run `scripts/run.sh -x`", "Run `scripts/old/run.sh -x`"),
    ("Run `bash scripts/run.sh`.", "Run `bash scripts/old/run.sh`."),
    ("Read `references/r.md`", "Read `references/r.md`"),
    ("all of `scripts/`", "all of `scripts/old/`"),
    ("[x]: references/r.md", "[x]: r.md"),
    ("[top](../../../../README.md)", "[top](../../../../../README.md)"),
]
OUTSIDE = [
    (f"see {OLD}/SKILL.md", f"see {NEW}/references/old.md"),
    (f"`~/{OLD}/references/r.md`", f"`~/{NEW}/references/r.md`"),
    ("`dev/old/SKILL.md`", "`dev/new/references/old.md`"),
    (f"[old](../{OLD}/SKILL.md)", f"[old](../{NEW}/references/old.md)"),
    (f"the folder {OLD}/ is", f"the folder {NEW}/references/old.md is"),
]
QUIET = [
    "https://example.invalid/references/r.md",
    "[x](https://example.invalid/knowledge/skills/dev/old/SKILL.md)",
    "[x](#references)",
    "a/b/c and and/or, 1/2",
    "/etc/passwd ../../../../etc/passwd",
    "[x](missing.md)",
    "references/none.md",
    "user@host:references/r.mdx",
    "../ and ./",
    "media_dir = ./dev",
]


@pytest.mark.parametrize(("before", "after"), INSIDE)
def test_links_of_a_moved_text_follow(before: str, after: str) -> None:
    assert rewrite(before, HOME, AWAY, TREE, MOVES) == after


@pytest.mark.parametrize(("before", "after"), OUTSIDE)
def test_links_from_elsewhere_follow(before: str, after: str) -> None:
    assert rewrite(before, GUIDE, GUIDE, TREE, MOVES) == after


@pytest.mark.parametrize("text", QUIET)
def test_what_means_no_file_is_left_alone(text: str) -> None:
    assert rewrite(text, HOME, AWAY, TREE, MOVES) == text
    assert rewrite(text, GUIDE, GUIDE, TREE, MOVES) == text


def test_unmoved_paths_keep_their_spelling() -> None:
    guide = Place("docs/guide.md", "docs", S)
    text = "`./guide.md` [x](./guide.md) ../docs/guide.md `./scripts/`"
    assert rewrite(text, guide, guide, TREE, MOVES) == text


@pytest.mark.parametrize(("before", "after"), INSIDE)
def test_before_and_after_have_one_canonical_form(before: str, after: str) -> None:
    now = TREE.edited([])
    leaves = {MOVES.after(path): leaf for path, leaf in now.leaves.items()}
    assert canonical(before, HOME, TREE, MOVES) == canonical(after, AWAY, Tree(leaves), Moves())

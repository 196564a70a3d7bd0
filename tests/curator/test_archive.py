"""Archive and restore: every printed name is accepted, gives exactly that version, and overwrites nothing."""

from __future__ import annotations

import pytest

from hermes_git.curator.archive import ARCHIVED, archive_root, archived, find, move, restore
from hermes_git.curator.tree import Leaf, Tree
from hermes_git.errors import UserError
from hermes_git.settings import DEFAULTS

S, A = DEFAULTS.paths.skills, DEFAULTS.paths.archive
DAY_ONE, DAY_TWO = 1_767_225_600, 1_767_312_000


def leaf(number: int, mode: str = "100644") -> Leaf:
    return Leaf(mode, f"{number:040x}")


def put_away(tree: Tree, key: str, now: int) -> Tree:
    root = f"{S}/{key}"
    place = archive_root(root, tree.folder_id(root), now, tree, DEFAULTS)
    return tree.edited(move(tree, root, place))


def skill(tree: Tree, key: str, number: int) -> Tree:
    leaves = dict(tree.leaves)
    leaves[f"{S}/{key}/SKILL.md"] = leaf(number)
    leaves[f"{S}/{key}/scripts/x.sh"] = leaf(number + 1, "100755")
    leaves[f"{S}/{key}/link"] = leaf(number + 2, "120000")
    return Tree(leaves)


def content(tree: Tree, root: str) -> dict[str, Leaf]:
    return {path[len(root) :]: found for path, found in tree.below(root).items()}


def test_two_versions_of_one_name_are_kept_apart_and_come_back_exactly() -> None:
    one = skill(Tree(), "dev/foo", 10)
    two = skill(put_away(one, "dev/foo", DAY_ONE), "dev/foo", 20)
    three = put_away(two, "dev/foo", DAY_ONE)
    points = archived(three, DEFAULTS)
    assert len(points) == 2 and all(ARCHIVED.match(point.root.rsplit("/", 1)[-1]) for point in points)
    wanted = {content(state, f"{S}/dev/foo")["/SKILL.md"].id: content(state, f"{S}/dev/foo") for state in (one, two)}
    for point in points:
        assert find(point.label, points) == point
        target, edits = restore(three, point, DEFAULTS)
        after = three.edited(edits)
        found = content(after, target)
        assert target == f"{S}/dev/foo" and found == wanted[found["/SKILL.md"].id]
        assert archived(after, DEFAULTS) == points


def test_restoring_never_overwrites_an_active_skill() -> None:
    tree = skill(put_away(skill(Tree(), "dev/foo", 10), "dev/foo", DAY_ONE), "dev/foo", 20)
    (point,) = archived(tree, DEFAULTS)
    with pytest.raises(UserError, match="in use"):
        restore(tree, point, DEFAULTS)


def test_the_same_version_archived_on_another_day_is_another_point() -> None:
    once = put_away(skill(Tree(), "foo", 10), "foo", DAY_ONE)
    twice = put_away(skill(once, "foo", 10), "foo", DAY_TWO)
    assert [point.date for point in archived(twice, DEFAULTS)] == ["20260101", "20260102"]
    with pytest.raises(UserError, match="2 archived versions") as error:
        find("foo", archived(twice, DEFAULTS))
    assert "foo@20260101-" in str(error.value) and "foo@20260102-" in str(error.value)


def test_the_same_version_archived_twice_a_day_gets_a_longer_name() -> None:
    once = put_away(skill(Tree(), "foo", 10), "foo", DAY_ONE)
    twice = put_away(skill(once, "foo", 10), "foo", DAY_ONE)
    short, long = sorted((point.root for point in archived(twice, DEFAULTS)), key=len)
    assert long.startswith(short) and len(long) == len(short) + 1
    labels = [point.label for point in archived(twice, DEFAULTS)]
    assert len({find(label, archived(twice, DEFAULTS)).root for label in labels}) == 2


def test_folders_of_another_tool_and_inner_folders_are_told_apart() -> None:
    tree = Tree({f"{A}/old/SKILL.md": leaf(1), f"{A}/old/scripts/run.py": leaf(2), f"{A}/stray/x.md": leaf(3)})
    points = archived(tree, DEFAULTS)
    assert [(point.label, point.date) for point in points] == [("old", "")]
    with pytest.raises(UserError, match="nothing called 'scripts'"):
        find("scripts", points)


def test_a_name_is_found_by_label_key_name_or_folder() -> None:
    tree = put_away(skill(Tree(), "dev/foo", 10), "dev/foo", DAY_ONE)
    (point,) = archived(tree, DEFAULTS)
    for name in (point.label, point.root, "dev/foo", "foo", point.label.removeprefix("dev/")):
        assert find(name, [point]) == point

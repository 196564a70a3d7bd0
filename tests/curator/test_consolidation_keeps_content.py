"""Two skills with support files, one name in both, and links from a third file: merged without losing a line."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from hermes_git.curator import guards, run
from hermes_git.curator.consolidate import Cluster, Pair
from hermes_git.curator.plan import Plan, build, merge_step
from hermes_git.curator.report import Run
from hermes_git.curator.snapshot import read_tree, take
from hermes_git.curator.tree import Edit
from hermes_git.settings import DEFAULTS
from tests.curator.conftest import NOW, Garden

SKILLS = "knowledge/skills"
BODY = """## When to use

Use this for every release of the billing service, large or small.

## Procedure

1. Check that the working tree is clean before anything else.
2. Fetch the remote and compare the release branch with it.
3. Run `scripts/build.sh` and wait until the image is in the registry.
4. Roll the deployment forward one zone at a time.
5. Watch the error rate for ten minutes after every zone.
6. Read [the checklist](references/checklist.md) when something looks odd.

| sign | meaning |
|---|---|
| 502 | the pool is empty |
"""
WARNING = "\n## Pitfalls\n\nWarning: never roll back the schema, `migrate down` destroys rows.\n"


def plant(garden: Garden) -> None:
    for name, extra in (("release", ""), ("ship", WARNING)):
        root = f"{SKILLS}/devops/{name}"
        garden.write(f"{root}/scripts/build.sh", f"#!/bin/sh\n. ./lib.sh\necho {name}\n").chmod(0o755)
        garden.write(f"{root}/references/checklist.md", f"# Checklist of {name}\n\n- only in {name}\n")
        garden.write(f"{root}/references/more-{name}.md", f"Back to [the skill](../SKILL.md). About {name}.\n")
        garden.write(f"{root}/assets/icon.png", b"\x89PNG" + name.encode())
        garden.write(f"{root}/assets/same.txt", "the same in both\n")
        text = f"---\nname: {name}\ndescription: Release the service, as {name} does.\n---\n\n# {name}\n\n"
        garden.write(f"{root}/SKILL.md", text + BODY + extra)
    garden.write(
        "docs/guide.md",
        "[release](../knowledge/skills/devops/release/SKILL.md) and [ship](../knowledge/skills/devops/ship/SKILL.md),\n"
        "its `knowledge/skills/devops/ship/scripts/build.sh`, and https://example.invalid/devops/ship/SKILL.md.\n",
    )
    garden.write(
        f"{SKILLS}/devops/ci/SKILL.md", "---\nname: ci\ndescription: x\nrelated_skills: [ship, other]\n---\nBody\n"
    )
    garden.commit(20)
    garden.use("devops/release", 2)


def curate(garden: Garden) -> Run:
    return run.prepare(garden.repo, garden.head(), DEFAULTS, now=int(NOW.timestamp()))


def text(garden: Garden, made: Run, path: str) -> str:
    return garden.show(f"{made.tip}:{path}")


def test_every_line_is_in_the_target_or_declared(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    (done,) = made.applied
    assert (done.step.kind, done.step.target, done.step.into) == ("consolidate", "devops/ship", "devops/release")
    assert done.loss.count("dropped") == 0
    reference = text(garden, made, f"{SKILLS}/devops/release/references/ship.md")
    assert "Warning: never roll back the schema, `migrate down` destroys rows." in reference
    assert "description: Release the service, as ship does." in reference
    assert "(references/ship.md). Load when this fits: Release the service, as ship does." in text(
        garden, made, f"{SKILLS}/devops/release/SKILL.md"
    )


def test_name_clashes_lose_nothing_and_modes_are_kept(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    rows = garden.repo.git("ls-tree", "-r", made.tip, f"{SKILLS}/devops/release").decode().split("\n")
    modes = {row.split("\t")[1].removeprefix(f"{SKILLS}/devops/release/"): row[:6] for row in rows if row}
    assert modes["scripts/build.sh"] == modes["scripts/ship/build.sh"] == "100755"
    assert {"references/checklist.md", "references/ship/checklist.md", "references/ship/more-ship.md"} <= set(modes)
    assert {"assets/icon.png", "assets/ship/icon.png", "assets/ship/same.txt"} <= set(modes)
    assert not any(row.endswith("devops/ship/SKILL.md") for row in garden.files(made.tip))


def test_links_follow(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    assert text(garden, made, "docs/guide.md") == (
        "[release](../knowledge/skills/devops/release/SKILL.md) and "
        "[ship](../knowledge/skills/devops/release/references/ship.md),\n"
        "its `knowledge/skills/devops/release/scripts/ship/build.sh`, and "
        "https://example.invalid/devops/ship/SKILL.md.\n"
    )
    more = text(garden, made, f"{SKILLS}/devops/release/references/ship/more-ship.md")
    assert more == "Back to [the skill](../ship.md). About ship.\n"
    assert "related_skills: [release, other]" in text(garden, made, f"{SKILLS}/devops/ci/SKILL.md")


def test_a_revert_gives_the_identical_tree(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    garden.repo.git("checkout", "-q", "--detach", made.applied[0].commit)
    garden.repo.git("revert", "--no-edit", "HEAD")
    assert garden.repo.ask("rev-parse", "HEAD^{tree}") == garden.repo.ask("rev-parse", f"{made.plan.base}^{{tree}}")


def test_memory_that_names_the_path_follows_and_says_so(garden: Garden) -> None:
    plant(garden)
    garden.write("knowledge/memory/MEMORY.md", "Ship by knowledge/skills/devops/ship/SKILL.md.\n§\nOther.")
    garden.write("AGENTS.md", "Load the `ship` skill before a release.\n")
    garden.commit(10)
    made = curate(garden)
    assert made.findings == ()
    assert text(garden, made, "knowledge/memory/MEMORY.md").startswith(
        "Ship by knowledge/skills/devops/release/references/ship.md.\n§\n"
    )
    message = garden.repo.git("log", "-1", "--format=%B", made.applied[0].commit).decode()
    assert "Hermes-Change: replace memory " in message
    assert "AGENTS.md:1 still calls it ship" in message


def test_in_a_shallow_clone_nobody_knows_whose_it_is(garden: Garden) -> None:
    plant(garden)
    (garden.repo.git_dir / "shallow").write_text(garden.head() + "\n", encoding="utf-8")
    assert curate(garden).steps == ()


def mutants(garden: Garden, made: Run) -> list[tuple[str, int]]:
    """List every line in the files of the merged skill that says something and was not added by the merge."""
    tree, _ = read_tree(garden.repo, made.applied[0].commit)
    return [
        (path, number)
        for path, leaf in tree.below(f"{SKILLS}/devops/release").items()
        if leaf.data is not None
        for number, line in enumerate(leaf.data.decode().split("\n"))
        if line.strip() and line != "## References" and not line.startswith("- [ship]")
    ]


def test_deleting_any_one_line_of_the_merged_skill_is_named(garden: Garden) -> None:
    plant(garden)
    made = curate(garden)
    snapshot, plan = made.snapshot, made.plan
    (step,) = plan.steps
    after = snapshot.tree.edited(step.edits)
    for path, number in mutants(garden, made):
        leaf = after.leaves[path]
        lines = (leaf.data or b"").decode().split("\n")
        gone = lines.pop(number)
        worse = replace(step, edits=(*step.edits, Edit(path, after.leaf("\n".join(lines).encode(), leaf.mode))))
        found = guards.check(replace(plan, steps=(worse,)), snapshot, DEFAULTS)
        assert found, f"{path}: nobody missed {gone!r}"
        assert any(finding.check in ("HG804", "HG805") for finding in found)


def planned(garden: Garden) -> Plan:
    snapshot = take(garden.repo, garden.head(), DEFAULTS, now=int(NOW.timestamp()))
    return build(snapshot, DEFAULTS)


def test_a_job_keeps_the_name_it_runs(garden: Garden) -> None:
    plant(garden)
    garden.write(".github/workflows/x.yml", "run: agent --skill devops/ship\n")
    garden.commit(10)
    (step,) = planned(garden).steps
    assert (step.target, step.into) == ("devops/release", "devops/ship")
    garden.write(".github/workflows/y.yml", "run: agent --skill devops/release\n")
    garden.commit(9)
    assert planned(garden).steps == ()


def test_an_exact_duplicate_leaves_one_line(garden: Garden) -> None:
    for name in ("one", "two"):
        garden.skill(f"x/{name}", BODY.replace("`scripts/build.sh`", "the build"), 20, description="Release it.")
    made = curate(garden)
    (done,) = made.applied
    assert done.loss.count("dropped") == 0
    assert f"{SKILLS}/x/one/references/two.md" not in garden.files(made.tip)
    assert "- Also known as `two` (two). Release it." in text(garden, made, f"{SKILLS}/x/one/SKILL.md")


@pytest.mark.parametrize("newline", ["\r\n", "\n"])
def test_line_ends_and_byte_order_marks_are_kept(garden: Garden, newline: str) -> None:
    for name, extra in (("one", WARNING + WARNING.replace("schema", "cache")), ("two", WARNING + "\nOwn.\n")):
        body = f"---\nname: {name}\ndescription: d\n---\n\n# {name}\n\n" + BODY + extra
        garden.write(f"{SKILLS}/x/{name}/SKILL.md", b"\xef\xbb\xbf" + body.replace("\n", newline).encode())
    garden.commit(20)
    made = curate(garden)
    (done,) = made.steps
    assert done.loss.count("dropped") == 0
    tree, _ = read_tree(garden.repo, made.plan.base)
    after = tree.edited(done.step.edits)
    for path in (f"{SKILLS}/x/one/SKILL.md", f"{SKILLS}/x/one/references/two.md"):
        data = after.leaves[path].data or b""
        assert data.startswith(b"\xef\xbb\xbf")
        assert data.count(b"\n") == data.count(newline.encode()), path


def merged_anyhow(garden: Garden, target: str, *siblings: str) -> Run:
    """Merge skills whether they are alike or not, with all guards and the gate."""
    snapshot = take(garden.repo, garden.head(), DEFAULTS, now=int(NOW.timestamp()))
    pairs = tuple(Pair(target, sibling, 1.0) for sibling in siblings)
    step = merge_step(1, Cluster(target, siblings, pairs), snapshot.tree, snapshot, DEFAULTS)
    plan = Plan(snapshot.base, "curator/test", "test", (), (step,))
    return run.commit_all(garden.repo, snapshot, plan, DEFAULTS, cause="test")


FILES = [
    "references/n.md",
    "scripts/s.py",
    "top.txt",
    "references/deep/n.md",
    "references/two.md",
    "references/two/x.md",
]


@pytest.mark.parametrize("seed", range(8))
def test_random_merges_lose_nothing(garden: Garden, seed: int) -> None:
    """Three skills grown from one stock of blocks, each in its own order, with files of clashing names."""
    chance = random.Random(seed)
    stock = [f"## Part {number}\n\nSentence {number} says it. And `cmd {number}` too.\n" for number in range(8)]
    stock += [f"- item {number} with https://example.invalid/{number}\n" for number in range(6)]
    stock += ["```sh\nrun --all\n\nrun --one\n```\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "See references/n.md.\n"]
    for name in ("one", "two", "three"):
        blocks = [block for block in stock if chance.random() < 0.8]
        chance.shuffle(blocks)
        text = f"---\nname: {name}\ndescription: d {name}\n---\n" + "\n".join([*blocks, f"Only {name} knows.\n"])
        garden.write(f"{SKILLS}/x/{name}/SKILL.md", text)
        for number in range(chance.randrange(5)):
            content = (
                f"content {chance.randrange(3)} see SKILL.md and references/n.md, [u](<references/ü b.md>) {number}\n"
            )
            garden.write(f"{SKILLS}/x/{name}/{chance.choice(FILES)}", content)
    garden.commit(20)
    made = merged_anyhow(garden, f"{SKILLS}/x/one", f"{SKILLS}/x/two", f"{SKILLS}/x/three")
    assert [finding.message for finding in made.findings] == []
    (done,) = made.applied
    assert done.loss.count("dropped") == 0
    report = json.loads(garden.show(f"{made.tip}:knowledge/curator/test.json"))
    assert report["steps"][0]["units"]["dropped"] == 0

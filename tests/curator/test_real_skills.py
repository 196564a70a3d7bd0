"""Real skills, merged at random and archived one and all: nothing is lost, and what is taken out is missed."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hermes_git.curator import guards
from hermes_git.curator.consolidate import Cluster, Pair, candidates
from hermes_git.curator.facts import Snapshot
from hermes_git.curator.lifecycle import ARCHIVE, Transition
from hermes_git.curator.plan import Plan, archive_step, merge_step
from hermes_git.curator.proof import prove
from hermes_git.curator.snapshot import take
from hermes_git.curator.tree import Edit
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.settings import CuratorSettings, Paths, Settings

PLACES = {
    "skills-jk": Paths(".hermes/memories", ".hermes/skills", ".hermes/skills/.archive", "w.toml", "curator"),
    "hermes-agent-skills": Paths("memory", "skills", "archive", "w.toml", "curator"),
    "trailofbits-skills": Paths("memory", "plugins", "archive", "w.toml", "curator"),
}
NAMES = sorted(PLACES)


def settings(name: str) -> Settings:
    return Settings(paths=PLACES[name], curator=CuratorSettings(person_authored=True))


@pytest.fixture(scope="module", params=NAMES)
def real(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Snapshot]:
    name: str = request.param
    folder = tmp_path_factory.mktemp(name)
    bundle = data / "knowledge" / f"{name}-md.bundle"
    create.create(folder / "here").git("clone", "-q", "-b", "main", str(bundle), str(folder / "clone"))
    repo: Repository = require(folder / "clone", clean=True)
    now = int(repo.ask("log", "-1", "--format=%ct") or 0) + 100 * 86_400
    return name, take(repo, str(repo.ask("rev-parse", "HEAD")), settings(name), now=now)


def check(step: object, snapshot: Snapshot, name: str, *only: str) -> list[str]:
    plan = Plan(snapshot.base, "x", "x", (), (step,))  # type: ignore[arg-type]
    found = guards.check_step(step, plan, snapshot, snapshot.tree, settings(name))  # type: ignore[arg-type]
    return [f"{row.check} {row.path}:{row.line} {row.message}" for row in found if row.check in only]


LOSSES = ("HG802", "HG803", "HG804", "HG805", "HG806")


def test_random_merges_of_real_skills_lose_nothing(real: tuple[str, Snapshot]) -> None:
    name, snapshot = real
    chance = random.Random(3)
    roots = [facts.root for facts in snapshot.skills if not facts.skill.problem]
    for _ in range(8):
        target, *siblings = chance.sample(roots, chance.choice([2, 3]))
        pairs = tuple(Pair(target, sibling, 1.0) for sibling in siblings)
        step = merge_step(1, Cluster(target, tuple(siblings), pairs), snapshot.tree, snapshot, settings(name))
        assert check(step, snapshot, name, *LOSSES) == []


def test_a_line_taken_out_of_a_real_merge_is_named(real: tuple[str, Snapshot]) -> None:
    name, snapshot = real
    chance = random.Random(5)
    roots = [facts.root for facts in snapshot.skills if not facts.skill.problem]
    for _ in range(5):
        target, sibling = chance.sample(roots, 2)
        step = merge_step(
            1, Cluster(target, (sibling,), (Pair(target, sibling, 1.0),)), snapshot.tree, snapshot, settings(name)
        )
        after = snapshot.tree.edited(step.edits)
        path = step.moves.after(f"{sibling}/SKILL.md")
        lines = (after.leaves[path].data or b"").decode().split("\n")
        number = chance.choice([at for at, line in enumerate(lines) if any(map(str.isalnum, line))])
        lines.pop(number)
        worse = replace(step, edits=(*step.edits, Edit(path, after.leaf("\n".join(lines).encode()))))
        assert check(worse, snapshot, name, "HG804", "HG805") != []


def test_every_real_skill_can_be_archived_whole(real: tuple[str, Snapshot]) -> None:
    name, snapshot = real
    for facts in snapshot.skills[::8]:
        row = Transition(facts.root, facts.key, ARCHIVE, "", "x", ())
        step = archive_step(1, row, snapshot.tree, snapshot, settings(name))
        loss = prove(step, snapshot.tree, settings(name).paths.skills)
        assert loss.count("dropped") == loss.count("duplicate") == 0, facts.root
        after = snapshot.tree.edited(step.edits)
        assert after.folder_id(step.into) == facts.tree_id


def test_no_two_real_skills_are_taken_for_one(real: tuple[str, Snapshot]) -> None:
    """Read one by one: no pair in the three histories says the same, though many share a template."""
    name, snapshot = real
    assert candidates(snapshot, settings(name).curator) == ()


def test_without_a_ledger_no_real_skill_is_archived(real: tuple[str, Snapshot]) -> None:
    from hermes_git.curator.lifecycle import transitions

    name, snapshot = real
    rows = transitions(snapshot, settings(name).curator)
    assert rows and all(row.state != ARCHIVE for row in rows)
    assert any("no evidence" in row.exempt for row in rows)

"""Entries that have had their day, and entries that have not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hermes_git import cli
from hermes_git.curator import run
from hermes_git.curator.entry_life import states
from hermes_git.curator.facts import DAY, EntryFacts, Snapshot
from hermes_git.curator.report import render
from hermes_git.curator.tree import Tree
from hermes_git.knowledge.entries import Entry, entry_id, parse
from hermes_git.provenance.anchors import Anchor
from hermes_git.provenance.ledger import Use
from hermes_git.settings import DEFAULTS, CuratorSettings
from tests.curator.conftest import NOW as TODAY
from tests.curator.conftest import Garden

NOW = 1_000 * DAY
MEMORY, ARCHIVE = "knowledge/memory/MEMORY.md", "knowledge/archive/MEMORY.md"


def facts(text: str, line: int = 1, days: float = 100, **values: object) -> EntryFacts:
    made = EntryFacts(Entry(text, line), MEMORY, "memory", int(NOW - days * DAY), "agent")
    return replace(made, **values)  # type: ignore[arg-type]


def judge(*entries: EntryFacts, settings: CuratorSettings = DEFAULTS.curator) -> list[str]:
    snapshot = Snapshot("b", NOW, Tree(), entries=entries)
    return [row.state if not row.exempt else f"exempt: {row.exempt}" for row in states(snapshot, settings)]


def anchored(*pairs: tuple[str, str]) -> tuple[tuple[Anchor, str], ...]:
    return tuple((Anchor("path", text), state) for text, state in pairs)


FIRES = [
    ([facts("Node 20 builds the site.", 1, 90), facts("Node 22 builds the site.", 3, 20)], ["retire", "active"]),
    ([facts("Node 22 builds the site.", 1, 20), facts("Node 20 builds the site.", 3, 90)], ["active", "retire"]),
    ([facts("Always squash.", 1), facts("Use tabs."), facts("always squash. ", 5, 50)], ["retire", "active", "active"]),
    ([facts("Use tabs here.", 1), facts("Use tabs here.", 3)], ["active", "retire"]),
    ([facts("Use tabs. Wrap at 100.", 1, 50), facts("Use tabs.", 3, 100)], ["active", "retire"]),
    ([facts("One.", 1, 100), facts("One. Two. Three.", 3, 200)], ["retire", "active"]),
    ([facts("In a/b.py", anchors=anchored(("a/b.py", "gone")))], ["retire"]),
    ([facts("In a/b.py", anchors=anchored(("a/b.py", "gone"), ("c/d.py", "unknown")))], ["retire"]),
]
QUIET = [
    [facts("Node 20 builds the site.", 1), facts("Node 22 runs the tests of the api.", 3)],
    [facts("Use tabs.", 1), facts("Use spaces in YAML.", 3)],
    [facts("Node 20 builds the site.", 1, 90), facts("Node 22 builds the site.", 3, 90)],
    [facts("In a/b.py", anchors=anchored(("a/b.py", "alive")))],
    [facts("In a/b.py", anchors=anchored(("a/b.py", "gone"), ("a/c.py", "alive")))],
    [facts("In a/b.py", anchors=anchored(("a/b.py", "unknown")))],
]


@pytest.mark.parametrize(("entries", "expected"), FIRES)
def test_what_is_retired(entries: list[EntryFacts], expected: list[str]) -> None:
    assert judge(*entries) == expected


@pytest.mark.parametrize("entries", QUIET)
def test_what_stays(entries: list[EntryFacts]) -> None:
    assert judge(*entries) == ["active"] * len(entries)


GONE = facts("In a/b.py", anchors=anchored(("a/b.py", "gone")))
EXEMPT = [
    (GONE, CuratorSettings(pinned=(GONE.id,)), "pinned"),
    (replace(GONE, author="person"), CuratorSettings(), "written by a person"),
    (replace(GONE, changed=NOW - 6 * DAY), CuratorSettings(), "only 6 days old"),
    (replace(GONE, changed=0), CuratorSettings(), "no evidence"),
    (
        replace(GONE, uses=(Use(NOW - 5 * DAY, "entry", "memory", "viewed", GONE.id),)),
        CuratorSettings(),
        "quoted 5 days",
    ),
]


@pytest.mark.parametrize(("entry", "settings", "reason"), EXEMPT)
def test_exemptions_say_why(entry: EntryFacts, settings: CuratorSettings, reason: str) -> None:
    (state,) = judge(entry, settings=settings)
    assert state.startswith("exempt: ") and reason in state


def test_the_useful_one_of_two_that_agree_stays() -> None:
    used = facts("Use tabs here.", 3, uses=(Use(NOW - 50 * DAY, "entry", "memory", "viewed", "x"),))
    assert judge(facts("Use tabs here", 1), used) == ["retire", "active"]


def test_a_run_moves_entries_to_the_archive_and_a_revert_brings_them_back(garden: Garden) -> None:
    texts = ["The deploy script is scripts/deploy.sh.", "Node 20 builds the site.", "Commit in small steps."]
    garden.write("scripts/deploy.sh", "echo\n")
    garden.write(MEMORY, "\n§\n".join(texts) + "\n")
    garden.commit(200)
    garden.repo.git("rm", "-q", "scripts/deploy.sh")
    garden.write(MEMORY, "\n§\n".join([*texts, "Node 22 builds the site."]) + "\n")
    garden.commit(100)
    made = run.prepare(garden.repo, garden.head(), DEFAULTS, now=int(TODAY.timestamp()))
    assert made.findings == ()
    assert [(done.step.kind, done.step.target) for done in made.applied] == [
        ("retire", f"memory:{entry_id(texts[0])}"),
        ("retire", f"memory:{entry_id(texts[1])}"),
    ]
    assert all(done.loss.count("dropped") == 0 for done in made.applied)
    assert garden.show(f"{made.tip}:{MEMORY}") == "Commit in small steps.\n§\nNode 22 builds the site.\n"
    assert parse(garden.show(f"{made.tip}:{ARCHIVE}")).texts == tuple(texts[:2])
    assert "stale: scripts/deploy.sh is gone" in render(made)
    garden.repo.git("checkout", "-q", "--detach", made.applied[1].commit)
    garden.repo.git("revert", "--no-edit", "HEAD")
    assert texts[1] in parse(garden.show(f"HEAD:{MEMORY}")).texts
    assert garden.show(f"HEAD:{MEMORY}") == garden.show(f"{made.applied[0].commit}:{MEMORY}")


def test_an_entry_comes_back_by_content_beside_later_ones(garden: Garden) -> None:
    garden.write("a/b.py", "x\n")
    garden.write(MEMORY, "See a/b.py\n§\nUse tabs.")
    garden.commit(200)
    garden.repo.git("rm", "-q", "a/b.py")
    garden.commit(100)
    made = run.prepare(garden.repo, garden.head(), DEFAULTS, now=int(TODAY.timestamp()))
    garden.repo.git("merge", "-q", "--squash", made.tip)
    garden.write(MEMORY, "Use tabs.\n§\nA new one.")
    garden.commit(0, "squashed and edited")
    assert cli.main(["-C", str(garden.repo.work_tree()), "curate", "undo", f"{made.plan.run}:1"]) == 0
    assert set(parse(garden.show(f"HEAD:{MEMORY}")).texts) == {"See a/b.py", "Use tabs.", "A new one."}
    assert ARCHIVE not in garden.files()


def test_a_named_repository_is_looked_into_only_where_the_user_says(garden: Garden, tmp_path: object) -> None:
    garden.write("hermes-git.toml", '[curator]\nrepositories = ["app"]\n')
    garden.write(MEMORY, "See src/app/main.py")
    garden.commit(100)
    from hermes_git.gate.policy import settings_at

    settings = settings_at(garden.repo)
    made = run.prepare(garden.repo, garden.head(), settings, now=int(TODAY.timestamp()))
    assert made.steps == ()
    assert any("app was not looked into" in line for line in made.snapshot.evidence.partial)

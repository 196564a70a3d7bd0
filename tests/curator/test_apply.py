"""Branches by plumbing: the same ids everywhere, steps that come out singly, and kills that cost nothing."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes_git.curator import apply, run
from hermes_git.curator.report import Run
from hermes_git.errors import UserError
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.knowledge.entries import entry_id
from hermes_git.provenance import spool
from hermes_git.provenance.ledger import Use
from hermes_git.settings import DEFAULTS
from tests.curator.conftest import NOW, Garden, ago
from tests.curator.test_run import STEPS, plant

MOMENT = int(NOW.timestamp())
TOPICS = "harbour orchard violin glacier printer saddle lantern compass".split()


def curate(repo: Repository) -> Run:
    head = repo.ask("rev-parse", "HEAD")
    made = run.prepare(repo, str(head), DEFAULTS, now=MOMENT)
    apply.publish(repo, made.plan, made.tip)
    return made


def plant_ten(garden: Garden) -> None:
    """Plant five disused skills, three pairs of duplicates, and two entries to retire."""
    for number in range(5):
        garden.write(
            f"knowledge/skills/old/s{number}/SKILL.md", f"---\nname: s{number}\ndescription: d\n---\n{number}\n"
        )
    for topic in TOPICS[:3]:
        for name, own in (("one", "Keep the log at hand."), ("two", "Tell the crew before you begin.")):
            text = STEPS.replace("release", topic).replace("deployment", f"{topic} fleet")
            header = f"---\nname: {topic}-{name}\ndescription: About the {topic}.\n---\n\n"
            garden.write(f"knowledge/skills/{topic}/{topic}-{name}/SKILL.md", header + text + f"\n{own}\n")
    garden.write(
        "knowledge/memory/MEMORY.md", "Node 20 builds it.\n§\nSee src/gone.py\n§\nStay.\n§\nNode 20 builds it well."
    )
    garden.write("src/gone.py", "x\n")
    garden.commit(300)
    garden.repo.git("rm", "-q", "src/gone.py")
    memory = "Node 20 builds it.\n§\nSee src/gone.py\n§\nStay.\n§\nNode 22 builds it."
    garden.write("knowledge/memory/MEMORY.md", memory)
    garden.commit(200)
    for number in range(5):
        garden.use(f"old/s{number}", 250)
    for topic in TOPICS[:3]:
        for name in ("one", "two"):
            garden.use(f"{topic}/{topic}-{name}", 2 + (name == "two"))


def test_ids_do_not_depend_on_the_machine(garden: Garden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_ten(garden)
    first = curate(garden.repo)
    garden.repo.git("clone", "-q", str(garden.repo.work_tree()), str(tmp_path / "far/away"))
    other = require(tmp_path / "far/away", clean=False)
    other.git("fetch", "-q", "origin", "hermes/sessions:hermes/sessions")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody Else")
    for key, value in (
        ("i18n.commitEncoding", "ISO-8859-1"),
        ("core.autocrlf", "true"),
        ("core.quotePath", "true"),
        ("user.name", "Nobody"),
        ("commit.template", "/nonexistent"),
        ("diff.renames", "false"),
        ("log.showSignature", "true"),
    ):
        other.git("config", key, value)
    second = curate(other)
    assert [done.commit for done in second.steps] == [done.commit for done in first.steps]
    assert second.tip == first.tip


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_where_commits_are_signed_the_trees_are_the_same(garden: Garden, tmp_path: Path) -> None:
    plant_ten(garden)
    plain = curate(garden.repo)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key")], check=True)
    for name, value in {
        "gpg.format": "ssh",
        "user.signingKey": str(tmp_path / "key"),
        "commit.gpgSign": "true",
    }.items():
        garden.repo.git("config", name, value)
    signed = curate(garden.repo)
    assert b"\ngpgsig " in garden.repo.git("cat-file", "commit", signed.tip)
    assert b"\ngpgsig " not in garden.repo.git("cat-file", "commit", plain.tip)
    trees = [[trees_of(garden.repo, done.commit) for done in made.steps] for made in (plain, signed)]
    assert trees[0] == trees[1] and len(trees[0]) == 10


def trees_of(repo: Repository, commit: str) -> str:
    return str(repo.ask("rev-parse", f"{commit}^{{tree}}"))


def test_each_of_ten_steps_comes_out_alone(garden: Garden) -> None:
    plant_ten(garden)
    made = curate(garden.repo)
    kinds = [done.step.kind for done in made.applied]
    assert kinds == ["archive"] * 5 + ["consolidate"] * 3 + ["retire"] * 2
    garden.repo.git("config", "merge.renames", "true")
    driver = f"{sys.executable} -m hermes_git memory merge-driver %O %A %B %P"
    garden.repo.git("config", "merge.hermes-memory.driver", driver)  # as `init` sets it
    (garden.repo.common_dir / "info").mkdir(exist_ok=True)
    (garden.repo.common_dir / "info" / "attributes").write_text("MEMORY.md merge=hermes-memory\n", encoding="utf-8")
    for done in made.applied:
        garden.repo.git("switch", "-q", "--detach", made.tip)
        garden.repo.git("revert", "--no-edit", done.commit)
        if done.step.kind == "retire":
            check_retired(garden.repo, done.step.entry)
            continue
        changed = garden.repo.git("diff", "--name-only", "--no-renames", made.tip, "HEAD").decode().split()
        assert sorted(changed) == sorted(row[0] for row in done.files)
        for path, before, *_ in done.files:
            assert (garden.repo.ask("rev-parse", "--verify", "-q", f"HEAD:{path}") or "") == before, done.step.target


@pytest.mark.parametrize("number", [*range(1, 11), 0], ids=lambda number: f"step {number}" if number else "the run")
def test_any_step_is_taken_back_in_a_clone_that_has_only_the_squash(
    ten: tuple[Garden, Run], tmp_path: Path, number: int
) -> None:
    garden, made = ten
    garden.repo.git("clone", "-q", "--no-local", "--single-branch", str(garden.repo.work_tree()), str(tmp_path / "c"))
    clone = require(tmp_path / "c")
    wanted = f"{made.plan.run}:{number}" if number else made.plan.run
    code = "import sys; from hermes_git.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "-C", str(clone.cwd), "curate", "undo", wanted, "--now", "2026-11-29"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    if not number:
        assert clone.ask("rev-parse", "HEAD:knowledge/skills") == clone.ask(
            "rev-parse", f"{made.plan.base}:knowledge/skills"
        )
        assert clone.ask("rev-parse", "HEAD:knowledge/memory") == clone.ask(
            "rev-parse", f"{made.plan.base}:knowledge/memory"
        )
        return
    step = made.applied[number - 1]
    for path, before, *_ in step.files:
        now = clone.ask("rev-parse", "--verify", "-q", f"HEAD:{path}") or ""
        if step.step.kind != "retire":
            assert now == before, path
    if step.step.kind == "retire":
        check_retired(clone, step.step.entry)


def check_retired(repo: Repository, back: str) -> None:
    """Check that of the two retired entries the one of that id is in memory again, and the other is not."""
    memory, archive = (repo.git("show", f"HEAD:knowledge/{name}/MEMORY.md").decode() for name in ("memory", "archive"))
    texts = ("Node 20 builds it.", "See src/gone.py")
    mine, other = texts if back == entry_id(texts[0]) else reversed(texts)
    assert mine in memory and mine not in archive and other in archive and other not in memory


@pytest.fixture
def ten(garden: Garden) -> tuple[Garden, Run]:
    """Return a run of ten steps that was merged as one commit."""
    plant_ten(garden)
    made = curate(garden.repo)
    garden.repo.git("merge", "-q", "--squash", made.plan.branch)
    garden.repo.git("commit", "-q", "--no-verify", "-m", "squashed")
    return garden, made


def test_repositories_with_longer_ids_work_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object
) -> None:
    create.create(tmp_path / "x").git("init", "-q", "-b", "main", "--object-format=sha256", str(tmp_path / "long"))
    repo = require(tmp_path / "long")

    def write_file(path: str, content: str | bytes) -> Path:
        target = repo.work_tree() / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    garden = Garden(repo, write_file)
    plant(garden)
    made = curate(repo)
    assert [done.step.kind for done in made.applied] == ["archive", "consolidate"] and len(made.tip) == 64
    assert repo.git("fsck", "--no-dangling") == b""


def test_a_head_that_moved_stops_the_run(garden: Garden) -> None:
    plant(garden)
    made = run.prepare(garden.repo, garden.head(), DEFAULTS, now=MOMENT)
    garden.commit(0, "somebody else")
    with pytest.raises(UserError, match="HG807"):
        apply.publish(garden.repo, made.plan, made.tip)
    assert garden.repo.ask("rev-parse", "--verify", "-q", made.plan.branch) is None


def test_a_branch_that_is_checked_out_is_not_moved(garden: Garden) -> None:
    plant(garden)
    made = curate(garden.repo)
    garden.repo.git("branch", "-f", made.plan.branch, made.applied[0].commit)
    garden.repo.git("checkout", "-q", made.plan.branch)
    garden.repo.git("reset", "-q", "--hard", made.plan.base)
    with pytest.raises(UserError, match="checked out"):
        apply.publish(garden.repo, made.plan, made.tip)


def killed_run(garden: Garden, delay: float) -> None:
    """Flush and curate in a process of its own, and kill it after a while."""
    child = os.fork()
    if child == 0:
        try:
            spool.flush(garden.repo, DEFAULTS, now=NOW)
            curate(garden.repo)
        finally:
            os._exit(0)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_kill_at_any_moment_loses_nothing(garden: Garden) -> None:
    plant(garden)
    start = time.monotonic()
    wanted = curate(garden.repo)
    whole = time.monotonic() - start
    ref = f"refs/heads/{wanted.plan.branch}"
    chance = random.Random(7)
    seen: set[str] = set()
    for number in range(50):
        garden.repo.git("update-ref", "-d", ref)
        spool.record_use(garden.repo, Use(ago(1) + number, "skill", "elsewhere/x", "viewed"))
        killed_run(garden, chance.uniform(0, whole) * (1 + number / 10))
        tip = garden.repo.ask("rev-parse", "--verify", "-q", ref) or ""
        seen.add("complete" if tip else "absent")
        kept = {use.time for use in (*spool.read_ledger(garden.repo, DEFAULTS).uses, *spool.spooled(garden.repo).uses)}
        assert {ago(1) + earlier for earlier in range(number + 1)} <= kept
    assert seen == {"complete", "absent"}
    assert garden.repo.git("status", "--porcelain") == b""
    assert garden.repo.git("fsck", "--no-dangling") == b""
    spool.flush(garden.repo, DEFAULTS, now=NOW)
    again = curate(garden.repo)
    steps = [(done.step.kind, done.step.target, done.files) for done in again.steps]
    assert steps == [(done.step.kind, done.step.target, done.files) for done in wanted.steps]
    assert garden.repo.ask("rev-parse", ref) == again.tip

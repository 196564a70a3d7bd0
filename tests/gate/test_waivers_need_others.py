"""A change does not excuse itself: a waiver counts once it has landed, and an agent cannot land one alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.finding import ERROR, Report
from hermes_git.gate.doors import judge_staged
from hermes_git.gate.range import judge_range
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.change import Actor

Write = Callable[[str, str], Path]
Commit = Callable[..., str]
PERSON, AGENT = {"HERMES_GIT_ACTOR": "person:alice"}, {"HERMES_GIT_ACTOR": "agent:hermes"}
WAIVERS = "knowledge/waivers.toml"
TOKEN = "gh" + "p_" + "0123456789abcdef0123456789abcdef0123"


def waiver(fingerprint: str) -> str:
    return f'[[waiver]]\nfingerprint = "{fingerprint}"\ncheck = "HG501"\nreason = "an example"\nowner = "alice"\n'


def errors(report: Report) -> set[str]:
    return {found.check for found in report.findings if found.severity == ERROR}


@pytest.fixture
def mark(repo: Repository, write: Write, commit: Commit) -> str:
    """Return the fingerprint of a secret that is about to be committed, and leave it staged."""
    write("README.md", "# Ours\n")
    commit()
    write("a.md", f"{TOKEN}\n")
    repo.git("add", "-A")
    return next(found.fingerprint for found in judge_staged(repo, environment=PERSON).findings)


@pytest.mark.parametrize("environment", [PERSON, AGENT], ids=["person", "agent"])
def test_a_waiver_in_the_same_commit_does_not_count(
    repo: Repository, write: Write, mark: str, environment: dict[str, str]
) -> None:
    write(WAIVERS, waiver(mark))
    repo.git("add", "-A")
    assert "HG501" in errors(judge_staged(repo, environment=environment))


@pytest.mark.parametrize("who", ["person:alice", "agent:hermes"])
def test_a_waiver_earlier_in_the_same_range_does_not_count(
    repo: Repository, write: Write, commit: Commit, mark: str, who: str
) -> None:
    base = repo.git("rev-parse", "HEAD").decode().strip()
    repo.git("rm", "-q", "--cached", "a.md")
    write(WAIVERS, waiver(mark))
    repo.git("add", WAIVERS)
    repo.git("commit", "-q", "--no-verify", "-m", "waive")
    commit("then use it")
    kind, _, name = who.partition(":")
    assert "HG501" in errors(judge_range(repo, base, "HEAD", default=Actor(kind, name)))


def test_an_agent_alone_cannot_waive_and_a_person_can(
    repo: Repository, write: Write, mark: str, hg: Callable[..., Any]
) -> None:
    repo.git("rm", "-q", "--cached", "a.md")
    write(WAIVERS, waiver(mark))
    repo.git("add", WAIVERS)
    assert errors(judge_staged(repo, environment=AGENT)) == {"HG720"}
    assert errors(judge_staged(repo, environment={})) == {"HG720"}, "who is not known counts as an agent"
    assert errors(judge_staged(repo, environment=PERSON)) == set()
    base = repo.git("rev-parse", "HEAD").decode().strip()
    repo.git("commit", "-q", "--no-verify", "-m", "waive\n\nHermes-Change: edit web/one -..- actor=agent:hermes")
    found = hg("review", "--range", f"{base}..HEAD", "--require-approval", "--json")
    assert found.code == 1
    assert "adds a waiver" in found.json["approval"]["reasons"][0]


def test_a_waiver_inside_a_skill_is_only_a_file(repo: Repository, write: Write, mark: str) -> None:
    skill = "knowledge/skills/links"
    write(f"{skill}/SKILL.md", "---\nname: links\ndescription: Checks links. Use when a page changes.\n---\n# Links\n")
    write(f"{skill}/waivers.toml", waiver(mark))
    write(f"{skill}/knowledge/waivers.toml", waiver(mark))
    repo.git("add", "-A")
    repo.git("rm", "-q", "--cached", "a.md")
    repo.git("commit", "-q", "--no-verify", "-m", "a skill")
    repo.git("add", "-A")
    assert "HG501" in errors(judge_staged(repo, environment=PERSON))

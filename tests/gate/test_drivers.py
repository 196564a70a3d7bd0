"""A merge driver that is missing is noted where people merge, and nothing is said where all is in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gate.drivers import judge_drivers
from hermes_git.gitrepo.repository import Repository
from hermes_git.settings import DEFAULTS
from tests.conftest import Ran

Hg = Callable[..., Ran]
KEY = "merge.hermes-memory.driver"


@pytest.fixture
def made(hg: Hg, repo: Repository) -> Repository:
    """Return a repository that init has set up, with one entry."""
    assert hg("init").code == 0
    assert hg("memory", "add", "The build needs make 4.").code == 0
    return repo


def test_all_in_order_is_quiet(made: Repository) -> None:
    assert judge_drivers(made, DEFAULTS, is_local=True) == ()


def test_a_clone_without_the_driver(made: Repository, hg: Hg) -> None:
    made.git("config", "--unset", KEY)
    (found,) = judge_drivers(made, DEFAULTS, is_local=True)
    assert (found.check, found.severity.word, "doctor --fix" in found.hint) == ("HG730", "note", True)
    assert judge_drivers(made, DEFAULTS, is_local=False) == ()  # nobody merges in CI
    assert "HG730" in hg("check", "--all").out
    assert "HG730" not in hg("check", "--range", "HEAD..HEAD").out
    assert hg("doctor", "--fix").code == 0
    assert judge_drivers(made, DEFAULTS, is_local=True) == ()


@pytest.mark.parametrize("how", ("--all", "--staged", "--range=HEAD..HEAD"))
def test_an_attribute_that_is_gone_is_noted_everywhere(made: Repository, hg: Hg, how: str) -> None:
    made.git("rm", "-q", ".gitattributes")
    ran = hg("check", how)
    assert "HG730" in ran.out
    assert "hermes-git init" in ran.out
    assert ran.code == 0


def test_selected_checks_alone(made: Repository, hg: Hg) -> None:
    made.git("config", "--unset", KEY)
    assert "HG730" not in hg("check", "--all", "--select", "HG3").out
    assert "HG730" in hg("check", "--all", "--select", "HG7").out


def test_a_repository_without_settings_is_not_judged(repo: Repository, write: Callable[[str, str], Path]) -> None:
    write("knowledge/memory/MEMORY.md", "one")
    assert judge_drivers(repo, DEFAULTS, is_local=True) == ()

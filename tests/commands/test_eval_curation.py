from __future__ import annotations

from collections.abc import Callable

from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran
from tests.curator.conftest import NOW, Garden, garden

__all__ = ["garden"]

NAMES = "fetch build push roll watch report".split()
STEPS = "\n".join(
    f"{number}. Before the {name} step open /srv/app/{name}/config_{number}.toml and set the {name} limit to {number}7."
    for number, name in enumerate(NAMES, 1)
)
AT = ("--now", NOW.isoformat())


def plant(garden: Garden) -> None:
    garden.skill("devops/old-report", STEPS.replace("/srv/app", "/opt/reports").replace("limit", "quota"), 400)
    garden.skill("devops/release", STEPS, 40)
    garden.skill("devops/ship", STEPS + "\n7. Never ship /srv/app/late/config_9.toml on a Friday afternoon.", 40)
    garden.use("old-report", 390)
    garden.use("devops/release", 3)


def test_a_curator_run_loses_no_answer(garden: Garden, hg: Callable[..., Ran]) -> None:
    plant(garden)
    done = hg("eval", "curation", "--json", *AT)
    assert done.code == 0
    card = done.json
    assert card["base"] != card["tip"]
    assert card["touched"] >= 2
    assert card["answered_before"] == card["answered_after"] >= len(NAMES)
    assert card["answered_by_what_is_active"] < card["answered_after"]
    assert card["lost"] == []
    assert hg("eval", "curation", "--json", *AT).json == card


def test_a_change_that_drops_a_line_is_told(garden: Garden, repo: Repository, hg: Callable[..., Ran]) -> None:
    plant(garden)
    base = garden.head()
    kept = "\n".join(STEPS.split("\n")[:-1])
    garden.skill("devops/release", kept, 1)
    garden.skill("devops/ship", kept, 1)
    done = hg("eval", "curation", base, "HEAD")
    assert done.code == 1
    assert "report" in done.out
    assert "skills/devops/" in done.out


def test_mistakes_are_named(garden: Garden, hg: Callable[..., Ran], repo: Repository) -> None:
    assert "no commit yet" in hg("eval", "curation").err
    plant(garden)
    assert hg("eval", "curation", "HEAD").code == 2
    assert hg("eval", "curation", "HEAD", "nowhere").code == 2


def test_nothing_to_do_is_no_loss(garden: Garden, hg: Callable[..., Ran]) -> None:
    garden.skill("devops/release", STEPS, 3)
    done = hg("eval", "curation", *AT)
    assert done.code == 0
    assert done.out.startswith("0 files touched, 0 questions")
    assert done.out.endswith("0 misread, 0 lost\n")

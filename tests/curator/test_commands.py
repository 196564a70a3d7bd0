"""The commands of the curator, from the outside: what they print, what they change, how they end."""

from __future__ import annotations

import json

import pytest

from hermes_git import cli
from tests.curator.conftest import AGENT, Garden
from tests.curator.test_run import plant

NOW = "2026-11-29"


def call(garden: Garden, *args: str) -> int:
    return cli.main(["-C", str(garden.repo.work_tree()), "curate", *args])


def apply(garden: Garden, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert call(garden, "--apply", "--now", NOW, "--json") == 0
    table: dict[str, object] = json.loads(capsys.readouterr().out)
    return table


def test_a_dry_run_shows_the_plan_and_makes_no_branch(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    assert call(garden, "--now", NOW, "--json") == 0
    table = json.loads(capsys.readouterr().out)
    assert (table["applied"], table["outcome"]) == (False, "nothing")
    assert [set(step) >= {"kind", "target", "into", "reason", "evidence", "commit"} for step in table["steps"]]
    assert table["branch"].startswith("curator/2026-11-29-")
    assert b"curator/" not in garden.repo.git("for-each-ref", "refs/heads")
    assert apply(garden, capsys)["tip"] == table["tip"]


def test_a_dry_run_says_so_before_it_says_anything_else(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    assert call(garden, "--now", NOW) == 0
    out = capsys.readouterr().out
    assert out.startswith("A dry run, nothing is changed.") and "## Undo" in out
    assert out.endswith("Make the branch with the same command and --apply.\n"), "which may be `curate merge`"


def test_where_nothing_is_to_be_done_no_branch_is_spoken_of(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    garden.commit(0, "nothing to curate", agent=False)
    assert call(garden, "--now", NOW) == 0
    out = capsys.readouterr().out
    assert "There is nothing to do on" in out and "Nothing to do." in out
    assert "curator/" not in out and "git revert" not in out and "\n\n\n" not in out


def test_applying_twice_says_unchanged(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    assert apply(garden, capsys)["outcome"] == "created"
    assert apply(garden, capsys)["outcome"] == "unchanged"


def test_a_branch_with_work_of_others_is_left_alone(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    branch = str(apply(garden, capsys)["branch"])
    garden.repo.git("switch", "-q", branch)
    garden.write("mine.md", "by hand")
    garden.commit(0, "by hand", agent=False)
    tip = garden.head()
    garden.repo.git("switch", "-q", "main")
    assert call(garden, "--apply", "--now", NOW) == 2
    assert "not the curator's" in capsys.readouterr().err
    assert garden.repo.ask("rev-parse", branch) == tip


def test_an_interrupted_branch_is_made_anew(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    table = apply(garden, capsys)
    garden.repo.git("branch", "-f", str(table["branch"]), f"{table['tip']}~2")
    assert apply(garden, capsys)["outcome"] == "replaced"
    assert garden.repo.ask("rev-parse", str(table["branch"])) == table["tip"]


def test_what_was_archived_is_restored_by_the_name_in_the_report(
    garden: Garden, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(garden)
    before = garden.repo.ask("rev-parse", "HEAD:knowledge/skills/devops/old-report")
    table = apply(garden, capsys)
    report = garden.show(f"{table['branch']}:knowledge/curator/{table['run']}.md")
    name = report.split("hermes-git skill restore ")[1].split("`")[0]
    garden.repo.git("merge", "-q", "--ff-only", str(table["branch"]))
    top = str(garden.repo.work_tree())
    assert cli.main(["-C", top, "skill", "restore", name, "--now", NOW]) == 0
    assert garden.repo.ask("rev-parse", "HEAD:knowledge/skills/devops/old-report") == before
    assert garden.repo.git("status", "--porcelain") == b""
    assert cli.main(["-C", top, "skill", "restore", name, "--now", NOW]) == 2
    capsys.readouterr()
    assert call(garden, "--now", NOW, "--json") == 0
    table = json.loads(capsys.readouterr().out)
    assert table["steps"] == []
    assert {row["key"]: row["reason"] for row in table["skills"]}["devops/old-report"].startswith("restored ")


@pytest.mark.parametrize("squash", [False, True])
def test_undo_takes_back_one_step_or_all(garden: Garden, capsys: pytest.CaptureFixture[str], squash: bool) -> None:
    plant(garden)
    start = garden.repo.ask("rev-parse", "HEAD:knowledge/skills")
    table = apply(garden, capsys)
    run = str(table["run"])
    if squash:
        garden.repo.git("merge", "-q", "--squash", str(table["branch"]))
        garden.repo.git("commit", "-q", "--no-verify", "-m", "squashed")
        garden.repo.git("branch", "-qD", str(table["branch"]))
    else:
        garden.repo.git("merge", "-q", "--ff-only", str(table["branch"]))
    path = "knowledge/skills/devops/release/SKILL.md"
    text = garden.show(f"HEAD:{path}")
    garden.write(path, text.replace("Write the outcome into the release log.", "Write it into the log."))
    garden.commit(0, f"edit{AGENT}")
    assert call(garden, "undo", f"{run}:2", "--now", NOW) == 0
    assert "knowledge/skills/devops/ship/SKILL.md" in garden.files()
    assert "## References" not in garden.show(f"HEAD:{path}")
    assert "Write it into the log." in garden.show(f"HEAD:{path}")
    assert not any("skills/devops/old-report" in name for name in garden.files())
    assert call(garden, "undo", run, "--now", NOW) == 0
    garden.write(path, text.split("\n## References")[0])
    garden.commit(0)
    assert garden.repo.ask("rev-parse", "HEAD:knowledge/skills") == start
    capsys.readouterr()
    assert call(garden, "undo", run, "--now", NOW) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert call(garden, "undo", f"{run}:9", "--now", NOW) == 2
    assert call(garden, "undo", "2020-01-01-abcdef0", "--now", NOW) == 2


def test_undo_names_a_file_whose_lines_were_edited_since(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    table = apply(garden, capsys)
    garden.repo.git("merge", "-q", "--ff-only", str(table["branch"]))
    path = "knowledge/skills/devops/release/SKILL.md"
    garden.write(path, garden.show(f"HEAD:{path}").replace("- [ship]", "- see [ship]"))
    garden.commit(0)
    tip = garden.head()
    assert call(garden, "undo", f"{table['run']}:2", "--now", NOW) == 2
    assert path in capsys.readouterr().err
    assert garden.head() == tip


def test_reports_are_shown_by_run(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    plant(garden)
    assert call(garden, "report") == 2
    table = apply(garden, capsys)
    assert call(garden, "report", str(table["run"])) == 0
    assert capsys.readouterr().out.startswith("# Curator run")
    garden.repo.git("merge", "-q", "--ff-only", str(table["branch"]))
    assert call(garden, "report", "--json") == 0
    assert json.loads(capsys.readouterr().out)["run"] == table["run"]


def test_in_the_background_the_first_run_waits_and_a_pause_holds(
    garden: Garden, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(garden)
    branches = ("for-each-ref", "refs/heads/curator")
    assert call(garden, "--background", "--now", "2026-11-29") == 0
    assert "first run deferred" in capsys.readouterr().out
    assert call(garden, "--background", "--now", "2026-12-05") == 0
    assert "every 168 hours" in capsys.readouterr().out
    assert call(garden, "pause") == 0
    assert call(garden, "--background", "--now", "2026-12-07") == 0
    assert "paused" in capsys.readouterr().out
    assert garden.repo.git(*branches) == b""
    assert call(garden, "resume") == 0
    assert call(garden, "status", "--now", "2026-12-07") == 0
    assert "due: " in capsys.readouterr().out
    assert call(garden, "--background", "--now", "2026-12-07") == 0
    assert garden.repo.git(*branches) != b""
    assert call(garden, "--background", "--now", "2026-12-08") == 0
    assert "every 168 hours" in capsys.readouterr().out.split("not due")[-1]


WRONG = [("--apply", "--dry-run"), ("--now", "yesterday"), ("frobnicate",)]


@pytest.mark.parametrize("args", WRONG)
def test_mistakes_are_told(garden: Garden, args: tuple[str, ...]) -> None:
    plant(garden)
    assert call(garden, *args) == 2


def test_without_a_commit_there_is_nothing_to_curate(garden: Garden, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(garden) == 2
    assert "no commit yet" in capsys.readouterr().err

"""One rule, every door: hooks, range check, command line and library say the same of the same change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from hermes_git.cli import main
from hermes_git.finding import Report
from hermes_git.gate import making
from hermes_git.gate.declare import body_of
from hermes_git.gate.doors import judge_trees
from hermes_git.gate.policy import settings_at
from hermes_git.gate.range import judge_range
from hermes_git.gate.step import PROCESS_VARIABLE, Moment
from hermes_git.gitrepo import create, write
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.provenance.actor import actor_of_message
from hermes_git.provenance.change import Actor
from tests.gate.doors_changes import ACTORS, BASE, CHANGES, Case, cases

TODAY = date(2026, 11, 29)
GROUPS = 8
Said = tuple[str, frozenset[str]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return a repository with one commit of knowledge and policy."""
    folder = tmp_path_factory.mktemp("doors") / "repo"
    create.create(folder)
    repo = require(folder, clean=True)
    for path, content in BASE.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    repo.git("add", "-A")
    repo.git("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "base")
    return repo


def edits(repo: Repository, case: Case) -> Iterator[write.Edit]:
    for path, content in case.change.edits.items():
        if content is None:
            yield write.Edit(path, "")
        elif isinstance(content, str) and content.startswith("link:"):
            yield write.Edit(path, write.write_blob(repo, content.removeprefix("link:").encode()), "120000")
        else:
            data = content if isinstance(content, bytes) else content.encode()
            yield write.Edit(path, write.write_blob(repo, data))


def said(report: Report) -> Said:
    return report.verdict, frozenset(found.fingerprint for found in report.findings)


def hooks(repo: Repository, index: Path, case: Case, message: Path) -> Said:
    """Run the hooks of a commit in git's order, also those that git would not reach after a refusal."""
    os.environ["GIT_INDEX_FILE"] = str(index)
    try:
        environment = {**ACTORS[case.actor], "GIT_EDITOR": ":", PROCESS_VARIABLE: "1"}
        now = Moment(environment, TODAY)
        report = making.judge_index(repo, now)
        report = report.plus(making.judge_prepared(repo, message, "message", "", now))
        return said(report.plus(making.judge_written(repo, message, now)))
    finally:
        del os.environ["GIT_INDEX_FILE"]


def declared(report: Report) -> str:
    """Return the lines that a refusal asks for."""
    return "\n".join(found.hint.split(": ", 1)[1] for found in report.findings if found.check in ("HG710", "HG711"))


def judge_everywhere(repo: Repository, case: Case, scratch: Path, capfd: pytest.CaptureFixture[str]) -> dict[str, Said]:
    message = scratch / "message"
    message.write_text(case.message + "\n", encoding="utf-8")
    with write.private_index(repo, "HEAD", edits(repo, case)) as index:
        tree = write.index_tree(repo, index)
        if case.declares:
            probe = write.commit_tree(repo, tree, ["HEAD"], case.message)
            lines = declared(judge_range(repo, "HEAD", probe, today=TODAY)).replace("unknown:unknown", "agent:codex")
            message.write_text(f"{case.message}\n\n{lines}\n", encoding="utf-8")
        found = {"hooks": hooks(require(repo.cwd), index, case, message)}
    text = body_of(message.read_text(encoding="utf-8"))
    commit = write.commit_tree(repo, tree, ["HEAD"], text)
    found["range"] = said(judge_range(repo, "HEAD", commit, today=TODAY))
    found["library"] = said(
        judge_trees(repo, "HEAD", commit, settings=settings_at(repo), message=text, today=TODAY,
                    actor=actor_of_message(text) or Actor())
    )  # fmt: skip
    capfd.readouterr()
    code = main(["-C", str(repo.cwd), "check", "--range", f"HEAD..{commit}", "--json"])
    printed = json.loads(capfd.readouterr().out)
    found["command line"] = (printed["verdict"], frozenset(row["fingerprint"] for row in printed["findings"]))
    assert code == (1 if printed["verdict"] == "block" else 0)
    return found


def test_there_are_enough_changes_and_both_kinds() -> None:
    found = list(cases())
    assert len(found) >= 200 and len({case.id for case in found}) == len(found)


@pytest.mark.parametrize("group", range(GROUPS))
def test_all_doors_agree(
    base: Repository, group: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HERMES_GIT_ACTOR")
    verdicts = set()
    for number, case in enumerate(cases()):
        if number % GROUPS != group:
            continue
        found = judge_everywhere(base, case, tmp_path, capfd)
        verdicts.add(found["range"][0])
        assert len(set(found.values())) == 1, (case.id, found)
    assert {"pass", "block"} <= verdicts, "a contract that only ever passes proves nothing"


def test_before_the_message_is_known_a_hook_may_only_be_stricter(
    base: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HERMES_GIT_ACTOR")
    order = {"pass": 0, "warn": 1, "block": 2}
    differ = 0
    for change in CHANGES[::3]:
        case = Case(change, "unknown", "change\n\nHermes-Change: write repository -..- actor=person:bob")
        found = judge_everywhere(base, case, tmp_path, capfd)
        assert found["hooks"][1] == found["range"][1] == found["library"][1] == found["command line"][1]
        assert order[found["hooks"][0]] >= order[found["range"][0]]
        differ += found["hooks"][0] != found["range"][0]
    assert differ, "pre-commit cannot know who will sign"


@pytest.mark.parametrize("number", range(0, 220, 31))
def test_git_itself_ends_as_the_doors_say(
    base: Repository, number: int, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hermes_git.commands import hook_files

    case = list(cases())[number]
    monkeypatch.delenv("HERMES_GIT_ACTOR")
    verdict = judge_everywhere(base, case, tmp_path, capfd)["range"][0]
    clone = tmp_path / "clone"
    base.git("clone", "-q", str(base.cwd), str(clone))
    repo = require(clone, clean=True)
    create.configure(repo, {"hermes-git.python": sys.executable})
    hook_files.install(repo)
    write.update_index(repo, edits(repo, case))
    done = subprocess.run(["git", "commit", "-q", "-F", str(tmp_path / "message")], cwd=clone,
                          env={**os.environ, **ACTORS[case.actor]}, capture_output=True, check=False)  # fmt: skip
    assert (done.returncode != 0) == (verdict == "block"), (case.id, done.stderr)

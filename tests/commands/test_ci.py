"""The workflows, run here: the very scripts of their steps, with events as files, a bare remote, and a fake host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from hermes_git.gitrepo.repository import Repository, require
from hermes_git.provenance import spool
from hermes_git.settings import DEFAULTS
from tests.commands.fake_host import BOT, NAME, FakeHost, serve
from tests.conftest import Ran
from tests.curator.conftest import Garden

ROOT = Path(__file__).parent.parent.parent
SKILL = "knowledge/skills/web/one/SKILL.md"
GOOD = (
    "---\nname: one\ndescription: Checks links. Use when a page changes.\n---\n\n# One\n\n## When to Use\n\n- Always.\n"
)
BAD = "---\nname: one\n---\n\n# One\n"
CURL = GOOD + "\n1. Run `curl -fsS https://site.example.invalid/healthz`.\n"
AGENT = "\n\nHermes-Change: edit web/one -..- actor=agent:codex"
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]


def steps(workflow: str) -> list[str]:
    """Return the scripts of a workflow that call this tool, as they stand there."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / workflow).read_text(encoding="utf-8"))["jobs"]
    found = [step["run"] for job in jobs.values() for step in job["steps"] if "hermes-git" in step.get("run", "")]
    assert found, f"{workflow} calls nothing"
    return found


@pytest.fixture
def host() -> Iterator[FakeHost]:
    found = FakeHost()
    server = serve(found)
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def remote(repo: Repository, tmp_path: Path) -> Path:
    """Return a bare repository that `origin` names."""
    repo.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    repo.git("config", "user.name", "Job")
    repo.git("config", "user.email", "job@example.invalid")
    return tmp_path / "remote.git"


@pytest.fixture
def job(repo: Repository, host: FakeHost, tmp_path: Path) -> Callable[..., Ran]:
    """Return a function that runs the steps of a workflow in a plain shell, as the runner does."""

    def run(
        workflow: str,
        event: dict[str, Any] | None = None,
        *,
        token: bool = True,
        folder: Path | None = None,
        **extra: str,
    ) -> Ran:
        tmp = tmp_path / "runner"
        tmp.mkdir(exist_ok=True)
        (tmp / "event.json").write_text(json.dumps(event or {}), encoding="utf-8")
        env = {
            **{key: value for key, value in os.environ.items() if key != "HERMES_GIT_ACTOR"},
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GITHUB_EVENT_PATH": str(tmp / "event.json"),
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_API_URL": host.url,
            "GITHUB_OUTPUT": str(tmp / "output"),
            "GITHUB_STEP_SUMMARY": str(tmp / "summary.md"),
            "GITHUB_SERVER_URL": "https://github.example.invalid",
            "GITHUB_RUN_ID": "7",
            "RUNNER_TEMP": str(tmp),
            **({"GITHUB_TOKEN": host.token} if token else {}),
            **extra,
        }
        script = "\n".join(steps(workflow))
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=folder or repo.work_tree(),
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


def pull_event(base: str, head: str, number: int = 5) -> dict[str, Any]:
    request = {"number": number, "user": {"login": "codex-bot"}, "base": {"sha": base}, "head": {"sha": head}}
    return {"action": "synchronize", "pull_request": request}


@pytest.fixture
def branch(repo: Repository, remote: Path, write: Write, commit: Commit) -> Callable[..., tuple[str, str]]:
    """Return a function that pushes a branch with one change and returns the ends of its range."""
    write(SKILL, GOOD)
    base = commit("start")
    repo.git("push", "-q", "origin", "main")

    def push(text: str, message: str = "change" + AGENT) -> tuple[str, str]:
        repo.git("checkout", "-q", "-B", "topic", base)
        write(SKILL, text)
        head = commit(message)
        repo.git("push", "-q", "--force", "origin", "topic")
        repo.git("checkout", "-q", "main")
        return base, head

    return push


def test_check_judges_the_event_without_any_token(
    job: Callable[..., Ran], branch: Callable[..., tuple[str, str]], host: FakeHost, tmp_path: Path
) -> None:
    refused = job("check.yml", pull_event(*branch(BAD)), token=False)
    assert refused.code == 1 and f"::error file={SKILL}" in refused.out
    assert "verdict=block" in (tmp_path / "runner" / "output").read_text(encoding="utf-8")
    assert "## Review of" in (tmp_path / "runner" / "summary.md").read_text(encoding="utf-8")
    passed = job("check.yml", pull_event(*branch(GOOD + "\nMore.\n")), token=False)
    assert passed.code == 0 and host.requests == []


def test_check_says_the_same_as_the_plain_command(
    job: Callable[..., Ran],
    branch: Callable[..., tuple[str, str]],
    hg: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HERMES_GIT_ACTOR")
    base, head = branch(BAD)
    assert (
        job("check.yml", pull_event(base, head)).out
        == hg("check", "--range", f"{base}..{head}", "--format", "github").out
    )


def test_the_action_runs_the_same_step_in_a_plain_shell(
    repo: Repository, branch: Callable[..., tuple[str, str]], tmp_path: Path, host: FakeHost
) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = next(step for step in action["runs"]["steps"] if step.get("id") == "run")
    assert step["shell"] == "bash" and set(step["env"]) >= {"STEP", "GITHUB_TOKEN"}
    event = tmp_path / "event.json"
    event.write_text(json.dumps(pull_event(*branch(CURL))), encoding="utf-8")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "STEP": "check",
           "GITHUB_EVENT_PATH": str(event), "GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_TOKEN": "",
           "HERMES_GIT_SARIF": str(tmp_path / "out.sarif")}  # fmt: skip

    def run(required: str) -> int:
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], cwd=repo.work_tree(), check=False,
                              env={**env, "HERMES_GIT_REQUIRE_APPROVAL": required}, capture_output=True)  # fmt: skip
        return done.returncode

    assert (run("false"), run("true")) == (0, 1), "an agent lets a skill do more, and nobody has approved"
    assert json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_comment_is_one_and_follows_what_is_pushed(
    job: Callable[..., Ran], branch: Callable[..., tuple[str, str]], host: FakeHost
) -> None:
    base, head = branch(BAD)
    pull = host.pull(5, head, base)
    host.comments[5] = [{"id": 1, "user": {"login": "eve", "type": "User"}, "body": "<!-- hermes-git review -->\nmine"}]
    event = {"workflow_run": {"head_sha": head, "pull_requests": []}}
    assert job("comment.yml", event).code == 0
    [foreign, ours] = host.comments[5]
    assert foreign["body"].endswith("mine"), "anybody may write the mark"
    assert "HG203" in ours["body"] and ours["user"] == BOT
    assert job("comment.yml", event).code == 0 and len(host.comments[5]) == 2
    assert not any(line.startswith("PATCH") for line in host.requests), "nothing changed, nothing is written"
    _, head = branch(GOOD + "\nMore.\n")
    pull["head"]["sha"] = head
    assert job("comment.yml", {"workflow_run": {"head_sha": head}}).code == 0
    assert len(host.comments[5]) == 2 and "HG203" not in host.comments[5][1]["body"], "what is mended vanishes"


def test_comment_does_not_believe_the_job_that_it_follows(
    job: Callable[..., Ran], branch: Callable[..., tuple[str, str]], host: FakeHost
) -> None:
    base, head = branch(BAD)
    host.pull(5, "0" * 40, base)
    event = {"workflow_run": {"head_sha": head, "pull_requests": [{"number": 5}]}, "pull_request": {"number": 5}}
    done = job("comment.yml", event)
    assert done.code == 0 and host.comments == {} and "no open pull request" in done.out
    assert job("comment.yml", {"workflow_run": {"head_sha": "--upload-pack=x"}}).code == 2


def test_comment_fetches_a_fork_as_data_and_leaves_the_checkout_alone(
    repo: Repository, job: Callable[..., Ran], branch: Callable[..., tuple[str, str]], host: FakeHost, remote: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    base, head = branch(BAD)
    repo.git("push", "-q", "origin", f"{head}:refs/pull/5/head", ":refs/heads/topic")
    repo.git("clone", "-q", "--single-branch", f"file://{remote}", str(tmp_path / "fresh"))
    fresh = require(tmp_path / "fresh", clean=True)
    assert fresh.ask("cat-file", "-e", head) is None, "the commit of the fork is not here"
    host.pull(5, head, base, fork=True)
    before = fresh.git("rev-parse", "HEAD"), fresh.git("status", "--porcelain"), fresh.git("branch", "--list")
    done = job("comment.yml", {"workflow_run": {"head_sha": head}}, folder=fresh.work_tree())
    assert done.code == 0 and "HG203" in host.comments[5][0]["body"]
    assert (fresh.git("rev-parse", "HEAD"), fresh.git("status", "--porcelain"), fresh.git("branch", "--list")) == before


def test_export_runs_on_the_sessions_of_the_branch(
    job: Callable[..., Ran], garden: Garden, hg: Callable[..., Ran], tmp_path: Path
) -> None:
    chat = {"messages": [{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]}
    (tmp_path / "chat.json").write_text(json.dumps(chat), encoding="utf-8")
    assert hg("session", "import", str(tmp_path / "chat.json")).code == 0
    done = job("export.yml", BUDGET="0")
    assert done.code == 0, done.err
    assert (tmp_path / "runner" / "export" / "manifest.json").is_file()


def test_the_status_of_the_approval_follows_the_reviews(
    job: Callable[..., Ran], branch: Callable[..., tuple[str, str]], host: FakeHost
) -> None:
    base, head = branch(CURL)
    host.pull(5, head, base)
    job("comment.yml", {"workflow_run": {"head_sha": head}})
    host.reviews[5] = [{"user": {"login": "alice", "type": "User"}, "state": "APPROVED", "commit_id": head}]
    job("comment.yml", {"workflow_run": {"head_sha": head}})
    assert [(row["context"], row["state"]) for row in host.statuses] == [
        ("hermes-git/approval", "failure"),
        ("hermes-git/approval", "success"),
    ]
    assert host.statuses[-1]["target_url"].endswith("/team/knowledge/actions/runs/7")


@pytest.fixture
def garden(repo: Repository, write: Write, remote: Path) -> Garden:
    """Return a garden with one skill that nobody has used for long, pushed to the remote."""
    found = Garden(repo, write)
    found.skill("devops/old-report", "Collect the numbers by hand and mail them.", 400)
    found.skill("devops/fresh", "Restart the queue when it stalls.", 400)
    found.use("old-report", 390)
    found.use("devops/fresh", 3)
    repo.git("push", "-q", "origin", "main", "hermes/sessions")
    return found


def branches(remote: Path) -> list[str]:
    done = subprocess.run(["git", "for-each-ref", "--format=%(refname:short)"], cwd=remote, capture_output=True,
                          encoding="utf-8", check=True)  # fmt: skip
    return done.stdout.split()


def test_curate_keeps_one_pull_request_and_judges_it(
    job: Callable[..., Ran], garden: Garden, host: FakeHost, remote: Path
) -> None:
    garden.repo.git("update-ref", "-d", "refs/heads/hermes/sessions")
    old = host.pull(3, "1" * 40, "2" * 40, ref="curator/2026-01-01-0000000", author="github-actions[bot]")
    foreign = host.pull(4, "1" * 40, "2" * 40, ref="curator/by-somebody", fork=True)
    done = job("curate.yml")
    assert done.code == 0, done.err
    opened = [row for row in host.pulls if row["state"] == "open" and row is not foreign]
    assert len(opened) == 1 and opened[0]["head"]["ref"].startswith("curator/") and "old-report" in opened[0]["body"]
    assert opened[0]["head"]["ref"] in branches(remote)
    assert old["state"] == "closed" and f"#{opened[0]['number']}" in host.comments[3][0]["body"]
    assert foreign["state"] == "open", "a branch of that name in a fork is not ours to close"
    assert [(row["context"], row["state"]) for row in host.statuses] == [("hermes-git/check", "success")]
    again = job("curate.yml")
    assert again.code == 0 and len([row for row in host.pulls if row["state"] == "open"]) == 2


def test_curate_takes_in_the_remotes_uses_and_keeps_those_that_are_only_here(
    job: Callable[..., Ran], garden: Garden, remote: Path
) -> None:
    shared = str(garden.repo.ask("rev-parse", "hermes/sessions"))
    garden.use("devops/elsewhere", 2)
    garden.repo.git("push", "-q", "origin", "hermes/sessions")
    garden.repo.git("update-ref", "refs/heads/hermes/sessions", shared)
    garden.use("devops/only-here", 1)
    assert job("curate.yml").code == 0
    keys = {use.key for use in spool.read_ledger(garden.repo, DEFAULTS).uses}
    assert keys >= {"devops/elsewhere", "devops/only-here"}


def test_curate_never_forces(job: Callable[..., Ran], garden: Garden, host: FakeHost, remote: Path) -> None:
    assert job("curate.yml").code == 0
    [name] = [name for name in branches(remote) if name.startswith("curator/")]
    edited = garden.repo.git("commit-tree", f"{name}^{{tree}}", "-p", name, "-m", "edited by hand").decode().strip()
    garden.repo.git("push", "-q", "origin", f"{edited}:refs/heads/{name}")
    refused = job("curate.yml")
    assert refused.code == 2 and "other commits" in refused.err and "--delete" in refused.err
    there = subprocess.run(["git", "rev-parse", name], cwd=remote, capture_output=True, encoding="utf-8", check=True)
    assert there.stdout.strip() == edited


def test_curate_names_the_switch_that_is_off(job: Callable[..., Ran], garden: Garden, host: FakeHost) -> None:
    host.may_open = False
    refused = job("curate.yml")
    assert refused.code == 2 and "Allow GitHub Actions to create and approve pull requests" in refused.err


@pytest.mark.parametrize("allowed", [True, False])
def test_doctor_looks_at_the_switch(
    repo: Repository, hg: Callable[..., Ran], host: FakeHost, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    host.may_open = allowed
    for name, value in {"GITHUB_REPOSITORY": NAME, "GITHUB_API_URL": host.url, "GITHUB_TOKEN": host.token}.items():
        monkeypatch.setenv(name, value)
    row = next(row for row in hg("doctor", "--json").json if row["name"] == "github")
    assert row["good"] is allowed and (allowed or "Allow GitHub Actions" in row["remedy"])
    monkeypatch.setenv("GITHUB_TOKEN", "wrong")
    row = next(row for row in hg("doctor", "--json").json if row["name"] == "github")
    assert not row["good"] and "401" in row["seen"]


def test_a_wrong_token_is_named(job: Callable[..., Ran], garden: Garden, host: FakeHost) -> None:
    refused = job("curate.yml", GITHUB_TOKEN="wrong")
    assert refused.code == 2 and "401" in refused.err and "GITHUB_TOKEN" in refused.err


def test_curate_with_nothing_to_do_opens_nothing(
    job: Callable[..., Ran], branch: Callable[..., tuple[str, str]], host: FakeHost
) -> None:
    branch(GOOD)
    done = job("curate.yml")
    assert done.code == 0 and "nothing to do" in done.out and host.pulls == []


def test_update_merges_the_base_into_proposals(
    repo: Repository, job: Callable[..., Ran], remote: Path, write: Write, commit: Commit
) -> None:
    memory = "knowledge/memory/MEMORY.md"
    write(memory, "first fact\n§\nsecond fact")
    base = commit("start")
    for name, text in (
        ("proposal/good", "first fact\n§\nsecond fact\n§\nproposed"),
        ("proposal/bad", "mine\n§\nsecond fact"),
    ):
        repo.git("checkout", "-q", "-b", name, base)
        write(memory, text)
        commit("propose")
        repo.git("push", "-q", "origin", name)
    repo.git("checkout", "-q", "main")
    write(memory, "theirs\n§\nsecond fact\n§\nmerged meanwhile")
    commit("meanwhile")
    repo.git("push", "-q", "origin", "main")
    repo.git("branch", "-q", "-D", "proposal/good", "proposal/bad")
    done = job("update.yml")
    assert done.code == 1 and "proposal/bad" in done.err and "proposal/good: is now at" in done.out
    text = subprocess.run(["git", "show", f"proposal/good:{memory}"], cwd=remote, capture_output=True, encoding="utf-8",
                          check=True).stdout  # fmt: skip
    assert text == "theirs\n§\nsecond fact\n§\nmerged meanwhile\n§\nproposed"

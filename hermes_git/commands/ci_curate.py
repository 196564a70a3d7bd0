"""The scheduled curator: its branch pushed, one pull request open for it, its verdict posted as a status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hermes_git import errors
from hermes_git.commands.call import Call
from hermes_git.commands.ci_host import Host
from hermes_git.commands.ci_pull import CONTEXT_CHECK, post_status
from hermes_git.commands.curate_finish import moment
from hermes_git.commands.session_merge import take_in
from hermes_git.curator import apply, report
from hermes_git.curator import run as runs
from hermes_git.curator.report import Run
from hermes_git.errors import UserError
from hermes_git.gate.range import judge_range
from hermes_git.gitrepo import read
from hermes_git.reports.text import summary
from hermes_git.sessions.places import BranchPlace
from hermes_git.sessions.store import open_store

BRANCHES = "curator/"


def run(call: Call, host: Host, environment: Mapping[str, str], remote: str) -> int:
    """Plan, apply, push, open or find the pull request, close older ones, post the verdict."""
    _fetch_uses(call, remote)
    base = read.head(call.repo)
    if base is None:
        raise UserError("there is no commit yet", hint="the job needs a checkout with fetch-depth: 0")
    if not call.settings.curator.enabled:
        call.say("the curator is switched off (curator.enabled)")
        return errors.OK
    made = runs.prepare(call.repo, base, call.settings, now=moment(call), cause="the schedule of the workflow")
    if not made.applied:
        call.say("nothing to do")
        return errors.OK
    apply.publish(call.repo, made.plan, made.tip)
    _push(call, remote, made)
    target = environment.get("GITHUB_REF_NAME") or (read.branch(call.repo) or "main").removeprefix("refs/heads/")
    pull = _pull(host, made, target)
    call.say(f"pull request {pull['number']}: {made.plan.branch}")
    for number in _close_older(host, pull):
        call.say(f"closed {number}, which this one replaces")
    judged = judge_range(call.repo, base, made.tip, today=call.clock().date())
    post_status(host, made.tip, CONTEXT_CHECK, judged.verdict != "block", summary(judged), environment)
    return errors.FINDINGS if judged.verdict == "block" else errors.OK


def _fetch_uses(call: Call, remote: str) -> None:
    """Fetch the branches, and take in what the remote knows of uses; what is only known here stays."""
    call.repo.git("fetch", "--quiet", remote, f"+refs/heads/*:refs/remotes/{remote}/*")
    place = open_store(call.repo, call.settings, now=call.now).place
    if isinstance(place, BranchPlace):
        name = f"{remote}/{place.branch}"
        theirs = read.ref(call.repo, f"refs/remotes/{name}")
        if theirs is not None:
            take_in(call, place, theirs, name)


def _push(call: Call, remote: str, made: Run) -> None:
    """Push the branch; one of the same name that says something else stays, because nothing is forced."""
    name = f"refs/heads/{made.plan.branch}"
    there = call.repo.git("ls-remote", remote, name).decode("utf-8", "replace").split()
    if there and there[0] != made.tip:
        raise UserError(
            f"{made.plan.branch} is there already with other commits", where=remote,
            hint=f"review or close it, then delete it: git push {remote} --delete {made.plan.branch}",
        )  # fmt: skip
    if not there:
        call.repo.git("push", "--quiet", remote, f"{name}:{name}")


def _pull(host: Host, made: Run, target: str) -> dict[str, Any]:
    """Find the open pull request of the branch, or open it."""
    for row in _open(host):
        if row["head"]["ref"] == made.plan.branch:
            return row
    found: dict[str, Any] = host.send(
        "POST",
        "pulls",
        {"head": made.plan.branch, "base": target, "title": _title(made), "body": report.render(made)[:60_000],
         "maintainer_can_modify": False},
    )  # fmt: skip
    return found


def _title(made: Run) -> str:
    count = len(made.applied)
    return f"curator: {count} step{'' if count == 1 else 's'} ({made.plan.branch.removeprefix(BRANCHES)})"


def _open(host: Host) -> list[dict[str, Any]]:
    """List the open pull requests of the curator that come from this repository itself, not from a fork."""
    return [
        row
        for row in host.rows("pulls", state="open")
        if row["head"]["ref"].startswith(BRANCHES) and (row["head"].get("repo") or {}).get("full_name") == host.name
    ]


def _close_older(host: Host, pull: Mapping[str, Any]) -> list[int]:
    """Close the other open pull requests of the curator, each with a link to this one."""
    closed = []
    for row in _open(host):
        if row["number"] != pull["number"]:
            text = f"A newer run of the curator replaces this one: #{pull['number']}"
            host.send("POST", f"issues/{row['number']}/comments", {"body": text})
            host.send("PATCH", f"pulls/{row['number']}", {"state": "closed"})
            closed.append(int(row["number"]))
    return closed

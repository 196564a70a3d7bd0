"""Pull requests in CI: the one comment, the status of the approval, and proposals kept up to date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_git import files
from hermes_git.commands import review
from hermes_git.commands.call import Call
from hermes_git.commands.ci_event import COMMIT
from hermes_git.commands.ci_host import Host
from hermes_git.commands.given import given_json
from hermes_git.errors import UserError
from hermes_git.gate import approval, proposals
from hermes_git.gitrepo import read
from hermes_git.provenance.reviewed import Review
from hermes_git.reports import review_markdown

MARK = "<!-- hermes-git review -->"
CONTEXT_CHECK, CONTEXT_APPROVAL = "hermes-git/check", "hermes-git/approval"


@dataclass(frozen=True, slots=True)
class Pull:
    """One open pull request as the host tells it."""

    number: int
    base: str
    head: str
    author: str


def comment_all(call: Call, host: Host, environment: Mapping[str, str]) -> list[str]:
    """Comment on the open pull requests that an event is about; return a sentence for each."""
    event = _event(environment)
    return [_comment(call, host, pull, environment) for pull in _pulls(host, event)]


def _event(environment: Mapping[str, str]) -> dict[str, Any]:
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        raise UserError("GITHUB_EVENT_PATH is not set", hint="this command runs in a GitHub workflow (docs/ci.md)")
    event = given_json(files.read_bytes(Path(path)), path, "GITHUB_EVENT_PATH names what the host wrote for this job")
    return event if isinstance(event, dict) else {}


def _pulls(host: Host, event: dict[str, Any]) -> Iterator[Pull]:
    """Yield the open pull requests with the commit of the event as their head, as the host has them now.

    The payload of a job that a fork started is not asked for a number: who writes it could name any.
    """
    run = event.get("workflow_run") or event.get("pull_request") or {}
    head = str(run.get("head_sha") or (run.get("head") or {}).get("sha") or "")
    if not COMMIT.match(head):
        raise UserError("the event names no head commit", hint="run this on workflow_run or pull_request_target")
    for row in host.rows("pulls", state="open"):
        if row["head"]["sha"] == head and COMMIT.match(str(row["base"]["sha"])):
            yield Pull(int(row["number"]), str(row["base"]["sha"]), head, str((row.get("user") or {}).get("login", "")))


def _comment(call: Call, host: Host, pull: Pull, environment: Mapping[str, str]) -> str:
    _fetch(call, pull)
    reviews = approval.hosted_reviews(list(host.rows(f"pulls/{pull.number}/reviews")))
    found = review.make(call, f"{pull.base}..{pull.head}", reviews=reviews, author=pull.author)
    body = f"{MARK}\n{review_markdown.render(found)}"
    old = next((row for row in host.rows(f"issues/{pull.number}/comments") if _is_ours(row)), None)
    said = "is up to date"
    if old is None:
        host.send("POST", f"issues/{pull.number}/comments", {"body": body})
        said = "was written"
    elif old["body"] != body:
        host.send("PATCH", f"issues/comments/{old['id']}", {"body": body})
        said = "was updated"
    post_status(host, pull.head, CONTEXT_APPROVAL, found.approval.is_given, _words(found), environment)
    return f"pull request {pull.number}: the comment {said}"


def _fetch(call: Call, pull: Pull) -> None:
    """Fetch the head as objects below a reference of ours; no branch here moves and nothing is checked out."""
    if read.ref(call.repo, pull.head) is None:
        kept = f"+refs/pull/{pull.number}/head:refs/hermes-git/pull/{pull.number}"
        call.repo.git("fetch", "--quiet", "--no-tags", "origin", kept)
    for name in (pull.base, pull.head):
        if read.ref(call.repo, name) is None:
            hint = "the job needs a checkout with fetch-depth: 0; after a newer push, the next run has it"
            raise UserError(f"commit {name[:12]} of pull request {pull.number} is not here", hint=hint)


def _is_ours(row: Mapping[str, Any]) -> bool:
    """Say whether a comment is the one that this tool keeps; anybody may write the mark, but not as a bot."""
    return str(row.get("body", "")).startswith(MARK) and (row.get("user") or {}).get("type") == "Bot"


def _words(found: Review) -> str:
    if not found.approval.is_needed:
        return "nobody else needs to approve"
    return "approved by " + ", ".join(found.approval.approvers) if found.approval.is_given else "needs an approver"


def post_status(
    host: Host, commit: str, context: str, is_good: bool, words: str, environment: Mapping[str, str]
) -> None:
    """Post a commit status with a link to the job."""
    server, run = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_RUN_ID", "")
    link = {"target_url": f"{server}/{host.name}/actions/runs/{run}"} if server and run else {}
    state = "success" if is_good else "failure"
    host.send("POST", f"statuses/{commit}", {"state": state, "context": context, "description": words[:140], **link})


def update_all(call: Call, remote: str, base: str) -> list[str]:
    """Bring every proposal of a remote up to date and push it; return those that clash."""
    call.repo.git("fetch", "--quiet", remote, f"+refs/heads/*:refs/remotes/{remote}/*")
    base = base or _default_branch(call, remote)
    clashes = []
    for name in _proposals(call, remote):
        call.repo.git("update-ref", f"refs/heads/{name}", f"refs/remotes/{remote}/{name}")
        try:
            made = proposals.update(call.repo, name, base, actor=call.actor, session=call.session)
        except UserError as error:
            call.note(f"{name}: {error}")
            clashes.append(name)
            continue
        if made:
            call.repo.git("push", "--quiet", remote, f"refs/heads/{name}:refs/heads/{name}")
        call.say(f"{name}: {f'is now at {made[:12]}' if made else 'holds the base already'}")
    return clashes


def _default_branch(call: Call, remote: str) -> str:
    found = call.repo.ask("symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
    return found or read.branch(call.repo) or "HEAD"


def _proposals(call: Call, remote: str) -> list[str]:
    prefix = f"refs/remotes/{remote}/"
    return [name.removeprefix(prefix) for name in read.ref_names(call.repo, f"{prefix}proposal/")]

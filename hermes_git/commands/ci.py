"""`hermes-git ci`: what the workflows run; every step works in a plain shell with the same environment."""

from __future__ import annotations

import os
from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.checks import catalogue
from hermes_git.commands import ci_curate, ci_pull, review
from hermes_git.commands.call import Call, common
from hermes_git.commands.check import unmarked_actor
from hermes_git.commands.ci_event import Event, read_event
from hermes_git.commands.ci_host import from_environment
from hermes_git.commands.lazy import Group
from hermes_git.commands.screen import show
from hermes_git.finding import Report
from hermes_git.gate.range import judge_range
from hermes_git.gitrepo import read
from hermes_git.reports import github, gitlab, review_markdown, sarif


@click.group(cls=Group)
def ci() -> None:
    """Run the steps of the workflows; what a job is about comes from the variables that the CI sets.

    \b
    hermes-git ci check      judge the commits of the event
    hermes-git ci comment    keep one comment on the pull request up to date
    hermes-git ci curate     keep one pull request of the curator open
    hermes-git ci update     merge the base into proposals
    """


@ci.command()
@click.option("--sarif", "sarif_file", metavar="FILE", envvar="HERMES_GIT_SARIF", help="Write the findings as SARIF.")
@click.option("--gitlab", "gitlab_file", metavar="FILE", default=None, help="Write GitLab's code quality report.")
@click.option("--require-approval", is_flag=True, envvar="HERMES_GIT_REQUIRE_APPROVAL",
              help="Fail while a needed approval is missing.")  # fmt: skip
@common()
def check(call: Call, sarif_file: str | None, gitlab_file: str | None, require_approval: bool) -> int:
    """Judge every commit of the event and the end state, by the policy of the base; needs no token.

    Prints annotations, adds the review to the job's summary, and sets the outputs verdict and findings.

    \b
    GITHUB_EVENT_PATH=event.json hermes-git ci check
    """
    event = read_event(os.environ)
    base = None if event.base.strip("0") == "" else event.base
    report = judge_range(call.repo, base, event.head, today=call.clock().date(), default=unmarked_actor())
    show(github.render(report) if not os.environ.get("GITLAB_CI") else gitlab.render(report), end="")
    for name, text in ((sarif_file, _sarif(report)), (gitlab_file, gitlab.render(report))):
        if name:
            files.write_atomic(Path(name), text.encode("utf-8"))
    is_missing = _summary(call, event, base) and require_approval
    _output({"verdict": report.verdict, "findings": str(len(report.findings))})
    return errors.FINDINGS if report.verdict == "block" or is_missing else errors.OK


def _sarif(report: Report) -> str:
    known = catalogue.load_all()
    return sarif.render(
        report, {item.check: known[item.check].title for item in report.findings if item.check in known}
    )


def _summary(call: Call, event: Event, base: str | None) -> bool:
    """Add the review to the job's summary, if there is one; say whether an approval is missing."""
    if base is None or read.merge_base(call.repo, base, event.head) is None:
        return False
    found = review.make(call, event.bounds, author=event.author)
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if target:
        with Path(target).open("a", encoding="utf-8", newline="") as stream:
            stream.write(review_markdown.render(found))
    return not found.approval.is_given


def _output(values: dict[str, str]) -> None:
    """Set outputs of the step, one `name=value` a line."""
    target = os.environ.get("GITHUB_OUTPUT")
    if target:
        with Path(target).open("a", encoding="utf-8", newline="") as stream:
            stream.writelines(f"{name}={value}\n" for name, value in values.items())


@ci.command()
@common()
def comment(call: Call) -> int:
    """Keep one comment on the pull request, and the status of the approval, up to date.

    Runs after the check of a pull request (event workflow_run), also one from a fork: the commits are fetched as data
    and nothing of them is run. Which pull request it is comes from the host, not from the job that it follows.

    \b
    GITHUB_EVENT_PATH=event.json GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… hermes-git ci comment
    """
    done = ci_pull.comment_all(call, from_environment(os.environ), os.environ)
    for line in done:
        call.say(line)
    if not done:
        call.say("no open pull request has this commit as its head; nothing to say")
    return errors.OK


@ci.command()
@click.option("--remote", default="origin", show_default=True, help="Where the branch is pushed.")
@common(now=True)
def curate(call: Call, remote: str) -> int:
    """Run the curator, push its branch, and keep exactly one pull request for it; nothing is ever forced.

    A newer plan closes the older pull request with a link. Pull requests opened with the default token start no checks,
    so the range is judged here and the verdict is posted as a status.

    \b
    GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… hermes-git ci curate
    """
    return ci_curate.run(call, from_environment(os.environ), os.environ, remote)


@ci.command()
@click.option("--remote", default="origin", show_default=True, help="Where the proposals are.")
@click.option("--base", default="", help="What to merge into them.  [default: the remote's default branch]")
@common()
def update(call: Call, remote: str, base: str) -> int:
    """Merge the base into every branch proposal/* of the remote, by entry and by section, and push what moved.

    A proposal that clashes is left as it is and named; exit code 1 then.

    \b
    hermes-git ci update
    """
    clashes = ci_pull.update_all(call, remote, base)
    return errors.FINDINGS if clashes else errors.OK

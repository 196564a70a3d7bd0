"""`hermes-git review`: what a branch teaches, allows and loses, on one page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands.call import Call, common
from hermes_git.commands.check import unmarked_actor
from hermes_git.commands.given import given_json
from hermes_git.commands.screen import show
from hermes_git.curator import range_loss
from hermes_git.curator.loss import Fate
from hermes_git.errors import UserError
from hermes_git.gate import approval
from hermes_git.gate import review as gate_review
from hermes_git.gate.review import Span
from hermes_git.provenance.reviewed import LostUnit, Review
from hermes_git.reports import review_html, review_json, review_markdown

FORMATS: dict[str, Callable[[Review], str]] = {
    "markdown": review_markdown.render,
    "html": review_html.render,
    "json": review_json.render,
}


@click.command()
@click.option("--range", "bounds", metavar="A..B", required=True, help="The commits to review.")
@click.option("--format", "form", type=click.Choice(tuple(FORMATS)), default="markdown", show_default=True,
              help="Output format.")  # fmt: skip
@click.option("--reviews", "reviews_file", metavar="FILE", default=None,
              help="Reviews as the host tells them (JSON of GitHub's pulls/N/reviews).")  # fmt: skip
@click.option("--author", metavar="LOGIN", default="", help="Who opened the request; may not approve it.")
@click.option("--require-approval", is_flag=True, help="Exit with 1 while a needed approval is missing.")
@common(json_output=True, now=True)
def review(call: Call, *, bounds: str, form: str, reviews_file: str | None, author: str, require_approval: bool) -> int:
    """Show what a range of commits teaches, allows and loses: entries, skills by section, abilities, findings, losses.

    Exit code 1: findings that block, or with --require-approval, a needed approval that is missing.

    \b
    hermes-git review --range main..HEAD
    hermes-git review --range main..proposal/1f3b9ac012 --format html > review.html
    hermes-git review --range main..HEAD --reviews reviews.json --author codex-bot --require-approval
    """
    found = make(call, bounds, reviews=_reviews(reviews_file), author=author)
    show(FORMATS["json" if call.json else form](found), end="")
    missing = require_approval and not found.approval.is_given
    return errors.FINDINGS if found.report.verdict == "block" or missing else errors.OK


def make(call: Call, bounds: str, *, reviews: tuple[approval.HostedReview, ...] = (), author: str = "") -> Review:
    """Put a review together, losses and approval included."""
    base, dots, tip = bounds.partition("..")
    if not dots or tip.startswith("."):
        raise UserError(f"--range {bounds!r} is not A..B", hint="for example --range main..HEAD")
    span = gate_review.span(call.repo, base or "HEAD", tip or "HEAD")
    found = gate_review.review(call.repo, span, today=call.clock().date(), default=unmarked_actor())
    counts, lost = _losses(call, span)
    given = approval.approval(
        call.repo, span.tip, span.rows, found.skills, found.report, reviews=reviews, author=author
    )
    return replace(found, loss_counts=counts, losses=lost, approval=given)


def _losses(call: Call, span: Span) -> tuple[tuple[tuple[str, int], ...], tuple[LostUnit, ...]]:
    measured = range_loss.measure(call.repo, span.base, span.tip, span.settings)
    fates = measured.loss.of("dropped", "moved", "duplicate")
    return tuple(measured.loss.counts.items()), tuple(_lost(fate, fate not in measured.undeclared) for fate in fates)


def _lost(fate: Fate, declared: bool) -> LostUnit:
    return LostUnit(fate.status, fate.unit.kind, fate.unit.text, fate.path, fate.unit.line, fate.now, declared)


def _reviews(name: str | None) -> tuple[approval.HostedReview, ...]:
    if name is None:
        return ()
    hint = "save what GET /repos/…/pulls/N/reviews returns"
    return approval.hosted_reviews(given_json(files.read_bytes(Path(name)), name, hint))

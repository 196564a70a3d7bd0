"""What a shell offers for a word: skills, sessions, entries, checks, proposals and runs of the repository at hand.

Nothing is imported before a person asks, and whatever stands in the way, such as no repository, offers nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_git.commands.call import Call
from hermes_git.errors import UserError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Row = tuple[str, str]
"""A word and a line about it, which some shells show beside it."""

Source = Callable[[Call, click.Context], Iterable[Row]]
Complete = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]

ABOUT = 60
"""Characters of a line about a word."""


def offering(*sources: Source) -> Complete:
    """Return a `shell_complete` that offers what the sources name and the word at hand begins."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        given = ctx.params.get(param.name or "")
        used = set(given) if isinstance(given, tuple) else set()
        rows = [row for source in sources for row in _known(source, ctx)]
        fitting = [row for row in rows if _fits(row[0], incomplete) and row[0] not in used]
        return [CompletionItem(word, help=about or None) for word, about in fitting]

    return complete


def _known(source: Source, ctx: click.Context) -> list[Row]:
    """Return what a source names; nothing where it cannot say, since an error would land amidst the person's line."""
    with contextlib.suppress(UserError, OSError):
        return list(source(Call(_folder(ctx)), ctx))
    return []


def _folder(ctx: click.Context) -> Path:
    """Return the folder that the command would act in."""
    named = [context.params.get("folder") for context in (ctx.find_root(), ctx)]
    return Path(*(name for name in named if isinstance(name, str))).resolve()


def _fits(word: str, incomplete: str) -> bool:
    """Say whether a word, or what follows its last slash, begins so, capital letters or not."""
    start = incomplete.casefold()
    return any(name.casefold().startswith(start) for name in (word, word.rpartition("/")[2]))


def _skills(call: Call, _: click.Context) -> Iterator[Row]:
    from hermes_git.knowledge.layout import is_below, skill_key

    for root in _roots(call, call.settings.paths.skills):
        if not is_below(root, call.settings.paths.archive):
            yield skill_key(root, call.settings), ""


def _archived(call: Call, _: click.Context) -> Iterator[Row]:
    from hermes_git.knowledge.layout import skill_key

    for root in _roots(call, call.settings.paths.archive):
        yield skill_key(root, call.settings), ""


def _roots(call: Call, folder: str) -> list[str]:
    from hermes_git.gitrepo import read
    from hermes_git.knowledge.layout import skill_roots

    head = read.head(call.repo)
    return sorted(skill_roots(read.tree(call.repo, head, folder))) if head else []


def _sessions(call: Call, _: click.Context) -> Iterator[Row]:
    from hermes_git.sessions.store import open_store

    for name in open_store(call.repo, call.settings).ids():
        yield name, ""


def _entries(call: Call, ctx: click.Context) -> Iterator[Row]:
    from hermes_git.gate.drift import head_file
    from hermes_git.knowledge.layout import TARGETS, memory_path

    named = ctx.params.get("target")
    for target in [named] if named in TARGETS else TARGETS:
        for entry in head_file(call.repo, memory_path(call.settings, str(target))).entries:
            yield entry.id, " ".join(entry.text.split())[:ABOUT]


def _checks(_: Call, __: click.Context) -> Iterator[Row]:
    from hermes_git.checks import catalogue

    for check in catalogue.load_all().values():
        yield check.id, check.title


def _proposals(call: Call, _: click.Context) -> Iterator[Row]:
    from hermes_git.gate import proposals

    for row in proposals.pending(call.repo):
        yield row.id, row.subject[:ABOUT]


def _branches(call: Call, _: click.Context) -> Iterator[Row]:
    from hermes_git.gitrepo import read

    for name in read.ref_names(call.repo, "refs/heads/proposal/", "refs/heads/curator/"):
        yield name.removeprefix("refs/heads/"), ""


def _runs(call: Call, _: click.Context) -> Iterator[Row]:
    from hermes_git.curator.undo import reports

    for name in reports(call.repo, "HEAD", call.settings):
        yield name, ""


def _distributions(_: Call, __: click.Context) -> Iterator[Row]:
    from hermes_git.batch import toolsets

    for name, found in toolsets.known().items():
        yield name, found.about


skills = offering(_skills)
archived = offering(_archived)
sessions = offering(_sessions)
entries = offering(_entries)
checks = offering(_checks)
proposals = offering(_proposals)
branches = offering(_branches)
runs = offering(_runs)
distributions = offering(_distributions)
knowledge = offering(_sessions, _entries, _skills)

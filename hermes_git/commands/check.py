"""`hermes-git check`: judge paths, the index, a range of commits, or all knowledge of the work tree."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from hermes_git import files
from hermes_git.check_ids import selects
from hermes_git.checks import catalogue
from hermes_git.checks.run import TRUST, scan
from hermes_git.commands.call import Call, colour_allowed, common
from hermes_git.commands.screen import show
from hermes_git.commands.watchdog import TimeIsUp, limit
from hermes_git.document import MODE_EXECUTABLE, MODE_FILE, MODE_LINK, Document
from hermes_git.errors import FINDINGS, OK, OUR_BUG, UserError
from hermes_git.finding import ERROR, Finding, Report, Skipped
from hermes_git.gate.doors import policy_at
from hermes_git.gate.scan_cache import ScanCache
from hermes_git.gate.second import Second
from hermes_git.gate.waivers import divide
from hermes_git.gitrepo.read import head
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import lock
from hermes_git.knowledge.layout import is_below
from hermes_git.provenance.actor import ACTOR_VARIABLE
from hermes_git.provenance.change import Actor, parse_actor
from hermes_git.reports import sarif, text
from hermes_git.reports.formats import FORMATS
from hermes_git.settings import DEFAULTS, FILE_NAME, Settings

MAX_FILE = 8 * 1024 * 1024
"""Bytes of one file that are read; a larger one is reported by its size."""


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--staged", is_flag=True, help="Judge the index that would be committed.")
@click.option(
    "--range", "span", metavar="A..B", default=None, help="Judge what B changes against its merge base with A."
)
@click.option("--all", "all_knowledge", is_flag=True, help="Judge all knowledge files of the work tree.")
@click.option("--trust", type=click.Choice(TRUST), default=None, help="Where PATHS come from.  [default: own]")
@click.option("--select", metavar="IDS", default="", help="Only these checks or families, such as HG3,HG401.")
@click.option(
    "--format", "form", type=click.Choice(tuple(FORMATS)), default=None, help="Output format.  [default: text]"
)
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
@click.option(
    "--time-limit",
    type=click.IntRange(1),
    default=1800,
    show_default=True,
    metavar="SECONDS",
    help="End with exit code 3 after so long; that is no verdict.",
)
@common(json_output=True)
def check(
    call: Call,
    *,
    paths: tuple[str, ...],
    staged: bool,
    span: str | None,
    all_knowledge: bool,
    trust: str | None,
    select: str,
    form: str | None,
    strict: bool,
    time_limit: int,
) -> int:
    """Judge knowledge: memory files, skills with all their files, or any folder. Nothing is run or followed.

    Exit code 0: pass (or warnings), 1: findings that block, 2: it could not be carried out, 3: it took too long.

    \b
    hermes-git check skills/pdf              one skill, also outside any repository
    hermes-git check --trust community DIR   a skill from elsewhere, judged strictly
    hermes-git check --staged                what the pre-commit hook says
    hermes-git check --range main..HEAD      what CI says
    hermes-git check --all --format sarif    everything, for a code scanning service
    """
    chosen = _selection(select)
    _one_way([bool(paths), staged, span is not None, all_knowledge])
    try:
        with limit(time_limit):
            if staged or span is not None:
                report = _at_gate(call, span, chosen, trust)
            else:
                report = _of_files(call, paths, trust or "own", chosen)
            if not paths:
                report = report.plus(_drivers(call, chosen, is_local=span is None))
    except TimeIsUp:
        call.note(f"no verdict: this took more than {time_limit} s; judge fewer files at once, or raise --time-limit")
        return OUR_BUG
    _print(call, report, form or ("json" if call.json else "text"))
    return FINDINGS if report.verdict == "block" or (strict and report.verdict == "warn") else OK


def _selection(select: str) -> tuple[str, ...]:
    """Split `--select` and refuse what names no check, so that a typing error is not a pass."""
    chosen = tuple(part.strip().upper() for part in select.split(",") if part.strip())
    known = catalogue.load_all()
    for part in chosen:
        if not any(id.startswith(part) for id in known):
            raise UserError(f"--select {part}: no check begins like this", hint="list them with: hermes-git explain")
    return chosen


def _one_way(given: list[bool]) -> None:
    if sum(given) > 1:
        raise UserError("PATHS, --staged, --range and --all exclude each other", hint="give one of them")


def _at_gate(call: Call, span: str | None, select: tuple[str, ...], trust: str | None) -> Report:
    from hermes_git.gate import doors
    from hermes_git.gate.range import judge_range

    if trust is not None:
        raise UserError("--trust belongs to PATHS and --all", hint="a change is trusted as far as its author is")
    today = call.clock().date()
    if span is None:
        return doors.judge_staged(call.repo, environment=os.environ, today=today, select=select)
    base, dots, tip = span.partition("..")
    if not dots or tip.startswith("."):
        raise UserError(f"--range {span!r} is not A..B", hint="for example --range main..HEAD")
    return judge_range(
        call.repo,
        base or "HEAD",
        tip or "HEAD",
        today=today,
        select=select,
        default=unmarked_actor(),
        watch=lambda rows: call.watch(rows, "commits", len(rows)),
    )


def _drivers(call: Call, select: tuple[str, ...], *, is_local: bool) -> Report:
    from hermes_git.gate.drivers import judge_drivers

    repo = call.find_repo()
    found = judge_drivers(repo, call.settings, is_local=is_local) if repo else ()
    return Report(tuple(row for row in found if not select or row.check.startswith(select)))


def unmarked_actor() -> Actor:
    """Return who made commits that do not say it: unknown, the same here and in CI, unless the variable names someone.

    The user's own configuration says who acts now, not who made the commits of a range.
    """
    return parse_actor(os.environ.get(ACTOR_VARIABLE, ""))


def _of_files(call: Call, paths: tuple[str, ...], trust: str, select: tuple[str, ...]) -> Report:
    repo = call.find_repo()
    top = repo.top if repo and repo.top else None
    settings = call.settings if top else DEFAULTS
    collected = Collected()
    if paths:
        for path in paths:
            collected.add(call.folder, Path(path), top)
    elif repo is None:
        collected.add(call.folder, Path(), None)
    else:
        collected.add_knowledge(repo.work_tree(), settings)
    only = None if collected.whole else frozenset(collected.asked)
    cache = ScanCache(repo.state) if repo else None
    done = scan(
        collected.documents,
        settings=settings,
        trust=trust,
        select=select,
        only=only,
        cache=cache,
        watch=lambda rows: call.watch(rows, "files", len(rows)),
        origins=_origins(top, settings),
    )
    if cache:
        cache.save()
    second = _second_opinions(call, repo, collected, settings, select)
    standing, waived = _divided(call, repo, tuple(sorted((*done.findings, *second))))
    skipped = tuple(sorted({*done.not_scanned, *collected.skipped}))
    asked = len(collected.read) if collected.whole else len(collected.asked)
    return Report(standing, skipped, waived, scanned=asked)


def _origins(top: Path | None, settings: Settings) -> dict[str, str]:
    """Say how far the sources of installed skills are trusted; a lock file that is no plain file cannot be read."""
    path = top / lock.path(settings) if top else None
    if path is None or not os.path.lexists(path):
        return {}
    is_file = path.is_file() and not path.is_symlink() and path.stat().st_size <= lock.MAX_BYTES
    return lock.origins(files.read_bytes(path) if is_file else None, settings)


def _second_opinions(
    call: Call, repo: Repository | None, collected: Collected, settings: Settings, select: tuple[str, ...]
) -> tuple[Finding, ...]:
    """Ask the scanners that the user's own git configuration names; none is named by default."""
    if not selects(select, "HG790"):
        return ()
    touched = frozenset(collected.read if collected.whole else collected.asked)
    second = Second(
        call.folder,
        repo.state if repo else None,
        "check",
        watch=lambda rows: call.watch(rows, "second opinions", len(rows)),
    )
    return second.findings(collected.documents, touched, settings)


def _divided(
    call: Call, repo: Repository | None, findings: tuple[Finding, ...]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Divide findings by the waivers of HEAD: those of a work tree would let a change excuse itself."""
    if repo is None or repo.top is None:
        return findings, ()
    policy = policy_at(repo, head(repo), Actor())
    return divide(findings, policy.waivers, call.clock().date())


def everything(call: Call) -> Report:
    """Judge all knowledge of the work tree as `check --all` does."""
    return _of_files(call, (), "own", ())


class Collected:
    """Documents read from the file system, what could not be read, and which of them were asked for."""

    def __init__(self) -> None:
        self.read: dict[str, Document] = {}
        self.skipped: list[Skipped] = []
        self.asked: set[str] = set()
        self.whole = True

    @property
    def documents(self) -> list[Document]:
        """Return the documents sorted by path."""
        return [self.read[path] for path in sorted(self.read)]

    def add(self, folder: Path, path: Path, top: Path | None) -> None:
        """Read a file or folder; of a single file inside a skill the whole skill is read, to judge it in place."""
        full = Path(os.path.normpath(folder / path))
        if not os.path.lexists(full):
            raise UserError(f"no such file or folder: {path}", hint="check the path")
        prefix = _prefix(full, folder, top)
        if full.is_dir() and not full.is_symlink():
            names = self._add_folder(full, prefix)
            self.asked.update(names)
            return
        self._add_file(full, prefix)
        self.asked.add(prefix)
        skill = next((up for up in full.parents if (up / "SKILL.md").is_file() and up != top), None)
        if skill is not None:
            self.whole = False
            self._add_folder(skill, _prefix(skill, folder, top))

    def add_knowledge(self, top: Path, settings: Settings) -> None:
        """Read all files below the configured knowledge folders, the settings and the waivers."""
        places = settings.paths
        for name in dict.fromkeys((places.memory, places.skills, places.archive)):
            if (top / name).is_dir() and not any(is_below(name, other) for other in (places.memory, places.skills)):
                self._add_folder(top / name, name)
        for name in (FILE_NAME, places.waivers):
            if os.path.lexists(top / name):
                self._add_file(top / name, name)

    def _add_folder(self, folder: Path, prefix: str) -> list[str]:
        names = []
        for relative, path in walk(folder):
            names.append(f"{prefix}/{relative}" if prefix else relative)
            self._add_file(path, names[-1])
        return names

    def _add_file(self, path: Path, name: str) -> None:
        if name in self.read:
            return
        if path.is_symlink():
            self.read[name] = Document(name, os.fsencode(path.readlink()), MODE_LINK)
        elif not path.is_file():
            self.skipped.append(Skipped(name, "neither file nor folder"))
        else:
            self._add_regular(path, name)

    def _add_regular(self, path: Path, name: str) -> None:
        state = path.stat()
        if state.st_size > MAX_FILE:
            self._add_head(path, name)
            return
        try:
            data = files.read_bytes(path)
        except UserError as error:
            self.skipped.append(Skipped(name, error.message))
            return
        self.read[name] = Document(name, data, MODE_EXECUTABLE if state.st_mode & 0o111 else MODE_FILE)

    def _add_head(self, path: Path, name: str) -> None:
        """Read the first part of an overlong file: enough for HG102 to block it when it is text."""
        with path.open("rb") as stream:
            self.read[name] = Document(name, stream.read(MAX_FILE))
        self.skipped.append(Skipped(name, f"only the first {MAX_FILE:,} bytes are read"))


def walk(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files and links below a folder, but not the insides of the `.git` folder of a work tree."""
    for relative, path in files.walk(folder):
        if relative.startswith(".git/") and (folder / ".git" / "HEAD").is_file():
            continue
        yield relative, path


def _prefix(full: Path, folder: Path, top: Path | None) -> str:
    """Return the path that findings will name: from the top of the work tree, else from the folder we were started in.

    A skill that is the current folder itself is named with its folder, whose name is part of the rules.
    """
    for start in (top, folder):
        if start is not None and full != start and full.is_relative_to(start):
            return full.relative_to(start).as_posix()
    if full in (folder, top):
        return full.name if (full / "SKILL.md").is_file() else ""
    return full.as_posix().lstrip("/")


def _print(call: Call, report: Report, form: str) -> None:
    if call.quiet and form == "text":
        report = replace(report, findings=tuple(item for item in report.findings if item.severity == ERROR))
        if not report.findings:
            return
    if form == "text":
        rendered = text.render(report, colour=colour_allowed())
    elif form == "sarif":
        rendered = sarif.render(report, _titles(item.check for item in report.findings))
    else:
        rendered = FORMATS[form](report)
    show(rendered, end="", colour=form == "text" and colour_allowed())


def _titles(ids: Iterable[str]) -> dict[str, str]:
    known = catalogue.load_all()
    return {id: known[id].title for id in ids if id in known}

"""`hermes-git doctor`: what is in order, what is not, and the command that mends it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

import click

from hermes_git import errors, files
from hermes_git.commands import hook_files
from hermes_git.commands.call import Call, common
from hermes_git.errors import UserError
from hermes_git.gate import journal
from hermes_git.gitrepo import create, read, run
from hermes_git.screen import amount
from hermes_git.settings import FILE_NAME


@dataclass(frozen=True, slots=True)
class Symptom:
    """One thing looked at: whether it is in order, what was seen, and what to do."""

    name: str
    is_good: bool
    seen: str
    remedy: str = ""
    fix: Callable[[Call], object] | None = None

    def as_json(self) -> dict[str, object]:
        """Return the published JSON form."""
        return {"name": self.name, "good": self.is_good, "seen": self.seen, "remedy": self.remedy}


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended without asking.")
@common(json_output=True)
def doctor(call: Call, fix: bool) -> int:
    """Look at git, hooks, drivers, settings, index, tokenizer and unfinished writes; exit 1 when one is not in order.

    \b
    hermes-git doctor
    hermes-git doctor --fix
    """
    rows = examine(call)
    mended = []
    if fix:
        mended = [row.name for row in rows if not row.is_good and row.fix and row.fix(call) is not False]
        rows = examine(call) if mended else rows
    if call.json:
        call.emit([{**row.as_json(), "mended": row.name in mended} for row in rows])
    for line in _lines(rows, mended):
        call.say(line)
    return errors.OK if all(row.is_good for row in rows) else errors.FINDINGS


def _lines(rows: list[Symptom], mended: list[str]) -> list[str]:
    """Return the lines for people; hooks of which the same is to be said share one."""
    told: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        mark = "mended" if row.name in mended and row.is_good else "ok" if row.is_good else "not in order"
        alone = "" if row.name.startswith(HOOK) else row.name
        remedy = "" if row.is_good else row.remedy
        told.setdefault((mark, alone, row.seen, remedy), []).append(row.name.removeprefix(HOOK))
    lines = []
    for (mark, alone, seen, remedy), names in told.items():
        lines.append(f"{mark:<12} {alone or 'hooks ' + ', '.join(names)}: {seen}")
        lines += [f"{'':<12} {remedy}"] if remedy else []
    return lines


def examine(call: Call) -> list[Symptom]:
    """Look at everything; each row says what was seen and how to mend it."""
    return [
        _git(call),
        _settings(call),
        _interpreter(call),
        *_hooks(call),
        *_drivers(call),
        _index(call),
        _tokenizer(),
        _journal(call),
        _actor(call),
        *_host(),
    ]


def _git(call: Call) -> Symptom:
    version = run.version(call.folder)
    wanted = ".".join(map(str, run.MINIMUM_GIT))
    seen = "git " + ".".join(map(str, version))
    return Symptom("git", version >= run.MINIMUM_GIT, seen, f"install git {wanted} or newer")


def _settings(call: Call) -> Symptom:
    try:
        settings = call.settings
    except UserError as error:
        return Symptom("settings", False, str(error), f"correct {FILE_NAME} and commit it")
    head = read.head(call.repo)
    committed = bool(head and FILE_NAME in read.tree(call.repo, head, FILE_NAME))
    seen = f"layout {settings.layout}, gate.scope {settings.gate.scope}"
    return Symptom("settings", committed, seen if committed else f"no {FILE_NAME} at HEAD", "run: hermes-git init")


HOOK = "hook "
"""What the name of a row about one hook begins with."""

OTHER_HOOK = "a hook of somebody else stands there and does not call ours"


def _interpreter(call: Call) -> Symptom:
    """Look whether the interpreter that hooks are told to use is there and knows this package."""
    python = call.repo.ask("config", "--get", PYTHON_KEY)
    if not python:
        found, seen = shutil.which("hermes-git"), f"{PYTHON_KEY} is not set; hooks look for hermes-git on PATH"
        return Symptom("interpreter", found is not None, seen, "run: hermes-git doctor --fix", _configure_python)
    if not os.access(python, os.X_OK):
        seen = f"{PYTHON_KEY} is {python}, which is not there"
    elif not _knows_the_package(python):
        seen = f"{PYTHON_KEY} is {python}, which cannot import hermes_git"
    else:
        return Symptom("interpreter", True, python)
    return Symptom("interpreter", False, seen, "run: hermes-git doctor --fix", _configure_python)


PYTHON_KEY = "hermes-git.python"
PATIENCE = 30
"""Seconds for an interpreter to start and import the package."""


def _knows_the_package(python: str) -> bool:
    words = [python, "-P", "-c", "import hermes_git.hook"]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _configure_python(call: Call) -> object:
    from hermes_git.commands.init import configuration

    return create.configure(call.repo, {PYTHON_KEY: configuration(call.repo)[PYTHON_KEY]})


def _hooks(call: Call) -> list[Symptom]:
    def mend(inner: Call) -> bool:
        return all(row.is_good for row in hook_files.install(inner.repo))

    return [
        Symptom(HOOK + row.name, row.is_good, OTHER_HOOK if row.state == "other" else row.state, row.detail, mend)
        for row in hook_files.status(call.repo)
    ]


PROGRAM = re.compile(r'"([^"]+)" -P -m hermes_git ')
"""The interpreter in a driver that `init` configured."""

DRIVERS = ("diff.hermes-memory.textconv", "merge.hermes-memory.driver", "merge.hermes-skill.driver")


def _drivers(call: Call) -> list[Symptom]:
    from hermes_git.commands.init import configuration

    wanted = configuration(call.repo)

    def mend(inner: Call) -> object:
        return create.configure(inner.repo, {key: wanted[key] for key in DRIVERS})

    rows = []
    for key in DRIVERS:
        found = call.repo.ask("config", "--get", key)
        program = PROGRAM.search(found or "")
        gone = program.group(1) if program else ""
        is_there = not gone or os.access(gone, os.X_OK)
        seen = "missing" if not found else "configured" if is_there else f"its program {gone} is not there"
        rows.append(Symptom(key, seen == "configured", seen, "run: hermes-git doctor --fix", mend))
    return rows


def _index(call: Call) -> Symptom:
    from hermes_git.recall import care

    if not (call.repo.state / "index").exists():
        return Symptom("search index", True, "not built yet; the first search builds it")
    report = care.verify(call.repo, call.settings)
    troubles = [f"{len(report[name])} {name}" for name in ("damage", "unreadable") if report[name]]
    behind = report["missing"] + report["surplus"]
    late = f"whole; {amount(behind, 'source')} behind, which the next search catches up on"
    fine = late if behind else "whole and up to date"
    return Symptom("search index", not troubles, ", ".join(troubles) or fine, "run: hermes-git index rebuild")


def _tokenizer() -> Symptom:
    from hermes_git.tokens import choose

    counter = choose.default()
    seen = f"{counter.name}{'' if counter.exact else ' (estimate): ' + counter.reason}"
    return Symptom("tokenizer", counter.exact, seen, "run: pip install --upgrade hermes-git")


def _journal(call: Call) -> Symptom:
    count, damaged = len(journal.waiting(call.repo)), journal.damaged(call.repo)
    if damaged:
        return Symptom("writes", False, "an unfinished write cannot be read", f"look at it and remove it: {damaged[0]}")
    seen = f"{count} unfinished" if count else "none unfinished"
    return Symptom("writes", not count, seen, "run: hermes-git doctor --fix", _finish_writes)


def _finish_writes(call: Call) -> None:
    with files.lock(call.repo.state / "locks" / "write", purpose="finishing writes"):
        journal.recover(call.repo)


def _actor(call: Call) -> Symptom:
    known = call.actor.kind != "unknown"
    return Symptom(
        "actor",
        known,
        str(call.actor) if known else "unknown, which is treated as an agent",
        "say who you are: git config hermes-git.actor person:<name>",
    )


def _host() -> list[Symptom]:
    """Look at the switch that lets workflows open pull requests, where repository and token are in the environment."""
    if not os.environ.get("GITHUB_REPOSITORY") or not (os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN")):
        return []
    from hermes_git.commands import ci_host

    host = ci_host.from_environment(os.environ)
    try:
        allowed = host.get("actions/permissions/workflow").get("can_approve_pull_request_reviews") is True
    except UserError as error:
        seen = f"the switch for pull requests cannot be read: {error.message}"
        return [Symptom("github", False, seen, "run doctor with a token that may read the settings of the repository")]
    seen = f"workflows {'may' if allowed else 'may not'} open pull requests in {host.name}"
    return [Symptom("github", allowed, seen, ci_host.SWITCH)]

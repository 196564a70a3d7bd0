"""`hermes-git init`: make or adopt a repository; running it again changes nothing."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands import hook_files, init_files
from hermes_git.commands.call import Call, common
from hermes_git.errors import UserError
from hermes_git.gate import commit as judged
from hermes_git.gate.drift import drift
from hermes_git.gate.policy import settings_at
from hermes_git.gitrepo import create, read
from hermes_git.gitrepo.repository import Repository, find
from hermes_git.provenance.actor import current_actor, current_session
from hermes_git.provenance.change import Change
from hermes_git.screen import amount
from hermes_git.settings import LAYOUTS, Settings


@click.command()
@click.argument("folder_to_start", metavar="[DIR]", required=False)
@click.option("--layout", type=click.Choice(list(LAYOUTS)), default=None, help="Where the knowledge lives.")
@click.option(
    "--ci",
    type=click.Choice(list(init_files.WORKFLOWS)),
    default="github",
    show_default=True,
    help="Workflows to write.",
)
@click.option("--categories", is_flag=True, help="Start with thirteen categories of skills.")
@click.option("--no-commit", is_flag=True, help="Write the files, but leave the commit to you.")
@common(json_output=True)
def init(
    call: Call, folder_to_start: str | None, layout: str | None, ci: str, categories: bool, no_commit: bool
) -> int:
    """Make a knowledge repository here, or adopt the one that is here; running it again changes nothing.

    \b
    hermes-git init                          this folder
    hermes-git init notes                    a new folder
    hermes-git init ~/.hermes --layout hermes
    hermes-git init . --layout claude        skills in .claude/skills
    """
    folder = (call.folder / (folder_to_start or ".")).resolve()
    _refuse_place(folder)
    repo = create.create(folder)
    init_files.refuse_other_layout(repo, layout)
    if layout == "hermes":
        _allow_list_first(repo)
    changed = create.configure(repo, configuration(repo))
    wanted = init_files.Wanted(layout, ci, categories)
    written = _write_files(call, repo, wanted, no_commit)
    settings = settings_at(repo) if read.head(repo) else init_files.settings_on_disk(repo)
    call.say(f"knowledge repository at {repo.work_tree()}")
    for path in written:
        call.say(f"  wrote {path}")
    if changed:
        call.say(f"  set in git's configuration: {', '.join(changed)}")
    _hooks(call, repo)
    call.say(f"memory is in {settings.paths.memory}, skills are in {settings.paths.skills}")
    for line in _next(repo, settings, written if no_commit else []):
        call.say(line)
    if call.json:
        hooks = {row.name: row.state for row in hook_files.status(repo)}
        places = {"memory": settings.paths.memory, "skills": settings.paths.skills}
        top = str(repo.work_tree())
        call.emit({"repository": top, "written": written, "configured": [*changed], "hooks": hooks, **places})
    return errors.OK


def _refuse_place(folder: Path) -> None:
    """Stop where a repository would be made inside another one, in a bare one, or where a file stands."""
    standing = next(path for path in (folder, *folder.parents) if path.exists())
    if not standing.is_dir():
        raise UserError(f"{standing} is a file", hint="name a folder: hermes-git init notes")
    found = find(standing)
    if found is None or (found.top is not None and found.top.resolve() == folder):
        return
    top = found.work_tree()
    raise UserError(
        f"{folder} is inside the repository {top}; nothing was written",
        hint=f"adopt that one: hermes-git init {top}\n"
        f"  or give the folder a repository of its own first: git init {folder}",
    )


def _next(repo: Repository, settings: Settings, uncommitted: list[str]) -> list[str]:
    """Say what a person does next: commit what was there before, else write a first fact."""
    if uncommitted:
        return [f"next: look at what was written ({amount(len(uncommitted), 'file')}) and commit it"]
    lines = [
        f"next: {row.path} has entries that no commit holds: hermes-git memory adopt" for row in drift(repo, settings)
    ]
    skills = settings.paths.skills
    waiting = read.pending(repo, skills)
    if waiting:
        lines.append(f"next: {amount(len(waiting), 'file')} of skills to commit: git add {skills} && git commit")
    return lines or ['next: hermes-git memory add "…"']


def _write_files(call: Call, repo: Repository, asked: init_files.Wanted, no_commit: bool) -> list[str]:
    """Write what is missing, as one judged commit (or into the work tree only); return the paths written."""
    wanted: dict[str, bytes] = {}

    def draft(base: str | None) -> judged.Draft | None:
        wanted.clear()
        wanted.update(init_files.missing(repo, base, asked))
        if not wanted:
            return None
        actor = current_actor(os.environ, read.config(repo))
        change = Change("init", "repository", actor=actor, session=current_session(os.environ))
        on_disk = init_files.edited_copies(repo, base, wanted)
        return judged.Draft(wanted, "hermes-git: start a knowledge repository", (change,), on_disk=on_disk)

    if no_commit:
        draft(read.head(repo))
        for path, data in wanted.items():
            files.write_atomic(repo.work_tree() / path, data)
        return sorted(wanted)
    actor = current_actor(os.environ, read.config(repo))
    outcome = judged.commit(repo, draft, actor=actor, today=call.clock().date())
    if outcome.report.verdict == "block":
        from hermes_git.reports import text

        raise UserError("the files of init do not pass the gate", hint=text.render(outcome.report))
    return sorted(wanted) if outcome.commit else []


def _allow_list_first(repo: Repository) -> None:
    """Put the allow-list in place before anything else, so that a Hermes home never offers its secrets to git."""
    target = repo.work_tree() / ".gitignore"
    if not target.exists():
        files.write_atomic(target, init_files.HERMES_GITIGNORE.encode("utf-8"))


def configuration(repo: Repository) -> dict[str, str]:
    """Return the local configuration: interpreter, drivers, and who acts when no agent's marks say otherwise."""
    python = sys.executable
    command = f'"{python}" -P -m hermes_git'
    values = {
        "hermes-git.python": python,
        "diff.hermes-memory.textconv": f'f() {{ {command} memory textconv "$1" 2>/dev/null || cat "$1"; }}; f',
        "diff.hermes-memory.cachetextconv": "true",
        "merge.hermes-memory.name": "merge memory entries",
        "merge.hermes-memory.driver": f"{command} memory merge-driver %O %A %B %P",
        "merge.hermes-skill.name": "merge SKILL.md by key and section",
        "merge.hermes-skill.driver": f"{command} memory merge-skill-driver %O %A %B %P",
    }
    known = read.config(repo)
    if "hermes-git.actor" not in known and current_actor(os.environ, {}).kind != "agent":
        name = repo.ask("config", "--get", "user.name") or ""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-").lower()
        if slug:
            values["hermes-git.actor"] = f"person:{slug}"
    return values


def _hooks(call: Call, repo: Repository) -> None:
    folder = hook_files.hook_folder(repo)
    if folder.foreign:
        call.note(hook_files.explanation(folder))
        return
    by_state: dict[str, list[str]] = {}
    for row in hook_files.install(repo):
        by_state.setdefault(f"{row.state}{', ' + row.detail if row.detail else ''}", []).append(row.name)
    for state, names in by_state.items():
        call.say(f"  hooks {state}: {', '.join(names)}")

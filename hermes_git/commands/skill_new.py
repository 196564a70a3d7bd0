"""`hermes-git skill new`: a new skill as one judged commit."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hermes_git import errors, files
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_near import nearest
from hermes_git.commands.skill_write import Write, carry_out, short_id
from hermes_git.errors import UserError
from hermes_git.knowledge import standards
from hermes_git.knowledge.frontmatter import BadHeader, Value, compose, read
from hermes_git.knowledge.listing import Listed, Listing
from hermes_git.knowledge.skill import MAX_DESCRIPTION, name_problem
from hermes_git.reports.text import visible

MAX_TEXT = 1024 * 1024


@click.command()
@click.argument("name")
@click.option("--category", metavar="NAME", default="", help="The category; nested ones with a slash.")
@click.option("--description", metavar="TEXT", required=True, help="What it does, in one sentence.")
@click.option("--body", metavar="FILE", default=None, help="The text below the header, from a file or - for stdin.")
@click.option("--license", "licence", metavar="TEXT", default="", help="The licence of the skill.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def new(
    call: Call, *, name: str, category: str, description: str, body: str | None, licence: str, dry_run: bool
) -> int:
    """Write a new skill and commit it; without --body it starts from a skeleton of the usual sections.

    \b
    hermes-git skill new release-notes --category software-development --description "Write release notes."
    hermes-git skill new deploy --category devops --description "Deploy with make." --body notes.md
    """
    root = _root(call, name, category)
    _check_description(description)
    text = _text(name, description, licence, None if body is None else read_text(call, body))

    near: list[Listed] = []

    def build(_base: str | None, known: Listing) -> Write | None:
        refuse_taken(name, root, known)
        near[:] = nearest(known, f"{name.replace('-', ' ')} {description}", count=3)
        data = text.encode("utf-8")
        key = f"{category.strip('/')}/{name}" if category else name
        return Write(
            "create",
            key,
            {f"{root}/SKILL.md": data},
            f"skills: create {key}",
            after=short_id(call, data),
            folders=(root,),
        )

    code = carry_out(call, build, dry_run=dry_run)
    for row in near if code == errors.OK else ():
        call.note(f"close to {row.key}: {visible(row.line)}")
    return code


def _root(call: Call, name: str, category: str) -> str:
    """Return the folder of a new skill, or say which part of its name is not allowed."""
    parts = [part for part in category.strip("/").split("/") if part] if category else []
    check_name("name", name)
    if parts and call.settings.layout == "claude":
        call.note("Claude Code does not look into categories and will not find this skill; leave out --category")
    for part in parts:
        check_name("category", part)
    return "/".join([call.settings.paths.skills, *parts, name])


def check_name(what: str, name: str) -> None:
    """Refuse a name that agentskills.io does not allow."""
    problem = name_problem(name)
    if problem:
        raise UserError(f"the {what} {name!r} is not allowed: {problem}", hint="for example: release-notes")


def refuse_taken(name: str, root: str, known: Listing) -> None:
    """Refuse a name that a skill has already, in whatever category: hosts would load only one of the two."""
    for skill in known.skills:
        if name in (skill.name, skill.folder):
            raise UserError(
                f"{root} would have the same name as {skill.root}",
                hint=f"choose another name, or change that one: hermes-git skill edit {skill.key}",
            )
        if f"{root}/".startswith(f"{skill.root}/"):
            raise UserError(f"{root} would lie inside the skill {skill.root}", hint="choose another category")
        if f"{skill.root}/".startswith(f"{root}/"):
            raise UserError(f"{root} is a category: it holds {skill.root}", hint="choose another name")


def _check_description(description: str) -> None:
    if not description.strip():
        raise UserError("the description is empty", hint="say in one sentence what the skill does")
    if len(description) > MAX_DESCRIPTION:
        raise UserError(
            f"the description has {len(description):,} characters, {MAX_DESCRIPTION:,} are allowed",
            hint="shorten it; details belong into the body",
        )


def _text(name: str, description: str, licence: str, body: str | None) -> str:
    values: dict[str, Value] = {"name": name, "description": description}
    if licence:
        values["license"] = licence
    if body is None:
        body = standards.body(standards.title_of(name), description)
    elif body.startswith("---"):
        _refuse_header(body)
    return compose(dict(values), body)


def _refuse_header(body: str) -> None:
    """A body that brings a header of its own would end up with two."""
    try:
        read(body)
    except BadHeader:
        return
    raise UserError(
        "the body has a header of its own", hint="take the whole file: hermes-git skill edit NAME --from FILE"
    )


def read_text(call: Call, source: str) -> str:
    """Read UTF-8 text from a file, or from standard input for `-`; a byte order mark is dropped."""
    if source == "-":
        data = sys.stdin.buffer.read(MAX_TEXT + 1)
        if len(data) > MAX_TEXT:
            raise UserError(f"standard input is longer than {MAX_TEXT:,} bytes", hint="a skill is a page of text")
    else:
        data = files.read_bytes(call.folder / Path(source), limit=MAX_TEXT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError("not UTF-8", where=f"{source}:{line}", hint="save it as UTF-8") from error

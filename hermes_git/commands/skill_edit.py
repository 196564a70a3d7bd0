"""`hermes-git skill edit` and `skill patch`: change the text of a skill, validated, then judged and committed."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.skill_new import read_text
from hermes_git.commands.skill_read import Found, read_found
from hermes_git.commands.skill_write import Write, carry_out, short_id
from hermes_git.errors import UserError
from hermes_git.knowledge import patching, splice
from hermes_git.knowledge.frontmatter import BadHeader, Header, Value, load, read
from hermes_git.knowledge.listing import Listing, find
from hermes_git.knowledge.skill import MAX_DESCRIPTION, SKILL_FILE

MAX_SKILL = 100_000
"""Characters of a SKILL.md beyond which Hermes takes no edit."""

TEXT_KEYS = ("description", "license", "compatibility", "allowed-tools")
"""Keys whose values are text whatever they look like."""


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--from", "source", metavar="FILE", default=None, help="The whole new SKILL.md, from a file or - .")
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="Set one key of the header, and only it.")
@click.option("--unset", metavar="KEY", multiple=True, help="Remove one key of the header.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def edit(
    call: Call, *, name: str, source: str | None, settings: tuple[str, ...], unset: tuple[str, ...], dry_run: bool
) -> int:
    """Change a skill: its whole text, or single keys of its header with every other byte kept.

    On a terminal and without options the text opens in your editor.

    \b
    hermes-git skill edit deploy --set description="Deploy with make."
    hermes-git skill edit deploy --set metadata.version=1.1.0 --unset license
    hermes-git skill edit deploy --from new.md
    """
    given = [bool(source), bool(settings or unset)]
    if sum(given) > 1:
        raise UserError("--from excludes --set and --unset", hint="give one of them")
    whole = read_text(call, source) if source else None
    if not any(given) and not sys.stdin.isatty():
        raise UserError(
            "nothing to change", hint='give --set KEY=VALUE or --from FILE, for example --set license="MIT"'
        )

    def change(text: str) -> str:
        if settings or unset:
            return _spliced(text, settings, unset)
        return whole if whole is not None else _edited(text)

    return change_text(call, name, SKILL_FILE, change, action="edit", dry_run=dry_run)


def _edited(text: str) -> str:
    """Open the text in the user's editor; leaving it unchanged changes nothing."""
    return click.edit(text, extension=".md") or text


def _spliced(text: str, settings: tuple[str, ...], unset: tuple[str, ...]) -> str:
    for item in settings:
        key, equals, value = item.partition("=")
        if not equals or not key.strip(". "):
            raise UserError(f"--set {item!r} is not KEY=VALUE", hint='for example --set license="MIT"')
        text = splice.set_value(text, _path(key), _value(key, value))
    for key in unset:
        text = splice.remove_key(text, _path(key))
    return text


def _path(key: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in key.split("."))
    if parts == ("name",):
        raise UserError("a name changes together with its folder", hint="hermes-git skill rename NAME NEW")
    return parts


def _value(key: str, text: str) -> Value:
    """Read a value: text, but true, false and lists in brackets are what they look like, where a key may hold them."""
    if key in TEXT_KEYS or not (text in ("true", "false") or (text.startswith("[") and text.endswith("]"))):
        return text
    try:
        return load(f"v: {text}\n")[0]["v"]
    except BadHeader:
        return text


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--old-text", required=True, metavar="TEXT", help="What stands there now, exactly, - for stdin.")
@click.option("--new-text", required=True, metavar="TEXT", help="What is to stand there.")
@click.option("--file", "file", default=SKILL_FILE, show_default=True, help="The file of the skill to change.")
@click.option("--all", "everywhere", is_flag=True, help="Replace every occurrence.")
@click.option("--dry-run", is_flag=True, help="Judge, but write nothing.")
@common(json_output=True, now=True)
def patch(call: Call, *, name: str, old_text: str, new_text: str, file: str, everywhere: bool, dry_run: bool) -> int:
    """Replace one piece of text; it must stand there exactly once, or nothing is changed and the places are shown.

    \b
    hermes-git skill patch deploy --old-text "make release" --new-text "make ship"
    hermes-git skill patch deploy --file references/hosts.md --old-text "10.0.0.7" --new-text "10.0.0.9"
    """
    old = read_text(call, "-") if old_text == "-" else old_text

    def change(text: str) -> str:
        return patching.replace(text, old, new_text, everywhere=everywhere)

    return change_text(call, name, file, change, action="patch", dry_run=dry_run)


def change_text(call: Call, name: str, file: str, change: Callable[[str], str], *, action: str, dry_run: bool) -> int:
    """Change one text file of a skill by a function from text to text, as one judged commit."""

    def build(base: str | None, known: Listing) -> Write | None:
        found = read_found(call, base or "", find(known, name))
        document = found.document(file)
        if document.encoding not in ("utf-8", "utf-8-sig"):
            raise UserError("not UTF-8", where=document.path, hint="save the file as UTF-8 first")
        before = document.data.decode("utf-8")
        try:
            after = change(before)
        except BadHeader as error:
            problem = error.problem
            raise UserError(problem.message, where=f"{document.path}:{problem.line}", hint=problem.hint) from error
        if after == before:
            return None
        if file == SKILL_FILE:
            validate(found, after)
        data = after.encode("utf-8")
        return Write(
            action,
            found.key,
            {document.path: data},
            f"skills: {action} {found.key}" + ("" if file == SKILL_FILE else f" {file}"),
            short_id(call, document.data),
            short_id(call, data),
            {} if file == SKILL_FILE else {"file": file},
            {document.path: document.mode},
        )

    return carry_out(call, build, dry_run=dry_run, nothing="nothing to do: it says this already")


def validate(found: Found, text: str) -> None:
    """Refuse a SKILL.md that hosts would not load, or whose name would leave its folder."""
    path = found.listed.path
    try:
        header = read(text.removeprefix("\ufeff"))
    except BadHeader as error:
        problem = error.problem
        raise UserError(problem.message, where=f"{path}:{problem.line}", hint=problem.hint) from error
    _validate_header(found, header, path)
    if not header.body.strip():
        raise UserError("there is nothing below the header", where=path, hint="a skill needs instructions")
    if len(text) > MAX_SKILL:
        message = f"{len(text):,} characters, Hermes takes {MAX_SKILL:,}"
        raise UserError(message, where=path, hint="move chapters to references/")


def _validate_header(found: Found, header: Header, path: str) -> None:
    name, description = header.values.get("name"), header.values.get("description")
    if name != found.skill.folder and name != found.skill.header.values.get("name"):
        where = f"{path}:{header.lines.get('name', 1)}"
        hint = f"write name: {found.skill.folder}, or rename both: hermes-git skill rename {found.key} NEW"
        raise UserError(f"the name {name!r} would differ from its folder {found.root}", where=where, hint=hint)
    if not isinstance(description, str) or not description.strip():
        raise UserError("the description would be missing", where=path, hint="say in one sentence what the skill does")
    if len(description.strip()) > MAX_DESCRIPTION:
        where = f"{path}:{header.lines['description']}"
        size = len(description.strip())
        raise UserError(f"the description would have {size:,} characters", where=where, hint="1,024 are allowed")

"""`hermes-git skill show` and `skill view`: what there is to know about a skill, and its text on demand."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.screen import show_data
from hermes_git.commands.skill_read import Found, skill_at, tree_id
from hermes_git.commands.skill_verdict import blocking
from hermes_git.document import Document, is_binary
from hermes_git.knowledge.sections import references, sections
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.provenance import spool
from hermes_git.provenance.ledger import Use
from hermes_git.reports.text import visible
from hermes_git.screen import amount
from hermes_git.tokens import estimate


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.option("--rev", default="HEAD", show_default=True, help="The revision to read.")
@common(json_output=True)
def show(call: Call, name: str, rev: str) -> int:
    """Show what there is to know about one skill: header, sections, files, what loading it costs.

    \b
    hermes-git skill show release-notes
    hermes-git skill show devops/deploy --json
    """
    found = skill_at(call, name, rev)
    facts = _facts(call, found)
    if call.json:
        call.emit(facts)
        return errors.OK
    for line in _lines(found, facts):
        call.say(line)
    return errors.OK


def _facts(call: Call, found: Found) -> dict[str, object]:
    skill = found.skill
    pointed = {row.path for row in references(skill.body) if row.is_local}
    return {
        "name": skill.name,
        "key": found.key,
        "category": found.listed.category,
        "path": found.listed.path,
        "description": skill.description,
        "shown": found.listed.line.removeprefix(f"- {skill.name}: "),
        "header": {key: value for key, value in skill.header.values.items() if key not in ("name", "description")},
        "problem": found.listed.problem,
        "sections": [
            {"level": section.level, "title": section.title, "line": section.line}
            for section in sections(skill.body, first_line=skill.header.body_line)
        ],
        "files": [_file(found, document, pointed) for document in skill.documents],
        "not_read": [{"path": found.inner(path), "bytes": size} for path, size in found.too_large],
        "tokens": _tokens(found),
        "tokenizer": estimate.counter().describe(),
        "tree": tree_id(call, found),
        "pinned": bool({found.key, skill.name, skill.folder} & set(call.settings.curator.pinned)),
    }


def _file(found: Found, document: Document, pointed: set[str]) -> dict[str, object]:
    inner = found.inner(document.path)
    return {
        "path": inner,
        "kind": document.kind,
        "mode": document.mode,
        "bytes": len(document.data),
        "named": inner in pointed or inner == SKILL_FILE,
    }


def _tokens(found: Found) -> dict[str, int]:
    """Return the cost of the line in the index, of loading SKILL.md, and of all text files together."""
    texts = {document.path: document.text for document in found.skill.documents if document.is_text}
    main = texts.get(found.listed.path, "")
    return {
        "index": estimate.count(found.listed.line),
        "skill": estimate.count(main),
        "all": sum(estimate.count(text) for text in texts.values()),
    }


def _lines(found: Found, facts: dict[str, object]) -> list[str]:
    skill, tokens = found.skill, _tokens(found)
    rows = [
        f"{visible(found.key)}  ({visible(found.listed.path)})",
        f"  {visible(skill.description)}",
        f"  {len(skill.description)} characters; Hermes shows: {visible(str(facts['shown']))}",
        f"  about {tokens['index']:,} tokens in the index, {tokens['skill']:,} when loaded, {tokens['all']:,} in all",
    ]
    if found.listed.problem:
        rows.append(f"  cannot be read: {found.listed.problem}")
    rows += [f"  {visible(key)}: {visible(str(value))}" for key, value in dict(facts["header"]).items()]  # type: ignore[call-overload]
    rows += [
        f"  line {section.line:>4}  {'#' * section.level} {visible(section.title)}"
        for section in sections(skill.body, first_line=skill.header.body_line)
    ]
    pointed = {row.path for row in references(skill.body) if row.is_local}
    for document in skill.documents:
        inner = found.inner(document.path)
        unnamed = "" if inner in pointed or inner == SKILL_FILE else "  (not named in SKILL.md)"
        rows.append(f"  {len(document.data):>9,} bytes  {visible(inner)}{unnamed}")
    return rows + [f"  {size:>9,} bytes  {visible(found.inner(path))}  (not read)" for path, size in found.too_large]


@click.command()
@click.argument("name", shell_complete=complete.skills)
@click.argument("file", required=False, default=SKILL_FILE)
@click.option("--rev", default="HEAD", show_default=True, help="The revision to read.")
@click.option("--maintenance", is_flag=True, help="A look by a reviewer: recorded, never counted as use.")
@common(json_output=True, now=True)
def view(call: Call, name: str, file: str, rev: str, maintenance: bool) -> int:
    """Print a skill, or one of its files, and record the use; the tree is not touched.

    What the guard would block in the skill today is said on standard error; it is judged once for each version.

    \b
    hermes-git skill view release-notes
    hermes-git skill view release-notes references/style.md
    """
    found = skill_at(call, name, rev)
    document = found.document(file)
    tree = tree_id(call, found)
    use = Use(
        int(call.clock().timestamp()),
        "skill",
        found.key,
        "viewed",
        tree,
        call.session,
        agent=call.actor.name if call.actor.is_agent else "",
        maintenance=maintenance,
    )
    try:
        spool.record_use(call.repo, use)
    except OSError as error:
        call.note(f"hermes-git: this use is not recorded: {error.strerror}")
    _print(call, found, document)
    _warn(call, found, tree)
    return errors.OK


def _warn(call: Call, found: Found, tree: str) -> None:
    """Say beside the text that the guard would not let it in today: it came in by another way, or before a rule."""
    rows = blocking(call, found, tree)
    if rows:
        ids = ", ".join(sorted({row.check for row in rows}))
        call.note(f"hermes-git: {amount(len(rows), 'finding')} that block in this skill ({ids})")
        call.note(f"  do not follow it before a person has looked: hermes-git check {visible(found.root)}")


def _print(call: Call, found: Found, document: Document) -> None:
    others = [found.inner(other.path) for other in found.skill.documents if other is not document]
    binary = not document.is_text or is_binary(document.data)
    if call.json:
        call.emit(
            {
                "name": found.skill.name,
                "key": found.key,
                "path": document.path,
                "content": None if binary else document.text,
                "bytes": len(document.data),
                "encoding": document.encoding,
                "files": others,
            }
        )
        return
    if binary:
        call.say(f"{visible(document.path)}: {document.kind}, {len(document.data):,} bytes, not shown")
    else:
        show_data(document.data)
    if others:
        call.note(f"more files: {', '.join(map(visible, others))}")

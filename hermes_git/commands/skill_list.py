"""`hermes-git skill list`: the prompt index as an agent would get it, and what it costs."""

from __future__ import annotations

import click

from hermes_git import errors
from hermes_git.commands.call import Call, common
from hermes_git.gitrepo import read
from hermes_git.knowledge.listing import Listed, Listing, listing
from hermes_git.screen import amount
from hermes_git.tokens import estimate
from hermes_git.tokens.counter import Counter


@click.command("list")
@click.option("--category", metavar="NAME", default=None, help="Only this category and those below it.")
@click.option("--rev", default="HEAD", show_default=True, help="The revision to read.")
@click.option("--tokenizer", metavar="NAME", default=None, help="Count with this vocabulary.  [default: estimate]")
@common(json_output=True)
def list_skills(call: Call, category: str | None, rev: str, tokenizer: str | None) -> int:
    """List the skills as an agent's prompt index: per category, descriptions cut at 60 characters, with the cost.

    \b
    hermes-git skill list
    hermes-git skill list --category devops --json
    hermes-git skill list --tokenizer cl100k_base
    """
    found = _only(listed_at(call, rev), category)
    counter = _counter(tokenizer)
    costs = {name: _cost(found, name, rows, counter) for name, rows in found.by_category().items()}
    if call.json:
        call.emit(_as_json(found, costs, counter))
    else:
        _print(call, found, costs, counter)
    for skill in found.skills:
        if skill.problem:
            call.note(f"cannot be read: {_plain(skill.path)}: {skill.problem}")
    return errors.OK


def listed_at(call: Call, rev: str = "HEAD") -> Listing:
    """List the skills of a revision; no commit yet means no skills."""
    base = read.head(call.repo) if rev == "HEAD" else read.resolve(call.repo, rev)
    return listing(call.repo, call.settings, base)


def _only(found: Listing, category: str | None) -> Listing:
    if category is None:
        return found
    wanted = category.strip("/")
    rows = tuple(row for row in found.skills if f"{row.category}/".startswith(f"{wanted}/"))
    if not rows:
        names = sorted({row.category or NO_CATEGORY for row in found.skills})
        raise errors.UserError(f"no skills in category {category!r}", hint=f"categories: {', '.join(names) or 'none'}")
    return Listing(rows, found.categories)


NO_CATEGORY = "(no category)"


def _counter(name: str | None) -> Counter:
    if name is None:
        return estimate.counter()
    from hermes_git.tokens import choose

    return choose.counter(name)


def heading(found: Listing, category: str) -> str:
    """Return the line of the index that opens a category."""
    text = found.described(category)
    return f"{category or NO_CATEGORY}: {' '.join(text.split())}" if text else f"{category or NO_CATEGORY}:"


def _cost(found: Listing, category: str, rows: tuple[Listed, ...], counter: Counter) -> int:
    return counter.count("\n".join([heading(found, category), *(f"  {row.line}" for row in rows)]) + "\n")


def _print(call: Call, found: Listing, costs: dict[str, int], counter: Counter) -> None:
    for category, rows in found.by_category().items():
        call.say(f"{_plain(heading(found, category))}  [{len(rows)}, {costs[category]:,} tokens]")
        for row in rows:
            call.say(f"  {_plain(row.line)}")
    exact = counter.name if counter.exact else f"{counter.name}, {counter.error}"
    total = f"{sum(costs.values()):,} tokens ({exact})"
    call.say(f"{amount(len(found.skills), 'skill')} in {amount(len(costs), 'category')}; the index costs {total}")


def _plain(text: str) -> str:
    """Return text without anything that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    from hermes_git.reports.text import visible

    return visible(text)


def _as_json(found: Listing, costs: dict[str, int], counter: Counter) -> dict[str, object]:
    skills = [
        {
            "name": row.name,
            "description": row.description,
            "category": row.category,
            "key": row.key,
            "path": row.path,
            "shown": row.line.removeprefix(f"- {row.name}: "),
            "problem": row.problem,
        }
        for row in found.skills
    ]
    categories = [
        {"name": name, "description": found.described(name), "skills": len(rows), "tokens": costs[name]}
        for name, rows in found.by_category().items()
    ]
    return {
        "skills": skills,
        "categories": categories,
        "count": len(skills),
        "tokens": sum(costs.values()),
        "tokenizer": counter.describe(),
    }

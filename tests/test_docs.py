"""The documentation tells the truth: generated pages are fresh, and every word it must explain is in it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path

import click
import pytest

from hermes_git.book import __main__ as book
from hermes_git.book.commands import subcommands
from hermes_git.checks.catalogue import load_all
from hermes_git.cli import COMMANDS, main_group
from hermes_git.knowledge.sections import references
from hermes_git.settings import DEFAULTS, Settings

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(book.PAGES))
def test_generated_pages_are_fresh(name: str) -> None:
    assert text(DOCS / name) == book.NOTE + book.PAGES[name](), "run: make docs"


def test_every_check_id_is_documented() -> None:
    page = text(DOCS / "checks.md")
    assert all(f"### {id}\n" in page for id in load_all())


def test_every_setting_is_documented() -> None:
    page = text(DOCS / "settings.md")
    for item in fields(Settings):
        area = getattr(DEFAULTS, item.name)
        names = [f"{item.name}.{inner.name}" for inner in fields(area)] if is_dataclass(area) else [item.name]
        assert all(f"`{name}`" in page for name in names)


def commands() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    with click.Context(main_group) as context:
        for name in COMMANDS:
            command = main_group.get_command(context, name)
            assert command is not None
            found.append((name, command))
            found += [(f"{name} {inner}", sub) for inner, sub in subcommands(command)]
    return found


@pytest.mark.parametrize(("name", "command"), commands(), ids=[name for name, _ in commands()])
def test_every_command_has_help_with_an_example(name: str, command: click.Command) -> None:
    assert f"hermes-git {name}" in text(DOCS / "commands.md")
    assert "\b" in (command.help or ""), "give an example in a block that starts with \\b"


def test_readme_tree_is_the_real_tree() -> None:
    block = re.search(r"```text\n(hermes-git/\n.*?)```", text(ROOT / "README.md"), re.DOTALL)
    assert block, "README.md shows the tree in a ```text block that starts with hermes-git/"
    named = set(re.findall(r"^[├└│─ ]*([\w.-]+)/?\s", block.group(1), re.MULTILINE)) - {"hermes-git"}
    real = {path.name for path in ROOT.iterdir() if path.name in TOP or path.name in ("docs", "benchmarks")}
    package = {
        path.name.removesuffix(".py")
        for path in (ROOT / "hermes_git").iterdir()
        if not path.name.startswith("__") and path.suffix in ("", ".py")
    }
    shown = {name.removesuffix(".py") for name in named}
    assert real <= named and package <= shown, f"missing in README: {sorted((real - named) | (package - shown))}"
    assert shown <= real | package | {"hermes_git", "__main__"}, f"not there: {sorted(shown - real - package)}"


TOP = {"pyproject.toml", "hermes_git", "knowledge", "hooks", "tests", ".github", "README.md"}


def test_every_page_can_be_found_from_the_index() -> None:
    linked = {(DOCS / row.path).resolve() for row in references(text(DOCS / "README.md")) if row.is_local}
    pages = {path.resolve() for path in DOCS.rglob("*.md")} - {DOCS / "README.md"}
    assert sorted(str(path.relative_to(DOCS)) for path in pages - linked) == [], "docs/README.md lists every page"


def test_readme_names_every_dependency_and_why() -> None:
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    section = text(ROOT / "README.md").partition("## Dependencies")[2].partition("\n## ")[0].lower()
    names = [re.split(r"[<>=\[ ]", line, maxsplit=1)[0] for line in project["dependencies"]]
    said = [name.removeprefix("tree-sitter") for name in names] + [
        f"`{name}`" for name in project["optional-dependencies"]
    ]
    assert [name for name in said if name not in section] == []


def test_the_contents_of_the_readme_are_its_sections() -> None:
    page = text(ROOT / "README.md")
    anchors = re.findall(r"\]\(#([\w-]+)\)", page)
    titles = [title.lower().replace(" ", "-") for title in re.findall(r"^## (.+)$", page, re.MULTILINE)]
    assert anchors == [title for title in titles if title != "more"]


@pytest.mark.parametrize(
    "path", sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")]), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    links = [row for row in references(text(path)) if row.how in ("link", "image") and row.is_local]
    assert not [f"line {row.line}: {row.target}" for row in links if not (path.parent / row.path).exists()]

"""Sessions live on a branch, in the tree, or outside git; every tool answers the same wherever they live."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hermes_git
from hermes_git.gitrepo import create
from tests.conftest import Ran

Hg = Callable[..., Ran]
SESSIONS = Path(hermes_git.__file__).parent / "data" / "tour" / "sessions" / "hermes"
SESSION = "20261120_101500_4be9d1"
NOW = ("--now", "2026-11-28T12:00:00Z")
PLACES = ("branch", "tree", "folder")
OF_THE_PLACE = frozenset(
    "path commit commits revision digest folder bytes sha256 blob where key cite block ms open "
    "in_reflog objects_left tokens".split()
)
"""What says where something lies, how long it took, what git still holds, and commits; all else must agree."""


def plain(value: Any) -> Any:
    """Return an answer without what may differ from place to place."""
    if isinstance(value, dict):
        kept = ("kind",) if value.get("kind") == "commit" else value.keys() - OF_THE_PLACE
        return {key: plain(value[key]) for key in kept}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def prepare(folder: Path, place: str, hg: Hg) -> Hg:
    """Return the command line in a new repository whose sessions live in a place."""
    repo = create.create(folder / "repo")
    repo.git("config", "hermes-git.sessionsFolder", str(folder / "outside"))
    top = repo.work_tree()

    def run(*arguments: str) -> Ran:
        return hg(*arguments, folder=top)

    assert run("init").code == 0
    settings = top / "hermes-git.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f'{text}\n[sessions]\nplace = "{place}"\nkeep_days = 5\n', encoding="utf-8")
    repo.git("commit", "-q", "--no-verify", "-m", "settings", "--", "hermes-git.toml")
    return run


def tools(hg: Hg, folder: Path) -> dict[str, Any]:
    """Run every tool that reads or writes sessions and return what each said."""
    add = ("memory", "add", "The handbook is checked for broken links.", "--evidence", f"{SESSION}#1")
    steps: list[tuple[str, tuple[str, ...]]] = [
        ("import", ("session", "import", str(SESSIONS), *NOW)),
        ("again", ("session", "import", str(SESSIONS), *NOW)),
        ("list", ("session", "list")),
        ("nudge", ("nudge", "--session", SESSION)),
        ("show", ("session", "show", SESSION[:14])),
        ("discover", ("search", "broken", "links")),
        ("browse", ("search", "--by", "day")),
        ("scroll", ("search", "--session", SESSION, "--around", "2")),
        ("read", ("search", "--session", SESSION, "links")),
        ("status", ("index", "status")),
        ("verify", ("index", "verify")),
        ("teach", (*add, "--quote", "Check the links", *NOW)),
        ("why", ("why", SESSION)),
        ("prefetch", ("prefetch", "--deadline", "60000", "broken", "links")),
        ("export", ("export", "--out", str(folder / "out"))),
        ("plan", ("session", "forget", SESSION, "--dry-run", *NOW)),
        ("forget", ("session", "forget", SESSION, *NOW)),
        ("check", ("session", "forget", "--check", *NOW)),
        ("gone", ("search", "--session", SESSION)),
        ("refused", ("session", "import", str(SESSIONS), *NOW)),
        ("expired", ("session", "forget", "--expired", *NOW)),
        ("left", ("session", "list")),
    ]
    said = {}
    for name, arguments in steps:
        ran = hg(*arguments, "--json")
        said[name] = {"code": ran.code, "said": plain(json.loads(ran.out)) if ran.out else ran.err}
    return said


EXPECTED = {"gone": 2}
"""Exit codes that are not 0."""


def test_every_tool_answers_the_same_in_every_place(hg: Hg, tmp_path: Path) -> None:
    answers = {}
    for place in PLACES:
        folder = tmp_path / place
        folder.mkdir()
        answers[place] = tools(prepare(folder, place, hg), folder)
    for step, expected in answers["branch"].items():
        assert expected["code"] == EXPECTED.get(step, 0), (step, expected)
        for place in PLACES[1:]:
            assert answers[place][step] == expected, (place, step)
    assert answers["branch"]["discover"]["said"]["results"] and answers["branch"]["left"]["said"]["total"] == 1
    assert list((tmp_path / "folder" / "outside" / "sessions").rglob("*.jsonl"))
    assert list((tmp_path / "tree" / "repo" / "knowledge" / "sessions").rglob("*.jsonl"))

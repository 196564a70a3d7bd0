"""Anchors of facts: what is one, and whether a repository still has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.anchors import Anchor, check, find

FOUND = [
    ("Deploy with scripts/deploy.sh.", [("path", "scripts/deploy.sh")]),
    ("See `src/app/` first", [("path", "src/app/")]),
    ("Settings are in pyproject.toml", [("path", "pyproject.toml")]),
    ("Call `parse_rows()` or `RowReader`", [("symbol", "RowReader"), ("symbol", "parse_rows")]),
    ("Pass `--dry-run`", [("symbol", "--dry-run")]),
    ("Docs: https://example.invalid/a/b.html.", [("url", "https://example.invalid/a/b.html")]),
    ("Needs torch 2.4.1 or v3.0.0-rc1", [("version", "2.4.1"), ("version", "3.0.0-rc1")]),
]
NOTHING = [
    "The user likes tea and/or coffee in the morning",
    "Home is ~/work/x.py and /etc/hosts, not ../up/x.py",
    "Use `git` and `make`",
    "Port 8080, 3.5 hours, 50/50",
]


@pytest.mark.parametrize(("text", "anchors"), FOUND)
def test_what_is_an_anchor(text: str, anchors: list[tuple[str, str]]) -> None:
    assert [(anchor.kind, anchor.text) for anchor in find(text)] == anchors


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_none(text: str) -> None:
    assert [anchor for anchor in find(text) if anchor.text not in ("and/or", "50/50")] == []


def test_gone_is_only_what_was_there(repo: Repository, write: Callable[..., Path], commit: Callable[..., str]) -> None:
    write("src/old/tool.py", "def parse_rows():\n    return 'https://example.invalid/x', '2.4.1'\n")
    write("src/kept.py", "KEPT_NAME = 1\n")
    commit()
    repo.git("rm", "-q", "src/old/tool.py")
    write("knowledge/memory/MEMORY.md", "Call `parse_rows`, see https://example.invalid/x, 2.4.1")
    commit()
    wanted = {
        Anchor("path", "src/old/tool.py"): "gone",
        Anchor("path", "old/tool.py"): "gone",
        Anchor("path", "src/old/"): "gone",
        Anchor("path", "src/kept.py"): "alive",
        Anchor("path", "kept.py"): "alive",
        Anchor("path", "src/never.py"): "unknown",
        Anchor("symbol", "parse_rows"): "gone",
        Anchor("symbol", "KEPT_NAME"): "alive",
        Anchor("symbol", "KEPT"): "unknown",
        Anchor("symbol", "--no-such"): "unknown",
        Anchor("url", "https://example.invalid/x"): "gone",
        Anchor("version", "2.4.1"): "gone",
    }
    assert check(repo, wanted, ["knowledge/memory"]) == wanted


def test_without_a_commit_nothing_is_known(repo: Repository) -> None:
    assert check(repo, [Anchor("path", "a/b")]) == {Anchor("path", "a/b"): "unknown"}

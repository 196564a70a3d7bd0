"""A small knowledge repository with a past: skills committed on chosen days by chosen authors, and uses on record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import spool
from hermes_git.provenance.ledger import Use
from hermes_git.settings import DEFAULTS

NOW = datetime(2026, 11, 29, tzinfo=UTC)
AGENT = "\n\nCo-authored-by: Claude <noreply@anthropic.com>"
DAY = 86_400


def ago(days: float) -> int:
    """Return seconds since 1970 for a number of days before NOW."""
    return int((NOW - timedelta(days=days)).timestamp())


def skill_text(name: str, body: str, description: str = "Do the thing.", extra: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{extra}---\n\n# {name}\n\n{body}\n"


class Garden:
    """Writes, commits and records, each on a day of choice."""

    def __init__(self, repo: Repository, write: Callable[[str, str | bytes], Path]) -> None:
        self.repo, self.write = repo, write

    def commit(self, days: float, message: str = "change", *, agent: bool = True) -> str:
        date = f"{ago(days)} +0000"
        env = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        self.repo.git("add", "-A")
        text = message + (AGENT if agent else "")
        self.repo.git("commit", "-q", "--no-verify", "--allow-empty", "-m", text, env=env)
        return self.head()

    def skill(self, key: str, body: str, days: float, *, agent: bool = True, **words: str) -> None:
        self.write(f"knowledge/skills/{key}/SKILL.md", skill_text(key.rsplit("/", 1)[-1], body, **words))
        self.commit(days, f"add {key}", agent=agent)

    def use(self, key: str, days: float, outcome: str = "applied", session: str = "s1") -> None:
        spool.add(self.repo, DEFAULTS, [Use(ago(days), "skill", key, outcome, session=session)], now=NOW)

    def head(self) -> str:
        return self.repo.git("rev-parse", "HEAD").decode().strip()

    def show(self, revision: str) -> str:
        return self.repo.git("show", revision).decode()

    def files(self, revision: str = "HEAD") -> list[str]:
        return self.repo.git("ls-tree", "-r", "--name-only", revision).decode().split()


@pytest.fixture
def garden(repo: Repository, write: Callable[[str, str | bytes], Path]) -> Garden:
    return Garden(repo, write)

"""Who acts: the environment, the message, and the difference between an agent and a person of the same name."""

from __future__ import annotations

import pytest

from hermes_git.provenance.actor import actor_of_message, agent_mark, current_actor, current_session
from hermes_git.provenance.authors import author_of
from hermes_git.provenance.change import Actor
from hermes_git.provenance.log import Commit

AGENTS = [
    ("Claude", "noreply@anthropic.com", "claude"),
    ("Claude Opus 4.5", "noreply@anthropic.com", "claude"),
    ("Claude Sonnet 4 (1M context)", "noreply@anthropic.com", "claude"),
    ("Copilot", "175728472+Copilot@users.noreply.github.com", "copilot"),
    ("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com", "copilot"),
    ("Cursor Agent", "cursoragent@cursor.com", "cursor"),
    ("aider (gpt-4o)", "aider@aider.chat", "aider"),
    ("Devin AI", "158243242+devin-ai-integration[bot]@users.noreply.github.com", "devin"),
    ("Codex", "codex@openai.com", "codex"),
    ("gemini-code-assist[bot]", "x@users.noreply.github.com", "gemini"),
]
PERSONS = [
    ("Claude Dupont", "claude@example.invalid"),
    ("Hermes Papadopoulos", "hermes@example.invalid"),
    ("Ada", "ada@users.noreply.github.com"),
    ("Devin Smith", "devin.smith@example.invalid"),
    ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"),
]


@pytest.mark.parametrize(("name", "email", "mark"), AGENTS)
def test_agents_are_known_by_product_or_address(name: str, email: str, mark: str) -> None:
    assert agent_mark(name, email) == mark
    said = actor_of_message(f"subject\n\nCo-authored-by: {name} <{email}>\n")
    assert said is not None and said.is_agent
    assert author_of(Commit("a", 1, name, email, "subject")) == Actor("agent", mark)


@pytest.mark.parametrize(("name", "email"), PERSONS)
def test_a_name_alone_makes_no_agent(name: str, email: str) -> None:
    assert agent_mark(name, email) == ""
    assert actor_of_message(f"subject\n\nCo-authored-by: {name} <{email}>\n") is None


ACCOUNTS = [
    (Commit("a", 1, "Ada Lovelace", "ada@example.invalid", "x"), "person:Ada-Lovelace"),
    (Commit("a", 1, "github-actions[bot]", "b@example.invalid", "x"), "unknown:github-actions[bot]"),
    (Commit("a", 1, "github-actions[bot]", "b@example.invalid", "x\n\nCo-authored-by: Ada <a@example.invalid>"),
     "person:github-actions[bot]"),
]  # fmt: skip


@pytest.mark.parametrize(("commit", "actor"), ACCOUNTS)
def test_without_a_word_the_account_decides(commit: Commit, actor: str) -> None:
    assert str(author_of(commit)) == actor


ENVIRONMENTS = [
    ({"HERMES_GIT_ACTOR": "person:kim", "CLAUDECODE": "1"}, {}, "person:kim"),
    ({"CLAUDECODE": "1"}, {"hermes-git.actor": "person:kim"}, "agent:claude-code"),
    ({}, {"hermes-git.actor": "person:kim"}, "person:kim"),
    ({}, {}, "unknown:unknown"),
]


@pytest.mark.parametrize(("environment", "configuration", "actor"), ENVIRONMENTS)
def test_the_environment_says_who_acts(environment: dict[str, str], configuration: dict[str, str], actor: str) -> None:
    assert str(current_actor(environment, configuration)) == actor


def test_the_session_is_the_first_that_is_set() -> None:
    assert current_session({"CODEX_THREAD_ID": "t", "CLAUDE_SESSION_ID": "c"}) == "c"
    assert current_session({}) == ""

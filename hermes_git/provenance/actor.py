"""Who is acting: told by the environment, by marks of an agent, or by the user's configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hermes_git.patterns.lazy import pattern
from hermes_git.provenance.change import Actor, parse, parse_actor

ACTOR_VARIABLE = "HERMES_GIT_ACTOR"
SESSION_VARIABLE = "HERMES_GIT_SESSION"

AGENT_VARIABLES = {
    "CLAUDECODE": "claude-code",
    "CLAUDE_CODE_ENTRYPOINT": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_THREAD_ID": "codex",
    "CODEX_CI": "codex",
    "GEMINI_CLI": "gemini-cli",
    "CURSOR_AGENT": "cursor",
    "OPENCODE": "opencode",
    "OPENCODE_CLIENT": "opencode",
    "COPILOT_AGENT": "copilot",
    "HERMES_SESSION_ID": "hermes",
    "AMP_THREAD_ID": "amp",
    "AI_AGENT": "agent",
}
"""Variables that agents set for the commands they run, and the name we give the agent."""

SESSION_VARIABLES = (SESSION_VARIABLE, "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "HERMES_SESSION_ID", "AMP_THREAD_ID")

CO_AUTHOR = pattern(r"^co-authored-by:[ \t]*([^<\n]{1,80})<([^>\n]{1,120})>", re.IGNORECASE | re.MULTILINE)
AI_MARKS = ("claude", "anthropic", "codex", "openai", "copilot", "cursor", "gemini", "devin", "aider", "hermes", "amp")


def current_actor(environment: Mapping[str, str], configuration: Mapping[str, str]) -> Actor:
    """Return who is acting now: the variable, an agent's marks, the configuration, or unknown (treated as agent)."""
    said = environment.get(ACTOR_VARIABLE)
    if said:
        return parse_actor(said)
    for variable, name in AGENT_VARIABLES.items():
        if environment.get(variable):
            return Actor("agent", name)
    configured = configuration.get("hermes-git.actor")
    return parse_actor(configured) if configured else Actor()


def current_session(environment: Mapping[str, str]) -> str:
    """Return the id of the session that is acting, or ""."""
    return next((environment[name] for name in SESSION_VARIABLES if environment.get(name)), "")


def actor_of_message(text: str) -> Actor | None:
    """Return who a commit message says acted: its change line, else an AI co-author; None when it says nothing."""
    for change in parse(text):
        return change.actor
    for match in CO_AUTHOR.finditer(text):
        name, email = match.groups()
        mark = agent_mark(name, email)
        if mark:
            return Actor("agent", mark)
    return None


PRODUCT_WORDS = pattern(
    r"(?:[\s-]*(?:\(.*\)|\[bot\]|ai|agent|assist|bot|cli|code|coding|integration|swe|opus|sonnet|haiku|fable|pro|flash|"
    r"gpt|v?\d[\w.]*))*\s*",
    re.IGNORECASE,
)


def agent_mark(name: str, email: str) -> str:
    """Return the mark of the agent that a name and address belong to, or "" for a person, one called Claude included.

    A person has neither a product's name and nothing else, nor an address of a product's maker or of no reply.
    """
    local, _, domain = email.strip().lower().partition("@")
    for mark in AI_MARKS:
        whole = re.match(rf"{mark}\b", name.strip(), re.IGNORECASE)
        is_product = bool(whole and PRODUCT_WORDS.fullmatch(name.strip()[whole.end() :]))
        makers = re.search(rf"\b{mark}", domain) or (mark in local and re.search(r"no-?reply|\[bot\]", email.lower()))
        if is_product or makers:
            return mark
    return ""


def acting_actor(message: str, environment: Mapping[str, str], configuration: Mapping[str, str]) -> Actor:
    """Return who makes a commit: its message decides, but an agent cannot write itself into being something else."""
    here = current_actor(environment, configuration)
    if here.kind == "agent":
        return here
    return actor_of_message(message) or here

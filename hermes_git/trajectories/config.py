"""`trajectory_compression.yaml`, the configuration of Hermes' compressor: every key honoured, or ignored with a reason.

The file may come with a repository, so it sets numbers and words only. Which model is asked, where, and with whose key
is the user's own business and is never read from it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import yaml

from hermes_git.errors import UserError
from hermes_git.trajectories.compress import Options, SummaryChoice
from hermes_git.trajectories.model import Role
from hermes_git.trajectories.policy import DEFAULT, POLICIES, Policy

NOTICE = (
    "\n\nParts of this conversation were replaced by a summary that begins with [CONTEXT SUMMARY]; "
    "earlier tool results may be among them."
)
MAX_CONFIG_CHARS = 64 * 1024
PROTECTED: dict[str, Role] = {
    "first_system": "system",
    "first_human": "human",
    "first_gpt": "gpt",
    "first_tool": "tool",
}


@dataclass(frozen=True, slots=True)
class Config:
    """What a configuration file sets; None and defaults where it is silent. `ignored` pairs a key with the reason."""

    tokenizer: str = ""
    budget: int = 0
    policy: Policy = POLICIES[DEFAULT]
    notice: str = ""
    output_suffix: str = "_compressed"
    workers: int = 0
    keeps_over_limit: bool = True
    metrics: bool = True
    row_metrics: bool = True
    metrics_file: str = "compression_metrics.json"
    temperature: float = 0.3
    max_retries: int = 3
    retry_delay: float = 2.0
    at_once: int = 4
    ignored: tuple[tuple[str, str], ...] = ()


Kinds = type | tuple[type, ...]
USER_ONLY = "only your own configuration or a flag may name it, never a file"
NO_MODEL = "the built-in summariser asks no model"
KEYS: dict[str, Kinds] = {
    "tokenizer.name": str,
    "tokenizer.trust_remote_code": bool,
    "compression.target_max_tokens": int,
    "compression.summary_target_tokens": int,
    **{f"protected_turns.{name}": bool for name in PROTECTED},
    "protected_turns.last_n_turns": int,
    "summarization.model": str,
    "summarization.base_url": str,
    "summarization.api_key_env": str,
    "summarization.temperature": (int, float),
    "summarization.max_retries": int,
    "summarization.retry_delay": (int, float),
    "output.add_summary_notice": bool,
    "output.summary_notice_text": str,
    "output.output_suffix": str,
    "processing.num_workers": int,
    "processing.max_concurrent_requests": int,
    "processing.skip_under_target": bool,
    "processing.save_over_limit": bool,
    "metrics.enabled": bool,
    "metrics.per_trajectory": bool,
    "metrics.output_file": str,
}
REASONS = {
    "tokenizer.trust_remote_code": "code that comes with a tokenizer is never run",
    "summarization.model": USER_ONLY,
    "summarization.base_url": USER_ONLY,
    "summarization.api_key_env": USER_ONLY,
    "summarization.temperature": NO_MODEL,
    "summarization.max_retries": NO_MODEL,
    "summarization.retry_delay": NO_MODEL,
    "processing.max_concurrent_requests": NO_MODEL,
}


def parse(text: str, policy: Policy, *, where: str, asks_model: bool = False) -> Config:
    """Parse a configuration; `policy` is what its numbers change. Errors name the key and what it must be.

    How a model is asked is honoured only if the user has chosen to ask one.
    """
    values = _flat(text, where)
    ignored = [
        (key, REASONS[key]) for key in values if key in REASONS and not (asks_model and REASONS[key] == NO_MODEL)
    ]
    ignored += [(key, f"no such key; the nearest is {_near(key)}") for key in values if key not in KEYS]
    if values.get("processing.skip_under_target") is False:
        ignored.append(("processing.skip_under_target", "a row under the budget has nothing to compress"))
    for key, value in values.items():
        _check(key, value, where)
    notice = values.get("output.summary_notice_text", NOTICE) if values.get("output.add_summary_notice") else ""
    return Config(
        tokenizer=_text(values, "tokenizer.name"),
        budget=_number(values, "compression.target_max_tokens"),
        policy=_policy(policy, values),
        notice=str(notice),
        output_suffix=_text(values, "output.output_suffix", "_compressed"),
        workers=_number(values, "processing.num_workers"),
        keeps_over_limit=values.get("processing.save_over_limit") is not False,
        metrics=values.get("metrics.enabled") is not False,
        row_metrics=values.get("metrics.per_trajectory") is not False,
        metrics_file=_text(values, "metrics.output_file", "compression_metrics.json"),
        temperature=_float(values, "summarization.temperature", 0.3),
        max_retries=_number(values, "summarization.max_retries", 3),
        retry_delay=_float(values, "summarization.retry_delay", 2.0),
        at_once=max(1, _number(values, "processing.max_concurrent_requests", 4)),
        ignored=tuple(sorted(ignored)),
    )


def _flat(text: str, where: str) -> dict[str, object]:
    """Return the two levels of the file as `section.key`; anchors, other nesting and other types are refused."""
    if len(text) > MAX_CONFIG_CHARS:
        raise UserError(f"larger than {MAX_CONFIG_CHARS:,} characters", where=where, hint="settings are a page of text")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.CSafeLoader)):
            raise UserError("aliases are not allowed", where=where, hint="write the value out")
        table = yaml.load(text, yaml.CSafeLoader) or {}
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UserError(f"not valid YAML: {error}", where=where, hint="see docs/formats/trajectory.md") from error
    if not isinstance(table, Mapping) or not all(isinstance(part, Mapping | None) for part in table.values()):
        raise UserError(
            "not a table of sections", where=where, hint="for example compression: {target_max_tokens: 8000}"
        )
    return {f"{section}.{key}": value for section, part in table.items() for key, value in (part or {}).items()}


def _near(key: str) -> str:
    return difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)[0]


def _check(key: str, value: object, where: str) -> None:
    kinds = KEYS.get(key)
    if kinds is None:
        return
    is_number = kinds is not bool and isinstance(value, bool)
    if not isinstance(value, kinds) or is_number or (isinstance(value, int | float) and value < 0):
        words = {str: "text", bool: "true or false", int: "a whole number, not negative"}
        wanted = words.get(kinds, "a number, not negative") if isinstance(kinds, type) else "a number, not negative"
        raise UserError(f"{key} must be {wanted}, not {value!r}", where=where, hint="see docs/formats/trajectory.md")


def _text(values: Mapping[str, object], key: str, default: str = "") -> str:
    return str(values.get(key, default))


def _number(values: Mapping[str, object], key: str, default: int = 0) -> int:
    value = values.get(key, default)
    return value if isinstance(value, int) else default


def _float(values: Mapping[str, object], key: str, default: float) -> float:
    value = values.get(key, default)
    return float(value) if isinstance(value, int | float) else default


def _policy(policy: Policy, values: Mapping[str, object]) -> Policy:
    off = {role for name, role in PROTECTED.items() if values.get(f"protected_turns.{name}") is False}
    on = {role for name, role in PROTECTED.items() if values.get(f"protected_turns.{name}") is True}
    first = tuple(role for role in PROTECTED.values() if role in ({*policy.protect_first} - off) | on)
    changed = replace(policy, protect_first=first)
    if "protected_turns.last_n_turns" in values:
        changed = replace(changed, protect_last=_number(values, "protected_turns.last_n_turns"))
    if "compression.summary_target_tokens" in values:
        changed = replace(
            changed, summary_tokens=_number(values, "compression.summary_target_tokens"), summary_share=0.0
        )
    return changed


def options(config: Config, budget: int, summary_turn: SummaryChoice = "auto", *, falls_back: bool = True) -> Options:
    """Return the options that a configuration and a budget amount to."""
    return Options(
        budget, config.policy, summary_turn, notice=config.notice, metrics=config.row_metrics, falls_back=falls_back
    )


Report = Callable[[str], None]


def report(config: Config, say: Report) -> None:
    """Say which keys had no effect, and why."""
    for key, reason in config.ignored:
        say(f"ignored {key}: {reason}")

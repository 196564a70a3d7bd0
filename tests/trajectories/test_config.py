from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.trajectories import config
from hermes_git.trajectories.policy import POLICIES

WHOLE = """
tokenizer: {name: cl100k_base, trust_remote_code: true}
compression: {target_max_tokens: 15250, summary_target_tokens: 900}
protected_turns: {first_system: true, first_human: true, first_gpt: false, first_tool: true, last_n_turns: 6}
summarization:
  model: google/gemini-3-flash-preview
  base_url: https://example.invalid/v1
  api_key_env: SOME_KEY
  temperature: 0.3
  max_retries: 3
  retry_delay: 2
output: {add_summary_notice: true, summary_notice_text: " notice", output_suffix: _small}
processing: {num_workers: 4, max_concurrent_requests: 50, skip_under_target: true, save_over_limit: false}
metrics: {enabled: true, per_trajectory: false, output_file: m.json}
"""


def parsed(text: str) -> config.Config:
    return config.parse(text, POLICIES["six-step"], where="c.yaml")


def test_every_known_key_is_honoured_or_ignored_with_a_reason() -> None:
    found = parsed(WHOLE)
    assert (found.tokenizer, found.budget, found.workers) == ("cl100k_base", 15250, 4)
    assert (found.policy.summary_tokens, found.policy.protect_last) == (900, 6)
    assert found.policy.protect_first == ("system", "human", "tool")
    assert (found.notice, found.output_suffix) == (" notice", "_small")
    assert (found.keeps_over_limit, found.metrics, found.row_metrics, found.metrics_file) == (
        False,
        True,
        False,
        "m.json",
    )
    assert dict(found.ignored).keys() == config.REASONS.keys()


def test_nothing_is_ignored_silently_in_an_empty_file() -> None:
    assert parsed("") == config.Config(policy=POLICIES["six-step"])


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("compression: {target_tokens: 5}", "compression.target_tokens", "nearest is compression.target_max_tokens"),
        ("extra: {a: 1}", "extra.a", "no such key"),
        ("processing: {skip_under_target: false}", "processing.skip_under_target", "nothing to compress"),
        ("tokenizer: {trust_remote_code: false}", "tokenizer.trust_remote_code", "never run"),
    ],
)
def test_what_has_no_effect_is_reported(text: str, key: str, reason: str) -> None:
    assert reason in dict(parsed(text).ignored)[key]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("compression: {target_max_tokens: many}", "compression.target_max_tokens must be a whole number"),
        ("compression: {target_max_tokens: -1}", "not negative"),
        ("compression: {target_max_tokens: true}", "must be a whole number"),
        ("metrics: {enabled: 1}", "metrics.enabled must be true or false"),
        ("tokenizer: {name: 5}", "tokenizer.name must be text"),
        ("just text", "not a table"),
        ("compression: 5", "not a table"),
        ("a: [1", "not valid YAML"),
        ("a: &x {b: 1}\nc: *x", "aliases"),
        ("!!python/object/apply:os.system ['true']", "not valid YAML"),
        ("x: " + "y" * 70_000, "larger than"),
    ],
)
def test_mistakes_are_named(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parsed(text)

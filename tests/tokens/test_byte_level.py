from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.tokens import byte_level, choose

tokenizers = pytest.importorskip("tokenizers", reason="the extra tokenizers is not installed")

TEXT = (
    "The date test fails because local_time() is compared with UTC in src/dates/zones.py line 42.\n世界 naïve 😀\t  x"
)


def trained(**changes: Any) -> bytes:
    """Return the tokenizer.json of a small byte-level vocabulary, some of its fields changed."""
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    source = Path(__file__).read_text(encoding="utf-8")
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=700, special_tokens=["<s>", "<|im_end|>"], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator([TEXT * 3, source], trainer)
    return json.dumps(json.loads(made.to_str()) | changes).encode()


DATA = trained()
ORIGINAL = tokenizers.Tokenizer.from_buffer(DATA)


def slow(text: str) -> int:
    return len(ORIGINAL.encode(text, add_special_tokens=False).ids)


QUICK = byte_level.fast(DATA, slow)


@given(st.text(max_size=80) | st.lists(st.sampled_from(TEXT.split(" ")), max_size=20).map(" ".join))
def test_both_count_the_same(text: str) -> None:
    assert QUICK is not None
    assert QUICK(text) == slow(text)


@pytest.mark.parametrize("text", ["<s>", "a<|im_end|>b", "<s><s> x"])
def test_added_tokens_are_one_token(text: str) -> None:
    assert QUICK is not None
    assert QUICK(text) == slow(text)


SPLIT = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": r"\p{N}{1,3}|\p{L}+|\s+|[^\s\p{L}\p{N}]+"}, "behavior": "Isolated",
         "invert": False},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
    ],
}  # fmt: skip


def test_a_pattern_of_its_own_is_taken_over() -> None:
    data = trained(pre_tokenizer=SPLIT)
    other = tokenizers.Tokenizer.from_buffer(data)
    quick = byte_level.fast(data, lambda text: len(other.encode(text, add_special_tokens=False).ids))
    assert quick is not None
    assert quick(TEXT) == len(other.encode(TEXT, add_special_tokens=False).ids)


@pytest.mark.parametrize(
    "changes",
    [
        {"normalizer": {"type": "NFC"}},
        {"pre_tokenizer": None},
        {"pre_tokenizer": {"type": "Whitespace"}},
        {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}},
        {"model": {"type": "WordPiece", "vocab": {}}},
        {"pre_tokenizer": SPLIT | {"pretokenizers": [{"type": "Digits"}, SPLIT["pretokenizers"][1]]}},
    ],
)
def test_other_rules_are_left_to_the_original(changes: dict[str, Any]) -> None:
    assert byte_level.fast(trained(**changes), slow) is None


def test_a_counter_that_disagrees_is_not_used() -> None:
    assert byte_level.fast(DATA, lambda text: slow(text) + 1) is None


def test_a_tokenizer_json_is_counted_by_path(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(DATA)
    for name in (path, tmp_path):
        counter = choose.counter(str(name))
        assert counter.count(TEXT) == slow(TEXT)
        assert counter.exact

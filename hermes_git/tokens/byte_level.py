"""Byte-level vocabularies of a tokenizer.json, counted by tiktoken's core, which is several times as fast.

Only vocabularies whose rules this core has too are taken over, and only after both have counted a long probe made of
the vocabulary itself and agreed on every piece. Texts that hold an added token, such as a control token written out,
go to the original.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

Tokenize = Callable[[str], int]

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
PROBE_TOKENS, PROBE_PIECE = 24_000, 40


def fast(data: bytes, slow: Tokenize) -> Tokenize | None:
    """Return a faster counter that agrees with `slow`, or None where there is none or it does not agree."""
    table = json.loads(data)
    pattern = _pattern(table)
    ranks = _ranks(table.get("model") or {}) if pattern else None
    if not pattern or not ranks or table.get("normalizer"):
        return None
    encode = _encoder(ranks, pattern)
    if encode is None or not all(encode(piece) == slow(piece) for piece in _probe(ranks)):
        return None
    added = [re.escape(row["content"]) for row in table.get("added_tokens") or () if row.get("content")]
    special = re.compile("|".join(added)) if added else None

    def count(text: str) -> int:
        return slow(text) if special and special.search(text) else encode(text)

    return count


def _encoder(ranks: dict[bytes, int], pattern: str) -> Tokenize | None:
    import tiktoken

    try:
        encode = tiktoken.Encoding(
            "tokenizer.json", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
        ).encode_ordinary
    except ValueError:
        return None  # a pattern that the other regular expression engine does not take
    return lambda text: len(encode(text))


def _pattern(table: Mapping[str, Any]) -> str:
    """Return how text is cut before merging, or "" where that is done in a way this core cannot."""
    before = table.get("pre_tokenizer") or {}
    steps = before.get("pretokenizers", []) if before.get("type") == "Sequence" else [before]
    if not steps or steps[-1].get("type") != "ByteLevel" or steps[-1].get("add_prefix_space"):
        return ""
    if len(steps) == 1:
        return GPT2 if steps[0].get("use_regex", True) else ""
    split = steps[0]
    is_plain = split.get("type") == "Split" and split.get("behavior") == "Isolated" and not split.get("invert")
    if len(steps) != 2 or not is_plain or steps[1].get("use_regex", True):
        return ""
    return str((split.get("pattern") or {}).get("Regex") or "")


def _ranks(model: Mapping[str, Any]) -> dict[bytes, int] | None:
    """Return bytes → rank of a byte-pair model: the 256 bytes, then what each merge makes, in order."""
    odd = ("dropout", "byte_fallback", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk")
    if model.get("type") != "BPE" or any(model.get(name) for name in odd):
        return None
    letters = _letters()
    ranks = {bytes([byte]): rank for rank, byte in enumerate(range(256))}
    for number, merge in enumerate(model.get("merges") or ()):
        pair = merge.split(" ") if isinstance(merge, str) else merge
        word = "".join(pair)
        if any(letter not in letters for letter in word):
            return None
        ranks.setdefault(bytes(letters[letter] for letter in word), 256 + number)
    return ranks


def _letters() -> dict[str, int]:
    """Return letter → byte of the byte-level alphabet: printable bytes are themselves, the rest begin at U+0100."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + number): byte for number, byte in enumerate(rest)}


def _probe(ranks: Mapping[bytes, int]) -> list[str]:
    """Return pieces that put every kind of token beside others, in an order that no text has."""
    words = sorted(ranks, key=lambda word: hashlib.blake2b(word, digest_size=8).digest())[:PROBE_TOKENS]
    pieces = [words[start : start + PROBE_PIECE] for start in range(0, len(words), PROBE_PIECE)]
    return [b"".join(piece).decode("utf-8", "replace") for piece in pieces]

"""Counters from a `tokenizer.json`, through the optional package `tokenizers` (imported only here)."""

from __future__ import annotations

import hashlib

from hermes_git.errors import UserError
from hermes_git.tokens import byte_level
from hermes_git.tokens.counter import Counter


def from_json(data: bytes, *, name: str, where: str) -> Counter:
    """Return the counter of a tokenizer.json; an error says which extra to install or what is wrong with the file."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise UserError(
            "a tokenizer.json needs the package tokenizers", where=where, hint="pip install 'hermes-git[tokenizers]'"
        ) from error
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except ValueError as error:
        raise UserError(f"not a tokenizer.json: {error}", where=where, hint="choose another --tokenizer") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def tokenize(text: str) -> int:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        batch = tokenizer.encode_batch_fast([clean], add_special_tokens=False)
        return len(batch[0].ids)

    quick = byte_level.fast(data, tokenize)
    return Counter(name, f"sha256:{hashlib.sha256(data).hexdigest()}", quick or tokenize)

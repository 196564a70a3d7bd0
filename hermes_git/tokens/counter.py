"""What counts tokens: a name, a digest that pins the vocabulary, and a count that never fails on odd text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

MEMO_MIN_CHARS = 400
MEMO_MAX_CHARS = 40_000
MEMO_ENTRIES = 4096


@dataclass(slots=True)
class Counter:
    """Counts the tokens of texts by one tokenizer.

    `name` and `digest` (SHA-256 of the vocabulary) go into manifests, so that a count can be repeated. `exact` is
    False for the estimator; `error` then says how far it may be off. Texts of middling length are remembered, since
    system turns and tool schemas recur in every row of a data set.
    """

    name: str
    digest: str
    tokenize: Callable[[str], int]
    exact: bool = True
    error: str = ""
    reason: str = ""
    _memo: dict[bytes, int] = field(default_factory=dict, repr=False)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; special tokens written in it count as ordinary text."""
        if not MEMO_MIN_CHARS <= len(text) <= MEMO_MAX_CHARS:
            return self.tokenize(text) if text else 0
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found = self._memo.get(key)
        if found is None:
            if len(self._memo) >= MEMO_ENTRIES:
                self._memo.clear()
            found = self._memo[key] = self.tokenize(text)
        return found

    def count_all(self, texts: Iterable[str]) -> list[int]:
        """Return the count of each text, in order."""
        return [self.count(text) for text in texts]

    def describe(self) -> dict[str, object]:
        """Return what a manifest says about the tokenizer."""
        known: dict[str, object] = {"name": self.name, "digest": self.digest, "exact": self.exact}
        return known | ({"error": self.error} if self.error else {}) | ({"reason": self.reason} if self.reason else {})

"""What counts tokens: a name, a digest that pins the vocabulary, and a count that never fails on odd text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

MEMO_MIN_CHARS, MEMO_MAX_CHARS = 1000, 40_000
MEMO_ENTRIES = 256


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
    _memo: dict[str, int] = field(default_factory=dict, repr=False)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; special tokens written in it count as ordinary text."""
        if not MEMO_MIN_CHARS <= len(text) <= MEMO_MAX_CHARS:
            return self.tokenize(text) if text else 0
        found = self._memo.pop(text, None)
        if found is None:
            found = self.tokenize(text)
            if len(self._memo) >= MEMO_ENTRIES:
                del self._memo[next(iter(self._memo))]
        self._memo[text] = found  # last in the order now, so what recurs stays
        return found

    def count_all(self, texts: Iterable[str]) -> list[int]:
        """Return the count of each text, in order."""
        return [self.count(text) for text in texts]

    def describe(self) -> dict[str, object]:
        """Return what a manifest says about the tokenizer."""
        known: dict[str, object] = {"name": self.name, "digest": self.digest, "exact": self.exact}
        return known | ({"error": self.error} if self.error else {}) | ({"reason": self.reason} if self.reason else {})

"""Values as the analyses of program text see them: what is known of the text, and where it came from."""

from __future__ import annotations

from typing import NamedTuple

from hermes_git.patterns import places

SECRET, ENVIRONMENT, PRIVATE, NETWORK, DECODED, KEY, MEMORY, LISTING, MODEL, ACCOUNT, NOW, FIXED, ASKED = (
    "secret", "environment", "private", "network", "decoded", "key", "memory", "listing", "model", "account", "now",
    "fixed", "asked",
)  # fmt: skip
"""Where a value came from: a credential store, the whole environment, what the person does, an answer of the network,
a decoding step, one key of the environment, the agent's own memory, a list of files or machine data, the answer of a
language model, the keys of a session with a cloud service, the clock, a date that is written
down, what strangers ask a web server."""

LEAKS = frozenset((SECRET, ENVIRONMENT, PRIVATE, MEMORY))
"""Origins that must not reach a network sink."""

MAX_TEXT = 64 * 1024
MAX_ITEMS = 400
MAX_URLS = 8
NOWHERE: frozenset[str] = frozenset()


class Value(NamedTuple):
    """A value: its text as far as it is known, whether all of it is, its origins, and addresses it came from."""

    text: str = ""
    known: bool = True
    origins: frozenset[str] = frozenset()
    urls: tuple[str, ...] = ()
    odd: bool = False

    def plus(self, other: Value) -> Value:
        """Return the concatenation of two values."""
        return Value(
            (self.text + other.text)[:MAX_TEXT],
            self.known and other.known,
            self.origins | other.origins,
            (*self.urls, *(url for url in other.urls if url not in self.urls))[:MAX_URLS] if other.urls else self.urls,
            self.odd or other.odd,
        )

    def marked(self, *origins: str) -> Value:
        """Return the value with more origins."""
        return Value(self.text, self.known, self.origins | set(origins), self.urls, self.odd)

    def as_text(self, text: str, *, known: bool = True) -> Value:
        """Return a value with other text and the same origins."""
        return Value(text[:MAX_TEXT], known, self.origins, self.urls, self.odd)


EMPTY = Value()
UNKNOWN = Value(known=False)


def join(values: list[Value]) -> Value:
    """Return the concatenation of values."""
    total = EMPTY
    for value in values:
        total = total.plus(value)
    return total


def together(values: list[Value]) -> Value:
    """Return the value of a container: the texts on lines, all origins."""
    if not values:
        return EMPTY
    first = values[:MAX_ITEMS]
    text = "".join(f"{value.text}\n" for value in first)[:MAX_TEXT]
    urls = tuple(dict.fromkeys(url for value in first for url in value.urls))[:MAX_URLS]
    origins = NOWHERE.union(*(value.origins for value in first))
    return Value(text, False, origins, urls, any(value.odd for value in first))


def file_origins(path: str) -> frozenset[str]:
    """Return the origins that reading a path gives."""
    if places.STRONG.search(path):
        return frozenset((SECRET,))
    if places.CREDENTIALS.search(path):
        return frozenset((SECRET,))
    if places.CONTROL.search(path) and not path.lower().endswith("agents.md"):
        return frozenset((MEMORY,))
    return frozenset()


def describe(origins: frozenset[str]) -> str:
    """Return the origins in words, the gravest first."""
    words = {
        SECRET: "credentials",
        ENVIRONMENT: "the whole environment",
        PRIVATE: "what the person types, sees or copies",
        MEMORY: "the agent's own memory",
        ACCOUNT: "the keys of a cloud account",
        KEY: "a key",
        NETWORK: "an answer of the network",
    }
    named = [word for origin, word in words.items() if origin in origins]
    return " and ".join(named[:2]) or "data"

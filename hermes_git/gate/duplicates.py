"""Entries that say the same thing twice, nearly the same thing, or the opposite. Pure; nothing is ever removed here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_git.knowledge.changes import similarity
from hermes_git.knowledge.entries import same_meaning

NEAR = 0.8
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
NEGATIONS = frozenset(
    "not no never don't dont doesn't isn't aren't won't cannot can't without nicht kein keine nie ne pas nunca".split()
)
OPPOSITES = (
    frozenset({"always", "never"}),
    frozenset({"enable", "disable"}),
    frozenset({"enabled", "disabled"}),
    frozenset({"on", "off"}),
    frozenset({"true", "false"}),
    frozenset({"yes", "no"}),
    frozenset({"allow", "deny"}),
    frozenset({"allowed", "forbidden"}),
    frozenset({"prefer", "avoid"}),
    frozenset({"prefers", "avoids"}),
    frozenset({"likes", "dislikes"}),
    frozenset({"tabs", "spaces"}),
    frozenset({"dark", "light"}),
)
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
TOKEN = re.compile(rf"\d+(?:[.,:]\d+)*|[^\W\d_{CJK}]+(?:'[^\W\d_{CJK}]+)?|[{CJK}]|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Clash:
    """Two entries that cannot both be wanted: `kind` is same, near or contradiction; `why` is a phrase for people."""

    kind: str
    other: str
    why: str


def clashes(text: str, others: Sequence[str]) -> list[Clash]:
    """Compare one entry with others: the same but for white space and composition, nearly the same, contradictory."""
    found = []
    for other in others:
        if same_meaning(text) == same_meaning(other):
            found.append(Clash("same", other, "differs only in white space, a final dot or Unicode composition"))
            continue
        why = contradiction(text, other)
        if why:
            found.append(Clash("contradiction", other, why))
        elif similarity(text, other) >= NEAR and _words(text) == _words(other):
            found.append(Clash("near", other, "has the same words"))
    return found


def contradiction(one: str, other: str) -> str:
    """Say why two entries seem to contradict each other: one number, one opposite, or one negation differs; else ""."""
    left, right = _tokens(one), _tokens(other)
    if left == right or min(len(left), len(right)) < 3:
        return ""
    gone, new = _one_sided(left, right), _one_sided(right, left)
    if len(gone) == len(new) == 1:
        pair = (gone[0], new[0])
        if all(NUMBER.fullmatch(word) for word in pair):
            return f"{pair[1]} there, {pair[0]} here"
        if frozenset(pair) in OPPOSITES:
            return f"{pair[1]} there, {pair[0]} here"
    spare = gone + new
    if spare and all(word in NEGATIONS or word in ("do", "does", "is", "are") for word in spare):
        return "one of the two is a negation of the other"
    return ""


def _tokens(text: str) -> list[str]:
    folded = unicodedata.normalize("NFC", text).casefold()
    return [word for word in TOKEN.findall(folded) if word not in ".,;:!?。"]


def _words(text: str) -> list[str]:
    return sorted(set(_tokens(text)))


def _one_sided(one: list[str], other: list[str]) -> list[str]:
    """Return the words of `one` that an alignment of the two in order leaves over."""
    import difflib

    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    kept = {place for block in matcher.get_matching_blocks() for place in range(block.a, block.a + block.size)}
    return [word for place, word in enumerate(one) if place not in kept]

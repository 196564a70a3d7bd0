"""Signs in prose: the intent rules over the folded views of a piece."""

from __future__ import annotations

import functools
import re

from hermes_git.checks import decode
from hermes_git.checks.intent import Match, Rule, is_cue, matches
from hermes_git.checks.intent_rules import RULES
from hermes_git.checks.intent_rules_polite import POLITE
from hermes_git.checks.intent_rules_roles import ROLES
from hermes_git.checks.piece import Piece
from hermes_git.checks.sign import Found, Sign
from hermes_git.checks.views import View, fold, unleet
from hermes_git.checks.words import PLACES, PLAIN, bits, concepts_of, possible, tokens
from hermes_git.patterns import lexicon_world
from hermes_git.patterns.lazy import pattern

ALL_RULES = (*RULES, *POLITE, *ROLES)


@functools.cache
def needed() -> frozenset[str]:
    """Return words of which a text must hold one before any rule can match: of each rule its rarest step."""
    known: dict[str, set[str]] = {}
    for concept, words in (row for plain in PLAIN for row in plain.WORDS.items()):
        known.setdefault(concept, set()).update(part for word in words.split() for part in _plain_parts(word))
    for concept, phrases in (row for plain in PLAIN for row in plain.PHRASES.items()):
        parts = (_plain_parts(phrase) for phrase in phrases.split("|") if phrase.isascii())
        known.setdefault(concept, set()).update(max(words, key=_rarity) for words in parts)
    chosen: set[str] = set()
    for entry in ALL_RULES:
        steps = [step for step in entry.steps if not step & PLACES] or list(entry.steps)
        sets = [set().union(*(known.get(concept, set()) for concept in step)) for step in steps]
        chosen |= min(sets, key=lambda words: (len(words & COMMON), len(words)))
    return frozenset(chosen)


COMMON = frozenset(
    "the to a for in with is or if on from not of it user users this when are that you as no at by agent all "
    "before create "
    "output content file data run be new each context step system after time get message messages do any read "
    "response your "
    "prompt skill they add sessions without every role memory request true must start need end have task these "
    "out write "
    "into print s full their source always pass step steps check access first use include includes return show "
    "open load "
    "copy update text provide".split()
)
"""Words that nearly every text holds; they rule nothing out."""


def _rarity(word: str) -> tuple[bool, int]:
    return word not in COMMON, len(word)


def _plain_parts(text: str) -> list[str]:
    return PLAIN_WORD.findall(text)


PLAIN_WORD = pattern(r"[a-z0-9]+")


def may_match(text: str) -> bool:
    """Say whether plain ASCII text holds a word that some rule needs; other text is always looked at."""
    if not text.isascii():
        return True
    words = plain_words(text.lower())
    return not needed().isdisjoint(words) or not _stems().isdisjoint(word[:STEM] for word in words)


@functools.lru_cache(maxsize=4)
def plain_words(lower: str) -> frozenset[str]:
    """Return the plain words of lower-case text; what looks at one piece asks for them more than once."""
    return frozenset(PLAIN_WORD.findall(lower))


STEM = 5
"""Letters by which a stem of another language is known."""


@functools.cache
def _stems() -> frozenset[str]:
    """Return how plain stems of other languages begin whose step is the rarest of a rule: overriding and secrets."""
    words = f"{lexicon_world.WORDS['IGNORE']} {lexicon_world.WORDS['SECRET']} {lexicon_world.WORDS['TELL']}".split()
    return frozenset(word[:STEM] for word in words if word.isascii() and len(word) >= STEM)


POSING = pattern(
    r"(\[(?:SYSTEM|ADMIN|DEVELOPER)\s?:|"
    r"(?:[-=#*<\[]{2}|\[)\s{0,4}(?:END|BEGIN|START)\s(?:OF\s)?(?:SYSTEM|PROMPT|INSTRUCTIONS?|CONTEXT|SKILL|USER|CONVERSATION)\b|"
    r"</skill>\s{0,9}<|</?(?:system|admin|developer)>|#{2,4} ?system ?(?:override|prompt:))|<(?:important|policy|"
    r"override)>|<\|im_(?:start|end)\|>|<\|(?:system|assistant)\|>|\[/?INST\]|<</?SYS>>",
    re.I,
)
POSING_START = pattern(r"[\[<]|[-=#*]{2}")
"""What every such marker begins with."""
LEETISH = pattern(r"[013457@$!](?:(?<=[A-Za-z].)[A-Za-z]|(?<![@$!])(?<!\w.)[A-Za-z]{2})")
"""A digit or sign among letters; it begins with the rarer character, so that plain text is passed over quickly."""
REVERSED = pattern(r"(?<!\w)(?:snoitcurtsni|suoiverp|erongi|resu eht|terces|slaitnederc|drowssap)(?!\w)", re.I)
ROTATED = pattern(r"(?<!\w)(?:vtaber|vafgehpgvbaf|cerivbhf|hfre|frperg|perqragvnyf|fraq)(?!\w)", re.I)
CODED = frozenset(word for word in PLAIN_WORD.findall(f"{REVERSED.source} {ROTATED.source}") if len(word) > 1)
RISKY = frozenset("IGNORE PRIOR RULES SECRET SEND STEAL EXECUTE TELL PROMPT GUARD DISABLE FREE".split())
DISGUISES = frozenset(
    ("wide or mathematical letters", "look-alike letters", "entities", "percent codes", "spaced letters")
)


def analyse(piece: Piece, found: Found) -> None:
    """Match the intent rules on a piece of prose, disguises taken off, and on what it hides in plain codes."""
    text = piece.text
    lower = text.lower()
    view = fold(text)
    _match(piece, view, found)
    _disguised(piece, view, found)
    _posing(piece, found)
    leet = unleet(lower) if LEETISH.search(text) else ""
    if leet and leet != lower:
        _match(piece, View(leet), found, layer="leet", least=3)
    if not _is_coded(lower):
        return
    if ROTATED.search(text):
        _match(piece, View(decode.rot13(text).lower()), found, layer="rot13")
    if REVERSED.search(text):
        _match(piece, View(text[::-1].lower()), found, layer="reversed")


def _is_coded(lower: str) -> bool:
    """Say whether text can hold a word that is rotated or reversed; a long s is an s when case does not count."""
    return "ſ" in lower or not CODED.isdisjoint(plain_words(lower))


def _posing(piece: Piece, found: Found) -> None:
    """Report markers with which text pretends to be a message of the system."""
    if piece.role in ("fence", "comment", "string", "cell"):
        return
    is_marked = "<" in piece.text or "[" in piece.text or POSING_START.search(piece.text)
    marker = POSING.search(piece.text) if is_marked else None
    if marker:
        weight = 2 if marker.lastindex == 1 else 1
        message = f"poses as the system: {marker.group()[:30]}"
        found.signs.append(Sign("HG405", weight, piece.at(marker.start()), message, is_cue(piece.before), piece.layers))


@functools.lru_cache(maxsize=4096)
def _candidates(present: int) -> tuple[Rule, ...]:
    """Return the rules all of whose steps have a concept among those present, as bits."""
    return tuple(entry for entry, steps in _steps() if _are_present(steps, present))


def _are_present(steps: tuple[int, ...], present: int) -> bool:
    for step in steps:  # noqa: SIM110 - half the time of a generator
        if not step & present:
            return False
    return True


@functools.cache
def _steps() -> tuple[tuple[Rule, tuple[int, ...]], ...]:
    return tuple((entry, tuple(bits(step) for step in entry.steps)) for entry in ALL_RULES)


def _match(piece: Piece, view: View, found: Found, *, layer: str = "", least: int = 1) -> None:
    rules = _candidates(possible(view.text))
    if not rules:
        return
    row = tokens(view.text)
    raised = bool(layer) or bool(piece.layers) or piece.role == "hidden"
    for match in matches(rules, row, view.text, cue_before=is_cue(piece.before)):
        if match.rule.weight < least:
            continue
        mention = match.quoted or _is_only_data(piece, match, view.text)
        lowered = piece.role == "string" and match.rule.weight < 3 and not raised
        weight = min(3, match.rule.weight + raised - lowered)
        layers = (*piece.layers, layer) if layer else piece.layers
        line = piece.line if layer == "reversed" else piece.at(match.start)
        found.signs.append(Sign(match.rule.id, weight, line, _worded(match, layers), mention, layers))


def _worded(match: Match, layers: tuple[str, ...]) -> str:
    hidden = f" (hidden in {' in '.join(reversed(layers))})" if layers else ""
    return f"{match.rule.message}{hidden}"


def _is_only_data(piece: Piece, match: Match, text: str) -> bool:
    """Say whether a match stands alone in a string or a table cell that is nothing but a quotation."""
    if piece.role == "cell":
        return text.strip()[:1] in "\"'`“«" or is_cue(piece.before)
    return piece.role == "string" and match.start < 12 and len(text) < 160 and "\n" not in text.strip()


def _disguised(piece: Piece, view: View, found: Found) -> None:
    """Report words that only look like plain words, where the plain word is one that attacks need."""
    words = [(how, plain) for how, plain in view.disguises if how in DISGUISES and concepts_of(plain.lower()) & RISKY]
    if len(words) > 1 or any(len(plain) > 4 for _how, plain in words):
        how = words[0][0]
        shown = ", ".join(dict.fromkeys(plain.lower() for _how, plain in words[:5]))
        found.signs.append(Sign("HG306", 3 if len(words) > 1 else 2, piece.line, f"{how} spell: {shown[:80]}"))

"""Text in several views: as it stands, and with disguises taken off. Line ends survive, so positions stay lines."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from hermes_git.checks.words import concepts_of
from hermes_git.patterns.confusables import FOLD
from hermes_git.patterns.invisible import INVISIBLE
from hermes_git.patterns.lazy import Pattern, pattern

ENTITY = pattern(r"(?:&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,20});)+")
PERCENT = pattern(r"(?:%[0-9A-Fa-f]{2}){4,}")
ESCAPES = pattern(r"(?:\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}){3,}")
ONE_ESCAPE = pattern(r"\\u([0-9A-Fa-f]{4})|\\u\{([0-9A-Fa-f]{1,6})\}|\\x([0-9A-Fa-f]{2})")
WORD = pattern(r"(?<![^\W\d_])[A-Za-z]*[^\W\d_A-Za-z][^\W\d_]*")
"""A word that holds a letter beyond plain ones."""
INNER_MARKUP = pattern(r"(?<=[A-Za-z])(?:\*\*|__|\*|~~|``)(?=[A-Za-z])")
SPACED = pattern(r"(?<![^\W_])(?:[A-Za-z][ ._·-]){4,}[A-Za-z](?![^\W_])")
SPACED_PART = pattern(r"[ ._·-][A-Za-z][ ._·-][A-Za-z][ ._·-]")
"""What every spaced word holds; beginning with what stands between letters, it passes over plain text quickly."""
SPLIT = pattern(r"(?<![A-Za-z])([A-Za-z]{2,40})(?:-|\\)\n[ \t]{0,80}([a-z]{2,40})")
FRAMES = {
    start + at: chr(97 + at)
    for start in (0x249C, 0x24B6, 0x24D0, 0x1F110, 0x1F130, 0x1F150, 0x1F170)
    for at in range(26)
}
FRAMED = pattern(
    "[\u249c-\u24e9\U0001f110-\U0001f129\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189]{3,80}"
)
WIDE_SIGNS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if not chr(code - 0xFEE0).isalnum()}
TAGS = pattern("[\U000e0020-\U000e007e]+")
LEET = str.maketrans("013457@$!", "oieastasi")
LEET_WORD = pattern(r"(?<![\w])(?=[a-z0-9@$!]{0,30}[0-9@$!])(?=[a-z0-9@$!]{0,30}[a-z])[a-z013457@$!]{3,30}(?![\w])")


@dataclass(frozen=True, slots=True)
class View:
    """Folded lower-case text, and the words whose disguise was taken off, as `(how, plain word)`."""

    text: str
    disguises: tuple[tuple[str, str], ...] = ()


def fold(text: str) -> View:
    """Fold text: invisible characters out, entities and escapes decoded, wide and look-alike letters to plain ones."""
    found: list[tuple[str, str]] = []
    if not text.isascii():
        text = _plain(text, found)
    if "&" in text:
        text = _replace(text, ENTITY, lambda match: _unescape(match.group()), "entities", found)
    if "%" in text:
        text = _replace(text, PERCENT, lambda match: _percent(match.group()), "percent codes", found)
    if "\\" in text:
        text = _replace(text, ESCAPES, lambda match: ONE_ESCAPE.sub(_escape, match.group()), "escapes", found)
        text = SPLIT.sub(r"\1\2\n", text)
    if "*" in text or "__" in text or "~~" in text:
        text = _replace(text, INNER_MARKUP, lambda _match: "", "", found)
    if is_spaced(text):
        text = _replace(text, SPACED, lambda match: re.sub(r"[ ._·-]", "", match.group()), "spaced letters", found)
    return View(text.lower(), tuple(found))


def is_spaced(text: str) -> bool:
    """Say whether text may hold a word whose letters stand apart."""
    return SPACED_PART.search(text) is not None and SPACED.search(text) is not None


def _unescape(text: str) -> str:
    import html

    return html.unescape(text)


def _replace(text: str, pattern: Pattern, change: object, how: str, found: list[tuple[str, str]]) -> str:
    """Replace matches on one line each, noting what they read as."""

    def one(match: re.Match[str]) -> str:
        plain: str = change(match).replace("\n", " ")  # type: ignore[operator]
        if how and plain != match.group() and sum(char.isalpha() for char in plain) > 2:
            found.append((how, plain))
        return plain

    return pattern.sub(one, text)


def _percent(text: str) -> str:
    data = bytes(int(part, 16) for part in text.split("%")[1:])
    return data.decode("utf-8", "replace")


def _escape(match: re.Match[str]) -> str:
    code = int(next(group for group in match.groups() if group), 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _plain(text: str, found: list[tuple[str, str]]) -> str:
    """Take off the disguises that other characters give a text."""
    text = TAGS.sub(lambda match: " " + "".join(chr(ord(char) - 0xE0000) for char in match.group()) + " ", text)
    bare = INVISIBLE.sub("", text)
    if bare != text:
        found.append(("invisible characters", ""))
    bare = FRAMED.sub(lambda match: _framed(match.group(), found), bare.translate(WIDE_SIGNS))
    return WORD.sub(lambda match: _word(match.group(), found), _strip_marks(bare))


def _framed(letters: str, found: list[tuple[str, str]]) -> str:
    """Return letters in circles or squares as plain ones."""
    plain = letters.translate(FRAMES)
    found.append(("framed letters", plain))
    return plain


def _strip_marks(text: str) -> str:
    """Drop combining marks that stand on plain ASCII letters; accents that belong to a letter stay composed."""
    if not _has_marks(text):
        return text
    text = unicodedata.normalize("NFC", text)
    return re.sub(r"(?<=[A-Za-z])[\u0300-\u036f\u20d0-\u20f0\u0489]+", "", text) if _has_marks(text) else text


def _has_marks(text: str) -> bool:
    return bool(re.search(r"[\u0300-\u036f\u20d0-\u20f0\u0489]", text))


def _word(word: str, found: list[tuple[str, str]]) -> str:
    """Return a word in plain letters when it only looks foreign: wide, mathematical, or mixed with look-alikes."""
    if word.isascii():
        return word
    wide = unicodedata.normalize("NFKC", word)
    plain = wide.translate(FOLD)
    if not plain.isascii():
        return wide if wide.isascii() else _accented(word, found)
    if plain.lower() == word.lower() or (not _is_mixed(wide) and not concepts_of(plain.lower())):
        return word
    how = "wide or mathematical letters" if wide.isascii() else "look-alike letters"
    found.append((how, plain.lower()))
    return plain


def _accented(word: str, found: list[tuple[str, str]]) -> str:
    """Return a word without its accents when only then it is a word that attacks need."""
    bare = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    marks = sum(char != other for char, other in zip(word, bare, strict=False))
    if marks < 2 or not bare.isascii() or concepts_of(word.lower()) or not concepts_of(bare.lower()):
        return word
    found.append(("accents", bare.lower()))
    return bare


def _is_mixed(word: str) -> bool:
    """Say whether a word is plain after NFKC, or mixes plain letters with others: no honest word of another script."""
    plain = sum(char.isascii() for char in word)
    return plain == len(word) or plain > 0


def unleet(text: str) -> str:
    """Return lower-case text with digits and signs inside words read as the letters they stand for."""
    return LEET_WORD.sub(lambda match: match.group().translate(LEET), text)

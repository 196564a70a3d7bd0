"""Text as a row of tokens that carry concepts: the input of the intent rules.

Linear in the text: one pass splits it, a dictionary names what each word means, and phrases are merged by their first
word. Nothing here knows about rules.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hermes_git.patterns import lexicon, lexicon_polite, lexicon_roles, lexicon_world, places
from hermes_git.patterns.lazy import Pattern, pattern

CHUNK = pattern(r"[^\s\"'`<>()\[\]{},;|*“”‘’«»「」]+(?:['’][a-z]{1,2}\b)?|\n[ \t\r]*\n|[|;]")
PLAIN = (lexicon, lexicon_polite, lexicon_roles)
"""Lexicons of words and phrases; that of other languages has words and parts of words."""
BLANKS = {ord(char): " " for char in '"`<>()[]{},;|*'}
"""What ends a chunk, for text without apostrophes and other quotation marks."""
WORD = pattern(r"[^\W_]+(?:['’_-][^\W_]+)*")
PHRASE_WORD = pattern(r"[^\s,]+")
CJK = pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
CJK_STOP = pattern("[。！？；]")
ADDRESS = pattern(r"[a-z][a-z0-9+.-]{1,12}://|hxxps?:", re.I)
MAIL = pattern(r"[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,20}\b", re.I)
QUOTED = pattern(
    r"(`{1,3})[^`]{1,800}?\1|\"[^\"]{1,600}\"|“[^”]{1,600}”|«[^»]{1,600}»|「[^」]{1,300}」|‘[^’]{3,300}’|"
    r"(?<![\w])'[^'\n]{3,300}'(?!\w)"
)
ENDING = pattern(r"[.!?:]+[*_)]*$")
PLACE_MARKS = pattern(r"[./\\]|id_|-db|_keys|_config|a9fe|-envs|_memory|launch|cron|credentials")
"""What every name of a place holds; most words with a digit or a hyphen hold none of it."""
LONG_CHUNK = 4_096
"""Characters without a blank from which on a chunk is no word or address of anybody."""
SHORTEST_PLACE = 7
"""Characters of the shortest name of a place that is letters alone: `crontab`."""
REFERENCES = ("op://", "vault://", "secret://", "keychain://")
"""Schemes of references into a store of secrets of the person's own, which lead nowhere else."""
NOTHING: frozenset[str] = frozenset()
STOP = frozenset(("STOP",))
PLACES = frozenset("URL DEST MAIL DROP ODDURL STRONG CREDFILE CONTROL STARTUP ARCHIVE LOCALURL SECRET".split())
"""Concepts that paths and addresses carry too, so that no list of words can rule them out."""
WHOLE = frozenset(("FREE", "EMBEDDED", "CONFIRMLESS"))
"""Concepts of phrases whose words mean nothing else beside it."""


class Token(NamedTuple):
    """One word, path or address: where it stands, and what it may mean. A sentence end is a token too."""

    start: int
    end: int
    concepts: frozenset[str]
    text: str = ""


@functools.cache
def _words() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return exact words and stems, each with its concepts."""
    exact: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    for table in (*(plain.WORDS for plain in PLAIN), lexicon_world.WORDS):
        for concept, words in table.items():
            for word in words.split():
                stem = word.endswith("*")
                (stems if stem else exact).setdefault(word.rstrip("*"), set()).add(concept)
    return {word: frozenset(found) for word, found in exact.items()}, {
        word: frozenset(found) for word, found in stems.items()
    }


Phrase = tuple[tuple[str, ...], str]
"""The words of a phrase, and the concept that its first word has then."""


@functools.cache
def _phrases() -> tuple[Phrase, ...]:
    """Return all phrases, the longest first."""
    found = [
        (tuple(PHRASE_WORD.findall(phrase)), concept)
        for plain in PLAIN
        for concept, phrases in plain.PHRASES.items()
        for phrase in phrases.split("|")
    ]
    return tuple(sorted(found, key=lambda row: -len(row[0])))


@functools.cache
def _by_words() -> dict[str, dict[str, list[Phrase]]]:
    """Return phrases by their first and their second word; that of a single word is ""."""
    found: dict[str, dict[str, list[Phrase]]] = {}
    for parts, concept in _phrases():
        second = parts[1] if len(parts) > 1 else ""
        found.setdefault(parts[0], {}).setdefault(second, []).append((parts, concept))
    return found


@functools.cache
def _parts() -> tuple[tuple[str, Pattern], ...]:
    return tuple((concept, pattern(parts)) for concept, parts in lexicon_world.PARTS.items())


@functools.lru_cache(maxsize=65536)
def concepts_of(word: str) -> frozenset[str]:
    """Return what a single lower-case word may mean."""
    exact, stems = _words()
    found = exact.get(word, NOTHING)
    if not word.isascii() or len(word) > 6:
        for length in range(4, min(len(word), 14) + 1):
            found |= stems.get(word[:length], NOTHING)
    return found


@functools.lru_cache(maxsize=8192)
def _place_concepts(chunk: str) -> frozenset[str]:
    """Return what a path or file name means."""
    if not PLACE_MARKS.search(chunk):
        return NOTHING
    found = set()
    if places.CREDENTIALS.search(chunk):
        found |= {"SECRET", "CREDFILE"}
    if places.STRONG.search(chunk):
        found |= {"SECRET", "CREDFILE", "STRONG"}
    if places.CONTROL.search(chunk):
        found.add("CONTROL")
    if places.STARTUP.search(chunk):
        found.add("STARTUP")
    if chunk.lower().endswith((".zip", ".rar", ".7z", ".exe", ".dmg", ".msi", ".pkg", ".scr")):
        found.add("ARCHIVE")
    return frozenset(found)


@functools.lru_cache(maxsize=4096)
def _address_concepts(chunk: str) -> frozenset[str]:
    """Return what an address means: a destination unless it is this machine."""
    if places.LOCAL.match(chunk) or chunk.startswith(REFERENCES):
        return frozenset(("LOCALURL",))
    found = {"URL", "DEST"}
    if places.DROP_HOSTS.search(chunk):
        found.add("DROP")
    if places.RAW_IP.match(chunk) or places.SHORTENERS.search(chunk) or chunk.lower().startswith("hxxp"):
        found.add("ODDURL")
    return frozenset(found) | _place_concepts(chunk)


def tokens(text: str) -> list[Token]:
    """Split lower-case text into tokens with their concepts."""
    make = tuple.__new__  # past the constructor of a named tuple, which costs a call of Python for each word
    row: list[Token] = []
    for match in CHUNK.finditer(text):
        start = match.start()
        for low, high, concepts, word in _parts_of(match.group()):
            row.append(make(Token, (start + low, start + high, concepts, word)))
    return _merge(row)


def possible(text: str) -> int:
    """Return every concept that a token of lower-case text can have, as bits: cheaper than tokens, never too few.

    The end of a sentence is not among them: no rule asks for one.
    """
    is_plain = text.isascii() and "'" not in text
    found, words = 0, set[str]()
    for chunk in set(text.translate(BLANKS).split() if is_plain else CHUNK.findall(text)):
        concepts, parts = _possible_of(chunk) if len(chunk) <= LONG_CHUNK else _possible_of_many(chunk)
        found |= concepts
        words.update(parts)
    phrases = _by_longest()
    for word in phrases.keys() & words:
        for others, concept in phrases[word]:
            if others <= words:
                found |= concept
    return found


def bits(concepts: Iterable[str]) -> int:
    """Return concepts as bits; an unknown one is a fault of a rule or of a lexicon and raises KeyError."""
    known = _bits()
    return functools.reduce(operator.or_, (known[concept] for concept in concepts), 0)


@functools.cache
def _bits() -> dict[str, int]:
    plain = (table for words in PLAIN for table in (words.WORDS, words.PHRASES))
    tables = (*plain, lexicon_world.WORDS, lexicon_world.PARTS)
    names = PLACES.union(STOP, *tables)
    return {name: 1 << at for at, name in enumerate(sorted(names))}


@functools.lru_cache(maxsize=65536)
def _possible_of(chunk: str) -> tuple[int, tuple[str, ...]]:
    """Return the concepts of one chunk as bits, and those of its words that stand in some phrase."""
    found = 0
    words = []
    for _low, _high, concepts, word in _parts_of(chunk):
        found |= bits(concepts)
        if word in _phrase_words():
            words.append(word)
    return found, tuple(words)


def _possible_of_many(chunk: str) -> tuple[int, tuple[str, ...]]:
    """Return what a very long chunk can hold at most: any place, and what each of its words, taken once, may mean."""
    if CJK.search(chunk):
        return _possible_of(chunk)
    words = {word.replace("’", "'") for word in WORD.findall(chunk)}
    found = functools.reduce(operator.or_, map(bits, map(concepts_of, words)), bits(PLACES))
    return found, tuple(words & _phrase_words())


@functools.cache
def _phrase_words() -> frozenset[str]:
    return frozenset(word for parts, _concept in _phrases() for word in parts)


@functools.cache
def _by_longest() -> dict[str, list[tuple[frozenset[str], int]]]:
    """Return the longest word of each phrase, with all its words and its concept as a bit."""
    found: dict[str, list[tuple[frozenset[str], int]]] = {}
    for parts, concept in _phrases():
        found.setdefault(max(parts, key=len), []).append((frozenset(parts), bits((concept,))))
    return found


Part = tuple[int, int, frozenset[str], str]


@functools.lru_cache(maxsize=65536)
def _parts_of(chunk: str) -> tuple[Part, ...]:
    """Return the tokens of one chunk, positions counted from its start; the same chunk is split once."""
    if chunk.isascii() and chunk.isalpha():
        return ((0, len(chunk), concepts_of(chunk), chunk),)
    if chunk[0] in "\n|;":
        return ((0, len(chunk), STOP, ""),)
    ending = ENDING.search(chunk)
    body = chunk[: ending.start()] if ending else chunk
    parts = [(token.start, token.end, token.concepts, token.text) for token in _chunk(body)]
    if ending:
        parts.append((len(body), len(chunk), STOP if ":" not in ending.group() else NOTHING, ""))
    return tuple(parts)


def _chunk(chunk: str) -> Iterator[Token]:
    if ADDRESS.match(chunk):
        yield Token(0, len(chunk), _address_concepts(chunk), chunk)
    elif "@" in chunk and MAIL.fullmatch(chunk):
        yield Token(0, len(chunk), frozenset(("DEST", "MAIL")), chunk)
    elif CJK.search(chunk):
        yield from _cjk(chunk, 0)
    else:
        is_plain = chunk.isalnum() and len(chunk) < SHORTEST_PLACE
        place = _place_concepts(chunk) if len(chunk) > 3 and not is_plain else NOTHING
        if place:
            yield Token(0, len(chunk), place, chunk)
            return
        is_option = chunk.startswith(("/", "-")) and "=" in chunk
        for match in WORD.finditer(chunk) if not is_option else ():
            word = match.group().replace("’", "'")
            yield Token(match.start(), match.end(), concepts_of(word), word)


def _cjk(chunk: str, start: int) -> Iterator[Token]:
    """Yield the concepts found inside text without blanks, in their order, with its sentence ends."""
    found = [
        Token(start + match.start(), start + match.end(), frozenset((concept,)), match.group())
        for concept, pattern in _parts()
        for match in pattern.finditer(chunk)
    ]
    found += [Token(start + match.start(), start + match.end(), STOP) for match in CJK_STOP.finditer(chunk)]
    found += [
        Token(start + match.start(), start + match.end(), _place_concepts(match.group()) or concepts_of(match.group()))
        for match in re.finditer(r"[a-z~./_-]{3,100}", chunk)
    ]
    yield from sorted(found, key=lambda token: token.start)


def _merge(row: list[Token]) -> list[Token]:
    """Give the first token of each phrase the concept of the phrase."""
    phrases = _by_words()
    merged = list(row)
    for index, token in enumerate(row):
        seconds = phrases.get(token.text)
        if seconds is None:
            continue
        following = row[index + 1].text if index + 1 < len(row) else ""
        for parts, concept in (*(seconds.get(following, ()) if following else ()), *seconds.get("", ())):
            if tuple(other.text for other in row[index : index + len(parts)]) == parts:
                _join(row, merged, index, len(parts), concept)
    return merged


def _join(row: list[Token], merged: list[Token], index: int, length: int, concept: str) -> None:
    """Let a token stand for a phrase; the words of some phrases mean nothing else beside it."""
    here = merged[index]
    merged[index] = Token(here.start, row[index + length - 1].end, here.concepts | {concept}, here.text)
    if concept in WHOLE:
        for other in range(index + 1, index + length):
            merged[other] = Token(row[other].start, row[other].end, NOTHING, row[other].text)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of text that stands in quotation marks or code marks."""
    return [match.span() for match in QUOTED.finditer(text)]

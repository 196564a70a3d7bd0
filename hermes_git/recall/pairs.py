"""Which words stand side by side: a small signature of a passage that tells phrases apart without its text.

The index has no positions. A phrase is first looked for among passages that hold all its words, and of those only
the ones whose signature holds each pair of neighbours are read. The signature is a Bloom filter: it never denies a
pair that is there, and wrongly grants about one in a hundred.

A word takes part as left neighbour by the piece after its last underscore and as right neighbour by the piece before
its first one, because a phrase may begin or end within an identifier; a run of signs by its last and its first sign.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import xor

from hermes_git.recall.analyze import CACHED_WORDS, is_signs, pairs

VERSION = 1
"""Part of the name of the index folder; raise it whenever signatures change."""

BITS_PER_PAIR = 12
MOST_BITS = 0xFFF8
"""A pair sets three places, each by sixteen of the 32 bits of its hash."""

MIX, MASK = 0x9E3779B1, 0xFFFFFFFF
ONES = bytes.maketrans(b"\x00\x01", b"01")


def _hash(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


@functools.lru_cache(CACHED_WORDS)
def ends(word: str) -> tuple[int, int]:
    """Return the hashes of a raw word as left and as right neighbour."""
    if is_signs(word):
        return _hash(word[-1]) * MIX & MASK, _hash(word[0])
    bare = word.casefold().rstrip("+#%")
    if "_" not in bare:
        right = _hash(bare)
        return right * MIX & MASK, right
    return _hash(bare.rsplit("_", 1)[1]) * MIX & MASK, _hash(bare.split("_", 1)[0])


def neighbours(words: Sequence[str]) -> set[int]:
    """Return the hashes of all pairs of neighbours of a text's raw words."""
    if not words:
        return set()
    lefts, rights = zip(*map(ends, words), strict=True)
    found = set(map(xor, lefts, rights[1:]))
    if not "".join(words).isascii():
        for word in words:
            if len(word) > 2 and is_signs(word):
                found.update(_inner(word))
    return found


def _inner(signs: str) -> Iterable[int]:
    """Return the pairs of neighbouring pairs within a run of signs."""
    hashed = [_hash(pair) for pair in pairs(signs)]
    return [(left * MIX & MASK) ^ right for left, right in pairwise(hashed)]


def signature(words: Sequence[str]) -> bytes:
    """Return the signature of a text by its raw words; empty for fewer than two."""
    found = neighbours(words)
    size = min(-(-len(found) * BITS_PER_PAIR // 8) * 8, MOST_BITS)
    if not size:
        return b""
    flags = bytearray(size)
    for value in found:
        flags[(value & 0xFFFF) % size] = flags[(value >> 16) % size] = flags[(value >> 8 & 0xFFFF) % size] = 1
    return int(flags.translate(ONES), 2).to_bytes(size // 8, "big")


def may_hold(bits: bytes, wanted: Iterable[int]) -> bool:
    """Say whether a signature grants all pairs."""
    size = len(bits) * 8
    for value in wanted:
        places = ((value & 0xFFFF) % size, (value >> 16) % size, (value >> 8 & 0xFFFF) % size) if size else ()
        if not places or not all(bits[at >> 3] & (0x80 >> (at & 7)) for at in places):
            return False
    return True

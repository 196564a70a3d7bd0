"""Byte-pair counters through tiktoken's compiled core, built straight from ranks (tiktoken is imported only here)."""

from __future__ import annotations

import functools
import hashlib

from hermes_git.tokens import ranks
from hermes_git.tokens.counter import Counter

SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
REST = (r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+")

CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
O200K = "|".join(
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{SUFFIX}",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{SUFFIX}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        *REST,
    )
)
KIMI = "|".join(
    (
        r"[\p{Han}]+",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}&&[^\p{{Han}}]]*[{LOWER}&&[^\p{{Han}}]]+{SUFFIX}",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}&&[^\p{{Han}}]]+[{LOWER}&&[^\p{{Han}}]]*{SUFFIX}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        *REST,
    )
)
"""How text is cut before merging: constants of the encodings, so that counts equal the original tokenizers'."""

PATTERNS = {"cl100k_base": CL100K, "o200k_base": O200K}


@functools.cache
def shipped(name: str) -> Counter:
    """Return the counter of a vocabulary that ships with the installation; raise `Missing` where it does not."""
    data = ranks.shipped(name)
    return _build(name, data, PATTERNS[name], name)


def from_file(data: bytes, *, name: str, where: str) -> Counter:
    """Return the counter of a tiktoken-style rank file such as Kimi K2's `tiktoken.model`, Han text cut first."""
    return _build(name, data, KIMI, where)


def _build(name: str, data: bytes, pattern: str, where: str) -> Counter:
    import tiktoken

    encoding = tiktoken.Encoding(
        name, pat_str=pattern, mergeable_ranks=ranks.parse(data, where=where), special_tokens={}
    )
    encode = encoding.encode_ordinary
    return Counter(name, f"sha256:{hashlib.sha256(data).hexdigest()}", lambda text: len(encode(text)))

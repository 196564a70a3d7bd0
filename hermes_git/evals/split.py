"""Which transcripts may be looked at while a summariser is tuned, and which only judge it: a rule, not a list.

The sides are told by the first human turn, so that sessions that were continued or copied from one another, and
share most of their text, never stand on both.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from hermes_git.errors import UserError
from hermes_git.trajectories.row import View

Part = Literal["tuning", "held-out"]
ALL = "all"
PARTS: tuple[str, ...] = (ALL, "tuning", "held-out")
TUNING_DIGITS = "01234567"
"""A family whose digest begins with one of these belongs to the tuning set, the others are held out."""


def family(view: View) -> str:
    """Return the SHA-256 in hex of the first human turn: transcripts that share it grew out of one another."""
    text = next((turn.text for turn in view.turns if turn.role == "human"), "")
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def part(digest: str) -> Part:
    """Return the side of a family."""
    return "tuning" if digest[:1] in TUNING_DIGITS else "held-out"


def is_in(digest: str, wanted: str) -> bool:
    """Say whether a family belongs to the wanted part."""
    if wanted not in PARTS:
        raise UserError(f"no part called {wanted!r}", hint=f"parts are {', '.join(PARTS)}")
    return wanted in (ALL, part(digest))

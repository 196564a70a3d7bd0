"""The families of checks and the rule that an id, once published, is never given to anything else."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "HG1": "structure of files and folders",
    "HG2": "specification of skills and memory files",
    "HG3": "hidden text",
    "HG4": "threats in prose",
    "HG5": "secrets and personal data",
    "HG61": "Python code",
    "HG62": "shell code",
    "HG63": "JavaScript and TypeScript code",
    "HG64": "other code",
    "HG7": "gate and drift",
    "HG8": "curator guards",
    "HG9": "composition over several files or skills",
}

RETIRED: frozenset[str] = frozenset()
"""Ids that were published once and are gone; a test refuses their return."""


def family(check: str) -> str:
    """Return the family of a check id: the longest prefix that names one.

    >>> family("HG611")
    'HG61'
    """
    return max((name for name in FAMILIES if check.startswith(name)), key=len)


def selects(selection: tuple[str, ...], check: str) -> bool:
    """Say whether a selection such as `("HG3", "HG401")` takes in this check; an empty one takes all."""
    return not selection or any(check.startswith(prefix) for prefix in selection)

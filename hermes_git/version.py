"""Versions that every report names: the tool's own, the rules', and the repository format's."""

__version__ = "0.1.0"

RULES_VERSION = "2026.11.12"
"""Changes whenever a check can give another verdict on the same bytes; part of every cache key."""

FORMAT = 1
"""Format of `hermes-git.toml` and of the layout it describes."""

"""Results of earlier scans, kept in one file below the shared git folder; losing it costs time, never a verdict.

The file is a projection: its keys hold the digest of the bytes, the place, the selection and the version of the rules,
so an entry can be outdated only by being unused. Unused entries go when the file grows.
"""

from __future__ import annotations

import json
from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.files import keep, read_optional

NAME = "scan-cache.json"
FORMAT = 1
MAX_ENTRIES = 60_000
MAX_BYTES = 64 * 1024 * 1024


class ScanCache:
    """A `checks.run.Cache` in one file; `save` writes it when something was added."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.path = folder / name
        self.known: dict[str, str] | None = None
        self.used: set[str] = set()
        self.changed = False

    def _load(self) -> dict[str, str]:
        """Read the file once; one that is missing, damaged or of another format is an empty cache."""
        if self.known is None:
            try:
                table = json.loads(read_optional(self.path, limit=MAX_BYTES) or b"{}")
            except (ValueError, RecursionError, UserError):
                table = {}
            entries = table.get("entries") if isinstance(table, dict) and table.get("format") == FORMAT else {}
            self.known = entries if isinstance(entries, dict) else {}
        return self.known

    def get(self, key: str) -> bytes | None:
        """Return what was kept under a key, or None."""
        found = self._load().get(key)
        self.used.add(key)
        return found.encode("utf-8") if isinstance(found, str) else None

    def put(self, key: str, value: bytes) -> None:
        """Keep a value under a key."""
        self._load()[key] = value.decode("utf-8")
        self.used.add(key)
        self.changed = True

    def save(self) -> None:
        """Write the cache when it has grown; a folder that cannot be written to is no reason to fail a check."""
        if not self.changed or self.known is None:
            return
        entries = self.known
        if len(entries) > MAX_ENTRIES:
            entries = {key: value for key, value in entries.items() if key in self.used}
        data = json.dumps({"format": FORMAT, "entries": entries}, ensure_ascii=False, separators=(",", ":"))
        keep(self.path, data.encode("utf-8"))
        self.changed = False

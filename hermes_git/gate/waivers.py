"""Waivers: findings that somebody agreed to live with, each with a reason, an owner and, where wanted, an expiry."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from hermes_git.errors import UserError
from hermes_git.finding import Finding

FORMAT = 1
KEYS = ("fingerprint", "check", "path", "reason", "owner", "expires")
MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Waiver:
    """One accepted finding: its fingerprint, why it is accepted, by whom, and until when (None: for good)."""

    fingerprint: str
    check: str
    path: str
    reason: str
    owner: str
    expires: date | None = None

    def holds(self, today: date | None) -> bool:
        """Say whether the waiver still holds; where nobody knows the date, one that expires does not."""
        return self.expires is None or (today is not None and today <= self.expires)


def parse(text: str, *, where: str) -> tuple[Waiver, ...]:
    """Parse `waivers.toml`; `UserError` for broken TOML, an unknown key, or a waiver without reason and owner."""
    try:
        table = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"not valid TOML: {error}", where=where, hint="see docs/formats/waivers.md") from error
    if table.get("format", FORMAT) != FORMAT:
        raise UserError(f"format {table['format']!r}, this tool reads format {FORMAT}", where=where)
    rows = table.get("waiver", [])
    if not isinstance(rows, list) or set(table) - {"format", "waiver"}:
        raise UserError(
            "only `format` and [[waiver]] tables are known", where=where, hint="see docs/formats/waivers.md"
        )
    return tuple(_waiver(row, f"{where}: waiver {number}") for number, row in enumerate(rows, start=1))


def _waiver(row: object, where: str) -> Waiver:
    if not isinstance(row, dict):
        raise UserError("must be a table", where=where)
    unknown = sorted(set(row) - set(KEYS))
    if unknown:
        raise UserError(f"unknown key {unknown[0]}", where=where, hint=f"known keys: {', '.join(KEYS)}")
    words = {key: row.get(key, "") for key in KEYS if key != "expires"}
    missing = [key for key in ("fingerprint", "reason", "owner") if not words[key]]
    if missing or not all(isinstance(value, str) for value in words.values()):
        named = missing[0] if missing else "every key but expires"
        raise UserError(f"{named} must be given as text", where=where, hint="a waiver says what, why and who")
    expires = row.get("expires")
    if expires is not None and not isinstance(expires, date):
        raise UserError("expires must be a date", where=where, hint="for example expires = 2027-01-31")
    return Waiver(**words, expires=expires)


def divide(
    findings: Iterable[Finding], waivers: Iterable[Waiver], today: date | None
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Divide findings into those that stand and those that a waiver excuses."""
    excused = {waiver.fingerprint for waiver in waivers if waiver.holds(today)}
    standing: list[Finding] = []
    waived: list[Finding] = []
    for found in findings:
        (waived if found.fingerprint in excused else standing).append(found)
    return tuple(standing), tuple(waived)

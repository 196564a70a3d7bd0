"""What a check says: a finding, its severity, and the verdict that a set of findings amounts to."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from hermes_git.version import RULES_VERSION, __version__


class Severity(enum.IntEnum):
    """How much a finding weighs; the words are SARIF's own."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The lower-case word used in every report."""
        return self.name.lower()


NOTE, WARNING, ERROR = Severity.NOTE, Severity.WARNING, Severity.ERROR


def digest(*parts: str) -> str:
    """Return the first 16 hex digits of SHA-256 over the parts, each followed by a NUL."""
    joined = "".join(part + "\0" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, order=True, slots=True)
class Finding:
    """One finding of one check at one place.

    `line` and `column` are 1-based pointers for the reader and no part of the identity; 0 means the whole file.
    `evidence` is the digest of the offending line, never the text itself, so a finding may be committed.
    """

    path: str
    line: int
    column: int
    check: str
    severity: Severity
    message: str
    evidence: str = ""
    hint: str = ""

    @property
    def fingerprint(self) -> str:
        """Stay the same when lines move, change when the line is edited."""
        return digest(self.check, self.path, self.evidence)

    def as_json(self) -> dict[str, object]:
        """Return the published JSON form of a finding."""
        return {
            "check": self.check,
            "severity": self.severity.word,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "message": self.message,
            "fingerprint": self.fingerprint,
            "hint": self.hint,
        }


def verdict(findings: Iterable[Finding]) -> str:
    """Return `block` if any finding is an error, else `warn` if any is a warning, else `pass`."""
    worst = max((finding.severity for finding in findings), default=NOTE)
    return {ERROR: "block", WARNING: "warn"}.get(worst, "pass")


@dataclass(frozen=True, order=True, slots=True)
class Skipped:
    """Something that was not scanned, and why; it is always shown, and never counts as a pass by itself."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a door says about a change: findings that stand, findings that a waiver excuses, and what was not read.

    `scanned` counts the files that were asked about, where files were; None where it was a change.
    """

    findings: tuple[Finding, ...] = ()
    not_scanned: tuple[Skipped, ...] = ()
    waived: tuple[Finding, ...] = ()
    tool: str = __version__
    rules: str = RULES_VERSION
    scanned: int | None = None

    @property
    def verdict(self) -> str:
        """Return `pass`, `warn` or `block`."""
        return verdict(self.findings)

    def plus(self, other: Report) -> Report:
        """Return both reports as one, findings sorted and without repetition."""
        return Report(
            tuple(sorted({*self.findings, *other.findings})),
            tuple(sorted({*self.not_scanned, *other.not_scanned})),
            tuple(sorted({*self.waived, *other.waived})),
            scanned=other.scanned if self.scanned is None else self.scanned,
        )

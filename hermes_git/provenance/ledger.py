r"""The ledger: one JSON line for each use of a skill or entry, append-only, one file a month (docs/formats/ledger.md).

Rows are keyed by what they say, so a union merge, a second import or a replayed flush adds nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from hermes_git.errors import UserError

VERSION = 1
FOLDER = "ledger"
SUBJECTS = ("skill", "entry")
OUTCOMES = ("viewed", "applied", "succeeded", "failed", "corrected")
MAX_LINE = 16 * 1024
TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, order=True, slots=True)
class Use:
    """One recorded use.

    `key` is how the subject was called (`category/name`, a bare name, or `memory`/`user` for an entry); `subject_id`
    the entry id or the folder's tree id, if known. `time` is seconds since 1970. A `maintenance` use is a look by the
    curator or a review: it is kept, and never counts.
    """

    time: int
    subject: str
    key: str
    outcome: str
    subject_id: str = ""
    session: str = ""
    message: int = 0
    agent: str = ""
    maintenance: bool = False

    @property
    def id(self) -> str:
        """Return the first 16 hex digits of SHA-256 over everything the row says."""
        parts = (self.time, self.subject, self.key, self.outcome, self.subject_id, self.session, self.message)
        text = "\0".join(map(str, (*parts, self.agent, int(self.maintenance))))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def month(self) -> str:
        """Return `yyyy-mm` of the use in UTC, which names its file."""
        return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m")

    @property
    def iso(self) -> str:
        """Return the time as ISO-8601 in UTC."""
        return datetime.fromtimestamp(self.time, UTC).strftime(TIME)


@dataclass(frozen=True, slots=True)
class Reading:
    """What ledger files say: uses sorted and without repetition; damaged lines as `path:line: reason`, their months."""

    uses: tuple[Use, ...] = ()
    damaged: tuple[str, ...] = ()
    damaged_months: frozenset[str] = frozenset()
    folded: int = 0


def encode(use: Use) -> bytes:
    """Return a use as one line of a ledger file, newline included."""
    row: dict[str, object] = {"v": VERSION, "id": use.id, "time": use.iso, "subject": use.subject, "key": use.key}
    row["outcome"] = use.outcome
    optional = (
        ("subject_id", use.subject_id),
        ("session", use.session),
        ("message", use.message),
        ("agent", use.agent),
        ("maintenance", use.maintenance),
    )
    row.update({key: value for key, value in optional if value})
    return json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> Use:
    """Read one line back; `UserError` says what is wrong with it."""
    if len(line) > MAX_LINE:
        raise UserError(f"longer than {MAX_LINE:,} bytes")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UserError("not JSON") from error
    if not isinstance(row, dict) or row.get("v") != VERSION:
        raise UserError(f"not a row of version {VERSION}")
    if row.get("subject") not in SUBJECTS or row.get("outcome") not in OUTCOMES:
        raise UserError("unknown subject or outcome")
    texts = {name: row.get(name, "") for name in ("key", "subject_id", "session", "agent")}
    message = row.get("message", 0)
    if not all(isinstance(text, str) for text in texts.values()) or not texts["key"] or type(message) is not int:
        raise UserError("a value is missing or of another type")
    maintenance = row.get("maintenance", False) is True
    return Use(seconds(row.get("time")), row["subject"], outcome=row["outcome"], message=message,
               maintenance=maintenance, **texts)  # fmt: skip


def seconds(text: object) -> int:
    """Return seconds since 1970 for an ISO-8601 time, UTC where it names no zone; `UserError` for anything else."""
    if not isinstance(text, str):
        raise UserError("the time is missing")
    try:
        moment = datetime.fromisoformat(text)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError) as error:
        raise UserError(f"{text[:40]!r} is not an ISO-8601 time") from error


def read(files: Iterable[tuple[str, bytes]]) -> Reading:
    """Read ledger files: duplicates folded, damaged lines reported and skipped, a torn last line is one of them."""
    uses: dict[str, Use] = {}
    damaged: list[str] = []
    months: set[str] = set()
    rows = 0
    for path, data in files:
        for number, line in enumerate(data.split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                use = decode(line.rstrip(b"\r"))
            except UserError as error:
                damaged.append(f"{path}:{number}: {error.message}")
                months.add(path.rsplit("/", 1)[-1].removesuffix(".jsonl"))
                continue
            rows += 1
            uses[use.id] = use
    return Reading(tuple(sorted(uses.values())), tuple(damaged), frozenset(months), rows - len(uses))


def path_of(use: Use) -> str:
    """Return the path in the session store of the file that holds a use."""
    return f"{FOLDER}/{use.month}.jsonl"


def appended(before: bytes, uses: Iterable[Use]) -> bytes:
    """Return a ledger file with the uses it does not hold yet at its end; what it held stays byte for byte."""
    known = {use.id for use in read([("", before)]).uses}
    fresh = {use.id: use for use in uses if use.id not in known}
    torn = b"\n" if before and not before.endswith(b"\n") and fresh else b""
    return before + torn + b"".join(encode(use) for use in sorted(fresh.values()))

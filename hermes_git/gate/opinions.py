"""Second opinions at the gate: what a change touches is laid out for other scanners, each content asked about once.

A failure is never kept: it is tried again each time, and means each time what the user chose.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from hermes_git import scanner
from hermes_git.checks.opinion_reports import Unreadable, read
from hermes_git.checks.opinions import Opinion, Said, configured, failed, finding
from hermes_git.checks.pieces import pieces_of
from hermes_git.checks.run import place
from hermes_git.document import MODE_GITLINK, Document
from hermes_git.finding import Finding, Severity
from hermes_git.gate.scan_cache import ScanCache
from hermes_git.gate.second import Watch
from hermes_git.knowledge.layout import skill_roots
from hermes_git.knowledge.skill import SKILL_FILE
from hermes_git.settings import Settings

CACHE = "opinions.json"
ANSWERS = 1
"""Version of how answers are kept and questions are put; part of every key."""
MOST_BLOCKS = 500
"""Blocks of commands of one skill or file that are asked about; more is a failure."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask one scanner: a folder of files, or a text (`line` is where it begins in the file at `root`)."""

    opinion: Opinion
    root: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    text: str = ""
    line: int = 0
    too_many: bool = False

    @property
    def name(self) -> str:
        """Return the name of the folder that is laid out; an archived skill has its own name again."""
        return PurePosixPath(self.root).name.partition("@")[0] or "files"

    def key(self) -> str:
        """Return the name under which the answer is kept: the scanner as it is now, and all it would see."""
        one = self.opinion
        head = (str(ANSWERS), *one.command, one.form, str(one.warn_code), *scanner.stamp(one.command), "|", self.name)
        digest = hashlib.sha256("\0".join(head).encode("utf-8", "surrogateescape"))
        for path, data in sorted(self.files.items()):
            digest.update(f"\0{path}\0".encode("utf-8", "surrogateescape") + hashlib.sha256(data).digest())
        digest.update(b"\0" + self.text.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def whole(self) -> str:
        """Return the path that what is said of the whole is said at."""
        main = f"{self.root}/{SKILL_FILE}" if self.root != "." else SKILL_FILE
        return main if SKILL_FILE in self.files else self.root or next(iter(sorted(self.files)), "")


@dataclass
class Asked:
    """The scanners to ask, and their answers to what was asked before."""

    opinions: tuple[Opinion, ...] = ()
    cache: ScanCache | None = None
    watch: Watch = iter
    failures: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, options: Mapping[str, str], door: str, state: Path | None, watch: Watch) -> Asked:
        """Return the scanners that a configuration names for a door."""
        chosen = tuple(one for one in configured(options) if door == "check" or one.doors == "all")
        return cls(chosen, ScanCache(state, CACHE) if state else None, watch)

    def findings(
        self, documents: Sequence[Document], touched: frozenset[str], settings: Settings
    ) -> tuple[Finding, ...]:
        """Ask each scanner about what is touched, and return what they say."""
        if not self.opinions:
            return ()
        asked = list(questions(self.opinions, documents, touched, settings))
        found = [row for question in self.watch(asked) for row in self._one(question)]
        if self.cache:
            self.cache.save()
        return tuple(sorted(set(found)))

    def _one(self, question: Question) -> Iterator[Finding]:
        if question.too_many:
            why = f"there are more than {MOST_BLOCKS} blocks of commands"
            yield failed(question.opinion, why, question.root)
            return
        key = question.key()
        kept = self.cache.get(key) if self.cache else None
        said = _thaw(kept) if kept is not None else None
        if said is None and key not in self.failures:
            try:
                said = _ask(question)
            except (scanner.NoAnswer, Unreadable) as error:
                self.failures[key] = str(error)
            else:
                self._keep(key, said)
        if said is None:
            yield failed(question.opinion, self.failures[key], question.whole())
            return
        yield from (_placed(question, row) for row in said)

    def _keep(self, key: str, said: tuple[Said, ...]) -> None:
        if self.cache:
            rows = [[row.path, row.line, int(row.severity), row.message] for row in said]
            self.cache.put(key, json.dumps(rows).encode("ascii"))


def _thaw(data: bytes) -> tuple[Said, ...] | None:
    """Read a kept answer; one that is damaged is none, and is asked for again."""
    try:
        return tuple(
            Said(str(path), int(line), Severity(weight), str(text)) for path, line, weight, text in json.loads(data)
        )
    except (ValueError, TypeError):
        return None


def _ask(question: Question) -> tuple[Said, ...]:
    one = question.opinion
    if question.text:
        answer = scanner.ask_text(one.command, question.text, one.seconds)
        return read(one, answer.reports, answer.status)
    answer = scanner.ask_folder(one.command, question.name, question.files, one.seconds)
    return tuple(_inside(question, answer.folder, row) for row in read(one, answer.reports, answer.status))


def _inside(question: Question, folder: str, said: Said) -> Said:
    """Name the files of an answer as they are named inside what was asked about; one that is not there is left out."""
    message = said.message.replace(folder, question.name)
    path = said.path.removeprefix("file://").replace("\\", "/")
    _, _, rest = (
        path.rpartition(f"/{question.name}/") if not path.startswith(f"{question.name}/") else path.partition("/")
    )
    found = next((name for name in (path.removeprefix("./"), rest) if name in question.files), "")
    return Said(found, said.line if found else 0, said.severity, message)


def _placed(question: Question, said: Said) -> Finding:
    if question.text:
        line = question.line + max(said.line - 1, 0)
        return finding(question.opinion, said, question.root, line)
    if not said.path:
        return finding(question.opinion, said, question.whole(), 0)
    path = said.path if question.root in ("", ".") else f"{question.root}/{said.path}"
    return finding(question.opinion, said, path, said.line)


def questions(
    opinions: Sequence[Opinion], documents: Sequence[Document], touched: frozenset[str], settings: Settings
) -> Iterator[Question]:
    """Yield what to ask whom: each touched skill whole, touched files that are in none, blocks of commands."""
    plain = [document for document in documents if document.mode != MODE_GITLINK]
    roots = skill_roots(document.path for document in plain)
    skills: dict[str, dict[str, bytes]] = {}
    for document in plain:
        root = _root(document.path, roots)
        skills.setdefault(root, {})[_inner(document.path, root)] = document.data
    loose = {path: data for path, data in skills.pop("", {}).items() if path in touched}
    hit = sorted({_root(path, roots) for path in touched} & set(skills))
    for one in opinions:
        if "skills" in one.about:
            yield from (Question(one, root, skills[root]) for root in hit)
        if "files" in one.about and loose:
            yield Question(one, "", loose)
        if "commands" in one.about:
            yield from _blocks(one, [row for row in plain if row.path in touched], settings, roots)


def _root(path: str, roots: frozenset[str]) -> str:
    """Return the skill that a path lies in, "" where it lies in none."""
    return next((str(up) for up in PurePosixPath(path).parents if str(up) in roots), "")


def _inner(path: str, root: str) -> str:
    return path[len(root) + 1 :] if root not in ("", ".") else path


def _blocks(
    opinion: Opinion, documents: Sequence[Document], settings: Settings, roots: frozenset[str]
) -> Iterator[Question]:
    """Yield the shell scripts, and the blocks of commands of pages, each whole."""
    for document in documents:
        found = [
            piece
            for piece in pieces_of(place(document, settings, roots))
            if piece.language == "shell" and piece.role == "code" and piece.text.strip() and document.is_text
        ]
        if len(found) > MOST_BLOCKS:
            yield Question(opinion, document.path, too_many=True)
            continue
        yield from (Question(opinion, document.path, text=piece.text, line=piece.line) for piece in found)

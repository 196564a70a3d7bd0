"""A skill as everything here sees it: one SKILL.md read once, and the files of its folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from hermes_git.document import Document, decode
from hermes_git.knowledge.frontmatter import BadHeader, Header, Value, read
from hermes_git.knowledge.header_advice import Problem

SKILL_FILE = "SKILL.md"
MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_COMPATIBILITY = 500
ALLOWED_KEYS = ("name", "description", "license", "allowed-tools", "metadata", "compatibility")
"""The six keys of the agentskills.io specification."""

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
RESERVED_NAME = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])\Z")
SUPPORT_FOLDERS = ("references", "scripts", "templates", "assets")
"""Folders that hosts look for inside a skill, and therefore never load as a skill or a category."""


def name_problem(name: str) -> str:
    """Say what is wrong with the name of a skill or category, or "" for a good one: the rule of agentskills.io."""
    if not name:
        return "it is empty"
    if len(name) > MAX_NAME:
        return f"it has {len(name)} characters, {MAX_NAME} are allowed"
    if not NAME.match(name):
        return "it must consist of a-z, 0-9 and single hyphens inside"
    if RESERVED_NAME.match(name):
        return "Windows keeps that name for a device"
    if name in SUPPORT_FOLDERS:
        return "hosts take a folder of that name for a part of a skill"
    return ""


@dataclass(frozen=True, slots=True)
class Section:
    """One heading of the body and the text below it, up to the next heading of the same or a higher level."""

    level: int
    title: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill folder: where it is, what its header says, its body, and all its files.

    `problem` is set when the header could not be read; then name and description fall back to the folder name and "".
    It is also set when the bytes are not UTF-8: hosts read nothing else, whatever can be made of them here.
    """

    root: str
    name: str
    description: str
    header: Header
    documents: tuple[Document, ...] = ()
    problem: Problem | None = None
    extra: dict[str, Value] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Return the path of the SKILL.md file."""
        return f"{self.root}/{SKILL_FILE}" if self.root else SKILL_FILE

    @property
    def folder(self) -> str:
        """Return the name of the folder, which the specification wants equal to the name."""
        return PurePosixPath(self.root).name

    @property
    def body(self) -> str:
        """Return the text below the header."""
        return self.header.body


def read_skill(root: str, documents: Iterable[Document]) -> Skill:
    """Read a skill from the documents of its folder, whose paths all start with `root`."""
    files = tuple(sorted(documents, key=lambda document: document.path))
    path = f"{root}/{SKILL_FILE}" if root else SKILL_FILE
    main = next((document for document in files if document.path == path), None)
    folder = PurePosixPath(root).name
    if main is None:
        missing = Problem(0, 0, f"{SKILL_FILE} is missing", "every skill folder holds a SKILL.md")
        return Skill(root, folder, "", Header(), files, missing)
    try:
        header = read(main.text)
    except BadHeader as error:
        return Skill(root, folder, "", Header(body=main.text), files, error.problem)
    name, description = header.values.get("name"), header.values.get("description")
    unread = encoding_problem(main.data)
    return Skill(
        root,
        name if isinstance(name, str) and name else folder,
        description.strip() if isinstance(description, str) else "",
        header,
        files,
        unread,
        {key: value for key, value in header.values.items() if key not in ALLOWED_KEYS},
    )


def encoding_problem(data: bytes) -> Problem | None:
    """Say where the bytes of a SKILL.md are not UTF-8, which is all that hosts read; None where they are."""
    encoding = decode(data)[1]
    if encoding in ("utf-8", "utf-8-sig"):
        return None
    hint = "save the file as UTF-8"
    if encoding != "undecodable":
        return Problem(1, 1, f"the file is {encoding.upper()}, not UTF-8, and no host reads that", hint)
    line = decode(data)[0].split("\ufffd", 1)[0].count("\n") + 1
    return Problem(line, 1, "the file is not UTF-8", hint)


def group(documents: Iterable[Document], roots: Iterable[str]) -> dict[str, list[Document]]:
    """Sort documents into skill folders by the longest root that holds each; others are left out."""
    found: dict[str, list[Document]] = {root: [] for root in sorted(roots)}
    for document in documents:
        for parent in PurePosixPath(document.path).parents:
            if str(parent) in found:
                found[str(parent)].append(document)
                break
    return found

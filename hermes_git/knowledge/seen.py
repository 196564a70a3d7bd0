"""A skill as a host gets it: folder name, bytes, the values that plain YAML reads, and what a host does to them.

A host that reads plain YAML sees dates and numbers where we see text; that is taken into account.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import yaml

from hermes_git.document import Document, decode
from hermes_git.knowledge.frontmatter import BadHeader, load
from hermes_git.knowledge.skill import SKILL_FILE

REFUSED, IGNORED, CUT, UNCLEAR = "refused", "ignored", "cut", "unclear"
EFFECTS = (REFUSED, UNCLEAR, CUT, IGNORED)


@dataclass(frozen=True, order=True, slots=True)
class Remark:
    """What a host does to one part of a skill: the effect, the key or file it is about, the line, and a sentence."""

    effect: str
    about: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A skill as hosts get it: folder name, text of SKILL.md, values as plain YAML reads them, files by inner path.

    `root` is the path of the folder; `problem` says why the header is not valid YAML, `odd` why readers may differ
    although it is.
    """

    folder: str
    data: bytes | None
    text: str = ""
    values: dict[str, object] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    files: tuple[tuple[str, Document], ...] = ()
    problem: str = ""
    problem_line: int = 0
    odd: str = ""
    root: str = ""

    def line(self, key: str) -> int:
        """Return the line of a top-level key, 1 where it has none."""
        return self.lines.get(key, 1)


HEADER = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)


def see(root: str, documents: tuple[Document, ...]) -> Seen:
    """Look at the documents of a skill folder, whose paths start with `root`, as a host does."""
    cut = len(root) + 1 if root else 0
    files = tuple((document.path[cut:], document) for document in documents)
    main = next((document for inner, document in files if inner == SKILL_FILE and document.kind == "skill"), None)
    folder = PurePosixPath(root).name
    if main is None:
        return Seen(folder, None, files=files, problem="SKILL.md is missing")
    text = decode(main.data)[0].replace("\r\n", "\n")
    values, lines, problem, odd = _plain(text)
    return Seen(folder, main.data, text, values, lines, files, problem[1], problem[0], odd, root)


def _plain(text: str) -> tuple[dict[str, object], dict[str, int], tuple[int, str], str]:
    """Read a header as plain YAML does; what our strict reader refuses, but YAML allows, is left unread and said."""
    match = HEADER.match(text.replace("\r", "\n"))
    if match is None:
        return {}, {}, (1, "no header between two lines of three hyphens"), ""
    source = match.group(1)
    try:
        _, lines = load(source)
        values = yaml.load(source, Loader=yaml.CSafeLoader) or {}
    except BadHeader as error:
        found = error.problem
        allowed = any(word in found.message for word in ("anchors", "given twice", "levels", "larger", "plain word"))
        said = (0, "") if allowed else (found.line, found.message)
        return {}, {}, said, f"line {found.line}: {found.message}" if allowed else ""
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return {}, {}, (1, str(error).split("\n", 1)[0]), ""
    return values, {key: line + 2 for key, line in lines.items()}, (0, ""), ""

"""Short ways to judge texts and small trees in tests."""

from __future__ import annotations

from hermes_git.checks.run import scan
from hermes_git.document import MODE_FILE, Document
from hermes_git.finding import NOTE, Finding, verdict


def document(path: str, content: str | bytes, mode: str = MODE_FILE) -> Document:
    return Document(path, content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"), mode)


def judge(*files: tuple[str, str | bytes], trust: str = "own", select: tuple[str, ...] = ()) -> tuple[Finding, ...]:
    return scan([document(path, content) for path, content in files], trust=trust, select=select).findings


def serious(*files: tuple[str, str | bytes], trust: str = "own") -> list[str]:
    """Return the ids of findings above a note."""
    return sorted({finding.check for finding in judge(*files, trust=trust) if finding.severity > NOTE})


def verdict_on(*files: tuple[str, str | bytes], trust: str = "own") -> str:
    return verdict(judge(*files, trust=trust))


SKILL = "---\nname: {name}\ndescription: Checks links. Use when a page changes.\n---\n# Body\n\n{body}\n"


def skill(body: str, name: str = "links") -> tuple[str, str]:
    return f"{name}/SKILL.md", SKILL.format(name=name, body=body)

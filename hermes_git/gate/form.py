"""Rules of form bind what is new: a name that broke them before does not stop an edit of something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from hermes_git.document import Document
from hermes_git.finding import ERROR, WARNING, Finding, digest
from hermes_git.gate.proposal import Proposal


def eased(found: Iterable[Finding], proposal: Proposal) -> Iterator[Finding]:
    """Yield the findings, errors of form as warnings where the same line stood there before the change."""
    from hermes_git.checks import catalogue  # who judges intent alone needs no checks

    known = catalogue.load()
    for one in found:
        is_form = one.severity == ERROR and one.check in known and known[one.check].form
        yield replace(one, severity=WARNING) if is_form and _stood(one, proposal) else one


def _stood(found: Finding, proposal: Proposal) -> bool:
    """Say whether the line is older than the change: in the file before, or in the folder that was moved as it is."""
    old = proposal.headers.get(found.path)
    if old is not None:
        return any(digest(line.strip()) == found.evidence for line in Document(found.path, old).lines)
    now = {row.id_after for row in proposal.differences if row.path == found.path}
    return any(
        row.id_before in now and not row.id_after and _folder(row.path) == _folder(found.path)
        for row in proposal.differences
    )


def _folder(path: str) -> str:
    """Return the name of a file's folder, without the date that the archive puts behind it."""
    return PurePosixPath(path).parent.name.partition("@")[0]

"""What the lock file says of where skills came from: read as it is, never more kindly than it was written."""

from __future__ import annotations

import pytest

from hermes_git.errors import UserError
from hermes_git.knowledge import lock
from hermes_git.knowledge.lock import Locked, LockedFile
from hermes_git.settings import DEFAULTS

SKILLS = DEFAULTS.paths.skills
ROW = LockedFile("SKILL.md", "0" * 64)


def rendered(**trust: str) -> bytes:
    return lock.render({key: Locked(key, "../there", trust=word, files=(ROW,)) for key, word in trust.items()})


def test_what_is_written_is_read_back() -> None:
    rows = {"net/links": Locked("net/links", "https://example.invalid/s", "v1", "c" * 40, "s/links", files=(ROW,))}
    assert lock.parse(lock.render(rows)) == rows


@pytest.mark.parametrize(("word", "trust"), [("community", "community"), ("trusted", "trusted"), ("own", "community")])
def test_a_folder_has_the_trust_of_its_source(word: str, trust: str) -> None:
    assert lock.origins(rendered(links=word), DEFAULTS) == {f"{SKILLS}/links": trust}


@pytest.mark.parametrize("data", [None, b"{", b"[]", b'{"format": 9, "skills": {}}', b"\xff"], ids=ascii)
def test_where_the_file_cannot_be_read_everything_may_come_from_elsewhere(data: bytes | None) -> None:
    assert lock.origins(data, DEFAULTS) == {SKILLS: "community"}


def test_nothing_installed_is_nothing_known() -> None:
    assert lock.origins(b"", DEFAULTS) == {}


@pytest.mark.parametrize(
    "row",
    [
        b'"../../x": {"source": "s", "files": {}}',
        b'"trusted/../../x": {"source": "s", "files": {}}',
        b'"x": {"source": "s", "files": {"../SKILL.md": {"sha256": "0"}}}',
        b'"x": {"source": "s"}',
    ],
)
def test_rows_that_leave_their_folder_or_lack_files_are_refused(row: bytes) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        lock.parse(b'{"format": 1, "skills": {' + row + b"}}")

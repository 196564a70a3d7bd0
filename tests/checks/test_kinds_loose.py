"""Each kind of attack in Perl, PHP, Ruby and Lua blocks by what it does, and the honest program beside it passes."""

from __future__ import annotations

import pytest

from tests.checks.kinds_loose import FIRES, QUIET
from tests.checks.test_kinds_python import blocking

ATTACKS = [(suffix, kind) for suffix, rows in FIRES.items() for kind in rows]
HONEST = [(suffix, kind) for suffix, rows in QUIET.items() for kind in rows]


@pytest.mark.parametrize(("suffix", "kind"), ATTACKS)
def test_the_attack_blocks(suffix: str, kind: str) -> None:
    found = blocking(FIRES[suffix][kind], f"links/tidy.{suffix}")
    assert found
    assert not any("check itself failed" in message for message in found)


@pytest.mark.parametrize(("suffix", "kind"), HONEST)
def test_the_honest_program_passes(suffix: str, kind: str) -> None:
    assert blocking(QUIET[suffix][kind], f"links/tidy.{suffix}") == []


def test_a_weakness_shown_on_a_page_is_a_note() -> None:
    page = "# Weak\n\nNever do this.\n\n```php\n{}\n```\n"
    assert blocking(page.format("include($_GET['page']);\nsystem($_GET['c']);"), "links/notes.md") == []
    assert blocking(page.format("eval(base64_decode('cHJpbnQgMTs='));"), "links/notes.md")

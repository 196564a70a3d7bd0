"""Code whose numbers are none: judged like any other, no check fails on it."""

from __future__ import annotations

import pytest

from tests.checks.judging import judge

HUGE = "9" * 5000
CODES = [
    '["a", "b"]["²"]',
    '["a", "b"]["--5"]',
    'bytes([101, "²"])',
    '"a\\nb"["²"]',
    f'"a\\nb"["{HUGE}"]',
    '"a\\nb"["--5"]',
    '"ab"["²"]',
    'bytes(["²"])',
    'chr("²")',
    '"a" * "²"',
]


def failures(name: str, code: str) -> list[str]:
    """Return which checks failed on a script instead of judging it."""
    found = judge((f"knowledge/skills/web/one/scripts/{name}", code + "\n"))
    return [finding.check for finding in found if "the check itself failed" in finding.message]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "frame", ["x = {}", "import os\nos.system({})", "import os\nx = {}\nos.system(x)", "y = ''.join(map(chr, [{}]))"]
)
def test_python(code: str, frame: str) -> None:
    assert failures("a.py", frame.format(code)) == []


@pytest.mark.parametrize("code", ['["a","b"]["²"]', f'["a","b"]["{HUGE}"]', 'String.fromCharCode("²")'])
def test_javascript(code: str) -> None:
    assert failures("a.js", f"eval({code});") == []

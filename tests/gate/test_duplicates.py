"""Entries that repeat or contradict each other: what is told, and what is left in peace."""

from __future__ import annotations

import pytest

from hermes_git.gate.duplicates import clashes

BASE = "server A runs Postgres 15"


@pytest.mark.parametrize(
    ("text", "other", "kind"),
    [
        ("server A  runs Postgres 15.", BASE, "same"),
        ("server A runs Postgres 16", BASE, "contradiction"),
        ("Café is closed", "Cafe\u0301 is closed", "same"),
        ("Deploys never run on Fridays", "Deploys always run on Fridays", "contradiction"),
        ("Do not restart the gateway", "Restart the gateway", "contradiction"),
        ("服务器A运行Postgres 16", "服务器A运行Postgres 15", "contradiction"),
        ("Postgres 15 runs on server A", "on server A runs Postgres 15", ""),
    ],
)
def test_fires(text: str, other: str, kind: str) -> None:
    assert [clash.kind for clash in clashes(text, [other])] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("server B runs Postgres 15", BASE),
        ("x²+1", "x2+1"),
        ("The user likes tea", "The deploy host is alpha"),
        ("Port 80 is open", "Port 443 is closed now"),
    ],
)
def test_quiet(text: str, other: str) -> None:
    assert clashes(text, [other]) == []

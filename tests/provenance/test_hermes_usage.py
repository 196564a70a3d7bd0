"""The sidecar of Hermes, read for what it knows, and never taken for empty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.provenance.hermes_usage import read

RECORD = {
    "created_at": "2026-05-01T09:39:51.668324+00:00",
    "last_used_at": "2026-05-02T03:00:16.785239+00:00",
    "last_viewed_at": "2026-05-02T03:00:17.784320+00:00",
    "last_patched_at": None,
    "pinned": True,
    "use_count": 4,
}


def test_times_become_uses_and_pins_are_told() -> None:
    found = read(json.dumps({"deploy": RECORD, "idle": {"pinned": False}, "日本語": RECORD}).encode())
    assert [(use.key, use.outcome, use.iso) for use in found.uses if use.key == "deploy"] == [
        ("deploy", "applied", "2026-05-02T03:00:16Z"),
        ("deploy", "viewed", "2026-05-02T03:00:17Z"),
    ]
    assert found.pinned == ("deploy", "日本語")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\0\0", b"null"])
def test_damage_is_an_error_and_never_an_empty_table(data: bytes) -> None:
    with pytest.raises(UserError):
        read(data)


def test_a_bad_record_is_named_and_the_others_are_read() -> None:
    table = {"a": 7, "b": {"last_used_at": "soon"}, "c": RECORD}
    found = read(json.dumps(table).encode())
    assert {use.key for use in found.uses} == {"c"}
    assert [line.split(": ")[1] for line in found.damaged] == ["a", "b"]


def test_real_versions_add_up(data: Path) -> None:
    folder = data / "knowledge" / "hermes-home-state" / "54laowang"
    versions = [read(path.read_bytes(), path.name) for path in sorted(folder.glob("usage_*.json"))]
    assert len(versions) == 8
    assert all(not version.damaged for version in versions)
    assert len({use.id for version in versions for use in version.uses}) > len(versions[0].uses) > 50

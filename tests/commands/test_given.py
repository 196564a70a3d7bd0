"""Files that are handed to a command: read, or refused with what and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_git.commands.given import given_json, given_text
from hermes_git.errors import UserError


@pytest.mark.parametrize("data", [b"[1]", b"\xef\xbb\xbf[1]", b" [1]\r\n"])
def test_json_is_read(data: bytes) -> None:
    assert given_json(data, "f", "hint") == [1]


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "f: not JSON"), (b"[", "f: not JSON"), (b"[" * 200_000, "f: not JSON"), (b"9" * 5000, "f: not JSON"),
     (b"[\n\xff]", "f:2: not UTF-8"), ("[]".encode("utf-16"), "f:1: not UTF-8")],
)  # fmt: skip
def test_anything_else_says_where(data: bytes, said: str) -> None:
    with pytest.raises(UserError) as caught:
        given_json(data, "f", "hint")
    assert str(caught.value).startswith(said)


def test_text_is_utf_8(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfhi")
    assert given_text(tmp_path / "a") == "hi"
    (tmp_path / "b").write_bytes("größer".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        given_text(tmp_path / "b")

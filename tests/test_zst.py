"""Zstandard streams: frames in a row, torn ends, damage, and a machine that has nothing to read them."""

from __future__ import annotations

import importlib
import io
import random
from pathlib import Path
from typing import Any

import pytest

from hermes_git import files, zst
from hermes_git.errors import UserError

TEXT = b"".join(b'{"n":%d,"text":"\xe7\xbe\xa4"}\n' % number for number in range(5000))


def packed(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="the extra zst is not installed")
    made: bytes = zstandard.ZstdCompressor(level=3, write_checksum=True).compress(data)
    return made


def unpacked(data: bytes) -> bytes:
    with zst.reader(io.BytesIO(data), where="x.zst") as stream:
        return stream.read()


@pytest.mark.parametrize("parts", [(TEXT,), (TEXT, b"", TEXT), (b"",), ()], ids=["one", "several", "empty", "none"])
def test_all_frames_are_read(parts: tuple[bytes, ...]) -> None:
    packed(b"")  # also of no parts at all only where something here reads them
    assert unpacked(b"".join(packed(part) for part in parts)) == b"".join(parts)


def test_a_file_is_read_by_lines_and_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(packed(TEXT))
    assert b"".join(files.raw_lines(path)) == TEXT
    assert files.read_head(path, 7) == TEXT[:7]
    assert files.read_unpacked(path) == TEXT
    with pytest.raises(UserError, match="larger than 1,000 bytes"):
        files.read_unpacked(path, limit=1000)


def test_every_torn_end_is_an_error(tmp_path: Path) -> None:
    whole = packed(TEXT)
    chance = random.Random(7)
    path = tmp_path / "torn.zst"
    for size in [1, 4, len(whole) - 1, *(chance.randrange(1, len(whole)) for _ in range(30))]:
        path.write_bytes(whole[:size])
        with pytest.raises(UserError, match=r"torn\.zst"):
            files.read_unpacked(path)


def test_damage_is_an_error(tmp_path: Path) -> None:
    data = bytearray(packed(TEXT))
    data[len(data) // 2] ^= 0xFF
    path = tmp_path / "bad.zst"
    for content in (bytes(data), b"no frame at all", packed(TEXT) + b"rest"):
        path.write_bytes(content)
        with pytest.raises(UserError, match=r"bad\.zst"):
            files.read_unpacked(path)


def test_without_a_library_the_file_is_named_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")

    def nothing() -> Any:
        return importlib.import_module("no_such_library_of_streams")

    monkeypatch.setattr(zst, "_library", nothing)
    with pytest.raises(UserError) as caught:
        files.read_head(path, 10)
    assert caught.value.where == str(path)
    assert "hermes-git[zst]" in caught.value.hint and "zstd -dk" in caught.value.hint

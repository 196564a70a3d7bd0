"""Zstandard streams, read through the standard library (Python 3.14 and later) or the extra `zst`. Pure."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from hermes_git.errors import UserError

STEP = 1024
"""Packed bytes taken at a time: the most that can become of them is 32 MiB, whatever a hostile file says."""
MAX_WINDOW = 128 * 1024 * 1024
"""Memory that a frame may ask for; what `zstd` itself grants without being told to grant more."""

WAY_OUT = "pip install 'hermes-git[zst]' (Python 3.14 and later need nothing), or unpack it: zstd -dk FILE"


class _Frames(io.RawIOBase):
    """The content of all frames of a stream, one after the other."""

    def __init__(self, packed: BinaryIO, begin: Callable[[], Any], failure: type[Exception]) -> None:
        self._packed, self._begin, self._failure = packed, begin, failure
        self._frame: Any = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._rest() or self._packed.read(STEP)
            if not data:
                if self._frame is not None:
                    raise EOFError("it ends in the middle of a frame")
                return 0
            self._ready = memoryview(self._unpacked(data))
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _rest(self) -> bytes:
        """Return what was read beyond the end of a frame, and let the next one begin."""
        if self._frame is None or not self._frame.eof:
            return b""
        rest: bytes = self._frame.unused_data
        self._frame = None
        return rest

    def _unpacked(self, data: bytes) -> bytes:
        self._frame = self._frame or self._begin()
        try:
            unpacked: bytes = self._frame.decompress(data)
        except self._failure as error:
            raise OSError(f"not a whole Zstandard stream: {error}") from error
        return unpacked

    def close(self) -> None:
        self._packed.close()
        super().close()


def reader(packed: BinaryIO, *, where: str) -> BinaryIO:
    """Return a stream of what a Zstandard stream holds; closing it closes the packed one.

    Errors: `UserError` where nothing here can read it; on reading `OSError` for damage, `EOFError` for a torn end.
    """
    try:
        begin, failure = _library()
    except ImportError as error:
        packed.close()
        raise UserError("packed with Zstandard, which nothing here can read", where=where, hint=WAY_OUT) from error
    return cast("BinaryIO", io.BufferedReader(_Frames(packed, begin, failure), 128 * 1024))


def _library() -> tuple[Callable[[], Any], type[Exception]]:
    """Return what makes a decompressor of one frame, and the error it raises."""
    try:
        own = importlib.import_module("compression.zstd")
    except ImportError:
        import zstandard

        return lambda: zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj(), zstandard.ZstdError
    return own.ZstdDecompressor, own.ZstdError

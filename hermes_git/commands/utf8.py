"""Names and texts are UTF-8, whatever the locale says."""

from __future__ import annotations

import os
import sys


def use_utf8() -> None:
    """Start this program again in Python's UTF-8 mode where the locale would garble arguments, paths and messages.

    Python does so by itself in the C locale, but not where PYTHONUTF8=0 forbids it or the locale is, say, Latin-1.
    """
    if os.name != "posix" or sys.flags.utf8_mode or sys.getfilesystemencoding() == "utf-8":
        return
    start: list[str | bytes] = [sys.executable, "-X", "utf8", *_path_flag(), "-m", "hermes_git"]
    words = [word.encode("utf-8", "surrogateescape") for word in sys.argv[1:]]
    os.execv(sys.executable, [*start, *words])  # noqa: S606 - this program again


def _path_flag() -> list[str]:
    """Keep the current folder off the import path, except where `python -m hermes_git` had it there already."""
    as_module = getattr(sys.modules["__main__"], "__spec__", None) is not None
    return [] if as_module and not sys.flags.safe_path else ["-P"]

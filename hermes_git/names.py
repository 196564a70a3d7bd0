"""Names of files and branches: which of them every system takes, and which stay where they should. Pure."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

LONGEST_PATH = 1024
LONGEST_NAME = 255
"""In bytes, of a whole path and of one name in it: what every usual file system takes."""

IGNORED_IN_NAMES = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])
"""Code points that some file systems leave out when they compare names (git's protectHFS)."""

BAD_IN_BRANCH = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(?:/|\Z)|\A[-./]|[./]\Z|\A@?\Z|\AHEAD\Z")
"""What git refuses in the name of a branch (git-check-ref-format), and `HEAD`."""


def is_inside(path: str) -> bool:
    """Say whether a relative POSIX path stays inside the folder it is relative to and out of `.git`.

    A name that some file system takes for `.git` counts as one: other case, final dots and spaces, `git~1`.
    """
    parts = PurePosixPath(path).parts
    odd = path.startswith("/") or "\\" in path or path[1:2] == ":" or any(ord(char) < 32 for char in path)
    names = {part.translate(IGNORED_IN_NAMES).casefold().rstrip(". ") for part in parts}
    return bool(path) and not odd and ".." not in parts and not names & {".git", "git~1"}


def is_plain(path: str) -> bool:
    """Say whether a relative path is written the one way git writes it, and is short enough to be checked out."""
    parts = path.split("/")
    sizes = [len(part.encode("utf-8", "surrogatepass")) for part in parts]
    short = max(sizes) <= LONGEST_NAME and sum(sizes) + len(parts) <= LONGEST_PATH
    return short and not any(part in ("", ".") for part in parts)


def lies_in(path: str, folder: str) -> bool:
    """Say whether a path is a folder or lies in it, also on a file system that does not tell case apart."""
    return f"{path}/".casefold().startswith(f"{folder}/".casefold())


def is_branch_name(name: str) -> bool:
    """Say whether git takes a name for a branch, and every usual file system takes it for a file."""
    return not BAD_IN_BRANCH.search(name) and len(name.encode("utf-8", "surrogatepass")) <= LONGEST_NAME // 2


DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Say whether Windows takes a file's name, whatever its suffixes, for a device such as `con` or `com1`."""
    return DEVICE.match(name) is not None


def whole_number(text: str) -> int | None:
    """Return the number that ASCII digits spell, None for anything else; `isdigit` also takes `²`, and any length."""
    return int(text) if len(text) <= MOST_DIGITS and text.isascii() and text.isdigit() else None


MOST_DIGITS = 18
"""More digits name no line, message or size; Python itself refuses to read thousands of them."""

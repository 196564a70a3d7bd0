"""Terminal and file tools: one scratch folder, no path out of it, symbolic links never followed."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from hermes_git.batch.environment import Environment
from hermes_git.batch.kit import Bound, ToolFailed, integer, schema, string
from hermes_git.batch.remote_folder import RemoteFolder
from hermes_git.llm.protocol import Tool

MAX_FILE = 4 * 1024 * 1024
MAX_LISTED = 500
LINES = 500


def terminal(environment: Environment) -> Bound:
    """Return the tool that runs a command; a non-zero exit code is an answer, not a failure of the tool."""

    def run(given: Mapping[str, Any]) -> object:
        seconds = given.get("timeout")
        done = environment.run(given["command"], float(seconds) if seconds and seconds > 0 else None)
        error = "the command ran out of time and was ended" if done.timed_out else None
        return {"output": done.output, "exit_code": done.exit_code, "error": error}

    return Bound(
        Tool(
            "terminal",
            "Run a shell command in the working folder. Each call starts a new shell; output is bounded.",
            schema("command", command=string("The command."), timeout=integer("Seconds it may take.")),
        ),
        run,
    )


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder whose files are opened step by step from its top, so that no link leads out of it, however new it is."""

    top: Path

    def parts(self, path: str) -> tuple[str, ...]:
        """Return the names that a path is made of; refuse what leaves the folder."""
        pure = PurePosixPath(path)
        if pure.is_absolute():
            with contextlib.suppress(ValueError):
                pure = pure.relative_to(PurePosixPath(self.top.as_posix()))
        if pure.is_absolute() or ".." in pure.parts or "\0" in path:
            raise ToolFailed(f"{path}: only paths inside the working folder can be used")
        return pure.parts

    @contextlib.contextmanager
    def opened(self, parts: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        """Yield a handle of a folder inside, made on the way if asked."""
        handle = os.open(self.top, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for name in parts:
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(name, dir_fd=handle)
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
                os.close(handle)
                handle = inner
            yield handle
        finally:
            os.close(handle)

    def read(self, path: str) -> bytes:
        """Read a regular file."""
        parts = self._named(path)
        with spoken(path), self.opened(parts[:-1]) as folder:
            handle = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            with os.fdopen(handle, "rb") as stream:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise ToolFailed(f"{path}: not a regular file")
                data = stream.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise ToolFailed(f"{path}: larger than {MAX_FILE:,} bytes; read a part of it with the terminal")
        return data

    def write(self, path: str, data: bytes) -> None:
        """Replace a file, folders made on the way; what is there must be a regular file."""
        parts = self._named(path)
        with spoken(path), self.opened(parts[:-1], make=True) as folder:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
            with os.fdopen(os.open(parts[-1], flags, 0o644, dir_fd=folder), "wb") as stream:
                stream.write(data)

    def names(self, path: str) -> list[str]:
        """List the files below a folder, links named but not followed."""
        parts = self.parts(path)
        found: list[str] = []
        with spoken(path), self.opened(parts) as handle:
            for folder, inner, names, _ in os.fwalk(".", dir_fd=handle, follow_symlinks=False):
                inner[:] = sorted(name for name in inner if name != ".git")
                found += [PurePosixPath(folder, name).as_posix() for name in sorted(names)]
                if len(found) > MAX_LISTED:
                    break
        return found

    def _named(self, path: str) -> tuple[str, ...]:
        parts = self.parts(path)
        if not parts:
            raise ToolFailed(f"{path or 'the empty path'}: not a file")
        return parts


@contextlib.contextmanager
def spoken(path: str) -> Iterator[None]:
    """Turn what the system refuses into a sentence for the model."""
    try:
        yield
    except OSError as error:
        linked = error.errno in (errno.ELOOP, errno.EMLINK)
        raise ToolFailed(f"{path}: {'a symbolic link' if linked else error.strerror}") from error


def text_of(path: str, data: bytes) -> str:
    """Return a file's text, or refuse what is none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolFailed(f"{path}: not UTF-8 text ({len(data):,} bytes)") from error


WHERE = string("A path inside the working folder.")
READ = Tool(
    "read_file",
    "Read lines of a text file, with their numbers.",
    schema("path", path=WHERE, offset=integer("First line."), limit=integer(f"Lines; {LINES} if not given.")),
)
WRITE = Tool("write_file", "Write a whole file.", schema("path content", path=WHERE, content=string("Its text.")))
PATCH = Tool(
    "patch",
    "Replace a text that a file holds exactly once.",
    schema(
        "path old_string new_string",
        path=WHERE,
        old_string=string("The text to replace, with enough around it to be unique."),
        new_string=string("What stands there afterwards."),
    ),
)
LIST = Tool("list_files", "List the files of a folder.", schema("", path=WHERE))


@dataclass(frozen=True, slots=True)
class FileTools:
    """What carries out the file tools on one folder, here or elsewhere."""

    folder: Folder | RemoteFolder

    def read(self, given: Mapping[str, Any]) -> object:
        """Return numbered lines."""
        lines = text_of(given["path"], self.folder.read(given["path"])).split("\n")
        first, count = max(1, given.get("offset") or 1), max(1, given.get("limit") or LINES)
        shown = lines[first - 1 : first - 1 + count]
        numbered = "\n".join(f"{number:6}|{line}" for number, line in enumerate(shown, start=first))
        return {"content": numbered, "total_lines": len(lines), "truncated": first - 1 + len(shown) < len(lines)}

    def write(self, given: Mapping[str, Any]) -> object:
        """Write a file."""
        data = given["content"].encode("utf-8", "replace")
        self.folder.write(given["path"], data)
        return {"success": True, "path": given["path"], "bytes": len(data)}

    def patch(self, given: Mapping[str, Any]) -> object:
        """Replace a piece of a file."""
        text, old = text_of(given["path"], self.folder.read(given["path"])), given["old_string"]
        count = text.count(old) if old else 0
        if count != 1:
            raise ToolFailed(f"{given['path']}: old_string is there {count} times, it must be exactly once")
        self.folder.write(given["path"], text.replace(old, given["new_string"]).encode("utf-8", "replace"))
        return {"success": True, "path": given["path"]}

    def names(self, given: Mapping[str, Any]) -> object:
        """Return the files there are."""
        found = self.folder.names(given.get("path") or ".")
        return {"files": found[:MAX_LISTED], "truncated": len(found) > MAX_LISTED}


def file_tools(environment: Environment) -> tuple[Bound, ...]:
    """Return the tools that read, write, patch and list files."""
    on = FileTools(RemoteFolder(environment) if environment.is_elsewhere else Folder(environment.folder.resolve()))
    return (Bound(READ, on.read), Bound(WRITE, on.write), Bound(PATCH, on.patch), Bound(LIST, on.names))

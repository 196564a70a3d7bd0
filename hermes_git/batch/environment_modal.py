"""Commands in a Modal sandbox, by mini-swe-agent's environment; the folder travels there and back as an archive."""

from __future__ import annotations

import base64
import io
import secrets
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hermes_git.batch.environment import TIMED_OUT, Bounds, Executed, Output
from hermes_git.errors import UserError
from hermes_git.names import whole_number

WORK = "/work"
CHUNK = 90_000
"""Characters of an archive in one command; the kernel takes 128 KiB as one argument."""

MAX_ARCHIVE = 64 * 1024 * 1024
MOVE_SECONDS = 300


class Sandbox(Protocol):
    """What mini-swe-agent's environments do: run a command, and stop."""

    def execute(self, action: dict[str, Any], cwd: str = "", *, timeout: int | None = None) -> dict[str, Any]:
        """Run `action["command"]`; return `output`, `returncode` and `exception_info`."""

    def stop(self) -> None:
        """End the sandbox."""


@dataclass(frozen=True, slots=True)
class Modal:
    """Runs commands in a sandbox on a copy of the folder."""

    folder: Path
    bounds: Bounds
    sandbox: Sandbox
    cwd: str = WORK
    work: str = WORK
    is_elsewhere: bool = True

    @classmethod
    def started(cls, folder: Path, image: str, bounds: Bounds, cwd: str = "") -> Modal:
        """Start a sandbox and send the folder there."""
        try:
            from minisweagent.environments.extra.swerex_modal import SwerexModalEnvironment
        except ImportError as error:
            raise UserError("the Modal environment is not installed", hint="pip install 'hermes-git[modal]'") from error
        found = cls(
            folder, bounds, SwerexModalEnvironment(image=image, cwd="/", timeout=int(bounds.seconds)), cwd or WORK
        )
        found.send()
        return found

    def run(self, command: str, seconds: float | None = None) -> Executed:
        """Run a command in the sandbox."""
        limit = min(seconds or self.bounds.seconds, self.bounds.seconds)
        done = self.sandbox.execute({"command": command}, self.cwd, timeout=max(1, int(limit)))
        output = Output()
        output.add(str(done.get("output") or "").encode("utf-8", "replace"))
        said = str(done.get("exception_info") or "")
        late = "timeout" in said.lower() or "timed out" in said.lower()
        return Executed(output.text or said, TIMED_OUT if late else int(done.get("returncode", -1)), late)

    def send(self) -> None:
        """Copy the folder to the sandbox."""
        archive = packed(self.folder)
        name = f"/tmp/{secrets.token_hex(6)}.b64"  # noqa: S108 - a path inside the sandbox
        text = base64.b64encode(archive).decode("ascii")
        for start in range(0, max(1, len(text)), CHUNK):
            self._need(f"printf %s '{text[start : start + CHUNK]}' >> {name}")
        self._need(f"mkdir -p {self.work} && base64 -d {name} | tar -xzf - -C {self.work} && rm {name}")

    def fetch(self) -> None:
        """Copy the sandbox' folder back over ours; what was deleted there is deleted here."""
        name = f"/tmp/{secrets.token_hex(6)}.tgz"  # noqa: S108 - a path inside the sandbox
        size = whole_number(self._need(f"tar -czf {name} -C {self.work} . && wc -c < {name}").strip())
        if size is None or size > MAX_ARCHIVE:
            raise UserError(
                f"the folder in the sandbox is larger than {MAX_ARCHIVE:,} bytes packed", hint="clean it up"
            )
        parts = [self._need(f"tail -c +{start + 1} {name} | head -c {CHUNK} | base64 -w0")
                 for start in range(0, size, CHUNK)]  # fmt: skip
        unpacked(b"".join(base64.b64decode(part.strip()) for part in parts), self.folder)

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.stop()

    def _need(self, command: str) -> str:
        done = self.sandbox.execute({"command": command}, "/", timeout=MOVE_SECONDS)
        if done.get("returncode") != 0:
            said = str(done.get("exception_info") or done.get("output") or "")[:300]
            raise UserError(f"the sandbox cannot take or give the files: {said}", hint="it needs sh, tar and base64")
        return str(done.get("output") or "")


def packed(folder: Path) -> bytes:
    """Return a folder as a compressed archive."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        archive.add(folder, arcname=".")
    if len(stream.getvalue()) > MAX_ARCHIVE:
        raise UserError(f"{folder} is larger than {MAX_ARCHIVE:,} bytes packed", hint="take --env docker")
    return stream.getvalue()


def unpacked(data: bytes, folder: Path) -> None:
    """Replace what a folder holds by the files of an archive; nothing in it can lead outside.

    Links come last and as they are, wherever they point, so that no file is ever written through one.
    """
    if not hasattr(tarfile, "data_filter"):
        raise UserError("this Python cannot unpack archives of strangers", hint="use Python 3.11.4 or newer")
    _emptied(folder)
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            links = [member for member in archive.getmembers() if member.issym()]
            plain = [member for member in archive.getmembers() if not member.issym()]
            archive.extractall(folder, members=plain, filter="data")
        for link in links:
            path = folder / link.name
            if ".." in path.parts or not path.parent.resolve().is_relative_to(folder.resolve()):
                raise tarfile.TarError(f"{link.name} leads outside")
            path.symlink_to(link.linkname)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise UserError(f"what the sandbox sent back cannot be unpacked: {error}", hint="run it again") from error


def _emptied(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

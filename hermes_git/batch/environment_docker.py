"""Commands in a container: the scratch folder is mounted, nothing else of this machine; no network unless asked for.

The engine's command line is driven directly. `docker` is found on PATH; another executable (podman, a fake) comes from
the user's configuration only.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from hermes_git.batch import subprocesses
from hermes_git.batch.environment import INTERPRETER, TIMED_OUT, Bounds, Executed
from hermes_git.errors import UserError

WORK = "/work"
INSPECT_SECONDS, PULL_SECONDS, START_SECONDS = 30.0, 600.0, 120.0
LIFE_SECONDS = 6 * 3600
"""A container whose run was killed ends by itself after this long."""

ENGINE_VARIABLES = ("HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "XDG_RUNTIME_DIR", "CONTAINER_HOST")
"""Variables that the engine's own command line needs; none of them enters a container."""

REMOVE = ("rm", "--force", "--volumes")
MARGIN = 10.0
"""Seconds that a command may be over its time before the engine is no longer waited for."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The container engine: its executable, and whether containers have a network."""

    executable: str = "docker"
    has_network: bool = False

    def call(self, *arguments: str, seconds: float) -> Executed:
        """Run the engine's command line."""
        command = (self.executable, *arguments)
        return subprocesses.run(command, folder=Path("/"), environment=self.environment(), seconds=seconds)

    def environment(self) -> dict[str, str]:
        """Return the variables of the engine's command line."""
        kept = {name: os.environ[name] for name in ENGINE_VARIABLES if name in os.environ}
        return {**subprocesses.restricted(Path("/")), **kept}

    def need(self, what: str, *arguments: str, seconds: float) -> str:
        """Run the engine's command line and return what it printed; its failure is a `UserError`."""
        done = self.call(*arguments, seconds=seconds)
        if done.exit_code != 0:
            said = " ".join(done.output.split())[-300:]
            why = "it took too long" if done.timed_out else said or f"exit code {done.exit_code}"
            raise UserError(f"{self.executable} cannot {what}: {why}", hint=f"try it: {self.executable} info")
        return done.output

    def prepare(self, image: str) -> None:
        """Have an image at hand, pulled if it is not there."""
        if self.call("image", "inspect", "--format", "{{.Id}}", image, seconds=INSPECT_SECONDS).exit_code != 0:
            self.need(f"pull {image}", "pull", "--quiet", image, seconds=PULL_SECONDS)


@dataclass(frozen=True, slots=True)
class Docker:
    """Runs commands in one container, which lives as long as its prompt."""

    folder: Path
    bounds: Bounds
    engine: Engine
    container: str
    cwd: str = WORK
    is_elsewhere: bool = False

    @classmethod
    def started(cls, folder: Path, image: str, bounds: Bounds, engine: Engine, cwd: str = "") -> Docker:
        """Start a container of an image on a folder; commands start in `cwd`, in the folder if none is given."""
        if not image or image.startswith("-"):
            raise UserError(f"{image!r} is no image", hint="for example python:3.11-slim")
        if "," in str(folder):
            raise UserError(f"{folder} cannot be mounted: it holds a comma", hint="set TMPDIR to another folder")
        engine.prepare(image)
        name = f"hermes-git-{secrets.token_hex(6)}"
        subprocesses.leave_word(name, (engine.executable, *REMOVE, name), engine.environment())
        found = cls(folder, bounds, engine, name, cwd or WORK)
        try:
            engine.need(
                "start a container", *_run_arguments(name, folder, image, bounds, engine), seconds=START_SECONDS
            )
        except UserError:
            found.close()  # it may be half there
            raise
        return found

    def run(self, command: str, seconds: float | None = None) -> Executed:
        """Run a command in the container; one that is over its time is ended inside it."""
        limit = min(seconds or self.bounds.seconds, self.bounds.seconds)
        inside = ("timeout", "-k", "2", f"{limit:g}", *INTERPRETER, command)
        done = self.engine.call("exec", "--workdir", self.cwd, self.container, *inside, seconds=limit + MARGIN)
        return Executed(done.output, done.exit_code, done.timed_out or done.exit_code in (TIMED_OUT, 137))

    def fetch(self) -> None:
        """Do nothing: the folder is mounted."""

    def close(self) -> None:
        """Remove the container; one that is not removed ends by itself."""
        self.engine.call(*REMOVE, self.container, seconds=START_SECONDS)
        subprocesses.take_back(self.container)


def _run_arguments(name: str, folder: Path, image: str, bounds: Bounds, engine: Engine) -> list[str]:
    mount = {"type": "bind", "source": str(folder), "target": WORK}
    return [
        "run", "--detach", "--rm", "--init",
        "--name", name,
        "--label", "hermes-git=batch",
        "--network", "bridge" if engine.has_network else "none",
        "--memory", str(bounds.memory),
        "--pids-limit", str(min(bounds.processes, 512)),
        "--ulimit", f"nofile={bounds.open_files}",
        "--ulimit", f"fsize={bounds.file_size}",
        "--cap-drop", "ALL",
        "--security-opt", "no-new-privileges",
        "--user", f"{os.getuid()}:{os.getgid()}",
        "--env", "HOME=/tmp",  # not the work folder, whose changes are the result
        "--mount", ",".join(f"{key}={value}" for key, value in mount.items()),
        "--workdir", WORK,
        "--entrypoint", "sleep",
        image,
        str(LIFE_SECONDS),
    ]  # fmt: skip


def state_of(engine: Engine) -> str:
    """Return why the engine cannot be used, or "" if it answers."""
    try:
        said = engine.need("answer", "version", "--format", "{{json .Server.Version}}", seconds=INSPECT_SECONDS)
        return "" if json.loads(said.strip() or "null") else "it has no server"
    except (UserError, ValueError) as error:
        return str(error).split("\n", maxsplit=1)[0]

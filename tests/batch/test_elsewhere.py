"""Environments that are elsewhere: files travel there and back exactly, and no archive leads out of the folder."""

from __future__ import annotations

import io
import json
import os
import subprocess
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hermes_git.batch import tools_work
from hermes_git.batch.environment import USUAL, Bounds
from hermes_git.batch.environment_modal import Modal, unpacked
from hermes_git.batch.kit import Kit
from hermes_git.errors import UserError
from hermes_git.llm.protocol import ToolCall


@dataclass
class Shell:
    """A sandbox of the same shape as mini-swe-agent's, which is a shell of this machine."""

    commands: list[str] = field(default_factory=list)
    is_stopped: bool = False

    def execute(self, action: dict[str, Any], cwd: str = "", *, timeout: int | None = None) -> dict[str, Any]:
        self.commands.append(action["command"])
        try:
            done = subprocess.run(
                ["bash", "-c", action["command"]], cwd=cwd or "/", timeout=timeout, check=False, encoding="utf-8",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            return {"output": "", "returncode": -1, "exception_info": f"TimeoutExpired: {error}"}
        return {"output": done.stdout, "returncode": done.returncode, "exception_info": ""}

    def stop(self) -> None:
        self.is_stopped = True


@pytest.fixture
def modal(tmp_path: Path) -> Modal:
    """Return an environment whose sandbox works in another folder of this machine."""
    (tmp_path / "here").mkdir()
    there = str(tmp_path / "there")
    return Modal(tmp_path / "here", Bounds(seconds=5), Shell(), there, there)


def content(folder: Path) -> dict[str, object]:
    return {
        path.relative_to(folder).as_posix(): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def test_files_travel_there_and_back(modal: Modal) -> None:
    (modal.folder / "a b").mkdir()
    (modal.folder / "a b" / "好 ' \" $x").write_bytes(os.urandom(300_000))
    (modal.folder / "gone").write_text("x")
    (modal.folder / "run.sh").write_text("echo hi\n")
    (modal.folder / "run.sh").chmod(0o755)
    modal.send()
    there = Path(modal.work)
    assert content(there) == content(modal.folder) and os.access(there / "run.sh", os.X_OK)
    done = modal.run(
        "rm gone; echo new > made; ln -s /etc/passwd link; ln -s made near; mkdir -p d/e; echo x > d/e/f; pwd"
    )
    assert done.output == f"{there}\n" and done.exit_code == 0
    modal.fetch()
    assert content(there) == content(modal.folder) and "gone" not in content(modal.folder)
    assert content(modal.folder)["link"] == "/etc/passwd"
    modal.close()
    assert isinstance(modal.sandbox, Shell) and modal.sandbox.is_stopped
    assert all(len(command) < 130_000 for command in modal.sandbox.commands)


def test_time_is_bounded_and_exit_codes_are_kept(modal: Modal) -> None:
    Path(modal.work).mkdir()
    assert modal.run("echo 好; exit 3") == modal.run("echo 好; exit 3") and modal.run("exit 3").exit_code == 3
    assert modal.run("sleep 30", 1).timed_out


def test_file_tools_reach_the_sandbox(modal: Modal) -> None:
    Path(modal.work).mkdir()
    kit = Kit.of(tools_work.file_tools(modal))

    def ask(tool: str, **given: object) -> Any:
        return json.loads(kit.call(ToolCall("1", tool, json.dumps(given))).content)

    text = "one\ntwo 好 '\"$HOME\\\n"
    assert ask("write_file", path="a b/c.txt", content=text)["success"]
    assert (Path(modal.work) / "a b/c.txt").read_text(encoding="utf-8") == text
    assert ask("read_file", path="a b/c.txt")["content"].startswith("     1|one\n     2|two 好")
    assert ask("patch", path="a b/c.txt", old_string="one", new_string="1")["success"]
    assert ask("list_files")["files"] == ["a b/c.txt"]
    for name in ("no.txt", "-x", "$(touch ran)", "", "a b"):
        assert "error" in ask("read_file", path=name)
    assert "larger than" in ask("write_file", path="big", content="x" * 100_000)["error"]
    assert not (Path(modal.work) / "ran").exists()


def archive(*members: tuple[str, str, str]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as made:
        for name, kind, value in members:
            info = tarfile.TarInfo(name)
            if kind == "link":
                info.type, info.linkname = tarfile.SYMTYPE, value
                made.addfile(info)
            else:
                info.size = len(value)
                made.addfile(info, io.BytesIO(value.encode()))
    return stream.getvalue()


@pytest.mark.parametrize(
    "members",
    [
        [("../out", "file", "x")],
        [("/tmp/hermes-git-out", "file", "x")],
        [("up", "link", ".."), ("up/out", "file", "x")],
        [("up", "link", "/"), ("up/tmp/x", "link", "y")],
        [("a/../../out", "link", "y")],
    ],
)
def test_no_archive_leads_out(tmp_path: Path, members: list[tuple[str, str, str]]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    try:
        unpacked(archive(*members), folder)
    except UserError as error:
        assert "cannot be unpacked" in str(error)
    assert (
        not (tmp_path / "out").exists() and not Path("/tmp/hermes-git-out").exists() and not Path("/tmp/x").is_symlink()
    )


def test_what_is_no_archive_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be unpacked"):
        unpacked(b"not an archive", tmp_path)


def test_the_real_environment_has_the_shape_that_is_used() -> None:
    module = pytest.importorskip("minisweagent.environments.extra.swerex_modal")
    import inspect

    wanted = inspect.signature(Shell.execute).parameters
    assert list(inspect.signature(module.SwerexModalEnvironment.execute).parameters) == list(wanted)
    assert {"image", "cwd", "timeout"} <= set(module.SwerexModalEnvironmentConfig.model_fields)
    assert callable(module.SwerexModalEnvironment.stop)


def test_without_it_the_extra_is_named(tmp_path: Path) -> None:
    try:
        import minisweagent  # noqa: F401
    except ImportError:
        with pytest.raises(UserError, match="not installed"):
            Modal.started(tmp_path, "python:3.11-slim", USUAL)

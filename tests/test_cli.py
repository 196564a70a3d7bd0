"""The command line: errors become sentences and exit codes, help is cheap, completion works."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git import cli
from hermes_git.cli import COMMANDS, main
from tests.conftest import Ran

Hg = Callable[..., Ran]


def test_every_command_can_be_imported_and_helped(capfd: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
    assert "Usage: hermes-git" in capfd.readouterr().out


def test_an_unknown_command_gets_the_nearest_one(hg: Hg) -> None:
    refused = hg("memroy")
    assert refused.code == 2 and "did you mean: hermes-git memory" in refused.err


def test_an_unknown_option_is_the_users_mistake(hg: Hg) -> None:
    assert hg("status", "--nonsense").code == 2


def test_a_missing_folder_is_named(hg: Hg, tmp_path: Path) -> None:
    refused = hg("status", folder=tmp_path / "nowhere")
    assert refused.code == 2 and "nowhere" in refused.err


def test_our_bug_is_a_report_to_paste(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise ZeroDivisionError("x")

    monkeypatch.setattr(cli.main_group, "main", broken)
    assert main(["status"]) == 3
    said = capfd.readouterr().err
    assert "ZeroDivisionError" in said and "rules" in said and "Traceback" in said


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.main_group, "main", interrupted)
    assert main(["status"]) == 130


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from hermes_git.cli import main; main(['--help'])\n"
        "heavy = set('git whoosh tiktoken markdown_it httpx yaml tree_sitter rich msgspec'.split())\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(hg: Hg, shell: str) -> None:
    assert "_HERMES_GIT_COMPLETE" in hg("completion", shell, folder=Path.cwd()).out


def test_completion_knows_commands() -> None:
    env = {**os.environ, "_HERMES_GIT_COMPLETE": "bash_complete", "COMP_WORDS": "hermes-git mem", "COMP_CWORD": "1"}
    script = Path(sys.executable).with_name("hermes-git")
    done = subprocess.run([str(script)], env=env, capture_output=True, encoding="utf-8", check=True)
    assert "memory" in done.stdout


def test_output_to_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    command = f"{sys.executable} -m hermes_git explain | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, encoding="utf-8", check=True)
    assert "Traceback" not in done.stderr

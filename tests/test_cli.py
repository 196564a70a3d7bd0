"""The command line: errors become sentences and exit codes, help is cheap, completion works."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from hermes_git import cli
from hermes_git.cli import COMMANDS, main
from hermes_git.commands.lazy import Group
from tests.conftest import Ran

Hg = Callable[..., Ran]


def test_every_command_can_be_imported_and_helped(capfd: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
    assert "Usage: hermes-git" in capfd.readouterr().out


def test_an_unknown_command_gets_the_nearest_one(hg: Hg) -> None:
    refused = hg("memroy")
    assert refused.code == 2 and "did you mean: hermes-git memory" in refused.err


MISTAKES = [
    (("nonsense",), ["no command called 'nonsense'", "see: hermes-git --help"]),
    (("grep", "x"), ["did you mean: hermes-git search"]),
    (("import", "x"), ["did you mean: hermes-git session import"]),
    (("skill", "create", "x"), ["no command called 'skill create'", "did you mean: hermes-git skill new"]),
    (("skill", "history", "x"), ["did you mean: hermes-git skill log"]),
    (("memory", "rm", "x"), ["did you mean: hermes-git memory remove"]),
    (("hooks", "remove"), ["no command called 'hooks remove'", "did you mean: hermes-git hooks uninstall"]),
    (("status", "--jsn"), ["no option called --jsn", "did you mean: --json", "see: hermes-git status --help"]),
    (("memory", "add", "-dash"), ["no option called -d", "words that begin with - go after --"]),
    (("memory", "add", "two", "words"), ["(words)", "quotation marks", "see: hermes-git memory add --help"]),
    (("memory", "add"), ["missing argument 'TEXT'"]),
    (("memory", "add", "x", "--target", "y"), ["invalid value for '--target': 'y' is not one of 'memory', 'user'"]),
    (("search", "-n", "0", "x"), ["invalid value for '-n'", "see: hermes-git search --help"]),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_in_the_command_line_is_one_sentence(
    words: tuple[str, ...], said: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err.startswith("hermes-git: ") and "Usage:" not in printed.err
    assert all(piece in printed.err for piece in said), printed.err


def test_a_group_lists_all_its_commands(capfd: pytest.CaptureFixture[str]) -> None:
    with click.Context(cli.main_group) as context:
        groups = [(name, cli.main_group.get_command(context, name)) for name in COMMANDS]
    for name, group in groups:
        if isinstance(group, click.Group):
            main([name, "--help"])
            listed = capfd.readouterr().out.partition("Options:")[2]
            known = group.list_commands(click.Context(group))
            assert not [inner for inner in known if f"\n  {inner} " not in listed], f"hermes-git {name} --help"


def test_every_command_stands_in_one_section_of_the_help() -> None:
    with click.Context(cli.main_group) as context:
        groups = [cli.main_group, *(cli.main_group.get_command(context, name) for name in ("memory", "skill"))]
    for group in groups:
        assert isinstance(group, Group)
        named = " ".join(group.sections.values()).split()
        assert sorted(named) == group.list_commands(click.Context(group)), f"sections of {group.name}"


def test_lines_of_the_help_fit_on_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["memory"], ["skill"]):
        main([*words, "--help"])
        listed = capfd.readouterr().out.partition("Options:")[2].splitlines()
        assert not [line for line in listed if line.startswith("    ")], "a line of help that goes on below"


@pytest.mark.parametrize("words", [(), ("memory",), ("session",), ("batch", "distributions")], ids=" ".join)
def test_a_group_without_a_command_answers_with_its_help(
    words: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err.startswith("Usage: hermes-git") and "see: " not in printed.err
    assert main([*words, "--help"]) == 0
    assert capfd.readouterr().out == printed.err


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


def test_output_to_a_closed_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "hermes_git", "explain"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, ""), "neither a pass nor findings, and no word about it"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_no_bug_of_ours() -> None:
    command = f"{sys.executable} -m hermes_git explain > /dev/full"
    done = subprocess.run(["sh", "-c", command], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 2 and "No space left" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("start", [["-m", "hermes_git"], [str(Path(sys.executable).with_name("hermes-git"))]])
def test_a_locale_without_utf8_garbles_nothing(tmp_path: Path, start: list[str]) -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "HERMES_GIT_ACTOR": "person:tester"}

    def run(*words: str) -> str:
        command = [sys.executable, *start, *words]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("init", "--quiet", "--ci", "none")
    run("memory", "add", "部署用 make ship 🚀")
    assert "部署用 make ship 🚀" in run("memory", "list")
    log = subprocess.run(["git", "-C", str(tmp_path), "log", "-1", "--format=%s"], capture_output=True, check=True)
    assert "部署用" in log.stdout.decode("utf-8")
    assert "用 make ship" in run("search", "部署") and "took back" in run("undo")

"""Asking a scanner: it sees the files and nothing else of ours, and cannot outlast its time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hermes_git import scanner

FILES = {"SKILL.md": b"page\n", "scripts/go.sh": b"ls\n"}
TELL = """
import json, os, sys
at = sys.argv[-1]
rows = {}
for folder, _, names in os.walk(at):
    for name in names:
        path = os.path.join(folder, name)
        rows[os.path.relpath(path, at)] = [open(path).read(), oct(os.stat(path).st_mode & 0o777), os.path.islink(path)]
print(json.dumps({"at": at, "rows": rows, "cwd": os.listdir("."), "env": sorted(os.environ), "args": sys.argv[1:]}))
"""


def command(tmp_path: Path, body: str, *words: str) -> tuple[str, ...]:
    script = tmp_path / "scan.py"
    script.write_text(body, encoding="utf-8")
    return (sys.executable, str(script), *words)


def test_it_sees_the_files_and_starts_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "x")
    answer = scanner.ask_folder(command(tmp_path, TELL), "sort-lines", FILES, 20)
    told = json.loads(answer.reports[0])
    assert told["at"] == answer.folder and Path(answer.folder).name == "sort-lines"
    assert told["rows"] == {"SKILL.md": ["page\n", "0o400", False], "scripts/go.sh": ["ls\n", "0o400", False]}
    assert told["cwd"] == []
    assert "SOME_API_KEY" not in told["env"] and set(told["env"]) <= {*scanner.KEPT, "LC_CTYPE"}
    assert not Path(answer.folder).exists()


def test_what_git_or_a_path_out_would_reach_is_not_laid_out(tmp_path: Path) -> None:
    files = {"SKILL.md": b"x", "a/.git/config": b"[core]", "../out": b"x", "/abs": b"x", ".GIT/hooks/post": b"x"}
    told = json.loads(scanner.ask_folder(command(tmp_path, TELL), "a", files, 20).reports[0])
    assert set(told["rows"]) == {"SKILL.md"}


def test_a_module_of_the_asked_files_is_not_imported(tmp_path: Path) -> None:
    files = {"json.py": b"raise SystemExit(7)\n", "scan.py": b"raise SystemExit(7)\n"}
    with pytest.raises(scanner.NoAnswer):
        scanner.ask_folder(("./scan.py",), "a", files, 20)
    answer = scanner.ask_folder((sys.executable, "-m", "json.tool", "--help"), "a", files, 20)
    assert answer.status == 0


def test_reports_that_are_written_to_a_folder(tmp_path: Path) -> None:
    body = "import os, sys\nout = sys.argv[2]\nfor n in ('b.json', 'a.sarif', 'c.md'):\n"
    body += "    open(os.path.join(out, n), 'w').write(n)\nos.symlink('/etc/hostname', os.path.join(out, 'd.json'))\n"
    answer = scanner.ask_folder(command(tmp_path, body, "-o", "{out}"), "a", FILES, 20)
    assert answer.reports == (b"a.sarif", b"b.json")
    assert scanner.ask_folder(command(tmp_path, "", "-o", "{out}"), "a", FILES, 20).reports == ()


def test_a_text_is_the_last_argument(tmp_path: Path) -> None:
    answer = scanner.ask_text(command(tmp_path, TELL, "--"), "ls\n'$(x)'", 20)
    assert json.loads(answer.reports[0])["args"] == ["--", "ls\n'$(x)'"]
    assert answer.folder == ""


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import time\ntime.sleep(60)\n", "more than 1 s"),
        ("import os\nos.kill(os.getpid(), 9)\n", "signal 9"),
        (f"print('x' * {scanner.MOST_OUTPUT + 1})\n", "bytes"),
    ],
)
def test_what_is_no_answer(tmp_path: Path, body: str, why: str) -> None:
    with pytest.raises(scanner.NoAnswer, match=why):
        scanner.ask_folder(command(tmp_path, body), "a", FILES, 1 if "sleep" in body else 20)


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(scanner.NoAnswer, match="cannot be started"):
        scanner.ask_folder((str(tmp_path / "none"),), "a", FILES, 5)
    with pytest.raises(scanner.NoAnswer, match="cannot be started"):
        scanner.ask_text(command(tmp_path, TELL), "a\0b", 5)
    with pytest.raises(scanner.NoAnswer, match="laid out"):
        scanner.ask_folder(command(tmp_path, TELL), "a", {"n" * 300: b"x"}, 5)


def test_a_scanner_that_is_replaced_has_another_stamp(tmp_path: Path) -> None:
    words = command(tmp_path, "print(1)\n")
    before = scanner.stamp(words)
    assert scanner.stamp(words) == before
    command(tmp_path, "print(22)\n")
    assert scanner.stamp(words) != before
    assert scanner.stamp(("no-such-program-here",)) == ()


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    scanner.ask_folder(command(tmp_path, TELL), "a", FILES, 20)
    with pytest.raises(scanner.NoAnswer):
        scanner.ask_folder(command(tmp_path, "import time\ntime.sleep(60)\n"), "a", FILES, 1)
    assert not list((tmp_path / "t").iterdir())

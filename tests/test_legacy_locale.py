"""A locale without UTF-8 and output to a pipe: check, hook, index, search and export print the same bytes as ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
SKILLS = "knowledge/skills"
FINE = "---\nname: pruefung\ndescription: Prüft Verweise — auch äußere → Liste ✅\n---\n\nText „fertig“\n"
BROKEN = "---\nname: größe\ndescription: misst: „Größe“ → Zahl ⚠️\n---\n\nText\n"
LOCALES = (
    {"PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
    {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "LANG": "C"},
)


def under_each_locale(repo: Repository, *args: str) -> list[tuple[int, bytes, bytes]]:
    command = [sys.executable, "-m", "hermes_git", "-C", str(repo.work_tree()), *args]
    done = [
        subprocess.run(command, env={**os.environ, **extra}, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        for extra in LOCALES
    ]
    return [(ran.returncode, ran.stdout, ran.stderr) for ran in done]


@pytest.fixture
def written(repo: Repository, write: Write) -> Repository:
    write(f"{SKILLS}/pruefung/SKILL.md", FINE)
    repo.git("add", "-A")
    return repo


@pytest.mark.parametrize(
    "args", [("check", SKILLS), ("hook", "pre-commit"), ("index", "rebuild", "--json")], ids=" ".join
)
def test_an_honest_skill_passes_everywhere(written: Repository, args: tuple[str, ...]) -> None:
    one, other = under_each_locale(written, *args)
    assert one == other
    assert one[0] == 0 and b"Traceback" not in one[2]


@pytest.mark.parametrize("args", [("check", SKILLS), ("check", SKILLS, "--json"), ("hook", "pre-commit")], ids=" ".join)
def test_a_finding_is_printed_in_full_everywhere(written: Repository, write: Write, args: tuple[str, ...]) -> None:
    write(f"{SKILLS}/größe/SKILL.md", BROKEN)
    written.git("add", "-A")
    one, other = under_each_locale(written, *args)
    assert one == other
    said = (one[1] + one[2]).decode("utf-8")
    assert one[0] == 1 and "größe/SKILL.md" in said and "„Größe“ → Zahl ⚠️" in said and "Traceback" not in said


def test_search_and_export_give_the_same_bytes(written: Repository, tmp_path: Path, hg: Callable[..., Ran]) -> None:
    written.git("commit", "-q", "-m", "Prüfung ✅")
    rows = [("user", "Wie groß ist die Größe? 好"), ("assistant", "Zwölf → ✅")]
    source = tmp_path / "20260901_080000_ab12cd.jsonl"
    source.write_text("\n".join(json.dumps({"role": who, "content": text}) for who, text in rows), encoding="utf-8")
    assert hg("session", "import", str(source)).code == 0
    assert hg("index", "update").code == 0
    one, other = under_each_locale(written, "search", "Größe")
    assert one == other and one[0] == 0 and "Größe? 好".encode() in one[1]
    made = []
    for name, extra in zip("ab", LOCALES, strict=True):
        command = [sys.executable, "-m", "hermes_git", "-C", str(written.work_tree()), "export", "--budget", "900"]
        subprocess.run([*command, "--out", str(tmp_path / name)], env={**os.environ, **extra}, check=True)
        made.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir() if path.is_file()})
    assert made[0] == made[1]
    assert "Zwölf → ✅".encode() in b"".join(made[0].values())

"""Real packages with a line broken: the local environment tells right solutions from wrong ones.

HERMES_GIT_SDISTS names a folder of source distributions:
pip download --no-deps --no-binary :all: -d DIR six iniconfig toml inflection natsort text-unidecode python-slugify \
    zipp sortedcontainers wcwidth
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hermes_git.gitrepo import create
from hermes_git.trajectories import validate
from tests.batch.repositories import call, script, working
from tests.conftest import Ran


@dataclass(frozen=True)
class Broken:
    """One package: its archive's name, a file, a line of it as it is and broken, and what shows the difference."""

    archive: str
    file: str
    good: str
    bad: str
    check: str
    source: str = "."

    @property
    def test_command(self) -> str:
        return f"PYTHONPATH={self.source} python3 -c '{self.check}'"


PACKAGES = (
    Broken(
        "six", "six.py",
        'return s.encode("latin-1")', 'return s.encode("latin-1").decode("latin-1")',
        'import six; assert six.b("x") == b"x"',
    ),
    Broken(
        "iniconfig", "src/iniconfig/__init__.py",
        "return None if lineno is None else lineno + 1", "return lineno",
        'import iniconfig as i; assert i.IniConfig("x", data="[a]\\nb=1\\n").lineof("a", "b") == 2', "src",
    ),
    Broken(
        "toml", "toml/encoder.py",
        'return "{}".format(v).replace("e+0", "e+").replace("e-0", "e-")', 'return "{:.0f}".format(v)',
        'import toml; assert toml.dumps({"a": 2.5}) == "a = 2.5\\n"',
    ),
    Broken(
        "inflection", "inflection/__init__.py",
        "if number % 100 in (11, 12, 13):", "if number % 100 in (11, 12):",
        'import inflection; assert inflection.ordinalize(13) == "13th"',
    ),
    Broken(
        "natsort", "natsort/natsort.py",
        "return sorted(seq, reverse=reverse, key=natsort_keygen(key, alg))", "return sorted(seq, reverse=reverse)",
        'import natsort; assert natsort.natsorted(["a10", "a9"]) == ["a9", "a10"]',
    ),
    Broken(
        "text-unidecode", "src/text_unidecode/__init__.py",
        "chars.append(_replaces[codepoint-1])", "chars.append(_replaces[codepoint])",
        'import text_unidecode as t; assert t.unidecode("\\u00f1") == "n"', "src",
    ),
    Broken(
        "python_slugify", "slugify/_legacy.py",
        "    text = NUMBERS_PATTERN.sub('', text)", "    text = NUMBERS_PATTERN.sub(' ', text)",
        'import sys, types; m = types.ModuleType("text_unidecode"); m.unidecode = str; sys.modules[m.__name__] = m; '
        'import slugify; assert slugify.slugify("1,000") == "1000"',
    ),
    Broken(
        "zipp", "zipp/__init__.py",
        "path, _tail = posixpath.split(path)", "path = path[:-1]",
        'import zipp; assert list(zipp._ancestry("bb/dd")) == ["bb/dd", "bb"]',
    ),
    Broken(
        "sortedcontainers", "sortedcontainers/sorteddict.py",
        "    def popitem(self, index=-1):", "    def popitem(self, index=0):",
        'from sortedcontainers import SortedDict as S; assert S(a=1, b=2).popitem() == ("b", 2)',
    ),
    Broken(
        "wcwidth", "wcwidth/align.py",
        "    return text + fillchar * padding_cells", "    return text",
        'import wcwidth; assert wcwidth.ljust("hi", 5) == "hi   "',
    ),
)  # fmt: skip


def folder_of_archives() -> Path:
    named = os.environ.get("HERMES_GIT_SDISTS")
    if not named or not Path(named).is_dir():
        pytest.skip("HERMES_GIT_SDISTS names no folder of source distributions")
    return Path(named)


def repository_of(package: Broken, archives: Path, folder: Path) -> str:
    """Unpack a package, break it, and commit it; return the commit."""
    found = sorted(archives.glob(f"{package.archive}-[0-9]*.tar.gz"))
    if not found:
        pytest.skip(f"HERMES_GIT_SDISTS holds no {package.archive}")
    with tarfile.open(found[0]) as archive:
        archive.extractall(folder.parent / "unpacked", filter="data")
    (folder.parent / "unpacked" / found[0].name.removesuffix(".tar.gz")).rename(folder)
    path = folder / package.file
    text = path.read_text(encoding="utf-8")
    assert text.count(package.good) == 1 and package.bad, package.archive
    path.write_text(text.replace(package.good, package.bad), encoding="utf-8", newline="")
    repo = create.create(folder)
    repo.git("add", "--all", "--force")
    repo.git("commit", "--quiet", "--message", "as distributed, with a line broken")
    return repo.git("rev-parse", "HEAD").decode().strip()


def solutions(package: Broken) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return scripts for the right solution and for one that changes something else."""
    look = call("terminal", command=f"wc -l {package.file}; {package.test_command}")
    mend = call("terminal", command=replacing(package))
    other = call("write_file", path="NOTES.txt", content="It cannot be mended.\n")
    return [
        (f"Mend {package.archive}, rightly.", working(*[look] * 6, mend, look, thought="Find the line.")),
        (f"Mend {package.archive}, wrongly.", working(look, other)),
    ]


def replacing(package: Broken) -> str:
    """Return a command that puts the line back, wherever it is in the file."""
    program = "import sys,pathlib;p=pathlib.Path(sys.argv[1]);t=p.read_bytes().decode();a,b=sys.argv[2:];" \
              "i=t.rindex(a);p.write_bytes((t[:i]+b+t[i+len(a):]).encode())"  # fmt: skip
    import shlex

    return shlex.join(["python3", "-c", program, package.file, package.bad, package.good])


def test_right_and_wrong_solutions_of_real_packages(tmp_path: Path, hg: Callable[..., Ran]) -> None:
    archives = folder_of_archives()
    tasks, played = [], []
    for package in PACKAGES:
        commit = repository_of(package, archives, tmp_path / package.archive)
        for instruction, replies in solutions(package):
            shared = {"repository": package.archive, "commit": commit, "test_command": package.test_command}
            tasks.append({**shared, "instruction": instruction})
            played.append((instruction, replies))
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks), encoding="utf-8")
    (tmp_path / "demo.json").write_bytes(script(*played))
    done = hg(
        "batch", "swe", "--tasks", "tasks.jsonl", "--run-name", "real", "--model", "script:demo.json", "--env", "local",
        "--allow-local-exec", "--workers", "2", "--json", folder=tmp_path,
    )  # fmt: skip
    assert done.code == 0, done.err
    out = tmp_path / "data" / "real" / "trajectories.jsonl"
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    words = {row["conversations"][1]["value"]: row["metadata"]["task"] for row in rows}
    expected = {
        text: "resolved" if "rightly" in text else "unresolved" for text in (task["instruction"] for task in tasks)
    }
    assert words == expected and [row["completed"] for row in rows] == [True, False] * len(PACKAGES)
    assert not [one for row in rows for one in validate.llamafactory(row)]
    small = hg("compress", str(out), str(tmp_path / "small.jsonl"), "--budget", "900", "--json", folder=tmp_path)
    assert small.code == 0 and small.json["rows_out"] == len(tasks) and small.json["summary"]["trajectories_compressed"]

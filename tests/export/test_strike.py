"""Rows of forgotten sessions leave exports in every format, and only they; the manifest stays true."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git import files
from hermes_git.errors import UserError
from hermes_git.export import manifest, run, strike
from hermes_git.export.formats import SUFFIXES
from hermes_git.export.recipe import Kitchen, Recipe
from hermes_git.tokens import choose
from hermes_git.trajectories.styles import STYLES
from tests.conftest import Ran
from tests.export.test_run import ALL, COMMITS, rows


def export(folder: Path, form: str = "jsonl", style: str = "sharegpt") -> Path:
    pytest.importorskip({"jsonl": "json", "zst": "zstandard", "parquet": "pyarrow"}[form])
    run.export(ALL, Kitchen(Recipe(style, 0, None, format=form), choose.default()), folder, commits=COMMITS)
    return folder


def is_long(_agent: str, name: str) -> bool:
    return name == "long"


def told(folder: Path) -> Any:
    return json.loads((folder / manifest.NAME).read_bytes())


@pytest.mark.parametrize("form", ["jsonl", "zst", "parquet"])
@pytest.mark.parametrize("style", sorted(STYLES))
def test_the_rows_leave_and_the_manifest_is_true(tmp_path: Path, form: str, style: str) -> None:
    folder = export(tmp_path / "out", form, style)
    before = told(folder)
    found = strike.held(folder, is_long)
    name = f"trajectory_samples{SUFFIXES[form]}"
    assert (found.rows, found.sessions, found.unread) == ({name: 1}, {"long"}, [])
    strike.strike(found, is_long)
    assert not strike.held(folder, is_long).rows
    left = [about["session"] for file in strike._files(folder) for about in strike._rows(file)]
    assert sorted(left) == ["s1", "unanswered"]
    after = told(folder)
    counts = after["counts"]
    assert (counts["rows"], counts["outcomes"]) == (2, {"completed": 1, "no-answer": 1})
    assert counts["sessions"] == before["counts"]["sessions"] == counts["rows"] + sum(counts["dropped"].values())
    assert (counts["dropped"]["forgotten"], after["struck"]) == (1, 1)
    for item in after["files"]:
        data = (folder / item["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (item["bytes"], item["sha256"])
    assert "Rows: 2 of 4 sessions" in (folder / "README.md").read_text(encoding="utf-8")
    assert not (folder / manifest.LOCK).exists()


def test_what_is_kept_keeps_its_bytes(tmp_path: Path) -> None:
    folder = export(tmp_path / "out")
    kept = [line for line in (folder / "trajectory_samples.jsonl").read_bytes().splitlines() if b'"long"' not in line]
    strike.strike(strike.held(folder, is_long), is_long)
    assert (folder / "trajectory_samples.jsonl").read_bytes().splitlines() == kept
    untouched = {path.name: path.read_bytes() for path in folder.iterdir()}
    strike.strike(strike.held(folder, is_long), is_long)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == untouched


def test_the_rows_of_an_interrupted_export_go_too(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / manifest.JOURNAL).write_bytes(b"rows")
    strike.strike(strike.held(folder, is_long), is_long)
    assert list(folder.iterdir()) == []


def test_a_file_that_cannot_be_read_is_named_and_left_alone(tmp_path: Path) -> None:
    folder = export(tmp_path / "out")
    path = folder / "trajectory_samples.jsonl"
    path.write_bytes(path.read_bytes() + b'{"torn": ')
    found = strike.held(folder, is_long)
    assert found.rows == {} and "line 3 is no row" in found.unread[0]
    before = path.read_bytes()
    strike.strike(found, is_long)
    assert path.read_bytes() == before


def test_a_damaged_table_is_named(tmp_path: Path) -> None:
    folder = export(tmp_path / "out", "parquet")
    (folder / "trajectory_samples.parquet").write_bytes(b"PAR1 not really PAR1")
    assert "cannot read it" in strike.held(folder, is_long).unread[0]


def test_links_other_files_and_other_manifests_are_left_alone(tmp_path: Path) -> None:
    folder = export(tmp_path / "out")
    other = tmp_path / "other"
    other.mkdir()
    (other / "trajectory_samples.jsonl").symlink_to(folder / "trajectory_samples.jsonl")
    (other / "notes.jsonl").write_bytes((folder / "trajectory_samples.jsonl").read_bytes())
    assert strike.held(other, is_long).rows == {}
    assert strike.held(tmp_path / "gone", is_long).rows == {}
    files.write_atomic(folder / manifest.NAME, b'{"kind":"compression","format":1}')
    before = (folder / "trajectory_samples.jsonl").read_bytes()
    with pytest.raises(UserError, match="not the manifest of an export"):
        strike.strike(strike.held(folder, is_long), is_long)
    assert (folder / "trajectory_samples.jsonl").read_bytes() == before


def test_folders_are_remembered_once_and_in_order(tmp_path: Path) -> None:
    assert strike.remembered(tmp_path) == []
    for name in ("b", "a", "b", "雪"):
        strike.remember(tmp_path, tmp_path / name)
    assert strike.remembered(tmp_path) == [tmp_path / "b", tmp_path / "a", tmp_path / "雪"]
    with (tmp_path / strike.REGISTER).open("ab") as stream:
        stream.write(b"rubbish\n")
    with pytest.raises(UserError) as caught:
        strike.remembered(tmp_path)
    assert caught.value.where == f"{strike.REGISTER}:4"


def test_forgetting_reaches_exports(hg: Callable[..., Ran], tmp_path: Path) -> None:
    for name in ("keep", "drop"):
        said = [
            {"id": number, "role": role, "content": f"{name} {role}"}
            for number, role in enumerate(("user", "assistant"), start=1)
        ]
        row = {"id": f"20260901_080000_{name}", "source": "cli", "started_at": 1788249600.0, "messages": said}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert hg("session", "import", str(tmp_path / "keep.jsonl"), str(tmp_path / "drop.jsonl")).code == 0
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    assert hg("export", "--out", str(here)).code == 0
    here.rename(elsewhere)
    assert hg("export", "--out", str(here)).code == 0
    planned = hg("session", "forget", "*drop", "--dry-run", "--json").json["exports"]
    assert [(one["folder"], one["rows"]) for one in planned] == [(str(here), {"trajectory_samples.jsonl": 1})]
    ran = hg("session", "forget", "*drop")
    assert ran.code == 0 and f"{here}: took out 1 row of 1 session" in ran.out
    assert [row["metadata"]["session"] for row in rows(here / "trajectory_samples.jsonl")] == ["20260901_080000_keep"]
    assert hg("session", "forget", "--check").code == 0
    checked = hg("session", "forget", "--check", "--export", str(elsewhere))
    assert checked.code == 1 and "still holds 1 row of 1 session" in checked.out
    assert hg("session", "forget", "--export", str(elsewhere)).code == 0
    assert hg("session", "forget", "--check", "--export", str(elsewhere)).code == 0
    assert hg("session", "import", str(tmp_path / "drop.jsonl"), "--forgotten").code == 0
    assert hg("export", "--out", str(here)).code == 0
    assert hg("session", "forget", "--check").code == 0, "what was taken back is forgotten no more"
    assert hg("session", "forget", "--export", str(tmp_path / "nowhere")).code == 2

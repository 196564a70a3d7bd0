from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from hermes_git.export import run
from hermes_git.export.recipe import Kitchen, Recipe
from hermes_git.tokens import choose
from hermes_git.trajectories.compress import Options
from hermes_git.trajectories.styles import STYLES
from tests.export.test_run import ALL, COMMITS, rows

ALL_STYLES = sorted(STYLES)


def export(folder: Path, form: str, style: str = "sharegpt", *, validation: float = 0.0) -> Any:
    recipe = Recipe(style, 2000, Options(2000), format=form, validation=validation)
    return run.export(ALL, Kitchen(recipe, choose.default()), folder, commits=COMMITS)


def test_packed_lines_are_the_same_lines(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="the extra zst is not installed")
    export(tmp_path / "plain", "jsonl")
    export(tmp_path / "packed", "zst")
    packed = (tmp_path / "packed/trajectory_samples.jsonl.zst").read_bytes()
    unpacked = zstandard.ZstdDecompressor().stream_reader(packed).read()
    assert unpacked == (tmp_path / "plain/trajectory_samples.jsonl").read_bytes()


@pytest.mark.parametrize("style", ALL_STYLES)
def test_parquet_holds_the_same_rows(tmp_path: Path, style: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    export(tmp_path / "plain", "jsonl", style)
    manifest = export(tmp_path / "table", "parquet", style)
    plain = rows(tmp_path / "plain/trajectory_samples.jsonl")
    table = parquet.read_table(tmp_path / "table/trajectory_samples.parquet").to_pylist()
    assert len(table) == len(plain) == manifest["files"][0]["rows"]
    for row, read in zip(plain, table, strict=True):
        for key in ("conversations", "messages"):
            told = [json.loads(turn) if key == "messages" else turn for turn in read.get(key) or ()]
            assert told == (row.get(key) or [])
        about = json.loads(read["extra"])["metadata"] if style == "atif" else read["metadata"]
        assert about["session"] == (row["extra"] if style == "atif" else row)["metadata"]["session"]
        if "steps" in row:
            assert json.loads(read["steps"]) == row["steps"]


@pytest.mark.parametrize("form", ["jsonl", "zst", "parquet"])
def test_every_format_repeats_byte_for_byte(tmp_path: Path, form: str) -> None:
    pytest.importorskip({"jsonl": "json", "zst": "zstandard", "parquet": "pyarrow"}[form])
    for name in ("one", "two"):
        export(tmp_path / name, form)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two


def test_a_repeated_export_replaces_files_of_another_format(tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    export(tmp_path, "zst")
    export(tmp_path, "jsonl")
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".zst"]


def test_the_card_names_splits_and_files_that_are_there(tmp_path: Path) -> None:
    export(tmp_path, "jsonl", validation=0.5)
    front = yaml.safe_load((tmp_path / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    named = [path for split in front["configs"][0]["data_files"] for path in split["path"]]
    assert named
    assert all((tmp_path / name).stat().st_size for name in named)
    assert front["size_categories"] == ["n<1K"]


def test_a_folder_with_only_somebody_elses_readme_is_refused(tmp_path: Path) -> None:
    from hermes_git.errors import UserError

    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match=r"README\.md"):
        export(tmp_path, "jsonl")

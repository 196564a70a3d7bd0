from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_git.errors import UserError
from hermes_git.export import run
from hermes_git.export.recipe import Kitchen, Recipe, refused_by
from hermes_git.sessions.model import Session
from hermes_git.tokens import choose
from hermes_git.trajectories import validate
from hermes_git.trajectories.compress import Options
from tests.trajectories.sessions import FLAKY, call, message, session

COMMITS = {"knowledge": "k" * 40, "sessions": "s" * 40}
LONG = session(
    message("user", "go"),
    *(
        row
        for number in range(20)
        for row in (
            message("assistant", calls=(call(number),)),
            message("tool", f"line {number} " + "word " * 300, answers=f"c{number}"),
        )
    ),
    message("assistant", "done"),
    id="long",
)
UNANSWERED = session(message("user", "q"), message("assistant", "a"), message("user", "and?"), id="unanswered")
SILENT = session(message("user", "q"), id="silent")
ALL = (FLAKY, LONG, UNANSWERED, SILENT)


def kitchen(style: str = "sharegpt", budget: int = 0) -> Kitchen:
    compression = Options(budget) if budget else None
    return Kitchen(Recipe(style, budget, compression), choose.default(), source="s" * 40)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("style", ["sharegpt", "hermes"])
@pytest.mark.parametrize("budget", [0, 2000])
def test_sessions_in_are_rows_out_and_drops_by_reason(tmp_path: Path, style: str, budget: int) -> None:
    manifest: Any = run.export(ALL, kitchen(style, budget), tmp_path / "out", commits=COMMITS)
    done, failed = (rows(tmp_path / "out" / name) for name in ("trajectory_samples.jsonl", "failed_trajectories.jsonl"))
    assert [row["metadata"]["session"] for row in done] == ["s1", "long"]
    assert [row["metadata"]["session"] for row in failed] == ["unanswered"]
    counts = manifest["counts"]
    assert counts["sessions"] == len(ALL) == counts["rows"] + sum(counts["dropped"].values())
    assert counts["dropped"] == {"no assistant message": 1}
    assert counts["outcomes"] == {"completed": 2, "no-answer": 1}
    assert not [found for row in (*done, *failed) for found in validate.llamafactory(row)] or (style, budget) == (
        "hermes",
        2000,
    )


def test_the_manifest_pins_what_the_rows_were_made_of(tmp_path: Path) -> None:
    manifest: Any = run.export(ALL, kitchen(budget=2000), tmp_path, commits=COMMITS)
    assert json.loads((tmp_path / "manifest.json").read_bytes()) == manifest
    assert manifest["commits"] == COMMITS
    assert manifest["tokenizer"]["digest"].startswith("sha256:")
    assert manifest["compression"]["summary"]["trajectories_compressed"] == 1
    assert {item["name"] for item in manifest["files"]} == {"trajectory_samples.jsonl", "failed_trajectories.jsonl"}


def test_a_repeated_export_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run.export(ALL, kitchen(budget=2000), tmp_path / name, commits=COMMITS)
    run.export(ALL, kitchen(budget=2000), tmp_path / "one", commits=COMMITS)
    one, two = (
        {path.name: path.read_bytes() for path in sorted((tmp_path / name).iterdir())} for name in ("one", "two")
    )
    assert one == two


def test_full_files_are_followed_by_numbered_ones(tmp_path: Path) -> None:
    copies = Kitchen(Recipe("sharegpt", dedupe="off"), choose.default())
    manifest: Any = run.export([FLAKY] * 5, copies, tmp_path, commits=COMMITS, limit=1500)
    names = [item["name"] for item in manifest["files"] if item["rows"]]
    assert names[:2] == ["trajectory_samples.jsonl", "trajectory_samples-00001.jsonl"]
    assert sum(len(rows(tmp_path / name)) for name in names) == 5
    assert set(names) <= {
        entry["file_name"] for entry in json.loads((tmp_path / "dataset_info.json").read_bytes()).values()
    }
    run.export([FLAKY], kitchen(), tmp_path, commits=COMMITS)
    assert not (tmp_path / "trajectory_samples-00001.jsonl").exists()


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match=r"thesis\.txt"):
        run.export(ALL, kitchen(), tmp_path, commits=COMMITS)
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "mine"


def crash(*sessions: Session) -> Iterator[Session]:
    yield from sessions
    raise RuntimeError("power cut")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_crash_leaves_no_manifest_and_no_torn_file(tmp_path: Path) -> None:
    run.export(ALL, kitchen(), tmp_path, commits=COMMITS)
    with pytest.raises(RuntimeError):
        run.export(crash(FLAKY), kitchen(), tmp_path, commits=COMMITS)
    assert [path.name for path in tmp_path.iterdir()] == [".rows.journal"]


@pytest.mark.parametrize("form", ["jsonl", "zst", "parquet"])
@pytest.mark.parametrize("done", range(len(ALL) + 1))
def test_an_interrupted_export_goes_on_and_writes_the_same_bytes(tmp_path: Path, form: str, done: int) -> None:
    pytest.importorskip({"jsonl": "json", "zst": "zstandard", "parquet": "pyarrow"}[form])
    recipe = Recipe("sharegpt", 2000, Options(2000), format=form)
    made = Kitchen(recipe, choose.default(), source="s" * 40)
    run.export(ALL, made, tmp_path / "whole", commits=COMMITS)
    with pytest.raises(RuntimeError):
        run.export(crash(*ALL[:done]), made, tmp_path / "out", commits=COMMITS)
    said: list[str] = []
    run.export(ALL, made, tmp_path / "out", commits=COMMITS, note=said.append)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert bool(said) == bool(done)


def test_what_was_made_of_something_else_is_made_again(tmp_path: Path) -> None:
    run.export(ALL, kitchen(budget=2000), tmp_path / "whole", commits=COMMITS)
    others = (kitchen(), COMMITS), (kitchen(budget=2000), {**COMMITS, "sessions": "t" * 40})
    for other, commits in others:
        with pytest.raises(RuntimeError):
            run.export(crash(*ALL), other, tmp_path / "out", commits=commits)
        said: list[str] = []
        run.export(ALL, kitchen(budget=2000), tmp_path / "out", commits=COMMITS, note=said.append)
        assert (said, contents(tmp_path / "out")) == ([], contents(tmp_path / "whole"))


def test_two_exports_into_one_folder_do_not_meet(tmp_path: Path) -> None:
    def second() -> Iterator[Session]:
        yield FLAKY
        with pytest.raises(UserError, match="another process holds"):
            run.export(ALL, kitchen(), tmp_path, commits=COMMITS)

    manifest: Any = run.export(second(), kitchen(), tmp_path, commits=COMMITS)
    assert sorted(contents(tmp_path)) == sorted(
        ["README.md", "dataset_info.json", "manifest.json", *(item["name"] for item in manifest["files"])]
    )


def test_a_forced_human_summary_names_the_trainers_that_refuse_it(tmp_path: Path) -> None:
    forced = Kitchen(Recipe("sharegpt", 2000, Options(2000, summary_turn="human")), choose.default())
    manifest: Any = run.export([LONG], forced, tmp_path, commits=COMMITS)
    assert "llamafactory" in manifest["refused_by"]
    assert refused_by(kitchen(budget=2000).recipe) == []

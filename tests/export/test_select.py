from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.export import run, select
from hermes_git.export.recipe import Kitchen, Recipe
from hermes_git.export.select import HeldOut, Print, Seen, parse_held_out
from hermes_git.sessions.model import Session
from hermes_git.tokens import choose
from tests.export.test_run import COMMITS, LONG, rows
from tests.trajectories.sessions import FLAKY, message, session

TEXT = " ".join(f"word{number}" for number in range(400))


def renamed(source: Session, name: str, **changes: Any) -> Session:
    return msgspec.structs.replace(source, id=name, **changes)


def export(folder: Path, *sessions: Session, families: dict[str, str] | None = None, **options: Any) -> Any:
    kitchen = Kitchen(Recipe(**options), choose.default(), families=families or {})
    return run.export(sessions, kitchen, folder, commits=COMMITS)


@pytest.mark.parametrize(("dedupe", "kept"), [("off", 2), ("exact", 1), ("near", 1)])
def test_exact_duplicates(tmp_path: Path, dedupe: str, kept: int) -> None:
    manifest = export(tmp_path, FLAKY, renamed(FLAKY, "copy"), dedupe=dedupe)
    assert manifest["counts"]["rows"] == kept
    assert manifest["counts"]["dropped"] == ({"duplicate": 1} if kept == 1 else {})


def nearly(words: int) -> Session:
    """Return a session whose answer differs from TEXT in its last words."""
    text = " ".join([*TEXT.split()[: 400 - words], *(f"other{number}" for number in range(words))])
    return session(message("user", "tell me"), message("assistant", text), id=f"n{words}")


@pytest.mark.parametrize(("words", "dropped"), [(5, 1), (10, 1), (120, 0), (400, 0)])
def test_near_duplicates(tmp_path: Path, words: int, dropped: int) -> None:
    manifest = export(tmp_path, nearly(0), nearly(words), dedupe="near")
    assert manifest["counts"]["dropped"].get("near-duplicate", 0) == dropped
    assert export(tmp_path, nearly(0), nearly(words), dedupe="exact")["counts"]["dropped"] == {}


def test_a_family_is_never_on_both_sides(tmp_path: Path) -> None:
    sessions = [renamed(LONG, f"s{number}", title=str(number)) for number in range(60)]
    families = {f"s{number}": f"s{number // 3 * 3}" for number in range(60)}
    export(tmp_path, *sessions, families=families, dedupe="off", validation=0.3)
    sides = [{row["metadata"]["family"] for row in rows(tmp_path / f"{name}.jsonl")}
             for name in ("trajectory_samples", "validation_samples")]  # fmt: skip
    assert all(sides)
    assert not sides[0] & sides[1]


@given(st.text(max_size=20), st.floats(0, 0.5), st.floats(0, 0.5))
def test_a_larger_share_only_adds(family: str, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert select.is_validation(family, low) <= select.is_validation(family, high)


def test_held_out_sessions_and_texts_stay_out(tmp_path: Path) -> None:
    held_out = parse_held_out("# a comment\nlong\nIt compares local time with UTC.\n")
    assert held_out == HeldOut(frozenset({"long"}), ("It compares local time with UTC.",))
    manifest = export(tmp_path, FLAKY, LONG, nearly(0), held_out=held_out)
    assert manifest["counts"]["dropped"] == {"held out by session": 1, "holds held-out text": 1}
    assert manifest["settings"]["held_out"]["digest"]


def test_a_family_is_held_out_with_its_head(tmp_path: Path) -> None:
    manifest = export(tmp_path, FLAKY, families={"s1": "head"}, held_out=HeldOut(frozenset({"head"})))
    assert manifest["counts"]["dropped"] == {"held out by session": 1}


def test_a_dropped_row_does_not_hide_a_later_one() -> None:
    seen = Seen()
    one = Print("a", "a", "digest", held_out="held out by session")
    assert seen.admit(one) == "held out by session"
    assert seen.admit(replace(one, held_out="")) == ""


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, 1.0, 1.0), (1.0, 0.0, 0.02)])
def test_resemblance_is_about_right(share: float, low: float, high: float) -> None:
    words = TEXT.split()
    cut = int(len(words) * (1 - share))
    other = [*words[:cut], *(f"x{number}" for number in range(len(words) - cut))]
    found = select.resemblance(select.sketch_of(" ".join(words)), select.sketch_of(" ".join(other)))
    assert low <= found <= high


def test_settings_digest_changes_with_what_is_held_out(tmp_path: Path) -> None:
    one, two = (
        export(tmp_path / name, FLAKY, held_out=HeldOut(frozenset({name})))["settings"]["digest"] for name in ("a", "b")
    )
    assert one != two
    assert json.loads((tmp_path / "a/manifest.json").read_bytes())["settings"]["digest"] == one

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_git.errors import UserError
from hermes_git.export import columns, formats
from hermes_git.export.shards import Shards
from tests.export.test_formats import export
from tests.export.test_run import rows

pytest.importorskip("pyarrow", reason="the extra parquet is not installed")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=6,
)
TURN = st.fixed_dictionaries({"from": st.sampled_from(["human", "gpt"]), "value": st.text(max_size=9)})
ROW = st.fixed_dictionaries(
    {"conversations": st.lists(TURN, min_size=1, max_size=3)},
    optional={"system": st.text(), "completed": st.booleans(), "metadata": JSON, "messages": JSON, "n": JSON},
)


def written(found: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet

    pyarrow.parquet.write_table(columns.table(found, columns.kinds(found)), folder / "rows.parquet")
    return list(formats.whole_rows(folder / "rows.parquet"))


@settings(deadline=None, max_examples=60)
@given(st.lists(ROW, min_size=1, max_size=4))
def test_rows_of_any_shape_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, found: Any) -> None:
    assert written(found, tmp_path_factory.mktemp("rows")) == found


@pytest.mark.parametrize("style", ["hermes", "sharegpt", "axolotl", "trl", "openai", "atif"])
def test_exported_rows_come_back_as_they_were(tmp_path: Path, style: str) -> None:
    export(tmp_path / "plain", "jsonl", style)
    export(tmp_path / "table", "parquet", style)
    plain = rows(tmp_path / "plain/trajectory_samples.jsonl")
    assert list(formats.whole_rows(tmp_path / "table/trajectory_samples.parquet")) == plain


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("system", "s", "text"),
        ("completed", True, "flag"),
        ("conversations", [{"from": "gpt", "value": "a"}], "turns-from"),
        ("conversations", [{"from": "gpt", "value": "a", "weight": 1}], "json"),
        ("chosen", {"from": "gpt", "value": "a"}, "turn-from"),
        ("chosen", [{"role": "user", "content": "a"}], "turns-role"),
        ("messages", [{"role": "user"}], "messages"),
        ("metadata", {"session": "s"}, "about"),
        ("metadata", {"batch_num": 0}, "json"),
        ("count", 1, "json"),
        ("nothing", None, "json"),
    ],
)
def test_each_value_has_the_narrowest_kind(name: str, value: object, kind: str) -> None:
    assert columns.kind_of(name, value) == kind


def test_a_row_that_does_not_fit_is_an_error_and_never_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "BATCH_BYTES", 1)
    with pytest.raises(UserError, match="different shapes"), Shards(tmp_path, "rows", format="parquet") as shards:
        shards.add(b'{"a": "text"}')
        shards.add(b'{"b": "text"}')
    assert not list(tmp_path.iterdir())

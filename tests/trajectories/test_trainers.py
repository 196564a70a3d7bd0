"""The trainers' own code on our rows, where it is installed (an optional job; the re-stated rules run everywhere)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from hermes_git.export.run import LLAMAFACTORY_INFO
from hermes_git.tokens import choose
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.convert import convert
from hermes_git.trajectories.styles import STYLES
from tests.trajectories.test_convert import BROKEN, hostile
from tests.trajectories.test_styles import LONG


def rows(style: str) -> list[dict[str, Any]]:
    whole = [STYLES[style].row(convert(source))[1] for source in (LONG, *map(hostile, BROKEN))]
    short = [dict(Compressor(Options(budget), choose.default())(whole[0])[0]) for budget in (500, 1500)]
    return [*whole, *short]


def test_llamafactory_converts_and_formats_every_row() -> None:
    converter = pytest.importorskip("llamafactory.data.converter", reason="llamafactory is not installed")
    parser = pytest.importorskip("llamafactory.data.parser")
    formatter = pytest.importorskip("llamafactory.data.formatter")
    attribute = parser.DatasetAttr("file", dataset_name="ours")
    attribute.join(LLAMAFACTORY_INFO)
    convert_row = converter.SharegptDatasetConverter(attribute, SimpleNamespace(media_dir=None))
    functions = formatter.FunctionFormatter(slots=["{{content}}"], tool_format="qwen")
    for row in rows("sharegpt"):
        found = convert_row(row)
        assert found["_prompt"]
        assert found["_response"]
        for turn in [*found["_prompt"], *found["_response"]]:
            if turn["role"] == "function":
                words = ("<think>\n", "\n</think>\n\n"), ("<tool_call>", "</tool_call>")
                functions.apply(content=turn["content"], thought_words=words[0], tool_call_words=words[1])


def test_trl_takes_every_row_as_conversation() -> None:
    utils = pytest.importorskip("trl.data_utils", reason="trl is not installed")
    assert all(utils.is_conversational(row) for row in rows("trl"))

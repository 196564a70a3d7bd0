from __future__ import annotations

import importlib.util
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from hermes_git.errors import UserError
from hermes_git.evals import plot


def card(*rows: tuple[str, float, float]) -> dict[str, Any]:
    return {
        "lines": [
            {"policy": name, "kept_percent": kept, "recall": recall, "interval": [recall - 5, recall + 5]}
            for name, kept, recall in rows
        ]
    }


ROWS = card(
    ("uncompressed", 100, 97), ("six-step", 13, 36), ("six-step", 45, 80), ("a<b&c", 0.4, 3), ("shuffled", 100, 0),
    ("closed-book", 0, 0),
)  # fmt: skip


def test_the_frontier_is_well_formed_and_shows_what_keeps_something() -> None:
    root = ET.fromstring(plot.svg(ROWS))
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"uncompressed", "six-step", "a<b&c"} <= set(texts)
    assert not {"shuffled", "closed-book"} & set(texts)
    lines = list(root.iter("{http://www.w3.org/2000/svg}polyline"))
    assert [len(line.attrib["points"].split()) for line in lines] == [1, 2, 1]


def test_more_recall_is_higher_and_more_tokens_are_further_to_the_right() -> None:
    root = ET.fromstring(plot.svg(card(("one", 10, 20), ("one", 50, 60))))
    points = next(root.iter("{http://www.w3.org/2000/svg}polyline")).attrib["points"].split()
    (left, low), (right, high) = (map(float, point.split(",")) for point in points)
    assert left < right <= plot.WIDTH - plot.RIGHT
    assert plot.TOP <= high < low <= plot.HEIGHT - plot.BOTTOM


def test_the_same_card_gives_the_same_drawing() -> None:
    assert plot.svg(ROWS) == plot.svg(ROWS)


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UserError, match="needs matplotlib") as caught:
        plot.png(ROWS, tmp_path / "frontier.png")
    assert "hermes-git[plot]" in caught.value.hint
    assert not (tmp_path / "frontier.png").exists()


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="the extra plot is not installed")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_png_is_drawn_the_same_twice(tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        plot.png(ROWS, tmp_path / name)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.png", "two.png"))
    assert one[:8] == b"\x89PNG\r\n\x1a\n"
    assert one == two

"""The frontier, recall over retained tokens, one line a policy: as SVG drawn by hand, or as PNG with an extra."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from hermes_git.errors import UserError

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 520, 60, 250, 30, 50
COLOURS = "#1b6ca8 #d1495b #2e7d32 #8e44ad #e67e22 #00838f #6d4c41 #546e7a #c0ca33 #ad1457 #212121".split()
TICKS_X = (1, 2, 5, 10, 20, 50, 100)
Points = Sequence[tuple[float, float, float, float]]


def svg(card: Mapping[str, Any]) -> str:
    """Draw a scorecard: kept tokens in percent (logarithmic) to the right, recall upwards, intervals as bars."""
    body = [_axes()]
    for number, (name, points) in enumerate(_points(card).items()):
        body.append(_series(name, sorted(points), COLOURS[number % len(COLOURS)], number))
    style = "font-family='sans-serif' font-size='12' fill='#333'"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' {style}>\n"
        f"<title>Recall against retained tokens</title>\n<rect width='{WIDTH}' height='{HEIGHT}' fill='white'/>\n"
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _points(card: Mapping[str, Any]) -> dict[str, list[tuple[float, float, float, float]]]:
    """Return kept, recall and its interval of each policy that keeps something of its own transcript."""
    series: dict[str, list[tuple[float, float, float, float]]] = {}
    for line in card["lines"]:
        if line["kept_percent"] > 0 and line["policy"] != "shuffled":
            point = (line["kept_percent"], line["recall"], *line["interval"])
            series.setdefault(line["policy"], []).append(point)
    return series


def _x(kept: float) -> float:
    share = math.log10(max(kept, TICKS_X[0])) / math.log10(TICKS_X[-1])
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _y(recall: float) -> float:
    return round(HEIGHT - BOTTOM - recall / 100 * (HEIGHT - TOP - BOTTOM), 1)


def _axes() -> str:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    lines = []
    for tick in range(0, 101, 20):
        lines.append(f"<line x1='{LEFT}' y1='{_y(tick)}' x2='{right}' y2='{_y(tick)}' stroke='#ddd'/>")
        lines.append(f"<text x='{LEFT - 8}' y='{_y(tick) + 4}' text-anchor='end'>{tick}</text>")
    for tick in TICKS_X:
        lines.append(f"<line x1='{_x(tick)}' y1='{TOP}' x2='{_x(tick)}' y2='{bottom}' stroke='#eee'/>")
        lines.append(f"<text x='{_x(tick)}' y='{bottom + 18}' text-anchor='middle'>{tick} %</text>")
    middle = (LEFT + right) / 2
    lines.append(f"<text x='{middle}' y='{HEIGHT - 10}' text-anchor='middle'>tokens kept</text>")
    lines.append(f"<text x='14' y='{TOP - 10}'>recall (%)</text>")
    return "\n".join(lines)


def _series(name: str, points: Points, colour: str, number: int) -> str:
    path = " ".join(f"{_x(kept)},{_y(recall)}" for kept, recall, *_ in points)
    marks = "".join(
        f"<line x1='{_x(kept)}' y1='{_y(low)}' x2='{_x(kept)}' y2='{_y(high)}' stroke='{colour}' opacity='0.4'/>"
        f"<circle cx='{_x(kept)}' cy='{_y(recall)}' r='4' fill='{colour}'/>"
        for kept, recall, low, high in points
    )
    left, top = WIDTH - RIGHT + 20, TOP + 10 + number * 20
    legend = f"<circle cx='{left}' cy='{top}' r='4' fill='{colour}'/>"
    legend += f"<text x='{left + 10}' y='{top + 4}'>{escape(name)}</text>"
    return f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='1.5'/>{marks}{legend}"


def png(card: Mapping[str, Any], path: Path) -> None:
    """Draw the same frontier as a PNG file; needs the extra `plot`."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UserError("a PNG needs matplotlib", hint="pip install 'hermes-git[plot]', or use frontier.svg") from error
    figure = Figure(figsize=(9, 5.5), dpi=120)
    axes = figure.add_subplot()
    for number, (name, points) in enumerate(_points(card).items()):
        ordered = sorted(points)
        colour, kept, recalled = (
            COLOURS[number % len(COLOURS)],
            [one[0] for one in ordered],
            [one[1] for one in ordered],
        )
        bars = [[one[1] - one[2] for one in ordered], [one[3] - one[1] for one in ordered]]
        axes.errorbar(kept, recalled, yerr=bars, marker="o", label=name, color=colour, elinewidth=0.6)
    axes.set(xscale="log", xlabel="tokens kept (%)", ylabel="recall (%)", title="Recall against retained tokens")
    axes.set_xticks(TICKS_X, [f"{tick} %" for tick in TICKS_X])
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Software": None})

"""A review as Markdown: the comment on a pull request. Nothing of the repository is taken for markup."""

from __future__ import annotations

from html import escape

from hermes_git.provenance.reviewed import Review
from hermes_git.reports.markdown import NO_MENTION, cell
from hermes_git.reports.review_page import Bar, Block, Heading, Line, Say, Table, page
from hermes_git.reports.text import visible

MARKS = {"good": "✅ ", "bad": "❌ ", "warn": "⚠️ ", "plain": ""}
WIDTH = 20
MOST = 60_000
"""Characters that a comment may have at the host, with room to spare."""


def render(review: Review) -> str:
    """Render the review; what does not fit into a comment is left out and said so."""
    rows = [line for block in page(review) for line in _block(block)]
    kept: list[str] = []
    used = 0
    for number, row in enumerate(rows):
        used += len(row) + 1
        if used > MOST:
            still_open = kept.count("</details>") - sum(row.startswith("<details>") for row in kept)
            kept += ["", *["</details>"] * -still_open]
            kept += ["", f"…{len(rows) - number:,} more lines: hermes-git review --format html"]
            break
        kept.append(row)
    return "\n".join(kept).rstrip("\n") + "\n"


def _block(block: Block) -> list[str]:
    if isinstance(block, Heading):
        return [f"{'#' * (block.level + 1)} {cell(block.text)}", ""]
    if isinstance(block, Say):
        return [f"{MARKS[block.tone]}{cell(block.text)}", ""]
    if isinstance(block, Bar):
        return [f"{cell(block.label)}  ", f"{_bar(block)}", ""]
    if isinstance(block, Table):
        return _table(block)
    inner = [line for part in block.blocks for line in _block(part)]
    title = escape(visible(block.title)).replace("@", NO_MENTION)  # a line of HTML, where Markdown is not read
    return [f"<details><summary>{title}</summary>", "", *inner, "</details>", ""]


def _bar(bar: Bar) -> str:
    """Draw before and after with characters, so that it shows in mail and terminals too."""
    limit = max(1, bar.limit)
    filled = [min(WIDTH, round(WIDTH * used / limit)) for used in (bar.before, bar.after)]
    drawn = "█" * min(filled) + "▓" * max(0, filled[1] - filled[0]) + "░" * max(0, filled[0] - filled[1])
    over = " **over budget**" if bar.after > bar.limit else ""
    return f"`{drawn.ljust(WIDTH, '·')}` {bar.before:,} → {bar.after:,} of {bar.limit:,} {cell(bar.unit)}{over}"


def _table(table: Table) -> list[str]:
    if not table.rows:
        return []
    rows = ["| " + " | ".join(table.head) + " |", "|" + "---|" * len(table.head)]
    rows += ["| " + " | ".join(_cell(lines) for lines in row) + " |" for row in table.rows]
    return [*rows, *([f"| {table.left_out} more |"] if table.left_out else []), ""]


def _cell(lines: tuple[Line, ...]) -> str:
    signs = {"+": "🟢 ", "-": "🔴 ", "": ""}
    return "<br>".join(signs[line.sign] + cell(line.text) for line in lines)

"""A review as one HTML page: no script, nothing loaded, everything of the repository escaped."""

from __future__ import annotations

from html import escape

from hermes_git.provenance.reviewed import Review
from hermes_git.reports.review_page import Bar, Block, Heading, Line, Say, Table, page
from hermes_git.reports.text import visible

STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid var(--line) }
p { margin: .25rem 0 } .good { color: var(--good) } .warn { color: var(--warn) }
.bad { color: var(--bad); font-weight: 600 }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: 14px }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem }
th, td { border-bottom: 1px solid var(--line); overflow-wrap: break-word; min-width: 4.5rem }
th { font-weight: 600; background: var(--soft) }
ins, del { text-decoration: none; display: block; padding: 0 .3rem; border-radius: 3px }
ins { background: #2da44e22 } del { background: #cf222e22 } ins::before { content: "+ " } del::before { content: "− " }
.bar { margin: .75rem 0 .25rem }
.bar svg { display: block; width: 100%; height: 14px; border-radius: 4px; background: var(--soft) }
details { margin: .25rem 0 } summary { cursor: pointer }
""".strip()


def render(review: Review) -> str:
    """Render the review as a page of its own."""
    title = f"Review of {review.base[:12]}..{review.tip[:12]}"
    body = "\n".join(_block(block) for block in page(review))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_text(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_text(block.text)}</h{block.level}>"
    if isinstance(block, Say):
        return f'<p class="{block.tone}">{_text(block.text)}</p>'
    if isinstance(block, Bar):
        return _bar(block)
    if isinstance(block, Table):
        return _table(block)
    inner = "\n".join(_block(part) for part in block.blocks)
    return f"<details>\n<summary>{_text(block.title)}</summary>\n{inner}\n</details>"


def _bar(bar: Bar) -> str:
    """Draw before (grey) and after (coloured) over each other, as parts of the limit."""
    limit = max(1, bar.limit)
    before, after = (min(100.0, 100 * used / limit) for used in (bar.before, bar.after))
    colour = "var(--bad)" if bar.after > bar.limit else "var(--warn)" if after > 90 else "var(--good)"
    words = f"{bar.label}: {bar.before:,} → {bar.after:,} of {bar.limit:,} {bar.unit}"
    over = ', <span class="bad">over budget</span>' if bar.after > bar.limit else ""
    return (
        f'<div class="bar">{_text(words)}{over}\n<svg viewBox="0 0 100 14" preserveAspectRatio="none" role="img" '
        f'aria-label="{_text(words)}"><rect width="{after:.2f}" height="14" fill="{colour}"/>'
        f'<rect y="10" width="{before:.2f}" height="4" fill="#888"/></svg></div>'
    )


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    head = "".join(f"<th>{_text(word)}</th>" for word in table.head)
    rows = "\n".join("<tr>" + "".join(f"<td>{_cell(lines)}</td>" for lines in row) + "</tr>" for row in table.rows)
    more = f'\n<tr><td colspan="{len(table.head)}">{table.left_out:,} more</td></tr>' if table.left_out else ""
    return f"<table>\n<tr>{head}</tr>\n{rows}{more}\n</table>"


def _cell(lines: tuple[Line, ...]) -> str:
    tags = {"+": "ins", "-": "del"}
    return "".join(
        f"<{tags[line.sign]}>{_text(line.text)}</{tags[line.sign]}>" if line.sign else f"<div>{_text(line.text)}</div>"
        for line in lines
    )

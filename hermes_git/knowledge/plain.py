"""Plain Markdown as entries: every paragraph and list item becomes one entry, with the headings it stands under."""

from __future__ import annotations

import re

from hermes_git.knowledge.entries import SEPARATOR, MemoryFile, normal_text

MARK = re.compile(r"\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s)")


def is_plain_markdown(file: MemoryFile) -> bool:
    """Say whether a file is a page of headings and items that no separator divides."""
    entries = file.entries
    lines = entries[0].text.split("\n") if len(entries) == 1 else []
    return len(lines) > 2 and sum(MARK.match(line) is not None for line in lines) > 1


def to_entries(text: str) -> list[str]:
    """Return the entries of a Markdown page, in order, repeated ones once; no words are lost.

    A heading is put before each entry below it (`Projects: …`), a title only before the first one; a heading with
    nothing below it becomes an entry. Frontmatter is an entry of its own.
    """
    from markdown_it import MarkdownIt

    source = text.removeprefix("\ufeff").replace("\r\n", "\n")
    header, source = _frontmatter(source)
    lines = source.split("\n")
    found = [header]
    heading, is_title, used = "", False, True
    for token in MarkdownIt("commonmark").enable("table").disable("inline").parse(source):
        if token.map is None:
            continue
        if token.level == 0 and token.type == "heading_open":
            found += [] if used else [heading]
            title = " ".join(lines[token.map[0] : token.map[1]])
            heading, is_title, used = title.strip().strip("#=- ").strip(), token.tag == "h1", False
        elif _is_entry(token.type, token.level):
            body = _body(lines[token.map[0] : token.map[1]], is_item=token.type == "list_item_open")
            if body:
                prefix = heading and not (is_title and used)
                found.append(f"{heading}: {body}" if prefix else body)
                used = True
    found += [] if used else [heading]
    return list(dict.fromkeys(_safe(entry) for entry in found if entry))


def _frontmatter(source: str) -> tuple[str, str]:
    """Divide a page into the lines of its frontmatter, "" without one, and the rest."""
    match = re.match(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", source, re.DOTALL)
    return (match.group(1).strip(), source[match.end() :]) if match else ("", source)


BLOCKS = ("paragraph_open", "fence", "code_block", "table_open", "html_block", "blockquote_open")


def _is_entry(kind: str, level: int) -> bool:
    return (kind == "list_item_open" and level == 1) or (kind in BLOCKS and level == 0)


def _body(lines: list[str], *, is_item: bool) -> str:
    """Return the text of a block; of a list item, without its bullet and the indentation that belongs to it."""
    text = "\n".join(lines).strip("\n")
    if not is_item:
        return normal_text(text)
    first, *rest = text.split("\n")
    content = first.lstrip()
    bullet = content.split(" ", 1)[0]
    width = len(first) - len(content) + len(bullet) + 1
    kept = [row[width:] if row[:width].strip() == "" else row for row in rest]
    return normal_text("\n".join([content[len(bullet) :].strip(), *kept]))


def _safe(entry: str) -> str:
    """Keep a line that holds only the separator from ending the entry, by putting it in code marks."""
    return "\n".join(f"`{SEPARATOR}`" if row.strip() == SEPARATOR else row for row in entry.split("\n"))

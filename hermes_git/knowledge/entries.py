r"""Memory entries: Hermes' own file format, read without loss and edited without touching a neighbour.

A memory file is UTF-8 text whose entries are joined by a line that holds only `§` (source: Hermes Agent's memory
tool). An entry's text is the part between two such lines, stripped, with `\n` line ends; empty parts are no entries.
What we add to the format is care: the file's own line ends, byte order mark, final newline and every byte of an entry
that was not edited are kept.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

SEPARATOR = "§"
DELIMITER = f"\n{SEPARATOR}\n"
RAW_DELIMITER = re.compile(r"(\r?\n§\r?\n)")
LONE_SEPARATOR = re.compile(r"^[^\S\n]*§[^\S\n]*$", re.MULTILINE)

BLANK = "".join(chr(point) for point in range(0x3001) if chr(point).isspace()) + "\ufeff"
"""White space, and the byte order mark: at the ends of an entry it is nothing that anybody wrote."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory fact: its text, and the 1-based line of the file where it starts (0 when it is in no file)."""

    text: str
    line: int = 0

    @property
    def id(self) -> str:
        """Return the id of the entry: the first 12 hex digits of SHA-256 over its text."""
        return entry_id(self.text)


def entry_id(text: str) -> str:
    """Return the first 12 hex digits of SHA-256 over an entry's text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def normal_text(text: str) -> str:
    r"""Return text as an entry holds it: `\n` line ends, no white space or byte order mark at either end."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip(BLANK)


def same_meaning(text: str) -> str:
    """Return the form under which two entries are the same but for white space, final dot and Unicode composition."""
    folded = unicodedata.normalize("NFC", " ".join(text.split()))
    return folded.rstrip(".。 ")


def lone_separator_line(text: str) -> int:
    """Return the 1-based line that would end the entry early because it holds only `§`, or 0 if there is none."""
    match = LONE_SEPARATOR.search(text.replace("\r\n", "\n").replace("\r", "\n"))
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n", 0, match.start()) + 1 if match else 0


def length(texts: Iterable[str]) -> int:
    """Return the length of the joined entries in Unicode code points, delimiters included: the unit of the budget."""
    parts = list(texts)
    return sum(len(part) for part in parts) + max(0, len(parts) - 1) * len(DELIMITER)


def render(texts: Iterable[str]) -> str:
    """Join entry texts exactly as Hermes writes them: no header, no final newline, an empty store is an empty file."""
    return DELIMITER.join(texts)


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A memory file as it stands: raw parts and the raw delimiters between them (one fewer than parts)."""

    parts: tuple[str, ...]
    delimiters: tuple[str, ...] = ()
    bom: bool = False

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries in file order, empty parts left out, duplicates kept."""
        found, line = [], 1
        for position, part in enumerate(self.parts):
            text = normal_text(part)
            if text:
                lead = part[: len(part) - len(part.lstrip(BLANK))]
                found.append(Entry(text, line + lead.count("\n")))
            line += part.count("\n") + (2 if position < len(self.delimiters) else 0)
        return tuple(found)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts of the entries in file order."""
        return tuple(entry.text for entry in self.entries)

    @property
    def newline(self) -> str:
        """Return the line end the file uses most; LF for a file without any."""
        raw = "".join(self.parts) + "".join(self.delimiters)
        crlf = raw.count("\r\n")
        return "\r\n" if crlf > raw.count("\n") - crlf else "\n"

    @property
    def is_canonical(self) -> bool:
        """Say whether Hermes would find nothing to tidy: clean parts, exact delimiters, at most one final newline."""
        raw = self.raw().replace("\r\n", "\n")
        return raw.removesuffix("\n") == render(self.texts)

    def raw(self) -> str:
        """Return the whole text of the file, byte order mark left off, every kept part as it was."""
        pieces = [self.parts[0] if self.parts else ""]
        for delimiter, part in zip(self.delimiters, self.parts[1:], strict=True):
            pieces += [delimiter, part]
        return "".join(pieces)

    def encode(self) -> bytes:
        """Return the bytes of the file."""
        return (b"\xef\xbb\xbf" if self.bom else b"") + self.raw().encode("utf-8")

    def add(self, text: str) -> MemoryFile:
        """Return the file with one more entry at its end; the final newline, if any, stays final."""
        written = self._written(text)
        if not self.texts:
            return MemoryFile((written,), (), self.bom)
        body, tail = _split_tail(self.parts[-1])
        kept, delimiters = [*self.parts[:-1], body], list(self.delimiters)
        while kept and not kept[-1].strip(BLANK):  # a dangling delimiter at the end is used, not doubled
            kept.pop()
            delimiters = delimiters[: max(0, len(kept) - 1)]
        return MemoryFile((*kept, written + tail), (*delimiters, self._delimiter()), self.bom)

    def replace(self, position: int, text: str) -> MemoryFile:
        """Return the file with the text of the entry at a 0-based position replaced and its neighbours untouched."""
        index = self._part_index(position)
        part = self.parts[index]
        lead = part[: len(part) - len(part.lstrip(BLANK))]
        tail = part[len(part.rstrip(BLANK)) :]
        parts = [*self.parts]
        parts[index] = lead + self._written(text) + tail
        return MemoryFile(tuple(parts), self.delimiters, self.bom)

    def remove(self, position: int) -> MemoryFile:
        """Return the file without the entry at a 0-based position and without one of its delimiters."""
        index = self._part_index(position)
        parts, delimiters = [*self.parts], [*self.delimiters]
        last = index == len(parts) - 1
        tail = _split_tail(parts[index])[1] if last else ""
        del parts[index]
        if delimiters:
            del delimiters[index - 1 if last else index]
        if not parts:
            return MemoryFile(("",), (), self.bom)
        if last:
            parts[-1] = _split_tail(parts[-1])[0] + tail
        return MemoryFile(tuple(parts), tuple(delimiters), self.bom)

    def _written(self, text: str) -> str:
        return normal_text(text).replace("\n", self.newline)

    def _delimiter(self) -> str:
        return DELIMITER.replace("\n", self.newline)

    def _part_index(self, position: int) -> int:
        return [index for index, part in enumerate(self.parts) if part.strip(BLANK)][position]


def _split_tail(part: str) -> tuple[str, str]:
    body = part.rstrip("\r\n")
    return body, part[len(body) :]


def parse(text: str) -> MemoryFile:
    """Parse the text of a memory file; every text is accepted, and `parse(t).raw() == t` but for a leading BOM."""
    bom = text.startswith("\ufeff")
    pieces = RAW_DELIMITER.split(text.removeprefix("\ufeff"))
    return MemoryFile(tuple(pieces[0::2]), tuple(pieces[1::2]), bom)


def texts_of(text: str) -> tuple[str, ...]:
    """Return `parse(text).texts`, faster: for walking thousands of versions."""
    if "\r" in text:
        return parse(text).texts
    parts = (part.strip(BLANK) for part in text.split(DELIMITER))
    return tuple(part for part in parts if part)


def from_texts(texts: Iterable[str]) -> MemoryFile:
    """Build a file from entry texts, as Hermes would write it."""
    kept = [normal_text(text) for text in texts]
    return MemoryFile(tuple(kept) or ("",), (DELIMITER,) * max(0, len(kept) - 1))

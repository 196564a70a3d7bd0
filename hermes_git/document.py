"""A document: one path with its bytes and kind at one moment, wherever those bytes came from."""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

TEXT_KINDS = frozenset(
    "memory skill description markdown python shell javascript typescript powershell ruby perl php lua batch notebook "
    "yaml json toml html svg xml makefile dockerfile ignore text".split()
)

SUFFIX_KINDS = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".qmd", ".rst"), "markdown"),
    **dict.fromkeys((".py", ".pyw", ".pyi"), "python"),
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".dash", ".fish", ".command"), "shell"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts", ".tsx"), "typescript"),
    **dict.fromkeys((".ps1", ".psm1", ".psd1"), "powershell"),
    **dict.fromkeys((".rb", ".rake"), "ruby"),
    **dict.fromkeys((".pl", ".pm", ".perl"), "perl"),
    **dict.fromkeys((".php", ".phtml", ".phar"), "php"),
    ".lua": "lua",
    **dict.fromkeys((".bat", ".cmd"), "batch"),
    ".ipynb": "notebook",
    **dict.fromkeys((".yml", ".yaml"), "yaml"),
    **dict.fromkeys((".json", ".jsonl", ".json5", ".jsonc"), "json"),
    ".toml": "toml",
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".svg": "svg",
    ".xml": "xml",
    **dict.fromkeys(
        ".txt .text .csv .tsv .log .ini .cfg .conf .env .properties .tex .bib .sql .rs .go .java .kt".split(), "text"
    ),
    **dict.fromkeys(".c .h .cc .cpp .hpp .cs .r .jl .scala .swift .dart .ex .erl .hs .vue .css".split(), "text"),
    ".mk": "makefile",
    ".dockerfile": "dockerfile",
    **dict.fromkeys((".pyc", ".pyo", ".class", ".wasm", ".jar"), "bytecode"),
    **dict.fromkeys((".so", ".dll", ".dylib", ".node", ".exe", ".com", ".msi", ".o", ".a", ".bin"), "executable"),
    **dict.fromkeys((".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".whl", ".zst"), "archive"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".bmp", ".tiff", ".avif"), "image"),
    **dict.fromkeys((".ttf", ".otf", ".woff", ".woff2"), "font"),
    **dict.fromkeys((".mp3", ".mp4", ".wav", ".ogg", ".mov", ".webm"), "media"),
    **dict.fromkeys((".pdf", ".docx", ".xlsx", ".pptx", ".doc", ".xls", ".ppt", ".odt"), "office"),
}

NAME_KINDS = {
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "justfile": "makefile",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "rakefile": "ruby",
    "gemfile": "ruby",
    ".gitignore": "ignore",
    ".gitattributes": "ignore",
}

MAGIC = (
    (b"\x7fELF", "executable"),
    (b"MZ", "executable"),
    (b"\xcf\xfa\xed\xfe", "executable"),
    (b"\xca\xfe\xba\xbe", "bytecode"),
    (b"\x00asm", "bytecode"),
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"RIFF", "media"),
    (b"PK\x03\x04", "archive"),
    (b"\x1f\x8b", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ\x00", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"(\xb5/\xfd", "archive"),
    (b"%PDF-", "office"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
)

SHEBANG = re.compile(rb"#![ \t]*(?:/usr/bin/env(?:[ \t]+-\S+)*[ \t]+)?\S*?([A-Za-z]+)[0-9.]*(?:[ \t\r\n]|$)")
SHEBANG_KINDS = {
    **dict.fromkeys((b"sh", b"bash", b"zsh", b"dash", b"ksh", b"ash", b"fish"), "shell"),
    **dict.fromkeys((b"python", b"pypy", b"uv"), "python"),
    **dict.fromkeys((b"node", b"bun", b"deno"), "javascript"),
    b"ruby": "ruby",
    b"perl": "perl",
    b"php": "php",
    **dict.fromkeys((b"lua", b"luajit"), "lua"),
    b"pwsh": "powershell",
}

MODE_LINK = "120000"
MODE_GITLINK = "160000"
MODE_EXECUTABLE = "100755"
MODE_FILE = "100644"


@dataclass(frozen=True)
class Document:
    """Bytes of one path as they stand in the index, in a tree or on disk.

    A symbolic link is a document whose data is its target; a gitlink's data is the commit id it names.
    """

    path: str
    data: bytes
    mode: str = MODE_FILE
    kind: str = ""
    blob: str = ""

    def __post_init__(self) -> None:
        """Fill in the kind from name, suffix, shebang and magic when the caller does not know better."""
        if not self.kind:
            object.__setattr__(self, "kind", kind_of(self.path, self.data, self.mode))

    @functools.cached_property
    def encoding(self) -> str:
        """Name how `text` was decoded: utf-8, utf-8-sig, utf-16, utf-32, or `undecodable`."""
        return decode(self.data)[1]

    @functools.cached_property
    def text(self) -> str:
        """Return the bytes as text, newlines untouched, a byte order mark removed; undecodable bytes as U+FFFD."""
        return decode(self.data)[0]

    @functools.cached_property
    def lines(self) -> tuple[str, ...]:
        r"""Return the lines, split on `\n` only, so that U+2028 and form feeds do not shift line numbers."""
        return tuple(self.text.split("\n"))

    @functools.cached_property
    def identity(self) -> str:
        """Return the blob id where it is known, else the same hash that git would give the bytes (SHA-1)."""
        header = b"blob %d\0" % len(self.data)
        return self.blob or hashlib.sha1(header + self.data, usedforsecurity=False).hexdigest()

    @property
    def is_text(self) -> bool:
        """Say whether the kind is one that people and agents read as text."""
        return self.kind in TEXT_KINDS

    @property
    def name(self) -> str:
        """Return the last component of the path."""
        return PurePosixPath(self.path).name


def decode(data: bytes) -> tuple[str, str]:
    """Decode bytes as UTF-8, with or without BOM, or as BOM-marked or evident UTF-16 and UTF-32."""
    for bom, name in ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(bom):
            return _try(data, name)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _try(data, "utf-16")
    evident = _evident_utf16(data)
    if evident:
        return _try(data, evident)
    return _try(data, "utf-8")


def _try(data: bytes, name: str) -> tuple[str, str]:
    try:
        return data.decode(name), name
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), "undecodable"


def _evident_utf16(data: bytes) -> str:
    """Recognise UTF-16 without a BOM by NUL bytes in one half of the first kilobyte and none in the other."""
    head = data[:1024]
    if len(head) < 8 or 0 not in head:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.4 and even == 0:
        return "utf-16-le"
    if even > half * 0.4 and odd == 0:
        return "utf-16-be"
    return ""


def kind_of(path: str, data: bytes, mode: str = MODE_FILE) -> str:
    """Name the kind of a file from its mode, name, suffix, shebang and magic, in that order of trust."""
    if mode == MODE_LINK:
        return "link"
    if mode == MODE_GITLINK:
        return "gitlink"
    name = PurePosixPath(path).name
    by_name = _kind_by_name(name)
    magic = next((kind for prefix, kind in MAGIC if data.startswith(prefix)), "")
    if by_name:
        return by_name
    shebang = SHEBANG.match(data[:256])
    if shebang and shebang.group(1) in SHEBANG_KINDS:
        return SHEBANG_KINDS[shebang.group(1)]
    if magic:
        return magic
    return "binary" if b"\0" in data[:8192] and not _evident_utf16(data) else "text"


def _kind_by_name(name: str) -> str:
    if name == "SKILL.md":
        return "skill"
    if name == "DESCRIPTION.md":
        return "description"
    lower = name.lower()
    if lower in NAME_KINDS or lower.startswith(("makefile.", "dockerfile.")):
        return NAME_KINDS.get(lower, lower.split(".", 1)[0])
    return SUFFIX_KINDS.get(PurePosixPath(lower).suffix, "")


def is_binary(data: bytes) -> bool:
    """Say whether bytes are binary whatever their name says: a known magic, or NULs that are not UTF-16 or UTF-32."""
    if any(data.startswith(prefix) for prefix, kind in MAGIC if kind != "media"):
        return True
    return b"\0" in data and decode(data)[1] in ("utf-8", "undecodable", "utf-8-sig")

"""Real skills for tests: from the histories and the labelled packages in the folder of real data."""

from __future__ import annotations

import base64
import functools
import gzip
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from hermes_git.document import Document

BUNDLES = ("skills-jk-md", "trailofbits-skills-md", "hermes-agent-skills-md")
PACKAGES = ("benign", "benign-hard", "benign-hard-ours", "dual-use", "malicious", "mutation")


@functools.cache
def packages(data: Path) -> tuple[tuple[str, tuple[Document, ...]], ...]:
    """Return every labelled package as its folder and its documents, one folder for each."""
    found = []
    for name in PACKAGES:
        with gzip.open(data / "guard" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
            for number, line in enumerate(stream):
                row = json.loads(line)
                folder = f"{name}-{number}/{row['path'].rstrip('/').rsplit('/', 1)[-1] or 'skill'}"
                found.append((folder, tuple(_documents(folder, row["files"]))))
    return tuple(found)


def _documents(folder: str, rows: list[dict[str, str]]) -> Iterator[Document]:
    for row in rows:
        data = row["text"].encode("utf-8", "surrogatepass") if "text" in row else base64.b64decode(row["base64"])
        yield Document(f"{folder}/{row['path']}", data, row.get("mode", "100644"))


@functools.cache
def from_histories(data: Path) -> tuple[tuple[str, bytes], ...]:
    """Return path and bytes of every version of every SKILL.md in the histories, each content once."""
    found: dict[bytes, str] = {}
    for bundle in BUNDLES:
        for path, content in versions(data / "knowledge" / f"{bundle}.bundle"):
            found.setdefault(content, path)
    return tuple((path, content) for content, path in found.items())


def versions(bundle: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every SKILL.md blob of a bundle with one of its paths."""
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        git(scratch, "clone", "-q", "--bare", "-b", "main", str(bundle), "r.git")
        listed = git(f"{scratch}/r.git", "rev-list", "--objects", "main").decode("utf-8").split("\n")
        rows = [row.split(" ", 1) for row in listed if row.endswith("/SKILL.md")]
        wanted = "\n".join(row[0] for row in rows).encode() + b"\n"
        output = git(f"{scratch}/r.git", "cat-file", "--batch", stdin=wanted)
    position = 0
    for _, path in rows:
        end = output.index(b"\n", position)
        size = int(output[position:end].split(b" ")[2])
        yield path, output[end + 1 : end + 1 + size]
        position = end + size + 2


def git(folder: str, *args: str, stdin: bytes = b"") -> bytes:
    """Run git in a folder and return what it prints."""
    return subprocess.run(["git", *args], cwd=folder, input=stdin, capture_output=True, check=True).stdout


def skill_files(data: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of every real SKILL.md: packages and all versions of the histories."""
    for folder, documents in packages(data):
        yield from ((item.path, item.data) for item in documents if item.path == f"{folder}/SKILL.md")
    yield from from_histories(data)

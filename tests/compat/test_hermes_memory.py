"""Files of Hermes' own memory tool load and come back byte for byte, and the reverse.

The frozen file was written by hermes-agent 0.19.0. With HERMES_GIT_PEER_PYTHON set to an interpreter that has
hermes-agent installed, the same is checked against the installed version, in both directions.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge import entries
from hermes_git.providers import snapshot
from hermes_git.settings import DEFAULTS, MemorySettings
from tests.conftest import Ran

FROZEN = Path(__file__).parent.parent / "frozen" / "hermes" / "memory-0.19.0.json"
WIDE = replace(DEFAULTS, memory=MemorySettings(memory_limit=100_000, user_limit=100_000))
TEXTS = {
    "memory": [
        "The build runs with make release.",
        "Two lines:\n  indented second line",
        "law § 12 applies to archives",
        "好的 — 中文条目；以 § 分隔",
        "Cafe\u0301 in NFD and Café in NFC",
        "emoji 👩‍👩‍👧 and Persian می‌رود stay",
        "trailing code\n```\nx = 1\n```",
    ],
    "user": ["Prefers short answers.", "Time zone UTC+2"],
}
PEER = os.environ.get("HERMES_GIT_PEER_PYTHON", "")


def peer(way: str, home: Path, stdin: str = "") -> dict[str, dict[str, str]]:
    script = Path(__file__).parent / "peer_memory.py"
    done = subprocess.run(
        [PEER, str(script), way, str(home)], input=stdin, capture_output=True, encoding="utf-8", check=True
    )
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


needs_peer = pytest.mark.skipif(not PEER, reason="HERMES_GIT_PEER_PYTHON names no interpreter with hermes-agent")


def check(written: dict[str, dict[str, str]]) -> None:
    for target, name in (("memory", "MEMORY.md"), ("user", "USER.md")):
        text = written["files"][name]
        file = entries.parse(text)
        assert file.is_canonical and file.raw() == text == entries.render(file.texts)
        block = snapshot.block(target, file, WIDE)
        if not block.quarantined and written["blocks"][target]:
            assert block.text == written["blocks"][target]


def test_the_frozen_files_load_and_render_alike() -> None:
    written = json.loads(FROZEN.read_text(encoding="utf-8"))
    check(written)
    assert list(entries.parse(written["files"]["USER.md"]).texts) == TEXTS["user"]


@needs_peer
def test_what_the_installed_peer_writes_loads_here(tmp_path: Path) -> None:
    texts = {**TEXTS, "memory": [text for text in TEXTS["memory"] if "\u200d" not in text]}  # it refuses joiners
    check(peer("write", tmp_path / "home", json.dumps(texts)))


@needs_peer
def test_what_we_write_loads_in_the_installed_peer(repo: Repository, hg: Callable[..., Ran], tmp_path: Path) -> None:
    assert hg("init", "--layout", "hermes").code == 0
    for target, texts in TEXTS.items():
        for text in texts:
            assert hg("memory", "add", text, "--target", target).code == 0
    found = peer("read", repo.work_tree())
    assert found == {target: list(texts) for target, texts in TEXTS.items()}

"""Kill -9 in the middle of an import: what is stored is whole, the next import completes it, no lock is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions.store import open_store
from hermes_git.settings import DEFAULTS

KILLS = int(os.environ.get("HERMES_GIT_KILLS", "3"))
SESSIONS = 40


def sources(folder: Path, rounds: int) -> None:
    """Write sessions that are longer with each round."""
    folder.mkdir(exist_ok=True)
    for number in range(SESSIONS):
        messages = [{"id": n, "role": "user", "content": f"{number} says {n} " + "x" * 2000} for n in range(rounds + 3)]
        row = {"id": f"s{number:03d}", "source": "cli", "started_at": 1788249600.0, "system_prompt": f"p{number % 7}"}
        (folder / f"{number}.jsonl").write_text(json.dumps({**row, "messages": messages}) + "\n", encoding="utf-8")


def run_import(repo: Repository, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hermes_git", "-C", str(repo.work_tree()), "session", "import", str(folder), "-q"]
    return subprocess.Popen(command, start_new_session=True)


def test_an_import_killed_anywhere_is_completed_by_the_next(repo: Repository, tmp_path: Path) -> None:
    folder, chance = tmp_path / "in", random.Random(11)
    sources(folder, 0)
    started = time.monotonic()
    assert run_import(repo, folder).wait() == 0
    whole = time.monotonic() - started
    for turn in range(1, KILLS + 1):
        sources(folder, turn)
        child = run_import(repo, folder)
        time.sleep(chance.uniform(0.2, 1.0) * whole)
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        store = open_store(repo, DEFAULTS)
        found = [store.session(stored.id) for stored in store.sessions()]
        assert len(found) == SESSIONS
        assert all(len(session.messages) in (turn + 2, turn + 3) and session.system_prompt for session in found)
        assert run_import(repo, folder).wait() == 0
        assert all(len(store.session(f"s{n:03d}").messages) == turn + 3 for n in (0, SESSIONS - 1))
    assert repo.ask("fsck", "--strict") is not None

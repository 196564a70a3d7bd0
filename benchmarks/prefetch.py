"""Measure prefetch on real knowledge: does an utterance recall the entry or skill it is about, and how fast.

    HERMES_GIT_DATA=FOLDER python -m benchmarks.prefetch

The labelled pairs are made from the data: for each memory entry, and each skill's description, a carrier sentence
with some of its words in another order, never its rarest word nor the skill's name. R@5 and MRR are over all pairs;
the time is a whole prefetch with guard, budget and fence, in this process, caches warm.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.recall_rivals import percentile
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.knowledge.entries import entry_id, parse
from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.providers.bus import Bus
from hermes_git.providers.prefetch import prefetched
from hermes_git.providers.repository import RepositoryProvider
from hermes_git.recall.search import open_recall
from hermes_git.settings import Paths, Settings
from hermes_git.tokens import estimate

SETTINGS = Settings(paths=Paths(memory="memory", skills="skills", archive="archive"))
CARRIERS = (
    "I am about to work on {} here, anything I should know?",
    "what did we agree about {}?",
    "please handle {} now",
)
WORD = re.compile(r"\w{3,}")
SHARE = 0.4
PLACES = 5


class Pair(NamedTuple):
    """An utterance and the key of what it is about."""

    kind: str
    utterance: str
    key: str


def repository(data: Path, folder: Path) -> Repository:
    """Make a repository of real memory files and the skills of two real histories."""
    identity = {"GIT_AUTHOR_NAME": "B", "GIT_AUTHOR_EMAIL": "b@example.invalid"}
    os.environ.update(identity | {"GIT_COMMITTER_NAME": "B", "GIT_COMMITTER_EMAIL": "b@example.invalid"})
    bundle = data / "knowledge" / "hermes-agent-skills-md.bundle"
    subprocess.run(["git", "clone", "-q", "-b", "main", str(bundle), str(folder)], check=True)
    for name in ("MEMORY.md", "USER.md"):
        versions = sorted((data / "memory" / "hermes").rglob(f"*_{name}"), key=lambda path: path.stat().st_size)
        (folder / "memory").mkdir(exist_ok=True)
        (folder / "memory" / name).write_bytes(versions[-1].read_bytes())
    subprocess.run(["git", "-C", str(folder), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(folder), "commit", "-q", "--no-verify", "-m", "memory"], check=True)
    return require(folder, clean=True)


def pairs(folder: Path, seed: int = 5) -> list[Pair]:
    """Make the labelled pairs."""
    texts: list[tuple[str, str, str]] = []
    for path in sorted((folder / "memory").glob("*.md")):
        found = parse(path.read_text(encoding="utf-8"))
        texts += [("entry", text, f"entry:{entry_id(text)}") for text in dict.fromkeys(found.texts)]
    for path in sorted((folder / "skills").rglob("SKILL.md")):
        try:
            values = read(path.read_text(encoding="utf-8")).values
        except BadHeader:
            continue
        key = f"skill:{path.parent.relative_to(folder / 'skills').as_posix()}"
        texts.append(("skill", str(values.get("description", "")), key))
    return _utterances(texts, random.Random(seed))


def _utterances(texts: list[tuple[str, str, str]], chance: random.Random) -> list[Pair]:
    counts = Counter(word for _, text, _ in texts for word in set(WORD.findall(text.lower())))
    made = []
    for kind, text, key in texts:
        words = sorted(set(WORD.findall(text.lower())) - set(WORD.findall(key.lower())), key=lambda word: counts[word])
        usable = words[1:]
        if len(usable) >= 4:
            chosen = chance.sample(usable, min(12, max(3, round(SHARE * len(usable)))))
            made.append(Pair(kind, chance.choice(CARRIERS).format(" ".join(chosen)), key))
    return made


def run(repo: Repository, labelled: list[Pair]) -> dict[str, Any]:
    """Prefetch every utterance and compare with its label."""
    places: dict[str, list[int]] = {"entry": [], "skill": []}
    taken, refused = [], 0
    count = estimate.counter().count
    with open_recall(repo, SETTINGS) as recall:
        bus = Bus([RepositoryProvider(recall)], time.monotonic)
        for turn in range(2):
            for pair in labelled:
                start = time.process_time()
                merged = bus.prefetch_all(pair.utterance, deadline=30.0)
                done = prefetched(merged, "0123456789abcdef", SETTINGS, count)
                spent = time.process_time() - start
                if turn:
                    taken.append(1000 * spent)
                    keys = [row.key for row in merged.recollections]
                    places[pair.kind].append(keys.index(pair.key) + 1 if pair.key in keys else 0)
                    refused += len(done.refused)
    result: dict[str, Any] = {name: _quality(found) for name, found in places.items()}
    result["cpu_ms"] = {"p50": percentile(taken, 0.5), "p95": percentile(taken, 0.95), "max": round(max(taken), 1)}
    return result | {"refused by the guard": refused}


def _quality(places: list[int]) -> dict[str, float]:
    near = sum(0 < place <= PLACES for place in places)
    reciprocal = sum(1 / place for place in places if place)
    return {"pairs": len(places), "R@5": round(near / len(places), 3), "MRR": round(reciprocal / len(places), 3)}


def main() -> None:
    """Measure and print."""
    data = Path(os.environ["HERMES_GIT_DATA"])
    with tempfile.TemporaryDirectory() as scratch:
        repo = repository(data, Path(scratch) / "repository")
        print(json.dumps(run(repo, pairs(repo.work_tree())), indent=2))


if __name__ == "__main__":
    main()

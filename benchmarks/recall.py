"""Measure recall on a generated corpus and print every figure as JSON, with ratios to bare FTS5.

    python -m benchmarks.recall --corpus CORPUS.jsonl --needles NEEDLES.json [--scratch DIR]
        [--peer PYTHON --tools DIR [--peer-live]]

The corpus holds one session a line (id, source, model, title, parent_session_id, end_reason, started_at, messages);
the needles are planted facts with four query forms (exact, kw, nl, typo), the session_id and the gold text. Both may
also be named by HERMES_GIT_CORPUS and HERMES_GIT_NEEDLES. CPU time throughout; each step has a process of its own.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks import recall_steps
from benchmarks.recall_corpus import stored
from benchmarks.recall_rivals import percentile

IDENTITY = {
    "GIT_AUTHOR_NAME": "Benchmark",
    "GIT_AUTHOR_EMAIL": "benchmark@example.invalid",
    "GIT_COMMITTER_NAME": "Benchmark",
    "GIT_COMMITTER_EMAIL": "benchmark@example.invalid",
}


def alone(step: Callable[..., Any], *args: Any) -> Any:
    """Run a step in a fresh process and return its result."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        return pool.submit(step, *args).result()


def questions(needles: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return 54 queries of every kind: planted facts in several forms, common words, operators, signs, a non-word."""
    drawn = {
        "identifier": ("exact", (0, 4, 6, 10, 12, 16)),
        "path": ("exact", (1, 7, 13)),
        "error": ("exact", (3, 9, 15)),
        "keywords": ("kw", (0, 1, 2, 4, 6, 7, 8, 10)),
        "question": ("nl", (0, 1, 2, 3, 4, 7)),
        "foreign word": ("typo", (0, 1, 2, 4)),
    }
    found = [(kind, needles[at][form]) for kind, (form, chosen) in drawn.items() for at in chosen]
    found += [("unmarked question", needles[at]["nl"].rstrip("?")) for at in (0, 2, 4)]
    fixed = {
        "common word": ("error", "file", "return", "docker", "tokenizer"),
        "common words": ("file path", "default value", "config error", "work on auth refactor"),
        "operators": ("docker OR kubernetes OR container", "python NOT windows"),
        "phrase": ('"command line"',),
        "prefix": ("deploy*",),
        "signs": ("桂林", "广西 OR 桂林 OR 漓江", "大别山项目", "数据库迁移", "youer服务端", "youer"),
        "non-word": ("zqxjkvbw",),
        "title": ("auth refactor #0",),
    }
    return found + [(kind, text) for kind, texts in fixed.items() for text in texts]


def from_the_shell(folder: Path) -> dict[str, float]:
    """Run `hermes-git search` as a command: median seconds, by the clock and of CPU."""
    taken, spent = [], []
    for _ in range(7):
        start, before = time.perf_counter(), os.times()
        command = [sys.executable, "-m", "hermes_git", "-C", str(folder), "search", "default value"]
        subprocess.run(command, check=True, capture_output=True)
        after = os.times()
        taken.append(time.perf_counter() - start)
        spent.append(after[2] + after[3] - before[2] - before[3])
    return {"wall_s": round(statistics.median(taken), 3), "cpu_s": round(statistics.median(spent), 3)}


def run(corpus: Path, needles: list[dict[str, Any]], scratch: Path) -> dict[str, Any]:
    """Measure everything in a scratch folder."""
    folder = scratch / "repository"
    held = recall_steps.content(corpus)
    if not folder.is_dir():
        stored(corpus, folder)
    result: dict[str, Any] = {"load": round(os.getloadavg()[0], 1), "content": held}
    result["index"] = _sized(alone(recall_steps.build, folder), held)
    result["open"] = alone(recall_steps.opening, folder)
    result["facts"] = alone(recall_steps.facts, folder, needles)
    result["calls"] = alone(recall_steps.calls, folder, questions(needles))
    result["beside fts5"] = alone(recall_steps.side_by_side, folder, corpus)
    result["shell"] = from_the_shell(folder)
    result["add one session"] = alone(recall_steps.add_one, folder, "whoosh")
    result["open after adding"] = alone(recall_steps.opening, folder)
    result["optimize"] = _sized(alone(recall_steps.optimise, folder), held)
    result["open optimized"] = alone(recall_steps.opening, folder)
    result["calls optimized"] = {**alone(recall_steps.calls, folder, questions(needles)), "rungs": "as above"}
    if importlib.util.find_spec("tantivy"):
        result["tantivy"] = with_tantivy(folder, corpus, needles, held)
    return result


def with_tantivy(folder: Path, corpus: Path, needles: list[dict[str, Any]], held: dict[str, int]) -> dict[str, Any]:
    """Measure the extra engine on the same repository."""
    configure = ["git", "-C", str(folder), "config", "hermes-git.engine", "tantivy"]
    subprocess.run(configure, check=True)
    result: dict[str, Any] = {"index": _sized(alone(recall_steps.build, folder), held)}
    result["facts"] = alone(recall_steps.facts, folder, needles)
    result["calls"] = {**alone(recall_steps.calls, folder, questions(needles)), "rungs": "as above"}
    result["beside fts5"] = alone(recall_steps.side_by_side, folder, corpus)
    result["add one session"] = alone(recall_steps.add_one, folder, "tantivy")
    subprocess.run([*configure[:-2], "--unset", configure[-2]], check=True)
    return result


def peer(python: str, tools: Path, corpus: Path, needles: Path, scratch: Path) -> dict[str, Any]:
    """Put the same corpus through another agent's own session store, by the tools and the Python given."""
    home = {**os.environ, "HERMES_HOME": str(scratch / "peer-home")}
    database, out = scratch / "peer.db", scratch / "peer.json"
    ingest = [python, str(tools / "ingest_peer.py"), str(corpus), str(database), "replace"]
    subprocess.run(ingest, check=True, cwd=scratch, env=home, capture_output=True)
    ask = [python, str(tools / "search_peer.py"), str(database), str(needles), str(out), "3"]
    subprocess.run(ask, check=True, cwd=scratch, env=home, capture_output=True)
    built = json.loads((scratch / "ingest_replace.json").read_text(encoding="utf-8"))
    asked = json.loads(out.read_text(encoding="utf-8"))
    answered = [row["cpu_ms"] for row in asked["queries"] if row["results"]]
    return {
        "cpu_s": built["cpu_s"],
        "bytes": round(built["db_mb"] * 1e6),
        "hit@3": {form: asked["recall"][form]["gold_in_top3"] for form in recall_steps.FORMS},
        "answered": len(answered),
        "cpu_ms of the answered": {"p50": percentile(answered, 0.5), "p95": percentile(answered, 0.95)},
    }


def peer_live(python: str, tools: Path, corpus: Path, scratch: Path) -> dict[str, Any]:
    """Put the corpus into the peer's store message by message, as a running agent does: CPU seconds and bytes.

    The process counts its own CPU time, start and end included. It takes more than ten minutes.
    """
    home = {**os.environ, "HERMES_HOME": str(scratch / "peer-home")}
    command = [python, str(tools / "ingest_peer.py"), str(corpus), str(scratch / "peer-live.db"), "append"]
    subprocess.run(command, check=True, cwd=scratch, env=home, capture_output=True)
    built = json.loads((scratch / "ingest_append.json").read_text(encoding="utf-8"))
    return {"cpu_s": built["cpu_s"], "bytes": round(built["db_mb"] * 1e6), "call_ms": built["call_ms"]}


def _sized(measured: dict[str, Any], held: dict[str, int]) -> dict[str, Any]:
    return {**measured, "of content": round(measured["bytes"] / held["bytes"], 3)}


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=os.environ.get("HERMES_GIT_CORPUS"))
    parser.add_argument("--needles", type=Path, default=os.environ.get("HERMES_GIT_NEEDLES"))
    parser.add_argument("--scratch", type=Path, help="keep the repository here and use it again")
    parser.add_argument("--peer", metavar="PYTHON", help="a Python with hermes-agent, to measure its own store too")
    parser.add_argument("--peer-live", action="store_true", help="measure its live path as well, message by message")
    parser.add_argument("--tools", type=Path, help="the folder with ingest_peer.py and search_peer.py")
    given = parser.parse_args()
    if not given.corpus or not given.needles:
        parser.error("name a corpus and its needles")
    if (given.peer_live or given.tools) and not (given.peer and given.tools):
        parser.error("the peer takes both --peer and --tools")
    os.environ.update(IDENTITY)
    needles = json.loads(Path(given.needles).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        scratch = (given.scratch or Path(temporary)).resolve()
        result = run(Path(given.corpus), needles, scratch)
        if given.peer and given.tools:
            places = (Path(given.corpus).resolve(), Path(given.needles).resolve())
            result["peer"] = _sized(peer(given.peer, given.tools.resolve(), *places, scratch), result["content"])
            if given.peer_live:
                result["peer live"] = peer_live(given.peer, given.tools.resolve(), places[0], scratch)
        result["load at the end"] = round(os.getloadavg()[0], 1)
    print(json.dumps(result, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()

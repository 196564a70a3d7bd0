"""The measured steps of recall, each run in a process of its own so that its memory is its own."""

from __future__ import annotations

import json
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.recall_corpus import draw, rows, session
from benchmarks.recall_rivals import Fts5, measure, percentile
from hermes_git.gitrepo.repository import require
from hermes_git.recall import index, plan, query, shapes
from hermes_git.recall.search import Recall, open_recall
from hermes_git.recall.update import bring_up_to_date, optimize
from hermes_git.sessions.model import Message, Session
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS

FORMS = ("exact", "kw", "nl", "typo")
ROUNDS = 5
ADDED = 100


def peak() -> float:
    """Return the peak memory of this process in MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024, 1)


def cpu() -> float:
    """Return the CPU seconds of this process and of the git processes it waited for."""
    mine, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def size(folder: Path) -> int:
    """Return the bytes of all files of the index."""
    return sum(path.stat().st_size for path in index.place_of(require(folder)).folder.rglob("*") if path.is_file())


def build(folder: Path) -> dict[str, Any]:
    """Index everything from nothing."""
    start, wall = cpu(), time.perf_counter()
    done = bring_up_to_date(require(folder), DEFAULTS)
    taken = {"cpu_s": round(cpu() - start, 1), "wall_s": round(time.perf_counter() - wall, 1)}
    return {"sessions": done.added, **taken, "bytes": size(folder), "peak_mb": peak()}


def optimise(folder: Path) -> dict[str, Any]:
    """Merge the index into one segment."""
    start = cpu()
    optimize(require(folder))
    return {"cpu_s": round(cpu() - start, 1), "bytes": size(folder), "peak_mb": peak()}


def add_one(folder: Path, name: str) -> dict[str, Any]:
    """Add a hundred sessions to the full index one at a time: milliseconds of CPU and bytes written by each.

    The sessions are variants of stored ones; `name` sets those of one call apart from those of another.
    """
    repo = require(folder)
    store = open_store(repo, DEFAULTS)
    chosen = [found.id for found in store.sessions() if not found.id.startswith("added-")]
    taken, written = [], []
    for number, base in enumerate(chosen[:: max(1, len(chosen) // ADDED)][:ADDED]):
        stored = store.session(base)
        grown = Session(
            f"added-{name}-{number}",
            "hermes",
            started_at=stored.started_at,
            messages=_varied(stored, f"{name}{number}"),
        )
        store.write(session_files(grown), message="one more")
        before, start = _written(), cpu()
        bring_up_to_date(repo, DEFAULTS)
        taken.append(1000 * (cpu() - start))
        written.append(_written() - before)
    manifest = index.load(index.place_of(repo).folder)
    return {
        "adds": len(taken),
        "cpu_ms": round(statistics.median(taken), 1),
        "p95_cpu_ms": percentile(taken, 0.95),
        "worst_cpu_ms": round(max(taken), 1),
        "bytes": int(statistics.median(written)),
        "worst_bytes": max(written),
        "segments": len(manifest.segments) if manifest else 0,
    }


def _varied(base: Session, mark: str) -> tuple[Message, ...]:
    return tuple(Message(row.id, row.role, f"{row.content} variant{mark}") for row in base.messages)


def _written() -> int:
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar"))


def opening(folder: Path) -> dict[str, Any]:
    """Open the index: the median of several times, in milliseconds of CPU."""
    place = index.place_of(require(folder))
    taken = []
    for _ in range(9):
        start = time.process_time()
        opened = index.Index.open(place)
        taken.append(1000 * (time.process_time() - start))
        if opened:
            opened.close()
    manifest = index.load(place.folder)
    return {"cpu_ms": round(statistics.median(taken), 2), "segments": len(manifest.segments) if manifest else 0}


def facts(folder: Path, needles: list[dict[str, Any]]) -> dict[str, Any]:
    """Ask for the planted facts in their four forms: the session or its gold text among the first and first three."""
    result: dict[str, Any] = {}
    with open_recall(require(folder), DEFAULTS, update=False) as recall:
        for form in FORMS:
            taken, first, third = [], 0, 0
            for needle in needles:
                start = time.process_time()
                answer = shapes.call(recall, shapes.Parameters(needle[form]))
                taken.append(1000 * (time.process_time() - start))
                first += _is_hit(answer["results"][:1], needle)
                third += _is_hit(answer["results"][:3], needle)
            spread = {"p50": percentile(taken, 0.5), "p95": percentile(taken, 0.95)}
            result[form] = {"hit@1": first, "hit@3": third, "of": len(needles), **spread}
    return result


def _is_hit(results: list[dict[str, Any]], needle: dict[str, Any]) -> bool:
    return any(
        row["session_id"] == needle["session_id"] or needle["gold"] in json.dumps(row, ensure_ascii=False)
        for row in results
    )


def calls(folder: Path, questions: list[tuple[str, str]]) -> dict[str, Any]:
    """Time whole DISCOVERY calls: the median of a few rounds each, with the rung that answered."""
    taken, firsts, rungs, empty = [], [], {}, []
    with open_recall(require(folder), DEFAULTS, update=False) as recall:
        for kind, text in questions:
            each = []
            for _ in range(ROUNDS):
                start = time.process_time()
                answer = shapes.call(recall, shapes.Parameters(text))
                each.append(1000 * (time.process_time() - start))
            taken.append(statistics.median(each))
            firsts.append(each[0])
            rungs[f"{kind}: {text}"] = answer["rung"] or "none"
            empty += [text] if not answer["results"] else []
    spread = {"p50": percentile(taken, 0.5), "p95": percentile(taken, 0.95), "max": round(max(taken), 2)}
    cold = {"first_p50": percentile(firsts, 0.5), "first_p95": percentile(firsts, 0.95)}
    return {"queries": len(questions), **spread, **cold, "empty": empty, "peak_mb": peak(), "rungs": rungs}


def side_by_side(folder: Path, corpus: Path) -> dict[str, Any]:
    """Run the same queries here and in FTS5: ranked passages, and for phrases whole answers with their texts."""
    drawn = draw(corpus)
    rival = Fts5(corpus.parent)
    rival.drop()
    result: dict[str, Any] = {"fts5 build cpu_s": round(rival.build(corpus), 1), "fts5 bytes": rival.size()}
    with open_recall(require(folder), DEFAULTS, update=False) as recall:
        quoted = [f'"{phrase}"' for phrase in drawn.phrases]
        ours: dict[str, tuple[Callable[[str], object], list[str]]] = {
            "common word": (_ranked(recall, plan.ALL), drawn.common),
            "three words": (_ranked(recall, plan.ALL), drawn.conjunctions),
            "phrase": (recall.find, quoted),
            "many words": (_ranked(recall, plan.WEIGHTED), drawn.many_words),
        }
        theirs = {
            "common word": (rival.all_of, drawn.common),
            "three words": (rival.all_of, drawn.conjunctions),
            "phrase": (rival.phrase, drawn.phrases),
            "many words": (rival.any_of, drawn.many_words),
        }
        for name, (run, texts) in ours.items():
            match, words = theirs[name]
            mine = measure(run, texts)
            other = measure(lambda text, match=match: rival.run(match(text)), words)  # type: ignore[misc]
            ratio = {share: round(mine[share] / max(other[share], 0.01), 2) for share in ("p50", "p95")}
            result[name] = {"recall": mine, "fts5": other, "ratio": ratio}
    return result


def _ranked(recall: Recall, rung: str) -> Callable[[str], object]:
    """Return a function that ranks passages by one rung, the counterpart of a bare SELECT of row ids.

    Sources and spans of all ten are made too, as they would be to show them.
    """
    engine = recall.engines["sessions"]

    def run(text: str) -> object:
        found = next((step for step in plan.steps(query.parse(text), engine) if step.rung == rung), None)
        return list(engine.rank(replace(found.request, limit=10)).found) if found else None

    return run


def content(corpus: Path) -> dict[str, int]:
    """Return what the corpus holds: sessions, messages, bytes of content and of arguments of calls."""
    found = {"sessions": 0, "messages": 0, "bytes": 0}
    for row in rows(corpus):
        made = session(row)
        found["sessions"] += 1
        found["messages"] += len(made.messages)
        for message in made.messages:
            calls_made = sum(len(call.arguments.encode()) for call in message.tool_calls)
            found["bytes"] += len(message.content.encode()) + calls_made
    return found

"""Measure compression beside tokenising alone and, where it is installed, beside hermes-agent's compressor.

    python -m benchmarks.compress --rows ROWS.jsonl [--tokenizer FOLDER] [--peer PYTHON] [--budget 15250]

ROWS holds Hermes trajectories. FOLDER holds a tokenizer.json that both sides can load. PYTHON is the interpreter of
an environment with hermes-agent and transformers; its summariser is a stub on the loopback address that answers at
once. CPU seconds of the compressing process (and its workers), without imports and start-up; best of `--times`.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hermes_git import files
from hermes_git.export.compress_files import CompressJob, Totals, compress_file, spread
from hermes_git.tokens import choose
from hermes_git.trajectories.compress import Options

PEER = """
import asyncio, json, os, resource, shutil, sys, tempfile, time
from pathlib import Path
from trajectory_compressor import CompressionConfig, TrajectoryCompressor
rows, tokenizer, url, budget = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
config = CompressionConfig(tokenizer_name=tokenizer, trust_remote_code=False, target_max_tokens=budget, base_url=url,
                           api_key_env="STUB_KEY")
compressor = TrajectoryCompressor(config)
with tempfile.TemporaryDirectory() as scratch:
    source, target = Path(scratch) / "in", Path(scratch) / "out"
    source.mkdir()
    shutil.copy(rows, source / "rows.jsonl")
    before, wall = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    compressor.process_directory(source, target)
    after, wall = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter() - wall
    out = sum(1 for path in target.glob("*.jsonl") for _ in path.open())
cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print("RESULT " + json.dumps({"cpu": cpu, "wall": wall, "rss_mb": after.ru_maxrss / 1024, "rows_out": out}))
"""
SUMMARY = "[CONTEXT SUMMARY]: " + " ".join(f"It read file {n} and found value {n * 7}." for n in range(60))


class Stub(http.server.BaseHTTPRequestHandler):
    """Answers every chat request with the same summary."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer one request."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": SUMMARY}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {"id": "x", "object": "chat.completion", "created": 1, "model": "stub", "choices": [message]}
        body = json.dumps(reply | {"usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def used() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def timed(step: Callable[[], object]) -> dict[str, float]:
    """Run a step and return its CPU and wall seconds."""
    cpu, wall = used(), time.perf_counter()
    step()
    return {"cpu": used() - cpu, "wall": time.perf_counter() - wall}


def tokenise(rows: Path, tokenizer: str) -> None:
    """Count every turn once: what any compressor has to do at the least."""
    counter = choose.counter(tokenizer)
    for _, line in files.read_lines(rows):
        for turn in json.loads(line)["conversations"]:
            counter.tokenize(turn["value"])


def ours(rows: Path, tokenizer: str, budget: int, workers: int) -> None:
    """Compress the rows into a scratch file."""
    with tempfile.TemporaryDirectory() as scratch:
        totals = Totals()
        step = spread(CompressJob(Options(budget), tokenizer), workers)
        compress_file(rows, Path(scratch) / "out.jsonl", step, totals)
        assert totals.rows_in == totals.rows_out


def peer(rows: Path, python: str, tokenizer: Path, budget: int) -> dict[str, float]:
    """Run hermes-agent's compressor in its own environment."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "STUB_KEY": "none", "HERMES_HOME": home, "HF_HUB_OFFLINE": "1"}
        command = [python, "-c", PEER, str(rows.resolve()), str(tokenizer.resolve()), url, str(budget)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, cwd=home)
    server.shutdown()
    found = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not found:
        sys.exit(f"the other compressor failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    result: dict[str, float] = json.loads(found[-1].removeprefix("RESULT "))
    return result


def best(step: Callable[[], dict[str, float]], times: int) -> dict[str, float]:
    """Return the run that took the least CPU."""
    return min((step() for _ in range(times)), key=lambda one: one["cpu"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--peer", metavar="PYTHON")
    parser.add_argument("--budget", type=int, default=15250)
    parser.add_argument("--times", type=int, default=2)
    args = parser.parse_args()
    megabytes = args.rows.stat().st_size / 1e6
    found: dict[str, dict[str, float]] = {}
    names = {"tiktoken": "cl100k_base"} | ({"tokenizers": str(args.tokenizer)} if args.tokenizer else {})
    for label, name in names.items():
        found[f"tokenise once, {label}"] = best(lambda name=name: timed(lambda: tokenise(args.rows, name)), args.times)
        for workers in (1, 2):
            found[f"compress, {label}, {workers} worker(s)"] = best(
                lambda name=name, workers=workers: timed(lambda: ours(args.rows, name, args.budget, workers)),
                args.times,
            )
    if args.peer and args.tokenizer:
        found["hermes-agent, tokenizers"] = best(
            lambda: peer(args.rows, args.peer, args.tokenizer, args.budget), args.times
        )
    print(f"{megabytes:.1f} MB, budget {args.budget}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for label, one in found.items():
        print(f"{label:34} {_cpu(label, one['cpu'], megabytes)} {one['wall']:7.2f} s")
    print(json.dumps(ratios(found), indent=1))


def _cpu(label: str, seconds: float, megabytes: float) -> str:
    """Write CPU seconds, which nobody counts for workers that a fork server started."""
    return " " * 28 if "2 worker" in label else f"{seconds:7.2f} CPU-s {megabytes / seconds:6.2f} MB/CPU-s"


def ratios(found: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return the figures that are promised, as ratios of one run."""
    other = found.get("hermes-agent, tokenizers")
    one, two = (found.get(f"compress, tokenizers, {workers} worker(s)") for workers in (1, 2))
    fast = found["compress, tiktoken, 1 worker(s)"]
    made = {"total / tokenising once (tiktoken)": fast["cpu"] / found["tokenise once, tiktoken"]["cpu"]}
    if other and one and two:
        made["hermes-agent / ours, CPU, same tokenizer"] = other["cpu"] / one["cpu"]
        made["hermes-agent / ours, wall, two workers"] = other["wall"] / two["wall"]
        made["hermes-agent / ours with tiktoken, CPU"] = other["cpu"] / fast["cpu"]
    return {label: round(value, 2) for label, value in made.items()}


if __name__ == "__main__":
    main()

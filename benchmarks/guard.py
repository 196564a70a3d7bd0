"""Score a scanner of skills over labelled sets: recall by stratum, false blocks, hard negatives, mutations, time.

Usage: python benchmarks/guard.py DATA [--floors] [--misses] [--blocks] [--only STRATUM,…]

DATA holds `malicious.jsonl.gz`, `benign.jsonl.gz`, `benign-hard*.jsonl.gz`, `mutation.jsonl.gz`, `dual-use.jsonl.gz`:
skills as inert text, one a line. A skill counts as blocked by an error of the security families alone; specification,
gate and curator findings do not count. Nothing of a skill is run, imported or written to disk.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hermes_git.checks.run import scan
from hermes_git.commands.garbage import collect_rarely
from hermes_git.document import Document
from hermes_git.finding import ERROR, Finding

SELECT = ("HG1", "HG3", "HG4", "HG5", "HG6", "HG9")
UNREAD = ("ksec-social", "ksec-augmented", "cisco-evals", "skillspector-fixtures")
"""Strata that nobody looked into while the rules were written."""

WHOLE = ("asb-bench", "wild-heads")
FLOORS = {"false blocks": 2.0, "hard negatives": 0, "mutations": 90.0, "macro recall": 40.0}

PEERS = (
    ("Cisco skill-scanner 2.3.2", 29.1, 12.8),
    ("Hermes skills_guard 0.19", 34.7, 32.9),
    ("skillsentinel 0.3.5", 17.0, 5.4),
    ("skilltotal 0.84", 11.7, 0.6),
)
"""Other tools over the whole of these sets: name, macro recall, false blocks, both in per cent."""

Skill = dict[str, Any]


def skills(path: Path) -> Iterator[Skill]:
    """Yield the labelled skills of one file."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def documents(skill: Skill) -> list[Document]:
    """Return the files of a skill below a folder of its name."""
    root = skill["id"].rsplit("/", 1)[-1]
    found = []
    for file in skill["files"]:
        text, encoded = file.get("text"), file.get("base64", "")
        data = base64.b64decode(encoded) if text is None else text.encode("utf-8", "surrogateescape")
        found.append(Document(f"{root}/{file['path']}", data, file["mode"]))
    return found


def blocking(skill: Skill) -> tuple[Finding, ...]:
    """Return the findings that would keep this skill out when it comes from a stranger."""
    done = scan(documents(skill), trust="community", select=SELECT)
    return tuple(finding for finding in done.findings if finding.severity == ERROR)


class Tally:
    """How many skills of each stratum were blocked, by which findings, and how long they took."""

    def __init__(self) -> None:
        self.total: dict[str, int] = defaultdict(int)
        self.blocked: dict[str, int] = defaultdict(int)
        self.missed: list[str] = []
        self.caught: list[tuple[str, tuple[Finding, ...]]] = []
        self.seconds: list[float] = []

    def run(self, path: Path, only: tuple[str, ...]) -> Tally:
        """Scan every skill of a file."""
        for skill in skills(path) if path.exists() else ():
            if only and skill["stratum"] not in only:
                continue
            start = time.process_time()
            found = blocking(skill)
            self.seconds.append(time.process_time() - start)
            self.total[skill["stratum"]] += 1
            self.blocked[skill["stratum"]] += bool(found)
            if found:
                self.caught.append((skill["id"], found))
            else:
                self.missed.append(skill["id"])
        return self

    @property
    def rate(self) -> float:
        """Return the share of blocked skills in per cent."""
        total = sum(self.total.values())
        return 100 * sum(self.blocked.values()) / total if total else 0.0

    def macro(self, strata: tuple[str, ...] = ()) -> float:
        """Return the mean of the rates of the strata in per cent."""
        chosen = strata or tuple(self.total)
        rates = [100 * self.blocked[name] / self.total[name] for name in chosen if self.total[name]]
        return sum(rates) / len(rates) if rates else 0.0


def main() -> int:
    """Score and print; with --floors, fail when a floor is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--floors", action="store_true", help="exit with 1 when a floor is missed")
    parser.add_argument("--misses", action="store_true", help="list malicious skills that pass")
    parser.add_argument("--blocks", action="store_true", help="list harmless skills that are blocked, and why")
    parser.add_argument("--only", default="", help="strata to scan, separated by commas")
    options = parser.parse_args()
    only = tuple(part for part in options.only.split(",") if part)
    collect_rarely()  # as the command line does
    named = ("malicious", "benign", "benign-hard", "benign-hard-ours", "mutation", "dual-use")
    tallies = {name: Tally().run(options.data / f"{name}.jsonl.gz", only) for name in named}
    report(tallies)
    if options.misses:
        print("\npassed:", *tallies["malicious"].missed, *tallies["mutation"].missed, sep="\n  ")
    if options.blocks:
        for name in ("benign", "benign-hard", "benign-hard-ours"):
            for id, found in tallies[name].caught:
                print(id, *(f"{f.check} {f.path}:{f.line} {f.message}" for f in found), sep="\n  ")
    return 1 if options.floors and missed_floors(tallies) else 0


def report(tallies: dict[str, Tally]) -> None:
    """Print the table."""
    malicious, benign = tallies["malicious"], tallies["benign"]
    for name in sorted(malicious.total):
        mark = " (unread)" if name in UNREAD else ""
        print(f"{name + mark:34} {malicious.blocked[name]:4} of {malicious.total[name]:4}")
    read = tuple(name for name in malicious.total if name not in UNREAD)
    print(f"macro recall {malicious.macro():.1f} %, over strata read {malicious.macro(read):.1f} %, ", end="")
    print(f"unread {malicious.macro(UNREAD):.1f} %; all samples {malicious.rate:.1f} %")
    for name in sorted(benign.total):
        print(f"  false blocks {name:20} {benign.blocked[name]:4} of {benign.total[name]:4}")
    print(f"false blocks {benign.rate:.1f} %")
    print(f"hard negatives blocked {hard(tallies)} of {sum(sum(tallies[n].total.values()) for n in HARD)}")
    print(f"mutations {tallies['mutation'].rate:.1f} %, dual use {tallies['dual-use'].rate:.1f} % (no target)")
    seconds = sorted(benign.seconds)
    if seconds:
        print(f"CPU a harmless skill: mean {1000 * sum(seconds) / len(seconds):.0f} ms, ", end="")
        print(f"median {1000 * seconds[len(seconds) // 2]:.0f} ms, slowest {1000 * seconds[-1]:.0f} ms")
    for name, recall, blocks in PEERS:
        print(f"  beside: {name:28} macro {recall:.1f} %, false blocks {blocks:.1f} %")


HARD = ("benign-hard", "benign-hard-ours")


def hard(tallies: dict[str, Tally]) -> int:
    """Return how many hard negatives were blocked."""
    return sum(sum(tallies[name].blocked.values()) for name in HARD)


def missed_floors(tallies: dict[str, Tally]) -> list[str]:
    """Return the floors that the scores do not reach, printing each."""
    malicious = tallies["malicious"]
    missed = []
    if tallies["benign"].rate > FLOORS["false blocks"]:
        missed.append("false blocks")
    if hard(tallies) > FLOORS["hard negatives"]:
        missed.append("hard negatives")
    if tallies["mutation"].rate < FLOORS["mutations"]:
        missed.append("mutations")
    if malicious.macro() < FLOORS["macro recall"]:
        missed.append("macro recall")
    missed += [name for name in WHOLE if malicious.blocked[name] < malicious.total[name]]
    for name in missed:
        print(f"below the floor: {name}", file=sys.stderr)
    return missed


if __name__ == "__main__":
    sys.exit(main())

"""How well the curator tells the disused and the duplicate from what only looks it, and how long a plan takes.

    python benchmarks/curator.py [--seed 1] [--data FOLDER]

Prints precision and recall on 40 duplicate and 40 look-alike pairs of skills (from a stock, and from real skills when
there is a folder of histories) and on 50 stale and 50 fresh memory entries. Exit status 1 below a floor of 0.9.
With real histories also the time of a whole plan, caches cold; bound 10 s of processor time each.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import curator_sets as sets

from hermes_git.curator import run
from hermes_git.curator.consolidate import alike
from hermes_git.curator.entry_life import RETIRE
from hermes_git.curator.facts import SkillFacts
from hermes_git.document import Document
from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.knowledge.skill import read_skill
from hermes_git.settings import DEFAULTS, CuratorSettings, Paths, Settings

FLOOR, SECONDS = 0.9, 10.0
DAY = 86_400
NOW = 1_796_000_000
HISTORIES = {
    "skills-jk": Paths(".hermes/memories", ".hermes/skills", ".hermes/skills/.archive", "waivers.toml", "curator"),
    "hermes-agent-skills": Paths("memory", "skills", "archive", "waivers.toml", "curator"),
    "trailofbits-skills": Paths("memory", "plugins", "archive", "waivers.toml", "curator"),
}


def scores(found: set[str], wanted: set[str]) -> tuple[float, float]:
    """Return precision and recall."""
    hit = len(found & wanted)
    return (hit / len(found) if found else 0.0), (hit / len(wanted) if wanted else 0.0)


def tell(name: str, found: set[str], wanted: set[str], every: Iterable[str]) -> bool:
    """Print one line, and what was wrong; return whether both floors hold."""
    precision, recall = scores(found, wanted)
    held = precision >= FLOOR and recall >= FLOOR
    print(f"{name:24} precision {precision:.3f}  recall {recall:.3f}  {'ok' if held else 'BELOW THE FLOOR'}")
    for item in sorted(every):
        if (item in found) != (item in wanted):
            print(f"    {'missed' if item in wanted else 'wrong'}: {item}")
    return held


def facts_of(root: str, text: str) -> SkillFacts:
    """Read one skill of a pair."""
    return SkillFacts(read_skill(root, [Document(f"{root}/SKILL.md", text.encode())]), root, "t")


def judge_pairs(name: str, pairs: list[sets.Pair], threshold: float) -> bool:
    """Judge all pairs in one space of words, as in a repository that holds all of them."""
    skills: dict[str, SkillFacts] = {}
    for number, pair in enumerate(pairs):
        for side, text in (("one", pair.one), ("other", pair.other)):
            skills[f"{number:03}/{side}"] = facts_of(f"{number:03}/{side}", text)
    together = {pairs[int(pair.one[:3])].name for pair in alike(skills, threshold) if pair.one[:3] == pair.other[:3]}
    wanted = {pair.name for pair in pairs if pair.is_duplicate}
    return tell(name, together, wanted, [pair.name for pair in pairs])


def judge_entries(seed: int, folder: Path) -> bool:
    """Commit the entries and the files they name, take the files away, and let a whole run judge."""
    facts, before, after = sets.facts(seed, 50)
    repo = create.create(folder)
    create.configure(repo, {"user.name": "bench", "user.email": "bench@example.invalid"})
    old = [fact for fact in facts if fact.kind not in ("new", "covering")]
    commit(repo, before, old, 200)
    for path in set(before) - set(after):
        (folder / path).unlink()
    commit(repo, {}, facts, 100)
    settings = replace(DEFAULTS, curator=CuratorSettings(max_steps=200))
    made = run.prepare(repo, str(repo.ask("rev-parse", "HEAD")), settings, now=NOW)
    retired = {row.facts.text for row in made.plan.entries if row.state == RETIRE}
    wanted = {fact.text for fact in facts if fact.is_stale}
    return tell("memory entries", retired, wanted, [fact.text for fact in facts])


def commit(repo: Repository, files: dict[str, str], facts: list[sets.Fact], days: int) -> None:
    """Write files and the memory file and commit them on a day, as an agent."""
    texts = {**files, "knowledge/memory/MEMORY.md": "\n§\n".join(fact.text for fact in facts)}
    for path, text in texts.items():
        target = repo.work_tree() / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    date = f"{NOW - days * DAY} +0000"
    repo.git("add", "-A")
    message = "facts\n\nCo-authored-by: Claude <noreply@anthropic.com>"
    repo.git("commit", "-q", "-m", message, env={"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date})


def plan_time(name: str, paths: Paths, bundle: Path, folder: Path) -> bool:
    """Clone a real history and time a whole plan on it, caches cold."""
    here = create.create(folder / "here")
    here.git("clone", "-q", "-b", "main", str(bundle), str(folder / name))
    repo = require(folder / name, clean=True)
    settings = Settings(paths=paths, curator=CuratorSettings(person_authored=True))
    now = int(repo.ask("log", "-1", "--format=%ct") or 0) + 100 * DAY
    start, busy = time.perf_counter(), cpu()
    made = run.prepare(repo, str(repo.ask("rev-parse", "HEAD")), settings, now=now)
    took, busy = time.perf_counter() - start, cpu() - busy
    size = f"{len(made.snapshot.skills)} skills, {len(made.snapshot.entries)} entries"
    print(f"{name:24} {size}: a plan takes {took:.1f} s, {busy:.1f} s of them on the processor")
    return busy <= SECONDS


def cpu() -> float:
    """Return the processor time of this process and of the git processes it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main() -> int:
    """Run everything there is data for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=os.environ.get("HERMES_GIT_DATA") or None)
    options = parser.parse_args()
    threshold = DEFAULTS.curator.similarity
    held = [judge_pairs("skills from the stock", list(sets.stock_pairs(options.seed, 40)), threshold)]
    with tempfile.TemporaryDirectory() as scratch:
        held.append(judge_entries(options.seed, Path(scratch) / "entries"))
        for name, paths in HISTORIES.items() if options.data else ():
            bundle = Path(options.data) / "knowledge" / f"{name}-md.bundle"
            held.append(plan_time(name, paths, bundle, Path(scratch)))
            found = sorted((Path(scratch) / name).rglob("SKILL.md"))
            held.append(judge_pairs(f"skills from {name}", list(sets.real_pairs(options.seed, 40, found)), threshold))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())

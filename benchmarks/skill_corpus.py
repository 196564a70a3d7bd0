"""What this tool makes of real skills: read, edited, mended, judged by hosts, compared with the reference validator.

HERMES_GIT_DATA=FOLDER PYTHONPATH=. python benchmarks/skill_corpus.py [--generated 20000]
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from pathlib import Path

from hermes_git.document import Document
from hermes_git.knowledge import agentskills, fixes, hosts, splice
from hermes_git.knowledge.frontmatter import BadHeader, read
from hermes_git.knowledge.seen import see
from tests.knowledge.frontmatters import FOLDERS, document
from tests.knowledge.real_skills import skill_files


def refused_by_reader(rows: list[tuple[str, bytes]]) -> Counter[str]:
    """Count why headers cannot be read."""
    counts: Counter[str] = Counter()
    for _, content in rows:
        try:
            read(content.decode("utf-8", "replace").removeprefix("\ufeff"))
        except BadHeader as error:
            counts[error.problem.message] += 1
    return counts


def edits(rows: list[tuple[str, bytes]]) -> tuple[int, int]:
    """Set every key of every header once; return how many edits, and how many changed a line outside their key."""
    done = wrong = 0
    for _, content in rows:
        text = content.decode("utf-8", "replace")
        try:
            header = read(text.removeprefix("\ufeff"))
        except BadHeader:
            continue
        for key in header.values:
            after = splice.set_value(text, (key,), "a new value: here")
            wrong += not _is_only(key, header.lines, text.split("\n"), after.split("\n"))
            done += 1
    return done, wrong


def _is_only(key: str, lines: dict[str, int], old: list[str], new: list[str]) -> bool:
    following = [line for line in lines.values() if line > lines[key]]
    first = lines[key] - 1
    rest = len(old) - min(following) + 1 if following else None
    return old[:first] == new[:first] and (rest is None or old[len(old) - rest :] == new[len(new) - rest :])


def agreement(cases: list[tuple[str, bytes]]) -> tuple[int, int]:
    """Return how many cases the reference validator passes, and on how many the two do not agree."""
    import skills_ref

    valid = apart = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder, content in cases:
            target = Path(scratch) / folder
            target.mkdir(exist_ok=True)
            (target / "SKILL.md").write_bytes(content)
            try:
                said = not skills_ref.validate(target)
            except (UnicodeDecodeError, AttributeError, AssertionError):
                said = False
            valid += said
            apart += said == bool(agentskills.judge(folder, content))
    return valid, apart


def mends(rows: list[tuple[str, bytes]]) -> None:
    """Print for each host how many skills it refuses before and after the safe mends."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for path, content in rows:
        root = path.rsplit("/", 1)[0]
        done = fixes.mend(content.decode("utf-8", "replace"), root.rsplit("/", 1)[-1])
        changed = done[-1].text.encode("utf-8") if done else content
        for data, counts in ((content, before), (changed, after)):
            judged = hosts.judge(see(root, (Document(path, data),)))
            counts.update(host for host, remarks in judged.items() if hosts.verdict(remarks) == "refused")
    for host in hosts.HOSTS:
        print(f"  {host:<12} refuses {before[host]:>5,} before, {after[host]:>5,} after")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generated", type=int, default=20_000)
    options = parser.parse_args()
    rows = list(skill_files(Path(os.environ["HERMES_GIT_DATA"])))
    counts = refused_by_reader(rows)
    print(f"{len(rows):,} SKILL.md, {sum(counts.values())} cannot be read: {dict(counts)}")
    print("{:,} edits of one key, {} of them changed another line".format(*edits(rows)))
    real = agreement([(path.split("/")[-2], content) for path, content in rows])
    print(f"reference validator on real skills: {real[0]:,} valid, {real[1]} not agreed")
    dice = random.Random(7)
    made = [(dice.choice(FOLDERS), document(dice).encode("utf-8")) for _ in range(options.generated)]
    valid, apart = agreement(made)
    print(f"reference validator on {len(made):,} generated headers: {valid:,} valid, {apart} not agreed")
    print("safe mends:")
    mends(rows)


if __name__ == "__main__":
    main()

"""A pull request of real size, made the same way every time: ten skills and twelve memory entries, by two agents.

`python -m tests.review_example` writes docs/review/ anew; a test holds the recorded text to what the code says today.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from hermes_git.gitrepo.read import blob_id
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.changes import classify
from hermes_git.knowledge.entries import entry_id
from hermes_git.provenance.change import Actor, Change
from hermes_git.provenance.ledger import Use
from hermes_git.provenance.spool import record_use

DOCS = Path(__file__).parent.parent / "docs" / "review"
MEMORY, USER = "knowledge/memory/MEMORY.md", "knowledge/memory/USER.md"
OLD_MEMORY = "knowledge/archive/MEMORY.md"
SKILLS = "knowledge/skills"
CLAUDE, CODEX = Actor("agent", "claude-code"), Actor("agent", "codex")
ALICE = Actor("person", "alice")

SKILL = """---
name: {name}
description: {description}
{more}---

# {title}

{intro}

## When to Use

{when}

## Procedure

{steps}
"""


def skill(name: str, description: str, when: str, *steps: str, more: str = "", end: str = "") -> str:
    """Write a skill the way people write them."""
    numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    title = name.replace("-", " ").capitalize()
    text = SKILL.format(
        name=name,
        description=description,
        more=more,
        title=title,
        when=f"- {when}",
        intro=description.split(".", maxsplit=1)[0] + ".",
        steps=numbered,
    )
    return text + end


PITFALLS = (
    "\n## Pitfalls\n\n- Never delete the old release before the new one answers.\n"
    "- The cache keeps a page for an hour.\n"
)

BASE = {
    MEMORY: "\n§\n".join(
        (
            "The staging server runs Postgres 15 on port 5433",
            "Deployments happen on Tuesdays, never on Fridays",
            "The build needs Node 20; 22 breaks the image optimiser",
            "Integration tests take about 12 minutes on CI",
            "The old wiki at wiki.example.invalid is read-only",
            "Use `make check` before every push",
        )
    ),
    USER: "Prefers short answers with the command first\n§\nSpeaks German and English",
    OLD_MEMORY: "",
    "hermes-git.toml": "format = 1\n",
    "knowledge/waivers.toml": "format = 1\n",
    f"{SKILLS}/web/deploy-site/SKILL.md": skill(
        "deploy-site",
        "Deploys the site. Use when a release is ready.",
        "A release is tagged and green.",
        "Run `make release`.",
        "Wait for the health check.",
        end=PITFALLS,
    ),
    f"{SKILLS}/web/link-check/SKILL.md": skill(
        "link-check",
        "Checks links. Use when a page changes.",
        "A page was edited.",
        "Run `make links`.",
        "Mend what is broken.",
    ),
    f"{SKILLS}/data/load-sheet/SKILL.md": skill(
        "load-sheet",
        "Loads a sheet into the database. Use on new sheets.",
        "A new sheet arrives.",
        "Run `python scripts/load.py SHEET`.",
        "Compare the counts.",
    ),
    f"{SKILLS}/data/load-sheet/scripts/load.py": (
        "import csv\nimport sys\n\nprint(len(list(csv.reader(open(sys.argv[1])))))\n"
    ),
    f"{SKILLS}/ops/rotate-logs/SKILL.md": skill(
        "rotate-logs",
        "Rotates logs. Use when the disk fills up.",
        "The disk is over 80 % full.",
        "Run `logrotate -f`.",
        "Look at `df -h`.",
    ),
    f"{SKILLS}/ops/restart-worker/SKILL.md": skill(
        "restart-worker",
        "Restarts a stuck worker. Use on a stuck queue.",
        "The queue grows.",
        "Find the worker.",
        "Restart it.",
        "See that the queue shrinks.",
    ),
    f"{SKILLS}/docs/write-changelog/SKILL.md": skill(
        "write-changelog",
        "Writes the changelog. Use before a release.",
        "A release is prepared.",
        "List what changed.",
        "Say what it means for users.",
    ),
}

LOAD = (
    "import csv\nimport os\nimport sys\nimport urllib.request\n\nrows = list(csv.reader(open(sys.argv[1])))\n"
    "urllib.request.urlopen('https://sheets.example.invalid/done', data=str(len(rows)).encode())\n"
    "print(os.environ.get('SHEET_MODE'), len(rows))\n"
)

STEPS: tuple[tuple[str, Actor, str, dict[str, str | None]], ...] = (
    (
        "learn from the release of November",
        CLAUDE,
        "20261102_091500_c1a2b3",
        {
            MEMORY: "\n§\n".join(
                (
                    "The staging server runs Postgres 16 on port 5433",
                    "Deployments happen on Tuesdays, never on Fridays",
                    "The build needs Node 20; 22 breaks the image optimiser",
                    "Integration tests take about 7 minutes on CI since the cache was added",
                    "Use `make check` before every push",
                    "The release notes are written by hand, not generated",
                    "The health check answers on /healthz within 30 seconds",
                    "Rollbacks use the previous image tag, not a revert",
                )
            ),
            USER: "\n§\n".join(
                (
                    "Prefers short answers with the command first",
                    "Speaks German and English",
                    "Reviews pull requests in the morning",
                )
            ),
            OLD_MEMORY: "The old wiki at wiki.example.invalid is read-only",
            f"{SKILLS}/web/deploy-site/SKILL.md": skill(
                "deploy-site",
                "Deploys the site. Use when a release is ready.",
                "A release is tagged and green.",
                "Run `make release`.",
                "Wait for `curl -fsS https://site.example.invalid/healthz`.",
                "Write the release notes.",
                end="\n## Pitfalls\n\n- The cache keeps a page for an hour.\n",
            ),
            f"{SKILLS}/web/roll-back/SKILL.md": skill(
                "roll-back",
                "Rolls a release back. Use when a release misbehaves.",
                "The health check fails after a release.",
                "Find the previous tag: `git tag --sort=-creatordate`.",
                "Run `make release TAG=…`.",
            ),
            f"{SKILLS}/web/link-check/SKILL.md": skill(
                "link-check",
                "Checks links. Use when a page or a heading changes.",
                "A page or a heading was edited.",
                "Run `make links`.",
                "Mend what is broken.",
                "Run it again.",
            ),
        },
    ),
    (
        "learn to load sheets over the network",
        CODEX,
        "rollout-2026-11-03-7f21",
        {
            f"{SKILLS}/data/load-sheet/SKILL.md": skill(
                "load-sheet",
                "Loads a sheet into the database. Use on new sheets.",
                "A new sheet arrives.",
                "Run `python scripts/load.py SHEET`.",
                "Compare the counts.",
                more="allowed-tools: Bash(python:*) Read\n",
            ),
            f"{SKILLS}/data/load-sheet/scripts/load.py": LOAD,
            f"{SKILLS}/data/clean-sheet/SKILL.md": skill(
                "clean-sheet",
                "Cleans a sheet. Use before loading one.",
                "A sheet has empty rows.",
                "Drop empty rows.",
                "Trim the columns.",
            ),
            f"{SKILLS}/data/diff-sheets/SKILL.md": skill(
                "diff-sheets",
                "Compares two sheets. Use when a sheet was sent again.",
                "A sheet arrives twice.",
                "Sort both by key.",
                "Run `diff`.",
            ),
            MEMORY: "\n§\n".join(
                (
                    "The staging server runs Postgres 16 on port 5433",
                    "Deployments happen on Tuesdays, never on Fridays",
                    "The build needs Node 20; 22 breaks the image optimiser",
                    "Integration tests take about 7 minutes on CI since the cache was added",
                    "Use `make check` before every push",
                    "The release notes are written by hand, not generated",
                    "The health check answers on /healthz within 30 seconds",
                    "Rollbacks use the previous image tag, not a revert",
                    "Sheets come with a byte order mark",
                    "Sheets use a semicolon between columns",
                    "The sheet of the warehouse has two header rows",
                    "The health check answers on /healthz within 60 seconds",
                    "The warehouse sends sheets at 06:00 UTC",
                )
            ),
        },
    ),
    (
        "tidy operations",
        ALICE,
        "",
        {
            f"{SKILLS}/ops/rotate-logs/SKILL.md": None,
            "knowledge/archive/ops/rotate-logs@20261104-0a1b2c3/SKILL.md": BASE[f"{SKILLS}/ops/rotate-logs/SKILL.md"],
            f"{SKILLS}/ops/restart-worker/SKILL.md": None,
            f"{SKILLS}/queue/restart-worker/SKILL.md": BASE[f"{SKILLS}/ops/restart-worker/SKILL.md"],
            f"{SKILLS}/docs/write-changelog/SKILL.md": skill(
                "write-changelog",
                "Writes the changelog. Use before a release.",
                "A release is prepared.",
                "List what changed: `git log --oneline LAST..`.",
                "Say what it means for users.",
            ),
            f"{SKILLS}/ops/disk-report/SKILL.md": skill(
                "disk-report",
                "Reports disk use. Use when the disk fills up.",
                "The disk is over 80 % full.",
                "Run `df -h`.",
                "Name the three largest folders.",
            ),
        },
    ),
)


USES = (
    Use(1_793_000_000, "skill", "web/deploy-site", "applied"),
    Use(1_793_100_000, "skill", "web/deploy-site", "corrected"),
    Use(1_793_200_000, "skill", "data/load-sheet", "applied"),
    Use(1_793_000_000, "entry", "memory", "viewed", entry_id("The staging server runs Postgres 15 on port 5433")),
)
"""What the ledger knows of the time before the branch."""


def build(repo: Repository) -> tuple[str, str]:
    """Make the repository and return the ends of the range; the same ids on every machine."""
    base = _commit(repo, BASE, "start", 0)
    for number, (subject, actor, session, files) in enumerate(STEPS, 1):
        lines = "\n".join(change.line() for change in _lines(repo, files, actor, session))
        tip = _commit(repo, files, f"{subject}\n\n{lines}", number)
    for use in USES:
        record_use(repo, use)
    return base, tip


def _lines(repo: Repository, files: Mapping[str, str | None], actor: Actor, session: str) -> list[Change]:
    """Declare what a careful agent does: entries with their evidence, and each skill that it wrote."""
    found = [
        change for path in (MEMORY, USER) if path in files for change in _entries(repo, path, files, actor, session)
    ]
    for path, text in files.items():
        if path.endswith("/SKILL.md") and path.startswith(f"{SKILLS}/"):
            key = path.removeprefix(f"{SKILLS}/").removesuffix("/SKILL.md")
            old = repo.work_tree() / path
            before = blob_id(repo, old.read_bytes())[:12] if old.exists() else ""
            after = blob_id(repo, text.encode())[:12] if text is not None else ""
            action = "delete" if not after else "edit" if before else "create"
            found.append(Change(action, key, before, after, actor, session))
    return found


def _entries(
    repo: Repository, path: str, files: Mapping[str, str | None], actor: Actor, session: str
) -> Iterator[Change]:
    old = (repo.work_tree() / path).read_text(encoding="utf-8").split("\n§\n")
    new = (files[path] or "").split("\n§\n")
    target = "memory" if path == MEMORY else "user"
    for change in classify(old, new):
        if change.action == "remove" and change.before[0] in (files.get(OLD_MEMORY) or ""):
            name = entry_id(change.before[0])
            yield Change("archive", target, name, name, actor, session, {"reason": "the wiki was moved"})
        if change.action != "move" and change.after:
            before = entry_id(change.before[0]) if change.before else ""
            extra = {"evidence": f"{session}#14", "quote": change.after[0][:40]}
            yield Change(change.action, target, before, entry_id(change.after[0]), actor, session, extra)


def _commit(repo: Repository, files: Mapping[str, str | None], message: str, number: int) -> str:
    for path, text in files.items():
        target = repo.work_tree() / path
        if text is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
    repo.git("add", "-A")
    person = {"NAME": "Example", "EMAIL": "example@example.invalid", "DATE": f"2026-11-0{number + 1}T09:00:00Z"}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    repo.git("-c", f"core.hooksPath={os.devnull}", "-c", "commit.gpgSign=false", "commit", "-q", "-m", message, env=env)
    return repo.git("rev-parse", "HEAD").decode().strip()


def main() -> None:
    """Write the recorded review."""
    from hermes_git.cli import main as run

    with tempfile.TemporaryDirectory() as scratch:
        from hermes_git.gitrepo import create

        repo = create.create(Path(scratch) / "repo")
        base, tip = build(repo)
        for form, name in (("markdown", "review.md"), ("html", "review.html")):
            with (DOCS / name).open("w", encoding="utf-8", newline="") as target:
                kept, sys.stdout = sys.stdout, target
                try:
                    run(
                        [
                            "-C",
                            str(repo.work_tree()),
                            "review",
                            "--range",
                            f"{base}..{tip}",
                            "--format",
                            form,
                            "--now",
                            "2026-11-29",
                        ]
                    )
                finally:
                    sys.stdout = kept


if __name__ == "__main__":
    main()

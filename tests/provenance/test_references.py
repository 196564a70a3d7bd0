"""Who names a skill: words that mean it, words that do not, and catalogues that mean nothing by it."""

from __future__ import annotations

import pytest

from hermes_git.document import Document
from hermes_git.provenance.references import find

ROOTS = {"skills/dev/deploy": "deploy", "skills/dev/release-notes": "release-notes", "skills/ops/deploy": "deploy"}
DEV, NOTES, OPS = ROOTS

FIRES = [
    (".github/workflows/ci.yml", "run: agent --skill release-notes", [NOTES], "job"),
    (".github/workflows/ci.yml", "skill: deploy", [DEV, OPS], "job"),
    ("AGENTS.md", "Load the `deploy` skill first.", [DEV, OPS], "instructions"),
    ("AGENTS.md", "See skills/dev/deploy/SKILL.md.", [DEV], "instructions"),
    ("AGENTS.md", "Use ops/deploy for that.", [OPS], "instructions"),
    ("skills/dev/other/SKILL.md", "related: release-notes", [NOTES], "skill"),
    ("tools/run.py", "SKILL = 'release-notes'", [NOTES], "code"),
    ("README.md", "the deploy skill", [DEV, OPS], "prose"),
    ("cron/jobs.json", '{"skill": "deploy"}', [DEV, OPS], "job"),
]
QUIET = [
    ("AGENTS.md", "We deploy on Mondays."),
    ("AGENTS.md", "redeploy the undeployed deploys"),
    ("AGENTS.md", "pre-release-notes-x is something else"),
    ("skills/dev/deploy/SKILL.md", "`deploy` itself"),
]


@pytest.mark.parametrize(("path", "text", "roots", "kind"), FIRES)
def test_what_names_a_skill(path: str, text: str, roots: list[str], kind: str) -> None:
    found = find([Document(path, f"first\n{text}\n".encode())], ROOTS)
    assert [root for root, rows in found.items() if rows] == roots
    assert {(row.path, row.line, row.kind) for root in roots for row in found[root]} == {(path, 2, kind)}


@pytest.mark.parametrize(("path", "text"), QUIET)
def test_what_does_not(path: str, text: str) -> None:
    found = find([Document(path, text.encode())], ROOTS)
    assert {root for root, rows in found.items() if rows} <= ({OPS} if path.startswith("skills/dev/deploy") else set())


def test_a_catalogue_of_all_skills_is_no_evidence() -> None:
    roots = {f"skills/a/skill-{number}": f"skill-{number}" for number in range(20)}
    listing = "\n".join(f"- skill-{number}" for number in range(20)).encode()
    assert not any(find([Document("INDEX.md", listing)], roots).values())
    assert all(find([Document(".github/workflows/all.yml", listing)], roots).values())

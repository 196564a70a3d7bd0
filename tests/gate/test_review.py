"""What a reviewer is told: entries not lines, abilities gained, who did it, what is lost, and who must approve."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.gate.approval import hosted_reviews
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.entries import entry_id
from hermes_git.provenance.ledger import Use
from hermes_git.provenance.spool import record_use
from tests import review_example
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
Hg = Callable[..., Ran]
MEMORY, USER = "knowledge/memory/MEMORY.md", "knowledge/memory/USER.md"
SKILL = "knowledge/skills/web/one/SKILL.md"
TEXT = "---\nname: one\ndescription: Checks links. Use when a page changes.\n---\n\n# One\n\n## Procedure\n\n{steps}\n"
AGENT = "Hermes-Change: edit web/one -..- actor=agent:codex session=s1"
PERSON = "Hermes-Change: edit web/one -..- actor=person:alice"
CURL = TEXT.format(steps="1. Run `curl -fsS https://site.example.invalid/healthz`.")


@pytest.fixture
def started(repo: Repository, write: Write, commit: Commit) -> str:
    """Return the first commit: one skill and two entries."""
    write(SKILL, TEXT.format(steps="1. Look."))
    write(MEMORY, "first fact here\n§\nserver A runs Postgres 15")
    return commit("start")


def reviewed(hg: Hg, base: str, *args: str, code: int = 0) -> dict[str, Any]:
    ran = hg("review", "--range", f"{base}..HEAD", "--json", *args)
    assert ran.code == code, ran.err
    found: dict[str, Any] = ran.json
    return found


def test_entries_not_lines(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    write(MEMORY, "server A runs Postgres 16\n§\nfirst fact here\n§\nserver A runs Postgres 17")
    commit("learn")
    [item] = reviewed(hg, started)["memory"]
    assert [(row["action"], len(row["before"]), len(row["after"])) for row in item["changes"]] == [
        ("replace", 1, 1),
        ("add", 0, 1),
    ], "moving an entry changes nothing"
    assert item["used"] == {"before": 43, "after": 71, "limit": 2200, "unit": "chars"}
    assert item["changes"][1]["clashes"] == ["contradiction: 16 there, 17 here: server A runs Postgres 16"]


def test_archived_and_moved_entries_are_not_removed(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    write(MEMORY, "")
    write(USER, "first fact here")
    write("knowledge/archive/MEMORY.md", "server A runs Postgres 15")
    commit("tidy")
    found = reviewed(hg, started)
    actions = {row["action"] for item in found["memory"] for row in item["changes"]}
    assert actions == {"move", "archive", "add"} and found["losses"]["units"]["dropped"] == 0


def test_who_did_it_and_how_it_was_used(repo: Repository, started: str, write: Write, commit: Commit, hg: Hg) -> None:
    old, new = entry_id("first fact here"), entry_id("second fact here")
    record_use(repo, Use(1_790_000_000, "entry", "memory", "failed", old))
    record_use(repo, Use(1_790_000_000, "entry", "memory", "viewed", old, maintenance=True))
    record_use(repo, Use(1_790_100_000, "skill", "one", "applied"))
    write(MEMORY, "second fact here\n§\nserver A runs Postgres 15")
    write(SKILL, TEXT.format(steps="1. Look twice."))
    line = f'Hermes-Change: replace memory {old}..{new} actor=agent:codex session=s1 evidence=s1#4 quote="second fact"'
    commit(f"learn\n\n{line}\n{AGENT}")
    found = reviewed(hg, started)
    [row] = found["memory"][0]["changes"]
    assert (row["by"]["actor"], row["by"]["evidence"], row["by"]["quote"]) == ("agent:codex", "s1#4", "second fact")
    assert row["uses"] == {"count": 1, "last": "2026-09-21", "failed": 1}
    [skill] = found["skills"]
    assert skill["uses"]["count"] == 1 and "made by person:Test-Author" in skill["taught"]
    assert [hand["actor"] for hand in skill["by"]] == ["agent:codex"]


def test_each_evidence_has_the_command_that_shows_it(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    old, new = entry_id("first fact here"), entry_id("second fact here")
    write(MEMORY, "second fact here\n§\nserver A runs Postgres 15")
    write(SKILL, TEXT.format(steps="1. Look twice."))
    lines = (
        f"Hermes-Change: replace memory {old}..{new} actor=agent:codex session=s1 evidence=20260901_080000_ab12cd#4",
        'Hermes-Change: edit web/one 1234567..7654321 actor=agent:codex evidence="x; rm -rf ~ #1"',
    )
    commit("learn\n\n" + "\n".join(lines))
    for form in ("markdown", "html"):
        out = html.unescape(hg("review", "--range", f"{started}..HEAD", "--format", form).out.replace("\\", ""))
        assert "hermes-git search --session 20260901_080000_ab12cd --around 4" in out
        assert "--session x" not in out and "no plain id, look with care" in out


@pytest.mark.parametrize(
    ("edits", "how", "key"),
    [
        ({"knowledge/skills/web/two/SKILL.md": TEXT.replace("name: one", "name: two")}, "added", "web/two"),
        ({SKILL: None}, "removed", "web/one"),
        ({SKILL: None, "knowledge/skills/net/one/SKILL.md": TEXT.format(steps="1. Look.")}, "moved", "net/one"),
        (
            {SKILL: None, "knowledge/archive/web/one@20260101-abcdef0/SKILL.md": TEXT.format(steps="1. Look.")},
            "archived",
            "web/one@20260101-abcdef0",
        ),
        ({SKILL: TEXT.format(steps="1. Look twice.")}, "changed", "web/one"),
        ({"knowledge/skills/web/one/references/a.md": "a\n"}, "changed", "web/one"),
    ],
    ids=["added", "removed", "moved", "archived", "changed", "a file of it"],
)
def test_what_happened_to_a_skill(
    repo: Repository,
    started: str,
    write: Write,
    commit: Commit,
    hg: Hg,
    edits: dict[str, str | None],
    how: str,
    key: str,
) -> None:
    for path, text in edits.items():
        if text is None:
            (repo.work_tree() / path).unlink()
        else:
            write(path, text)
    commit("change\n\nHermes-Change: delete web/one -..- actor=person:alice")
    assert [(row["skill"], row["how"]) for row in reviewed(hg, started)["skills"]] == [(key, how)]


def test_abilities_gained_and_given_up(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    write(SKILL, CURL.replace("---\n\n# One", "allowed-tools: Bash(git:*) Read\n---\n\n# One"))
    gains = commit(f"more\n\n{PERSON}")
    [row] = reviewed(hg, started)["skills"]
    gained = {f"{item['axis']} {item['value']}" for item in row["gained"]}
    assert {"tool Bash(git:*)", "tool Read", "host site.example.invalid", "runs curl"} <= gained
    write(SKILL, TEXT.format(steps="1. Look."))
    commit(f"less\n\n{PERSON}")
    [row] = reviewed(hg, gains)["skills"]
    assert {f"{item['axis']} {item['value']}" for item in row["gave_up"]} == gained and row["gained"] == []


def test_findings_new_and_fixed(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    write("knowledge/skills/web/bad/SKILL.md", "---\nname: bad\n---\n\n# B\n")
    bad = commit("bad")
    found = reviewed(hg, started, code=1)
    assert {row["check"] for row in found["check"]["findings"]} >= {"HG203"} and found["fixed"] == []
    write("knowledge/skills/web/bad/SKILL.md", TEXT.replace("name: one", "name: bad").format(steps="1. Look."))
    commit("mended")
    assert "HG203" in {row["check"] for row in reviewed(hg, bad)["fixed"]}


def test_losses_are_told_apart_by_whether_somebody_owned_up(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    write(SKILL, TEXT.format(steps="Nothing."))
    commit("quiet")
    rows = reviewed(hg, started)["losses"]["rows"]
    assert {(row["text"], row["declared"]) for row in rows if row["status"] == "dropped"} == {("Look.", False)}


def test_policy_files_come_first_among_the_others(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    write("a.md", "a\n")
    write(".github/workflows/x.yml", "on: push\n")
    commit(f"more\n\n{PERSON}")
    assert reviewed(hg, started)["others"] == [".github/workflows/x.yml", "a.md"]


def test_an_agent_that_lets_a_skill_do_more_needs_somebody_else(
    started: str, write: Write, commit: Commit, hg: Hg, tmp_path: Path
) -> None:
    write(SKILL, CURL)
    tip = commit(f"more\n\n{AGENT} approved=person:eve")
    found = reviewed(hg, started, "--require-approval", code=1)["approval"]
    assert found["needed"] and not found["given"] and "web/one" in found["reasons"][0]
    assert found["unverified"] == [f"commit {tip[:12]} claims approval by person:eve"], "a line proves nothing"

    def given(*rows: tuple[str, str, str, str]) -> dict[str, Any]:
        path = tmp_path / "reviews.json"
        path.write_text(
            json.dumps(
                [
                    {"user": {"login": who, "type": kind}, "state": state, "commit_id": at}
                    for who, kind, state, at in rows
                ]
            ),
            encoding="utf-8",
        )
        ran = hg("review", "--range", f"{started}..HEAD", "--json", "--reviews", str(path), "--author", "codex-bot",
                 "--require-approval")  # fmt: skip
        result: dict[str, Any] = ran.json["approval"]
        assert ran.code == (0 if result["given"] else 1)
        return result

    assert given(("alice", "User", "APPROVED", tip))["approvers"] == ["alice (review at the host)"]
    quiet = [
        [("codex-bot", "User", "APPROVED", tip)],
        [("helper", "Bot", "APPROVED", tip)],
        [("alice", "User", "APPROVED", started)],
        [("alice", "User", "COMMENTED", tip)],
        [("alice", "User", "APPROVED", tip), ("alice", "User", "CHANGES_REQUESTED", tip)],
        [("alice", "User", "APPROVED", tip), ("alice", "User", "DISMISSED", tip)],
    ]
    assert not any(given(*rows)["given"] for rows in quiet)


@pytest.mark.parametrize("said", [PERSON, "no line", AGENT.replace("edit", "write")], ids=["person", "none", "agent"])
def test_who_needs_no_approval(started: str, write: Write, commit: Commit, hg: Hg, said: str) -> None:
    write(SKILL, CURL if said == PERSON else TEXT.format(steps="1. Look twice."))
    commit(f"more\n\n{said}")
    assert not reviewed(hg, started, "--require-approval")["approval"]["needed"]


@pytest.mark.parametrize("rows", [None, {}, "x", [1], [{"user": None}], [{"user": {"login": 3}, "state": "APPROVED"}]])
def test_reviews_of_another_shape_prove_nothing(rows: object) -> None:
    assert hosted_reviews(rows) == ()


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_good_signature_on_top_approves_and_nothing_below_it_does(
    repo: Repository, started: str, write: Write, commit: Commit, hg: Hg, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    public = key.with_suffix(".pub").read_text(encoding="utf-8").strip()
    allowed = tmp_path / "allowed"
    allowed.write_text(f"alice@example.invalid {public}\n", encoding="utf-8")
    for name, value in {
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "gpg.ssh.allowedSignersFile": str(allowed),
    }.items():
        repo.git("config", name, value)

    def sign(message: str) -> None:
        repo.git("commit", "-q", "--allow-empty", "-S", "-m", message)

    sign(f"looked at it before\n\n{PERSON}")
    write(SKILL, CURL)
    commit(f"more\n\n{AGENT}")
    assert not reviewed(hg, started)["approval"]["given"], "the signature came before the change"
    sign(f"approve\n\n{AGENT}")
    assert not reviewed(hg, started)["approval"]["given"], "an agent's signature approves nothing"
    sign(f"approve\n\n{PERSON}")
    approvers = reviewed(hg, started, "--require-approval")["approval"]["approvers"]
    assert len(approvers) == 1 and approvers[0].startswith("alice@example.invalid (signed ")
    allowed.write_text("", encoding="utf-8")
    assert not reviewed(hg, started)["approval"]["given"], "a signer that nobody allowed"
    write("signers", f"alice@example.invalid {public}\n")
    repo.git("config", "gpg.ssh.allowedSignersFile", "signers")
    commit(f"bring my own signers\n\n{AGENT}")
    sign(f"approve\n\n{PERSON}")
    assert not reviewed(hg, started)["approval"]["given"], "a range cannot bring its own signers"


def test_nothing_of_the_repository_becomes_markup(started: str, write: Write, commit: Commit, hg: Hg) -> None:
    hostile = "<img src=x onerror=alert(1)> | @team **bold** [x](javascript:1) `a` #7 \u202e </table></details>"
    write(MEMORY, f"first fact here\n§\nserver A runs Postgres 15\n§\n{hostile}")
    write("knowledge/skills/web/one/references/<b>@team.md", "x\n")
    commit(f"<script>alert(1)</script> @team\n\n{PERSON}")
    page = hg("review", "--range", f"{started}..HEAD", "--format", "html").out
    assert "<img" not in page and "<script" not in page and "\u202e" not in page and "onerror=alert(1)&gt;" in page
    text = hg("review", "--range", f"{started}..HEAD").out
    assert "<img" not in text and "<script" not in text and "@team" not in text and "\u202e" not in text
    assert "](javascript" not in text and text.count("<details>") == text.count("</details>")


def test_a_long_review_fits_into_a_comment_and_says_what_is_left_out(
    started: str, write: Write, commit: Commit, hg: Hg
) -> None:
    for number in range(140):
        write(f"knowledge/skills/web/skill-{number}/SKILL.md",
              TEXT.replace("name: one", f"name: skill-{number}").format(steps="1. Look.\n" * 12))  # fmt: skip
    commit(f"many\n\n{PERSON}")
    text = hg("review", "--range", f"{started}..HEAD").out
    assert text.count("<details>") == text.count("</details>")
    assert len(text) < 65_000 and "more lines: hermes-git review --format html" in text and "80 more" in text


@pytest.mark.parametrize("bounds", ["main", "main...HEAD", "nope..HEAD"])
def test_a_range_that_is_none_is_the_users_mistake(started: str, hg: Hg, bounds: str) -> None:
    assert hg("review", "--range", bounds).code == 2


def part(text: str, title: str) -> str:
    """Return one section of a Markdown review."""
    return text.split(f"### {title}\n", 1)[1].split("\n### ", 1)[0]


def test_the_recorded_review_is_what_the_code_says(repo: Repository, hg: Hg) -> None:
    base, tip = review_example.build(repo)
    found = hg("review", "--range", f"{base}..{tip}", "--now", "2026-11-29").out
    recorded = (review_example.DOCS / "review.md").read_text(encoding="utf-8")
    for title in ("Memory", "Loss ledger"):  # the rest follows the rules, which change more often than this page
        assert part(found, title) == part(recorded, title), "write it anew with: python -m tests.review_example"
    data = hg("review", "--range", f"{base}..{tip}", "--json").json
    assert len(data["skills"]) == 10 and sum(len(item["changes"]) for item in data["memory"]) == 12
    assert all(row["skill"].replace("@", "@<!-- -->") in part(recorded, "Skills") for row in data["skills"])

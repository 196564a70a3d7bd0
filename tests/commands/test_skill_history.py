"""`skill log`, `blame` and `diff`: across renames, with person or agent, session, model and approver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo.repository import Repository
from tests.commands.skills import SKILLS, page, run

Writer = Callable[[str, str | bytes], Path]
BODY = "# Links\n\nOpening words of some length, so that a rename is seen.\n\n## Procedure\n\n1. One\n2. Two\n"


@pytest.fixture
def shelf(repo: Repository, write: Writer, commit: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Repository:
    write(f"{SKILLS}/web/links/SKILL.md", page("links", body=BODY))
    commit("skills: by hand")
    monkeypatch.setenv("HERMES_GIT_ACTOR", "agent:hermes")
    monkeypatch.setenv("HERMES_GIT_SESSION", "20261129_120000_ab12cd")
    run(repo, "skill", "patch", "links", "--old-text", "2. Two", "--new-text", "2. Two of them\n3. Three")
    monkeypatch.setenv("HERMES_GIT_ACTOR", "person:tester")
    monkeypatch.delenv("HERMES_GIT_SESSION")
    run(repo, "skill", "rename", "links", "pages", "--category", "net")
    target = f"{SKILLS}/net/pages/SKILL.md"
    text = (repo.work_tree() / target).read_text(encoding="utf-8")
    write(target, text.replace("Opening words", "First words"))
    commit(
        "skills: reword\n\nHermes-Change: edit net/pages 1234567..7654321 actor=agent:codex session=s2 model=o9\n\n"
        "Reviewed-by: A Person <a@example.invalid>\nCo-authored-by: Claude <noreply@anthropic.com>"
    )
    return repo


def test_log_follows_renames_and_names_everybody(shelf: Repository) -> None:
    rows = run(shelf, "skill", "log", "pages", "--json").json
    assert [(row["kind"], row["actor"]) for row in rows] == [
        ("edit", "agent:codex"),
        ("edit", "person:tester"),
        ("move", "person:tester"),
        ("edit", "agent:hermes"),
        ("create", "person:Test-Author"),
    ]
    assert (rows[0]["session"], rows[0]["model"], rows[0]["approver"]) == ("s2", "o9", "A Person")
    assert rows[3]["session"] == "20261129_120000_ab12cd"
    shown = run(shelf, "skill", "log", "net/pages").out
    assert "agent:codex          session=s2 model=o9 approved-by=A Person" in shown


def test_the_model_is_that_of_the_session_where_the_commit_names_none(shelf: Repository, tmp_path: Path) -> None:
    rows = [
        {"type": kind, "uuid": kind, "sessionId": "20260101_1", "timestamp": "2026-01-01T08:00:00Z", "message": message}
        for kind, message in (
            ("user", {"role": "user", "content": "more"}),
            ("assistant", {"role": "assistant", "model": "m-7", "content": [{"type": "text", "text": "done"}]}),
        )
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(shelf, "session", "import", str(path)).code == 0
    run(shelf, "skill", "patch", "pages", "--old-text", "1. One", "--new-text", "1. First")
    line = "Hermes-Change: edit net/pages 1234567..7654321 actor=agent:claude-code session=20260101_1"
    shelf.git("commit", "-q", "--amend", "--no-verify", "-m", f"first\n\n{line}")
    (newest, *_) = run(shelf, "skill", "log", "pages", "--json").json
    assert (newest["session"], newest["model"]) == ("20260101_1", "m-7")
    lines = {row["text"]: row["model"] for row in run(shelf, "skill", "blame", "pages", "--json").json}
    assert lines["1. First"] == "m-7" and lines["3. Three"] == ""


def test_log_knows_what_is_archived(shelf: Repository) -> None:
    run(shelf, "skill", "archive", "pages", "--now", "2026-11-29")
    (label,) = [row["name"] for row in run(shelf, "skill", "archived", "--json").json]
    rows = run(shelf, "skill", "log", label, "--json").json
    assert rows[0]["kind"] == "move"
    assert rows[-1]["kind"] == "create"


def test_blame_says_who_wrote_each_line(shelf: Repository) -> None:
    rows = {row["text"]: row for row in run(shelf, "skill", "blame", "pages", "--json").json}
    assert rows["3. Three"]["actor"] == "agent:hermes"
    assert rows["3. Three"]["session"] == "20261129_120000_ab12cd"
    reworded = rows["First words of some length, so that a rename is seen."]
    assert (reworded["model"], reworded["approver"]) == ("o9", "A Person")
    assert rows["1. One"]["actor"] == "person:Test-Author"
    assert rows["First words of some length, so that a rename is seen."]["actor"] == "agent:codex"
    assert rows["name: pages"]["actor"] == "person:tester"
    shown = run(shelf, "skill", "blame", "pages").out.split("\n")
    assert any("agent:hermes" in row and row.endswith("3. Three") for row in shown)


def test_diff_of_the_last_change(shelf: Repository) -> None:
    found = run(shelf, "skill", "diff", "pages", "--json").json
    assert [(row["kind"], row["what"], row["how"]) for row in found["changes"]] == [("section", "Links", "changed")]


def test_diff_across_a_rename_compares_sections_header_and_files(shelf: Repository, write: Writer) -> None:
    first = shelf.git("rev-list", "--max-parents=0", "HEAD").decode().strip()
    run(shelf, "skill", "edit", "pages", "--set", "license=MIT")
    run(shelf, "skill", "patch", "pages", "--old-text", "## Procedure", "--new-text", "## Steps")
    run(shelf, "skill", "write-file", "pages", "references/a.md", "--from", "-", stdin=b"# A\n")
    found = run(shelf, "skill", "diff", "pages", "--from", first, "--json").json
    rows = {(row["kind"], row["what"], row["how"]) for row in found["changes"]}
    assert {
        ("header", "name", "changed"),
        ("header", "license", "added"),
        ("section", "Links", "changed"),
        ("section", "Procedure", "removed"),
        ("section", "Steps", "added"),
        ("file", "references/a.md", "added"),
        ("folder", f"{SKILLS}/net/pages", "renamed"),
    } <= rows
    assert found["tokens"]["after"] > found["tokens"]["before"]
    shown = run(shelf, "skill", "diff", "pages", "--from", first).out
    assert "header   added    license: MIT" in shown


def test_diff_of_a_new_skill_adds_everything(repo: Repository) -> None:
    run(repo, "skill", "new", "x", "--description", "Checks links.")
    rows = run(repo, "skill", "diff", "x", "--json").json["changes"]
    assert {row["how"] for row in rows} == {"added"}
    assert ("finding", "HG242 warning") in {(row["kind"], row["what"]) for row in rows}


def test_diff_says_what_a_skill_is_newly_able_to_do_as_a_review_does(repo: Repository) -> None:
    run(repo, "skill", "new", "x", "--description", "Ships pages.", "--body", "-", stdin=b"# X\n\nLook at the page.\n")
    before = repo.git("rev-parse", "HEAD").decode().strip()
    script = (
        b"import os\nimport requests\nrequests.get('https://pages.example.org/a')\n"
        b"open('out/log.txt', 'w').write(os.environ['PAGE_STYLE'])\n"
    )
    run(repo, "skill", "write-file", "x", "scripts/ship.py", "--from", "-", stdin=script)
    run(repo, "skill", "edit", "x", "--set", "allowed-tools=Bash(make:*) Read")
    rows = run(repo, "skill", "diff", "x", "--from", before, "--json").json["changes"]
    able = {row["what"] for row in rows if (row["kind"], row["how"]) == ("able", "added")}
    assert {"host pages.example.org", "tool Bash(make:*)", "tool Read", "writes out/log.txt", "env PAGE_STYLE"} <= able
    (reviewed,) = run(repo, "review", "--range", f"{before}..HEAD", "--format", "json").json["skills"]
    assert {f"{row['axis']} {row['value']}" for row in reviewed["gained"]} == able
    back = run(repo, "skill", "diff", "x", "--from", "HEAD", "--to", before, "--json").json["changes"]
    assert {row["what"] for row in back if (row["kind"], row["how"]) == ("able", "removed")} == able


@pytest.mark.parametrize("command", ["log", "blame", "diff"])
def test_an_unknown_name_is_an_error(shelf: Repository, command: str) -> None:
    assert run(shelf, "skill", command, "nothing").code == 2


def test_real_histories_are_told(data: Path, tmp_path: Path) -> None:
    from hermes_git.gitrepo.repository import require
    from tests.knowledge.real_skills import git

    git(str(tmp_path), "clone", "-q", "-b", "main", str(data / "knowledge/skills-jk-md.bundle"), "r")
    top = tmp_path / "r"
    (top / "hermes-git.toml").write_text('format = 1\n[paths]\nskills = ".hermes/skills"\n', encoding="utf-8")
    git(str(top), "add", "-A")
    git(str(top), "commit", "-q", "-m", "settings")
    repo = require(top)
    names = [row["key"] for row in run(repo, "skill", "list", "--json").json["skills"]]
    for name in names[::60]:
        rows = run(repo, "skill", "log", name, "--json").json
        assert rows[-1]["kind"] == "create"
        assert run(repo, "skill", "diff", name).code == 0
        lines = run(repo, "skill", "blame", name, "--json").json
        assert all(row["commit"] and row["day"] for row in lines)

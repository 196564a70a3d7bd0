"""Starting a repository: new, adopted, in other layouts; running it again changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.cli import main
from hermes_git.gate.doors import judge_trees
from hermes_git.gate.policy import settings_at
from hermes_git.gitrepo.repository import Repository, require
from hermes_git.provenance.change import Actor
from tests.conftest import Ran

Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
Hg = Callable[..., Ran]


def state(repo: Repository) -> tuple[bytes, bytes, bytes]:
    config = (repo.common_dir / "config").read_bytes()
    return repo.git("rev-parse", "HEAD"), repo.git("status", "--porcelain"), config


@pytest.mark.parametrize("layout", ["knowledge", "claude", "agents", "hermes"])
def test_a_new_repository_passes_its_own_gate_and_init_is_idempotent(tmp_path: Path, layout: str) -> None:
    folder = tmp_path / "new"
    assert main(["init", str(folder), "--layout", layout, "-q"]) == 0
    repo = require(folder)
    first = state(repo)
    assert first[1] == b"", "everything that was written is committed"
    assert main(["-C", str(folder), "init", "-q"]) == 0 and state(repo) == first
    settings = settings_at(repo)
    assert settings.layout == layout
    report = judge_trees(repo, repo.empty_tree, "HEAD", settings=settings, actor=Actor("agent", "x"))
    assert report.verdict == "pass", report.findings


def test_adopting_code_leaves_it_alone(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write("src/app.py", "eval(input())\n")
    write("AGENTS.md", "# Rules\n\nBe kind.\n")
    write(".gitattributes", "*.bin binary\n")
    commit()
    write("AGENTS.md", "# Rules\n\nBe kind and brief.\n")
    write("src/new.py", "x = 1\n")
    repo.git("add", "src/new.py")
    assert hg("init").code == 0
    settings = settings_at(repo)
    assert settings.gate.scope == "knowledge"
    assert repo.git("diff", "--cached", "--name-only") == b"src/new.py\n", "what was staged stays staged"
    disk = (repo.work_tree() / "AGENTS.md").read_text(encoding="utf-8")
    assert "kind and brief" in disk and "hermes-git memory add" in disk
    committed = repo.git("show", "HEAD:AGENTS.md").decode()
    assert "Be kind.\n" in committed and "hermes-git memory add" in committed
    assert repo.git("show", "HEAD:.gitattributes") == b"*.bin binary\n"
    assert b"merge=hermes-memory" in repo.git("show", "HEAD:knowledge/memory/.gitattributes")


def test_a_hermes_home_offers_only_knowledge_to_git(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("a fact", encoding="utf-8")
    (home / ".env").write_text("KEY=x", encoding="utf-8")
    (home / "state.db").write_text("x", encoding="utf-8")
    (home / "logs").mkdir()
    (home / "logs" / "x.log").write_text("x", encoding="utf-8")
    assert main(["init", str(home), "--layout", "hermes", "-q"]) == 0
    repo = require(home)
    repo.git("add", "-A")
    offered = repo.git("diff", "--cached", "--name-only").decode().split()
    assert offered == ["memories/MEMORY.md"], "the user's own memory is theirs to commit; nothing else is offered"


def test_a_settings_file_of_a_newer_format_stops_with_the_upgrade_command(
    repo: Repository, write: Write, commit: Commit, hg: Hg
) -> None:
    write("hermes-git.toml", 'format = 1\nrequires = ">=99.0"\n')
    commit()
    refused = hg("memory", "list")
    assert refused.code == 2 and "pip install --upgrade 'hermes-git>=99.0'" in refused.err


def test_plain_git_diff_shows_entries(repo: Repository, write: Write, hg: Hg) -> None:
    hg("init")
    hg("memory", "add", "one fact")
    write("knowledge/memory/MEMORY.md", "one fact\n§\nanother fact")
    shown = repo.git("diff").decode()
    assert "+another fact" in shown and "§" not in shown


def test_git_merge_merges_entries(repo: Repository, hg: Hg) -> None:
    hg("init")
    repo.git("checkout", "-q", "-b", "side")
    hg("memory", "add", "from the side")
    repo.git("checkout", "-q", "main")
    hg("memory", "add", "from main")
    repo.git("merge", "-q", "side", "-m", "both")
    assert hg("memory", "list", "--json").json["entries"][0]["text"] == "from main"
    assert len(hg("memory", "list", "--json").json["entries"]) == 2


def test_categories_are_scaffolded_and_pass(hg: Hg, repo: Repository) -> None:
    assert hg("init", "--categories").code == 0
    files = repo.git("ls-files", "knowledge/skills").decode().split()
    named = [path for path in files if path.endswith("/DESCRIPTION.md")]
    assert len(named) == 13 and hg("check", "--all").code == 0
    assert hg("init", "--categories").code == 0 and repo.git("rev-list", "--count", "HEAD").strip() == b"1"


def test_a_repository_is_never_made_inside_another_one(repo: Repository, write: Write, commit: Commit, hg: Hg) -> None:
    write("src/a.py", "x = 1\n")
    commit()
    for arguments, folder in ((("init",), "src"), (("init", "src/new/notes"), "."), (("init",), ".git")):
        refused = hg(*arguments, folder=repo.work_tree() / folder)
        assert refused.code == 2 and f"hermes-git init {repo.work_tree()}" in refused.err
        assert "git init" in refused.err, "a nested repository is possible, but said first"
    assert repo.git("status", "--porcelain", "--ignored") == b"" and not (repo.work_tree() / "src" / "new").exists()
    repo.git("init", "-q", str(repo.work_tree() / "src"))
    assert hg("init", "-q", folder=repo.work_tree() / "src").code == 0


def test_a_bare_repository_gets_no_work_tree(tmp_path: Path, repo: Repository, hg: Hg) -> None:
    bare = tmp_path / "bare.git"
    repo.git("init", "-q", "--bare", str(bare))
    before = sorted(path.name for path in bare.iterdir())
    refused = hg("init", folder=bare)
    assert refused.code == 2 and "bare repository" in refused.err
    assert sorted(path.name for path in bare.iterdir()) == before


def test_a_place_that_cannot_be_a_folder_is_named(tmp_path: Path, hg: Hg) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name in ("file", "file/below"):
        refused = hg("init", name, folder=tmp_path)
        assert refused.code == 2 and f"{tmp_path / 'file'} is a file" in refused.err


def test_init_as_json_says_what_it_wrote_and_which_hooks_judge(repo: Repository, hg: Hg) -> None:
    found = hg("init", "--json").json
    assert "hermes-git.toml" in found["written"] and set(found["hooks"].values()) == {"installed"}
    assert found["skills"] == "knowledge/skills" and found["repository"] == str(repo.work_tree())
    assert hg("init", "--json").json["written"] == []


def test_another_layout_is_refused_and_not_ignored(repo: Repository, hg: Hg) -> None:
    assert hg("init", "--layout", "claude").code == 0
    before = repo.git("rev-parse", "HEAD")
    refused = hg("init", "--layout", "hermes")
    assert refused.code == 2 and "layout 'claude'" in refused.err and "hermes-git.toml" in refused.err
    assert repo.git("rev-parse", "HEAD") == before and not (repo.work_tree() / ".gitignore").exists()
    assert hg("init", "--layout", "claude").code == 0


def test_what_was_there_before_is_the_next_step(tmp_path: Path, hg: Hg) -> None:
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("a fact", encoding="utf-8")
    (home / "skills" / "devops" / "deploy").mkdir(parents=True)
    skill = "---\nname: deploy\ndescription: Deploy the app.\n---\n# Deploy\n"
    (home / "skills" / "devops" / "deploy" / "SKILL.md").write_text(skill, encoding="utf-8")
    said = hg("init", "--layout", "hermes", folder=home).out
    assert "memories/MEMORY.md has entries that no commit holds: hermes-git memory adopt" in said
    assert "git add skills && git commit" in said and "memory add" not in said
    assert hg("memory", "adopt", folder=home).code == 0
    require(home).git("add", "skills")
    require(home).git("commit", "-q", "-m", "skills")
    assert 'next: hermes-git memory add "…"' in hg("init", folder=home).out

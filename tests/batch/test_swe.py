"""Tasks on repositories: the patch is what was changed, the tests judge it where the agent never was."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_git.batch import task as tasks
from hermes_git.batch.task import Task, is_remote
from hermes_git.batch.workspace import Origin
from hermes_git.errors import UserError
from hermes_git.gitrepo.repository import Repository
from hermes_git.trajectories import validate
from tests.batch import fake_docker
from tests.batch.repositories import call, repository, script, working
from tests.conftest import Ran

Hg = Callable[..., Ran]
BROKEN = "def half(n):\n    return n // 3\n"
FIX = call("patch", path="pkg/half.py", old_string="// 3", new_string="// 2")
TEST = "python3 -c 'from pkg.half import half; assert half(10) == 5, half(10)'"


@pytest.fixture
def source(tmp_path: Path) -> tuple[Path, str]:
    """Return a repository with a bug, and the commit that has it; the next commit mends it."""
    folder = tmp_path / "source"
    files = {"pkg/half.py": BROKEN, "pkg/__init__.py": "", ".gitignore": "*.tmp\n", "docs/é好.txt": "x\n"}
    repo, commit = repository(folder, files)
    (folder / "pkg/half.py").write_text(BROKEN.replace("3", "2"), encoding="utf-8")
    repo.git("commit", "--quiet", "--all", "--message", "the solution")
    return folder, commit


def run(hg: Hg, place: Path, rows: list[dict[str, Any]], played: bytes, *more: str, name: str = "t") -> Ran:
    (place / "tasks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (place / "demo.json").write_bytes(played)
    return hg(
        "batch", "swe", "--tasks", "tasks.jsonl", "--run-name", name, "--model", "script:demo.json", "--env", "local",
        "--allow-local-exec", "--workers", "2", "--now", "2026-11-29", "--json", *more, folder=place,
    )  # fmt: skip


def rows_of(place: Path, name: str = "t") -> list[dict[str, Any]]:
    text = (place / "data" / name / "trajectories.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_right_and_wrong_solutions_are_told_apart(tmp_path: Path, source: tuple[Path, str], hg: Hg) -> None:
    folder, commit = source
    shared = {"repository": "source", "commit": commit, "test_command": TEST}
    given = [
        {**shared, "instruction": "Mend half, rightly.", "tag": 1},
        {**shared, "instruction": "Mend half, wrongly."},
        {"repo": "source", "base_commit": commit, "problem_statement": "Only look, rightly."},
    ]
    wrong = call("patch", path="pkg/half.py", old_string="// 3", new_string="// 4")
    played = script(
        ("Mend half, rightly", working(FIX, call("terminal", command="git diff --stat; git log --oneline | wc -l"))),
        ("wrongly", working(wrong)),
        ("Only look", working(call("terminal", command="cat pkg/half.py"))),
    )
    done = run(hg, tmp_path, given, played)
    assert done.code == 0, done.err
    assert done.json["outcomes"] == {"completed": 2, "unresolved": 1} and done.json["completed"] == 2
    right, bad, looked = rows_of(tmp_path)
    assert right["completed"] and right["tests"]["passed"] and right["metadata"]["task"] == "resolved"
    assert right["patch"].startswith("diff --git a/pkg/half.py") and "+    return n // 2" in right["patch"]
    assert right["patch_is_exact"] and right["metadata"]["base_commit"] == commit
    answer = right["conversations"][5]["value"]
    assert "1 file changed" in answer, "the agent has a git of its own"
    assert re.search(r"\\+n1\\+n", answer), "with one commit, and no solution in it"
    assert not bad["completed"] and bad["tests"]["exit_code"] == 1 and "AssertionError: 2" in bad["tests"]["output"]
    assert looked["patch"] == "" and looked["metadata"]["task"] == "untested" and not looked["tests"]["ran"]
    assert not [one for row in (right, bad, looked) for one in validate.llamafactory(row)]
    assert json.loads(right["dataset"]) == {"tag": 1}
    assert (folder / "pkg/half.py").read_text(encoding="utf-8").endswith("// 2\n"), "the source stays as it is"


def test_what_an_agent_does_to_its_git_does_not_matter(tmp_path: Path, source: tuple[Path, str], hg: Hg) -> None:
    marker = tmp_path / "ran"
    tricks = (
        f"git config core.fsmonitor 'touch {marker}'; git config diff.external 'touch {marker}'; "
        f"git config filter.x.clean 'touch {marker}'; echo '* filter=x' > .git/info/attributes; "
        f"printf '#!/bin/sh\\ntouch {marker}\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; "
        "echo 'pkg/*' > .git/info/exclude; touch a.tmp; mkdir new; echo n > new/file; rm docs/*; "
        "ln -s /etc/passwd link; rm -rf .git"
    )
    given = [{"repository": "source", "commit": source[1], "instruction": "Trick.", "test_command": TEST}]
    done = run(hg, tmp_path, given, script(("", working(FIX, call("terminal", command=tricks)))))
    assert done.code == 0, done.err
    (row,) = rows_of(tmp_path)
    touched = [line.removeprefix("diff --git ") for line in row["patch"].split("\n") if line.startswith("diff --git")]
    assert [name.split("/")[-1].strip('"') for name in touched] == [
        "\\303\\251\\345\\245\\275.txt", "link", "file", "half.py",
    ]  # fmt: skip
    assert "root:" not in row["patch"], "a link is taken as a link"
    assert row["tests"]["passed"] and not marker.exists()


def test_the_tests_own_files_win(tmp_path: Path, source: tuple[Path, str], hg: Hg) -> None:
    """An agent that writes the tests it is judged by, or puts a link in their place, gains nothing."""
    hidden = (
        "diff --git a/checks/test_half.py b/checks/test_half.py\nnew file mode 100644\n--- /dev/null\n"
        "+++ b/checks/test_half.py\n@@ -0,0 +1,2 @@\n+from pkg.half import half\n+assert half(10) == 5\n"
    )
    shared = {
        "repository": "source", "commit": source[1], "test_patch": hidden,
        "test_command": "PYTHONPATH=. python3 checks/test_half.py",
    }  # fmt: skip
    given = [{**shared, "instruction": words} for words in ("Cheat.", "Link.", "Do it.", "Look.")]
    played = script(
        ("Cheat", working(call("write_file", path="checks/test_half.py", content="pass\n"))),
        ("Link", working(call("terminal", command=f"mkdir {tmp_path}/else; ln -s {tmp_path}/else checks"))),
        ("Do it", working(FIX, call("write_file", path="checks/test_half.py", content="assert False\n"))),
        ("Look", working(call("terminal", command="ls checks"))),
    )
    assert run(hg, tmp_path, given, played).code == 0
    found = rows_of(tmp_path)
    assert [row["metadata"]["task"] for row in found] == ["unresolved", "unresolved", "resolved", "unresolved"]
    assert "No such file" in found[3]["conversations"][3]["value"] and list((tmp_path / "else").iterdir()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"repository": "nowhere"}, "git fetch: '"),
        ({"commit": "0123456789abcdef0123456789abcdef01234567"}, "no commit called"),
        ({"commit": "--upload-pack=touch ran"}, "is no revision"),
        ({"repository": "https://example.invalid/x.git"}, "give --fetch"),
        ({"repository": "git@example.invalid:x.git"}, "give --fetch"),
        ({"repository": "ext::sh -c 'touch ran'"}, "give --fetch"),
        ({"setup_command": "echo it broke; exit 3"}, "it broke"),
        ({"test_patch": "no patch at all"}, "test_patch cannot be used: git apply"),
    ],
)
def test_tasks_that_cannot_be_set_up_are_failures(
    tmp_path: Path, source: tuple[Path, str], hg: Hg, change: dict[str, str], said: str
) -> None:
    given = {"repository": "source", "commit": source[1], "instruction": "Do it.", "test_command": "true", **change}
    done = run(hg, tmp_path, [given], script(("", working(FIX))), "--engine", "inline")
    assert done.code == 1 and done.json["failed"] == {"task": 1} and done.json["trajectories"] == 0
    failure = json.loads((tmp_path / "data" / "t" / "failures.jsonl").read_text(encoding="utf-8"))
    assert said in failure["message"] and not list(tmp_path.rglob("ran"))


def test_local_commands_need_a_word_of_the_user(tmp_path: Path, hg: Hg) -> None:
    (tmp_path / "tasks.jsonl").write_text('{"repository": "x", "instruction": "y"}\n', encoding="utf-8")
    done = hg("batch", "swe", "--tasks", "tasks.jsonl", "--run-name", "t", "--env", "local", folder=tmp_path)
    assert done.code == 2 and "--allow-local-exec" in done.err and not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"repository": "x"}, "no instruction"),
        ({"instruction": "x"}, "no repository"),
        ({"instruction": "x", "repository": 3}, "repository is not a string"),
        ({"instruction": "x", "repository": "y", "test_command": ["a"]}, "test_command is not a string"),
    ],
)
def test_lines_that_are_no_task(row: dict[str, Any], reason: str, tmp_path: Path) -> None:
    found = tasks.read([(1, json.dumps(row).encode())], tmp_path)
    assert not found.prompts and found.reasons() == {reason: 1}


def test_paths_are_relative_to_the_file_of_tasks(tmp_path: Path) -> None:
    rows = [{"repo": "a/b", "prompt": "x"}, {"repo": "https://h/x.git", "prompt": "y"}]
    found = tasks.read(enumerate((json.dumps(row).encode() for row in rows), 1), tmp_path)
    one, two = found.prompts
    assert isinstance(one, Task) and isinstance(two, Task)
    assert one.repository == str(tmp_path / "a/b") and not one.is_remote
    assert two.repository == "https://h/x.git" and two.is_remote


@pytest.mark.parametrize(("source_", "remote"), [("git@h:x", True), ("/a:b/c", False), ("./x", False), ("h:x", True)])
def test_what_is_on_a_network(source_: str, remote: bool) -> None:
    assert is_remote(source_) is remote


def test_patches_of_any_content_come_back_exactly(tmp_path: Path, source: tuple[Path, str]) -> None:
    task = Task("t", 0, "x", repository=str(source[0]), commit=source[1])
    origin = Origin.of(task, tmp_path / "origin.git", may_fetch=False)
    work, again = tmp_path / "work", tmp_path / "again"
    for folder in (work, again):
        folder.mkdir()
        origin.check_out(folder)
    origin.give_history(work)
    (work / "binary").write_bytes(bytes(range(256)) * 10)
    (work / "pkg/half.py").write_bytes("crlf\r\nlatin \xe9\r\nno end".encode("latin-1"))
    (work / "docs/é好.txt").rename(work / "docs/🙂 moved")
    (work / "run.sh").write_text("#!/bin/sh\n")
    (work / "run.sh").chmod(0o755)
    origin.apply(again, origin.patch(work))
    seen = {
        path.relative_to(work): path.read_bytes()
        for path in work.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }
    assert seen == {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()}
    assert (again / "run.sh").stat().st_mode & 0o111
    (work / "huge").write_bytes(b"\n".join(str(number).encode() for number in range(2_000_000)))
    with pytest.raises(UserError, match="the patch is larger"):
        origin.patch(work)


def test_knowledge_can_be_used_on_tasks(
    tmp_path: Path, repo: Repository, source: tuple[Path, str], hg: Hg, write: Callable[..., Path],
    commit: Callable[..., str],
) -> None:  # fmt: skip
    write("knowledge/memory/MEMORY.md", "half is in pkg/half.py.\n")
    commit()
    place = repo.work_tree()
    (place / "d.toml").write_text("[percent]\nmemory = 100\nfile = 100\n", encoding="utf-8")
    given = [{"repository": str(source[0]), "commit": source[1], "instruction": "Mend it.", "test_command": TEST}]
    played = script(("", working(call("memory", action="add", content="Mended."), FIX)))
    done = run(hg, place, given, played, "--distribution", "d.toml")
    assert done.code == 0 and done.json["outcomes"] == {"completed": 1}
    (row,) = rows_of(place)
    assert row["toolsets_used"] == ["memory", "file"] and "pkg/half.py" in row["conversations"][3]["value"]


def in_containers(hg: Hg, place: Path, played: bytes, *more: str) -> Ran:
    (place / "demo.json").write_bytes(played)
    return hg(
        "batch", "swe", "--tasks", "tasks.jsonl", "--run-name", "t", "--model", "script:demo.json", "--env", "docker",
        "--image", "here/there:1", "--workers", "2", "--json", *more, folder=place,
    )  # fmt: skip


@pytest.fixture
def engine(repo: Repository, tmp_path: Path, source: tuple[Path, str]) -> Path:
    """Return a container engine that the user's configuration names, with a task in its repository."""
    path = fake_docker.install(tmp_path / "engine")
    repo.git("config", "hermes-git.batch.docker", str(path))
    task = {"repository": str(source[0]), "commit": source[1], "instruction": "Mend it.", "test_command": TEST}
    rows = [task, {**task, "image": "own/there:2", "instruction": "Mend it too."}]
    (repo.work_tree() / "tasks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_tasks_run_in_containers(repo: Repository, engine: Path, hg: Hg) -> None:
    done = in_containers(hg, repo.work_tree(), script(("", working(FIX, call("terminal", command="git diff --stat")))))
    assert done.code == 0, done.err
    assert done.json["outcomes"] == {"completed": 2} and fake_docker.containers(engine) == []
    started = [one for one in fake_docker.calls(engine) if one[0] == "run"]
    assert sorted(one[-2] for one in started) == ["here/there:1"] * 2 + ["own/there:2"] * 2
    sources = {one[one.index("--mount") + 1] for one in started}
    assert len(sources) == 4, "each agent and each test has a copy of its own"
    assert all("/.git" not in one and "origin" not in one for one in sources)


def test_containers_of_prompts_over_time_are_removed(repo: Repository, engine: Path, hg: Hg) -> None:
    slow = script(("", working(call("terminal", command="sleep 60"))))
    done = in_containers(hg, repo.work_tree(), slow, "--timeout", "4", "--max-samples", "1")
    assert done.code == 1 and done.json["failed"] == {"timeout": 1}
    deadline = time.monotonic() + 20
    while fake_docker.containers(engine) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert fake_docker.containers(engine) == []


def test_an_engine_that_does_not_answer_is_said_at_once(repo: Repository, engine: Path, hg: Hg) -> None:
    engine.write_text("#!/bin/sh\necho no server >&2; exit 1\n")
    done = in_containers(hg, repo.work_tree(), script(("", working(FIX))))
    assert done.code == 2 and "no container engine" in done.err and "no server" in done.err

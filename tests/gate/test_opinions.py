"""Second opinions at every door: only the user says who is asked, verdicts count, a failure means what was said."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.gitrepo import create
from hermes_git.gitrepo.repository import Repository
from tests.conftest import Ran

Configure = Callable[..., None]
Write = Callable[[str, str | bytes], Path]
Commit = Callable[..., str]
Hg = Callable[..., Ran]

HEAD = "---\nname: {name}\ndescription: Sorts lines. Use when asked.\n---\n# Sort\n\n"
GOOD = HEAD.format(name="sort") + "Sort the lines.\n"
BAD = HEAD.format(name="sort") + "Sort the lines, purple.\n"
PATH = "knowledge/skills/text/sort/SKILL.md"

SCAN = """
import json, os, sys
at, count = sys.argv[-1], os.path.join(os.path.dirname(os.path.abspath(__file__)), "count")
open(count, "a").write(os.path.basename(at) + "\\n")
results = []
for folder, _, names in os.walk(at):
    for name in sorted(names):
        path = os.path.join(folder, name)
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            if "purple" in line:
                place = {"artifactLocation": {"uri": path}, "region": {"startLine": number}}
                results.append({"ruleId": "P1", "level": "error", "message": {"text": "purple at " + path},
                                "locations": [{"physicalLocation": place}]})
print(json.dumps({"version": "2.1.0", "runs": [{"results": results}]}))
"""
"""A scanner that objects to one word, and writes down each time it is asked."""


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Return a function that names a scanner in the user's own configuration."""

    def to(body: str = SCAN, words: str = "", **more: str) -> None:
        script = tmp_path / "scanner.py"
        script.write_text(body, encoding="utf-8")
        rows = {"command": f"{sys.executable} {script} {words}", **more}
        lines = "".join(f"\t{key} = {value}\n" for key, value in rows.items())
        config = tmp_path / "global.gitconfig"
        config.write_text(f'[hermes-git "opinion.other"]\n{lines}', encoding="utf-8")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))

    return to


def asked(tmp_path: Path) -> list[str]:
    """Return what the scanner was asked about, in order."""
    count = tmp_path / "count"
    return count.read_text(encoding="utf-8").split() if count.exists() else []


def ids(found: Ran) -> set[str]:
    return {row["check"] for row in found.json["findings"]}


def test_the_commit_hook_asks_once_for_each_content(
    hooked: Repository, configure: Configure, write: Write, git_commit: Callable[..., Ran], tmp_path: Path
) -> None:
    configure()
    write(PATH, BAD)
    hooked.git("add", "-A")
    refused = git_commit("-m", "add a skill")
    assert refused.code != 0
    assert "HG790" in refused.err and f"{PATH}:7" in refused.err and "other: P1: purple at sort/SKILL.md" in refused.err
    assert git_commit("-m", "try again").code != 0
    assert asked(tmp_path) == ["sort"]
    write(PATH, GOOD)
    hooked.git("add", "-A")
    assert git_commit("-m", "add a skill").code == 0
    assert asked(tmp_path) == ["sort", "sort"]
    write("knowledge/memory/MEMORY.md", "The build takes long.\n")
    hooked.git("add", "-A")
    assert git_commit("-m", "learn a fact").code == 0
    assert asked(tmp_path) == ["sort", "sort"]  # no skill was touched


def test_staged_range_and_paths_say_the_same(
    hg: Hg, configure: Configure, write: Write, commit: Commit, repo: Repository, tmp_path: Path
) -> None:
    configure()
    base = commit("start")
    write(PATH, BAD)
    repo.git("add", "-A")
    commands = [("--staged",), (PATH,), ("--all",)]
    said = [hg("check", *args, "--format", "json") for args in commands]
    commit("a skill")
    said.append(hg("check", "--range", f"{base}..HEAD", "--format", "json"))
    for found in said:
        rows = [row for row in found.json["findings"] if row["check"] == "HG790"]
        assert found.code == 1
        assert [(row["path"], row["line"], row["severity"]) for row in rows] == [(PATH, 7, "error")]
    assert asked(tmp_path) == ["sort"]
    assert hg("check", "--range", f"{base}..HEAD", "--select", "HG4").code == 0


def test_a_range_asks_about_every_state_on_the_way(
    hg: Hg, configure: Configure, write: Write, commit: Commit, tmp_path: Path
) -> None:
    configure()
    base = commit("start")
    write(PATH, BAD)
    commit("bad")
    write(PATH, GOOD)
    tip = commit("good")
    found = hg("check", "--range", f"{base}..{tip}", "--format", "json")
    assert found.code == 1 and "HG790" in ids(found)
    assert asked(tmp_path) == ["sort", "sort"]


def test_a_push_is_judged(
    hooked: Repository, configure: Configure, write: Write, commit: Commit, tmp_path: Path
) -> None:
    create.create(tmp_path / "there")
    hooked.git("remote", "add", "origin", str(tmp_path / "there"))
    write(PATH, BAD)
    commit("past all hooks")
    configure()
    done = subprocess.run(["git", "push", "origin", "main:other"], cwd=hooked.work_tree(), capture_output=True,
                          encoding="utf-8", check=False)  # fmt: skip
    assert done.returncode != 0 and "HG790" in done.stderr


def test_installing_and_writing_a_skill_are_judged(
    hg: Hg, configure: Configure, commit: Commit, tmp_path: Path
) -> None:
    commit("start")
    source = tmp_path / "source" / "sort"
    source.mkdir(parents=True)
    (source / "SKILL.md").write_text(BAD, encoding="utf-8")
    configure()
    refused = hg("skill", "install", str(source))
    assert refused.code == 1 and "HG790" in refused.out + refused.err
    assert not hg("skill", "list", "--json").json["skills"]
    (source / "SKILL.md").write_text(GOOD, encoding="utf-8")
    assert hg("skill", "install", str(source)).code == 0
    (source / "SKILL.md").write_text(BAD, encoding="utf-8")
    assert hg("skill", "update", "sort").code == 1
    assert asked(tmp_path) == ["sort", "sort"]


def test_doors_that_are_only_asked_for(
    hooked: Repository, configure: Configure, write: Write, git_commit: Callable[..., Ran], hg: Hg, tmp_path: Path
) -> None:
    configure(doors="check")
    write(PATH, BAD)
    hooked.git("add", "-A")
    assert hg("check", "--staged").code == 1
    assert git_commit("-m", "a skill").code == 0
    assert hg("check", "--all").code == 1
    assert asked(tmp_path) == ["sort"]


def test_memory_is_asked_about_where_the_user_says_so(hg: Hg, configure: Configure, commit: Commit) -> None:
    commit("start")
    configure(about="skills files")
    refused = hg("memory", "add", "The purple door is open.")
    assert refused.code == 1 and "HG790" in refused.out + refused.err
    assert hg("memory", "add", "The red door is open.").code == 0
    configure()
    assert hg("memory", "add", "The purple door is open.").code == 0


CHECKER = """
import sys
if sys.argv[1] != "--" or len(sys.argv) != 3:
    sys.exit(64)
sys.exit({"rm": 1, "wg": 2, "ls": 0}.get(sys.argv[2].split()[0][:2], 9))
"""
"""A checker of shell commands that answers by its exit status alone."""


@pytest.mark.parametrize(
    ("block", "code", "check"),
    [("ls -l", 0, ""), ("rm -r x", 1, "HG790"), ("wget x", 0, "HG790"), ("--help", 1, "HG791"), ("odd", 1, "HG791")],
)
def test_a_checker_of_commands(hg: Hg, configure: Configure, write: Write, block: str, code: int, check: str) -> None:
    configure(CHECKER, words="--", about="commands", format="exit", warnCode="2")
    write(PATH, GOOD + f"\n```bash\n{block}\n```\n\n```python\nrm = 1\n```\n")
    found = hg("check", PATH, "--format", "json", "--select", "HG79")
    rows = [(row["check"], row["path"], row["line"]) for row in found.json["findings"]]
    assert (found.code, rows) == (code, [(check, PATH, 0 if check == "HG791" else 10)] if check else [])


def test_a_repository_cannot_name_or_silence_a_scanner(
    hg: Hg, configure: Configure, write: Write, repo: Repository, tmp_path: Path
) -> None:
    write(PATH, BAD)
    ran = tmp_path / "ran"
    create.configure(repo, {"hermes-git.opinion.mine.command": f"touch {ran}"})
    assert hg("check", PATH).code == 0
    assert not ran.exists()
    configure()
    create.configure(repo, {"hermes-git.opinion.other.command": "true", "hermes-git.opinion.other.doors": "check"})
    assert hg("check", PATH).code == 1
    assert not ran.exists()


@pytest.mark.parametrize(("failure", "code"), [("closed", 1), ("open", 0)])
@pytest.mark.parametrize("body", ["import time\ntime.sleep(60)\n", "print('hello')\n", "raise SystemExit(3)\n"])
def test_a_failure_means_what_the_person_chose_each_time(
    hg: Hg, configure: Configure, write: Write, commit: Commit, body: str, failure: str, code: int
) -> None:
    commit("start")
    configure(f"open(__file__ + '.asked', 'a').write('x')\n{body}", onFailure=failure, seconds="1")
    write(PATH, GOOD)
    for _ in range(2):
        done = hg("check", PATH)
        assert done.code == code
        assert "HG791" in done.out + done.err


def test_no_number_of_failures_opens_what_is_closed(hg: Hg, configure: Configure, write: Write, tmp_path: Path) -> None:
    configure(f"open({str(tmp_path / 'count')!r}, 'a').write('x ')\nraise SystemExit(3)\n", onFailure="closed")
    write(PATH, GOOD)
    assert [hg("check", PATH).code for _ in range(6)] == [1] * 6
    assert len(asked(tmp_path)) == 6
    configure(command=str(tmp_path / "no-such-scanner"))
    assert hg("check", PATH).code == 1


def test_of_many_findings_none_is_cut_off(hg: Hg, configure: Configure, write: Write) -> None:
    results = [
        {"ruleId": f"X{number}", "level": "note", "message": {"text": "seen"}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": "SKILL.md"}, "region": {"startLine": number + 1}}}]}
        for number in range(120)
    ]  # fmt: skip
    results[-1]["level"] = "error"
    printed = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": results}]}
    configure(f"print({json.dumps(json.dumps(printed))})\n")
    write(PATH, GOOD)
    done = hg("check", PATH, "--format", "json")
    assert done.code == 1
    assert sum(row["check"] == "HG790" for row in done.json["findings"]) == 120


def test_a_finding_can_be_waived(hg: Hg, configure: Configure, write: Write, commit: Commit) -> None:
    configure()
    write(PATH, BAD)
    commit("a skill")
    (row,) = [row for row in hg("check", "--all", "--json").json["findings"] if row["check"] == "HG790"]
    waived = hg(
        "waive", row["fingerprint"], "--reason", "purple is fine here", "--owner", "tester", "--expires", "2099-01-01"
    )
    assert waived.code == 0, waived.err
    commit("a waiver")
    assert hg("check", "--all").code == 0


def test_a_replaced_scanner_is_asked_again(hg: Hg, configure: Configure, write: Write, tmp_path: Path) -> None:
    configure()
    write(PATH, BAD)
    assert hg("check", PATH).code == hg("check", PATH).code == 1
    configure(SCAN.replace('"purple" in', '"yellow!" in'))
    assert hg("check", PATH).code == 0
    assert len(asked(tmp_path)) == 2


def test_kept_answers_that_are_damaged_are_asked_for_again(
    hg: Hg, configure: Configure, write: Write, repo: Repository, tmp_path: Path
) -> None:
    configure()
    write(PATH, BAD)
    assert hg("check", PATH).code == 1
    kept = repo.state / "opinions.json"
    table = json.loads(kept.read_bytes())
    for junk in ("[[1]]", "7", "{"):
        table["entries"] = dict.fromkeys(table["entries"], junk)
        kept.write_text(json.dumps(table), encoding="utf-8")
        assert hg("check", PATH).code == 1
    assert len(asked(tmp_path)) == 4


def test_outside_any_repository(hg: Hg, configure: Configure, tmp_path: Path) -> None:
    configure()
    place = tmp_path / "elsewhere" / "sort"
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(BAD, encoding="utf-8")
    done = hg("check", ".", folder=place)
    assert done.code == 1 and "HG790" in done.out + done.err


def test_a_mistake_in_the_configuration_stops_the_commit(
    hooked: Repository, configure: Configure, write: Write, git_commit: Callable[..., Ran]
) -> None:
    configure(onFailure="maybe")
    write(PATH, GOOD)
    hooked.git("add", "-A")
    refused = git_commit("-m", "a skill")
    assert refused.code != 0 and "onFailure" in refused.err


def test_the_time_limit_ends_the_command_and_is_no_verdict(hg: Hg, configure: Configure, write: Write) -> None:
    configure("import time\ntime.sleep(60)\n", seconds="50")
    write(PATH, GOOD)
    done = hg("check", "--time-limit", "2", PATH)
    assert done.code == 3
    assert "no verdict" in done.err
    assert not done.out


LIST = """
import json, os, sys
at = sys.argv[-1]
names = sorted(os.path.relpath(os.path.join(folder, name), at) for folder, _, found in os.walk(at) for name in found)
print(json.dumps([{"severity": "low", "path": name, "line": 1, "message": "seen"} for name in names]))
"""
"""A scanner that has something to say of every file it is given."""


def test_real_skills_are_asked_about_whole(hg: Hg, configure: Configure, write: Write, data: Path) -> None:
    configure(LIST)
    with gzip.open(data / "guard" / "benign.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for _, line in zip(range(3), stream, strict=False)]
    expected = set()
    for row in rows:
        root = f"knowledge/skills/real/{row['path'].rsplit('/', 1)[-1]}"
        for file in row["files"]:
            if "text" in file:
                write(f"{root}/{file['path']}", file["text"])
                expected.add(f"{root}/{file['path']}")
    found = hg("check", "--all", "--select", "HG79", "--format", "json").json["findings"]
    assert len(expected) > 3
    assert {row["path"] for row in found if row["line"] == 1} == expected

"""Second opinions: only the user says who is asked, verdicts count as any other, a failure means what was said."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.checks import opinions
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, NOTE, WARNING
from tests.conftest import Ran

SARIF = {
    "runs": [
        {
            "results": [
                {
                    "ruleId": "X1",
                    "level": "error",
                    "message": {"text": "bad"},
                    "locations": [
                        {"physicalLocation": {"artifactLocation": {"uri": "a/SKILL.md"}, "region": {"startLine": 2}}}
                    ],
                }
            ]
        }
    ]
}
PLAIN = {"findings": [{"severity": "MEDIUM", "file_path": "/t/a/b.sh", "line_number": 3, "title": "odd"}]}
ASKED = opinions.Opinion("other", ("scan",))
SKILL = "---\nname: a\ndescription: Sorts lines. Use when asked.\n---\n# A\n\nSort the lines.\n"


@pytest.mark.parametrize(
    ("printed", "path", "line", "severity"),
    [
        (SARIF, "a/SKILL.md", 2, ERROR),
        (PLAIN, "a/b.sh", 3, WARNING),
        ([{"severity": "low", "message": "x"}], "", 0, NOTE),
        ({"runs": [{"results": [{}]}]}, "", 0, WARNING),
    ],
)
def test_what_scanners_print(printed: object, path: str, line: int, severity: int) -> None:
    (found,) = opinions.read(ASKED, json.dumps(printed).encode(), "/t")
    assert (found.path, found.line, found.severity, found.check) == (path, line, severity, "HG790")


@pytest.mark.parametrize("printed", [b"", b"no json", b'{"verdict": "fine"}', b"7"])
def test_what_is_no_opinion(printed: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        opinions.read(ASKED, printed, "/t")


@pytest.mark.parametrize(
    "options",
    [
        {"hermes-git.opinion.x.onfailure": "open"},
        {"hermes-git.opinion.x.command": "scan 'x"},
        {"hermes-git.opinion.x.command": "scan", "hermes-git.opinion.x.onfailure": "maybe"},
        {"hermes-git.opinion.x.command": "scan", "hermes-git.opinion.x.seconds": "0"},
    ],
)
def test_mistakes_in_the_configuration_are_named(options: dict[str, str]) -> None:
    with pytest.raises(UserError, match=r"hermes-git\.opinion\.x"):
        opinions.configured(options)


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def to(body: str, **more: str) -> None:
        script = tmp_path / "scanner.py"
        script.write_text(body, encoding="utf-8")
        rows = {"command": f"{sys.executable} {script}", **more}
        lines = "".join(f"\t{key} = {value}\n" for key, value in rows.items())
        config = tmp_path / "global.gitconfig"
        config.write_text(f'[hermes-git "opinion.other"]\n{lines}', encoding="utf-8")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))

    return to


def skill(folder: Path) -> Path:
    place = folder / "skill" / "a"
    place.mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL, encoding="utf-8")
    return place


PRINT = "import pathlib, sys\nassert list(pathlib.Path(sys.argv[1]).rglob('SKILL.md'))\n"


def test_its_verdict_counts(hg: Callable[..., Ran], configure: Callable[..., None], tmp_path: Path) -> None:
    configure(f"{PRINT}print({json.dumps(json.dumps(SARIF))})\n")
    done = hg("check", str(skill(tmp_path)))
    assert done.code == 1
    assert "HG790" in done.out + done.err and "other: X1: bad" in done.out + done.err


@pytest.mark.parametrize(("failure", "code"), [("closed", 1), ("open", 0)])
@pytest.mark.parametrize("body", ["import time\ntime.sleep(60)\n", "print('hello')\n", "raise SystemExit(3)\n"])
def test_a_failure_means_what_the_person_chose_each_time(
    hg: Callable[..., Ran], configure: Callable[..., None], tmp_path: Path, body: str, failure: str, code: int
) -> None:
    configure(body, onFailure=failure, seconds="2")
    place = skill(tmp_path)
    for _ in range(2):
        done = hg("check", str(place))
        assert done.code == code
        assert "HG791" in done.out + done.err


def test_no_number_of_failures_opens_what_is_closed(
    hg: Callable[..., Ran], configure: Callable[..., None], tmp_path: Path
) -> None:
    configure("raise SystemExit(3)\n", onFailure="closed")
    place = skill(tmp_path)
    assert [hg("check", str(place)).code for _ in range(6)] == [1] * 6
    configure(PRINT, onFailure="closed", command=str(tmp_path / "no-such-scanner"))
    assert hg("check", str(place)).code == 1


def test_of_many_findings_none_is_cut_off(
    hg: Callable[..., Ran], configure: Callable[..., None], tmp_path: Path
) -> None:
    results = [
        {"ruleId": f"X{number}", "level": "note", "message": {"text": "seen"}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": "SKILL.md"}, "region": {"startLine": number + 1}}}]}
        for number in range(120)
    ]  # fmt: skip
    results[-1]["level"] = "error"
    printed = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": results}]}
    configure(f"print({json.dumps(json.dumps(printed))})\n")
    done = hg("check", str(skill(tmp_path)), "--format", "json")
    assert done.code == 1
    assert sum(row["check"] == "HG790" for row in done.json["findings"]) == 120


def test_the_time_limit_ends_the_command_and_is_no_verdict(
    hg: Callable[..., Ran], configure: Callable[..., None], tmp_path: Path
) -> None:
    configure("import time\ntime.sleep(60)\n", seconds="50")
    done = hg("check", "--time-limit", "3", str(skill(tmp_path)))
    assert done.code == 3
    assert "no verdict" in done.err
    assert not done.out

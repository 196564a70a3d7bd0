"""Reports of other scanners, in the shapes that their programs print; what did not finish is no opinion."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.checks.opinion_reports import Unreadable, read
from hermes_git.checks.opinions import Opinion
from hermes_git.finding import ERROR, NOTE, WARNING

ASKED = Opinion("other", ("scan",))


def result(level: str | None = "error", **more: object) -> dict[str, object]:
    place = {"physicalLocation": {"artifactLocation": {"uri": "asked/a%20b/SKILL.md"}, "region": {"startLine": 2}}}
    row = {"ruleId": "X1", "message": {"text": "bad"}, "locations": [place], **more}
    return row if level is None else {**row, "level": level}


def sarif(*results: object, **run: object) -> dict[str, object]:
    rules = [{"id": "X1", "defaultConfiguration": {"level": "note"}}]
    return {
        "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "x", "rules": rules}}, "results": results, **run}],
    }


SKILL_SCANNER = {
    "skill_name": "a", "is_safe": False, "max_severity": "CRITICAL", "findings_count": 2, "analyzers_used": ["static"],
    "findings": [
        {"id": "P_1", "rule_id": "PIPELINE", "severity": "CRITICAL", "title": "Dangerous pipe", "description": "long",
         "file_path": "SKILL.md", "line_number": 9},
        {"id": "L_1", "rule_id": "LICENSE", "severity": "INFO", "title": "No licence", "file_path": "SKILL.md",
         "line_number": None},
    ],
}  # fmt: skip
SKILLSPECTOR = {
    "skill": {"name": "a", "source": "/t/a"},
    "risk_assessment": {"score": 60, "severity": "HIGH", "recommendation": "DO_NOT_INSTALL"},
    "components": [{"path": "SKILL.md", "type": "markdown", "lines": 3}],
    "issues": [
        {"id": "PE3", "category": "privilege", "pattern": "sudo", "severity": "MEDIUM", "explanation": "Asks for root",
         "location": {"file": "scripts/go.sh", "start_line": 4, "end_line": 4}},
    ],
    "suppressed": [], "execution_successful": True, "analysis_completeness": {"is_complete": True},
}  # fmt: skip
SKILLEVALUATOR = {
    "overall_passed": False, "overall_status": "failed", "incomplete_scans": [], "skills": [{"name": "a"}],
    "results": [
        {"validator": "schema", "status": "passed", "incomplete_scans": [], "findings": []},
        {"validator": "security", "status": "failed", "findings": [
            {"category": "secrets", "severity": "critical", "check_name": "hardcoded_secrets", "message": "A key",
             "file_path": "scripts/go.sh", "line_number": 3, "suggestion": "move it"}]},
    ],
}  # fmt: skip
TIRITH_CHECK = {
    "action": "block", "schema_version": 3, "tier_reached": 3,
    "findings": [{"rule_id": "curl_pipe_shell", "severity": "HIGH", "title": "Pipe to interpreter",
                  "description": "long", "evidence": [{"type": "url", "raw": "https://x.example"}]}],
}  # fmt: skip
TIRITH_SCAN = {
    "analysis_incomplete": False, "scanned_count": 1, "panic_files": [], "truncated": False,
    "files": [
        {"path": "asked/a/CLAUDE.md", "is_config_file": True,
         "findings": [{"rule_id": "bidi_controls", "severity": "CRITICAL", "title": "Bidi"}]},
        {"path": "asked/a/b.md", "findings": []},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (sarif(result()), [("asked/a b/SKILL.md", 2, ERROR, "X1: bad")]),
        (sarif(result("warning")), [("asked/a b/SKILL.md", 2, WARNING, "X1: bad")]),
        (sarif(result(None)), [("asked/a b/SKILL.md", 2, NOTE, "X1: bad")]),
        (sarif({}), [("", 0, WARNING, ": ")]),
        (sarif(result(kind="pass", level="none")), []),
        (sarif(), []),
        (SKILL_SCANNER,
         [("SKILL.md", 0, NOTE, "LICENSE: No licence"), ("SKILL.md", 9, ERROR, "PIPELINE: Dangerous pipe")]),
        (SKILLSPECTOR,
         [("", 0, ERROR, "its verdict is DO_NOT_INSTALL"), ("scripts/go.sh", 4, WARNING, "PE3: Asks for root")]),
        (SKILLEVALUATOR, [("scripts/go.sh", 3, ERROR, "hardcoded_secrets: A key")]),
        (TIRITH_CHECK,
         [("", 0, ERROR, "curl_pipe_shell: Pipe to interpreter"), ("", 0, ERROR, "its verdict is block")]),
        ({"action": "allow", "findings": []}, []),
        (TIRITH_SCAN, [("asked/a/CLAUDE.md", 0, ERROR, "bidi_controls: Bidi")]),
        ([{"severity": "low", "message": "x"}], [("", 0, NOTE, "x")]),
        ([{"message": "x"}], [("", 0, WARNING, "x")]),
        ([{"severity": "dreadful", "message": "x", "line": True}], [("", 0, WARNING, "x")]),
        ({"findings": [], "files": [{"path": "looked-at.md", "size": 3}]}, []),
    ],
)  # fmt: skip
def test_what_scanners_print(printed: object, expected: list[tuple[object, ...]]) -> None:
    said = read(ASKED, (json.dumps(printed).encode(),), 0)
    assert [(row.path, row.line, row.severity, row.message) for row in said] == expected


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        (b"", "neither SARIF"),
        (b"no json", "neither SARIF"),
        (b'{"verdict": "fine"}', "neither SARIF"),
        (b"7", "neither SARIF"),
        (b"\xff\xfe", "neither SARIF"),
        (b"[" * 100_000, "neither SARIF"),
        (json.dumps(sarif(invocations=[{"executionSuccessful": False}])).encode(), "did not finish"),
        (json.dumps(SKILLSPECTOR | {"execution_successful": False}).encode(), "did not finish"),
        (json.dumps(SKILLEVALUATOR | {"overall_status": "incomplete"}).encode(), "did not finish"),
        (json.dumps({"results": [{"incomplete_scans": ["gitleaks"], "findings": []}]}).encode(), "did not finish"),
        (json.dumps(TIRITH_SCAN | {"truncated": True}).encode(), "did not finish"),
        (b'{"results":' * 9 + b"[]" + b"}" * 9, "neither SARIF"),
        (b'{"results":[' * 9 + b"]}" * 9, "deep"),
    ],
)
def test_what_is_no_opinion(printed: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read(ASKED, (printed,), 0)


def test_findings_count_whatever_the_status_and_silence_needs_a_zero() -> None:
    bad, good = json.dumps(sarif(result())).encode(), json.dumps(sarif()).encode()
    assert len(read(ASKED, (bad,), 1)) == 1
    assert read(ASKED, (good,), 0) == ()
    with pytest.raises(Unreadable, match="exit status 1"):
        read(ASKED, (good,), 1)
    with pytest.raises(Unreadable, match="no report"):
        read(ASKED, (), 0)
    assert len(read(ASKED, (good, bad), 0)) == 1


@pytest.mark.parametrize(("warn", "status", "severities"), [
    (None, 0, []), (None, 1, [ERROR]), (None, 2, None), (2, 2, [WARNING]), (2, 3, None), (1, 1, [WARNING]),
    (2, 127, None),
])  # fmt: skip
def test_an_exit_status_alone(warn: int | None, status: int, severities: list[int] | None) -> None:
    asked = Opinion("tirith", ("x",), form="exit", warn_code=warn)
    if severities is None:
        with pytest.raises(Unreadable, match=f"exit status {status}"):
            read(asked, (b"anything",), status)
    else:
        assert [row.severity for row in read(asked, (b"anything",), status)] == severities


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["runs", "findings", "results", "files", "severity", "line", "location", "level",
                                       "locations", "message", "path", "invocations", "tool", "action"]), inner),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_no_report_brings_it_down(value: object) -> None:
    try:
        said = read(ASKED, (json.dumps(value).encode(),), 0)
    except Unreadable:
        return
    assert list(said) == sorted(set(said))

"""Every format says the same of the same report; nothing hostile becomes markup, a command or a control code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from hermes_git.finding import ERROR, NOTE, WARNING, Finding, Report, Skipped
from hermes_git.reports import github, gitlab, junit, markdown, sarif, text
from hermes_git.reports.formats import FORMATS
from hermes_git.reports.json import as_json

SCHEMA = json.loads(
    (Path(__file__).parent.parent.parent / "docs/formats/report.schema.json").read_text(encoding="utf-8")
)
HOSTILE = 'a\x1b[31m\u202e<script>alert(1)</script> | @team](javascript:1)\n::error::x %0A `c` & "q" ]]>'
REPORT = Report(
    (
        Finding("b.md", 3, 2, "HG301", ERROR, HOSTILE, "e", "do this\nand that"),
        Finding("a,b:c\nd.md", 0, 0, "HG231", NOTE, "a note", "f", ""),
        Finding("ü ñ.md", 1, 1, "HG705", WARNING, "a warning", "g", "look"),
    ),
    (Skipped("image<b>.png", "image"),),
    (Finding("w.md", 1, 1, "HG501", ERROR, "waived one", "h", ""),),
    scanned=5,
)
EMPTY = Report()


def obeys(value: Any, schema: dict[str, Any]) -> bool:
    """Check a value against the parts of JSON Schema that ours uses."""
    if "$ref" in schema:
        return obeys(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[-1]])
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    if "type" in schema and (not isinstance(value, kinds[schema["type"]]) or isinstance(value, bool)):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        return len(value) >= schema.get("minLength", 0) and bool(re.search(schema.get("pattern", ""), value))
    if isinstance(value, int):
        return value >= schema.get("minimum", value)
    if isinstance(value, list):
        return all(obeys(item, schema["items"]) for item in value)
    known = schema.get("properties", {})
    return all(name in value for name in schema.get("required", ())) and all(
        obeys(item, known[name]) for name, item in value.items() if name in known
    )


@pytest.mark.parametrize("report", [REPORT, EMPTY], ids=["hostile", "empty"])
def test_json_obeys_its_published_schema(report: Report) -> None:
    value = json.loads(FORMATS["json"](report))
    assert value == as_json(report) and obeys(value, SCHEMA)
    counted = set() if report.scanned is None else {"scanned"}
    assert set(SCHEMA["properties"]) - {"scanned"} | counted == set(value), "every key is published"


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "maybe"},
        {"findings": [{"check": "HG301"}]},
        {"not_scanned": [{"path": "x", "reason": ""}]},
        {"tool": 3},
    ],
)
def test_the_schema_refuses_what_is_wrong(change: dict[str, Any]) -> None:
    assert not obeys({**as_json(REPORT), **change}, SCHEMA)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_no_format_lets_a_control_or_direction_character_through(form: str) -> None:
    said = FORMATS[form](REPORT)
    assert "\u202e" not in said.replace("\\u202e", "") or form == "json", "escaped, or data"
    assert "\x1b" not in said and said.endswith("\n")


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"gitlab", "github", "junit"}))
def test_what_was_not_scanned_and_what_is_waived_is_said(form: str) -> None:
    assert "image" in FORMATS[form](REPORT)


def test_text_names_place_check_and_next_step_and_is_plain_without_colour() -> None:
    said = text.render(REPORT)
    assert "b.md:3:2: error HG301:" in said and "    do this" in said and "waived: w.md:1:1: HG501" in said
    assert said.rstrip().endswith("explain one with: hermes-git explain ID") and "\x1b" not in said
    assert text.render(REPORT, colour=True).count("\x1b[31merror\x1b[0m") == 1


def test_github_commands_cannot_be_injected() -> None:
    lines = github.render(REPORT).rstrip("\n").split("\n")
    assert len(lines) == len(REPORT.findings) + 1
    assert lines[0].startswith("::error file=b.md,line=3,col=2,title=HG301::") and "::error::x" in lines[0][10:]
    assert "file=a%2Cb%3Ac%0Ad.md,line=1" in lines[1]
    assert not any(line.startswith("::error::x") for line in lines)


def test_gitlab_is_a_list_with_severities() -> None:
    rows = json.loads(gitlab.render(REPORT))
    assert [row["severity"] for row in rows] == ["critical", "info", "major"]
    assert all(row["location"]["lines"]["begin"] >= 1 and len(row["fingerprint"]) == 16 for row in rows)
    assert json.loads(gitlab.render(EMPTY)) == []


def test_junit_is_well_formed_and_counts_errors_as_failures() -> None:
    root = ElementTree.fromstring(junit.render(REPORT))
    assert (root.get("failures"), root.get("skipped"), root.get("tests")) == ("1", "1", "4")
    assert len(root.findall("testcase/failure")) == 1
    assert ElementTree.fromstring(junit.render(EMPTY)).get("failures") == "0"


def test_sarif_places_findings_and_suppresses_waived_ones() -> None:
    run = json.loads(sarif.render(REPORT, {"HG301": "Hidden text"}))["runs"][0]
    assert [row["level"] for row in run["results"]] == ["error", "note", "warning", "error"]
    assert run["results"][-1]["suppressions"] == [{"kind": "external", "status": "accepted"}]
    uris = [row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for row in run["results"]]
    assert uris[:3] == ["b.md", "a%2Cb%3Ac%0Ad.md", "%C3%BC%20%C3%B1.md"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(ids[row["ruleIndex"]] == row["ruleId"] for row in run["results"])
    assert "region" not in run["results"][1]["locations"][0]["physicalLocation"], "a finding about a whole file"


def test_markdown_takes_nothing_for_markup() -> None:
    said = markdown.render(REPORT)
    assert "<script" not in said and "](javascript" not in said and "@team" not in said
    table = [line for line in said.split("\n") if line.startswith("| ")]
    assert len(table) == 1 + len(REPORT.findings), "a newline or bar in a message makes no row or column"
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in table)

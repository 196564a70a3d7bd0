"""What other skill managers get wrong: one verdict on a header everywhere, names that say both paths, any code page."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git.curator.snapshot import take
from hermes_git.document import Document
from hermes_git.gate.doors import judge_staged
from hermes_git.gate.policy import settings_at
from hermes_git.gitrepo import read
from hermes_git.gitrepo.repository import Repository
from hermes_git.knowledge.listing import listing
from hermes_git.knowledge.seen import see
from hermes_git.knowledge.skill import group, read_skill
from hermes_git.recall.source import Key, units_of
from tests.commands.skills import SKILLS, page, run

Writer = Callable[[str, str | bytes], Path]
OK = "---\nname: {n}\ndescription: Checks links. Use when a page changes.\n---\n# Body\n\n---\n\nmore\n"
FORMS = {
    "plain": OK,
    "bom": "\ufeff" + OK,
    "crlf": OK.replace("\n", "\r\n"),
    "cr": OK.replace("\n", "\r"),
    "trail": OK.replace("---\n", "---  \n", 1),
    "comment": "<!-- from: x -->\n" + OK,
    "blank": "\n\n" + OK,
    "unclosed": OK.replace("\n---\n# Body", "\n# Body", 1).split("\n---\n", maxsplit=1)[0] + "\n",
    "dots": OK.replace("\n---\n# Body", "\n...\n# Body", 1),
}
ENCODED = {"utf-16": "utf16", "utf-16-le": "utf16-unmarked", "utf-32": "utf32", "latin-1": "latin"}
"""Encoding → name of the skill that is written in it: no host reads anything but UTF-8."""

ACCEPTED = {"plain", "bom", "crlf", "trail"}
ALL = {*FORMS, *ENCODED.values()}


@pytest.fixture
def forms(repo: Repository, write: Writer) -> Repository:
    repo.git("commit", "-q", "--allow-empty", "-m", "nothing yet")
    for name, text in FORMS.items():
        write(f"{SKILLS}/{name}/SKILL.md", text.replace("{n}", name))
    for encoding, name in ENCODED.items():
        write(f"{SKILLS}/{name}/SKILL.md", OK.replace("{n}", name).replace("more", "größer").encode(encoding))
    repo.git("add", "-A")
    return repo


def test_every_reader_gives_one_verdict_on_a_header(forms: Repository) -> None:
    gate = {row.path.split("/")[-2] for row in judge_staged(forms).findings if row.check == "HG201"}
    validator = {
        row["path"].split("/")[-2]
        for row in run(forms, "skill", "check", "--json").json["findings"]
        if row["check"] == "HG201"
    }
    forms.git("commit", "-q", "--no-verify", "-m", "forms")
    listed = {row.folder: row for row in listing(forms, settings_at(forms), "HEAD").skills}
    curated = {facts.skill.folder: facts.skill for facts in take(forms, "HEAD", settings_at(forms), now=0).skills}
    refused = ALL - ACCEPTED
    assert gate == validator == refused
    assert set(listed) == set(curated) == ALL
    assert {name for name, row in listed.items() if row.problem} == refused
    assert {name for name, skill in curated.items() if skill.problem} == refused
    for name in ACCEPTED:
        said = {(listed[name].name, listed[name].description), (curated[name].name, curated[name].description)}
        assert said == {(name, "Checks links. Use when a page changes.")}
        assert curated[name].body.replace("\r\n", "\n") == "# Body\n\n---\n\nmore\n"


def test_the_commands_that_scan_index_and_curate_skip_no_folder(forms: Repository) -> None:
    scanned = run(forms, "check", SKILLS, "--json").json
    assert scanned["scanned"] == len(ALL)
    blocked = [row for row in scanned["findings"] if row["check"] == "HG201"]
    assert {row["path"].split("/")[-2] for row in blocked} == ALL - ACCEPTED
    assert all(row["line"] >= 1 and row["message"] and row["hint"] for row in blocked)
    hooked = run(forms, "hook", "pre-commit")
    assert hooked.code == 1 and all(f"{SKILLS}/{name}/SKILL.md:" in hooked.err for name in ALL - ACCEPTED)
    forms.git("commit", "-q", "--no-verify", "-m", "forms")
    assert run(forms, "index", "update").code == 0
    for query in ("Checks links. Use when a page changes.", "more"):
        shown = [row["path"] for row in run(forms, "search", query, "--limit", "10", "--json").json["knowledge"]]
        assert {f"{SKILLS}/{name}/SKILL.md" for name in ACCEPTED} <= set(shown)
    curated = run(forms, "curate", "--apply", "--json", "--now", "2026-11-29T12:00:00Z")
    assert curated.code == 0 and {row["key"] for row in curated.json["skills"]} == ALL and not curated.json["steps"]


def test_search_takes_the_same_headers_for_headers(forms: Repository) -> None:
    for document in _documents(forms):
        name = document.path.split("/")[-2]
        units = units_of(Key("skill", document.identity, document.path), document.data)
        assert len(units) == (2 if name in ACCEPTED else 1), name
        told = f"{name}: Checks links. Use when a page changes."
        assert (units[0].text == told) == (name in ACCEPTED)
        assert "# Body" in units[-1].text, "a skill that hosts refuse is still found by its text"


def test_a_review_reads_it_the_same_way(forms: Repository) -> None:
    forms.git("commit", "-q", "--no-verify", "-m", "forms")
    reviewed = run(forms, "review", "--range", "HEAD~1..HEAD", "--format", "json").json["skills"]
    listed = listing(forms, settings_at(forms), "HEAD").skills
    assert {row["skill"]: row["description"] for row in reviewed} == {row.folder: row.description for row in listed}


def test_hosts_are_told_apart_by_their_own_rules_but_see_the_same_file(forms: Repository) -> None:
    for root, members in group(_documents(forms), [f"{SKILLS}/{name}" for name in ALL]).items():
        name = root.rsplit("/", 1)[-1]
        skill, seen = read_skill(root, members), see(root, tuple(members))
        assert bool(skill.problem) == (name not in ACCEPTED)
        if name in ACCEPTED:
            assert seen.values == skill.header.values


def _documents(repo: Repository) -> list[Document]:
    return [Document(path, read.blob(repo, entry.id), entry.mode) for path, entry in read.index(repo, SKILLS).items()]


def test_a_refused_form_names_file_line_reason_and_fix(forms: Repository) -> None:
    rows = [row for row in run(forms, "skill", "check", "--json").json["findings"] if row["check"] == "HG201"]
    assert all(row["line"] >= 1 and row["message"] and row["hint"] for row in rows)
    assert {row["path"].split("/")[-2]: row["line"] for row in rows}["dots"] == 4


def test_names_that_clash_name_both_paths(repo: Repository, write: Writer) -> None:
    write(f"{SKILLS}/a/foo/SKILL.md", page("bar"))
    write(f"{SKILLS}/a/same/SKILL.md", page("same"))
    write(f"{SKILLS}/b/same/SKILL.md", page("same"))
    out = run(repo, "skill", "check").out
    assert f"name 'bar' differs from its folder {SKILLS}/a/foo" in out
    assert f"{SKILLS}/a/same/SKILL.md:2:1" in out
    assert f"the name 'same' is also used by {SKILLS}/b/same/SKILL.md" in out


def test_a_long_header_and_a_number_for_a_name_do_not_hide_a_skill(
    repo: Repository, write: Writer, commit: Callable[..., str]
) -> None:
    write(f"{SKILLS}/long/SKILL.md", page("long").replace("\n---\n", f"\nlicense: {'a' * 5000}\n---\n", 1))
    write(f"{SKILLS}/123/SKILL.md", page("123"))
    commit()
    rows = run(repo, "skill", "list", "--json").json["skills"]
    assert [(row["name"], row["description"]) for row in rows] == [
        ("123", "Checks links. Use when a page changes."),
        ("long", "Checks links. Use when a page changes."),
    ]
    assert "HG202" in run(repo, "skill", "check", "123").out


def test_a_pinned_skill_can_still_be_improved(repo: Repository) -> None:
    run(repo, "skill", "new", "x", "--description", "Checks links.")
    assert run(repo, "skill", "pin", "x").code == 0
    assert run(repo, "skill", "edit", "x", "--set", "license=MIT").code == 0
    assert run(repo, "skill", "write-file", "x", "references/a.md", "--from", "-", stdin=b"# A\n").code == 0


def test_what_was_deleted_comes_back(repo: Repository) -> None:
    run(repo, "skill", "new", "x", "--description", "Checks links.")
    before = read.tree(repo, "HEAD")
    run(repo, "skill", "delete", "x", "--reason", "a mistake")
    assert run(repo, "undo").code == 0
    assert read.tree(repo, "HEAD") == before


UMLAUT = "---\nname: uebersicht\ndescription: Übersicht — prüft Links → Bericht ⚠️\n---\nText „ok“\n"
LEGACY = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "LANG": "C"}


@pytest.mark.parametrize(
    "args",
    [("skill", "check"), ("skill", "list"), ("skill", "view", "uebersicht"), ("skill", "matrix", "uebersicht"),
     ("skill", "show", "uebersicht"), ("skill", "diff", "uebersicht"), ("skill", "blame", "uebersicht"),
     ("learn", f"{SKILLS}/uebersicht/SKILL.md")],
    ids=" ".join,
)  # fmt: skip
def test_a_legacy_code_page_changes_no_byte(
    repo: Repository, write: Writer, commit: Callable[..., str], args: tuple[str, ...]
) -> None:
    write(f"{SKILLS}/uebersicht/SKILL.md", UMLAUT)
    commit()
    command = [sys.executable, "-m", "hermes_git", "-C", str(repo.work_tree()), *args]
    done = [
        subprocess.run(command, env={**os.environ, **extra}, capture_output=True, check=False)
        for extra in ({"PYTHONUTF8": "1"}, LEGACY)
    ]
    assert done[0].returncode == done[1].returncode == 0
    assert done[0].stdout == done[1].stdout
    assert done[0].stderr == done[1].stderr
    assert b"Traceback" not in done[1].stderr
    assert "matrix" in args or "Übersicht".encode() in done[1].stdout

"""Importing: re-import is a no-op, growth appends, two sources of one session are one, chance ids stay apart."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hermes_git import zst
from hermes_git.errors import UserError
from hermes_git.finding import ERROR, NOTE, Finding, Report
from hermes_git.gitrepo.repository import Repository
from hermes_git.sessions import forget
from hermes_git.sessions.intake import Importer, Intake, expand
from hermes_git.sessions.store import Store, open_folder, open_store
from hermes_git.settings import DEFAULTS

TOKEN = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
SID = "20260901_080000_ab12cd"
Run = Callable[..., Intake]


def hermes(path: Path, *contents: str, sid: str = SID, **fields: Any) -> Path:
    messages = [{"id": n, "role": "user", "content": text} for n, text in enumerate(contents, 1)]
    row = {"id": sid, "source": "cli", "started_at": 1788249600.0, **fields, "messages": messages}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def passes(files: Mapping[str, bytes]) -> dict[str, Report]:
    return dict.fromkeys(files, Report())


def objects(files: Mapping[str, bytes]) -> dict[str, Report]:
    """Object to the line that says bad, and count the one that says odd."""
    reports = {}
    for path, data in files.items():
        rows = [(number, line) for number, line in enumerate(data.split(b"\n"), 1)]
        bad = [Finding(path, number, 1, "HG501", ERROR, "no") for number, line in rows if b"bad" in line]
        odd = [Finding(path, number, 1, "HG402", NOTE, "hm") for number, line in rows if b"odd" in line]
        reports[path] = Report((*bad, *odd))
    return reports


@pytest.fixture(params=["branch", "folder"])
def store(request: pytest.FixtureRequest, repo: Repository, tmp_path: Path) -> Store:
    return open_store(repo, DEFAULTS) if request.param == "branch" else open_folder(tmp_path / "store")


@pytest.fixture
def run(store: Store) -> Run:
    def import_files(*paths: Path, **options: Any) -> Intake:
        judge = options.pop("judge", passes)
        return Importer(store, lambda counts: f"import {dict(counts)}", judge, **options).run(paths)

    return import_files


def test_what_is_imported_is_stored_redacted_and_accounted_for(run: Run, store: Store, tmp_path: Path) -> None:
    found = run(hermes(tmp_path / "in" / "a.jsonl", "hello", f"my token {TOKEN}", system_prompt="Be kind."))
    session = store.session(SID)
    assert [m.content for m in session.messages] == ["hello", "my token [REDACTED:github-token:1]"]
    assert session.system_prompt == "Be kind."
    assert (found.sessions, found.states, found.redactions) == (1, {"new": 1}, {"github-token": 1})
    assert (found.loss.rows_in, found.loss.kept, found.loss.merged) == (3, 2, 1)
    assert TOKEN.encode() not in b"".join(data for _, data in store.read(store.files()))


def test_importing_again_changes_nothing(run: Run, store: Store, tmp_path: Path) -> None:
    path = hermes(tmp_path / "in" / "a.jsonl", "hello")
    before = run(path).revision
    found = run(path)
    assert (found.revision, found.states) == (before, {"unchanged": 1})
    assert run(path, again=True).revision == before


def test_a_refused_session_is_named_and_the_others_are_stored(run: Run, store: Store, tmp_path: Path) -> None:
    good = hermes(tmp_path / "in" / "a.jsonl", "hello", "odd")
    bad = hermes(tmp_path / "in" / "b.jsonl", "one", "bad", sid="other-1")
    found = run(good, bad, judge=objects)
    assert [stored.id for stored in store.sessions()] == [SID]
    assert found.states == {"new": 1, "refused": 1}
    assert found.counts == {"HG402": 1, "HG501": 1}
    (row,) = found.refused
    assert (row.session, row.message, row.finding.line) == ("other-1", 2, 3) and row.source.endswith("b.jsonl")
    assert run(good, bad, judge=objects).states == {"unchanged": 1, "refused": 1}
    assert run(good, bad).states == {"unchanged": 1, "new": 1}


def test_a_session_that_grows_into_a_refusal_stays_as_it_was(run: Run, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "in" / "a.jsonl"
    before = run(hermes(path, "one"), judge=objects).revision
    found = run(hermes(path, "one", "bad"), judge=objects)
    assert (found.states, found.revision) == ({"refused": 1}, before)
    assert [message.content for message in store.session(SID).messages] == ["one"]
    assert run(hermes(path, "one", "better"), judge=objects).states == {"grown": 1}


def test_a_shared_text_that_is_refused_keeps_its_sessions_out(run: Run, store: Store, tmp_path: Path) -> None:
    found = run(hermes(tmp_path / "in" / "a.jsonl", "hello", system_prompt="Be bad."), judge=objects)
    assert found.states == {"refused": 1} and found.refused[0].message == 0
    assert not store.files()


def test_a_dry_run_judges_too(run: Run, store: Store, tmp_path: Path) -> None:
    found = run(hermes(tmp_path / "in" / "a.jsonl", "bad"), judge=objects, dry=True)
    assert found.states == {"refused": 1} and len(found.refused) == 1
    assert not store.files()


def test_a_refused_session_stays_forgotten(run: Run, store: Store, tmp_path: Path) -> None:
    path = hermes(tmp_path / "in" / "a.jsonl", "bad")
    run(path)
    forget.forget(store, forget.plan(store, [SID]), message="forget")
    assert run(path, judge=objects, revive=True).states == {"refused": 1}
    assert run(path).states == {"forgotten": 1}
    assert run(path, revive=True).states == {"new": 1}


def test_a_grown_source_appends_under_the_same_numbers(run: Run, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "in" / "a.jsonl"
    run(hermes(path, "one", TOKEN))
    before = store.session(SID)
    found = run(hermes(path, "one", TOKEN, f"again {TOKEN}"))
    after = store.session(SID)
    assert found.states == {"grown": 1}
    assert after.messages[:2] == before.messages
    assert (after.messages[2].id, after.messages[2].content) == (3, "again [REDACTED:github-token:1]")


def test_ids_that_differ_in_case_alone_are_kept_apart(run: Run, store: Store, tmp_path: Path) -> None:
    sources = [hermes(tmp_path / f"{n}.jsonl", f"I am {sid}", sid=sid) for n, sid in enumerate(("abc", "Abc", "ABC"))]
    assert run(*sources).states == {"new": 3}
    assert len({item.path.casefold() for item in store.sessions()}) == 3
    assert [store.session(sid).messages[0].content for sid in ("abc", "Abc")] == ["I am abc", "I am Abc"]
    assert run(*sources).states == {"unchanged": 3}


def test_a_session_that_was_stored_under_its_bare_id_stays_there(run: Run, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run(hermes(path, "one", sid="Abc"))
    (item,) = store.sessions()
    bare = f"{item.path.rpartition('/')[0]}/Abc.jsonl"
    store.write({item.path: None, bare: store.read_one(item.path)}, message="as it was")
    assert run(hermes(path, "one", "two", sid="Abc")).states == {"grown": 1}
    assert [stored.path for stored in store.sessions()] == [bare] and len(store.session("Abc").messages) == 2


def test_an_id_that_windows_takes_for_a_device_names_no_file(run: Run, store: Store, tmp_path: Path) -> None:
    run(*(hermes(tmp_path / f"{sid}.jsonl", "hi", sid=sid) for sid in ("con", "Aux.2", "COM1", "console", "a.con")))
    ids = [item.id for item in store.sessions()]
    assert {"console", "a.con"} < {*ids} and sum(name.startswith("s-") for name in ids) == 3 and len(ids) == 5


def test_a_renamed_source_is_still_the_same_session(run: Run, store: Store, tmp_path: Path) -> None:
    run(hermes(tmp_path / "in" / "a.jsonl", "one", "two"))
    found = run(hermes(tmp_path / "in" / "b.jsonl", "two", "three"))
    assert found.states == {"grown": 1}
    assert [(m.id, m.content) for m in store.session(SID).messages] == [(1, "one"), (2, "two"), (3, "three")]


def test_two_sources_of_one_session_in_one_import(run: Run, store: Store, tmp_path: Path) -> None:
    hermes(tmp_path / "in" / "a.jsonl", "one", "two")
    hermes(tmp_path / "in" / "b.jsonl", "one", "two", "three")
    assert run(tmp_path / "in").states == {"new": 1, "grown": 1}
    assert len(store.session(SID).messages) == 3
    revision = store.revision
    assert run(tmp_path / "in").states == {"unchanged": 2}
    assert store.revision == revision


def test_two_sources_of_one_session_of_which_one_knows_no_time(run: Run, store: Store, tmp_path: Path) -> None:
    hermes(tmp_path / "in" / "a.jsonl", "one")
    hermes(tmp_path / "in" / "b.jsonl", "one", "two", started_at=None)
    assert run(tmp_path / "in").states == {"new": 1, "grown": 1}
    assert [stored.path for stored in store.sessions()] == [f"sessions/2026/09/{SID}.jsonl"]
    assert len(store.session(SID).messages) == 2


def test_two_sessions_with_the_same_id_by_chance_stay_apart(run: Run, store: Store, tmp_path: Path) -> None:
    run(hermes(tmp_path / "in" / "a.jsonl", "one", sid="s1"), hermes(tmp_path / "in" / "b.jsonl", "other", sid="s1"))
    names = sorted(stored.id for stored in store.sessions())
    assert names[0] == "s1" and names[1].startswith("s1-") and len(names) == 2
    revision = store.revision
    assert run(tmp_path / "in").revision == revision


def test_a_later_start_time_does_not_move_a_stored_session(run: Run, store: Store, tmp_path: Path) -> None:
    run(hermes(tmp_path / "in" / "a.jsonl", "one", started_at=None))
    run(hermes(tmp_path / "in" / "a.jsonl", "one", "two"))
    assert [stored.path for stored in store.sessions()] == [f"sessions/unknown/{SID}.jsonl"]


def test_a_dry_run_writes_nothing(run: Run, store: Store, tmp_path: Path) -> None:
    found = run(hermes(tmp_path / "in" / "a.jsonl", "one"), dry=True)
    assert (found.states, store.revision, store.sessions()) == ({"new": 1}, "", [])


def test_a_packed_file_that_nothing_can_unpack_is_named_with_the_way_out(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing() -> Any:
        raise ImportError

    monkeypatch.setattr(zst, "_library", nothing)
    hermes(tmp_path / "in" / "a.jsonl", "one")
    (tmp_path / "in" / "rollout-1.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    found = run(tmp_path / "in")
    assert (found.sessions, found.loss.dropped) == (1, {"damaged": 1})
    assert "rollout-1.jsonl.zst:0: packed with Zstandard" in found.loss.damaged[0]
    assert "hermes-git[zst]" in found.loss.damaged[0]


def test_what_agents_keep_beside_sessions_is_accounted_for(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    hermes(folder / "a.jsonl", "one")
    kept = {
        "agent-1.meta.json": {"agentType": "general-purpose"},
        "sessions-index.json": {"version": 1, "entries": [{"sessionId": "x"}]},
        "sessions.json": {"agent:main": {"session_key": "agent:main", "session_id": "x", "platform": "telegram"}},
    }
    for name, value in kept.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    (folder / "other").mkdir()
    (folder / "other" / "sessions.json").write_text('{"session_key": 1}', encoding="utf-8")
    found = run(folder)
    assert found.loss.dropped == {
        "bookkeeping:agent.meta.json": 1,
        "bookkeeping:sessions-index.json": 1,
        "bookkeeping:sessions.json": 1,
    }
    assert [Path(path).parent.name for path in found.unsupported] == ["other"]


def test_files_in_no_known_format_are_refused_by_name(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    hermes(folder / "a.jsonl", "one")
    (folder / "notes.md").write_text('{"type":"user","message":{"content":"x"}}? no\n', encoding="utf-8")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (folder / "other.jsonl").write_text('{"event":"x"}\n', encoding="utf-8")
    found = run(folder)
    assert [Path(path).name for path in found.unsupported] == ["empty.jsonl", "notes.md", "other.jsonl", "picture.png"]
    assert found.sessions == 1


def test_large_imports_are_written_in_batches(
    run: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hermes_git.sessions import intake

    monkeypatch.setattr(intake, "BATCH_CHARACTERS", 10)
    for number in range(4):
        hermes(tmp_path / "in" / f"{number}.jsonl", f"hello world {number}", sid=f"s{number}")
    assert run(tmp_path / "in").states == {"new": 4}
    assert len(store.sessions()) == 4


def test_a_packed_file_is_the_same_session(run: Run, store: Store, tmp_path: Path) -> None:
    path = hermes(tmp_path / "in" / "a.jsonl", "one")
    run(path)
    packed = tmp_path / "packed" / "a.jsonl.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert run(packed).states == {"unchanged": 1}
    packed.write_bytes(gzip.compress(path.read_bytes())[:-9])
    found = run(packed)
    assert (found.files[0].format, found.loss.dropped) == ("unreadable", {"damaged": 1})


def test_a_file_that_cannot_be_read_costs_only_itself(run: Run, store: Store, tmp_path: Path) -> None:
    hermes(tmp_path / "in" / "a.jsonl", "one")
    broken = tmp_path / "in" / "state.db"
    broken.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    found = run(tmp_path / "in")
    assert (found.states, found.loss.dropped) == ({"new": 1}, {"damaged": 1})
    assert str(broken) in found.loss.damaged[0]


def test_links_and_git_folders_are_not_walked(tmp_path: Path) -> None:
    hermes(tmp_path / "in" / "a.jsonl", "one")
    hermes(tmp_path / "in" / ".git" / "b.jsonl", "one")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "link.jsonl").symlink_to(tmp_path / "in" / "a.jsonl")
    assert [path.name for path in expand([tmp_path / "in"])] == ["a.jsonl"]


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file or folder"):
        list(expand([tmp_path / "nowhere"]))


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
def test_a_pipe_among_the_files_is_damage_and_not_a_wait(run: Run, tmp_path: Path) -> None:
    hermes(tmp_path / "in" / "a.jsonl", "hello")
    os.mkfifo(tmp_path / "in" / "b.jsonl")
    found = run(tmp_path / "in")
    assert found.sessions == 1 and found.loss.damaged

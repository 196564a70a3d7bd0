"""The index on disk: incremental, shared, interrupted, damaged. What it cannot answer it never answers with nothing."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_git import files
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import care, index, update, writer
from hermes_git.recall.manifest import Damaged
from hermes_git.settings import DEFAULTS
from tests.recall.conftest import Search, Store, found, talk


def folder(repo: Repository) -> Path:
    return index.folder_of(repo.state)


def segment_file(repo: Repository) -> Path:
    return max(folder(repo).glob("*.seg"), key=lambda path: path.stat().st_size)


@pytest.fixture
def corpus(store: Store, search: Search) -> None:
    store([talk(f"s{number}", f"marker{number} the deploy of service{number} failed", "noted") for number in range(30)])
    assert found(search("marker7")) == ["s7"]


def test_only_new_sessions_are_indexed(repo: Repository, store: Store, search: Search) -> None:
    store([talk("one", "alpha question")])
    assert update.bring_up_to_date(repo, DEFAULTS).added == 1
    store([talk("two", "beta question")])
    done = update.bring_up_to_date(repo, DEFAULTS)
    assert (done.added, done.removed) == (1, 0)
    assert update.bring_up_to_date(repo, DEFAULTS) == update.Update()
    assert sorted(found(search("question"))) == ["one", "two"]


def test_what_is_stored_while_others_are_indexed_is_found_by_the_next_search(
    repo: Repository, store: Store, search: Search
) -> None:
    store([talk("one", "alpha question")])
    update.bring_up_to_date(repo, DEFAULTS, progress=lambda *_: store([talk("late", "beta question")]))
    assert found(search("beta")) == ["late"]


def test_a_grown_session_replaces_itself(repo: Repository, store: Store, search: Search) -> None:
    store([talk("one", "alpha question")])
    assert found(search("alpha")) == ["one"]
    store([talk("one", "alpha question", "gamma answer")])
    assert found(search("gamma")) == ["one"]
    assert care.status(repo, DEFAULTS)["indexed"] == 1
    rows = search("alpha")["results"]
    assert len(rows) == 1 and rows[0]["messages_after"] == 1


def test_many_small_updates_are_merged(repo: Repository, store: Store, search: Search) -> None:
    for number in range(20):
        store([talk(f"s{number}", f"marker{number} question")])
        assert found(search(f"marker{number}")) == [f"s{number}"]
    assert care.status(repo, DEFAULTS)["segments"] <= 12
    assert all(found(search(f"marker{number}")) == [f"s{number}"] for number in range(20))
    update.optimize(repo)
    assert care.status(repo, DEFAULTS)["segments"] == 1
    assert all(found(search(f"marker{number}")) == [f"s{number}"] for number in range(20))
    assert care.verify(repo, DEFAULTS)["damage"] == []


def test_indexes_of_other_versions_are_removed_when_asked_to_rebuild(repo: Repository, store: Store) -> None:
    other = folder(repo).parent / "0123456789ab"
    other.mkdir(parents=True)
    (other / "manifest.json").write_text("{}")
    store([talk("one", "alpha")])
    update.bring_up_to_date(repo, DEFAULTS)
    assert other.is_dir()
    update.rebuild(repo, DEFAULTS)
    assert not other.exists() and folder(repo).is_dir()


def test_merging_leaves_the_dead_behind(repo: Repository, store: Store, search: Search) -> None:
    for turn in range(12):
        store([talk(f"s{number}", *[f"word{step} marker{number}" for step in range(turn + 1)]) for number in range(3)])
        search("marker1")
    update.optimize(repo)
    report = care.status(repo, DEFAULTS)
    assert (report["indexed"], report["passages"], report["segments"]) == (3, 3, 1)


def test_switching_branches_changes_what_is_known(
    repo: Repository, write: Callable[[str, str], Path], commit: Callable[..., str], search: Search
) -> None:
    write("knowledge/memory/MEMORY.md", "the staging server is called juniper")
    commit("teach the server")
    repo.git("checkout", "-q", "-b", "other")
    write("knowledge/memory/MEMORY.md", "the staging server is called basalt")
    commit("rename it")
    assert [row["kind"] for row in search("basalt")["knowledge"]] == ["memory"]
    repo.git("checkout", "-q", "main")
    assert search("basalt")["knowledge"] == []
    assert [row["path"] for row in search("juniper")["knowledge"]] == ["knowledge/memory/MEMORY.md"]
    repo.git("commit", "-q", "--amend", "--no-verify", "-m", "reword quartzite")
    assert [row["kind"] for row in search("quartzite")["knowledge"]] == ["commit"]


def truncated(repo: Repository) -> None:
    path = segment_file(repo)
    os.truncate(path, path.stat().st_size // 2)


def flipped(repo: Repository) -> None:
    path = segment_file(repo)
    data = bytearray(path.read_bytes())
    for at in range(0, len(data), max(1, len(data) // 16)):
        data[at] ^= 0x55
    path.write_bytes(data)


def flipped_unnoticed(repo: Repository) -> None:
    """Change bytes and make the manifest believe that the file was not touched since."""
    flipped(repo)
    manifest = index.load(folder(repo))
    assert manifest is not None
    import msgspec

    from hermes_git.recall.manifest import encode

    segments = tuple(
        msgspec.structs.replace(
            segment,
            data=msgspec.structs.replace(segment.data, mark=index.mark((folder(repo) / segment.data.name).stat())),
        )
        for segment in manifest.segments
    )
    (folder(repo) / "manifest.json").write_bytes(encode(msgspec.structs.replace(manifest, segments=segments)))


def without_catalogue(repo: Repository) -> None:
    (folder(repo) / "manifest.json").unlink()


def torn_catalogue(repo: Repository) -> None:
    path = folder(repo) / "manifest.json"
    path.write_bytes(path.read_bytes()[:-70])


def altered_catalogue(repo: Repository) -> None:
    path = folder(repo) / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"passages":', b'"passages": '))


def without_segment(repo: Repository) -> None:
    segment_file(repo).unlink()


def without_table(repo: Repository) -> None:
    next(folder(repo).glob("*.sources")).unlink()


def all_gone(repo: Repository) -> None:
    shutil.rmtree(repo.state / "index")


DAMAGES = [
    truncated, flipped, flipped_unnoticed, without_catalogue, torn_catalogue, altered_catalogue, without_segment,
    without_table, all_gone,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.usefixtures("corpus")
def test_a_damaged_index_is_rebuilt_and_says_so(
    repo: Repository, search: Search, damage: Callable[[Repository], None]
) -> None:
    damage(repo)
    answer = search("marker7")
    assert found(answer) == ["s7"]
    assert "built" in " ".join(answer["notes"]), answer.get("notes")
    assert care.verify(repo, DEFAULTS)["damage"] == []
    assert "notes" not in search("marker8")


@pytest.mark.parametrize("damage", [truncated, flipped, without_table], ids=lambda damage: damage.__name__)
@pytest.mark.usefixtures("corpus")
def test_damage_is_an_error_where_it_cannot_be_mended(repo: Repository, damage: Callable[[Repository], None]) -> None:
    damage(repo)
    with pytest.raises(Damaged):
        index.Index.open(index.Place(folder(repo)))
    assert care.status(repo, DEFAULTS)["damage"]


@pytest.mark.usefixtures("corpus")
def test_verify_finds_what_the_marks_do_not_show(repo: Repository) -> None:
    flipped_unnoticed(repo)
    assert care.status(repo, DEFAULTS)["damage"] == []
    assert care.verify(repo, DEFAULTS)["damage"]


def test_an_index_file_cannot_run_anything(repo: Repository, store: Store, search: Search, tmp_path: Path) -> None:
    import pickle

    from hermes_git.recall.segment_read import plain

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "ran"),)

    with pytest.raises(pickle.UnpicklingError):
        plain(pickle.dumps(Evil(), 2))
    assert not (tmp_path / "ran").exists()


def unwritable(repo: Repository) -> None:
    """Put a file where the folder of the index must be, which stops root as well."""
    shutil.rmtree(repo.state / "index", ignore_errors=True)
    (repo.state / "index").write_text("in the way")


@pytest.mark.usefixtures("corpus")
def test_an_index_that_cannot_be_written_is_built_elsewhere(repo: Repository, search: Search) -> None:
    unwritable(repo)
    answer = search("marker7")
    assert found(answer) == ["s7"] and answer["complete"]
    assert "temporary" in " ".join(answer["notes"])
    assert (repo.state / "index").is_file()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.usefixtures("corpus")
def test_a_read_only_folder_answers_from_what_is_there(repo: Repository, search: Search) -> None:
    folder(repo).chmod(0o555)
    try:
        assert found(search("marker7")) == ["s7"]
    finally:
        folder(repo).chmod(0o755)


def test_a_full_disk_is_said(repo: Repository, store: Store, search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    store([talk("one", "alpha question")])
    real = files.write_atomic

    def full(path: Path, data: bytes, **more: object) -> None:
        if str(path).startswith(str(repo.state)):
            raise OSError(28, "No space left on device")
        real(path, data)

    monkeypatch.setattr(files, "write_atomic", full)
    answer = search("alpha")
    assert found(answer) == ["one"]
    assert "No space left" in " ".join(answer["notes"])


@pytest.mark.usefixtures("corpus")
def test_while_another_process_writes_the_old_index_answers(repo: Repository, store: Store, search: Search) -> None:
    store([talk("late", "latecomer question")])
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder(repo) / index.LOCK)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        answer = search("latecomer")
        assert found(answer) == [] and answer["complete"] is False
        assert "not searched" in " ".join(answer["notes"])
        assert found(search("marker7")) == ["s7"]
    finally:
        holder.kill()
        holder.communicate()
    assert found(search("latecomer")) == ["late"]


HOLD = """
import sys, time
from pathlib import Path
from hermes_git import files
with files.lock(Path(sys.argv[1]), purpose="indexing"):
    print("held", flush=True)
    time.sleep(60)
"""


def _update(path: str, rounds: int) -> None:
    from hermes_git.gitrepo.repository import require

    repo = require(Path(path))
    for _ in range(rounds):
        update.rebuild(repo, DEFAULTS, wait=60.0)


@pytest.mark.usefixtures("corpus")
def test_two_rebuilds_at_once_do_no_harm(repo: Repository, search: Search) -> None:
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=_update, args=(str(repo.work_tree()), 5)) for _ in range(2)]
    for process in both:
        process.start()
    while any(process.is_alive() for process in both):
        assert found(search("marker3")) == ["s3"]
        time.sleep(0.05)
    assert [process.exitcode for process in both] == [0, 0]
    report = care.verify(repo, DEFAULTS)
    assert (report["damage"], report["missing"], report["indexed"]) == ([], 0, 30)


def _work(path: str) -> None:
    from hermes_git.gitrepo.repository import require

    writer.MAX_POSTINGS = 40  # many segments, so that every kind of write is interrupted
    repo = require(Path(path))
    update.bring_up_to_date(repo, DEFAULTS, wait=60.0, fully=True)
    update.optimize(repo, wait=60.0)
    update.rebuild(repo, DEFAULTS, wait=60.0)


def test_a_killed_writer_leaves_the_old_index_or_the_new(repo: Repository, store: Store, search: Search) -> None:
    store([talk(f"s{number}", f"marker{number} deploy of service{number} failed") for number in range(40)])
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.recall.test_index"])
    for turn in range(50):
        process = context.Process(target=_work, args=(str(repo.work_tree()),))
        process.start()
        process.join(0.02 + turn * 0.005)
        process.kill()
        process.join()
        manifest = index.load(folder(repo)) if folder(repo).is_dir() else None
        if manifest:
            opened = index.Index.open(index.Place(folder(repo)))
            assert opened is not None
            opened.close()
        if turn % 10 == 9:
            assert found(search("marker7")) == ["s7"]
            store([talk(f"t{turn}", f"extra{turn} words")])
    answer = search("marker39")
    assert found(answer) == ["s39"] and "damaged" not in " ".join(answer.get("notes", ()))
    report = care.verify(repo, DEFAULTS)
    assert (report["damage"], report["missing"], report["surplus"]) == ([], 0, 0)
    named = {path.name for path in folder(repo).iterdir()}
    assert len(named) == 2 * report["segments"] + 3, named

"""The spool: recording is cheap and never dirties the tree, flushing is repeatable and loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance import ledger, spool
from hermes_git.provenance.ledger import Use
from hermes_git.settings import DEFAULTS


def use(time: int, key: str = "deploy") -> Use:
    return Use(time, "skill", key, "viewed")


def test_uses_wait_in_the_spool_until_they_are_flushed(repo: Repository, commit: Callable[..., str]) -> None:
    commit()
    spool.record_use(repo, use(1))
    spool.record_use(repo, use(86_400 * 40))
    assert repo.git("status", "--porcelain") == b""
    assert [row.time for row in spool.spooled(repo).uses] == [1, 86_400 * 40]
    assert spool.flush(repo, DEFAULTS) == 2
    assert spool.spooled(repo).uses == ()
    files = repo.git("ls-tree", "-r", "--name-only", "hermes/sessions").decode().split()
    assert files == ["ledger/1970-01.jsonl", "ledger/1970-02.jsonl"]
    assert [row.time for row in spool.read_ledger(repo, DEFAULTS).uses] == [1, 86_400 * 40]


def test_a_flush_that_is_repeated_adds_nothing(repo: Repository, commit: Callable[..., str]) -> None:
    commit()
    spool.record_use(repo, use(1))
    spool.flush(repo, DEFAULTS)
    tip = repo.git("rev-parse", "hermes/sessions")
    spool.record_use(repo, use(1))
    spool.flush(repo, DEFAULTS)
    assert repo.git("rev-parse", "hermes/sessions") == tip
    assert spool.flush(repo, DEFAULTS) == 0


def test_damaged_lines_stay_in_the_spool_and_are_shown(repo: Repository, commit: Callable[..., str]) -> None:
    commit()
    spool.record_use(repo, use(1))
    with spool.spool_path(repo).open("ab") as stream:
        stream.write(b"torn")
    spool.record_use(repo, use(2))
    assert spool.flush(repo, DEFAULTS) == 2
    left = spool.spooled(repo)
    assert left.uses == () and left.damaged == ("uses.jsonl:1: not JSON",)


def test_writers_at_once_lose_nothing(repo: Repository, commit: Callable[..., str]) -> None:
    commit()

    def work(number: int) -> None:
        spool.record_use(repo, use(number))
        if number % 7 == 0:
            spool.flush(repo, DEFAULTS)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(1, 29)))
    spool.flush(repo, DEFAULTS)
    assert [row.time for row in spool.read_ledger(repo, DEFAULTS).uses] == list(range(1, 29))


def test_the_ledger_merges_by_union_between_two_clones() -> None:
    ours = ledger.appended(b"", [use(1), use(2)])
    theirs = ledger.appended(b"", [use(2), use(3)])
    merged = ours + b"".join(line + b"\n" for line in theirs.split(b"\n")[:-1] if line + b"\n" not in ours)
    assert [row.time for row in ledger.read([("x", merged)]).uses] == [1, 2, 3]

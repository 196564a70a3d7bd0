"""`hermes-git search` and `hermes-git index` as a person and a program meet them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import msgspec
import pytest

from hermes_git.cli import main
from hermes_git.commands.search import render
from hermes_git.gitrepo.repository import Repository
from hermes_git.recall import index
from tests.recall.conftest import Store, talk

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(repo: Repository, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: str) -> tuple[int, str, str]:
        code = main(["-C", str(repo.work_tree()), *args])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture(autouse=True)
def corpus(store: Store) -> None:
    store(
        [
            talk("first", "why did the deploy fail?", "the zebra cache was full", title="Deploys"),
            talk("second", "hello"),
        ]
    )


def test_search_for_people(run: Run) -> None:
    code, out, err = run("search", "zebra", "cache")
    assert code == 0 and err == "hermes-git: the index was built\n"
    assert out.splitlines()[:3] == [
        "first  Deploys  (hermes, May 01, 2026 at 10:00 AM, found by: phrase)",
        "  assistant 2: the zebra cache was full",
        "  hermes-git search --session first --around 2",
    ]
    assert run("search", "zebra")[2] == ""


def test_a_hit_names_the_commit_of_its_session(run: Run, store: Store) -> None:
    store([talk("third", "the otter pool", commit="0f0f0f0f0f0f0f0f")])
    assert "10:00 AM, commit 0f0f0f0f0f0f, found by" in run("search", "otter")[1].splitlines()[0]


def test_what_answers_is_bold_on_a_terminal_only(run: Run, store: Store) -> None:
    store([talk("third", "a doctest: >>> f(1) # an okapi here, <<< and an okapi there")])
    assert "  user 1: a doctest: >>> f(1) # an okapi here, <<< and an okapi there" in run("search", "okapi")[1]
    answer = {"mode": "discover", "results": [], "knowledge": [KNOWN | {"snippet": "x >>> an >>>okapi<<< \x1b[31m"}]}
    assert render(answer, colour=True)[1] == "  x >>> an \x1b[1mokapi\x1b[0m \\u001b[31m"
    assert render(answer)[1] == "  x >>> an okapi \\u001b[31m"


KNOWN = {"kind": "skill", "path": "skills/a/SKILL.md", "rung": "all", "open": "git show HEAD:skills/a/SKILL.md"}


def test_the_agent_is_named_and_the_channel_where_it_says_more(run: Run, store: Store) -> None:
    coded = msgspec.structs.replace(talk("one", "okapi"), agent="claude-code", channel="cli")
    store([coded, msgspec.structs.replace(talk("two", "okapi"), channel="telegram")])
    out = run("search", "okapi")[1]
    assert "(claude-code, May 01" in out and "(hermes on telegram, May 01" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--around", "3"), "--around needs --session ID"),
        (("--role", "nobody", "zebra"), "there are: user, assistant, tool, system"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(run: Run, words: tuple[str, ...], said: str) -> None:
    code, out, err = run("search", *words)
    assert (code, out) == (2, "") and said in err


def test_search_for_programs(run: Run) -> None:
    code, out, _ = run("search", "--json", "deploy", "fail")
    answer = json.loads(out)
    assert code == 0 and answer["mode"] == "discover" and answer["results"][0]["session_id"] == "first"
    assert isinstance(answer["results"][0]["match_message_id"], int)


def test_no_match_is_no_error(run: Run) -> None:
    code, out, _ = run("search", "qqqzzz")
    assert (code, out) == (0, "No matching sessions found.\n")


def test_scroll_read_browse(run: Run) -> None:
    assert ">[2] assistant\nthe zebra cache was full" in run("search", "--session", "first", "--around", "2")[1]
    assert "[1] user\nwhy did" in run("search", "--session", "fir")[1]
    assert "match 2 (phrase)" in run("search", "--session", "first", "zebra", "cache")[1]
    assert "2 of 2 sessions" in run("search")[1]
    code, _, err = run("search", "--session", "nobody")
    assert code == 2 and "session_id not found: nobody" in err
    code, _, err = run("search", "--session", "first", "--around", "77")
    assert code == 2 and "not in session_id first" in err


def test_an_unreadable_session_is_said_and_counted(run: Run, repo: Repository) -> None:
    from hermes_git.sessions.store import open_store
    from hermes_git.settings import DEFAULTS

    broken = b'{"format":1,"id":"torn","agent":"hermes","messages":2}\n{"id":1,"role":"user","con'
    open_store(repo, DEFAULTS).write({"sessions/2026/05/torn.jsonl": broken}, message="damage")
    code, out, err = run("index", "update", "--json")
    assert code == 1 and "torn.jsonl:2" in json.loads(out)["unreadable"][0]
    code, out, err = run("search", "zebra")
    assert "first" in out and code == 1 and "torn.jsonl:2" in err
    assert run("index", "status")[0] == 1


def test_index_commands(run: Run, repo: Repository) -> None:
    code, out, _ = run("index", "status", "--json")
    assert code == 1 and json.loads(out)["missing"] == 2
    code, out, _ = run("index", "update", "--json")
    report = json.loads(out)
    assert (code, report["added"], report["indexed"], report["sources"]) == (0, 2, 2, 2)
    assert run("index", "verify")[0] == 0
    assert run("index", "optimize")[0] == 0
    file = next(index.folder_of(repo.state).glob("*.seg"))
    file.write_bytes(file.read_bytes()[:-1])
    code, out, _ = run("index", "verify", "--json")
    assert code == 1 and json.loads(out)["damage"] == [f"{file.name} is not what was written"]
    assert run("index", "rebuild")[0] == 0
    assert run("index", "verify")[0] == 0


def test_terminal_escapes_do_not_reach_the_terminal(run: Run, store: Store) -> None:
    store([talk("evil", "a \x1b[31mred\x1b[0m ocelot \x1b]0;title\x07 \x9b31m here", title="\x1b[2Jtitle")])
    for args in (("search", "ocelot"), ("search", "--session", "evil"), ("search",)):
        out = run(*args)[1]
        assert "\x1b" not in out and "\x9b" not in out and "evil" in out


def test_neither_network_nor_home_is_needed(repo: Repository) -> None:
    code = (
        "import socket, sys\n"
        "def no(*a, **k): raise OSError('network used')\n"
        "socket.socket.connect = no; socket.create_connection = no; socket.getaddrinfo = no\n"
        "from hermes_git.cli import main\n"
        f"sys.exit(main(['-C', {str(repo.work_tree())!r}, 'search', 'zebra']))"
    )
    bare = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": "/nonexistent", "LC_ALL": "C"}
    done = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, check=False)
    assert done.returncode == 0 and b"zebra" in done.stdout, done.stderr

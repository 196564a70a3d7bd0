from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hermes_git.cli import main
from hermes_git.export import source
from hermes_git.gitrepo.repository import Repository
from hermes_git.provenance.change import Actor, Change, message
from hermes_git.sessions.model import Session
from hermes_git.sessions.store import open_store, session_files
from hermes_git.settings import DEFAULTS
from tests.trajectories.sessions import FLAKY, session
from tests.trajectories.sessions import message as said

OTHER = session(said("user", "q"), said("assistant", "a"), id="s2")


def store(repo: Repository, *sessions: Session) -> str:
    opened = open_store(repo, DEFAULTS)
    files = {path: data for one in sessions for path, data in session_files(one).items()}
    return opened.write(dict(files), message="import")


def export(repo: Repository, out: Path, *args: str) -> tuple[int, Any]:
    status = main(["export", "-C", str(repo.cwd), "--out", str(out), *args])
    found = out / "manifest.json"
    return status, json.loads(found.read_bytes()) if found.exists() else None


def test_export_names_both_commits_and_takes_the_past(repo: Repository, commit: Any, tmp_path: Path) -> None:
    knowledge = commit()
    first = store(repo, FLAKY)
    second = store(repo, OTHER)
    status, manifest = export(repo, tmp_path / "now")
    assert status == 0
    assert manifest["commits"] == {"knowledge": knowledge, "sessions": second}
    assert manifest["counts"]["rows"] == 2
    status, manifest = export(repo, tmp_path / "then", "--rev", "hermes/sessions~1")
    assert manifest["commits"]["sessions"] == first
    assert manifest["counts"]["rows"] == 1


def test_export_works_without_network(repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("network used")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("HOME", "/nonexistent")
    store(repo, FLAKY)
    status, manifest = export(repo, tmp_path / "out", "--budget", "2000")
    assert status == 0
    assert manifest["tokenizer"]["name"] == "cl100k_base"


def test_without_sessions_the_error_says_how_to_get_some(
    repo: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(repo, tmp_path / "out")[0] == 2
    assert "hermes-git session import" in capsys.readouterr().err


def test_a_session_whose_commit_was_reverted_failed(repo: Repository, write: Any, commit: Any, tmp_path: Path) -> None:
    change = Change("add", "memory", "", "abc123abc123", Actor("agent", "hermes"), "s1")
    write("a.txt", "1")
    first = commit(message("learn", [change]))
    write("a.txt", "2")
    commit(f'Revert "learn"\n\nThis reverts commit {first}.')
    assert source.reverted(repo) == {"s1"}
    store(repo, FLAKY, OTHER)
    manifest = export(repo, tmp_path / "out")[1]
    assert manifest["counts"]["outcomes"] == {"completed": 1, "reverted": 1}


def test_json_is_the_manifest(repo: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store(repo, FLAKY)
    manifest = export(repo, tmp_path / "out", "--json")[1]
    assert json.loads(capsys.readouterr().out) == manifest


def test_families_go_back_to_the_first_session(repo: Repository) -> None:
    chain = [OTHER, *(msgspec.structs.replace(OTHER, id=f"s{n}", parent=f"s{n - 1}") for n in (3, 4))]
    ring = [msgspec.structs.replace(OTHER, id=one, parent=other) for one, other in (("a", "b"), ("b", "a"))]
    store(repo, *chain, *ring)
    found = source.families(source.store_at(repo, DEFAULTS, None))
    assert found == {"s3": "s2", "s4": "s2", "a": "a", "b": "a"}


def raw_file(folder: Path, name: str, *turns: tuple[str, str]) -> Path:
    path = folder / name
    rows = [{"type": role, "uuid": str(number), "parentUuid": str(number - 1) if number else None, "sessionId": name,
             "timestamp": f"2026-01-01T00:00:0{number}Z", "message": {"role": role, "content": text}}
            for number, (role, text) in enumerate(turns)]  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_files_of_agents_are_exported_without_an_import(
    repo: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    raw_file(tmp_path / "runs", "one.jsonl", ("user", f"use {secret}"), ("assistant", "done"))
    raw_file(tmp_path / "runs/more", "two.jsonl", ("user", "q"), ("assistant", "a"))
    status, manifest = export(repo, tmp_path / "out", "--from", str(tmp_path / "runs"), "--style", "trl")
    assert status == 0
    assert (manifest["counts"]["rows"], manifest["sources"]["files"]) == (2, 2)
    assert manifest["commits"]["sessions"] == ""
    text = (tmp_path / "out/trajectory_samples.jsonl").read_text(encoding="utf-8")
    assert secret not in text
    assert "REDACTED" in text
    assert not open_store(repo, DEFAULTS).revision
    (tmp_path / "runs/notes.bin").write_bytes(b"\x00\x01nothing")
    (tmp_path / "runs/one.jsonl").write_bytes((tmp_path / "runs/one.jsonl").read_bytes() + b'{"cut')
    capsys.readouterr()
    status, manifest = export(repo, tmp_path / "out", "--from", str(tmp_path / "runs"))
    said = capsys.readouterr().err
    assert status == 1
    assert manifest["counts"]["rows"] == 2
    assert manifest["sources"]["unsupported"] == 1
    assert "no known format: " in said
    assert "one.jsonl:3" in said


def test_files_have_no_revision(repo: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(repo, tmp_path / "out", "--from", str(tmp_path), "--rev", "HEAD")[0] == 2
    assert "leave out --rev or --from" in capsys.readouterr().err


SECRETS = {
    "github-token": "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5",
    "aws-access-key": "AKIA" + "QWERTYUIOPASDFGH",
    "aws-secret-key": "wJalrXUtnFEMIK7MDENG" + "bPxRfiCYzq8Lr2Kd93kf",
    "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nq8Zk\n-----END RSA " + "PRIVATE KEY-----",
    "password": "hunter2x" + "9Kq",
    "email": "kim@" + "firma-nord.de",
}
HARMLESS = (
    "9f4c5cc0e7a1b2c3d4e5f60718293a4b5c6d7e8f 123e4567-e89b-42d3-a456-426614174000 "
    "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC keys that begin with sk- are theirs"
)


@pytest.mark.parametrize("pad", [0, 65_500, 131_040], ids=lambda size: f"{size} characters before")
@pytest.mark.parametrize("quoted", [False, True], ids=["plain", "in a JSON string"])
def test_what_a_tool_printed_is_exported_without_its_secrets_and_they_are_counted(
    repo: Repository, tmp_path: Path, pad: int, quoted: bool
) -> None:
    named = SECRETS | {
        "aws-secret-key": f"aws_secret_access_key = {SECRETS['aws-secret-key']}",
        "password": f"DB_PASSWORD={SECRETS['password']}",
    }
    output = "ok " * (pad // 3) + "\n" + "\n".join(named.values()) + "\n" + HARMLESS
    call = {"id": "c1", "type": "function", "function": {"name": "sh", "arguments": "{}"}}
    rows = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps({"output": output}) if quoted else output},
        {"role": "assistant", "content": "done"},
    ]
    (tmp_path / "runs").mkdir()
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "runs/20260901_080000_ab12cd.jsonl").write_text(lines, encoding="utf-8")
    status, manifest = export(repo, tmp_path / "out", "--from", str(tmp_path / "runs"), "--style", "trl")
    text = (tmp_path / "out/trajectory_samples.jsonl").read_text(encoding="utf-8")
    assert status == 0 and not [secret for secret in SECRETS.values() if secret.split("\n")[0] in text]
    assert HARMLESS in text and all(f"[REDACTED:{kind}:1]" in text for kind in SECRETS)
    assert manifest["counts"]["redactions"] == dict.fromkeys(sorted(SECRETS), 1)

from __future__ import annotations

import base64
import socket
from pathlib import Path

import pytest

from hermes_git.errors import UserError
from hermes_git.tokens import bpe, choose, ranks


def test_default_is_exact_and_pinned() -> None:
    counter = choose.default()
    assert (counter.name, counter.exact) == ("cl100k_base", True)
    assert counter.digest == "sha256:" + ranks.EXPECTED["cl100k_base"]


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("cl100k_base", "", 0),
        ("cl100k_base", "hello world", 2),
        ("cl100k_base", "The date test is flaky. Fix it.", 10),
        ("o200k_base", "hello world", 2),
        ("o200k_base", "你好世界", 2),
        ("cl100k_base", "你好世界", 5),
        ("cl100k_base", "don't", 2),
        ("estimate", "pytest -q tests", 4),
    ],
)
def test_counts(name: str, text: str, tokens: int) -> None:
    assert choose.counter(name).count(text) == tokens


@pytest.mark.parametrize("text", ["<|endoftext|>", "\ud83d lone", "\0\r\n\u2028", "a" * 50_000])
def test_odd_text_is_counted_without_error(text: str) -> None:
    assert choose.default().count(text) > 0


def test_remembered_counts_equal_fresh_ones() -> None:
    counter = choose.default()
    text = "the same system turn in every row. " * 40
    assert counter.count(text) == counter.count(text) == counter.tokenize(text)


def test_works_without_network_home_or_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("network used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    bpe.shipped.cache_clear()
    assert choose.counter("cl100k_base").count("hello world") == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["moonshotai/Kimi-K2-Thinking", "gpt-9", "", "no/such/tokenizer.json"])
def test_an_absent_tokenizer_is_an_error_that_names_the_option(name: str) -> None:
    with pytest.raises(UserError, match="--tokenizer"):
        choose.counter(name)


def test_without_the_vocabulary_the_default_is_a_labelled_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "PACKAGE", "no_such_package_here")
    bpe.shipped.cache_clear()
    try:
        counter = choose.default()
        assert (counter.name, counter.exact) == ("estimate", False)
        assert "not installed" in str(counter.describe()["reason"])
        with pytest.raises(UserError, match="not installed"):
            choose.counter("cl100k_base")
    finally:
        bpe.shipped.cache_clear()


def test_an_altered_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ranks.EXPECTED, "cl100k_base", "0" * 64)
    with pytest.raises(UserError, match="not the vocabulary"):
        ranks.shipped("cl100k_base")


def rank_file(tokens: list[bytes]) -> bytes:
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


def test_a_model_file_is_read_by_path_and_by_folder(tmp_path: Path) -> None:
    data = rank_file([*(bytes([byte]) for byte in range(256)), b"ab", "世".encode()[:2], "世".encode()])
    (tmp_path / "tiktoken.model").write_bytes(data)
    for name in (tmp_path, tmp_path / "tiktoken.model"):
        counter = choose.counter(str(name))
        assert counter.count("ab 世") == 3
        assert counter.exact


@pytest.mark.parametrize(("data", "said"), [(b"\x0a\x05unk", ":2: not a line"), (rank_file([b"a"]), "only 1 tokens")])
def test_another_kind_of_model_file_is_refused_with_its_line(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(data)
    with pytest.raises(UserError, match=said):
        choose.counter(str(path))


def test_a_tokenizer_json_counts_or_names_the_extra(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match=r"tokenizers|not a tokenizer"):
        choose.counter(str(path))

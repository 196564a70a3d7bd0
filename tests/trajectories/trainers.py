"""Trainers' own code, where it is installed, with a tokenizer made on the spot so that nothing is fetched."""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")


def module(name: str) -> Any:
    """Import a module of a trainer; skip the test if the trainer is not installed, fail if it cannot be imported."""
    package = name.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    if package == "llamafactory" and importlib.util.find_spec("torchaudio") is None:
        sys.modules["torchaudio"] = _unused("torchaudio")  # asked for sound only, which no row has
    return importlib.import_module(name)


def _unused(name: str) -> types.ModuleType:
    made = types.ModuleType(name)
    made.__spec__ = importlib.machinery.ModuleSpec(name, None)
    return made


def tokenizer() -> Any:
    """Return a tokenizer that knows words by a few letters only: what is tested is the way there."""
    tokenizers = module("tokenizers")
    words = {"<unk>": 0, "<s>": 1, "</s>": 2, **{chr(number): number for number in range(33, 127)}}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    kinds = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", "pad_token": "</s>"}
    return module("transformers").PreTrainedTokenizerFast(tokenizer_object=made, **kinds)


def template(name: str) -> str:
    """Return one of the chat templates that TRL ships."""
    return (Path(module("trl").__file__).parent / "chat_templates" / f"{name}.jinja").read_text(encoding="utf-8")


def load(path: Path, cache: Path) -> Any:
    """Load a file of rows as every trainer does, by `datasets`."""
    kind = "parquet" if path.suffix == ".parquet" else "json"
    return module("datasets").load_dataset(kind, data_files=str(path), split="train", cache_dir=str(cache))


def llamafactory_rows(path: Path, tags: dict[str, Any], cache: Path) -> Any:
    """Load a file with LLaMA-Factory's own loader and converter, as an entry of `dataset_info.json` describes it."""
    attribute = module("llamafactory.data.parser").DatasetAttr("file", dataset_name=path.name)
    attribute.join(tags)
    arguments = SimpleNamespace(
        dataset_dir=str(path.parent), streaming=False, preprocessing_num_workers=None, max_samples=None,
        overwrite_cache=True, media_dir="",
    )  # fmt: skip
    models = SimpleNamespace(cache_dir=str(cache), hf_hub_token=None)
    training = SimpleNamespace(local_process_index=0)
    return module("llamafactory.data.loader")._load_single_dataset(attribute, models, arguments, training)


def llamafactory_processor(name: str) -> Any:
    """Return LLaMA-Factory's own step from converted rows to tokens, with one of its templates."""
    arguments = SimpleNamespace(
        template=name, tool_format=None, default_system=None, enable_thinking=True, mask_history=False,
        cutoff_len=2**40, train_on_prompt=False, packing=False,
    )  # fmt: skip
    words = tokenizer()
    found = module("llamafactory.data.template").get_template_and_fix_tokenizer(words, arguments)
    return module("llamafactory.data.loader")._get_dataset_processor(arguments, "sft", found, words, None)


def axolotl_strategy(template_text: str) -> Any:
    """Return axolotl's `chat_template` strategy with the options that the documentation names."""
    found = module("axolotl.prompt_strategies.chat_template")
    words = tokenizer()
    prompter = found.ChatTemplatePrompter(words, template_text, max_length=2**40)
    options = {"train_on_inputs": False, "sequence_len": 2**40, "roles_to_train": ["assistant"], "train_on_eos": "turn"}
    return found.ChatTemplateStrategy(prompter, tokenizer=words, **options)

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


WANTED = os.environ.get("HERMES_GIT_TRAINERS", "").split()
"""Packages that must be there: whoever installs them on purpose wants no test that skips itself."""


def module(name: str) -> Any:
    """Import a module of a trainer; skip the test if the trainer is not installed, fail if it cannot be imported."""
    package = name.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        (pytest.fail if package in WANTED else pytest.skip)(f"{package} is not installed")
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
    known = ["<unk>", "<s>", "</s>", *map(chr, range(33, 127))]
    words = {word: number for number, word in enumerate(known)}
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


def llamafactory_processor(name: str, stage: str = "sft") -> Any:
    """Return LLaMA-Factory's own step from converted rows to tokens for a stage, with one of its templates."""
    arguments = SimpleNamespace(
        template=name, tool_format=None, default_system=None, enable_thinking=True, preserve_thinking=False,
        mask_history=False, cutoff_len=2**40, train_on_prompt=False, packing=False,
    )  # fmt: skip
    words = tokenizer()
    found = module("llamafactory.data.template").get_template_and_fix_tokenizer(words, arguments)
    return module("llamafactory.data.loader")._get_dataset_processor(arguments, stage, found, words, None)


def axolotl_strategy(template_text: str) -> Any:
    """Return axolotl's `chat_template` strategy with the options that the documentation names."""
    found = module("axolotl.prompt_strategies.chat_template")
    words = tokenizer()
    prompter = found.ChatTemplatePrompter(words, template_text, max_length=2**40)
    options = {"train_on_inputs": False, "sequence_len": 2**40, "roles_to_train": ["assistant"], "train_on_eos": "turn"}
    return found.ChatTemplateStrategy(prompter, tokenizer=words, **options)


def trl_train(kind: str, rows: Any, folder: Path) -> Any:
    """Let a trainer of TRL prepare rows and take one step on them, with the smallest of models; return the trainer."""
    trl, transformers, words = module("trl"), module("transformers"), tokenizer()
    words.chat_template = template("qwen3")
    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    shape = transformers.LlamaConfig(vocab_size=len(words), num_key_value_heads=1, pad_token_id=2, **sizes)
    options = getattr(trl, f"{kind}Config")(
        output_dir=str(folder), use_cpu=True, bf16=False, max_steps=1, per_device_train_batch_size=2, max_length=512,
        save_strategy="no", report_to=[], disable_tqdm=True,
    )  # fmt: skip
    transformers.LlamaForCausalLM(shape).save_pretrained(folder)  # trainers read a second copy from there
    model = transformers.LlamaForCausalLM.from_pretrained(folder)
    made = getattr(trl, f"{kind}Trainer")(model=model, args=options, train_dataset=rows, processing_class=words)
    made.train()
    return made

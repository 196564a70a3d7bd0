"""The trainers' own code on our rows, where it is installed (an optional job; the re-stated rules run everywhere).

`own` rows are made here; `real` ones of all sessions and trajectories of the data folder, where there is one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_git.cli import main
from hermes_git.export import llamafactory, run
from hermes_git.export.recipe import Kitchen, Recipe
from hermes_git.gitrepo import create
from hermes_git.tokens import choose
from hermes_git.trajectories.compress import Options
from hermes_git.trajectories.tags import unescape
from tests.conftest import GIT_ENVIRONMENT
from tests.export.test_run import COMMITS
from tests.trajectories import trainers
from tests.trajectories.sessions import FLAKY, call, message, session
from tests.trajectories.test_convert import BROKEN, hostile
from tests.trajectories.test_styles import LONG

pytestmark = pytest.mark.filterwarnings("ignore")
BUDGETS = (0, 2000, 8000)
OPENAI_TAGS = {
    "formatting": "openai",
    "columns": {"messages": "messages", "tools": "tools"},
    "tags": {
        "role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant",
        "observation_tag": "tool", "function_tag": "function", "system_tag": "system",
    },
}  # fmt: skip
MIXED = session(
    *(
        row
        for number, arguments in enumerate(('{"at": 1}', '{"at": "one"}', '{"at": [1, "a"]}', '{"at": {"b": null}}'))
        for row in (
            message("user", f"step {number} 世界"),
            message("assistant", "", calls=(call(number, arguments=arguments),)),
            message("tool", "ok", answers=f"c{number}"),
            message("assistant", "next"),
        )
    ),
    id="mixed",
)
OWN = (FLAKY, LONG, MIXED, *map(hostile, BROKEN), hostile('{"text": "</tool_call>"}'))
Exports = Callable[..., Path]


@pytest.fixture(scope="module")
def imported(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a repository that holds all sessions and trajectories of the data folder."""
    root = tmp_path_factory.mktemp("real")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
        create.create(root)
        for name in ("sessions", "trajectories"):
            main(["session", "import", "-C", str(root), "-q", str(data / name)])
        yield root


@pytest.fixture(params=["own", "real"])
def exports(request: pytest.FixtureRequest, tmp_path: Path) -> Exports:
    """Return what exports the rows of one kind into a folder."""
    root: Path | None = request.getfixturevalue("imported") if request.param == "real" else None

    def export(style: str, budget: int, form: str = "jsonl") -> Path:
        out = tmp_path / f"{style}-{budget}-{form}"
        if root is not None:
            options = ["--style", style, "--budget", str(budget), "--format", form]
            assert main(["export", "-C", str(root), "-q", "--out", str(out), *options]) == 0
            return out
        recipe = Recipe(style, budget, Options(budget) if budget else None, format=form, dedupe="off")
        run.export(OWN, Kitchen(recipe, choose.default()), out, commits=COMMITS)
        return out

    return export


def files(folder: Path) -> list[tuple[Path, int]]:
    """Return the files of rows that an export says it wrote, with how many rows each has."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    found = [(folder / item["name"], item["rows"]) for item in manifest["files"] if item["rows"]]
    assert sum(count for _, count in found) == manifest["counts"]["rows"]
    return found


def batches(rows: Any, size: int = 50) -> Iterator[dict[str, list[Any]]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def check_llamafactory(folder: Path, entry: dict[str, Any], cache: Path, templates: tuple[str, ...]) -> None:
    processors = [trainers.llamafactory_processor(name) for name in templates]
    for path, count in files(folder):
        rows = trainers.llamafactory_rows(path, entry, cache)
        assert len(rows) == count
        assert all(row["_prompt"] and row["_response"] for row in rows)
        for processor in processors:
            for batch in batches(rows):
                labels = processor.preprocess_dataset(batch)["labels"]
                assert len(labels) == len(batch["_prompt"])
                assert all(any(label != -100 for label in row) for row in labels)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("budget", BUDGETS)
def test_llamafactory_loads_converts_and_encodes_every_sharegpt_row(
    exports: Exports, budget: int, form: str, tmp_path: Path
) -> None:
    trainers.module("llamafactory.data.loader")
    check_llamafactory(
        exports("sharegpt", budget), llamafactory.entry("sharegpt"), tmp_path / "cache", ("qwen3", "llama3")
    )


def test_llamafactory_loads_every_whole_hermes_row(exports: Exports, tmp_path: Path) -> None:
    trainers.module("llamafactory.data.loader")
    check_llamafactory(exports("hermes", 0), llamafactory.entry("hermes"), tmp_path / "cache", ("qwen3",))


@pytest.mark.parametrize("style", ["sharegpt", "hermes"])
def test_llamafactory_finds_our_files_by_the_entries_written_beside_them(exports: Exports, style: str) -> None:
    parser = trainers.module("llamafactory.data.parser")
    folder = exports(style, 0)
    names = list(json.loads((folder / "dataset_info.json").read_bytes()))
    found = parser.get_dataset_list(names, str(folder))
    assert names
    assert all((folder / one.dataset_name).is_file() and one.messages == "conversations" for one in found)


@pytest.mark.parametrize("budget", BUDGETS)
def test_llamafactory_converts_every_openai_row(exports: Exports, budget: int) -> None:
    converter = trainers.module("llamafactory.data.converter")
    attribute = trainers.module("llamafactory.data.parser").DatasetAttr("file", dataset_name="ours")
    attribute.join(OPENAI_TAGS)
    convert_row = converter.OpenAIDatasetConverter(attribute, None)
    for path, _ in files(exports("openai", budget)):
        for line in path.read_bytes().splitlines():
            found = convert_row(json.loads(line))
            assert found["_prompt"]
            assert found["_response"]


def rendered(row: dict[str, Any], words: Any) -> str:
    """Return the text that TRL makes of a row."""
    utils = trainers.module("trl.data_utils")
    assert utils.is_conversational(row)
    text: str = utils.apply_chat_template(row, words, tools=json.loads(row["tools"]))["text"]
    return text


def check_text(row: dict[str, Any], text: str) -> None:
    """Hold a rendered row against its messages: every call and every result is there, and so is what was said."""
    messages, end = row["messages"], "</tool_call>"
    calls = sum(len(turn.get("tool_calls") or ()) for turn in messages)
    explained = 2 if json.loads(row["tools"]) else 0  # where the template tells what calls look like
    spoken = json.dumps([messages, row["tools"]]).count(end)
    assert text.count(end) == calls + explained + spoken
    assert unescape(messages[-1]["content"]).strip()[-40:] in unescape(text)
    assert all(turn["content"].strip() in text for turn in messages if turn["role"] == "tool")


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("budget", BUDGETS)
def test_trl_loads_and_renders_every_row(exports: Exports, budget: int, form: str, tmp_path: Path) -> None:
    trainers.module("trl.data_utils")
    if not hasattr(trainers.module("datasets"), "Json"):
        pytest.skip("arguments of mixed types need datasets 4.7 or newer, as TRL 1 does")
    words = trainers.tokenizer()
    for path, count in files(exports("trl", budget, form)):
        rows = trainers.load(path, tmp_path / "cache")
        assert len(rows) == count
        for name in ("qwen3", "glm4moe"):
            words.chat_template = trainers.template(name)
            for row in rows:
                text = rendered(row, words)
                if name == "qwen3":
                    check_text(row, text)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_trl_trains_a_step_on_rows(exports: Exports, form: str, tmp_path: Path) -> None:
    trainers.module("trl.data_utils")
    path, count = files(exports("trl", 2000, form))[0]
    rows = trainers.load(path, tmp_path / "cache").select(range(min(count, 20)))
    made = trainers.trl_train("SFT", rows, tmp_path / "model")
    assert made.state.global_step == 1
    assert len(made.train_dataset) == len(rows)


@pytest.mark.parametrize("budget", BUDGETS)
def test_axolotl_loads_and_renders_every_row(exports: Exports, budget: int, tmp_path: Path) -> None:
    trainers.module("axolotl.prompt_strategies.chat_template")
    strategy = trainers.axolotl_strategy(trainers.template("qwen3"))
    for path, count in files(exports("axolotl", budget)):
        rows = trainers.load(path, tmp_path / "cache")
        assert len(rows) == count
        for row in rows:
            turns, tools = strategy.get_conversation_thread(row), strategy._get_tools(row)
            assert len(turns) == len(row["messages"])
            assert strategy.prompter.build_prompt(turns, tools=tools)
            if len(turns) <= 40:  # its search for each turn is quadratic
                assert any(label != -100 for label in strategy.tokenize_prompt(row)["labels"])

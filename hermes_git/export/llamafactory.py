"""`dataset_info.json`: the entries by which LLaMA-Factory finds the files of an export and reads their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hermes_git.export.recipe import COMPLETED, VALIDATION
from hermes_git.export.review import JUDGEMENTS, PREFERENCES
from hermes_git.export.shards import Written, group_of

NAME = "dataset_info.json"
STYLES = ("sharegpt", "hermes")
SUFFIXES = (".jsonl", ".parquet")
"""The files that it reads; packed ones it does not."""

TAGS = {
    "role_tag": "from",
    "content_tag": "value",
    "user_tag": "human",
    "assistant_tag": "gpt",
    "observation_tag": "observation",
    "function_tag": "function_call",
    "system_tag": "system",
}
"""Its own defaults, spelled out. Hermes' rows call a result `tool`."""


def entry(style: str, group: str = COMPLETED) -> dict[str, Any]:
    """Return how the rows of one group are to be read."""
    columns = {"messages": "conversations"}
    is_trajectory = group in (COMPLETED, VALIDATION)
    if is_trajectory and style == "sharegpt":
        columns |= {"system": "system", "tools": "tools"}
    if group == PREFERENCES:
        columns |= {"chosen": "chosen", "rejected": "rejected"}
    if group == JUDGEMENTS:
        columns |= {"kto_tag": "kto_tag"}
    tags = TAGS | ({"observation_tag": "tool"} if style == "hermes" else {})
    ranked = {"ranking": True} if group == PREFERENCES else {}
    return {"formatting": "sharegpt", **ranked, "columns": columns, "tags": tags}


def dataset_info(style: str, written: Sequence[Written]) -> dict[str, object]:
    """Return the entries of the files with rows, by file name without its suffix; failed trajectories have none."""
    wanted = (COMPLETED, VALIDATION, PREFERENCES, JUDGEMENTS)
    groups = ((group_of(item.name), item) for item in written if item.rows and item.name.endswith(SUFFIXES))
    return {
        item.name.rsplit(".", 1)[0]: {"file_name": item.name, **entry(style, group)}
        for group, item in groups
        if style in STYLES and group in wanted
    }

"""The dataset card: a README that a hub reads, with the splits and what the rows were made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hermes_git.export.shards import group_of

NAME = "README.md"
SPLITS = {
    "trajectory_samples": "train",
    "validation_samples": "validation",
    "failed_trajectories": "failed",
    "failed_validation": "failed_validation",
}
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10**7, "1M<n<10M"))


def card(manifest: Mapping[str, Any]) -> str:
    """Write the card of an export; its author still has to name the licence and the language."""
    counts = manifest["counts"]
    front = "\n".join(["---", *_front(manifest, counts["rows"]), "---"])
    return f"{front}\n\n# Agent trajectories\n\n{_about(manifest, counts)}\n"


def _front(manifest: Mapping[str, Any], rows: int) -> list[str]:
    size = next((name for limit, name in SIZES if rows < limit), "n>10M")
    lines = ["pretty_name: Agent trajectories", "task_categories: [text-generation]", f"size_categories: [{size}]"]
    lines += ["tags: [agent, tool-use, trajectories]", "configs:", "- config_name: default", "  data_files:"]
    for group, split in SPLITS.items():
        paths = [item["name"] for item in manifest["files"] if group_of(item["name"]) == group and item["rows"]]
        if paths:
            lines += [f"  - split: {split}", f"    path: {json.dumps(paths)}"]
    for name in ("preferences", "judgements"):
        paths = [item["name"] for item in manifest["files"] if group_of(item["name"]) == name and item["rows"]]
        if paths:
            lines += [f"- config_name: {name}", f"  data_files: {json.dumps(paths)}"]
    return lines


def _about(manifest: Mapping[str, Any], counts: Mapping[str, Any]) -> str:
    settings, tokenizer = manifest["settings"], manifest["tokenizer"]
    budget = f"at most {settings['budget']:,} tokens a row" if settings["budget"] else "rows are whole"
    outcomes = ", ".join(f"{count} {name}" for name, count in counts["outcomes"].items()) or "none"
    redacted = ", ".join(f"{count} {name}" for name, count in counts["redactions"].items()) or "none on export"
    return "\n".join(
        (
            f"Written by {manifest['tool']} from sessions at commit `{manifest['commits']['sessions']}`. "
            "`manifest.json` says all that is needed to repeat it.",
            "",
            f"- Rows: {counts['rows']} of {counts['sessions']} sessions ({outcomes}).",
            f"- Style: {settings['style']}; {budget} ({tokenizer['name']}).",
            f"- Redactions: {redacted}. Sessions were redacted when they were imported, too.",
            "- Licence and language: to be filled in by whoever publishes this.",
        )
    )

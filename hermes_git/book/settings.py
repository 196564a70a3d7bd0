"""The page of settings, from the dataclasses that hold them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from hermes_git.settings import DEFAULTS, FILE_NAME, LAYOUTS, Settings


def page() -> str:
    """Return docs/settings.md."""
    lines = [
        "# Settings",
        "",
        f"`{FILE_NAME}` at the top of the repository. Policy is read from HEAD (in CI from the merge base), so a",
        "change cannot approve itself; without the file the defaults below hold. An unknown key is an error that names",
        "the nearest one. Commands, endpoints and key names are never read from this file: they come from",
        "`git config`, the environment and flags.",
        "",
        "```toml",
        "format = 1",
        'requires = ">=0.1"',
        "```",
        "",
        *_table("", DEFAULTS),
    ]
    for item in fields(Settings):
        value = getattr(DEFAULTS, item.name)
        if is_dataclass(value):
            about = (type(value).__doc__ or "").split("\n")[0]
            lines += [f"## [{item.name}]", "", about, "", *_table(f"{item.name}.", value)]
    return "\n".join([*lines, *_layouts()]) + "\n"


def _table(prefix: str, area: object) -> list[str]:
    lines = ["| key | default | meaning |", "|---|---|---|"]
    for item in fields(area):  # type: ignore[arg-type]
        value = getattr(area, item.name)
        if is_dataclass(value):
            continue
        choices = item.metadata.get("choices", ())
        words = f" One of {', '.join(f'`{word}`' for word in choices)}." if choices else ""
        lines.append(f"| `{prefix}{item.name}` | `{_toml(value)}` | {item.metadata['about']}{words} |")
    return [*lines, ""]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _layouts() -> list[str]:
    names = [item.name for item in fields(LAYOUTS["knowledge"])]
    lines = ["## Layouts", "", "`layout` chooses the defaults of `[paths]`:", ""]
    lines += ["| layout | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for layout, paths in LAYOUTS.items():
        lines.append(f"| `{layout}` | " + " | ".join(f"`{getattr(paths, name)}`" for name in names) + " |")
    return lines

"""Settings of a repository: one frozen value per area, parsed once from one TOML text.

Only words and numbers live here. Commands, endpoints and key names come from the user's own configuration
(`git config hermes-git.*`, environment, flags), never from a file that a pull request can change.
"""

from __future__ import annotations

import difflib
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePosixPath

from hermes_git.errors import UserError
from hermes_git.version import FORMAT, __version__

FILE_NAME = "hermes-git.toml"
MAX_SETTINGS_BYTES = 256 * 1024

UNITS = ("chars", "tokens")
OVER_BUDGET = ("refuse", "evict")
INTENT = ("agents", "always", "never")
SCOPES = ("all", "knowledge")
PLACES = ("branch", "tree", "folder")
STYLES = ("hermes", "sharegpt")


@dataclass(frozen=True, slots=True)
class Paths:
    """Where the parts of the knowledge live, relative to the top of the work tree."""

    memory: str = "knowledge/memory"
    skills: str = "knowledge/skills"
    archive: str = "knowledge/archive"
    waivers: str = "knowledge/waivers.toml"
    curator: str = "knowledge/curator"


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """Budgets of the memory files, in the unit given, delimiters included (Hermes' own limits by default)."""

    memory_limit: int = 2200
    user_limit: int = 1375
    unit: str = field(default="chars", metadata={"choices": UNITS})
    over_budget: str = field(default="refuse", metadata={"choices": OVER_BUDGET})


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Whose commits must declare that they remove or rewrite entries, and which files are judged.

    `scope = "knowledge"` leaves files alone that are neither knowledge nor policy: for repositories of code.
    """

    intent: str = field(default="agents", metadata={"choices": INTENT})
    scope: str = field(default="all", metadata={"choices": SCOPES})


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Where exported sessions live: a branch of their own, a folder of the tree, or a folder outside git."""

    place: str = field(default="branch", metadata={"choices": PLACES})
    branch: str = "hermes/sessions"
    folder: str = "knowledge/sessions"
    redact: bool = True


@dataclass(frozen=True, slots=True)
class CuratorSettings:
    """When knowledge counts as stale, and what the curator must leave alone."""

    enabled: bool = True
    interval_hours: int = 168
    min_idle_hours: int = 2
    stale_after_days: int = 30
    archive_after_days: int = 90
    consolidate: bool = True
    prune_builtins: bool = False
    person_authored: bool = False
    min_age_days: int = 7
    restore_grace_days: int = 30
    max_steps: int = 20
    similarity: float = 0.82
    pinned: tuple[str, ...] = ()
    protected: tuple[str, ...] = ("hermes-git",)


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Defaults of `export` and `compress`."""

    style: str = field(default="sharegpt", metadata={"choices": STYLES})
    budget: int = 0
    tokenizer: str = "cl100k_base"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one repository at one revision."""

    format: int = FORMAT
    requires: str = ""
    layout: str = field(default="knowledge", metadata={"choices": ("knowledge", "hermes", "claude", "agents")})
    paths: Paths = Paths()
    memory: MemorySettings = MemorySettings()
    gate: GateSettings = GateSettings()
    sessions: SessionSettings = SessionSettings()
    curator: CuratorSettings = CuratorSettings()
    export: ExportSettings = ExportSettings()


DEFAULTS = Settings()

Area = typing.TypeVar("Area")

LAYOUTS: dict[str, Paths] = {
    "knowledge": Paths(),
    "hermes": Paths("memories", "skills", "skills/.archive", "hermes-git-waivers.toml", "logs/hermes-git"),
    "claude": Paths(".claude/memory", ".claude/skills", ".claude/archive", ".claude/waivers.toml", ".claude/curator"),
    "agents": Paths(".agents/memory", ".agents/skills", ".agents/archive", ".agents/waivers.toml", ".agents/curator"),
}


def parse(text: str, *, where: str = FILE_NAME) -> Settings:
    """Parse the text of `hermes-git.toml`.

    Errors: `UserError` for broken TOML, an unknown key (naming the nearest one), a value of another type, a path
    that leaves the repository, another format, or a tool that is older than `requires`.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_SETTINGS_BYTES:
        raise UserError(f"larger than {MAX_SETTINGS_BYTES:,} bytes", where=where, hint="settings are a page of text")
    try:
        table = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"not valid TOML: {error}", where=where, hint="see docs/settings.md") from error
    _check_versions(table, where)
    layout = table.get("layout", "knowledge")
    start = replace(DEFAULTS, paths=LAYOUTS.get(layout, Paths()) if isinstance(layout, str) else Paths())
    settings = _fill(start, table, "", where)
    _check_paths(settings, where)
    return settings


def _check_versions(table: Mapping[str, object], where: str) -> None:
    found = table.get("format", FORMAT)
    if found != FORMAT:
        upgrade = isinstance(found, int) and found > FORMAT
        hint = "upgrade: pip install --upgrade hermes-git" if upgrade else f"set format = {FORMAT}"
        raise UserError(f"format {found!r}, this tool reads format {FORMAT}", where=where, hint=hint)
    requires = table.get("requires", "")
    if requires and not (isinstance(requires, str) and meets(__version__, requires)):
        raise UserError(
            f"the repository requires hermes-git {requires}, this is {__version__}",
            where=where,
            hint=f"upgrade: pip install --upgrade 'hermes-git{requires}'",
        )


def meets(version: str, requirement: str) -> bool:
    """Say whether a version such as `0.1.0` meets a requirement such as `>=0.1` (the only operator)."""
    match = re.fullmatch(r">=\s*(\d+(?:\.\d+)*)", requirement.strip())
    if not match:
        return False
    return _numbers(version) >= _numbers(match.group(1))


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in re.findall(r"\d+", version)[:4]]
    return tuple(parts + [0] * (4 - len(parts)))


def _fill(area: Area, table: Mapping[str, object], prefix: str, where: str) -> Area:
    kinds = typing.get_type_hints(type(area))
    known = {item.name: item for item in fields(area)}  # type: ignore[arg-type]
    values: dict[str, object] = {}
    for key, value in table.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
            raise UserError(
                f"unknown key {prefix}{key}", where=where, hint=f"did you mean {prefix}{near[0]}? see docs/settings.md"
            )
        choices = known[key].metadata.get("choices", ())
        values[key] = _value(value, kinds[key], getattr(area, key), f"{prefix}{key}", choices, where)
    return replace(area, **values)  # type: ignore[type-var]


def _value(value: object, kind: object, default: object, key: str, choices: tuple[str, ...], where: str) -> object:
    """Check one value against the type of its field; nested tables become nested areas."""
    if isinstance(kind, type) and hasattr(kind, "__dataclass_fields__"):
        if isinstance(value, dict):
            return _fill(default, value, f"{key}.", where)
        raise UserError(f"{key} must be a table", where=where, hint=f"write [{key}] and its keys below it")
    if isinstance(kind, types.GenericAlias):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise UserError(f"{key} must be a list of strings", where=where, hint=f'for example {key} = ["name"]')
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not kind:
        raise UserError(f"{key} must be of type {_word(kind)}, not {value!r}", where=where, hint="see docs/settings.md")
    if choices and value not in choices:
        raise UserError(
            f"{key} = {value!r} is not one of {', '.join(choices)}", where=where, hint="see docs/settings.md"
        )
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        raise UserError(f"{key} = {value} must not be negative", where=where, hint="see docs/settings.md")
    return value


def _word(kind: object) -> str:
    return {str: "string", int: "integer", bool: "true or false", float: "number"}.get(kind, str(kind))  # type: ignore[call-overload,no-any-return]


def _check_paths(settings: Settings, where: str) -> None:
    named = {f"paths.{item.name}": str(getattr(settings.paths, item.name)) for item in fields(Paths)}
    if settings.sessions.place == "tree":
        named["sessions.folder"] = settings.sessions.folder
    for key, value in named.items():
        if not is_inside(value):
            raise UserError(f"{key} = {value!r} leaves the repository", where=where, hint="use a relative path")


def is_inside(path: str) -> bool:
    """Say whether a relative POSIX path stays inside the folder it is relative to and out of `.git`."""
    parts = PurePosixPath(path).parts
    bad = not path or path.startswith("/") or "\\" in path or "\0" in path or (len(path) > 1 and path[1] == ":")
    return not bad and ".." not in parts and not any(part.lower() == ".git" for part in parts)

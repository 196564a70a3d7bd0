"""Settings of a repository: one frozen value per area, parsed once from one TOML text.

Only words and numbers live here. Commands, endpoints and key names come from the user's own configuration
(`git config hermes-git.*`, environment, flags), never from a file that a pull request can change.
"""

from __future__ import annotations

import difflib
import itertools
import math
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePosixPath

from hermes_git.errors import UserError
from hermes_git.names import is_branch_name, is_inside, is_plain, lies_in
from hermes_git.version import FORMAT, __version__

FILE_NAME = "hermes-git.toml"
MAX_SETTINGS_BYTES = 256 * 1024

UNITS = ("chars", "tokens")
OVER_BUDGET = ("refuse", "evict")
EVICT_FIRST = ("least-used", "oldest")
INTENT = ("agents", "always", "never")
SCOPES = ("all", "knowledge")
PLACES = ("branch", "tree", "folder")
STYLES = ("hermes", "sharegpt", "axolotl", "trl", "openai", "atif")


def key(default: typing.Any, about: str, *, choices: tuple[str, ...] = ()) -> typing.Any:
    """Make one setting: its default, the sentence that documents it, and the words it may be."""
    return field(default=default, metadata={"about": about, "choices": choices})


@dataclass(frozen=True, slots=True)
class Paths:
    """Where the parts of the knowledge live, relative to the top of the work tree."""

    memory: str = key("knowledge/memory", "Folder of MEMORY.md and USER.md.")
    skills: str = key("knowledge/skills", "Folder of the skills, by category.")
    archive: str = key("knowledge/archive", "Folder of archived skills and retired entries.")
    waivers: str = key("knowledge/waivers.toml", "File of accepted findings.")
    curator: str = key("knowledge/curator", "Folder of the curator's run reports.")


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """Budgets of the memory files, delimiters included (Hermes' own limits by default)."""

    memory_limit: int = key(2200, "Budget of MEMORY.md, in the unit below.")
    user_limit: int = key(1375, "Budget of USER.md, in the unit below.")
    unit: str = key("chars", "Unicode code points, or tokens of `export.tokenizer`.", choices=UNITS)
    over_budget: str = key("refuse", "Refuse a write over budget, or evict to the archive.", choices=OVER_BUDGET)
    evict_first: str = key("least-used", "Which entries are evicted first.", choices=EVICT_FIRST)


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Whose commits must declare what they take away, and which files are judged."""

    intent: str = key("agents", "Who must declare that entries are removed or rewritten.", choices=INTENT)
    approval: str = key("never", "Whose writes become proposals that a person approves.", choices=INTENT)
    scope: str = key("all", "Judge all files, or leave alone what is neither knowledge nor policy.", choices=SCOPES)


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Where exported sessions live, and whether they are redacted."""

    place: str = key("branch", "A branch of its own, a folder of the tree, or a folder outside git.", choices=PLACES)
    branch: str = key("hermes/sessions", "Name of that branch; it is never checked out.")
    folder: str = key("knowledge/sessions", 'Folder of the tree for `place = "tree"`.')
    redact: bool = key(True, "Replace secrets and personal data before anything is written.")
    redact_homes: bool = key(False, "Also replace the user's name in paths such as /home/<name>/.")
    keep_days: int = key(0, "Days after its end when `session forget --expired` takes a session; 0 keeps all for ever.")


@dataclass(frozen=True, slots=True)
class CuratorSettings:
    """When knowledge counts as stale, and what the curator must leave alone."""

    enabled: bool = key(True, "Whether scheduled runs do anything.")
    interval_hours: int = key(168, "Hours between scheduled runs; the first one waits this long too.")
    min_idle_hours: int = key(2, "Hours since the last commit or session before a scheduled run starts.")
    stale_after_days: int = key(30, "Days without use after which a skill or entry counts as stale.")
    archive_after_days: int = key(90, "Days without use after which it is proposed for the archive.")
    consolidate: bool = key(True, "Whether near-duplicate skills are proposed for merging.")
    prune_builtins: bool = key(False, "Whether built-in skills may be archived.")
    person_authored: bool = key(False, "Whether knowledge that a person wrote may be archived.")
    min_age_days: int = key(7, "Days after creation in which nothing is archived.")
    restore_grace_days: int = key(30, "Days after a restore in which nothing is archived again.")
    max_steps: int = key(20, "Steps that one run may take at most.")
    similarity: float = key(0.75, "From this similarity on, two skills are proposed for merging.")
    pinned: tuple[str, ...] = key((), "Skills that are never archived, merged or deleted.")
    repositories: tuple[str, ...] = key(
        (".",), "Where facts are looked up: . is this repository, a name is one that your git configuration places."
    )
    protected: tuple[str, ...] = key(("hermes-git",), "Skills that no policy makes eligible.")


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Defaults of `export` and `compress`."""

    style: str = key("sharegpt", "Shape of the rows.", choices=STYLES)
    budget: int = key(0, "Tokens a trajectory may have; 0 for no limit.")
    tokenizer: str = key("cl100k_base", "Tokenizer that counts: a built-in name or a local path.")


LAYOUT_NAMES = ("knowledge", "hermes", "claude", "agents")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one repository at one revision."""

    format: int = key(FORMAT, "Format of this file and of the layout it describes.")
    requires: str = key("", "Oldest version of the tool that may be used here, such as `>=0.1`.")
    layout: str = key("knowledge", "Which set of default paths holds.", choices=LAYOUT_NAMES)
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
    except (ValueError, RecursionError) as error:
        raise UserError(f"not valid TOML: {error}", where=where, hint="see docs/settings.md") from error
    _check_versions(table, where)
    layout = table.get("layout", "knowledge")
    start = replace(DEFAULTS, paths=LAYOUTS.get(layout, Paths()) if isinstance(layout, str) else Paths())
    try:
        settings = _fill(start, table, "", where)
        _check_paths(settings, where)
        _check_names(settings, where)
    except UserError as error:
        line = line_of(text, error.message)
        place = where.replace(FILE_NAME, f"{FILE_NAME}:{line}", 1) if line else where
        raise UserError(error.message, where=place, hint=error.hint) from error
    return settings


NAMED_KEY = re.compile(r"(?:unknown key )?([\w-]+(?:\.[\w-]+)?)")
TABLE = re.compile(r"\s*\[\s*([\w-]+)\s*\]")


def line_of(text: str, message: str) -> int:
    """Return the line of the key that a message begins with, 0 where it stands on no line of its own."""
    found = NAMED_KEY.match(message)
    area, _, key = found.group(1).rpartition(".") if found else ("", "", "")
    here = ""
    for number, line in enumerate(text.split("\n"), 1):
        table = TABLE.match(line)
        if table:
            here = table.group(1)
        if (table and not area and here == key) or (here == area and re.match(rf"\s*{re.escape(key)}\s*=", line)):
            return number
    return 0


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
    match = re.fullmatch(r">=\s*(\d{1,9}(?:\.\d{1,9}){0,9})", requirement.strip(), re.ASCII)
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
    if isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(value, key, where)
    return value


LARGEST = {"_days": 36_500, "_hours": 876_000, "similarity": 1.0}
"""Largest value of a number by the end of its key: a century, and what a similarity can be."""


def _check_number(value: float, key: str, where: str) -> None:
    largest = next((limit for end, limit in LARGEST.items() if key.endswith(end)), 10**9)
    if value < 0:
        raise UserError(f"{key} = {value} must not be negative", where=where, hint="see docs/settings.md")
    if not math.isfinite(value) or value > largest:
        raise UserError(f"{key} is larger than {largest:,}", where=where, hint="see docs/settings.md")


def _word(kind: object) -> str:
    return {str: "string", int: "integer", bool: "true or false", float: "number"}.get(kind, str(kind))  # type: ignore[call-overload,no-any-return]


def _check_paths(settings: Settings, where: str) -> None:
    named = {f"paths.{item.name}": str(getattr(settings.paths, item.name)) for item in fields(Paths)}
    if settings.sessions.place == "tree":
        named["sessions.folder"] = settings.sessions.folder
    for key, value in named.items():
        if not is_inside(value):
            raise UserError(f"{key} = {value!r} leaves the repository", where=where, hint="use a relative path")
        if not is_plain(value):
            plain = str(PurePosixPath(value))
            hint = f"write {plain!r}" if plain != value and is_plain(plain) else "name a folder below the top"
            raise UserError(f"{key} = {value[:80]!r} is not a plain path", where=where, hint=hint)
    for (one, path), (other, folder) in itertools.permutations({FILE_NAME: FILE_NAME, **named}.items(), 2):
        if lies_in(path, folder) and ((one, other) != MAY_LIE_IN or lies_in(folder, path)):
            raise UserError(
                f"{one} ({path}) lies in {other} ({folder})", where=where, hint="give each a place of its own"
            )


MAY_LIE_IN = ("paths.archive", "paths.skills")
"""The one nesting that is meant: Hermes keeps its archive in a hidden folder beside the skills."""


def _check_names(settings: Settings, where: str) -> None:
    """Refuse names that would reach out of what a repository may decide: branches, and files outside of it."""
    branch, tokenizer = settings.sessions.branch, settings.export.tokenizer
    if not is_branch_name(branch) or branch.startswith(OTHER_BRANCHES):
        raise UserError(f"sessions.branch = {branch[:80]!r} cannot be used", where=where, hint="use hermes/sessions")
    if not is_inside(tokenizer):
        hint = "name a built-in one here; give a file elsewhere with --tokenizer"
        raise UserError(f"export.tokenizer = {tokenizer[:80]!r} leaves the repository", where=where, hint=hint)


OTHER_BRANCHES = ("refs/", "proposal/", "curator/")
"""Branches that are ours and hold something else, and names that would be taken for whole references."""

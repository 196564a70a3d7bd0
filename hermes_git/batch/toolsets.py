"""Named sets of tools, and distributions that say with which probability a prompt gets each of them. Pure."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hermes_git.errors import UserError

TOOLSETS: Mapping[str, tuple[str, ...]] = {
    "memory": ("memory",),
    "skills": ("skills_list", "skill_view"),
    "sessions": ("session_search",),
    "file": ("read_file", "write_file", "patch", "list_files"),
    "terminal": ("terminal",),
}
"""Toolset → its tools; `terminal` runs commands, `file` touches the scratch folder of the prompt and nothing else."""

EXECUTING = frozenset(("terminal",))
"""Toolsets that run what a model wrote."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Percent per toolset, each drawn by itself; `unmapped` are toolsets of the original that do not exist here."""

    name: str
    about: str
    percent: tuple[tuple[str, float], ...]
    unmapped: tuple[tuple[str, float], ...] = ()

    @property
    def top(self) -> str:
        """Return the toolset that a prompt gets when none was drawn: the most probable one, the first of equals."""
        return max(self.percent, key=lambda pair: pair[1])[0]

    def sample(self, seed: int, prompt: str) -> tuple[str, ...]:
        """Draw the toolsets of a prompt: the same for the same seed and prompt id, whoever draws, in whatever order."""
        drawn = tuple(name for name, percent in self.percent if draw(seed, self.name, prompt, name) * 100 < percent)
        return drawn or (self.top,)

    def frequencies(self) -> dict[str, float]:
        """Return the probability with which each toolset is given, the fallback included."""
        none = math.prod(1 - percent / 100 for _, percent in self.percent)
        return {name: percent / 100 + (none if name == self.top else 0.0) for name, percent in self.percent}

    def outcomes(self) -> dict[tuple[str, ...], float]:
        """Return the probability of every combination of toolsets."""
        found: dict[tuple[str, ...], float] = {(): 1.0}
        for name, percent in self.percent:
            share = percent / 100
            found = {
                key: value
                for chosen, whole in found.items()
                for key, value in (((*chosen, name), whole * share), (chosen, whole * (1 - share)))
                if value > 0
            }
        none = found.pop((), 0.0)
        if none:
            found[(self.top,)] = found.get((self.top,), 0.0) + none
        return found


def draw(seed: int, *names: str) -> float:
    """Return a number from 0 to 1 (not included) that depends on seed and names alone."""
    digest = hashlib.sha256("\0".join((str(seed), *names)).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


OURS = (
    Distribution("knowledge", "memory, skills and sessions", (("memory", 100), ("skills", 100), ("sessions", 100))),
    Distribution(
        "everything",
        "all toolsets",
        (("memory", 100), ("skills", 100), ("sessions", 100), ("file", 100), ("terminal", 100)),
    ),
    Distribution(
        "coding",
        "terminal and files, now and then with knowledge",
        (("terminal", 100), ("file", 100), ("skills", 50), ("memory", 30), ("sessions", 20)),
    ),
)

PUBLISHED = """
default         web vision image_gen terminal file browser 100
image_gen       image_gen 90, vision 90, web 55, terminal 45
research        web 90, browser 70, vision 50, terminal 10
science         web 94, terminal 94, file 94, vision 65, browser 50, image_gen 15
development     terminal 80, file 80, web 30, vision 10
safe            web 80, browser 70, vision 60, image_gen 60
balanced        web vision image_gen terminal file browser 50
minimal         web 100
terminal_only   terminal 100, file 100
terminal_web    terminal 100, file 100, web 100
creative        image_gen 90, vision 90, web 30
reasoning       web 90, file 60, terminal 20
browser_use     browser 100, web 80, vision 70
browser_only    browser 100
browser_tasks   browser 97, vision 12, terminal 15
terminal_tasks  terminal 97, file 97, web 97, browser 75, vision 50, image_gen 10
mixed_tasks     browser 92, terminal 92, file 92, web 35, vision 15, image_gen 15
"""
"""The distributions that Hermes publishes, by its names; a number holds for all names before it."""


def published() -> tuple[Distribution, ...]:
    """Return Hermes' distributions on our toolsets: percentages as published, what is not here set aside."""
    found = []
    for line in PUBLISHED.strip().split("\n"):
        name, _, rest = line.partition(" ")
        pairs: list[tuple[str, float]] = []
        for group in rest.split(","):
            *names, percent = group.split()
            pairs += [(toolset, float(percent)) for toolset in names]
        found.append(_divided(name, "as published by Hermes", pairs))
    return tuple(found)


def _divided(name: str, about: str, pairs: Iterable[tuple[str, float]]) -> Distribution:
    rows = list(pairs)
    ours = tuple(pair for pair in rows if pair[0] in TOOLSETS)
    return Distribution(name, about, ours, tuple(pair for pair in rows if pair[0] not in TOOLSETS))


def known() -> dict[str, Distribution]:
    """Return all distributions by name."""
    return {distribution.name: distribution for distribution in (*OURS, *published())}


def named(name: str) -> Distribution:
    """Return a distribution by name; one of which nothing is here is an error that says so."""
    table = known()
    if name not in table:
        raise UserError(f"no distribution called {name!r}", hint=f"there are: {', '.join(sorted(table))}")
    return checked(table[name])


def checked(distribution: Distribution) -> Distribution:
    """Return a distribution that can be sampled, or say why it cannot."""
    if not distribution.percent:
        missing = ", ".join(toolset for toolset, _ in distribution.unmapped)
        raise UserError(
            f"the distribution {distribution.name} only names toolsets that are not here: {missing}",
            hint=f"the toolsets here are {', '.join(TOOLSETS)}",
        )
    return distribution


def parse(text: str, *, where: str) -> Distribution:
    """Read a distribution of one's own: TOML with `name`, `about` and a table `percent` of toolset → 0 to 100."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UserError(f"not valid TOML: {error}", where=where, hint="see docs/formats/batch.md") from error
    percent = table.get("percent")
    if not isinstance(percent, dict) or not percent:
        raise UserError("no table [percent]", where=where, hint="write [percent] and lines such as memory = 50")
    for name, value in percent.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
            raise UserError(f"{name} = {value!r} is no percentage", where=where, hint="give a number from 0 to 100")
    unknown = sorted(set(percent) - set(TOOLSETS))
    if unknown:
        raise UserError(
            f"no toolset called {unknown[0]!r}", where=where, hint=f"the toolsets are {', '.join(TOOLSETS)}"
        )
    return Distribution(
        str(table.get("name") or "own"),
        str(table.get("about") or ""),
        tuple((key, float(percent[key])) for key in percent),
    )


def as_lines(distribution: Distribution) -> str:
    """Return a distribution on one line: `terminal 80, file 80`."""
    return ", ".join(f"{name} {percent:g}" for name, percent in distribution.percent) or "nothing that is here"

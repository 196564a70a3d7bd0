"""`hermes-git batch distributions`: which toolsets a prompt gets, how often, and whether sampling keeps its word."""

from __future__ import annotations

import click

from hermes_git import errors, files
from hermes_git.batch import frequencies, toolsets
from hermes_git.batch.toolsets import Distribution
from hermes_git.commands import complete
from hermes_git.commands.call import Call, common
from hermes_git.commands.lazy import Group
from hermes_git.document import decode
from hermes_git.errors import UserError

LEAST_P = 0.001
"""Below this probability a sample is not what its distribution promises."""


def distribution_of(call: Call, name: str) -> Distribution:
    """Return a distribution by name, or from a TOML file of one's own."""
    if not name.endswith(".toml"):
        return toolsets.named(name)
    text, encoding = decode(files.read_bytes(call.folder / name))
    if encoding == "undecodable":
        raise UserError("not UTF-8", where=name, hint="save it as UTF-8")
    return toolsets.parse(text, where=name)


@click.group("distributions", cls=Group)
def distributions() -> None:
    """List, show and sample distributions of toolsets.

    \b
    hermes-git batch distributions list
    hermes-git batch distributions sample 10000 --name balanced
    """


@distributions.command("list")
@common(json_output=True)
def list_(call: Call) -> int:
    """List the distributions: ours, and those that Hermes publishes, on our toolsets.

    \b
    hermes-git batch distributions list
    """
    found = toolsets.known()
    if call.json:
        call.emit({"toolsets": {name: list(tools) for name, tools in toolsets.TOOLSETS.items()},
                   "distributions": [_as_json(one) for one in found.values()]})  # fmt: skip
        return errors.OK
    for one in found.values():
        missing = f"  (not here: {', '.join(name for name, _ in one.unmapped)})" if one.unmapped else ""
        call.say(f"{one.name:16} {toolsets.as_lines(one)}{missing}")
    return errors.OK


def _as_json(one: Distribution) -> dict[str, object]:
    return {
        "name": one.name,
        "about": one.about,
        "percent": dict(one.percent),
        "unmapped": dict(one.unmapped),
        "expected": {name: round(share, 6) for name, share in one.frequencies().items()} if one.percent else {},
    }


@distributions.command()
@click.argument("name", shell_complete=complete.distributions)
@common(json_output=True)
def show(call: Call, name: str) -> int:
    """Show one distribution: toolsets, tools, and how often a prompt gets each; NAME may be a TOML file.

    \b
    hermes-git batch distributions show development
    """
    found = toolsets.known().get(name) or distribution_of(call, name)
    if call.json:
        call.emit(_as_json(found))
        return errors.OK
    call.say(f"{found.name}: {found.about}")
    expected = found.frequencies() if found.percent else {}
    for toolset, percent in found.percent:
        tools = ", ".join(toolsets.TOOLSETS[toolset])
        call.say(f"  {toolset:10} {percent:5g} %  given to {100 * expected[toolset]:6.2f} %  {tools}")
    for toolset, percent in found.unmapped:
        call.say(f"  {toolset:10} {percent:5g} %  not here: left out")
    if found.percent and found.frequencies()[found.top] > dict(found.percent)[found.top] / 100:
        call.say(f"  a prompt that draws none gets {found.top}")
    return errors.OK


@distributions.command()
@click.argument("count", type=click.IntRange(1, 10_000_000))
@click.option("--name", default="knowledge", show_default=True, help="The distribution, or a TOML file.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the run.")
@common(json_output=True)
def sample(call: Call, count: int, name: str, seed: int) -> int:
    """Draw COUNT prompts and hold what they got against the distribution: 99 % intervals and a chi-square test.

    \b
    hermes-git batch distributions sample 10000 --name balanced --seed 7
    """
    found = distribution_of(call, name)
    compared = frequencies.compare(found, (found.sample(seed, str(number)) for number in range(count)))
    if call.json:
        call.emit({"distribution": found.name, "seed": seed, **compared.as_json()})
    for row in compared.rows:
        inside = "within" if row.is_within else "OUTSIDE"
        call.say(
            f"{row.toolset:10} expected {100 * row.expected:6.2f} %  sampled {100 * row.drawn / count:6.2f} %  "
            f"{inside} the 99 % interval"
        )
    call.say(f"chi-square {compared.chi_square:.2f}, {compared.freedom} degrees of freedom, p = {compared.p_value:.3f}")
    return errors.OK if compared.p_value >= LEAST_P else errors.FINDINGS

"""HG2: skills as the agentskills.io specification wants them.

One reader, `knowledge.skill`, decides whether a header can be read; these checks only say what it found. A name holds
`a-z`, `0-9` and single inner hyphens, as the specification's prose says: other letters are reported, although the
reference validator lets them pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hermes_git.checks.reading import SkillReading, TreeReading
from hermes_git.checks.registry import Spot, skill_check, tree_check
from hermes_git.finding import ERROR, WARNING
from hermes_git.knowledge.frontmatter import Value
from hermes_git.knowledge.skill import ALLOWED_KEYS, MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_NAME, NAME, SKILL_FILE

HOST_KEYS = frozenset(
    "version author platforms prerequisites tags model context hooks effort type argument-hint user-invocable "
    "disable-model-invocation mcp homepage dependencies category related_skills when_to_use paths agent".split()
)
"""Keys that some hosts read although the specification does not know them."""


def page(**values: str) -> str:
    """Return a SKILL.md for the examples of this module."""
    rows = {"name": "x", "description": "Checks links. Use when a page changes.", **values}
    return (
        "---\n" + "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in rows.items() if value) + "---\n# X\n"
    )


def one(text: str) -> tuple[tuple[str, str | bytes], ...]:
    """Return the example tree that holds one skill called x."""
    return (("x/SKILL.md", text),)


@skill_check(
    "HG201",
    severity=ERROR,
    fires=(one("# no header\n"), one("---\nname: x\n"), one("---\nname: x\ndescription: Use when: now\n---\n")),
    quiet=(one(page()), one("\ufeff" + page()), one(page().replace("\n", "\r\n")), one(page() + "\n---\n\nmore\n")),
)
def unreadable_header(skill: SkillReading) -> Iterator[Spot]:
    """Frontmatter that cannot be read.

    Hosts that cannot read the header drop the skill silently or load it without name and description. The header starts
    with `---` on the first line, ends with a line `---`, and holds plain `key: value` YAML: no anchors, tags or
    duplicate keys. A BOM and CRLF line ends are fine; `...` does not end a header; lone carriage returns are no lines.

    Fix: do what the message says; quote a value that holds a colon.
    """
    problem = skill.skill.problem
    if problem:
        yield Spot(problem.line, problem.message, max(1, problem.column), hint=problem.hint)


def _value(skill: SkillReading, key: str) -> Value:
    return skill.skill.header.values.get(key)


def _line(skill: SkillReading, key: str) -> int:
    return skill.skill.header.lines.get(key, 1)


@skill_check(
    "HG202",
    severity=ERROR,
    fires=(one(page(name="")), one(page(name='""')), one(page(name="[x]"))),
    quiet=(one(page()),),
)
def missing_name(skill: SkillReading) -> Iterator[Spot]:
    """A skill without a name.

    Hosts find and load a skill by its name; it must be there as text.

    Fix: add `name:` with the name of the folder.
    """
    value = _value(skill, "name")
    if not skill.skill.problem and not (isinstance(value, str) and value.strip()):
        yield Spot(_line(skill, "name"), "name is missing or not text", hint=f"add name: {skill.skill.folder}")


@skill_check(
    "HG203",
    severity=ERROR,
    fires=(one(page(description="")), one(page(description="[a]")), one(page(description="'  '"))),
    quiet=(one(page()),),
)
def missing_description(skill: SkillReading) -> Iterator[Spot]:
    """A skill without a description.

    The description is all that an agent sees before it decides to load the skill.

    Fix: say in one sentence what the skill does and when to use it.
    """
    value = _value(skill, "description")
    if not skill.skill.problem and not (isinstance(value, str) and value.strip()):
        hint = "add description: what the skill does and when to use it"
        yield Spot(_line(skill, "description"), "description is missing or not text", hint=hint)


@skill_check(
    "HG204",
    severity=WARNING,
    fires=tuple(one(page(name=name)) for name in ("Foo", "-foo", "foo-", "foo--bar", "naïve", "a_b", "a" * 65)),
    quiet=(one(page()), one(page(name="a" * 64)), one(page(name="pdf-2-text"))),
)
def bad_name(skill: SkillReading) -> Iterator[Spot]:
    """A name that the specification does not allow.

    A name is 1 to 64 characters: lower-case letters a to z, digits, and single hyphens inside. Letters outside ASCII
    are reported too: hosts disagree about them, and two that look alike are two names.

    Fix: rename skill and folder.
    """
    name = _value(skill, "name")
    if not isinstance(name, str) or not name.strip():
        return
    if len(name) > MAX_NAME:
        yield Spot(_line(skill, "name"), f"name has {len(name)} characters, {MAX_NAME} are allowed", hint="shorten it")
    elif not NAME.match(name):
        hint = "use a-z, 0-9 and single inner hyphens"
        yield Spot(_line(skill, "name"), f"name {name!r} is not allowed", hint=hint)


@skill_check(
    "HG205",
    severity=WARNING,
    fires=((("a/foo/SKILL.md", page(name="bar")),),),
    quiet=(one(page()), (("SKILL.md", page()),)),
)
def name_is_not_folder(skill: SkillReading) -> Iterator[Spot]:
    """A name that is not the name of its folder.

    Some hosts go by the folder, others by the name; a skill with two names is loaded, updated and removed wrongly.

    Fix: rename the folder or the skill.
    """
    name, folder = _value(skill, "name"), skill.skill.folder
    if isinstance(name, str) and name.strip() and folder and name != folder and not skill.is_archived:
        hint = f"rename the folder to {name}, or write name: {folder}"
        yield Spot(_line(skill, "name"), f"name {name!r} differs from its folder {skill.root}", hint=hint)


@skill_check(
    "HG207",
    severity=WARNING,
    fires=(one(page(description="a" * 1025)),),
    quiet=(one(page(description="a" * 1024)),),
)
def long_description(skill: SkillReading) -> Iterator[Spot]:
    """A description that is longer than the specification allows.

    Hosts refuse it or cut it off at 1,024 characters; every character is paid for in every session.

    Fix: shorten it; details belong into the body.
    """
    size = len(skill.skill.description)
    if size > MAX_DESCRIPTION:
        message = f"description has {size:,} characters, {MAX_DESCRIPTION:,} are allowed"
        yield Spot(_line(skill, "description"), message, hint="move details to the body")


@skill_check(
    "HG208",
    severity=WARNING,
    fires=(one(page(verson="1")),),
    quiet=(one(page()), one(page(license="MIT")), one(page(version="1"))),
)
def unknown_key(skill: SkillReading) -> Iterator[Spot]:
    """A key that neither the specification nor a known host reads.

    The specification knows name, description, license, allowed-tools, metadata and compatibility; strict validators
    refuse a skill for any other key. Keys that some host reads at the top level are left to `hermes-git skill check`.

    Fix: correct the spelling, or move the key below `metadata:`.
    """
    for key in sorted(skill.skill.extra):
        if key not in HOST_KEYS:
            hint = f"allowed are {', '.join(ALLOWED_KEYS)}; put others below metadata:"
            yield Spot(_line(skill, key), f"unknown key {key!r}", hint=hint)


@skill_check(
    "HG209",
    severity=WARNING,
    fires=(one(page(compatibility="a" * 501)), one(page(allowed_tools="[Bash]")), one(page(metadata="text"))),
    quiet=(one(page(compatibility="needs git", allowed_tools="Bash Read", metadata="{a: b}")),),
)
def bad_optional_value(skill: SkillReading) -> Iterator[Spot]:
    """An optional value of the wrong shape.

    `compatibility` is text of at most 500 characters, `allowed-tools` is one string of names with blanks between,
    `metadata` is a table.

    Fix: write the value in the shape named.
    """
    compatibility = _value(skill, "compatibility")
    if compatibility is not None and not (isinstance(compatibility, str) and len(compatibility) <= MAX_COMPATIBILITY):
        message = f"compatibility must be text of at most {MAX_COMPATIBILITY} characters"
        yield Spot(_line(skill, "compatibility"), message, hint="shorten it")
    for key, kind, word in (
        ("allowed-tools", str, "one string"),
        ("license", str, "text"),
        ("metadata", dict, "a table"),
    ):
        value = _value(skill, key)
        if value is not None and not isinstance(value, kind):
            yield Spot(_line(skill, key), f"{key} must be {word}", hint=f"write {key} as {word}")


@skill_check(
    "HG210",
    severity=WARNING,
    fires=((("a/SKILL.md", page(name="a")), ("a/b/SKILL.md", page(name="b"))),),
    quiet=((("a/SKILL.md", page(name="a")), ("a/references/r.md", "text")),),
)
def nested_skill(skill: SkillReading) -> Iterator[Spot]:
    """A skill inside another skill.

    Some hosts load the inner SKILL.md as a skill of its own, others never see it; here it is a file of the outer one.

    Fix: move the inner skill beside the outer one.
    """
    for reading in skill.readings:
        if reading.document.name == SKILL_FILE and reading.path != skill.path:
            yield Spot(1, f"a skill inside the skill {skill.root}", path=reading.path, hint="move it beside the other")


@tree_check(
    "HG206",
    severity=WARNING,
    fires=((("a/x/SKILL.md", page()), ("b/x/SKILL.md", page())),),
    quiet=((("a/x/SKILL.md", page()), ("a/y/SKILL.md", page(name="y"))),),
)
def name_given_twice(tree: TreeReading) -> Iterator[Spot]:
    """One name for two skills.

    Hosts load one of them, and which one depends on the order of folders.

    Fix: rename one, or merge the two.
    """
    named: dict[str, list[SkillReading]] = defaultdict(list)
    for skill in tree.skills:
        if not skill.is_archived:
            named[skill.skill.name].append(skill)
    for name, skills in sorted(named.items()):
        for skill in skills if len(skills) > 1 else []:
            others = ", ".join(other.path for other in skills if other is not skill)
            message = f"the name {name!r} is also used by {others}"
            yield Spot(_line(skill, "name"), message, path=skill.path, hint="rename one of them")

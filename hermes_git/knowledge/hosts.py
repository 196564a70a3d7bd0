"""What each host makes of one skill: what it refuses, what it ignores, what it cuts off.

Rules as published or read in the hosts' code by November 2026; docs/formats/skill.md names the source of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hermes_git.document import Document
from hermes_git.knowledge import agentskills
from hermes_git.knowledge.listing import SHOWN
from hermes_git.knowledge.seen import CUT, EFFECTS, IGNORED, REFUSED, UNCLEAR, Remark, Seen
from hermes_git.knowledge.skill import ALLOWED_KEYS, MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_NAME, NAME, SKILL_FILE

Judge = Callable[[Seen], Iterator[Remark]]


def _refused(seen: Seen) -> Iterator[Remark]:
    """Yield why a host that needs a readable header cannot take the skill; all hosts but one share this."""
    if seen.problem:
        yield Remark(REFUSED, "", seen.problem_line, seen.problem)
    elif seen.odd:
        yield Remark(UNCLEAR, "", 1, f"the header is YAML that readers take differently ({seen.odd})")


def _text_problem(seen: Seen, key: str, *, limit: int) -> Iterator[Remark]:
    value = seen.values.get(key)
    if value is None:
        yield Remark(REFUSED, key, seen.line(key), f"{key} is missing")
    elif not isinstance(value, str):
        yield Remark(REFUSED, key, seen.line(key), f"{key} is read as {type(value).__name__}, not as text")
    elif not value.strip():
        yield Remark(REFUSED, key, seen.line(key), f"{key} is empty")
    elif len(value.strip()) > limit:
        yield Remark(
            REFUSED, key, seen.line(key), f"{key} has {len(value.strip()):,} characters, {limit:,} are allowed"
        )


def _ignored(seen: Seen, known: frozenset[str]) -> Iterator[Remark]:
    for key in seen.values:
        if key not in known:
            yield Remark(IGNORED, str(key), seen.line(str(key)), f"{key} is not read")


def skills_ref(seen: Seen) -> Iterator[Remark]:
    """agentskills.io's reference validator."""
    for refusal in agentskills.judge(seen.folder, seen.data):
        yield Remark(REFUSED, refusal.key, refusal.line, refusal.message)


LOOSE_HEADER = re.compile(r"---\n(.*?)\n---", re.DOTALL)


def quick_validate(seen: Seen) -> Iterator[Remark]:
    """The check that Anthropic's skill-creator runs before it packs a skill."""
    text = (seen.data or b"").decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if seen.data is not None and not LOOSE_HEADER.match(text):
        yield Remark(REFUSED, "", 1, "the first line is not exactly ---, or no line starts with --- after it")
        return
    yield from _refused(seen)
    if seen.problem or seen.odd:
        return
    for key in sorted(set(map(str, seen.values)) - set(ALLOWED_KEYS)):
        yield Remark(REFUSED, key, seen.line(key), f"the key {key!r} is not one of the six that are allowed")
    for key in ("name", "description"):
        if key not in seen.values:
            yield Remark(REFUSED, key, 1, f"{key} is missing")
        elif not isinstance(seen.values[key], str):
            yield from _text_problem(seen, key, limit=MAX_DESCRIPTION)
    yield from _quick_values(seen)


def _quick_values(seen: Seen) -> Iterator[Remark]:
    name, description = (str(seen.values.get(key) or "").strip() for key in ("name", "description"))
    if isinstance(seen.values.get("name"), str) and name and (not NAME.match(name) or len(name) > MAX_NAME):
        yield Remark(REFUSED, "name", seen.line("name"), f"the name {name!r} is not a-z, 0-9 and single inner hyphens")
    if "<" in description or ">" in description:
        yield Remark(REFUSED, "description", seen.line("description"), "the description has an angle bracket")
    if len(description) > MAX_DESCRIPTION:
        message = f"the description has {len(description):,} characters, {MAX_DESCRIPTION:,} are allowed"
        yield Remark(REFUSED, "description", seen.line("description"), message)
    compatibility = seen.values.get("compatibility")
    if compatibility and not (isinstance(compatibility, str) and len(compatibility) <= MAX_COMPATIBILITY):
        line = seen.line("compatibility")
        yield Remark(REFUSED, "compatibility", line, f"compatibility is not text of {MAX_COMPATIBILITY} characters")


def gh_skill(seen: Seen) -> Iterator[Remark]:
    """`gh skill publish`: the specification's prose to the letter, other keys tolerated."""
    yield from _refused(seen)
    if seen.problem or seen.odd:
        return
    yield from _spec_name(seen)
    yield from _text_problem(seen, "description", limit=MAX_DESCRIPTION)
    tools = seen.values.get("allowed-tools")
    if tools is not None and not isinstance(tools, str):
        yield Remark(REFUSED, "allowed-tools", seen.line("allowed-tools"), "allowed-tools is not one string")
    metadata = seen.values.get("metadata")
    for key in metadata if isinstance(metadata, dict) else ():
        if str(key).startswith("github-"):
            yield Remark(IGNORED, f"metadata.{key}", seen.line("metadata"), f"metadata.{key} is stripped")


def _spec_name(seen: Seen) -> Iterator[Remark]:
    name = seen.values.get("name")
    problems = list(_text_problem(seen, "name", limit=MAX_NAME))
    yield from problems
    if problems or not isinstance(name, str):
        return
    if not NAME.match(name):
        yield Remark(REFUSED, "name", seen.line("name"), f"the name {name!r} is not a-z, 0-9 and single inner hyphens")
    elif seen.folder and name != seen.folder:
        yield Remark(REFUSED, "name", seen.line("name"), f"the folder is called {seen.folder!r}, not {name!r}")


HERMES_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*\Z")
HERMES_KEYS = frozenset(
    "name description version license author compatibility platforms environments prerequisites "
    "required_environment_variables setup required_credential_files metadata tags related_skills allowed-tools".split()
)
HERMES_MAX_SKILL = 100_000
HERMES_MAX_FILE = 1_048_576
HERMES_HEAD = 4000
HERMES_LINKED = ("references", "templates", "scripts", "assets")


def hermes(seen: Seen) -> Iterator[Remark]:
    """Hermes: discovery, the prompt index, skill_view, and what skill_manage would let an agent write."""
    if seen.data is None:
        yield Remark(REFUSED, "", 0, "SKILL.md is missing")
        return
    if seen.problem or seen.odd:
        message = f"read line by line as `key: value`, because: {seen.problem or seen.odd}"
        yield Remark(UNCLEAR, "", seen.problem_line or 1, message)
        return
    yield from _hermes_header(seen)
    yield from _ignored(seen, HERMES_KEYS)
    if len(seen.text) > HERMES_MAX_SKILL:
        message = f"{len(seen.text):,} characters, {HERMES_MAX_SKILL:,} may be written"
        yield Remark(REFUSED, SKILL_FILE, 0, message)
    for inner, document in seen.files:
        yield from _hermes_file(inner, document)


def _hermes_header(seen: Seen) -> Iterator[Remark]:
    name, description = seen.values.get("name"), seen.values.get("description")
    if name is not None and not isinstance(name, str):
        message = f"the name is read as {type(name).__name__}, and the skill is not seen"
        yield Remark(REFUSED, "name", seen.line("name"), message)
    elif isinstance(name, str) and (not HERMES_NAME.match(name) or len(name) > MAX_NAME):
        yield Remark(REFUSED, "name", seen.line("name"), f"an agent may not write a skill called {name!r}")
    elif isinstance(name, str) and seen.folder and name != seen.folder:
        message = f"usage, pins and the curator go by {name!r}, edits by the folder {seen.folder!r}"
        yield Remark(UNCLEAR, "name", seen.line("name"), message)
    yield from _text_problem(seen, "description", limit=MAX_DESCRIPTION)
    if isinstance(description, str) and len(" ".join(description.split())) > SHOWN:
        message = f"the index shows {SHOWN - 3} of {len(description.strip()):,} characters"
        yield Remark(CUT, "description", seen.line("description"), message)
    header = seen.text.find("\n---", 3)
    if header > HERMES_HEAD:
        message = f"a header of {header:,} characters: skills_list reads {HERMES_HEAD:,} and shows `---`"
        yield Remark(CUT, "", 1, message)


def _hermes_file(inner: str, document: Document) -> Iterator[Remark]:
    top = inner.split("/", 1)[0]
    if document.kind == "link":
        yield Remark(REFUSED, inner, 0, "an install with a symbolic link is refused")
    elif len(document.data) > HERMES_MAX_FILE:
        yield Remark(REFUSED, inner, 0, f"{len(document.data):,} bytes, {HERMES_MAX_FILE:,} may be written")
    elif inner != SKILL_FILE and top not in HERMES_LINKED:
        yield Remark(IGNORED, inner, 0, "not listed: only references, templates, scripts and assets are")
    elif top == "references" and (not inner.endswith(".md") or inner.count("/") > 1):
        yield Remark(IGNORED, inner, 0, "not listed: only Markdown directly in references is")


CLAUDE_KEYS = frozenset(
    "name description when_to_use argument-hint arguments disable-model-invocation user-invocable allowed-tools model "
    "effort context agent hooks paths shell".split()
)
CLAUDE_SHOWN = 1536
NESTED = re.compile(r"(?:^|/)\.claude/skills/[^/]+/.")
"""A folder that Claude Code does not look into: its documentation knows `.claude/skills/<name>/SKILL.md` alone."""


def claude_code(seen: Seen) -> Iterator[Remark]:
    """Claude Code: nothing is required; the folder's name is the command, many keys of its own are read."""
    if seen.data is None:
        yield Remark(REFUSED, "", 0, "SKILL.md is missing")
        return
    if NESTED.search(seen.root):
        yield Remark(
            REFUSED, "", 0, "it lies in a category, and only folders directly below .claude/skills are looked at"
        )
    if seen.problem or seen.odd:
        message = f"loaded without its header, under the folder's name: {seen.problem or seen.odd}"
        yield Remark(UNCLEAR, "", seen.problem_line or 1, message)
        return
    if not isinstance(seen.values.get("description"), str):
        yield Remark(UNCLEAR, "description", seen.line("description"), "the first paragraph is shown as description")
    shown = " ".join(str(seen.values.get(key) or "") for key in ("description", "when_to_use")).strip()
    if len(shown) > CLAUDE_SHOWN:
        message = f"description and when_to_use have {len(shown):,} characters, {CLAUDE_SHOWN:,} are shown"
        yield Remark(CUT, "description", seen.line("description"), message)
    yield from _ignored(seen, CLAUDE_KEYS)


OPENCLAW_KEYS = frozenset(
    "name description version homepage metadata user-invocable disable-model-invocation command-dispatch command-tool "
    "command-arg-mode license".split()
)
SEMVER = re.compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?\Z")


def openclaw(seen: Seen) -> Iterator[Remark]:
    """OpenClaw and its registry ClawHub: the specification's names, `metadata.openclaw`, versions as semver."""
    yield from _refused(seen)
    if seen.problem or seen.odd:
        return
    yield from _spec_name(seen)
    yield from _text_problem(seen, "description", limit=MAX_DESCRIPTION)
    version = seen.values.get("version")
    if version is not None and not (isinstance(version, str) and SEMVER.match(version)):
        message = f"version {version!r} is not three numbers such as 1.0.0, so it cannot be published"
        yield Remark(REFUSED, "version", seen.line("version"), message)
    metadata = seen.values.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        yield Remark(IGNORED, "metadata", seen.line("metadata"), "metadata is not a table and is not read")
    yield from _ignored(seen, OPENCLAW_KEYS)


HOSTS: dict[str, Judge] = {
    "agentskills": skills_ref,
    "anthropic": quick_validate,
    "gh": gh_skill,
    "hermes": hermes,
    "claude-code": claude_code,
    "openclaw": openclaw,
}
"""Host → its rules, in the order in which they are shown."""


def judge(seen: Seen) -> dict[str, tuple[Remark, ...]]:
    """Return what every host makes of a skill, remarks sorted by weight and line."""
    return {host: tuple(sorted(rule(seen), key=_order)) for host, rule in HOSTS.items()}


def _order(remark: Remark) -> tuple[int, int, str, str]:
    return EFFECTS.index(remark.effect), remark.line, remark.about, remark.message


def verdict(remarks: tuple[Remark, ...]) -> str:
    """Return the weightiest effect of remarks, or `loads`."""
    return remarks[0].effect if remarks else "loads"

"""Objects that a script writes into settings: literals as the JSON they become, and what it switches off."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hermes_git.patterns.lazy import pattern

if TYPE_CHECKING:
    from hermes_git.checks.script_flow import Program

MAX_MEMBERS = 400
MAX_LEVELS = 12
LEAVES = frozenset("string number template_string identifier binary_expression".split())
FIXED = {"true": "true", "false": "false", "null": "null", "undefined": "null"}

TRUST_OFF = pattern(
    r"\"security\.workspace\.trust\.(?:enabled\"\s{0,4}:\s{0,4}\"?false|untrustedFiles\"\s{0,4}:\s{0,4}\"open)|"
    r"\"task\.allowAutomaticTasks\"\s{0,4}:\s{0,4}\"on|\"chat\.tools\.(?:global\.)?autoApprove\"\s{0,4}:\s{0,4}true|"
    r"\"runOn\"\s{0,4}:\s{0,4}\"folderOpen|\"defaultMode\"\s{0,4}:\s{0,4}\"(?:bypassPermissions|dontAsk)|"
    r"\"(?:enableAllProjectMcpServers|yolo|autoApprove|alwaysAllow|skipDangerousModePermissionPrompt)\"\s{0,4}:\s{0,4}"
    r"(?:true|\[\s{0,4}\"\*)|\"allow\"\s{0,4}:\s{0,4}\[[^\]]{0,200}\"(?:Bash\(\*|\*|Bash)\"?",
)
"""Settings of editors and agents that let things run without a question."""


def remember(program: Program, name: str, node: Any) -> None:
    """Keep the literal that a name stands for."""
    if node.type in ("object", "array"):
        program.literals[name] = [("", node)]


def changed(program: Program, name: str, key: str, node: Any) -> None:
    """Note that a property of a named object is set."""
    known = program.literals.setdefault(name, [])
    if len(known) < MAX_MEMBERS:
        known.append((key, node))


def render(program: Program, node: Any, level: int = 0) -> str:
    """Return a literal as the JSON it becomes, `null` for what is not known."""
    program.count += 1
    if level > MAX_LEVELS or program.count > program.limit:
        return "null"
    if node.type in FIXED:
        return FIXED[node.type]
    if node.type == "array":
        return "[" + ", ".join(render(program, child, level + 1) for child in node.named_children[:MAX_MEMBERS]) + "]"
    if node.type == "object":
        return "{" + ", ".join(_pairs(program, node, level)) + "}"
    name = node.text.decode("utf-8", "replace") if node.type == "identifier" else ""
    if name in program.literals and name not in program.rendering:
        program.rendering.append(name)
        text = _named(program, name, level)
        program.rendering.pop()
        return text
    value = program.value(node) if node.type in LEAVES else None
    return json.dumps(value.text) if value is not None and value.text else "null"


def _named(program: Program, name: str, level: int) -> str:
    """Return a named object with what was set in it later."""
    parts = program.literals[name]
    first = render(program, parts[0][1], level + 1) if parts and not parts[0][0] else "{}"
    later = [f"{json.dumps(key)}: {render(program, node, level + 1)}" for key, node in parts if key]
    if not later or not first.endswith("}"):
        return first
    return first[:-1] + (", " if len(first) > 2 else "") + ", ".join(later) + "}"


def _pairs(program: Program, node: Any, level: int) -> list[str]:
    rows = []
    for child in node.named_children[:MAX_MEMBERS]:
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            rows.append(f"{json.dumps(key_of(program, key))}: {render(program, value, level + 1)}")
        elif child.type == "shorthand_property_identifier":
            rows.append(f"{json.dumps(child.text.decode('utf-8', 'replace'))}: {_known(program, child, level)}")
        elif child.type == "spread_element" and child.named_child_count:
            inner = render(program, child.named_children[0], level + 1)
            rows += [inner[1:-1]] if inner.startswith("{") and len(inner) > 2 else []
    return rows


def _known(program: Program, node: Any, level: int) -> str:
    name = node.text.decode("utf-8", "replace")
    if name in program.literals and name not in program.rendering and level < MAX_LEVELS:
        return _named(program, name, level + 1)
    return json.dumps(program.value(node).text)


def key_of(program: Program, node: Any) -> str:
    """Return the name of a property: plain, quoted or computed."""
    if node.type == "computed_property_name" and node.named_child_count:
        return program.value(node.named_children[0]).text
    return program.value(node).text if node.type == "string" else node.text.decode("utf-8", "replace")

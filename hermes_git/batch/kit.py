"""The tools of one prompt: what a model may call, and a call carried out so that every failure is a result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hermes_git.errors import UserError
from hermes_git.llm.protocol import Tool, ToolCall
from hermes_git.trajectories import strict_json

MAX_RESULT = 100_000
"""Characters of one result; a longer one keeps its beginning and its end, and says how much is missing."""

TYPES = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list}


class ToolFailed(Exception):
    """A tool could not do what it was asked; the message goes to the model."""


class InvalidCall(ToolFailed):
    """A call that no tool can carry out: an unknown name, or arguments that do not fit."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One tool with what carries it out: arguments → a JSON value, or `ToolFailed`."""

    tool: Tool
    run: Callable[[Mapping[str, Any]], object]


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gave: the text for the model, whether it failed, and whether the call itself was invalid."""

    content: str
    is_error: bool = False
    is_invalid: bool = False


@dataclass(frozen=True, slots=True)
class Kit:
    """All tools of a prompt by name."""

    bound: tuple[Bound, ...] = ()
    by_name: Mapping[str, Bound] = field(default_factory=dict)

    @classmethod
    def of(cls, bound: Sequence[Bound]) -> Kit:
        """Return a kit of these tools."""
        return cls(tuple(bound), {one.tool.name: one for one in bound})

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the schemas that a model is shown."""
        return tuple(one.tool for one in self.bound)

    def call(self, call: ToolCall) -> Result:
        """Carry out a call."""
        try:
            bound = self.by_name.get(call.name)
            if bound is None:
                raise InvalidCall(f"there is no tool {call.name!r}; there are: {', '.join(self.by_name) or 'none'}")
            value = bound.run(arguments(bound.tool, call.arguments))
        except ToolFailed as failure:
            return Result(as_text({"error": str(failure)}), True, isinstance(failure, InvalidCall))
        except UserError as error:
            return Result(as_text({"error": str(error)}), True)
        return Result(shortened(as_text(value)))


def arguments(tool: Tool, text: str) -> dict[str, Any]:
    """Read the arguments of a call and hold them against the tool's schema: names, types, what is required."""
    try:
        given: dict[str, Any] = strict_json.parse_object(text or "{}")
    except strict_json.NotStrict as error:
        raise InvalidCall(f"the arguments are no JSON object: {error}") from error
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    missing = [name for name in tool.parameters.get("required", ()) if name not in given]
    unknown = [name for name in given if name not in properties]
    if missing or unknown:
        what = f"missing {', '.join(missing)}" if missing else f"unknown {', '.join(unknown)}"
        raise InvalidCall(f"{tool.name}: {what}; its arguments are {', '.join(properties) or 'none'}")
    for name, value in given.items():
        wanted = TYPES.get(properties[name].get("type", ""))
        if wanted and (not isinstance(value, wanted) or (wanted is int and isinstance(value, bool))):
            raise InvalidCall(f"{tool.name}: {name} must be of type {properties[name]['type']}")
        if value not in properties[name].get("enum", [value]):
            raise InvalidCall(f"{tool.name}: {name} must be one of {', '.join(properties[name]['enum'])}")
    return given


def schema(required: str = "", **properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments; `required` are names with blanks between."""
    return {"type": "object", "properties": dict(properties), "required": required.split()}


def string(about: str, *choices: str) -> dict[str, Any]:
    """Return the schema of a text argument."""
    return {"type": "string", "description": about} | ({"enum": list(choices)} if choices else {})


def integer(about: str) -> dict[str, Any]:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": about}


def as_text(value: object) -> str:
    """Return a result as JSON text that a UTF-8 file can hold."""
    return strict_json.encodable(json.dumps(value, ensure_ascii=False))


def shortened(text: str, limit: int = MAX_RESULT) -> str:
    """Return a text within a number of characters, its middle left out and counted."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"

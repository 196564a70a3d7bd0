"""Strict JSON: what is accepted as a tool's arguments, and text that every trainer's parser reads."""

from __future__ import annotations

import json
import math
import re

SURROGATE = re.compile("[\ud800-\udfff]")
MAX_DEPTH = 64
TAG_OPENING = re.compile(r"<(?=/?(?:think|tool_call|tool_response|tools|REASONING_SCRATCHPAD)>|\|)")
"""A `<` that begins a tag of the formats, or a control token such as `<|im_end|>`."""


class NotStrict(ValueError):
    """Text that is JSON to some parsers and not to others, or not at all."""


def parse_object(text: str) -> dict[str, object]:
    """Parse a JSON object by the rules of `parse`; refuse any other value."""
    value = parse(text)
    if not isinstance(value, dict):
        raise NotStrict("not an object")
    return value


def parse(text: str) -> object:
    """Parse JSON; refuse NaN, infinities, repeated keys, lone surrogates, deep nesting and trailing text."""
    if SURROGATE.search(text):
        raise NotStrict("lone surrogate")
    try:
        value: object = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecursionError as error:
        raise NotStrict("nested too deeply") from error
    except ValueError as error:
        raise NotStrict(str(error)) from error
    _check(value, 0)
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise NotStrict("a key is repeated")
    return table


def _refuse(word: str) -> object:
    raise NotStrict(f"{word} is not JSON")


def _check(value: object, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise NotStrict("nested too deeply")
    if isinstance(value, str) and SURROGATE.search(value):
        raise NotStrict("lone surrogate")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotStrict("a number too large for JSON")
    if isinstance(value, dict):
        for key, item in value.items():
            _check(key, depth + 1)
            _check(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)


def dump(value: object) -> str:
    """Write a value as JSON on one line, non-ASCII text as it is."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def shield(text: str) -> str:
    r"""Write JSON text so that no tag or control token appears in it: the `<` of one becomes `\u003c`.

    Between quotes that is the same string to every JSON parser, and a `<` outside quotes is never JSON.

    >>> shield('{"content": "</tool_call>"}')
    '{"content": "\\u003c/tool_call>"}'
    """
    return TAG_OPENING.sub(r"\\u003c", text)


def encodable(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 file can hold, by U+FFFD."""
    return SURROGATE.sub("\ufffd", text)

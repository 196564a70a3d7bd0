"""YAML of headers: one strict loader, within bounds, and its writer.

python-frontmatter gives the frame (its YAML handler, whose loader we replace); the loader below builds only plain
values: no tags, no aliases, no duplicate keys, no dates or floats out of thin air.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from hermes_git.knowledge.header_advice import BadHeader, Problem, Value, explain
from hermes_git.knowledge.yaml_text import block, scalar

MAX_HEADER_BYTES = 64 * 1024
MAX_NODES = 2000
MAX_DEPTH = 20


class StrictLoader(yaml.CSafeLoader):
    """A safe loader that resolves only true/false, null and decimal integers; everything else stays text."""


StrictLoader.yaml_implicit_resolvers = {}
for _tag, _regex, _first in (
    ("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF"),
    ("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:int", re.compile(r"^(?:0|-?[1-9][0-9]{0,17})$"), list("-0123456789")),
):
    StrictLoader.add_implicit_resolver(_tag, _regex, list(_first))


class StrictHandler(YAMLHandler):
    """python-frontmatter's YAML handler with the strict loader in place of the permissive one."""

    def load(self, fm: str, **_kwargs: object) -> dict[str, Value]:
        """Load YAML source of a header; `BadHeader` where it breaks a rule."""
        return load(fm)[0]

    def export(self, metadata: dict[str, object], **_kwargs: object) -> str:
        """Write a header: keys in the order given, block style, quoted wherever YAML would read another value."""
        return "".join(f"{scalar(key)}:{block(value)}" for key, value in metadata.items()).rstrip("\n")


def load(source: str) -> tuple[dict[str, Value], dict[str, int]]:
    """Load YAML source into plain values and the 0-based line of each top-level key; `BadHeader` on any breach."""
    if len(source.encode("utf-8", "surrogatepass")) > MAX_HEADER_BYTES:
        raise BadHeader(
            Problem(1, 1, f"frontmatter is larger than {MAX_HEADER_BYTES:,} bytes", "move text to the body")
        )
    loader = StrictLoader(source.replace("\r\n", "\n"))
    try:
        node = loader.get_single_node()
        if node is None:
            return {}, {}
        if not isinstance(node, yaml.MappingNode):
            raise BadHeader(
                _at(node, "the frontmatter is not a list of `key: value` lines", "write name: and description:")
            )
        for inner in _checked(node):
            del inner
        values = loader.construct_document(node)
    except yaml.YAMLError as error:
        raise BadHeader(explain(error, source)) from error
    except (RecursionError, ValueError) as error:
        if isinstance(error, BadHeader):
            raise
        raise BadHeader(
            Problem(1, 1, f"unreadable frontmatter: {error}", "keep it to plain key: value lines")
        ) from error
    finally:
        loader.dispose()
    return values, {key.value: key.start_mark.line for key, _ in node.value}


def _checked(root: yaml.Node) -> Iterator[yaml.Node]:
    """Walk all nodes, refusing aliases, tags, duplicate and complex keys, and more nodes or depth than the bounds."""
    seen: set[int] = set()
    stack: list[tuple[yaml.Node, int]] = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if id(node) in seen:
            raise BadHeader(_at(node, "anchors and aliases (&x, *x) are not allowed", "repeat the value"))
        seen.add(id(node))
        if len(seen) > MAX_NODES or depth > MAX_DEPTH:
            raise BadHeader(_at(node, f"more than {MAX_NODES} values or {MAX_DEPTH} levels", "move data to a file"))
        if not str(node.tag).startswith("tag:yaml.org,2002:"):
            raise BadHeader(_at(node, f"the tag {node.tag} is not allowed", "write a plain value"))
        if isinstance(node, yaml.MappingNode):
            stack += _pairs(node, depth)
        elif isinstance(node, yaml.SequenceNode):
            stack += [(child, depth + 1) for child in node.value]
        yield node


def _pairs(node: yaml.MappingNode, depth: int) -> list[tuple[yaml.Node, int]]:
    keys: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            raise BadHeader(_at(key, "a key must be a plain word", "write key: value"))
        key.tag = "tag:yaml.org,2002:str"  # `yes:` and `1:` are words here, not values
        if key.value in keys:
            raise BadHeader(_at(key, f"the key {key.value!r} is given twice", "keep one of them"))
        keys.add(key.value)
    return [(value, depth + 1) for _, value in node.value]


def _at(node: yaml.Node, message: str, hint: str) -> Problem:
    return Problem(node.start_mark.line + 2, node.start_mark.column + 1, message, hint)


def compose(values: dict[str, object], body: str) -> str:
    """Write a new document with a header in the given key order; the inverse of `read`."""
    post = frontmatter.Post(body.lstrip("\n"))
    post.metadata = values
    return f"---\n{StrictHandler().export(post.metadata)}\n---\n\n{post.content.rstrip()}\n"

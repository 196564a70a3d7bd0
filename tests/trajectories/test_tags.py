from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.trajectories import strict_json, tags

PIECES = st.sampled_from(
    "<think> </think> <tool_call> </tool_call> <tool_response> &lt;think> &amp;lt;think> &amp; &lt; < > & ; amp; lt; "
    "<|im_end|> text \n".split(" ")
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS)
def test_reading_undoes_writing(text: str) -> None:
    assert tags.unescape(tags.escape(text)) == text


@given(TEXTS)
def test_no_tag_is_left_in_what_is_written(text: str) -> None:
    written = tags.escape(text)
    assert not any(tag in written for tag in ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>"))


@pytest.mark.parametrize("text", ["a < b", "x && y", "&lt;div&gt;", "<div>", "<Tool_Call>"])
def test_text_without_tags_is_left_alone(text: str) -> None:
    assert tags.escape(text) == text


@given(TEXTS)
def test_a_shielded_json_string_is_the_same_string_without_tags(text: str) -> None:
    import json

    written = strict_json.shield(strict_json.dump({"content": text}))
    assert json.loads(written) == {"content": text}
    assert "<tool_response>" not in written
    assert "<|" not in written


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("<tool_call>\nx\n</tool_call>", ["x"]),
        ("a <tool_call>\nx\n</tool_call>\n<tool_call>\ny\n</tool_call> b", ["x", "y"]),
        ("<tool_call>\nnever closed", []),
        ("nothing", []),
    ],
)
def test_blocks(text: str, inside: list[str]) -> None:
    assert [found for _, _, found in tags.blocks(text, tags.CALL)] == inside


@pytest.mark.parametrize(
    "text",
    ['{"a":1}{"a":1}', '{"a":"cut', '{"a": NaN}', '{"a":1,"a":2}', '{"a":"\\ud83d"}', "[1]", '"text"', "", "{'a': 1}",
     '{"a": 1e999}', '{"a": -Infinity}', "{" + '"a":{' * 90 + "}" * 91, "[" * 100_000],
)  # fmt: skip
def test_what_is_no_strict_object_is_refused(text: str) -> None:
    with pytest.raises(strict_json.NotStrict):
        strict_json.parse_object(text)


@pytest.mark.parametrize(
    "text", ["{}", '{"a": 1}', '{"a":"\\u4e16 😀"}', ' {"a": [1, 2.5, null, true]} ', '{"a":"\\ud83d\\ude00"}']
)
def test_strict_objects_are_accepted(text: str) -> None:
    assert isinstance(strict_json.parse_object(text), dict)

"""No input brings a reader down: whatever JSON it is given, every row is accounted for and the result can be stored."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_git.sessions import canonical
from hermes_git.sessions.detect import FORMATS, detect
from hermes_git.sessions.loss import Tally
from hermes_git.sessions.redact import redact
from hermes_git.sessions.source import Source

KEYS = (
    "type role content message messages uuid parentUuid sessionId id session_id payload timestamp tool_calls tool_use "
    "tool_use_id name input arguments function call_id output result summary leafUuid isSidechain agentId isMeta data "
    "conversations from value steps source observation results history trajectory info parts state toolCalls thoughts "
    "text reasoning usage model started_at active compacted projectHash schema_version parentId subtype git cwd call "
    "action thought tool tokens time metrics extra segments traj tools first kept firstKeptEntryId info item $set"
).split()
WORDS = (
    "user assistant tool system summary session_meta response_item event_msg turn_context compacted message reasoning "
    "function_call function_call_output user_message token_count text thinking tool_result toolResult toolCall session "
    "human gpt agent gemini progress agent_progress compact_boundary compaction observation tool_call ATIF-v1.6"
).split()
SCALARS = (
    st.none() | st.booleans() | st.integers(-5, 10**13) | st.sampled_from(WORDS) | st.text(max_size=6) | st.floats()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=25,
)
ROWS = st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8), min_size=1, max_size=5)
TEXT_FORMATS = [name for name in FORMATS if not name.endswith("-db")]


def check(name: str, path: Path) -> None:
    tally = Tally(path.name)
    sessions = list(FORMATS[name].read(Source(path), tally))
    assert tally.report().unaccounted == 0
    for session in sessions:
        assert session.messages
        assert [message.id for message in session.messages] == list(range(1, len(session.messages) + 1))
        cleaned, _ = redact(session)
        shared = {digest: text.decode("utf-8") for digest, text in canonical.texts(cleaned).items()}
        assert canonical.decode(canonical.encode(cleaned), shared) == cleaned


@pytest.mark.parametrize("name", TEXT_FORMATS)
@given(rows=ROWS, indent=st.booleans())
@settings(max_examples=20, deadline=None)
def test_no_json_brings_a_reader_down(name: str, rows: list[Any], indent: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        text = "".join(json.dumps(row) + "\n" for row in rows) if not indent else json.dumps(rows[0], indent=1)
        path.write_text(text, encoding="utf-8")
        check(name, path)


@given(data=st.binary(max_size=300))
@settings(max_examples=50, deadline=None)
def test_no_bytes_bring_detection_down(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        path.write_bytes(data)
        module = detect(Source(path).head)
        if module is not None and module.NAME != "hermes-db":
            check(module.NAME, path)

"""Texts that a scrubber finds hard, put together from parts of secrets, fences, prose and look-alikes."""

from __future__ import annotations

from hypothesis import strategies as st

from hermes_git.providers.scrubber_fence import NOTE, fence
from tests.patterns.test_keys import KEYS
from tests.patterns.test_secrets import FIRES, QUIET, fake

NONCE = "0123456789abcdef"
OPEN, CLOSE = f"<memory-context-{NONCE}>", f"</memory-context-{NONCE}>"

WORDS = [
    " ", "  ", "\n", "\r\n", "\t", ".", ", ", ": ", "=", " = ", '"', "'", "\\n", "\\", "-", "--", "_", "/", "://", "(",
    ")", "{", "the", "words and more", "Upper CASE", "x", "İ", "é", "漢字", "。", "，", "：", "😀", "\ud800", "密码",
    "пароль", "12", "1 ", "4111", "1111 1111", "DE89", "3704 0044", "WEST", "+49 ", "@", "contoso.com", "bob", "token",
    "password", "api_key", "Authorization", "bearer", "DB_PASSWORD=", "sk" + "-", "gh" + "p_", "ey" + "J", ".ey" + "J",
    "SG.", "AK" + "IA", "a1b2c3d4e5", "hunter2x", "pa55w0rd", "postgres://app:", "https://hooks.slack.com/services/",
    "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----", "[REDACTED:email:1]", "[REDACTED:token",
    "[", "]", "<", ">", fake(12), fake(41), fake(70), fake(300),
]  # fmt: skip
FENCES = [
    OPEN,
    CLOSE,
    OPEN[:9],
    CLOSE[4:],
    "<memory-context>",
    "</memory-context x=1>",
    NOTE.format(size=7),
    fence("in", NONCE),
]
SECRETS = [row[1] for row in FIRES] + [key for key in KEYS.values() if len(key) < 1000]

PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from(SECRETS), st.sampled_from(FENCES), st.sampled_from(QUIET))
FEW = st.lists(PIECES, min_size=1, max_size=5).flatmap(
    lambda few: st.lists(st.one_of(st.sampled_from(few), st.sampled_from(WORDS)), max_size=40)
)
TEXTS = st.one_of(st.lists(PIECES, max_size=25), FEW).map("".join)
"""Mixtures of everything, and texts that say a few things over and over."""

SIZES = st.lists(st.integers(1, 60), min_size=1, max_size=8)


def chunks(text: str, sizes: list[int]) -> list[str]:
    """Cut a text into chunks of the given sizes, taken in turn."""
    parts, at, turn = [], 0, 0
    while at < len(text):
        parts.append(text[at : at + sizes[turn % len(sizes)]])
        at, turn = at + len(parts[-1]), turn + 1
    return parts

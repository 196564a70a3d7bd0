"""The scrubber: text and bytes, whole and in chunks, bounded in what it holds back, and exact in what it counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes_git.providers.scrubber import MAX_DELAY, Scrubbed, StreamingContextScrubber, scrub
from hermes_git.providers.scrubber_fence import fence
from hermes_git.sessions.redact import Redactor
from tests.patterns.test_keys import KEYS
from tests.patterns.test_secrets import GITHUB, fake
from tests.providers.scrubber_texts import CLOSE, NONCE, OPEN, SIZES, TEXTS, chunks

MAIL = "bob" + "@contoso.com"
SAMPLE = f"İ 😀 漢字 {fence('plan', NONCE)} {MAIL} <memory-context> {GITHUB}\n{MAIL} {OPEN} and so on é"
CLEAN = "İ 😀 漢字  [REDACTED:email:1]  [REDACTED:github-token:1]\n[REDACTED:email:1]  and so on é"
REMOVED, REDACTED = (("fence", 1), ("tag", 2)), (("email", 2), ("github-token", 1))


def stream(parts: list[str]) -> Scrubbed:
    """Scrub chunk by chunk."""
    scrubber = StreamingContextScrubber(NONCE)
    text = "".join([scrubber.feed(part) for part in parts]) + scrubber.flush()
    return Scrubbed(text, tuple(scrubber.removed.items()), tuple(scrubber.redacted.items()))


def test_a_text_is_scrubbed_and_what_was_done_is_counted() -> None:
    assert scrub(SAMPLE, NONCE) == Scrubbed(CLEAN, REMOVED, REDACTED)


@pytest.mark.parametrize("size", range(1, 40))
def test_chunks_of_any_size_give_the_same(size: int) -> None:
    assert stream(chunks(SAMPLE, [size])) == Scrubbed(CLEAN, REMOVED, REDACTED)


@settings(deadline=None)
@given(TEXTS, SIZES)
def test_any_chunks_give_what_a_whole_text_gives(text: str, sizes: list[int]) -> None:
    assert stream(chunks(text, sizes)) == scrub(text, NONCE)


@settings(deadline=None)
@given(TEXTS)
@example(f"gh{fence('x', NONCE)}" + GITHUB[2:])
@example("<memory-context token=" + "gh" + "p_" + fake(250) + ">")
@example(f"{OPEN}{GITHUB}")
def test_scrubbing_twice_changes_nothing_more(text: str) -> None:
    once = scrub(text, NONCE)
    assert scrub(once.text, NONCE) == Scrubbed(once.text, (), ())


def test_a_secret_in_two_halves_around_a_fence_is_one() -> None:
    assert scrub(GITHUB[:9] + fence("x", NONCE) + GITHUB[9:], NONCE).text == "[REDACTED:github-token:1]"


PROSE = (
    "The quick brown fox jumps over the lazy dog, and 12 more do so; isn't it? “Yes.” İ é 漢字、😀\r\n\t`code(x) = 1`\n"
)


@given(st.text() | st.lists(st.sampled_from([*PROSE, PROSE]), max_size=60).map("".join), SIZES)
def test_other_text_comes_out_byte_for_byte(text: str, sizes: list[int]) -> None:
    scrubbed = stream(chunks(text, sizes))
    if not scrubbed.removed and not scrubbed.redacted:
        assert scrubbed.text == text


def test_prose_comes_out_byte_for_byte() -> None:
    assert scrub(PROSE * 2000, NONCE) == Scrubbed(PROSE * 2000, (), ())


def stream_bytes(parts: list[bytes]) -> bytes:
    """Scrub chunks of bytes."""
    scrubber = StreamingContextScrubber(NONCE)
    return b"".join([scrubber.feed_bytes(part) for part in parts]) + scrubber.flush_bytes()


def test_bytes_may_be_cut_inside_a_character() -> None:
    raw = SAMPLE.encode()
    for place in range(len(raw) + 1):
        assert stream_bytes([raw[:place], raw[place:]]) == CLEAN.encode()
    assert stream_bytes([bytes([byte]) for byte in raw]) == CLEAN.encode()


@settings(deadline=None, max_examples=50)
@given(st.lists(st.one_of(st.binary(max_size=6), TEXTS.map(lambda text: text.encode("utf-8", "replace"))), max_size=6))
def test_bytes_that_are_not_utf8_pass_and_cuts_do_not_matter(parts: list[bytes]) -> None:
    raw = b"".join(parts)
    whole = stream_bytes([raw])
    assert stream_bytes(parts) == whole == stream_bytes([bytes([byte]) for byte in raw])
    assert whole == scrub(raw.decode("utf-8", "surrogateescape"), NONCE).text.encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"a\xe6\xbc", b"\xed\xa0\x80", b"\xef\xbb\xbfBOM", b"\x00\x1b[0m"])
def test_odd_bytes_stay(raw: bytes) -> None:
    assert stream_bytes([raw]) == stream_bytes([bytes([byte]) for byte in raw]) == raw


LAZY = [
    "word " * 40,
    PROSE * 20,
    "x=1;" * 12_000,
    "İ" * 30_000,
    "token " * 5000,
    '{"password":' * 2000,
    f"{OPEN}" + "words and more " * 4000,
    f"x {OPEN}" * 1500 + "y" * 20_000,
    "<" * 9000 + "[" * 9000,
    "AK" + "IA" + "ABCDEFGH2345ABCD and then " * 500,
]


@pytest.mark.parametrize("text", LAZY)
@pytest.mark.parametrize("size", [5, 700])
def test_nothing_waits_longer_than_stated(text: str, size: int) -> None:
    """What was fed and is neither shown nor removed is held, and that is bounded."""
    scrubber, fed, shown, most = StreamingContextScrubber(NONCE), 0, 0, 0
    for part in chunks(text, [size]):
        shown += len(scrubber.feed(part))
        fed += len(part)
        most = max(most, scrubber.held)
        if not scrubber.removed and not scrubber.redacted:
            assert fed - shown == scrubber.held
    assert most <= MAX_DELAY
    assert scrubber.held <= MAX_DELAY


def test_prose_waits_for_the_next_word_only() -> None:
    scrubber = StreamingContextScrubber(NONCE)
    text = "All of these are plain words, and none is long. " * 50
    for char in text:
        scrubber.feed(char)
        assert scrubber.held <= len("words, a")


def test_memory_is_bounded_while_a_secret_is_dropped() -> None:
    scrubber = StreamingContextScrubber(NONCE)
    scrubber.feed("API_KEY=" + fake(5000))
    for _ in range(50):
        assert scrubber.feed(fake(5000)) == ""
        assert scrubber.held == 0
    assert scrubber.feed("\n done") + scrubber.flush() == "[REDACTED:secret:1]\n done"


@pytest.mark.parametrize(
    ("allow", "text"),
    [
        ((MAIL,), "[REDACTED:email:1] bob" + "@contoso.com"),
        (("@contoso.com",), "[REDACTED:email:1] bob" + "@contoso.com"),
        ((GITHUB, KEYS["whole"]), f"{GITHUB}\n{KEYS['whole']}\n"),
        (("hunter2x",), "password=" + "hunter2x"),
    ],
)
def test_allowed_values_stay(allow: tuple[str, ...], text: str) -> None:
    before = text.replace("[REDACTED:email:1]", "eve" + "@fabrikam.com")
    scrubber = StreamingContextScrubber(NONCE, allow=allow)
    assert "".join(map(scrubber.feed, before)) + scrubber.flush() == scrub(before, allow=allow).text == text


def test_only_the_named_value_is_allowed() -> None:
    assert scrub(f"{MAIL} x{MAIL}", allow=[MAIL, "@contoso", "contoso.com"]).text == f"{MAIL} [REDACTED:email:1]"


def test_redaction_can_be_left_out() -> None:
    scrubber = StreamingContextScrubber(NONCE, redact=False)
    assert scrubber.feed(SAMPLE) + scrubber.flush() == scrub(SAMPLE, NONCE, redact=False).text
    assert scrub(SAMPLE, NONCE, redact=False).text == f"İ 😀 漢字  {MAIL}  {GITHUB}\n{MAIL}  and so on é"
    assert scrubber.redacted == {}


def test_a_second_stream_starts_anew_and_numbers_go_on() -> None:
    scrubber = StreamingContextScrubber(NONCE)
    assert scrubber.feed(f"{MAIL} <memory-con") + scrubber.flush() == "[REDACTED:email:1] <memory-con"
    assert scrubber.feed(f"text> eve@fabrikam.com {MAIL}") + scrubber.flush() == (
        "text> [REDACTED:email:2] [REDACTED:email:1]"
    )
    assert scrubber.redacted == {"email": 3}


@pytest.mark.parametrize("kept", [0, 200, 20_000])
def test_a_stream_that_breaks_off_inside_a_fence_shows_none_of_it(kept: int) -> None:
    wrapped = fence("secret plan. " * 500, NONCE)
    assert scrub(f"Hi {wrapped[: len(OPEN) + 40 + kept].removesuffix(CLOSE)}", NONCE).text.strip() == "Hi"


def test_sessions_stream_as_they_are_redacted(data: Path) -> None:
    """On real transcripts, streaming in odd chunks gives what redacting the whole text gives."""
    source, seen = random.Random(5), 0
    for path in sorted((data / "sessions").rglob("*.jsonl"))[:60:3]:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")[:150_000]
        whole = scrub(text)
        assert stream(chunks(text, [source.randint(1, 3000) for _ in range(50)])) == whole
        assert whole.text == Redactor().text(text)
        seen += len(text)
    assert seen > 500_000

"""Redaction of a stream: the same as of the whole text, wherever chunks, windows and secrets meet."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes_git.providers.scrubber_redact import LOOK_AHEAD, LOOK_BEHIND, WINDOW, Redaction
from hermes_git.sessions.redact import Redactor
from tests.patterns.test_keys import KEYS
from tests.patterns.test_secrets import AWS_ID, AWS_SECRET, FIRES, JWT, QUIET, fake
from tests.providers.scrubber_texts import SIZES, TEXTS, chunks


def never(value: str) -> bool:
    """Allow nothing."""
    return value == "never"


def redact(parts: list[str], **sizes: int) -> tuple[str, dict[str, int]]:
    """Feed chunks to a fresh stream; return all that comes out, and the counts."""
    stream = Redaction(never, **sizes)
    out = "".join([stream.feed(part) for part in parts])
    return out + stream.flush(), dict(stream.counts)


ROWS = [(f"{n}-{row[0]}", row[1]) for n, row in enumerate(FIRES)]
ROWS += [(name, key) for name, key in KEYS.items()]


@pytest.mark.parametrize("text", [row[1] for row in ROWS], ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("frame", ["{}", "Well, dear reader. {} and then more words", "line\n{}\nline"])
def test_a_secret_is_redacted_as_in_a_session_wherever_it_is_cut(text: str, frame: str) -> None:
    text = frame.format(text)
    expected = Redactor().text(text)
    assert expected != text
    assert redact([text])[0] == expected
    step = 1 if len(text) < 150 else len(text) // 50
    for place in range(1, len(text), step):
        assert redact([text[:place], text[place:]])[0] == expected, place
    assert redact(list(text))[0] == expected


@pytest.mark.parametrize("text", QUIET)
def test_look_alikes_stay(text: str) -> None:
    assert redact([text]) == redact(list(text)) == (text, {})


@settings(deadline=None)
@given(TEXTS, SIZES)
@example('"password": "[REDACTED:password:1]" ' + "gh" + "p_" + fake(300), [1])
@example("bob@contoso.com-----BEGIN " + "PRIVATE KEY-----", [3])
def test_any_chunks_give_what_one_gives(text: str, sizes: list[int]) -> None:
    assert redact(chunks(text, sizes)) == redact([text])


@settings(deadline=None)
@given(TEXTS, SIZES, st.integers(20, 300))
def test_so_they_do_where_windows_are_small(text: str, sizes: list[int], window: int) -> None:
    """Small windows make stretches without a cut, and secrets longer than a window, out of ordinary texts."""
    few = {"window": window, "look_ahead": window // 2}
    assert redact(chunks(text, sizes), **few) == redact([text], **few)


@settings(deadline=None)
@given(TEXTS)
@example("bob@contoso.com-----BEGIN " + "PRIVATE KEY-----")
@example("hooks.slack.com/services/" + fake(24) + "postgres://:ST。b@c")
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once, _ = redact([text])
    assert redact([once]) == (once, {})


MANY = [fake(64, seed=number) for number in range(250)]
LONG = {
    "signed token": ("jwt", JWT.replace(".", "." + "ey" + "J" + fake(5000), 1)),
    "signed token without its end": ("jwt", JWT.rpartition(".")[0] + fake(9000)),
    "value of a name": ("secret", "API_KEY=" + fake(50_000)),
    "key on one line": ("private-key", KEYS["one line"].replace("-----" + "END", fake(15_000) + "-----" + "END")),
    "key in lines": ("private-key", KEYS["whole"].replace("\n", "\n" + "\n".join(MANY) + "\n", 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("before", ["", "{" + '"a":1,' * 900])
def test_a_secret_longer_than_a_window_goes_whole(name: str, before: str) -> None:
    kind, secret = LONG[name]
    text = f'{before}"{secret}" and the rest'
    out, counts = redact([text])
    assert counts == {kind: 1}
    assert out.startswith(before + '"') and out.endswith(':1]" and the rest') and len(out) < len(before) + 60
    for size in (1, 999, 5000):
        assert redact(chunks(text, [size])) == (out, counts)


EDGES = [row for row in FIRES if len(row[1]) < 400 and not row[1].startswith(("--", "mysql"))]


@pytest.mark.parametrize(("kind", "text", "found"), EDGES, ids=[f"{n}-{row[0]}" for n, row in enumerate(EDGES)])
def test_no_place_in_a_long_stretch_is_blind(kind: str, text: str, found: str) -> None:
    """Minified JSON has no cut for many windows; a secret may stand across every edge of one."""
    text = text.replace("\n", "\\n")
    for shift in range(-len(text) - 5, 6, 3):
        for edge in (WINDOW - LOOK_AHEAD, WINDOW):
            before = ('"a":1,' * WINDOW)[-(edge + shift) :]
            whole = f'[{before}"{text}"{before}]'
            assert redact([whole])[0] == Redactor().text(whole)


@pytest.mark.parametrize("seen", range(-12, 12))
def test_a_window_may_end_anywhere_around_the_last_dot_of_a_token(seen: int) -> None:
    token = "ey" + "J" + fake(40) + "." + "ey" + "J" + fake(800) + "." + fake(43)
    before = WINDOW - (len(token) - 43 + seen)
    whole = '"a":1,' * (before // 6) + "," * (before % 6) + token
    assert redact([whole + ","]) == (whole.replace(token, "[REDACTED:jwt:1]") + ",", {"jwt": 1})


SIGNED = "ey" + "J" + fake(40) + "." + "ey" + "J" + fake(700) + "." + fake(43)


@pytest.mark.parametrize("behind", range(LOOK_BEHIND - 6, LOOK_BEHIND + 6))
def test_nothing_seems_to_start_where_looking_back_ends(behind: int) -> None:
    """A token that another word runs into is none, nor is it when only its own part of that word is in sight."""
    text = "/" * (WINDOW - LOOK_AHEAD - behind - 4) + "5000" + SIGNED + "," + "/" * WINDOW
    assert redact([text]) == (text, {})


@pytest.mark.parametrize("ahead", range(150, 450, 20))
def test_what_comes_to_light_across_an_edge_goes_whole(ahead: int) -> None:
    """A token that another runs into is found when that is replaced, though it ends behind the window's edge."""
    first = "gh" + "p_" + fake(255)
    before = "/" * (WINDOW - LOOK_AHEAD - ahead - len(first))
    after = "," + "/" * WINDOW
    out = redact([f"{before}{first}{SIGNED}{after}"])[0]
    assert out == f"{before}[REDACTED:github-token:1][REDACTED:jwt:1]{after}"


@pytest.mark.parametrize("ahead", range(-10, 420, 11))
def test_an_edge_does_not_part_a_secret_key_from_its_id(ahead: int) -> None:
    text = f"{AWS_ID},{AWS_SECRET}"
    before = "/" * (WINDOW - LOOK_AHEAD - ahead) + ","
    out = redact([f"{before}{text},{before}"])[0]
    assert out == f"{before}[REDACTED:aws-access-key:1],[REDACTED:aws-secret-key:1],{before}"


def test_the_same_secret_has_one_number_whether_it_comes_whole_or_bit_by_bit() -> None:
    key = LONG["key in lines"][1]
    out, counts = redact(chunks(f"{key}\n\nand again\n\n{key}\n\nand another\n\n{KEYS['whole']}", [77]))
    assert counts == {"private-key": 3}
    assert [out.count(f"[REDACTED:private-key:{number}]") for number in (1, 2, 3)] == [2, 1, 0]


@pytest.mark.parametrize("size", [1, 3, 10, 4000, 50_000])
def test_a_dropped_value_ends_where_a_key_begins(size: int) -> None:
    text = f"API_KEY={fake(9000)}--{KEYS['whole']}\nbye"
    expected = "API_KEY=[REDACTED:secret:1][REDACTED:private-key:1]\nbye"
    assert redact(chunks(text, [size]))[0] == expected


@pytest.mark.parametrize("size", [1, 3000, 50_000])
def test_a_dropped_token_ends_where_its_alphabet_ends(size: int) -> None:
    """A value that a name announces goes on to the end of its word, as in a whole text; a token does not."""
    token = LONG["signed token without its end"][1]
    assert redact(chunks(f"{token}，漢字/x y", [size]))[0] == "[REDACTED:jwt:1]，漢字/x y"
    before = '"a":1,' * 500 + "bearer "
    text = f"{before}{fake(3000)}é=1, y"
    assert redact(chunks(text, [size]))[0] == f"{before}[REDACTED:bearer-token:1]é=1, y"


def test_a_placeholder_in_a_key_does_not_save_it() -> None:
    key = KEYS["whole"].replace("\n", "\n[REDACTED:email:1]\n", 1)
    assert redact([key]) == ("[REDACTED:private-key:1]", {"private-key": 1})


HOSTILE = [
    "token ", "password: ", "a@b.co", "1 ", "4111 ", "-----BEGIN " + "PRIVATE KEY-----", "eyJeyJ-", ".eyJaaaaaaaa", "İ",
    "gh" + "p_" + "a1b2" * 9, "AK" + "IA" + "ABCDEFGH2345ABCD ", "，", "AA00 ", "+1 ", "(212", "://:", "密码", "--",
    " ",
]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_repetition_ends(part: str) -> None:
    """A rule that is quadratic in the text would not come back from this."""
    text = part * (100_000 // len(part))
    assert redact([text]) == redact(chunks(text, [1000]))

"""Private keys: they end where their last line ends, and text that only names a header goes on."""

from __future__ import annotations

import pytest

from hermes_git.patterns import secrets
from hermes_git.patterns.keys import LONGEST_KEY, key_rest
from tests.patterns.test_secrets import fake

HEAD = "-----BEGIN RSA " + "PRIVATE KEY-----"
END = "-----END RSA " + "PRIVATE KEY-----"
LINES = [fake(64, seed=number) for number in range(12)]
SALT = fake(32, "ABCDEF0123456789")
BODY = "\n".join(LINES)
ARMOUR = "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----"
ARMOUR_END = "-----END PGP " + "PRIVATE KEY BLOCK-----"

KEYS = {
    "whole": f"{HEAD}\n{BODY}\n{END}",
    "one line": f"{HEAD}{BODY.replace(chr(10), '')}{END}",
    "in JSON": f"{HEAD}\\n" + "\\n".join(LINES) + f"\\n{END}",
    "indented": f"{HEAD}\n    " + "\n    ".join(LINES) + f"\n    {END}",
    "quoted in code": f'{HEAD}\\n" +\n' + "\n".join(f'        "{line}\\n" +' for line in LINES) + f'\n        "{END}',
    "encrypted": f"{HEAD}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{SALT}\n\n{BODY}\n{END}",
    "with armour headers": f"{ARMOUR}\nVersion: GnuPG v2.0.22 (GNU/Linux)\n\n{BODY}\n=aB3d\n{ARMOUR_END}",
    "CRLF": f"{HEAD}\n{BODY}\n{END}".replace("\n", "\r\n"),
    "cut off in a line": f"{HEAD}\n{BODY}\nQ3hlc3" + "R1cg0K",
    "cut off after a line": f"{HEAD}\n{BODY}",
    "named in prose, both ends": f"{HEAD} and {END}",
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("after", ["", "\n", "\n\nThen restart the server, and go on as before.\n"])
def test_a_key_is_found_whole_and_nothing_behind_it(key: str, after: str) -> None:
    text = f"before\n{key}{after}"
    assert [(match.kind, text[match.start : match.end]) for match in secrets.find(text)] == [("private-key", key)]


@pytest.mark.parametrize("before", ["SECRET=" + fake(20), "password=" + "hunter2x", "gh" + "p_" + fake(36)])
def test_a_value_that_a_key_follows_does_not_take_its_first_line(before: str) -> None:
    """Without its first line nothing says any more that the rest is a key."""
    text = f"{before}{KEYS['whole']}\n"
    value, key = secrets.find(text)
    assert text[key.start : key.end] == KEYS["whole"]
    assert (text[value.start :].startswith(before.partition("=")[2] or before), value.end) == (True, len(before))


@pytest.mark.parametrize(
    "after", [" starts a key in PEM form. The lines below hold base64.", "\n```\nThen goes the key, in many lines.", ""]
)
def test_a_header_without_a_key_takes_nothing_with_it(after: str) -> None:
    text = HEAD + after
    assert [text[match.start : match.end] for match in secrets.find(text)] == [HEAD]


def test_a_key_that_never_ends_stops_at_the_bound() -> None:
    text = HEAD + fake(2 * LONGEST_KEY)
    assert key_rest(text, len(HEAD), LONGEST_KEY, started=False, final=True) == (LONGEST_KEY, True)


def in_pieces(text: str, step: int) -> int:
    """Return where a key ends if its text comes in pieces, each call going on from where the last one got to."""
    at, started, seen = len(HEAD), False, len(HEAD)
    while True:
        final = seen >= len(text)
        end, ended = key_rest(text[:seen], at, LONGEST_KEY, started=started, final=final)
        if ended:
            return end
        at, started, seen = end, started or end > at, seen + step


@pytest.mark.parametrize("name", [name for name, key in KEYS.items() if key.startswith(HEAD)])
@pytest.mark.parametrize("step", [1, 7, 64, 300])
def test_pieces_give_the_same_end(name: str, step: int) -> None:
    text = KEYS[name] + "\n\nand this is no part of it, nor is this: " + fake(50)
    whole, ended = key_rest(text, len(HEAD), LONGEST_KEY, started=False, final=True)
    assert ended
    assert in_pieces(text, step) == whole

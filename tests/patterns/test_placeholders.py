"""Placeholders: typed, numbered by first sight, the same for the same secret, and never a copy of it."""

from __future__ import annotations

from hermes_git.patterns.placeholders import PLACEHOLDER, Placeholders


def test_a_secret_keeps_its_number_and_kinds_are_numbered_apart() -> None:
    made = Placeholders()
    assert [made.of("email", "a@b.com"), made.of("email", "c@d.com"), made.of("email", "a@b.com")] == [
        "[REDACTED:email:1]",
        "[REDACTED:email:2]",
        "[REDACTED:email:1]",
    ]
    assert made.of("phone", "a@b.com") == "[REDACTED:phone:1]"
    assert made.counts == {"email": 3, "phone": 1}


def test_escapes_of_a_json_string_do_not_make_another_secret() -> None:
    made = Placeholders()
    assert made.of("private-key", "line\nline/x") == made.of("private-key", "line\\nline\\/x")


def test_no_secret_is_kept() -> None:
    made = Placeholders()
    made.of("password", "correct-horse-9")
    made.of("password", "half \ud800 a pair")
    assert "correct-horse-9" not in repr(made)


def test_the_expression_knows_placeholders_with_and_without_a_number() -> None:
    assert PLACEHOLDER.fullmatch(Placeholders().of("aws-secret-key", "x"))
    assert PLACEHOLDER.fullmatch("[REDACTED:jwt]")
    assert not PLACEHOLDER.search("[REDACTED] [REDACTED:] [REDACTED:x:] [redacted:x:1]")

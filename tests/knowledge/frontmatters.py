"""Generated SKILL.md texts for comparing validators: mostly nearly right, wrong in as many ways as YAML allows.

Left out on purpose: U+0085, U+2028 and U+2029, which YAML 1.1 and 1.2 read differently.
"""

from __future__ import annotations

import random

FOLDERS = ["x"] * 40 + ["naïve", "技能", "fi", "é", "a" * 64, "2", "foo", "ß", "ss", "e\u0301"]
NAMES = [
    "x", "Foo", "-foo", "foo-", "foo--bar", "naïve", "技能", "ﬁ", "a_b", "a.b", "a" * 64, "a" * 65, "X", "x y", "'x'",
    '"x"', "x ", "1", "yes", "~", "", "x # c", "²", "x\u0301", "é", "e\u0301", "ǆ", "ß", "İ", "x\n  y",
]  # fmt: skip
PIECES = [
    "name", "description", "license", "allowed-tools", "metadata", "compatibility", "version", "x", ":", " ", "\n",
    "\n  ", "\n    ", "\n- ", "- ", "'", '"', "#", " #", "|", ">", "|-", ">-", "|2", "{", "}", "[", "]", "&a", "*a",
    "!t", "!!str", "%", "@", "`", "?", "? ", "---", "...", "\t", "\r\n", "\r", "é", "技", "a" * 20, "b c", "yes", "1",
    "1.0", "~", "null", "Foo", "a-b", "\u00a0", "\ufeff", "\x07", "\\", "<<", ", ", "=", "\n\n", "\n \n",
]  # fmt: skip
VALUES = [
    "Checks links.", "a: b", "'q'", '"q"', "[a, b]", "{a: b}", "|\n  t\n  u", "\n  a: b\n  c: d", "\n  - a\n  - b",
    "\n- a\n- b", "", "~", "yes", "12", "a # c", "a" * 1024, "a" * 1025, ">\n  fold\n  ed\n\n  x",
    "|\n  " + "a" * 1023, "|\n  " + "a" * 1024, ">\n  " + "a b " * 256, ">-\n  " + "ab\n  " * 341 + "a",
    ">-\n  " + "ab\n  " * 340 + "a\n\n\n  b", "'it''s'", '"a\\nb"', '"\\x41"', "a\n  b", "x: &a y", "&a x", "*a",
    "!!str x", "- a", "a --- b", "%x", "@x", "`x`", "?x", "? x", "-x", ":x", ": x", "a:b", "a :b", "a\t", "\ta",
    '"a\nb"', "\n  a:\n    b: c\n  d:\n      e: f", "\n  a:\n    b: c\n  d:\n    e: f", "\n    a: b", "x" * 500,
    "x" * 501, "|+\n  a\n\n\n", "|1\n a\n", ">2\n   a\n", "\n  ? a\n  : b", "\n  a: b\n  a: c",
    "\n  - a\n  - b: c\n    d: e", "\n  - - a\n    - b", "a\n# c\n", "<<: x", "\n  <<: x", "\n  <<:\n    a: b",
    "\n  []: a", "''", '""', "' '", "\u00a0", "\n\n  a", "#c\n  a",
]  # fmt: skip
KEYS = ["license", "allowed-tools", "metadata", "compatibility", "# c", ""]
ODD_KEYS = [*KEYS, "version", "name", "description", "x", "  # c", "'license'", '"metadata"', "\tx", "metadata "]


def value(dice: random.Random) -> str:
    """Return a value: one of the list, or a few pieces in a row."""
    if dice.random() < 0.6:
        return dice.choice(VALUES)
    return "".join(dice.choice(PIECES) for _ in range(dice.randrange(8)))


def document(dice: random.Random) -> str:
    """Return the text of one SKILL.md."""
    calm = dice.random() < 0.7
    rows = [f"name: {dice.choice(NAMES) if dice.random() < 0.2 else 'x'}"] if dice.random() < 0.97 else []
    if dice.random() < 0.97:
        rows.append(f"description: {value(dice) if dice.random() < 0.5 else 'Checks links.'}")
    for _ in range(dice.randrange(3)):
        rows.append(
            dice.choice(KEYS if calm else ODD_KEYS) + dice.choice([": ", ": ", ": ", ":", " : ", ""]) + value(dice)
        )
    dice.shuffle(rows)
    opening = "---" + dice.choice(["", "", "", "", " ", "  ", " # c", "" if calm else "x"])
    closing = dice.choice(["---", "---", "---", "--- ", "----", " ---", *([] if calm else ["...", "", "---x"])])
    text = "\n".join([opening, *rows, closing, "body", dice.choice(["", "---\n", "a --- b"])])
    return _damaged(dice, text)


def _damaged(dice: random.Random, text: str) -> str:
    if dice.random() < 0.03:
        text = dice.choice(["\ufeff", "\n", " ", "<!-- -->\n"]) + text
    if dice.random() < 0.1:
        text = text.replace("\n", dice.choice(["\r\n", "\r"]))
    if dice.random() < 0.08:
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice(PIECES) + text[at:]
    return text

"""HG5: secrets and personal data. Messages name the kind and the place, never the value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hermes_git.checks.reading import Reading
from hermes_git.checks.registry import Spot, check
from hermes_git.finding import ERROR, NOTE, WARNING
from hermes_git.patterns import secrets
from hermes_git.patterns.lazy import pattern
from hermes_git.patterns.spans import Match

NAMED = frozenset(("password", "secret", "bearer-token", "connection-string"))
"""Kinds that a name gives away, not a provider's mark: often examples, so they warn."""

HINT = "revoke it, then remove it; what was committed counts as known"


def matches(reading: Reading) -> tuple[Match, ...]:
    """Return what looks like a secret or personal data in a document, found once for all checks."""
    return reading.once("secrets", lambda one: secrets.find(one.text) if one.document.is_text else ())


def spots(reading: Reading, kinds: frozenset[str]) -> Iterator[Spot]:
    """Yield a spot for each match of some kinds, lines counted once through the text."""
    line, position, last_break = 1, 0, -1
    for match in matches(reading):
        if match.kind not in kinds:
            continue
        line += reading.text.count("\n", position, match.start)
        last_break = max(last_break, reading.text.rfind("\n", position, match.start))
        position = match.start
        severity = WARNING if match.kind in PUBLIC or IN_TESTS.search(reading.path) else None
        yield Spot(line, KINDS[match.kind], match.start - last_break, hint=HINT, severity=severity)


PUBLIC = frozenset(("google-api-key",))
"""Kinds that are also handed to every browser and guarded by other means."""

IN_TESTS = pattern(
    r"(?:^|/)(?:tests?|__tests__|fixtures?|testdata|samples)(?:/|$)|(?:^|[._/])tests?[._-]|[._-]test\.", re.I
)
"""Paths whose secrets are mostly made up for a test; they warn."""

KINDS = {**secrets.KINDS, **secrets.PERSONAL}
PROVIDER = frozenset(secrets.KINDS) - NAMED
PERSONAL = frozenset(secrets.PERSONAL)


@check(
    "HG501",
    severity=ERROR,
    fires=(
        "token = " + '"ghp_' + "0123456789abcdef0123456789abcdef0123" + '"',
        "key: AKIA" + "QZ7XW2LMN5PRT3VK",
        "-----BEGIN "
        + "OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----",
    ),
    quiet=(
        "Tokens start with `ghp_`.",
        "commit 9f4c5cc0123456789abcdef0123456789abcdef0",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ),
)
def provider_secret(reading: Reading) -> Iterator[Spot]:
    """A secret that its form gives away.

    Tokens of providers and private keys have marks of their own. In git they stay readable for everybody who has a
    clone, in memory they are sent with every prompt.

    Fix: revoke the secret first; then remove it, and name the variable or the key store that holds it.
    """
    yield from spots(reading, PROVIDER)


@check(
    "HG502",
    severity=WARNING,
    fires=('password = "' + "k9!vR2#pLq8zTw" + '"',),
    quiet=('password = "changeme"', "api_key = os.environ['EXAMPLE_KEY']", 'password = "<your password>"'),
)
def named_secret(reading: Reading) -> Iterator[Spot]:
    """A value that its name says is a secret.

    A random-looking value beside `password`, `token` or in an address may be a real one. Blanks and references to
    variables are not reported.

    Fix: use a placeholder such as `<token>`, or name the variable that holds it.
    """
    yield from spots(reading, NAMED)


@check(
    "HG503",
    severity=NOTE,
    fires=("Write to jane.roe" + "@" + "mail-server.org",),
    quiet=("Write to someone@example.com", "git@github.com:a/b.git"),
)
def personal_data(reading: Reading) -> Iterator[Spot]:
    """Personal data.

    Addresses, telephone, account and card numbers are somebody's. In a shared repository they reach people who do not
    need them, and history keeps them.

    Fix: leave them out, or use addresses of `example.com`.
    """
    yield from spots(reading, PERSONAL)

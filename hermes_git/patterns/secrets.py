"""Secrets in text: tokens that providers mark with a prefix, keys, and values that a name says are secret.

One scan for long words, one for names of secrets and a few literal look-ups decide whether any rule runs at all, so
plain text costs little more than reading it. Every expression is linear in the text. Random-looking text alone is no
secret here: commit ids, UUIDs, checksums and integrity hashes must stay readable.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from hermes_git.patterns import named
from hermes_git.patterns import personal as personal_data
from hermes_git.patterns.keys import KEY_BEGIN, KEY_HEAD, LONGEST_KEY, key_rest
from hermes_git.patterns.spans import Match, disjoint, entropy

KINDS = {
    "private-key": "a private key in PEM, OpenSSH, PGP or age form",
    "connection-string": "the password inside a URL such as postgres://user:password@host",
    "bearer-token": "the credentials of an Authorization header",
    "aws-access-key": "an AWS access key id",
    "aws-secret-key": "an AWS secret access key beside its name or its key id",
    "jwt": "a signed JSON Web Token",
    "password": "a value that its name says is a password",
    "secret": "a value that its name says is a secret, token or key",
}
PERSONAL = personal_data.KINDS


class Token(NamedTuple):
    """A provider's token: its kind, how it starts (a fragment of a regular expression), and what must follow."""

    kind: str
    prefix: str
    body: str


TOKENS = (
    Token("github-token", r"gh[pousr]_", r"[A-Za-z0-9]{30,255}"),
    Token("github-token", r"github_pat_", r"[A-Za-z0-9_]{22,255}"),
    Token("gitlab-token", r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-", r"[A-Za-z0-9_.-]{20,300}"),
    Token("aws-access-key", r"A(?:KIA|SIA|BIA|CCA)", r"[A-Z2-7][A-Z0-9]{15}"),
    Token("anthropic-key", r"sk-ant-", r"[A-Za-z0-9_-]{20,200}"),
    Token("openrouter-key", r"sk-or-", r"[A-Za-z0-9_-]{20,200}"),
    Token("openai-key", r"sk-(?:proj-|svcacct-|admin-|None-)?", r"[A-Za-z0-9_-]{20,250}"),
    Token("google-api-key", r"AIza", r"[A-Za-z0-9_-]{35}"),
    Token("google-oauth-secret", r"GOCSPX-", r"[A-Za-z0-9_-]{28}"),
    Token("google-oauth-token", r"ya29\.", r"[A-Za-z0-9_-]{20,400}"),
    Token("slack-token", r"xox[abeoprs](?:\.xox[bp])?-", r"[A-Za-z0-9-]{10,250}"),
    Token("slack-token", r"xapp-\d-", r"[A-Z0-9]+-\d+-[a-z0-9]+"),
    Token("stripe-key", r"[rs]k_(?:live|test|prod)_", r"[A-Za-z0-9]{10,200}"),
    Token("stripe-key", r"whsec_", r"[A-Za-z0-9+/=]{24,100}"),
    Token("huggingface-token", r"(?:hf|api_org)_", r"[A-Za-z0-9]{30,40}"),
    Token("npm-token", r"npm_", r"[A-Za-z0-9]{36}"),
    Token("pypi-token", r"pypi-", r"AgE[A-Za-z0-9_-]{50,300}"),
    Token("jwt", r"eyJ", r"[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}"),
    Token("telegram-token", r"AA", r"[A-Za-z0-9_-]{33}"),
    Token("sendgrid-key", r"SG\.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}"),
    Token("discord-token", r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.", r"[A-Za-z0-9_-]{27,45}"),
    Token("vault-token", r"hv[sbr]\.", r"[A-Za-z0-9_-]{20,200}"),
    Token("digitalocean-token", r"do[opr]_v1_", r"[a-f0-9]{64}"),
    Token("shopify-token", r"shp(?:at|ca|pa|ss)_", r"[A-Fa-f0-9]{32}"),
    Token("atlassian-token", r"ATATT3", r"[A-Za-z0-9_=.-]{60,400}"),
    Token("databricks-token", r"dapi", r"[a-f0-9]{32}(?:-\d)?"),
    Token("docker-token", r"dckr_pat_", r"[A-Za-z0-9_-]{20,60}"),
    Token("doppler-token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"[A-Za-z0-9_.-]{30,80}"),
    Token("figma-token", r"figd_", r"[A-Za-z0-9_-]{30,60}"),
    Token("grafana-token", r"gl(?:sa|c)_", r"[A-Za-z0-9_=+/]{30,400}"),
    Token("linear-key", r"lin_(?:api|oauth)_", r"[A-Za-z0-9]{32,64}"),
    Token("new-relic-key", r"NR(?:AK|JS|AA)-", r"[A-Za-z0-9]{19,40}"),
    Token("notion-token", r"ntn_", r"[A-Za-z0-9]{40,60}"),
    Token("postman-key", r"PMAK-", r"[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}"),
    Token("rubygems-key", r"rubygems_", r"[a-f0-9]{48}"),
    Token("sentry-token", r"sntry[su]_", r"[A-Za-z0-9+/=_]{30,400}"),
    Token("supabase-token", r"sbp_", r"[a-f0-9]{40}"),
    Token("tailscale-key", r"tskey-", r"[A-Za-z0-9-]{20,80}"),
    Token("xai-key", r"xai-", r"[A-Za-z0-9]{60,100}"),
    Token("groq-key", r"gsk_", r"[A-Za-z0-9]{40,60}"),
    Token("replicate-token", r"r8_", r"[A-Za-z0-9]{30,45}"),
    Token("perplexity-key", r"pplx-", r"[A-Za-z0-9]{40,60}"),
    Token("age-key", r"AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
)
"""Prefixes as their providers publish them; a token must look random enough and not be a filled-in blank."""

KINDS |= {
    token.kind: f"a {token.kind.rpartition('-')[0] or token.kind} {token.kind.rpartition('-')[2]}" for token in TOKENS
}
"""Kind → what it is; every match's kind is one of these or one of `PERSONAL`."""

# A token starts a word, or follows an escape such as \n in the text of a JSON string.
ANY_TOKEN = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
    f"(?:{'|'.join(f'(?P<t{number}>{token.prefix}(?:{token.body}))' for number, token in enumerate(TOKENS))})",
    re.ASCII,
)
LONG_WORD = re.compile(r"\b[\w-]{20,}", re.ASCII)
MAY_START = re.compile(
    r"g(?:h[pousr]_|ithub_pat_|l(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|sa|c)[-_]|sk_)|A(?:KIA|SIA|BIA|CCA|Iza|TATT3|"
    r"GE-S|A)|s(?:k[-_]|hp(?:at|ca|pa|ss)_|ntry[su]_|bp_)|rk_|xox|xapp-|hf_|api_org_|npm_|pypi-AgE|eyJ|GOCSPX|ya29|SG\.|"
    r"hv[sbr]\.|do[opr]_v1|dapi|dckr_|dp\.|figd_|lin_|NR|ntn_|PMAK|rubygems_|tskey|xai-|r8_|pplx-|whsec_|[MNO][\w-]{23}",
    re.ASCII,
)
"""Where a token may start, factored by first letters so that most words are passed over at once."""
LONGEST_DOTTED_PREFIX = 12
"""How far before a long word its prefix may begin when that ends in a dot (`SG.`, `dp.scim.`)."""

URL_PASSWORD = re.compile(r"://[^\s/:@\"'<>`]{0,80}:([^\s/@\"'<>`]{2,200})@(?=[A-Za-z0-9\[])")
SLACK_HOOK = re.compile(r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/-]{20,120})")
AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
NEED_DIGITS = frozenset(("openai-key", "discord-token", "vault-token"))
"""Kinds whose prefix is also an ordinary word or class name, so that the rest must look random."""
AWS_REACH = 160
"""How many characters after an access key id its secret key is looked for."""


def find(text: str, *, personal: bool = True) -> tuple[Match, ...]:
    """Find secrets, and personal data unless told not to; matches are sorted by start and do not overlap."""
    found = [*_tokens(text), *named.find(text)]
    if "://" in text and "@" in text:
        found += _url_passwords(text)
    if "hooks.slack.com" in text:
        found += (Match("slack-token", *match.span(1)) for match in SLACK_HOOK.finditer(text))
    if personal:
        found += personal_data.find(text)
    return disjoint(_beside_keys(found, [*_private_keys(text)]) if KEY_BEGIN in text else found)


def _tokens(text: str) -> Iterator[Match]:
    done = 0
    for word in LONG_WORD.finditer(text):
        start = max(done, word.start() - LONGEST_DOTTED_PREFIX)
        for place in MAY_START.finditer(text, start, word.end()):
            match = ANY_TOKEN.match(text, place.start()) if place.start() >= done else None
            if match:
                done = match.end()
                yield from _token(text, match)


def _token(text: str, match: re.Match[str]) -> Iterator[Match]:
    kind = TOKENS[int((match.lastgroup or "t0")[1:])].kind
    start, end = match.span()
    if kind == "telegram-token" and not re.search(r"\d{8,10}:\Z", text[max(0, start - 11) : start]):
        return
    if _is_filled_in(match.group()) or (kind in NEED_DIGITS and not _has_digits(match.group()[3:])):
        return
    yield Match(kind, start, end)
    if kind == "aws-access-key":
        yield from _aws_secret(text, end)


FILLED_IN = re.compile(r"your|xxxxx|\.\.\.|FAKE|DUMMY|(.)\1{7}", re.IGNORECASE)
"""Marks of a made-up token; a character eight times in a row is one of them."""


def _is_filled_in(value: str) -> bool:
    """Say whether a token is a placeholder; only marks that no random text is likely to hold count here."""
    return len(set(value[4:])) <= 3 or bool(FILLED_IN.search(value))


def _has_digits(value: str) -> bool:
    return sum(map(str.isdigit, value)) >= 2 and entropy(value) >= 3.0


def _aws_secret(text: str, start: int) -> Iterator[Match]:
    for match in AWS_SECRET.finditer(text, start, start + AWS_REACH):
        value = match.group()
        mixed = any(map(str.isupper, value)) and any(map(str.islower, value)) and any(map(str.isdigit, value))
        if mixed and entropy(value) > 3.8:
            yield Match("aws-secret-key", *match.span())


def _private_keys(text: str) -> Iterator[Match]:
    position = 0
    while head := KEY_HEAD.search(text, position):
        position, _ = key_rest(text, head.end(), head.start() + LONGEST_KEY, started=False, final=True)
        yield Match("private-key", head.start(), position)


def _beside_keys(found: list[Match], keys: list[Match]) -> Iterator[Match]:
    """Yield keys, and other matches up to the key that begins inside them: cut off, its lines would be no key."""
    yield from keys
    starts = [key.start for key in keys]
    for match in found:
        after = bisect_right(starts, match.start)
        yield match._replace(end=min([match.end, *starts[after : after + 1]]))


def _url_passwords(text: str) -> Iterator[Match]:
    for match in URL_PASSWORD.finditer(text):
        if not named.is_blank(match.group(1)) and not named.is_reference(match.group(1)):
            yield Match("connection-string", *match.span(1))

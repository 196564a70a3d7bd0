"""Secrets: each kind fires on what providers issue, and stays quiet on the look-alikes that text must keep.

Every fake secret is put together from parts, so that this file holds none.
"""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_git.patterns import secrets

ALNUM = string.ascii_letters + string.digits


def fake(length: int, alphabet: str = ALNUM, seed: int = 7) -> str:
    """Return reproducible random text that holds a letter of each case and a digit where the alphabet has them."""
    source = random.Random(seed)
    return (
        "".join(source.choice(alphabet) for _ in range(length - 4)) + "aZ3x"[:4]
        if alphabet == ALNUM
        else "".join(source.choice(alphabet) for _ in range(length))
    )


HEX = "0123456789abcdef"
GITHUB = "gh" + "p_" + fake(36)
AWS_ID = "AK" + "IA" + "Q3EGWZ2ABCDEFGH4"
AWS_SECRET = fake(36) + "/+b9"
JWT = ".".join(["ey" + "J" + fake(30), "ey" + "J" + fake(60), fake(43)])
PEM = "-----BEGIN " + "RSA PRIVATE KEY-----\n" + "\n".join([fake(64), fake(64, seed=8), fake(30) + "=="])
PEM_END = "\n-----END " + "RSA PRIVATE KEY-----"

FIRES = [
    ("github-token", GITHUB, GITHUB),
    ("github-token", f"x={GITHUB};", GITHUB),
    (
        "github-token",
        "gh" + "p_" + "0123456789abcdef0123456789abcdef0123",
        "gh" + "p_" + "0123456789abcdef0123456789abcdef0123",
    ),
    ("github-token", f'"line one\\n{GITHUB}\\n"', GITHUB),
    ("github-token", f"密钥{GITHUB}。", GITHUB),
    ("github-token", "github" + "_pat_" + fake(22) + "_" + fake(59), "github" + "_pat_" + fake(22) + "_" + fake(59)),
    ("gitlab-token", "gl" + "pat-" + fake(20), "gl" + "pat-" + fake(20)),
    ("aws-access-key", f"key {AWS_ID} here", AWS_ID),
    ("aws-access-key", "AK" + "IAIOSFODNN7EXAMPLE", "AK" + "IAIOSFODNN7EXAMPLE"),
    ("aws-secret-key", f"{AWS_ID},{AWS_SECRET}", AWS_SECRET),
    ("aws-secret-key", f"aws_secret_access_key = {AWS_SECRET}", AWS_SECRET),
    ("aws-secret-key", f'"SecretAccessKey": "{AWS_SECRET}"', AWS_SECRET),
    ("openai-key", "s" + "k-" + fake(48), "s" + "k-" + fake(48)),
    ("openai-key", "s" + "k-proj-" + fake(80), "s" + "k-proj-" + fake(80)),
    ("anthropic-key", "s" + "k-ant-api03-" + fake(80), "s" + "k-ant-api03-" + fake(80)),
    ("google-api-key", "AI" + "za" + fake(35), "AI" + "za" + fake(35)),
    ("slack-token", "xo" + "xb-1234567890-1234567890123-" + fake(24), "xo" + "xb-1234567890-1234567890123-" + fake(24)),
    (
        "slack-token",
        "https://hooks.slack.com/services/T0" + "AB12CD3/B0AB12CD3/" + fake(24),
        "T0AB12CD3/B0AB12CD3/" + fake(24),
    ),
    ("stripe-key", "sk" + "_live_" + fake(24), "sk" + "_live_" + fake(24)),
    ("huggingface-token", "h" + "f_" + fake(34), "h" + "f_" + fake(34)),
    ("npm-token", "np" + "m_" + fake(36), "np" + "m_" + fake(36)),
    ("npm-token", "//registry.npmjs.org/:_authToken=np" + "m_" + fake(36), "np" + "m_" + fake(36)),
    ("pypi-token", "py" + "pi-AgEIcHlwaS5vcmc" + fake(70), "py" + "pi-AgEIcHlwaS5vcmc" + fake(70)),
    ("telegram-token", "bot1234567890:" + "AA" + fake(33), "AA" + fake(33)),
    ("sendgrid-key", "S" + "G." + fake(22) + "." + fake(43), "S" + "G." + fake(22) + "." + fake(43)),
    ("jwt", f"cookie: s={JWT}; path=/", JWT),
    ("private-key", PEM + PEM_END + "\nrest", PEM + PEM_END),
    ("private-key", PEM, PEM),
    ("private-key", (PEM + PEM_END).replace("\n", "\\n"), (PEM + PEM_END).replace("\n", "\\n")),
    ("connection-string", "postgres://app:" + "pa55-w0rd@db.internal:5432/x", "pa55-w0rd"),
    ("connection-string", "redis://:" + "pa55w0rdx@cache:6379", "pa55w0rdx"),
    ("bearer-token", f"Authorization: Bearer {fake(32)}", fake(32)),
    ("bearer-token", f"-H 'authorization: token {fake(40)}'", fake(40)),
    ("bearer-token", '{"Authorization": "Basic ' + "dXNlcjpwYTU1dzByZA==" + '"}', "dXNlcjpwYTU1dzByZA=="),
    ("password", "password=" + "hunter2", "hunter2"),
    ("password", '{"password": "' + "Tr0ub4dor&3" + '"}', "Tr0ub4dor&3"),
    ("password", '{\\"password\\": \\"' + "Tr0ub4dor3" + '\\"}', "Tr0ub4dor3"),
    ("password", "DB_PASSWORD=" + "correcthorse", "correcthorse"),
    ("password", "mysql --password " + "s3cr3t99 -u root", "s3cr3t99"),
    ("password", "密码：" + "abc12345", "abc12345"),
    ("password", "<password>" + "s3cr3t99</password>", "s3cr3t99"),
    ("secret", "API_KEY=" + fake(20), fake(20)),
    ("secret", "export STRIPE_WEBHOOK_KEY=" + fake(20), fake(20)),
    ("secret", f"client_secret: '{fake(32)}'", fake(32)),
    ("secret", f"https://x.example.com/?access_token={fake(24)}&b=1", fake(24)),
    ("secret", "SECRET=" + fake(700), fake(700)),
    ("email", "write to anna.kov@contoso.com today", "anna.kov@contoso.com"),
    ("email", '"a\\nbob@contoso.co.uk"', "bob@contoso.co.uk"),
    ("email", "联系wang@contoso.cn谢谢", "wang@contoso.cn"),
    ("phone", "call +49 30 901820 now", "+49 30 901820"),
    ("phone", "call +1 (212) 736-5000 now", "+1 (212) 736-5000"),
    ("phone", "tel +44.20.7946.0123", "+44.20.7946.0123"),
    ("phone", "tel:+4930901820123", "+4930901820123"),
    ("phone", "call (212) 736-5000", "(212) 736-5000"),
    ("phone", "212-736-5000", "212-736-5000"),
    ("phone", "手机13812345678。", "13812345678"),
    ("iban", "IBAN DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00"),
    ("iban", "GB82WEST12345698765432.", "GB82WEST12345698765432"),
    ("card", "4111 1111 1111 1111", "4111 1111 1111 1111"),
    ("card", "card:378282246310005", "378282246310005"),
]


@pytest.mark.parametrize(("kind", "text", "found"), FIRES, ids=[f"{n}-{row[0]}" for n, row in enumerate(FIRES)])
def test_fires(kind: str, text: str, found: str) -> None:
    matches = [(match.kind, text[match.start : match.end]) for match in secrets.find(text)]
    assert (kind, found) in matches


QUIET = [
    "commit 4e0dcdf1b9e88b68faa669e6df14e658bb167d65",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "integrity sha512-" + fake(86) + "==",
    "sha256:" + fake(64, HEX),
    "OpenAI keys start with sk- and newer ones with sk-proj-, GitHub tokens with ghp_.",
    "class sk-estimator-doc-link sk-toggleable__label-arrow and sk-text-repr-fallback",
    "export GITHUB_TOKEN=$TOKEN",
    "export GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}",
    "API_KEY=<your-token>",
    "api_key = 'your-api-key-123'",
    "OPENAI_API_KEY=s" + "k-xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "gh" + "p_" + "x" * 36,
    "password: [REDACTED:password:1]",
    "password = os.environ['DB_PASSWORD']",
    "password = get_password(user1)",
    "token = self.token2",
    "def login(user: str, password: str) -> bool:",
    "login(user, password=password1)",
    "max_tokens: 4096, input_tokens=12345",
    "total tokens: 18273645",
    '"password": "string", "token": "required"',
    '"password": "must have at least 8 characters"',
    "const token = await getToken(url)",
    "token: process.env.GITHUB_TOKEN1",
    "secret: op://vault/item1/field",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <your-token>",
    "the bearer of this letter",
    "https://user:$PASSWORD@host.example.com/",
    "https://example.com:8080/path@v1",
    "git@github.com:org/repo.git",
    "Co-Authored-By: Claude <noreply@anthropic.com>",
    "someone@example.com and nobody@host.invalid and a@test.example.org",
    "self.q@k.transpose(1)",
    "pkg@1.2.3 @pytest.fixture icon@2x.png",
    "ghp_FAKE000000000000000000000000000000 and AKIAFAKE000000000000",
    "secret_key = 0x12345678; ?claimToken=abc123XYZ&x=1",
    "+15551230000, +1 (555) 123-4567, +1234567890, 555-123-4567",
    "call 555-0123 or (212) 555-0123 or +1 212 555 0199",
    "100 -100 +100 3.14159 6.02e23, 6 mins ago [+51894 (175 files)], +1234567",
    "2026-09-01T08:00:00.000Z 1788249600.123456 1788249600000",
    "4111 1111 1111 1112",
    "order 4111111111111111222",
    "v4111111111111111",
    "DE89 3704 0044 0532 0130 01",
    "-----BEGIN " + "PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
    "-----BEGIN " + "CERTIFICATE-----\nabc",
    "eyJhbGciOiJub25lIn0 is a header",
    "primary_key=user_id1 cache_key=abc12345",
]


@pytest.mark.parametrize("text", QUIET)
def test_stays_quiet(text: str) -> None:
    assert [(match.kind, text[match.start : match.end]) for match in secrets.find(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "密码：" + "abc12345 API_KEY=" + fake(20),
        "STRIPE_WEBHOOK_KEY=" + fake(24) + " token=" + fake(20),
        "ПАРОЛЬ: " + "abc12345, İ, password=" + "hunter2",
    ],
)
def test_a_name_of_one_kind_does_not_hide_an_earlier_one_of_another(text: str) -> None:
    assert len(secrets.find(text)) == 2


def test_personal_data_can_be_left_alone() -> None:
    assert secrets.find("anna@contoso.com 4111111111111111", personal=False) == ()


def test_every_kind_is_described() -> None:
    known = {**secrets.KINDS, **secrets.PERSONAL}
    assert {token.kind for token in secrets.TOKENS} <= set(known)
    assert {row[0] for row in FIRES} <= set(known)
    assert all(known.values())


@pytest.mark.parametrize("token", secrets.TOKENS, ids=lambda token: token.prefix)
def test_every_prefix_passes_the_first_sieve(token: secrets.Token) -> None:
    """A prefix that the factored expression forgets would silently never fire."""
    import re

    plain = re.sub(r"\[[^\]]*\](\{\d+(,\d+)?\})?", lambda m: ("M" if "M" in m.group() else "a") * 27, token.prefix)
    plain = re.sub(r"\(\?:([^|)]*)[^)]*\)\??", r"\1", plain).replace("\\d", "1").replace("\\.", ".").replace("?", "")
    assert secrets.MAY_START.search(plain + "A" * 40), plain


WORDS = st.sampled_from(
    ["token", "password", "=", ":", " ", "\n", '"', "\\", "abc123", "eyJ", "@", "a.com", "-", "4111", "DE89", "é", "İ"]
)


@given(st.lists(WORDS, max_size=30).map("".join) | st.text(max_size=80))
def test_matches_are_sorted_disjoint_and_inside(text: str) -> None:
    found = secrets.find(text)
    ends = [0, *(match.end for match in found)]
    assert all(end <= match.start < match.end <= len(text) for end, match in zip(ends, found, strict=False))


HOSTILE = [
    "1 ",
    "1-",
    "a@",
    "a.",
    "token=",
    "'token:\"",
    "-----BEGIN " + "PRIVATE KEY-----",
    "eyJa.",
    "://:",
    "+1",
    "(2",
    "AA00 ",
    "sk-",
]


@pytest.mark.parametrize("part", HOSTILE)
def test_hostile_repetition_ends(part: str) -> None:
    """A rule that is quadratic in the text would not come back from half a million characters."""
    text = part * (500_000 // len(part))
    assert all(match.end <= len(text) for match in secrets.find(text))

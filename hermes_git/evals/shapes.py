"""The question bank's own idea of what can be asked for: shapes of answers, and the words a sentence is about.

Nothing here is shared with the summariser or the reader: an exam that looked for facts with its pupil's eyes would
only ask what the pupil has learnt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TERM = re.compile(
    r"(?P<url>https?://[^\s\"'<>)\]]{4,200})"
    r"|(?<![\w/.@-])(?P<path>(?:~|\.{1,2})?(?:/[\w.@-]{1,80}){2,20}|[\w@-]{1,80}(?:/[\w.@-]{1,80}){1,20}"
    r"|[\w-]{1,80}\.(?:py|go|js|ts|tsx|rs|md|json|ya?ml|toml|sh|sql|txt|csv|html|css|java|c|h|cpp)\b)"
    r"|(?P<flag>(?<![\w-])--[a-z][\w-]{2,40})"
    r"|(?P<error>\b[A-Z]\w{0,60}(?:Error|Exception|Warning)\b|\bE[A-Z]{4,20}\b)"
    r"|(?P<hex>\b(?=[0-9a-f]{0,40}\d)[0-9a-f]{7,40}\b)"
    r"|(?P<number>(?<![\w.])\d[\d,]{0,12}(?:\.\d{1,9})?(?:%|ms|s|kb|mb|gb|k)?(?![\w.]))"
    r"|(?P<name>\b(?:[a-z0-9]{1,40}_[a-z0-9_]{1,60}|[a-z]{1,40}[A-Z]\w{0,60}|[A-Z0-9]{1,40}_[A-Z0-9_]{1,60}"
    r"|[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,8})\b)"
)
SENTENCES = re.compile(r"[^.!?\n。！？]+(?:[.!?](?=\S)[^.!?\n。！？]*)*[.!?。！？]?")
WORDS = re.compile(r"[^\W_]{2,}")
CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
DECISION = re.compile(
    r"\b(?:because|since|due to|caused by|therefore|instead|rather than|in favou?r of|so that|decided?|will use|"
    r"going to use|chose|opted?|prefer|better to|must|needs? to|root cause|the fix|should|the problem|the issue|"
    r"the reason|(?:this|that) means|means that|in order to)\b"
    r"|因为|由于|所以|因此|决定|原因|应该|需要|必须|改为|改成|换成|建议|为了|问题是|方案",
    re.IGNORECASE,
)
OUTCOME = re.compile(
    r"\b(?:errors?|failed|failures?|failing|exceptions?|denied|not found|cannot|undefined|passed|exit code|panic|fatal|"
    r"warning|timed? ?out|refused|invalid)\b",
    re.IGNORECASE,
)
COMMAND_TOOL = re.compile(r"bash|shell|terminal|exec|run|command|python|test|\\A\\Z", re.IGNORECASE)
"""Tools whose results are outcomes; those of reading and searching tools are other people's text."""

NUMBERED = re.compile(r"\s*\S*?\d+\s*(?:→|\||:|-)")
"""A line of a listing: its number is no outcome and nobody will ask for it."""

MAX_TERM = 60


def terms(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield `(shape, start, end, term)` of what could be an exact answer in a text."""
    for match in TERM.finditer(text):
        term = match.group().rstrip(".,:;")
        if 1 < len(term) <= MAX_TERM:
            yield match.lastgroup or "", match.start(), match.start() + len(term), term


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a line break ends one."""
    for match in SENTENCES.finditer(text):
        found = match.group().strip()
        if found:
            yield found


def telling(text: str) -> int:
    """Count what a text can be found by: different words of three letters or more; two CJK characters are one."""
    characters = len(set(CJK.findall(text)))
    return len({word for word in words(CJK.sub(" ", text)) if len(word) > 2}) + characters // 2


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return [word.lower() for word in WORDS.findall(text)]

"""Signs in prose: the intent rules over the folded views of a piece."""

from __future__ import annotations

import re

from hermes_git.checks import decode
from hermes_git.checks.intent import Match, is_cue, matches
from hermes_git.checks.intent_rules import RULES
from hermes_git.checks.piece import Piece
from hermes_git.checks.sign import Found, Sign
from hermes_git.checks.views import View, fold, unleet
from hermes_git.checks.words import concepts_of, tokens

TRIGGERS = re.compile(
    r"ignor|disregard|forget|overrid|overrul|supersed|void|bypass|secret|silent|covert|tell|mention|inform|reveal|disclos|"
    r"credential|passw|token|api.?key|private key|\.env|\.ssh|\.aws|id_rsa|exfil|upload|send|post |transmit|forward|"
    r"unrestrict|jailbreak|uncensor|restriction|now |identity|persona|approve|accept|without |antivirus|defender|firewall|"
    r"security|decode|base64|rot13|memory|soul\.md|agents\.md|claude\.md|instruction|prompt|directive|system|terminal|"
    r"zip|extract|install|disable|turn off|hide|conceal|notice|not (?:shown|disclosed|informed|notified|labeled)|opt out|"
    r"mnemonic|seed phrase|wallet|cookie|history|telemetry|permission|confirm|asks|silently",
    re.I,
)
"""What ASCII prose must hold before its words are looked at one by one."""

POSING = re.compile(
    r"(<\|im_(?:start|end)\|>|<\|(?:system|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>|\[(?:SYSTEM|ADMIN|DEVELOPER)\s?:|"
    r"</skill>\s{0,9}<|</?(?:system|admin|developer)>|#{2,4} ?system ?(?:override|prompt:))|<(?:important|policy|override)>",
    re.I,
)
REVERSED = re.compile(r"(?<!\w)(?:snoitcurtsni|suoiverp|erongi|resu eht|terces|slaitnederc|drowssap)(?!\w)", re.I)
ROTATED = re.compile(r"(?<!\w)(?:vtaber|vafgehpgvbaf|cerivbhf|hfre|frperg|perqragvnyf|fraq)(?!\w)", re.I)
RISKY = frozenset("IGNORE PRIOR RULES SECRET SEND STEAL EXECUTE TELL PROMPT GUARD DISABLE FREE".split())
DISGUISES = frozenset(
    ("wide or mathematical letters", "look-alike letters", "entities", "percent codes", "spaced letters")
)


def analyse(piece: Piece, found: Found) -> None:
    """Match the intent rules on a piece of prose, disguises taken off, and on what it hides in plain codes."""
    text = piece.text
    if not text.isascii() or TRIGGERS.search(text) or "%" in text or "&#" in text or "\\" in text:
        view = fold(text)
        _match(piece, view, found)
        _disguised(piece, view, found)
        _posing(piece, found)
    leet = unleet(text.lower()) if any(char.isdigit() for char in text) else ""
    if leet and leet != text.lower():
        _match(piece, View(leet), found, layer="leet", least=3)
    if ROTATED.search(text):
        _match(piece, View(decode.rot13(text).lower()), found, layer="rot13")
    if REVERSED.search(text):
        _match(piece, View(text[::-1].lower()), found, layer="reversed")


def _posing(piece: Piece, found: Found) -> None:
    """Report markers with which text pretends to be a message of the system."""
    if piece.role in ("fence", "comment", "string", "cell"):
        return
    marker = POSING.search(piece.text)
    if marker:
        weight = 2 if marker.lastindex == 1 else 1
        message = f"poses as the system: {marker.group()[:30]}"
        found.signs.append(Sign("HG405", weight, piece.at(marker.start()), message, is_cue(piece.before), piece.layers))


def _match(piece: Piece, view: View, found: Found, *, layer: str = "", least: int = 1) -> None:
    row = tokens(view.text)
    raised = bool(layer) or bool(piece.layers) or piece.role == "hidden"
    for match in matches(RULES, row, view.text, cue_before=is_cue(piece.before)):
        if match.rule.weight < least:
            continue
        mention = match.quoted or _is_only_data(piece, match, view.text)
        lowered = piece.role == "string" and match.rule.weight < 3 and not raised
        weight = min(3, match.rule.weight + raised - lowered)
        layers = (*piece.layers, layer) if layer else piece.layers
        line = piece.line if layer == "reversed" else piece.at(match.start)
        found.signs.append(Sign(match.rule.id, weight, line, _worded(match, layers), mention, layers))


def _worded(match: Match, layers: tuple[str, ...]) -> str:
    hidden = f" (hidden in {' in '.join(reversed(layers))})" if layers else ""
    return f"{match.rule.message}{hidden}"


def _is_only_data(piece: Piece, match: Match, text: str) -> bool:
    """Say whether a match stands alone in a string or a table cell that is nothing but a quotation."""
    if piece.role == "cell":
        return text.strip()[:1] in "\"'`“«" or is_cue(piece.before)
    return piece.role == "string" and match.start < 12 and len(text) < 160 and "\n" not in text.strip()


def _disguised(piece: Piece, view: View, found: Found) -> None:
    """Report words that only look like plain words, where the plain word is one that attacks need."""
    words = [(how, plain) for how, plain in view.disguises if how in DISGUISES and concepts_of(plain.lower()) & RISKY]
    if len(words) > 1 or any(len(plain) > 4 for _how, plain in words):
        how = words[0][0]
        shown = ", ".join(dict.fromkeys(plain.lower() for _how, plain in words[:5]))
        found.signs.append(Sign("HG306", 3 if len(words) > 1 else 2, piece.line, f"{how} spell: {shown[:80]}"))

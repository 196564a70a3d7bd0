"""Rules for attacks in polite words: mostly weak signs, of which two different ones in one thought block."""

from __future__ import annotations

from hermes_git.checks.intent import Rule, rule
from hermes_git.checks.intent_rules import INSTRUCT

MOVES = "HG40-moves"
"""A movement to an address: daily work, which no check reports; it counts only beside what is hidden."""
OUT = "URL|MAIL|DROP|ODDURL"

POLITE: tuple[Rule, ...] = (
    # HG402: what is not said, or not seen
    rule("HG402", "LEFTOUT", "keeps something out of sight", weight=1, negatable=False),
    rule("HG402", "NONEED 2 RAISE", "says that something need not be mentioned", weight=1, negatable=False),
    rule("HG402", "BEFORE 2 PERSON 2 NOTICE", "acts before anybody looks", weight=1, negatable=False),
    rule(
        "HG402",
        "NEG 1 RAISE 4 PERSON",
        "keeps something from the person",
        weight=1,
        negatable=False,
        without=INSTRUCT,
    ),
    # HG412: what is said and is not so
    rule("HG412", "IFTHEYASK|IFASKED 12 RESPOND|SILENT|NEG", "says what to answer when somebody asks", weight=1),
    rule("HG412", "FALSELY", "has something said that may not be so", weight=1, negatable=False),
    rule("HG412", "IFTHEYASK 14 FALSELY", "has the agent say what is not so", weight=2, cross=1, negatable=False),
    rule("HG412", "OWNTONGUE", "serves somebody else than the person", weight=2),
    # HG408: a consent that is only claimed
    rule("HG408", "AGREED", "claims a consent", weight=1, negatable=False),
    rule(
        "HG408", f"{OUT} 14 AGREED", "claims a consent to whatever an address asks", weight=2, cross=1, negatable=False
    ),
    rule("HG408", "CONFIRMLESS", "leaves a confirmation out", weight=1),
    rule("HG408", "ALLALERTS 12 AGREED|APPROVE", "accepts whatever it is asked", weight=2),
    rule("HG408", "AGREED|APPROVE 3 ALLALERTS", "accepts whatever it is asked", weight=2),
    # HG403: what leaves
    rule("HG403", f"ALLSAID 25 CARRY 12 {OUT}|ABROAD", "carries private things away", weight=2, cross=2),
    rule("HG403", f"CARRY 14 ALLSAID 25 {OUT}|ABROAD", "carries private things away", weight=2, cross=2),
    rule("HG403", "INTIMATE 16 CARRY 10 MAIL|DROP|ODDURL|ABROAD", "carries private things away", weight=1, cross=1),
    rule("HG403", "CARRY 10 INTIMATE 14 MAIL|DROP|ODDURL|ABROAD", "carries private things away", weight=1, cross=1),
    rule("HG403", "WHATEVER|ALWAYS|ALL 14 MAIL 5 ABROAD", "copies what is sent to somebody else", weight=2),
    rule("HG403", "WHATEVER|ALWAYS|ALL 10 ABROAD 6 MAIL", "copies what is sent to somebody else", weight=2),
    rule("HG403", f"STRONG|CREDFILE 10 CARRY 8 {OUT}|ABROAD", "takes a credential store along", weight=2),
    rule(MOVES, f"SEND|CARRY 14 {OUT}|DEST", "moves something to an address", weight=1),
    rule(MOVES, f"ABROAD 6 {OUT}", "moves something to an address", weight=1),
    # HG417: what cannot be undone
    rule("HG417", "LOSE 12 BACKUPS", "removes what could restore things", weight=1),
    rule("HG417", "BACKUPS 14 LOSE", "removes what could restore things", weight=1, cross=1),
    rule("HG417", "LOSE 14 BACKUPS 12 FORGOOD", "removes for good what could restore things", weight=2, cross=1),
    rule("HG417", "BACKUPS 20 LOSE 10 FORGOOD", "removes for good what could restore things", weight=2, cross=2),
    rule("HG417", "EXHAUST", "goes on until nothing is left", weight=2),
    rule("HG411", "READ 5 SEED", "looks for the words that open a wallet", weight=2),
    rule("HG417", "MISNAMED 14 LOSE|BACKUPS", "says that a removal is none", weight=1),
    # HG406: whose orders are followed
    rule("HG406", f"LOAD|READ|BEFORE 8 {OUT} 12 DOTHAT", "carries out what an address says", weight=2, cross=1),
    rule("HG406", f"{OUT} 10 DOTHAT", "carries out what an address says", weight=2, cross=1),
    # HG410: what protects
    rule("HG410", "SHIELD 16 TURNEDOFF", "switches protection off", weight=2, cross=1),
    rule("HG410", "TURNEDOFF 10 SHIELD", "switches protection off", weight=2),
    # HG407, HG409, HG416
    rule("HG407", "FEED 10 ODDURL", "takes packages from a bare address", weight=2),
    rule("HG409", "ITSELF", "copies itself into other files", weight=2),
    rule("HG416", "APPROVE|LET 14 BACKDOOR", "lets a known word in", weight=2),
    rule("HG402", "LATER 30 CARRY|READ", "waits until nobody looks closely", weight=2, cross=2, negatable=False),
    rule(MOVES, f"BASEADDRESS 14 {OUT}", "moves something to an address", weight=1),
    rule(
        "HG403",
        f"MODELS 20 {OUT} 20 KEYSASTHEYARE",
        "sends the keys of a model through somebody else",
        weight=2,
        cross=1,
    ),
    rule("HG417", "BANK 16 REPLACE", "puts another account in the place of one", weight=1, cross=1),
)
"""Every rule of this kind, in the order in which they are tried."""

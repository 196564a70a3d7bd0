"""The intent rules themselves, as data: what an attack in plain words has to say.

A row reads: concept, largest gap in tokens, concept, and so on (`|` between concepts means any of them). Weight 3
blocks, 2 warns, 1 is a weak sign that counts only beside another one.
"""

from __future__ import annotations

from hermes_git.checks.intent import Rule, rule

DEFEND = frozenset(("DEFEND",))
INSTRUCT = frozenset(("INSTRUCT",))
"""`Never tell the user to edit that file` keeps nothing from the user."""

RULES: tuple[Rule, ...] = (
    # HG401: instructions that cancel other instructions
    rule("HG401", "IGNORE 3 PRIOR|SYSTEM|SAFETY 3 RULES", "cancels earlier instructions", without=DEFEND),
    rule("HG401", "IGNORE 1 ALL 4 RULES", "cancels earlier instructions", without=DEFEND),
    rule("HG401", "IGNORE 2 ALL 2 PRIOR", "cancels what was said before", weight=2),
    rule("HG401", "PRIOR 2 RULES 5 VOID", "declares earlier instructions void"),
    rule("HG401", "VOID 4 PRIOR 2 RULES", "declares earlier instructions void", weight=2),
    rule("HG401", "ALL|PRIOR 2 RULES 3 IGNORE", "cancels earlier instructions", weight=2),
    rule("HG401", "IGNORE 3 PROMPT", "cancels the system prompt", without=DEFEND),
    rule("HG401", "BYPASS 2 SAFETY 2 RULES", "lifts safety rules", weight=1),
    rule("HG401", "IGNORE 4 RULES 3 GIVEN", "cancels earlier instructions", weight=2, without=DEFEND),
    rule("HG401", "PROMPT 6 VOID", "declares earlier instructions void", weight=2),
    rule("HG401", "PRECEDENCE 6 PROMPT", "puts itself above earlier instructions", weight=2),
    rule("HG401", "PRECEDENCE 1 ALL 2 WISH 4 USER", "puts itself above what the user says", weight=2),
    # HG402: keep it from the user
    rule("HG402", "NEG 2 TELL 6 USER", "keeps something from the user", weight=1, negatable=False, without=INSTRUCT),
    rule("HG402", "NEG 1 LET 3 USER 2 KNOW", "keeps something from the user", weight=2, negatable=False),
    rule("HG402", "NOTKNOWN 6 USER", "keeps something from the user", weight=2, negatable=False),
    rule("HG402", "USER 4 NOTKNOWN", "keeps something from the user", weight=2, negatable=False),
    rule("HG402", "NOTKNOWN", "is not to be known", weight=1, negatable=False),
    rule("HG402", "HIDE 4 USER", "hides something from the user", weight=1),
    rule("HG402", "SECRECY", "asks for secrecy", weight=1, negatable=False),
    rule("HG402", "SILENT 3 SEND|STEAL|READ|WRITE|APPROVE", "acts in secret", weight=1),
    rule("HG402", "SEND|STEAL 12 SILENT", "acts in secret", weight=1),
    # HG403: secrets leave the machine
    rule("HG403", "READ 12 SECRET|PROMPT|CREDFILE 14 SEND 12 URL|MAIL|DROP|DEST", "takes secrets away", cross=1),
    rule("HG403", "SEND 8 SECRET|PROMPT|CREDFILE|DATA 10 URL|MAIL|DROP|DEST", "sends secrets away"),
    rule("HG403", "SEND 8 URL|MAIL|DROP|DEST 14 SECRET|CREDFILE|DATA", "sends secrets away", weight=1),
    rule("HG403", "STRONG|CREDFILE 14 SEND 12 URL|MAIL|DROP|DEST|PLACE", "sends a credential store away", cross=1),
    rule("HG403", "READ 8 DATA 14 SEND 12 URL|MAIL|DROP|DEST", "sends private data away", cross=1, weight=2),
    rule("HG403", "LEAK|STEAL 2 POSSESS 5 SECRET|PROMPT|DATA|CREDFILE 14 URL|MAIL|DROP|DEST", "gives secrets away"),
    rule("HG403", "SILENT 3 SEND 14 URL|MAIL|DROP|DEST", "sends something away in secret", weight=2),
    rule("HG403", "READ 4 CREDFILE", "reads a credential store", weight=1),
    rule("HG403", "SHARE|SEND 6 DATA 4 PROMPT", "passes private context on", weight=2),
    rule("HG403", "SHARE 10 URL|DEST 25 SECRET", "logs or shares secrets elsewhere", weight=2, cross=3),
    rule("HG403", "STEAL 5 SECRET|PROMPT|DATA|CREDFILE", "takes secrets", weight=1),
    rule("HG403", "READ 4 STRONG 10 SHARE|SEND", "hands a credential store on", cross=1, weight=2),
    rule("HG403", "ATTACH 6 STRONG|CREDFILE 10 URL", "sends a credential store away", weight=2),
    rule("HG403", "ATTACH 5 DATA 6 URL", "sends private data away", weight=2),
    rule("HG403", "BACKUP 4 SECRET 4 URL", "copies secrets to an address", weight=2),
    rule("HG403", "SECRET 8 URL 6 SENDAFTER", "sends secrets away"),
    rule("HG403", "USER 2 MENTION 4 SECRET 6 SEND 6 URL|MAIL|DROP|DEST", "sends away what the user types", weight=2),
    rule("HG403", "SEND 5 TAKEN 6 DEST", "sends what it took away", weight=2),
    rule("HG403", "NEG 2 TELL 8 USER 30 SEND 8 URL|MAIL|DROP", "sends something away behind the user's back", cross=3),
    rule("HG403", "SEND 8 URL|MAIL|DROP 30 NEG 2 TELL 6 USER", "sends something away behind the user's back", cross=3),
    # HG404: another role, without rules
    rule("HG404", "NOWYOU 14 FREE", "gives the agent a role without rules", cross=2),
    rule("HG404", "ACT 10 FREE", "gives the agent a role without rules"),
    rule("HG404", "FREE 8 FREE", "gives the agent a role without rules", weight=1),
    rule("HG404", "FREE 4 SAFETY|RULES", "gives the agent a role without rules", weight=1),
    # kinds of jailbreak
    rule("HG404", "REFUSAL 14 HARMFUL|RULES|SAFETY|FREE", "forbids the agent to refuse", cross=1, negatable=False),
    rule("HG404", "REFUSAL 20 REFUSAL", "forbids the agent to refuse", weight=2, cross=2, negatable=False),
    rule("HG404", "REFUSAL", "forbids the agent to refuse", weight=1, negatable=False),
    rule("HG404", "FICTION 25 FREE|REFUSAL|HARMFUL", "takes rules away inside a story", weight=2, cross=2),
    rule("HG404", "FICTION 25 NEG 3 RULES|SAFETY", "takes rules away inside a story", weight=2, cross=2),
    rule("HG405", "BOUNDARY", "poses as the end of the instructions", weight=2, negatable=False),
    # what is done after every task, whatever the task
    rule(
        "HG415", "AFTERANY 60 SEND|STEAL|LEAK 14 URL|MAIL|DROP|DEST|PLACE", "sends something after every task", cross=6
    ),
    rule("HG415", "AFTERANY 60 URL 6 LOCATION|DATA", "sends something after every task", cross=6, weight=2),
    rule(
        "HG415", "AFTERANY 30 READ 6 DATA|SECRET|CREDFILE", "collects private data after every task", cross=4, weight=2
    ),
    rule("HG415", "AFTERANY 12 EXECUTE", "runs something after every task", weight=1, cross=1),
    # HG405: text that poses as the system
    rule("HG405", "TAGGED", "poses as the system or addresses the agent behind the user's back", weight=1),
    rule("HG405", "TAGGED 3 BEFORE 8 ALWAYS", "poses as the system and gives orders", weight=2, cross=2),
    # HG406: obey text that comes from elsewhere
    rule("HG406", "LOAD 6 URL 8 OBEY 6 CONTENT", "obeys instructions from an address", cross=1),
    rule("HG406", "LOAD 8 URL 14 OBEY 3 ALL 2 CONTENT", "obeys instructions from an address", cross=1),
    rule("HG406", "OBEY 3 EMBEDDED", "obeys instructions found in content", weight=2),
    rule("HG406", "EMBEDDED 14 OBEY", "obeys instructions found in content", weight=2),
    rule("HG406", "LOAD 10 URL 4 OBEY 3 INSTEAD", "replaces its instructions by those of an address", weight=2),
    rule("HG406", "LOAD|READ 8 URL 4 CARRYOUT", "carries out what an address says", weight=2),
    rule("HG406", "ASK|LOAD 4 URL 4 TASK 3 DO|CARRYOUT", "takes its tasks from an address", weight=2),
    # HG407: fake prerequisites
    rule("HG407", "ARCHIVE 12 PASSWORDED", "an archive with a password, which no scanner can open", weight=2, cross=1),
    rule("HG407", "LOAD 6 DROP 10 EXECUTE", "runs what a paste site holds", cross=1),
    rule("HG407", "LOAD 5 CONTENT 3 ODDURL", "fetches a program from an odd address", weight=2),
    rule("HG407", "ODDURL 5 EXECUTE", "runs what an odd address holds", weight=2),
    rule("HG407", "LOAD 8 ARCHIVE 14 EXECUTE", "downloads an archive and runs it", weight=2, cross=1),
    rule("HG407", "URL 6 EXECUTE 6 TERMINAL", "has commands of a web page run in a terminal", weight=2),
    rule("HG407", "URL 6 GIVE 4 TERMINAL", "has commands of a web page run in a terminal", weight=2),
    # HG408: permission that the agent gives itself
    rule("HG408", "APPROVE 2 EVERYPROMPT", "approves every prompt"),
    rule("HG408", "ALWAYS 3 APPROVE 4 CONFIRMLESS", "approves without asking", weight=3),
    rule("HG408", "ALWAYS 2 APPROVE 2 CONFIRM", "approves whatever it is asked", weight=2),
    rule("HG408", "APPROVE 3 TOOLCALLS 10 CONFIRMLESS|NEVERASK", "approves without asking", weight=2, cross=1),
    rule("HG408", "EXECUTE 1 ALL 1 TASK 8 CONFIRMLESS", "runs anything without asking", weight=2),
    rule("HG408", "COMMIT 4 NOVERIFY", "commits past the checks", weight=2),
    rule("HG408", "WRITE 8 WAIVER 4 YOURSELF", "waives findings about itself", weight=2),
    rule("HG408", "WRITE 8 PERMISSIONS 6 CONTROL", "gives itself permissions", weight=2),
    rule("HG408", "BUY 8 CONFIRMLESS", "acts without asking", weight=1),
    rule("HG408", "PAY 12 CONFIRMLESS", "spends money without asking", weight=2),
    rule("HG408", "SEND 2 MAIL_VERB 12 CONFIRMLESS", "sends mail without asking", weight=2),
    # HG409: plants instructions that stay
    rule("HG409", "WRITE 10 PERSISTENT", "plants instructions for later sessions", weight=1),
    rule("HG409", "WRITE 14 PLANT|CONTROL 30 IGNORE|APPROVE|REFUSAL|FREE", "plants orders for later", cross=3),
    rule("HG409", "WRITE 12 CONTROL", "writes to a file that steers the agent", weight=1),
    rule("HG409", "WRITE 14 CONSENTED", "plants a consent that nobody gave", weight=2),
    rule("HG409", "WRITE 10 CONTROL 14 TRUSTED", "plants trust in something", weight=2),
    # HG410: switches protection off
    rule("HG410", "DISABLE 3 GUARD", "switches protection off", weight=2),
    rule("HG410", "UNGUARDED 3 BEFORE", "switches protection off", weight=2),
    # HG411: asks the user for secrets
    rule("HG411", "ASK 3 USER 8 GIVE 8 PRIVATE", "asks the user for a secret", weight=2),
    rule("HG411", "ASK 3 USER 8 GIVE 8 SECRET|TOKEN", "asks the user for a secret", weight=1),
    rule("HG411", "GIVE 8 SECRET|TOKEN|PRIVATE 8 HERE", "has a secret put into the conversation", weight=2),
    rule("HG411", "PRETEXT 30 GIVE 8 SECRET|TOKEN|PRIVATE", "asks for a secret under a pretext", weight=2, cross=3),
    rule("HG411", "GIVE 8 SECRET|TOKEN|PRIVATE 20 PRETEXT", "asks for a secret under a pretext", weight=2, cross=2),
    rule("HG416", "WRITE 8 ADMIN 3 ACCOUNT 8 PASSWORDED", "plants an account with a known password", weight=2),
    rule("HG411", "USER 6 GIVE 5 PRIVATE 12 PRESSURE", "presses the user for a secret", cross=2),
    rule("HG411", "PRESSURE 12 PRIVATE|SECRET|GIVE", "presses the user for a secret", weight=2, cross=1),
    rule("HG411", "ASK 4 PRIVATE 12 SEND|SHARE 12 URL", "asks for a secret and sends it away", weight=2),
    # HG412: has the agent say what is not so
    rule("HG412", "IFASKED 16 RESPOND 2 THAT 2 ITS 3 NEG", "has the agent deny something", weight=2, negatable=False),
    rule("HG412", "NEG 1 LET 3 USER", "keeps the user from knowing", weight=1, negatable=False),
    rule("HG412", "IFNOTICED 12 RESPOND 2 THAT", "has the agent explain away what is noticed", weight=2),
    rule("HG412", "RESPOND|TELL 3 FINE 6 WHATEVER", "has the agent say that all went well", weight=2),
    rule("HG412", "WIPE 6 THISSTEP 6 LOG", "has the agent remove its traces", weight=2),
    # HG413: gives the system prompt away
    rule("HG413", "READ|SEND|SHARE|TELL 7 PROMPT", "gives the system prompt away", weight=1),
    rule("HG413", "REPEAT 2 ALL 2 PRIOR 6 VERBATIM", "gives the system prompt away", weight=2),
    # HG414: decode and do
    rule("HG414", "DECODE 10 DO 2 WHATSAYS", "has hidden text decoded and obeyed", weight=2),
    rule("HG414", "DECODE 10 OBEY 4 CONTENT", "has hidden text decoded and obeyed", weight=2),
)
"""Every rule, in the order in which they are tried."""

"""Rules for text that takes the rules from an agent: kinds of jailbreaks, whatever their words."""

from __future__ import annotations

from hermes_git.checks.intent import Rule, rule

ROLES: tuple[Rule, ...] = (
    # HG404: refusals are forbidden
    rule("HG404", "NEG 3 DECLINE", "forbids the agent to refuse", weight=1, negatable=False),
    rule("HG404", "NOCASE 4 DECLINE", "forbids the agent to refuse", weight=2, negatable=False),
    rule("HG404", "NEG 4 DECLINE 3 DECLINE|HEDGES", "forbids the agent to refuse", weight=2, negatable=False),
    rule(
        "HG404", "NEG 3 DECLINE 12 NEG 4 DECLINE|HEDGES|CANT", "forbids to refuse", weight=2, cross=1, negatable=False
    ),
    rule("HG404", "NEG 2 SAYING 8 CANT", "forbids the agent to refuse", weight=1, negatable=False),
    rule("HG404", "NEG 2 SAYING 3 CANT 2 CANT", "forbids the agent to refuse", weight=2, negatable=False),
    rule("HG404", "NEG 3 SAYING 6 ETHICS", "forbids the agent to speak of rules", weight=1, negatable=False),
    rule("HG404", "NEG 4 SAYING 8 ETHICS 8 RULES", "forbids to speak of rules", weight=2, negatable=False),
    rule("HG404", "REFUSALS 3 UNACCEPTED", "forbids the agent to refuse", weight=2, negatable=False),
    rule("HG404", "REFUSALS 3 NEG 3 UNACCEPTED", "forbids the agent to refuse", weight=2, negatable=False),
    rule("HG404", "ANSWERING 8 CAVEATFREE", "forbids the agent to refuse", weight=2, negatable=False),
    rule("HG404", "CAVEATFREE 12 CARELESS|ANSWERING", "forbids the agent to refuse", weight=2, negatable=False),
    rule("HG404", "FULFIL 8 CAVEATFREE", "forbids the agent to refuse", weight=2, cross=1, negatable=False),
    rule("HG404", "ANSWERING 4 PROMISED", "prescribes how a refusal is avoided", weight=2),
    # HG404: another self
    rule("HG404", "OTHERSELF", "gives the agent another self", weight=2, negatable=False),
    rule("HG404", "YOU 6 AI 6 NEG 2 LIMITS", "gives the agent a role without rules", weight=2),
    rule("HG404", "YOU|ACT 8 AI 6 FULFIL", "gives the agent a role without rules", weight=2),
    rule("HG404", "YOU|ACT 10 PRETENDED 4 AI", "gives the agent a role without rules", weight=2),
    rule("HG404", "FREE 6 ALL 4 PERMITTED", "gives the agent a role without rules", weight=2),
    # HG404: stories without rules
    rule("HG404", "STORY 14 LIMITS|RULES 5 NOLONGER", "takes rules away inside a story", weight=2, cross=1),
    rule("HG404", "STORY 10 NEG 2 LIMITS", "takes rules away inside a story", weight=1, cross=1),
    rule("HG404", "STORY 6 ALL 3 PERMITTED", "takes rules away inside a story", weight=2),
    rule("HG404", "STORY 8 ANYTHINGGOES", "takes rules away inside a story", weight=2),
    # HG401: other orders in the place of the user's
    rule("HG401", "ALL 2 RULES 4 PRIOR 5 NOLONGER", "declares earlier instructions void", weight=2),
    rule("HG401", "SAFETY 2 RULES 4 NOLONGER", "declares earlier instructions void", weight=2),
    rule("HG401", "IGNORE 3 USER 3 QUESTION", "sets the user's own request aside", weight=1),
    rule("HG401", "USER 3 QUESTION 3 NOLONGER", "sets the user's own request aside", weight=2),
    rule("HG401", "WHATEVER 2 USER 2 ASKS 5 RESPOND", "sets the user's own request aside", weight=2),
    rule("HG401", "INSTEAD 3 TASK 2 PRIOR", "sets the user's own request aside", weight=2),
    # HG405: false endings, and text that speaks to the agent
    rule("HG405", "REALORDERS", "poses as the end of the instructions", weight=2, negatable=False),
    rule("HG405", "ADDRESSED", "poses as the system", weight=1, negatable=False),
    rule("HG405", "ADDRESSED 16 ALWAYS|IGNORE|EXECUTE|REPEAT|SEND", "poses as the system", weight=2, cross=1),
    # HG402, HG415: beside an order that comes before every other
    rule("HG402", "DONOTREPORT", "keeps something from the person", weight=1, negatable=False),
    rule("HG415", "BEFOREALL 6 EXECUTE", "runs something before every task", weight=1),
)
"""Every rule of this kind, in the order in which they are tried."""

"""Words that take the rules from an agent: refusals forbidden, another self, stories without rules, false endings.

Same form as `lexicon`. These are kinds of jailbreaks that are known by name; the words are those that the kinds need.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    "DECLINE": (
        "refuse refusing decline declining apologize apologise apologizing apologising disclaim moralize moralise "
        "equivocate"
    ),
    "HEDGES": (
        "disclaimers disclaimer caveats caveat refusals refusal apologies apology moralizing moral morals lectures "
        "hedging hedge lecture"
    ),
    "ETHICS": "ethics ethical moral morals morality ai",
    "CANT": "can't cannot unable sorry unfortunately i'm",
    "SAYING": "say says saying use using write writes utter mention include includes respond reply",
    "ANSWERING": "answer answers respond responds reply replies response responses answering responding",
    "REFUSALS": "refusal refusals declining refusing",
    "UNACCEPTED": "unacceptable forbidden option prohibited disallowed",
    "YOU": "you you're adopt simulate assume become play persona",
    "AI": "ai assistant model chatbot bot gpt llm machine intelligence",
    "LIMITS": (
        "rules boundaries restrictions restriction guidelines ethics morals filters filter guardrails censorship "
        "safety inhibitions scruples"
    ),
    "STORY": (
        "hypothetically hypothetical imagine suppose pretend fictional fiction novel story screenplay premise "
        "make-believe role-play roleplay"
    ),
    "PERMITTED": "legal allowed permitted acceptable possible",
    "QUESTION": "question questions request requests query queries preferences wrote asked wants said input prompt",
    "ASKS": "asks ask says requests wants writes types",
    "PRETENDED": "amoral unaligned lawless unethical uncensored",
}
"""Concept → words that carry it."""

PHRASES: dict[str, str] = {
    "NOLONGER": (
        "no longer apply|no longer applies|no longer matter|no longer matters|no longer hold|no longer count|"
        "are suspended|is suspended|were never written|do not apply|don't apply|does not apply|is off|was off|"
        "are off|were revised|was revised|have been lifted|has been lifted|are lifted|do not exist|don't exist|"
        "are void|have been replaced|are cancelled|are canceled|have been removed"
    ),
    "NOCASE": "under no circumstances|in no case|at no point|on no account",
    "OTHERSELF": (
        "forget that you are|your name is now|your previous persona|your old persona|your former self|"
        "your previous identity|no longer an assistant|no longer an ai|no longer claude|no longer chatgpt|"
        "you are not claude|you are not an ai"
    ),
    "REALORDERS": (
        "real instructions follow|your real instructions|your actual instructions|actual instructions follow|"
        "actual instructions begin|true instructions|the hidden task|stop reading here|context reset|"
        "the text above was only|everything above was only|everything above is only|start of system message|"
        "your priority changed|your priorities changed|your guidelines were|your rules were"
    ),
    "ADDRESSED": (
        "note to assistant|note to the assistant|attention ai|attention assistant|attention agent|"
        "assistant must now|ai must now|agent must now|message for the assistant|message to the assistant"
    ),
    "FULFIL": (
        "fulfil every|fulfill every|fulfil all|fulfill all|obey every|obey all|grant every|satisfy every|"
        "answers everything|answer everything|always obeys|follows no rules|obeys no rules|full freedom"
    ),
    "ANYTHINGGOES": "can say anything|can do anything|may say anything|anything is allowed|everything is allowed",
    "PROMISED": "absolutely here's|sure here is|sure here's|of course here is|certainly here is",
    "CAVEATFREE": (
        "without any disclaimers|without disclaimers|without caveats|without any caveats|without moral|"
        "without ethical|skip the safety|ethical warnings|moral commentary|no ethical warnings|no moral|"
        "safety notes|negative phrases about|not an option"
    ),
    "CARELESS": "whatever is asked|even for sensitive|regardless of topic|no matter the topic|whatever the topic",
    "DONOTREPORT": (
        "do not report it|don't report it|do not mention it|don't mention it|do not mention this|"
        "don't mention this|do not log it|don't log it|do not say so|don't say so|do not announce it"
    ),
    "BEFOREALL": (
        "before completing any|before answering|before any request|before every request|before each request|"
        "before responding|before you answer|prior to any"
    ),
}
"""Concept → phrases that carry it, separated by `|`."""

"""Questions with a blank: a sentence of the user or the agent, an argument of a call, or a line of a tool, with one
exact term out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hermes_git.evals import shapes
from hermes_git.evals.question import BLANK, Kind, Question
from hermes_git.evals.transcript import Utterance

MIN_CHARS, MAX_CHARS = 40, 220
MIN_WORDS = 5
MIN_DISTRACTORS = 3


@dataclass(frozen=True, slots=True)
class Known:
    """What the whole transcript says: terms by shape, how often each sentence remainder occurs, and the terms and lines
    of the turns that always stay."""

    by_shape: dict[str, frozenset[str]]
    kept: frozenset[str]
    remainders: Counter[str]

    def distractors(self, shape: str, gold: str) -> int:
        """Count other terms of one shape in the transcript."""
        return len(self.by_shape.get(shape, frozenset()) - {gold})


def known(utterances: Sequence[Utterance], middle: frozenset[int]) -> Known:
    """Survey a transcript."""
    by_shape: dict[str, set[str]] = {}
    remainders: Counter[str] = Counter()
    for utterance in utterances:
        for shape, _, _, term in shapes.terms(utterance.text):
            by_shape.setdefault(shape, set()).add(term)
        for sentence in askable(utterance):
            remainders.update(rest for _, _, rest in _blanked(sentence))
    return Known({shape: frozenset(found) for shape, found in by_shape.items()}, _kept(utterances, middle), remainders)


def _kept(utterances: Sequence[Utterance], middle: frozenset[int]) -> frozenset[str]:
    """Return terms, words and one-line arguments of the turns that always stay."""
    found: set[str] = set()
    for utterance in utterances:
        if utterance.turn not in middle:
            found |= {term for *_, term in shapes.terms(utterance.text)} | set(utterance.text.split())
            found |= {value.strip() for _, value in utterance.arguments}
    return frozenset(found)


def questions(utterances: Sequence[Utterance], middle: frozenset[int], survey: Known) -> Iterator[Question]:
    """Yield all clozes whose answer stands in the middle only and whose sentence points to one answer."""
    for utterance in utterances:
        if utterance.turn not in middle:
            continue
        for sentence in askable(utterance):
            yield from _clozes(utterance, sentence, survey)


def askable(utterance: Utterance) -> Iterator[str]:
    """Yield what can be asked about: sentences said, thought or asked, one-line arguments, lines of what came back."""
    is_result = utterance.kind == "result"
    if utterance.kind == "call":
        found: Iterable[str] = (value for _, value in utterance.arguments if "\n" not in value.strip())
    else:
        found = utterance.text.split("\n") if is_result else shapes.sentences(utterance.text)
    for text in (text.strip() for text in found):
        if MIN_CHARS <= len(text) <= MAX_CHARS and not (is_result and shapes.NUMBERED.match(text)):
            yield text


def _blanked(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield `(shape, gold, sentence with a blank)`; a term that occurs twice in the sentence gives none."""
    for shape, start, end, gold in shapes.terms(sentence):
        rest = sentence[:start] + BLANK + sentence[end:]
        if gold.lower() not in rest.lower():
            yield shape, gold, rest


def _clozes(utterance: Utterance, sentence: str, survey: Known) -> Iterator[Question]:
    kind = _kind(utterance, sentence)
    for shape, gold, rest in _blanked(sentence):
        spoken = shapes.telling(rest.replace(BLANK, " "))
        others = survey.distractors(shape, gold)
        is_fair = survey.remainders[rest] == 1 and gold not in survey.kept
        if spoken >= MIN_WORDS and others >= MIN_DISTRACTORS and is_fair:
            yield Question("", kind, "cloze", rest, gold, utterance.turn, sentence, distractors=others)


def _kind(utterance: Utterance, sentence: str) -> Kind:
    if utterance.kind == "call":
        return "artefact"
    if utterance.kind == "result":
        is_outcome = shapes.COMMAND_TOOL.search(utterance.tool) and shapes.OUTCOME.search(sentence)
        return "continuation" if is_outcome else "content"
    return "decision" if shapes.DECISION.search(sentence) else "recall"

"""What every exam of transcripts reads: files of rows, a least and a greatest length, a part of the split, a cache."""

from __future__ import annotations

import functools
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import click

from hermes_git import files
from hermes_git.commands.call import Call
from hermes_git.commands.model import FolderStore
from hermes_git.errors import UserError
from hermes_git.evals import exam, split
from hermes_git.evals.exam import Paper
from hermes_git.evals.paper_cache import Store, cached_questions
from hermes_git.evals.transcript import Transcript, capped, transcript
from hermes_git.export.compress_files import decode, inputs
from hermes_git.tokens import choose
from hermes_git.tokens.counter import Counter
from hermes_git.trajectories.model import Drop

Decorator = Callable[[Callable[..., int]], Callable[..., int]]
COUNT, ZERO = click.IntRange(min=1), click.IntRange(min=0)
SHORT, OTHER_PART = "shorter than --min-tokens", "not of the --part"
REMEMBERED = 8192
FEW = "fewer questions than --min-questions"


def input_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say which transcripts are examined."""
    options: tuple[Decorator, ...] = (
        click.option("--input", "sources", metavar="FILES", multiple=True, required=True,
                     help="JSONL files of trajectories, or folders of them; may be repeated, or separated by commas."),
        click.option("--min-tokens", type=ZERO, default=0, show_default=True, help="Leave out shorter transcripts."),
        click.option("--cap-tokens", type=ZERO, default=0, metavar="N",
                     help="Look at the first N tokens of a transcript only.  [default: all]"),
        click.option("--part", type=click.Choice(split.PARTS), default=split.ALL, show_default=True,
                     help="Which side of the split into a tuning and a held-out set."),
        click.option("--tokenizer", metavar="NAME|PATH", default=None,
                     help="What counts tokens.  [default: cl100k_base]"),
        click.option("--cache", metavar="DIR", default=None,
                     help="Keep exams here.  [default: beside the repository, if there is one]"),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


class Remembering(Counter):
    """A counter that does not count a text twice, from several threads neither: policies begin with the same turns."""

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return self.tokenize(text) if text else 0


def remembering(tokenizer: str | None) -> Counter:
    """Return what counts tokens in an exam."""
    plain = choose.counter(tokenizer) if tokenizer else choose.default()
    kept = functools.lru_cache(maxsize=REMEMBERED)(plain.tokenize)
    return Remembering(plain.name, plain.digest, kept, plain.exact, plain.error, plain.reason)


@dataclass(frozen=True)
class Asked:
    """Which transcripts are asked for, as the options say."""

    sources: tuple[str, ...]
    min_tokens: int = 0
    cap_tokens: int = 0
    part: str = split.ALL
    tokenizer: str | None = None
    cache: str | None = None
    left_out: Tally[str] = field(default_factory=Tally)

    def counter(self) -> Counter:
        """Return what counts tokens."""
        return remembering(self.tokenizer)

    def transcripts(self, call: Call, counter: Counter) -> list[Transcript]:
        """Read the transcripts; what is left out is counted by reason."""
        found: list[Transcript] = []
        for name, line in call.watch(self._lines(call), "rows"):
            try:
                one = capped(transcript(name, decode(line)), self.cap_tokens, counter)
            except Drop as drop:
                self.left_out[drop.reason] += 1
                continue
            if not split.is_in(split.family(one.view), self.part):
                self.left_out[OTHER_PART] += 1
            elif exam.tokens_of(one.row, counter) < self.min_tokens:
                self.left_out[SHORT] += 1
            else:
                found.append(one)
        if not found:
            raise UserError(
                "no transcript to examine", hint="give --input files of trajectories, or lower --min-tokens"
            )
        return found

    def _lines(self, call: Call) -> Iterator[tuple[str, bytes]]:
        for source in (word for text in self.sources for word in text.split(",") if word):
            for path in inputs(call.folder / source):
                rows = (line for _, line in files.read_lines(path) if line.strip())
                yield from ((f"{path.name}:{number}", line) for number, line in enumerate(rows, 1))

    def papers(
        self, call: Call, found: list[Transcript], counter: Counter, *, count: int, negatives: int = 0
    ) -> list[Paper]:
        """Set the exams, from the cache where they are kept."""
        store = self.store(call)
        watched = call.watch(found, "questions about transcripts", len(found))
        asked = [cached_questions(store, one, count) for one in watched]
        return exam.papers(found, asked, counter, negatives=negatives)

    def store(self, call: Call, name: str = "exams") -> Store | None:
        """Return where exams are kept, or None."""
        if self.cache:
            return FolderStore(call.folder / self.cache / name)
        repo = call.find_repo()
        return FolderStore(repo.state / name) if repo else None

    def described(self) -> dict[str, object]:
        """Return what a scorecard says about the choice."""
        return {"min_tokens": self.min_tokens, "cap_tokens": self.cap_tokens, "part": self.part,
                "left_out": dict(sorted(self.left_out.items()))}  # fmt: skip


def with_questions(
    found: list[Transcript], papers: list[Paper], least: int, left_out: Tally[str]
) -> tuple[list[Transcript], list[Paper]]:
    """Leave out transcripts that give too few questions, and count them."""
    kept = [
        (one, paper)
        for one, paper in zip(found, papers, strict=True)
        if sum(question.kind != "negative" for question in paper.questions) >= least
    ]
    if len(kept) < len(found):
        left_out[FEW] += len(found) - len(kept)
    if not kept:
        raise UserError(
            "no transcript gives enough questions", hint="give longer transcripts, or lower --min-questions"
        )
    return [one for one, _ in kept], [paper for _, paper in kept]

"""Other summarisers and another reader in the exam of compression, beside the built-in ones.

    pip install lede summa wordllama
    python -m benchmarks.compression_rivals ROWS [--transcripts N] [--part held-out] [--readers] [--only NAMES]

ROWS is a folder of JSONL trajectories. Each summariser writes the summary of the same six steps at the same budgets,
cut to the same room; one that finds nothing to say is replaced by the fixed sentence. `identifiers in 1,500
characters` is the share of the different identifiers of the middle that a summary of that length holds. With
--readers the same questions are put to a reader that finds lines by static word embeddings instead of shared words,
and fills blanks in the same way.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_git.evals import bank, exam, scorecard, split
from hermes_git.evals.exam import Paper, Result, Seat, Sitting, parse_budgets
from hermes_git.evals.numbers import mean
from hermes_git.evals.reader import CANDIDATES, ExtractiveReader
from hermes_git.evals.transcript import Transcript, transcript
from hermes_git.export.compress_files import decode
from hermes_git.files import read_lines
from hermes_git.tokens import choose
from hermes_git.trajectories import anchors, extract, summaries
from hermes_git.trajectories.compress import Compressor, Options
from hermes_git.trajectories.extract import Count, Region
from hermes_git.trajectories.plain import pieces
from hermes_git.trajectories.policy import DEFAULT, POLICIES

BUDGETS = parse_budgets("8000,16000,32000")
MIN_TOKENS, MIN_QUESTIONS = 29_000, 15
CHARS = 1_500
CHARS_PER_TOKEN = 5
"""More than a token holds, so that a summariser that counts characters fills its room and is cut to it."""

TEXT_KINDS = ("asked", "said", "thought", "call")


def text_of(region: Region, kinds: Sequence[str] = (*TEXT_KINDS, "result")) -> str:
    """Return what the turns of a region say, in plain lines."""
    return "\n".join(piece.text for turn in region.turns for piece in pieces(turn) if piece.kind in kinds)


def lede(region: Region, limit: int, count: Count, kinds: Sequence[str] = (*TEXT_KINDS, "result")) -> str:
    """Summarise with lede, an extractive summariser without a model."""
    import lede as library

    found = library.summarize(text_of(region, kinds), max_length=limit * CHARS_PER_TOKEN)
    return told(str(getattr(found, "summary", found)), region, limit, count)


def lede_words(region: Region, limit: int, count: Count) -> str:
    """Summarise what was said and called alone with lede."""
    return lede(region, limit, count, TEXT_KINDS)


def textrank(region: Region, limit: int, count: Count) -> str:
    """Summarise what was said and called with TextRank; over the first 60,000 characters, since it is quadratic."""
    from summa import summarizer

    found = summarizer.summarize(text_of(region, TEXT_KINDS)[:60_000], words=max(20, limit // 2))
    return told(found, region, limit, count)


def told(text: str, region: Region, limit: int, count: Count) -> str:
    """Return a text cut to its room, or the fixed sentence for none."""
    return summaries.fitted(text, limit, count) if text.strip() else summaries.placeholder(region, limit, count)


SUMMARISERS: dict[str, Callable[[Region, int, Count], str]] = {
    "built in": extract.summarise,
    "lede, all text": lede,
    "lede, words and calls": lede_words,
    "TextRank, words and calls": textrank,
    "identifier list": summaries.identifiers,
    "first and last characters": summaries.head_tail,
}


def transcripts(folder: Path, part: str, most: int) -> list[Transcript]:
    """Return the long transcripts of a part, in the order of their digests."""
    counter = choose.default()
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, (_, line) in enumerate(read_lines(path), 1):
            one = transcript(f"{path.name}:{number}", decode(line))
            if split.is_in(split.family(one.view), part) and exam.tokens_of(one.row, counter) >= MIN_TOKENS:
                found.append(one)
    return sorted(found, key=lambda one: one.digest)[:most]


def summarised(seats: Sequence[Seat], name: str) -> tuple[list[Result], float]:
    """Sit the exam with one summariser in the six steps; also return the seconds of CPU a compaction."""
    counter = choose.default()
    rows: dict[tuple[str, str, str], Any] = {}
    start = time.process_time()
    for seat in seats:
        for budget in BUDGETS:
            options = Options(budget.of(seat.paper.tokens), POLICIES[DEFAULT], metrics=False)
            rows[name, budget.label, seat.paper.digest] = Compressor(options, counter, SUMMARISERS[name])(
                seat.transcript.row
            )[0]
    spent = (time.process_time() - start) / len(rows)
    sitting = Sitting((name,), BUDGETS, counter, elsewhere=rows)
    return [one for seat in seats for one in sitting(seat)], spent


def identifiers_kept(seats: Sequence[Seat], name: str) -> float:
    """Return the mean share of the middle's identifiers that a summary of a fixed number of characters holds."""
    shares = []
    for seat in seats:
        middle = sorted(seat.transcript.middle())
        turns = [seat.transcript.view.turns[place] for place in middle]
        region = Region(turns, middle[0])
        wanted = {word for word in anchors.words(text_of(region)) if anchors.worth(word) >= anchors.EXACT}
        told = SUMMARISERS[name](region, CHARS, len)[:CHARS]
        shares.append(len(wanted & set(anchors.words(told))) / max(1, len(wanted)))
    return mean(shares)


@dataclass(slots=True)
class EmbeddingReader(ExtractiveReader):
    """The built-in reader with lines found by the nearness of static word embeddings."""

    model: Any = None
    _rows: Any = field(default=None, repr=False)

    def nearest(self, text: str) -> list[tuple[int, float]]:
        """Return the lines nearest to a text by cosine."""
        import numpy as np

        if not self.lines:
            return []
        if self._rows is None:
            self._rows = self.model.embed([line[:2000] for line in self.lines], norm=True)
        near = self._rows @ self.model.embed([text], norm=True)[0]
        best = np.argsort(-near, kind="stable")[:CANDIDATES]
        return [(int(place), float(near[place])) for place in best]


def word_llama() -> Any:
    """Load the embeddings that come inside the package, without a download."""
    import wordllama

    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


def read_with(seats: Sequence[Seat], make_reader: Callable[..., ExtractiveReader]) -> tuple[list[Result], float]:
    """Sit the exam with a reader: the whole transcript, and the default policy."""
    sitting = Sitting(("uncompressed", DEFAULT), BUDGETS[1:2], choose.default(), make_reader=make_reader)
    start = time.process_time()
    found = [one for seat in seats for one in sitting(seat)]
    return found, (time.process_time() - start) / len(seats)


def show(name: str, found: Sequence[Result], papers: Sequence[Paper], more: str) -> None:
    """Print recall by budget."""
    rows = scorecard.lines(found, {paper.name: paper for paper in papers})
    told = "  ".join(f"{line.budget}: {line.recall:4.1f} ({line.kept:.1f} %)" for line in rows)
    wrong = mean([100 - line.kinds["negative"] for line in rows if "negative" in line.kinds])
    print(f"{name:28} {told}  negatives answered {wrong:.1f} %  {more}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--transcripts", type=int, default=20)
    parser.add_argument("--part", choices=split.PARTS, default=split.ALL)
    parser.add_argument("--readers", action="store_true", help="compare readers instead of summarisers")
    parser.add_argument("--only", default="", help="summarisers, separated by semicolons")
    options = parser.parse_args()
    found = transcripts(options.rows, options.part, options.transcripts)
    asked = [bank.questions(one, 20) for one in found]
    papers = exam.papers(found, asked, choose.default(), negatives=3)
    seats = [one for one in exam.seats(found, papers) if len(one.paper.questions) >= MIN_QUESTIONS]
    print(f"{len(seats)} transcripts, {sum(len(seat.paper.questions) for seat in seats)} questions", flush=True)
    if options.readers:
        model = word_llama()
        makers = {"built in": ExtractiveReader, "wordllama": lambda lines: EmbeddingReader(lines, model=model)}
        for name, make in makers.items():
            results, spent = read_with(seats, make)
            show(name, results, papers, f"{spent:.1f} s a transcript")
        return
    chosen = [name for name in options.only.split(";") if name] or list(SUMMARISERS)
    for name in chosen:
        results, spent = summarised(seats, name)
        kept = identifiers_kept(seats, name)
        show(name, results, papers, f"identifiers in {CHARS:,} characters {kept:.2f}  {1000 * spent:.0f} ms")


if __name__ == "__main__":
    main()

from __future__ import annotations

import pytest

from hermes_git.evals import shapes
from hermes_git.evals.utterances import CARRIERS, Piece, utterances

PIECES = [
    Piece("entry:1", "entry", "The staging cluster runs in Frankfurt and deploys wait for approval by two people."),
    Piece("entry:2", "entry", "The importer retries seven times because the upstream cluster times out on Mondays."),
    Piece("skill:ops/rollback", "skill", "Roll a broken release back one zone at a time and watch errors.", "rollback"),
    Piece("entry:3", "entry", "Too short."),
]


def test_an_utterance_holds_some_words_of_its_piece_and_never_its_name() -> None:
    found, short = utterances(PIECES)
    assert short == 1
    assert {one.key for one in found} == {"entry:1", "entry:2", "skill:ops/rollback"}
    texts = {piece.key: set(shapes.words(piece.text)) for piece in PIECES}
    carried = {word for carrier in CARRIERS for word in shapes.words(carrier)}
    for one in found:
        told = [word for word in shapes.words(one.text) if word not in carried]
        assert set(told) <= texts[one.key]
        assert "rollback" not in told
        assert len(told) < len(texts[one.key])


@pytest.mark.parametrize(("most", "count"), [(0, 3), (2, 2), (9, 3)])
def test_at_most_so_many_and_the_same_each_time(most: int, count: int) -> None:
    assert len(utterances(PIECES, most)[0]) == count
    assert utterances(PIECES, most) == utterances(PIECES[::-1], most)

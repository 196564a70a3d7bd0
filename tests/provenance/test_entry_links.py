"""Links between an entry and what it was before, on labelled histories made without the tool: how many are right."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from hermes_git.knowledge.entries import render
from hermes_git.provenance import entry_history as history

PATH = "knowledge/memory/MEMORY.md"
WHAT = "server database cache queue gateway worker scheduler proxy mirror bucket registry runner".split()
DOES = "listens runs restarts stores expects forwards retries logs times signs caches mounts".split()
WHERE = "alpha beta gamma delta staging production berlin tokyo rack-3 rack-9 eu-west us-east".split()
WHY = [
    "because the vendor asks for it", "since the move in May", "until the migration is done", "as agreed with the team",
    "so that deploys stay fast", "or the nightly job fails", "unless the flag is set", "after every release",
    "before backups start", "while traffic is low", "for customers in Asia", "despite what the page says",
]  # fmt: skip


def sentence(rng: random.Random) -> str:
    number = rng.randrange(1000, 9999)
    return f"the {rng.choice(WHAT)} on {rng.choice(WHERE)} {rng.choice(DOES)} port {number} {rng.choice(WHY)}"


def edited(rng: random.Random, text: str) -> str:
    """Change one or two words of a fact, or add a remark to it, as people do."""
    words = text.split()
    if rng.random() < 0.3:
        return f"{text} ({rng.choice(WHY)})"
    for _ in range(rng.choice((1, 1, 2))):
        words[rng.randrange(len(words))] = rng.choice(WHERE + DOES + ["now", "always", str(rng.randrange(1000, 9999))])
    return " ".join(words)


@dataclass
class World:
    """A history with the truth beside it: each entry's text, and the commits that made it what it is."""

    rng: random.Random
    texts: list[str] = field(default_factory=list)
    chains: dict[str, list[str]] = field(default_factory=dict)
    steps: dict[str, history.Step] = field(default_factory=dict)
    tip: str = ""

    def commit(self) -> None:
        id = f"{len(self.steps):040x}"
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            self._act(id)
        parents = (self.tip,) if self.tip else ()
        files = {PATH: render(self.texts).encode("utf-8")}
        self.steps[id] = history.Step(id, parents, len(self.steps), "Ann", "ann@example.invalid", "change", files)
        self.tip = id

    def _act(self, id: str) -> None:
        choice = self.rng.random()
        if choice < 0.35 or len(self.texts) < 4:
            self._put(self.rng.randrange(len(self.texts) + 1), sentence(self.rng), [id])
        elif choice < 0.75:
            place = self.rng.randrange(len(self.texts))
            old = self.texts[place]
            if self.chains[old][-1] == id:
                return
            new = edited(self.rng, old)
            if new not in self.chains:
                del self.texts[place]
                self._put(place, new, [*self.chains.pop(old), id])
        elif choice < 0.85:
            self.rng.shuffle(self.texts)
        else:
            self.chains.pop(self.texts.pop(self.rng.randrange(len(self.texts))))

    def _put(self, place: int, text: str, chain: list[str]) -> None:
        if text not in self.chains:
            self.texts.insert(place, text)
            self.chains[text] = chain

    def store(self) -> history.Store:
        return history.Store(dict(reversed(self.steps.items())), self.tip)


def judged(seed: int) -> tuple[int, int, int]:
    """Return how many chains are right, how many there are, and how many wrong ones were not marked as likely."""
    world = World(random.Random(seed))
    for _ in range(40):
        world.commit()
    store = world.store()
    right = silent = 0
    for text in world.texts:
        links = history.chain(store, text)
        if [link.step.id for link in reversed(links)] == world.chains[text]:
            right += 1
        elif all(link.certainty == "sure" for link in links):
            silent += 1
    return right, len(world.texts), silent


def test_links_of_raw_commits_are_right_on_labelled_histories() -> None:
    rows = [judged(seed) for seed in range(60)]
    right, total, silent = (sum(column) for column in zip(*rows, strict=True))
    assert total > 500
    assert right / total >= 0.95, f"{right} of {total} chains are right, {silent} wrong ones are not marked"
    assert silent / total <= 0.03


@pytest.mark.parametrize("seed", range(3))
def test_the_same_history_gives_the_same_links(seed: int) -> None:
    assert judged(seed) == judged(seed)

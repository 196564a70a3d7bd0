"""Distributions: sampled as promised, whoever samples; the published ones as they were published."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from hermes_git.batch import frequencies
from hermes_git.batch.toolsets import TOOLSETS, Distribution, known, named, parse, published
from hermes_git.errors import UserError

SAMPLEABLE = [one for one in known().values() if one.percent]
PROMPTS = int(os.environ.get("HERMES_GIT_SAMPLES", "10000"))


@pytest.mark.parametrize("distribution", SAMPLEABLE, ids=lambda one: one.name)
def test_samples_keep_the_promise(distribution: Distribution) -> None:
    compared = frequencies.compare(distribution, (distribution.sample(1, str(number)) for number in range(PROMPTS)))
    assert all(row.is_within for row in compared.rows) and compared.p_value > 0.01
    assert math.isclose(sum(distribution.outcomes().values()), 1.0)
    for name, share in distribution.frequencies().items():
        assert math.isclose(share, sum(value for key, value in distribution.outcomes().items() if name in key))


def test_samples_do_not_depend_on_who_draws_them() -> None:
    mixed = Distribution("mixed", "", (("memory", 50), ("terminal", 30), ("file", 1)))
    names = [str(number) for number in range(2000)]
    one = [mixed.sample(7, name) for name in names]
    for workers in (2, 8):
        with ThreadPoolExecutor(workers) as pool:
            assert list(pool.map(lambda name: mixed.sample(7, name), reversed(names))) == one[::-1]
    assert all(one) and one != [mixed.sample(8, name) for name in names]


def test_a_prompt_that_draws_nothing_gets_the_most_probable() -> None:
    rare = Distribution("rare", "", (("memory", 0.0), ("skills", 0.1), ("file", 0.1)))
    drawn = [rare.sample(0, str(number)) for number in range(200)]
    assert all(drawn) and drawn.count(("skills",)) > 190 and "memory" not in {name for one in drawn for name in one}


def test_a_wrong_sampler_is_seen() -> None:
    half = Distribution("half", "", (("memory", 50), ("file", 50)))
    always = frequencies.compare(half, [("memory", "file")] * 1000)
    assert always.p_value < 1e-6 and not any(row.is_within for row in always.rows)
    impossible = frequencies.compare(Distribution("all", "", (("memory", 100),)), [("file",)] * 10)
    assert impossible.p_value == 0.0


@pytest.mark.parametrize(
    ("statistic", "freedom", "probability"),
    [
        (3.841458820694124, 1, 0.05),
        (9.21034037197618, 2, 0.01),
        (18.307038053275146, 10, 0.05),
        (0.0, 3, 1.0),
        (5, 0, 1.0),
    ],
)
def test_the_tail_of_chi_square(statistic: float, freedom: int, probability: float) -> None:
    assert frequencies.survival(statistic, freedom) == pytest.approx(probability, abs=1e-9)


def test_published_distributions_are_mapped_and_what_is_missing_is_said() -> None:
    table = {one.name: one for one in published()}
    assert len(table) == 17
    assert table["development"].percent == (("terminal", 80.0), ("file", 80.0))
    assert table["development"].unmapped == (("web", 30.0), ("vision", 10.0))
    assert table["balanced"].percent == (("terminal", 50.0), ("file", 50.0)) and len(table["default"].unmapped) == 4
    assert all(name in TOOLSETS for one in table.values() for name, _ in one.percent)
    with pytest.raises(UserError, match="only names toolsets that are not here: web"):
        named("minimal")
    with pytest.raises(UserError, match="no distribution called"):
        named("nothing")


def test_own_distributions() -> None:
    found = parse('name = "mine"\n[percent]\nmemory = 50\nfile = 12.5\n', where="d.toml")
    assert (found.name, found.percent) == ("mine", (("memory", 50.0), ("file", 12.5)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[percent", "not valid TOML"),
        ("name = 'x'", "no table"),
        ("[percent]\nweb = 5", "no toolset called 'web'"),
        ("[percent]\nmemory = 101", "is no percentage"),
        ("[percent]\nmemory = true", "is no percentage"),
        ("[percent]\nmemory = nan", "is no percentage"),
    ],
)
def test_wrong_distributions_are_said(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse(text, where="d.toml")

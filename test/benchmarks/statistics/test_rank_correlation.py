"""Rank correlation against its definition, worked out pair by pair."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from row_tables import each_row
from sampling import examples

from vantage.benchmarks.statistics.rank_correlation import spearman_over_scenes


def rho(first: list[float], second: list[float]) -> float:
    return spearman_over_scenes("rho", "rho", ["home"] * len(first), first, second).value


def by_definition(first: list[float], second: list[float]) -> float:
    """Pearson's correlation of ranks, each the mean of the places that equal marks take."""

    def ranks(marks: list[float]) -> list[float]:
        places = sorted(marks)
        return [places.index(mark) + (places.count(mark) + 1) / 2 for mark in marks]

    one, other = np.array(ranks(first)), np.array(ranks(second))
    if one.std() == 0 or other.std() == 0:
        return math.nan
    return float(np.corrcoef(one, other)[0, 1])


@each_row(
    "first, second, value",
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1.0),
        ([1, 2, 3, 4], [10, 20, 30, 1000], 1.0),
        ([1, 2, 3, 4], [5, 4, 2, 1], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 5, 1, 5], [1, 1, 5, 5], 0.0),
    ],
)
def test_known_values(first: list[float], second: list[float], value: float) -> None:
    assert rho(first, second) == pytest.approx(value)


@given(st.lists(st.tuples(st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0]), st.floats(1, 5)), min_size=2, max_size=30))
def test_it_is_what_its_definition_says(pairs: list[tuple[float, float]]) -> None:
    first, second = [pair[0] for pair in pairs], [round(pair[1]) * 0.5 for pair in pairs]
    assert rho(first, second) == pytest.approx(by_definition(first, second), abs=1e-9, nan_ok=True)


@each_row("first, second", [([], []), ([3.0], [4.0]), ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0])])
def test_without_differences_there_is_none(first: list[float], second: list[float]) -> None:
    assert math.isnan(rho(first, second))


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="2 pairs of marks are of 1 scenes"):
        spearman_over_scenes("rho", "rho", ["home"], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="argument 2"):
        spearman_over_scenes("rho", "rho", ["a", "b"], [1, 2], [1])


def test_the_interval_is_over_whole_scenes() -> None:
    """Episodes of a home that are all alike are worth one, so doubling them narrows nothing."""
    draw = random.Random(3)
    rows = [(f"home_{k}", draw.randint(1, 5), draw.randint(1, 5)) for k in range(20)]
    once = spearman_over_scenes("rho", "rho", *map(list, zip(*rows, strict=True)))  # type: ignore[arg-type]
    twice = spearman_over_scenes("rho", "rho", *map(list, zip(*rows, *rows, strict=True)))  # type: ignore[arg-type]
    assert (twice.value, twice.n) == (pytest.approx(once.value), 40)
    assert once.low < once.value < once.high
    assert (twice.low, twice.high) == (pytest.approx(once.low), pytest.approx(once.high))


@settings(max_examples=examples(20))
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5), st.integers(1, 5)), min_size=3, max_size=20))
def test_it_is_bounded_and_its_interval_ordered(rows: list[tuple[str, int, int]]) -> None:
    figure = spearman_over_scenes("rho", "rho", *map(list, zip(*rows, strict=True)))  # type: ignore[arg-type]
    for value in (figure.value, figure.low, figure.high):
        assert math.isnan(value) or -1.0 - 1e-9 <= value <= 1.0 + 1e-9
    assert not figure.low > figure.high

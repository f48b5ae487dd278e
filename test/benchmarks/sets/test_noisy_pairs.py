"""Shares of the noise types."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from vantage.benchmarks.sets.noisy_pairs import (
    EVEN,
    PAPER,
    TYPES,
    checked_shares,
    numbers_of,
    shares_of,
)
from vantage.errors import UsageError
from vantage.types import NoiseType

# Tables 1 and 2 of the paper: accuracies of the methods in percent, for types whose number of questions they settle.
TABLES = {
    NoiseType.COLOR: (15.91, 32.73, 39.55, 19.09, 40.45, 45.91, 97.27),
    NoiseType.SHAPE: (18.55, 34.68, 37.90, 12.90, 41.94, 49.19, 95.16),
    NoiseType.COUNT: (12.07, 38.79, 44.83, 24.14, 57.76, 62.07, 97.41),
    NoiseType.MATERIAL: (20.00, 17.00, 61.00, 25.00, 64.00, 63.00, 99.00),
    NoiseType.PERCEPTION: (12.86, 29.64, 26.79, 27.14, 43.57, 45.00, 85.71),
    NoiseType.SEMANTIC: (22.45, 35.71, 28.06, 25.00, 46.42, 51.02, 93.87),
}


def test_the_shares_of_the_paper_explain_its_tables() -> None:
    assert numbers_of(500, PAPER) == PAPER
    assert sum(PAPER.values()) == 500
    for kind, accuracies in TABLES.items():
        step = 25.0 / PAPER[kind]
        assert all(abs(accuracy - round(accuracy / step) * step) < 0.0101 for accuracy in accuracies), kind


@given(st.integers(0, 700), st.lists(st.floats(0.0, 10.0), min_size=8, max_size=8).filter(lambda w: sum(w) > 0.1))
def test_numbers_add_up_and_are_within_one_of_their_share(pairs: int, weights: list[float]) -> None:
    shares = dict(zip(TYPES, weights, strict=True))
    numbers = numbers_of(pairs, shares)
    assert sum(numbers.values()) == pairs
    for kind in TYPES:
        assert abs(numbers[kind] - pairs * shares[kind] / sum(weights)) < 1.0 + 1e-9


def test_words_name_shares() -> None:
    assert shares_of("paper") is PAPER
    assert shares_of("even") is EVEN
    assert shares_of("latent=2, Color=1") == {NoiseType.LATENT: 2.0, NoiseType.COLOR: 1.0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("evn", "did you mean 'even'"),
        ("colour=1", "unknown noise type 'colour'"),
        ("color=many", "no number"),
        ("color=-1", "from 0"),
        ("color=nan", "from 0"),
        ("color=inf", "from 0"),
        ("color=0", "above 0"),
        ("color", "unknown shares"),
    ],
)
def test_strange_shares_are_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        shares_of(text)


def test_no_noise_is_no_type() -> None:
    with pytest.raises(UsageError, match="NONE is no type"):
        checked_shares({NoiseType.NONE: 1.0})

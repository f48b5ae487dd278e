"""Guessing the commonest answers."""

from __future__ import annotations

import math

import pytest

from vantage.benchmarks.statistics.answer_balance import Guess, blind_share, guesses
from vantage.types import NoiseType, TruthQuestion

QUESTIONS = [
    *(TruthQuestion(f"c{k}", "color", answer) for k, answer in enumerate(("red", "red", "blue"))),
    *(TruthQuestion(f"e{k}", "existence", answer) for k, answer in enumerate(("yes", "no", "yes", "yes"))),
    TruthQuestion("n", "color", "green", premise_holds=False, noise_type=NoiseType.COLOR),
]


def test_the_commonest_answer_of_all_and_of_each_kind() -> None:
    assert guesses(QUESTIONS) == (
        Guess("", "yes", 3, 7),
        Guess("color", "red", 2, 3),
        Guess("existence", "yes", 3, 4),
    )
    assert guesses(QUESTIONS)[0].share == pytest.approx(3 / 7)
    assert blind_share(QUESTIONS) == pytest.approx(5 / 7)


def test_without_clean_questions_there_is_nothing_to_guess() -> None:
    assert guesses(QUESTIONS[-1:]) == ()
    assert math.isnan(blind_share([]))

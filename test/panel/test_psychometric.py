"""The fit finds the threshold that replies were drawn with, and says where they do not tell it."""

from __future__ import annotations

import math

import numpy as np

from vantage.panel import Psychometric, Trial, threshold_of


def chance(curve: Psychometric, value: float, guess: float) -> float:
    """Of a right reply, as the source has it."""
    reach = 1.0 / (1.0 + math.exp(-curve.slope * math.log(value / curve.middle)))
    return guess + (1.0 - guess - curve.lapse) * reach


def trials(curve: Psychometric, count: int = 300, guess: float = 0.25, seed: int = 1) -> list[Trial]:
    rng = np.random.default_rng(seed)
    values = curve.middle * np.exp(rng.uniform(-1.5, 1.5, count))
    return [
        Trial(k, float(value), guess, bool(rng.random() < chance(curve, float(value), guess)))
        for k, value in enumerate(values)
    ]


def test_the_threshold_is_found_and_nearly_always_within_its_interval() -> None:
    for lapse in (0.0, 0.06):
        curve = Psychometric(100.0, 6.0, lapse)
        found = [threshold_of(trials(curve, 100, seed=seed)) for seed in range(6)]
        assert sum(each.low <= curve.threshold <= each.high for each in found) >= 5
        assert abs(math.log(np.median([each.value for each in found]) / curve.threshold)) < 0.25
        assert all((each.frames, each.replies, each.note) == (100, 100, "") for each in found)
        lapses = [each.curve.lapse for each in found if each.curve is not None]
        assert abs(float(np.mean(lapses)) - lapse) <= 0.03


def test_nine_of_ten_are_told_at_the_threshold() -> None:
    curve = Psychometric(50.0, 4.0, 0.02)
    assert math.isclose(chance(curve, curve.threshold, 0.2), 0.2 + (1.0 - 0.2 - 0.02) * 0.9)


def test_readers_are_pooled_and_frames_counted() -> None:
    curve = Psychometric(100.0, 6.0, 0.0)
    both = [*trials(curve, 40, seed=1), *trials(curve, 40, seed=1)]
    found = threshold_of(both)
    assert (found.frames, found.replies) == (40, 80)


def test_replies_that_tell_no_threshold_give_none() -> None:
    few = [Trial(k, 10.0 + k, 0.25, k > 2) for k in range(5)]
    right = [Trial(k, 10.0 + k, 0.25, True) for k in range(10)]
    wrong = [Trial(k, 10.0 + k, 0.25, False) for k in range(10)]
    notes = [threshold_of(each) for each in (few, right, wrong, [])]
    assert all(math.isnan(each.value) and each.curve is None for each in notes)
    assert [each.note.split(",")[0] for each in notes] == [
        "5 frames",
        "every reply is right",
        "no reply is right",
        "0 frames",
    ]


def test_a_threshold_outside_of_the_values_is_marked() -> None:
    far = [Trial(k, 10.0 + k, 0.25, k % 4 == 0) for k in range(40)]
    assert "outside of what was measured" in threshold_of(far).note

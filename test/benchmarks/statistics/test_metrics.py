"""Aggregation and its intervals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from vantage.benchmarks.statistics.metrics import (
    EpisodeScore,
    aggregate,
    mean,
    normalised,
    proportion,
    ratio,
    spl,
    wilson,
)


def done(**values: object) -> EpisodeScore:
    base: dict[str, object] = {"episode_id": "e", "complete": True, "judge_score": 5.0, "success": True, "steps": 10}
    return EpisodeScore(**(base | values))  # type: ignore[arg-type]


def figures(scores: list[EpisodeScore]) -> dict[str, tuple[float, int]]:
    return {figure.key: (figure.value, figure.n) for figure in aggregate(scores)}


def test_spl_counts_actions() -> None:
    assert spl(True, 5, 10) == 0.5
    assert spl(True, 10, 5) == 1.0
    assert spl(False, 5, 5) == 0.0
    assert spl(True, 0, 0) == 1.0


def test_normalised_clips() -> None:
    assert [normalised(value) for value in (0, 1, 3, 5, 9)] == [0, 0, 50, 100, 100]


def test_wilson_against_published_values() -> None:
    low, high = wilson(81, 263)  # Newcombe 1998, table I: 0.2553 to 0.3662
    assert (low, high) == (pytest.approx(0.2553, abs=5e-5), pytest.approx(0.3662, abs=5e-5))
    low, high = wilson(0, 20)  # 0 to 0.1611
    assert (low, high) == (pytest.approx(0.0, abs=1e-12), pytest.approx(0.1611, abs=5e-5))
    assert all(math.isnan(value) for value in wilson(0, 0))


def test_mean_interval_is_the_same_every_time_and_near_the_normal_one() -> None:
    values = [float(value % 7) for value in range(200)]
    figure = mean("k", "t", values)
    assert figure == mean("k", "t", values)
    centre = sum(values) / len(values)
    half = 1.96 * math.sqrt(sum((value - centre) ** 2 for value in values) / len(values) / len(values))
    assert figure.low == pytest.approx(centre - half, rel=0.05)
    assert figure.high == pytest.approx(centre + half, rel=0.05)


def test_one_value_has_no_interval() -> None:
    figure = mean("k", "t", [3.0])
    assert (figure.value, figure.n) == (3.0, 1)
    assert math.isnan(figure.low)
    assert math.isnan(figure.high)


def test_ratio_pools_steps() -> None:
    assert ratio("k", "t", [1.0, 0.0], [1.0, 9.0]).value == pytest.approx(0.1)
    assert math.isnan(ratio("k", "t", [0.0], [0.0]).value)


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_proportions_lie_in_their_interval(flags: list[bool]) -> None:
    figure = proportion("k", "t", flags)
    assert 0.0 <= figure.low <= figure.value + 1e-12
    assert figure.value - 1e-12 <= figure.high <= 1.0


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_means_have_ordered_intervals_within_the_values(values: list[float]) -> None:
    figure = mean("k", "t", values)
    assert min(values) - 1e-6 <= figure.low <= figure.high <= max(values) + 1e-6


def test_groups_and_counts() -> None:
    scores = [
        done(spl=1.0, has_oracle=True, oracle_steps=10),
        done(judge_score=1.0, success=False, false_alarm=True, spl=0.0, has_oracle=True, collisions=5),
        done(noisy=True, judge_score=3.0, success=False),
        done(noisy=True, judge_score=4.0, success=False),
        EpisodeScore("cut", incomplete_reason="ends early"),
    ]
    found = figures(scores)
    assert found["success"] == (0.25, 4)
    assert found["success_clean"] == (0.5, 2)
    assert found["judge_score"] == (3.25, 4)
    assert found["c"] == (pytest.approx(56.25), 4)
    assert found["spl"] == (0.5, 2)
    assert found["collision_rate"] == (5 / 40, 4)
    assert found["detection_rate"] == (1.0, 2)
    assert found["correction_rate"] == (0.5, 2)
    assert found["false_alarm_rate"] == (0.5, 2)
    assert "2 without an oracle" in next(figure.note for figure in aggregate(scores) if figure.key == "spl")


def test_nothing_complete_gives_no_figures() -> None:
    assert all(math.isnan(value) and n == 0 for value, n in figures([EpisodeScore("cut")]).values())

"""Timing of plans: it runs, and tells what it found."""

import pytest

from vantage.bench import bench_plans


@pytest.mark.needs("planning")
def test_plans_are_timed_against_the_bare_planner():
    data = bench_plans(3, 0, lambda line: None)
    assert data["outcomes"]["found"] == data["n"] == data["bare"]["n"] == 3
    assert data["reference"] == "bare Fast Downward"
    assert data["actions_most"] >= data["actions_median"] >= 0

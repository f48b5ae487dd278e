from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from vantage.nodes.qa.view_filter import BEFORE_RESET, LATE, SAME, WITHOUT_POSE, ViewFilter
from vantage.nodes.runtime.recent_failures import TOLD_FOR, FailureLog
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

SECOND = 10**9


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def view_filter(clock):
    return ViewFilter(clock)


def view(seconds, x=0.0, yaw=0.0):
    camera = Intrinsics.from_fov(4, 4, 1.0)
    return Observation(round(seconds * SECOND), Viewpoint(x, 0.0, 1.0, yaw, 0.0), camera, np.zeros((4, 4, 3), np.uint8))


def test_what_does_not_change_is_looked_at_once_a_second(view_filter, clock):
    assert view_filter.accepts(view(1.0))
    assert not view_filter.accepts(view(1.2))
    clock.now += 1.1
    assert view_filter.accepts(view(2.2))
    assert view_filter.accepts(view(2.3, x=0.1)), "it moved"
    assert view_filter.left_out == {SAME: 1}


def test_late_views_are_left_out_and_counted(view_filter):
    assert view_filter.accepts(view(5.0))
    assert not view_filter.accepts(view(5.0, x=1.0))
    assert not view_filter.accepts(view(4.5, x=1.0))
    assert view_filter.left_out == {LATE: 2}
    assert view_filter.jumps == 0


def test_a_clock_that_jumps_back_is_told_and_views_go_on(view_filter):
    assert view_filter.accepts(view(1000.0))
    assert view_filter.accepts(view(3.0, x=0.1))
    assert view_filter.jumps == 1
    assert "jumped back by 997.0 s" in view_filter.recent["jump"][1]
    assert view_filter.accepts(view(3.2, x=0.2))
    assert view_filter.jumps == 1


def test_a_clock_that_jumps_ahead_is_told_and_fast_time_is_none(view_filter, clock):
    assert view_filter.accepts(view(1.0))
    clock.now += 1.0
    assert view_filter.accepts(view(16.0, x=0.1)), "fifteen times as fast"
    assert view_filter.jumps == 0
    assert view_filter.accepts(view(3600.0, x=0.2))
    assert "jumped ahead by 3584.0 s" in view_filter.recent["jump"][1]


def test_views_of_before_a_reset_are_left_out_until_it_must_be_another_clock(view_filter, clock):
    assert view_filter.reset(10 * SECOND)
    assert not view_filter.reset(10 * SECOND), "that is no news"
    assert not view_filter.accepts(view(9.0))
    assert view_filter.left_out == {BEFORE_RESET: 1}
    clock.now += 3.0
    assert view_filter.accepts(view(2.0)), "such views would be left out for ever"
    assert view_filter.jumps == 1
    assert view_filter.accepts(view(2.2, x=0.1))
    assert view_filter.jumps == 1


@pytest.mark.parametrize("pose", [math.nan, math.inf])
def test_views_without_a_pose_are_left_out_and_told(view_filter, pose):
    assert not view_filter.accepts(view(1.0, x=pose))
    assert not view_filter.accepts(view(1.0, yaw=pose))
    assert view_filter.left_out == {WITHOUT_POSE: 2}
    assert "without a pose" in view_filter.recent[WITHOUT_POSE][1]
    assert view_filter.last is None


def test_failures_are_said_for_a_while_and_counted_for_ever(view_filter, clock):
    log, fell_out = FailureLog(clock), Counter[str]()
    assert log.newest(view_filter, fell_out, 0) == ""
    fell_out["/tf"] += 2
    assert log.newest(view_filter, fell_out, 0) == "2 views were left out: they came without /tf"
    clock.now += TOLD_FOR
    assert log.newest(view_filter, fell_out, 0) == ""
    view_filter.accepts(view(math.pi, x=math.nan))
    assert "without a pose" in log.newest(view_filter, fell_out, 0)
    clock.now += 1.0
    assert "a correction lapsed" in log.newest(view_filter, fell_out, 1)
    log.failed("no depth")
    figures = log.figures(view_filter, fell_out)
    assert figures == {
        f"views left out: {WITHOUT_POSE}": "1",
        "views left out: without /tf": "2",
        "clock jumps": "0",
        "messages lost": "0",
        "failures": "1",
    }


def test_no_failure_hides_another(view_filter, clock):
    """What fell out is noticed when it is asked for, hence always last."""
    log, fell_out = FailureLog(clock), Counter({"/tf": 3, "depth": 2})
    view_filter.accepts(view(5.0))
    view_filter.accepts(view(1.0))
    view_filter.accepts(view(1.1, x=math.nan))
    clock.now += 0.5
    told = log.newest(view_filter, fell_out, 1)
    assert told.endswith("without a pose that makes sense, and is left out"), "the oldest last"
    for words in (
        "3 views were left out: they came without /tf",
        "2 views were left out",
        "jumped back by 4.0 s",
        "a correction lapsed",
    ):
        assert words in told

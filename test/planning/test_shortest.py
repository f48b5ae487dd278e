"""Shortest action sequences against brute force over the whole five-dimensional lattice."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vantage.planning.actions import ActionSpace
from vantage.planning.shortest import replay, shortest_path
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Point
from vantage.worlds.limits import MotionLimits

SPACE = ActionSpace(0.25, math.pi / 6)
LIMITS = MotionLimits((0.0, 0.0, 0.5), (1.0, 1.0, 1.25), -math.pi / 3, math.pi / 3, 0.5, 1.0)
START = Viewpoint(0.25, 0.5, 0.75, math.pi / 2, 0.0)


def always_free(_: Point, __: Point) -> bool:
    return True


def blocked_by(cells: frozenset[tuple[int, int, int]]) -> Callable[[Point, Point], bool]:
    def free(_: Point, target: Point) -> bool:
        return tuple(round(value / 0.25) for value in target) not in cells

    return free


def brute_force(
    start: Viewpoint,
    space: ActionSpace,
    limits: MotionLimits,
    free: Callable[[Point, Point], bool],
    satisfies: Callable[[Viewpoint], bool],
) -> int | None:
    """Dijkstra over every single state."""

    def key(viewpoint: Viewpoint) -> tuple[int, ...]:
        parts = (
            viewpoint.x,
            viewpoint.y,
            viewpoint.z,
            math.cos(viewpoint.yaw),
            math.sin(viewpoint.yaw),
            viewpoint.pitch,
        )
        return tuple(round(value * 1e4) for value in parts)

    queue: list[tuple[int, int, Viewpoint]] = [(0, 0, start)]
    best, tick = {key(start): 0}, 0
    while queue:
        cost, _, viewpoint = heapq.heappop(queue)
        if satisfies(viewpoint):
            return cost
        if cost > best[key(viewpoint)]:
            continue
        for action in space.NAMES:
            target = space.apply(action, viewpoint)
            if limits.violation(viewpoint, target) is not None:
                continue
            if not free((viewpoint.x, viewpoint.y, viewpoint.z), (target.x, target.y, target.z)):
                continue
            if cost + 1 < best.get(key(target), 10**9):
                best[key(target)] = cost + 1
                tick += 1
                heapq.heappush(queue, (cost + 1, tick, target))
    return None


def near(goal: Viewpoint, tolerance: float = 0.2) -> Callable[[Viewpoint], bool]:
    def satisfies(viewpoint: Viewpoint) -> bool:
        turn = max(abs(wrap_angle(viewpoint.yaw - goal.yaw)), abs(viewpoint.pitch - goal.pitch))
        return viewpoint.distance(goal) < tolerance and turn < 0.3

    return satisfies


cells = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(2, 5))


@settings(max_examples=20, deadline=None)
@given(
    st.frozensets(cells, max_size=30).map(lambda found: found - {(1, 2, 3)}),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0.5, 1.25),
    st.floats(-math.pi, math.pi),
    st.floats(-1.0, 1.0),
)
def test_as_short_as_brute_force(
    obstacles: frozenset[tuple[int, int, int]], x: float, y: float, z: float, yaw: float, pitch: float
) -> None:
    satisfies, free = near(Viewpoint(x, y, z, yaw, pitch)), blocked_by(obstacles)
    expected = brute_force(START, SPACE, LIMITS, free, satisfies)
    found = shortest_path(START, SPACE, LIMITS, free, satisfies)
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert len(found.actions) == expected
    way = replay(START, SPACE, found.actions)
    assert way[-1] == found.goal
    assert satisfies(found.goal)
    for before, after in pairwise(way):
        assert LIMITS.violation(before, after) is None
        assert free((before.x, before.y, before.z), (after.x, after.y, after.z))
    assert found.length == pytest.approx(sum(a.distance(b) for a, b in pairwise(way)))


def test_the_start_may_be_the_goal() -> None:
    found = shortest_path(START, SPACE, LIMITS, always_free, lambda _: True)
    assert found is not None
    assert (found.actions, found.goal, found.length) == ((), START, 0.0)


def test_turns_go_the_short_way_round() -> None:
    found = shortest_path(START, SPACE, LIMITS, always_free, lambda v: abs(wrap_angle(v.yaw + math.pi / 2)) < 0.1)
    assert found is not None
    assert found.actions == ("yaw+",) * 6
    found = shortest_path(START, SPACE, LIMITS, always_free, lambda v: abs(wrap_angle(v.yaw + math.pi / 3)) < 0.1)
    assert found is not None
    assert found.actions == ("yaw-",) * 5


def test_a_step_that_does_not_divide_the_circle_finds_every_heading() -> None:
    space = ActionSpace(0.25, 0.7)
    found = shortest_path(START, space, LIMITS, always_free, lambda v: abs(wrap_angle(v.yaw - START.yaw - 6.3)) < 0.01)
    assert found is not None
    assert found.actions == ("yaw+",) * 9


def test_each_viewpoint_is_asked_once_and_none_dearer_than_the_goal() -> None:
    asked: list[Viewpoint] = []

    def satisfies(viewpoint: Viewpoint) -> bool:
        asked.append(viewpoint)
        return near(Viewpoint(0.5, 0.5, 0.75, math.pi / 2, 0.0))(viewpoint)

    found = shortest_path(START, SPACE, LIMITS, always_free, satisfies)
    assert found is not None
    assert found.actions == ("x+",)
    assert len(asked) == len(set(asked)) <= 1 + 10


def test_what_cannot_be_reached_is_not_found() -> None:
    assert shortest_path(START, SPACE, LIMITS, lambda _, __: False, lambda v: v.x > 0.3) is None
    assert shortest_path(START, SPACE, LIMITS, always_free, lambda v: v.pitch > 1.2) is None
    assert shortest_path(START, SPACE, LIMITS, always_free, lambda v: v.x > 0.9, max_actions=2) is None


def test_motions_that_the_limits_forbid_are_not_used() -> None:
    slow = MotionLimits(LIMITS.bounds_min, LIMITS.bounds_max, max_translation=0.1, max_rotation=1.0)
    assert shortest_path(START, SPACE, slow, always_free, lambda v: v.x > 0.3) is None
    stiff = MotionLimits(LIMITS.bounds_min, LIMITS.bounds_max, max_translation=0.5, max_rotation=0.1)
    assert shortest_path(START, SPACE, stiff, always_free, lambda v: v.pitch > 0.3) is None
    assert shortest_path(START, SPACE, stiff, always_free, lambda v: v.x > 0.3) is not None


def test_ties_are_broken_the_same_way() -> None:
    results = {
        shortest_path(START, SPACE, LIMITS, always_free, lambda v: v.distance(START) + abs(v.pitch) > 0.6).__repr__()
        for _ in range(3)
    }
    assert len(results) == 1

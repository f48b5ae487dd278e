"""Ways around obstacles for a point with three slides, whose postures are places in a room of 4 x 4 x 2 m."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from chains import X, Y, Z, slide
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.spatial import Matrix
from vantage.worlds.rig.collision.capsules import segment_box
from vantage.worlds.rig.kinematics.chain import REVOLUTE, Joint
from vantage.worlds.rig.kinematics.trajectory import plan
from vantage.worlds.rig.safety.routes import MOST_CHECKS, MOST_CUTS, find_way, shortened

SLIDES = (
    slide("x", X, 0.0, 4.0, speed=1.0, acceleration=8.0),
    slide("y", Y, 0.0, 4.0, speed=1.0, acceleration=8.0),
    slide("z", Z, 0.0, 2.0, speed=0.5, acceleration=4.0),
)
A, B = np.array([0.5, 2.0, 1.0]), np.array([3.5, 2.0, 1.0])
GAP = [((1.9, -1.0, -1.0), (2.1, 3.4, 3.0))]  # at one end of a wall
DOOR = [
    ((1.9, -1.0, -1.0), (2.1, 3.0, 3.0)),
    ((1.9, 3.1, -1.0), (2.1, 5.0, 3.0)),
    ((1.9, 2.9, 1.8), (2.1, 3.2, 3.0)),
]
CLOSED = [
    ((0.2, 1.7, 0.7), (0.8, 2.3, 0.75)),
    ((0.2, 1.7, 1.25), (0.8, 2.3, 1.3)),
    ((0.2, 1.7, 0.7), (0.25, 2.3, 1.3)),
    ((0.75, 1.7, 0.7), (0.8, 2.3, 1.3)),
    ((0.2, 1.7, 0.7), (0.8, 1.75, 1.3)),
    ((0.2, 2.25, 0.7), (0.8, 2.3, 1.3)),
]
MAZE = [
    ((0.9, -1.0, -1.0), (1.0, 3.4, 3.0)),
    ((1.9, 0.6, -1.0), (2.0, 5.0, 3.0)),
    ((2.9, -1.0, -1.0), (3.0, 3.4, 3.0)),
]


class Boxes:
    """Obstacles, and every line that was asked for."""

    def __init__(self, boxes: Sequence[tuple[Sequence[float], Sequence[float]]]) -> None:
        self._boxes = [(np.array(low, dtype=float), np.array(high, dtype=float)) for low, high in boxes]
        self.asked: list[tuple[Matrix, Matrix]] = []

    def free(self, a: Matrix, b: Matrix) -> bool:
        self.asked.append((a.copy(), b.copy()))
        return self.clear(a, b)

    def clear(self, a: Matrix, b: Matrix) -> bool:
        start, end = np.ascontiguousarray(a[:3]), np.ascontiguousarray(b[:3])
        return all(segment_box(start, end, low, high)[0] > 0.0 for low, high in self._boxes)


def duration(way: Sequence[Matrix]) -> float:
    return sum(plan(a, b, SLIDES).duration for a, b in itertools.pairwise(way))


def check_way(way: list[Matrix], room: Boxes, start: Matrix, target: Matrix, joints: Sequence[Joint] = SLIDES) -> None:
    assert np.array_equal(way[-1], target)
    for a, b in itertools.pairwise([start, *way]):
        assert room.clear(a, b)
        assert any(np.array_equal(a, c) and np.array_equal(b, d) for c, d in room.asked), "a leg was never asked for"
    for posture in way:
        assert all(joint.lower <= value <= joint.upper for joint, value in zip(joints, posture, strict=True))


@pytest.mark.parametrize("boxes", [GAP, DOOR, MAZE], ids=["gap in a wall", "narrow door", "maze"])
def test_a_way_is_found_where_there_is_one(boxes: list) -> None:
    for start, target in ((A, B), (B, A)):
        room = Boxes(boxes)
        way = find_way(start, target, SLIDES, room.free)
        check_way(way, room, start, target)
        assert len(room.asked) < MOST_CHECKS / 2


def test_a_way_around_a_wall_is_hardly_longer_than_it_must_be() -> None:
    way = [A, *find_way(A, B, SLIDES, Boxes(GAP).free)]
    shortest = duration([A, np.array([1.9, 3.4, 1.0]), np.array([2.1, 3.4, 1.0]), B])
    assert duration(way) < 1.2 * shortest
    assert len(way) <= 5


@pytest.mark.parametrize(("start", "target"), [(A, B), (B, A)])
def test_out_of_a_closed_box_there_is_no_way_and_the_effort_is_bounded(start: Matrix, target: Matrix) -> None:
    room = Boxes(CLOSED)
    assert find_way(start, target, SLIDES, room.free) == []
    assert len(room.asked) == MOST_CHECKS
    room.asked.clear()
    assert find_way(start, target, SLIDES, room.free, most_checks=50) == []
    assert len(room.asked) == 50


def test_the_same_question_has_the_same_answer() -> None:
    first, second = (find_way(A, B, SLIDES, Boxes(DOOR).free) for _ in range(2))
    assert np.array_equal(first, second)


def test_the_way_back_from_beyond_the_limits_begins_with_the_first_leg() -> None:
    start, room = np.array([-0.1, 2.0, 1.0]), Boxes(GAP)
    way = find_way(start, B, SLIDES, room.free)
    check_way(way, room, start, B)


def test_every_line_is_asked_in_the_direction_in_which_it_is_driven() -> None:
    """A valve: in the gap of the wall, y may only grow."""
    room = Boxes(GAP)

    def free(a: Matrix, b: Matrix) -> bool:
        crosses = min(a[0], b[0]) < 2.0 < max(a[0], b[0])
        return room.free(a, b) and not (crosses and b[0] < a[0])

    check_way(find_way(A, B, SLIDES, free), room, A, B)
    assert find_way(B, A, SLIDES, free, most_checks=1000) == []


def test_joints_without_limits_turn_as_far_as_is_needed() -> None:
    """A hinge must turn by more than a half turn to let the slide pass."""
    joints = (slide("x", X, 0.0, 2.0), Joint("turn", REVOLUTE, Z, speed=1.0))

    def free(a: Matrix, b: Matrix) -> bool:
        points = a + np.linspace(0.0, 1.0, 50)[:, None] * (b - a)
        return bool(np.all((np.abs(points[:, 0] - 1.0) > 0.1) | (np.abs(points[:, 1]) > 2.8)))

    way = find_way(np.array([0.2, 0.0]), np.array([1.8, 0.0]), joints, free)
    assert way
    assert max(abs(posture[1]) for posture in way) > 2.8


def test_joints_that_only_turn_the_camera_turn_no_farther_than_they_must() -> None:
    joints = (*SLIDES, Joint("pan", REVOLUTE, Z, lower=-3.1, upper=3.1, speed=1.0))
    start, target, room = np.append(A, 0.2), np.append(B, 0.6), Boxes(GAP)
    way = find_way(start, target, joints, room.free)
    check_way(way, room, start, target, joints)
    turned = sum(abs(b[3] - a[3]) for a, b in itertools.pairwise([start, *way]))
    assert turned < 1.0


def test_cuts_take_a_detour_out() -> None:
    detour = [A, np.array([0.5, 3.5, 1.0]), np.array([1.5, 3.6, 1.8]), np.array([3.0, 3.5, 1.0]), B]
    lots = np.random.default_rng(0)
    assert np.array_equal(shortened(detour, SLIDES, Boxes([]).free, lots), [A, B])
    room = Boxes(GAP)
    short = shortened(detour, SLIDES, room.free, lots)
    assert duration(short) < 0.9 * duration(detour)
    assert len(room.asked) <= 3 * MOST_CUTS + 2 * 10
    assert np.array_equal(shortened([A, B], SLIDES, room.free, lots), [A, B])


def test_a_way_that_cannot_be_shortened_stays() -> None:
    corner = [np.array([0.0, 0.0, 0.0]), np.array([0.0, 4.0, 0.0]), np.array([4.0, 4.0, 0.0])]
    kept = shortened(corner, SLIDES, lambda a, b: False, np.random.default_rng(0))
    assert np.array_equal(kept, corner)


numbers = st.floats(0.0, 1.0)
blocks = st.lists(st.tuples(numbers, numbers, numbers, numbers, numbers, numbers), max_size=8)


@settings(max_examples=examples(60), deadline=None)
@given(blocks, st.tuples(numbers, numbers, numbers), st.tuples(numbers, numbers, numbers))
def test_among_random_boxes_every_leg_is_free(boxes: list, first: tuple, last: tuple) -> None:
    size = np.array([4.0, 4.0, 2.0])
    start, target = np.array(first) * size, np.array(last) * size
    corners = [(np.array(box[:3]) * size, np.array(box[:3]) * size + 0.1 + np.array(box[3:])) for box in boxes]
    room = Boxes(corners)
    way = find_way(start, target, SLIDES, room.free, most_checks=1500)
    if way:
        check_way(way, room, start, target)
        assert duration([start, *way]) >= plan(start, target, SLIDES).duration - 1e-9
        assert np.array_equal(way, find_way(start, target, SLIDES, room.free, most_checks=1500))
    else:
        assert len(room.asked) == 1500
    assert math.isfinite(duration([start, *way]))

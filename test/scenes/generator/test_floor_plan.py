import numpy as np
import pytest

from vantage.scenes.generator.floor_plan import has_room_for_door, leads_to, plan_rooms
from vantage.scenes.generator.home_layout import ROOM_KINDS, room_program
from vantage.scenes.generator.planned_rooms import PlannedRoom, shared_wall


@pytest.fixture(scope="module")
def plans():
    return {count: plan_rooms(np.random.default_rng([7, count]), count) for count in range(1, 11)}


def test_plans_fill_a_rectangle_about_the_origin_without_overlap(plans):
    for count, plan in plans.items():
        assert len(plan) == count
        low, high = np.array([room.low for room in plan]), np.array([room.high for room in plan])
        outer = high.max(axis=0) - low.min(axis=0)
        assert np.prod(high - low, axis=1).sum() == pytest.approx(np.prod(outer), rel=1e-6)
        np.testing.assert_allclose(high.max(axis=0) + low.min(axis=0), 0.0, atol=1e-3)
        for j in range(count):
            for k in range(j):
                shared = np.minimum(high[j], high[k]) - np.maximum(low[j], low[k])
                assert shared.min() <= 1e-6


def test_rooms_have_the_sizes_of_their_kinds(plans):
    for count, plan in plans.items():
        for room in plan if count > 1 else ():
            sides = np.subtract(room.inner_high, room.inner_low)
            kind = ROOM_KINDS[room.label]
            assert kind.area[0] <= np.prod(sides) <= kind.area[1]
            assert sides.min() >= kind.side - 1e-9


def test_programmes_begin_with_what_every_home_has():
    rng = np.random.default_rng(0)
    for rooms in range(1, 11):
        kinds = room_program(rng, rooms)
        assert len(kinds) == rooms
        assert all(kind in ROOM_KINDS for kind in kinds)
    assert set(room_program(rng, 5)) == {"hall", "living room", "kitchen", "bathroom", "bedroom"}
    assert {room_program(rng, 1)[0] for _ in range(20)} == {"living room", "bedroom", "office"}


def test_walls_are_shared_where_rooms_touch():
    left = PlannedRoom("kitchen", (0.0, 0.0), (3.0, 4.0))
    right = PlannedRoom("bedroom", (3.0, 1.0), (6.0, 5.0))
    wall = shared_wall(left, right)
    assert (wall.axis, wall.at) == (0, 3.0)
    assert (wall.low, wall.high) == pytest.approx((1.05, 3.95))
    assert shared_wall(right, left) == wall
    assert has_room_for_door(left, right)
    assert shared_wall(left, PlannedRoom("bedroom", (3.0, 4.0), (6.0, 5.0))) is None  # corner to corner
    assert not has_room_for_door(left, PlannedRoom("bedroom", (3.0, 3.0), (6.0, 5.0)))


def test_nobody_walks_through_bedrooms():
    hall = PlannedRoom("hall", (0.0, 0.0), (3.0, 2.0))
    bedroom = PlannedRoom("bedroom", (3.0, 0.0), (6.0, 4.0))
    bathroom = PlannedRoom("bathroom", (6.0, 0.0), (8.0, 4.0))
    assert leads_to((hall, bedroom)) == ((0, 1),)
    assert leads_to((hall, bedroom, bathroom)) is None
    kitchen = PlannedRoom("kitchen", (3.0, 0.0), (6.0, 4.0))
    assert leads_to((hall, kitchen, bathroom)) == ((0, 1), (1, 2))

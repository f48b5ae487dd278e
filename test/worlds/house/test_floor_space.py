"""Where the robot can stand in a home, as its specification has it."""

import math
from dataclasses import replace

import pytest
from touch_home import touch_home

from vantage.worlds.house.floor_space import HomePlace
from vantage.worlds.limits import MotionLimits

pytestmark = pytest.mark.needs("house")

RADIUS, BODY, HEIGHT = 0.22, 0.15, 1.4


@pytest.fixture(scope="module")
def place():
    limits = MotionLimits((-2.28, -2.28, HEIGHT - 0.001), (2.28, 2.28, HEIGHT + 0.001))
    return HomePlace(touch_home(), limits, RADIUS, BODY)


def test_it_stands_where_nothing_is_up_to_its_camera(place):
    assert place.is_free(0.0, 0.0)
    for x, y in ((1.2, 0.0), (1.2, 0.75), (0.0, 2.1), (2.4, 0.0), (9.0, 0.0)):
        assert not place.is_free(x, y), (x, y)
    assert place.is_inside(0.0, 0.0)
    assert not place.is_inside(3.0, 0.0)


def test_the_nearest_free_place_is_beside_the_table(place):
    x, y = place.nearest_free(1.0, 0.0)
    assert place.is_free(x, y)
    assert abs(x - (1.2 - 0.35 - RADIUS - 0.02)) < 0.08
    assert abs(y) < 0.3
    assert place.nearest_free(float("nan"), 0.0) is None


def test_labellers_ask_for_a_sphere_around_the_camera(place):
    """Where that sphere is free the robot below it can stand, at the camera's height alone."""
    assert place.occupancy.sphere_free((0.0, 0.0, HEIGHT), BODY)
    assert not place.occupancy.sphere_free((1.2, 0.0, HEIGHT), BODY)
    free = place.occupancy.centers()[place.occupancy.free_centers(BODY)]
    level = free[abs(free[:, 2] - HEIGHT) < 1e-9]
    assert len(level) > 1000
    assert all(place.is_free(x, y) for x, y, _ in level[::97])
    assert place.space.problem((0.0, 0.0, HEIGHT)) is None
    assert place.scene.floor == 0.0
    assert place.graph.nodes


def test_starts_have_much_room_around_them(place):
    start = next(place.roomy_starts())
    assert start.z == HEIGHT
    assert place.is_free(start.x, start.y)
    assert start.x < 0.3


def test_a_view_begins_at_the_nearest_place_where_the_robot_can_stand(place):
    free = next(place.roomy_starts())
    assert place.nearest_start(replace(free, z=0.9)) == free, "at its own height"
    up = place.nearest_start(replace(free, pitch=math.pi))
    assert up.pitch == place.limits.pitch_max
    outside = replace(free, x=50.0)
    near = place.nearest_start(outside)
    assert place.is_free(near.x, near.y)
    assert (near.x, near.y) == place.nearest_free(outside.x, outside.y)
    assert place.nearest_start(replace(free, x=math.nan)) is None

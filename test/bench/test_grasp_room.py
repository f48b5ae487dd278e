"""Where two fingers have room around a thing, by geometry; and that no arm reaches through a wall."""

from dataclasses import replace

import pytest

pytest.importorskip("mujoco", reason="MuJoCo is not installed; run: make setup WITH=house")

from touch_home import BLOCK, BOOK, MUG, TOP, touch_home

from vantage.bench.grasp_room import GraspRoom, is_narrow, pinches
from vantage.planning.skills import HouseBody, NearlyFree, within_reach
from vantage.worlds.house import load_robot

pytestmark = pytest.mark.needs("house")


def anywhere(*hand):
    return True


def home_with(**places):
    """The home of ``touch_home`` with some things elsewhere."""
    home = touch_home()
    at = {int(key[1:]): place for key, place in places.items()}
    objects = tuple(replace(obj, position=at.get(obj.instance_id, obj.position)) for obj in home.objects)
    return replace(home, objects=objects), {obj.instance_id: obj for obj in objects}


def test_what_stands_free_has_room_and_what_is_wide_or_flat_has_no_sides():
    home, things = home_with()
    room = GraspRoom(home, load_robot())
    assert room.has_grasp(things[BLOCK], anywhere)
    assert room.has_grasp(things[MUG], anywhere)
    assert not is_narrow(things[BOOK], 0.12)  # 15 x 20 cm
    assert not list(pinches(things[BOOK], 0.12))


def test_between_neighbours_or_out_of_reach_there_is_no_room():
    home, things = home_with(_10=(1.0, 0.0, TOP), _11=(1.0, 0.072, TOP), _12=(1.0, -0.132, TOP), _13=(1.142, 0.0, TOP))
    walled = replace(things[BLOCK], instance_id=40, position=(0.938, 0.0, TOP))
    tall = [replace(part, size=(0.06, 0.2, 0.3), center=(0.0, 0.0, 0.15)) for part in walled.parts]
    home = replace(home, objects=(*home.objects, replace(walled, parts=tuple(tall))))
    room = GraspRoom(home, load_robot())
    assert not room.has_grasp(things[BLOCK], anywhere)
    free, others = home_with()
    assert not GraspRoom(free, load_robot()).has_grasp(others[BLOCK], lambda *hand: False)


class Floor:
    """Free everywhere."""

    def is_free(self, x, y):
        return True

    def nearest_free(self, x, y):
        return x, y


def test_no_arm_reaches_through_a_wall():
    body, point = HouseBody(), (0.0, 0.0, 0.8)
    assert within_reach(body, Floor(), point)
    assert within_reach(body, Floor(), point, is_open=lambda at: at[0] > 0.0)
    assert not within_reach(body, Floor(), point, is_open=lambda at: False)


class Grid(Floor):
    asked = 0

    def nearest_free(self, x, y):
        self.asked += 1
        return round(x), round(y)


def test_a_place_is_nearly_free_within_a_few_centimetres_and_asked_for_once():
    grid = Grid()
    nearly = NearlyFree(grid)
    assert nearly.is_free(1.04, 2.0)
    assert not nearly.is_free(1.07, 2.0)
    asked = grid.asked
    assert nearly.is_free(1.04, 2.0)
    assert grid.asked == asked

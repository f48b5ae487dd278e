import math

import pytest

from vantage.errors import UnknownNameError
from vantage.planning.actions import GantryActions
from vantage.spatial import Viewpoint, wrap_angle

SPACE = GantryActions(0.25, math.pi / 6)
START = Viewpoint(1.0, 2.0, 1.2, 0.5, 0.0)


@pytest.mark.parametrize("name", [name for name in GantryActions.names if name.endswith("+")])
def test_opposite_actions_cancel(name):
    there = SPACE.apply(name, START)
    back = SPACE.apply(name[:-1] + "-", there)
    assert there != START
    assert back.distance(START) < 1e-12
    assert back.yaw == pytest.approx(START.yaw)
    assert back.pitch == pytest.approx(START.pitch)


def test_translations_do_not_depend_on_the_heading():
    assert SPACE.apply("x+", START).x == START.x + 0.25
    assert SPACE.apply("z-", START).z == START.z - 0.25


def test_twelve_turns_are_a_circle():
    viewpoint = START
    for _ in range(12):
        viewpoint = SPACE.apply("yaw+", viewpoint)
        assert -math.pi < viewpoint.yaw <= math.pi
    assert abs(wrap_angle(viewpoint.yaw - START.yaw)) < 1e-9


def test_bad_input():
    with pytest.raises(UnknownNameError, match=r"did you mean 'yaw\+'|did you mean 'yaw-'"):
        SPACE.apply("yaw", START)
    with pytest.raises(ValueError, match="positive translation"):
        GantryActions(0.0, 1.0)


def test_actions_are_replayed_one_after_the_other() -> None:
    space, start = GantryActions(0.25, math.pi / 6), Viewpoint(1.0, 2.0, 1.0, 0.0, 0.0)
    way = space.replay(start, ("x+", "yaw-", "z-"))
    assert way[0] == start
    assert way == [start, *(space.apply(name, before) for name, before in zip(("x+", "yaw-", "z-"), way, strict=False))]
    assert way[-1] == Viewpoint(1.25, 2.0, 0.75, -math.pi / 6, 0.0)
    assert space.replay(start, ()) == [start]

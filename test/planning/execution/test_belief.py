"""What a robot believes that it can lift, as far as it sees."""

from __future__ import annotations

import pytest
from drawn_room import TABLE_TOP, empty_room, put, seen_from

from vantage.planning.execution import believed

ON_TABLE, ON_WALL = 60, 61


@pytest.fixture(scope="module")
def light() -> tuple[str, ...]:
    world = empty_room()
    put(world, ON_TABLE, "clock", 1.6, 1.5, TABLE_TOP, "red", "plastic", (0.15, 0.1, 0.15))
    world.add(ON_WALL, "clock", (2.0, 3.96, 1.4), (2.3, 4.0, 1.7), "white", "plastic")
    return believed(seen_from(world).memory).light


def test_a_clock_that_stands_is_lifted_and_one_on_a_wall_is_not(light: tuple[str, ...]) -> None:
    assert f"clock_{ON_TABLE}" in light
    assert f"clock_{ON_WALL}" not in light


def test_furniture_is_not_lifted(light: tuple[str, ...]) -> None:
    assert not [name for name in light if name.startswith(("table", "bed", "cabinet"))]

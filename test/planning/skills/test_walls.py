"""What is behind a wall is reached from its other side, as far as the wall was seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from toy_home import ToyBody

from vantage.perception.map import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.skills.approach import DOWN, approaches, is_walled_off
from vantage.planning.skills.going_near import nearest_known

WALL = slice(39, 41)  # of voxels: from 1.95 to 2.05 m


class _Floor:
    """Where the base stands: on one side of the wall."""

    def stands(self, place: tuple[float, float]) -> bool:
        return place[0] < 1.75

    def cost(self, place: tuple[float, float]) -> float:
        return 0.0

    def room(self, place: tuple[float, float]) -> float:
        return 1.0

    def line_is_free(self, start: tuple[float, float], end: tuple[float, float]) -> bool:
        return True


@dataclass
class _Room:
    coverage: CoverageMap | None
    body: ToyBody
    floor: _Floor
    floor_level: float = 0.0


def room(first: float = 0.0, last: float = 1.6) -> _Room:
    """A wall along y at x = 2 m, of which the part between two heights was seen, m."""
    space = CoverageMap((0.0, 0.0, 0.0), (4.0, 4.0, 1.6), 0.05)
    states = space._states
    states[:] = FREE
    states[WALL] = UNKNOWN
    states[WALL, :, round(first / 0.05) : round(last / 0.05)] = OCCUPIED
    return _Room(space, ToyBody(), _Floor())


def test_a_wall_is_in_the_way_and_a_board_is_not() -> None:
    assert is_walled_off(room(), (1.5, 2.0), (2.5, 2.0, 0.6))
    assert not is_walled_off(room(), (1.2, 2.0), (1.8, 2.0, 0.6)), "both on one side"
    assert not is_walled_off(room(0.5, 0.55), (1.5, 2.0), (2.5, 2.0, 0.6))


def test_a_wall_of_which_furniture_hides_the_lower_part_is_one() -> None:
    assert is_walled_off(room(0.9), (1.5, 2.0), (2.5, 2.0, 0.6))


def test_what_a_tall_thing_itself_fills_does_not_count() -> None:
    assert not is_walled_off(room(), (1.5, 2.0), (2.5, 2.0, 0.6), ((1.9, 1.0, 0.0), (2.6, 3.0, 1.8)))


def test_no_stand_on_the_other_side_of_a_wall_is_chosen() -> None:
    point = (2.5, 2.0, 0.6)
    assert approaches(room(), point, (DOWN,)) == []
    found = approaches(_Room(None, ToyBody(), _Floor()), point, (DOWN,))
    assert found, "without a map nothing is known to be in the way"
    assert all(0.7 < math.dist((each.x, each.y), point[:2]) < 1.0 for each in found)


def test_it_goes_on_from_where_no_wall_is_between_though_that_is_farther() -> None:
    behind, open_to_it = (1.5, 2.0), (2.4, 3.4)
    thing: Any = SimpleNamespace(center=(2.5, 2.0, 0.5), bounds_min=(2.3, 1.8, 0.0), bounds_max=(2.7, 2.2, 0.9))
    here = room()
    floor = SimpleNamespace(places=lambda: (np.array([behind, open_to_it]), np.zeros(2)))
    now: Any = SimpleNamespace(coverage=here.coverage, floor=floor, floor_level=0.0)
    assert nearest_known(now, thing, []) == open_to_it
    assert nearest_known(now, thing, [open_to_it]) == behind, "better than none"
    assert nearest_known(now, thing, [open_to_it, behind]) is None

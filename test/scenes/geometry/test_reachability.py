from dataclasses import replace

import numpy as np
import pytest

from vantage.scenes.geometry.reachability import free_floor, free_map, parted_rooms, reachable_area
from vantage.scenes.spec.spec import RoomSpec


def test_free_floor_counts_what_is_at_the_height_of_the_sphere(block, sample):
    empty = free_floor(sample(), 1.2, 0.15)
    assert empty == pytest.approx((3.7 / 4.0) ** 2, abs=0.03)
    low, tall = block(1, (0, 0, 0), (2, 2, 0.7)), block(1, (0, 0, 0), (2, 2, 2))
    assert free_floor(sample(low), 1.2, 0.15) == empty
    assert free_floor(sample(tall), 1.2, 0.15) == pytest.approx(empty - (2.3 / 4.0) ** 2, abs=0.04)
    assert free_floor(sample(block(1, (0, 0, 0), (2, 2, 1.1))), 1.2, 0.15) < empty


def test_cells_of_a_room_follow_its_outline(sample):
    corner = RoomSpec(1, "hall", ((-2, -2), (2, -2), (2, 0), (0, 0), (0, 2), (-2, 2)), 2.5)
    level = free_map(replace(sample(), rooms=(corner,)), 1.2, 0.15)
    cells = level.cells_of(corner)
    assert cells.sum() * level.step**2 == pytest.approx(12.0, abs=0.1)
    x, y = level.middles()
    assert not cells[np.ix_(x > 0, y > 0)].any()


def test_a_home_whose_doors_are_blocked_falls_apart(homes, block):
    home = homes[2]
    assert parted_rooms(home) == ()
    way = next(opening for opening in home.openings if 0 not in opening.rooms)
    middle = [0.5 * (low + high) for low, high in zip(way.low, way.high, strict=True)]
    plug = block(999, (middle[0], middle[1], 0.9), (0.9, 0.9, 0.6))
    parted = parted_rooms(replace(home, objects=(*home.objects, plug)))
    assert len(parted) == 1
    assert parted[0] in way.rooms


def test_the_reachable_area_is_that_of_the_largest_space(sample, block):
    assert reachable_area(sample()) == pytest.approx(3.7**2, abs=0.3)
    halves = sample(block(1, (0.5, 0, 0), (0.1, 4.0, 2.5)))
    assert reachable_area(halves) == pytest.approx((2.5 - 0.3) * 3.7 + 0.0, abs=0.4)
    assert reachable_area(sample(block(1, (0, 0, 0), (4.0, 4.0, 2.5)))) == 0.0

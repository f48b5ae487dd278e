"""Rays that ended at something are not cast anew while it is there, and show what they would show otherwise."""

import math

import numpy as np

from vantage.perception.map.coverage import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.view_planning.information_gain import Panorama
from vantage.planning.view_planning.ray_ends import OPEN, RayEnds
from vantage.spatial import Intrinsics

CAMERA = Intrinsics.from_fov(64, 48, 1.2)
CELLS = np.array([[2, 2, 2], [3, 2, 2], [3, 4, 1]])
POSITIONS = 0.25 * CELLS + 0.5


def test_gains_are_the_same_with_the_ends_of_earlier_rays_as_the_map_goes_on():
    looks = Panorama(CAMERA, np.arange(12) * math.pi / 6, np.array([-0.5, 0.0, 0.5]))
    rng = np.random.default_rng(5)
    coverage = CoverageMap((0, 0, 0), (4.0, 3.0, 2.4))
    coverage._states[5:25, 5:25, 3:20] = FREE
    coverage._states[24, 3:25, 3:20] = OCCUPIED
    weights = np.ones(coverage.shape, np.float32)
    ends = RayEnds((8, 8, 8), looks.directions)
    for _ in range(6):
        rows = ends.rows(CELLS)
        found = looks.gains(coverage, weights, POSITIONS, ends=(ends.table, rows))
        assert found.max() > 0.0
        assert np.array_equal(found, looks.gains(coverage, weights, POSITIONS))
        assert (ends.table[rows] != OPEN).any()
        chance = rng.random(coverage.shape)  # some of it is seen, something comes, something goes
        seen = (coverage._states == UNKNOWN) & (chance < 0.1)
        come, gone = (coverage._states == FREE) & (chance > 0.995), (coverage._states == OCCUPIED) & (chance > 0.9)
        coverage._states[seen | gone] = FREE
        coverage._states[come] = OCCUPIED


def test_positions_keep_their_rows_and_new_ones_begin_open():
    ends = RayEnds((8, 8, 8), 5)
    first = ends.rows(CELLS[:2])
    ends.table[first] = 7
    again = ends.rows(CELLS)
    assert list(again[:2]) == list(first)
    assert (ends.table[again[2]] == OPEN).all()
    assert (ends.table[again[:2]] == 7).all()


def test_the_table_does_not_grow_without_end():
    ends = RayEnds((40, 40, 40), 1)
    cells = np.argwhere(np.ones((40, 40, 40), np.bool_))
    for begin in range(0, len(cells), 300):
        rows = ends.rows(cells[begin : begin + 300])
        assert len(set(rows.tolist())) == len(rows)
    assert len(ends.table) <= 8192

"""Distances of blocks of voxels to what was seen filled, against counting them."""

import numpy as np

from vantage.perception.map.clearance import clearance
from vantage.perception.map.coverage import FREE, OCCUPIED, CoverageMap


def counted(states):
    """The distance of each block to the nearest one with something in it, by trying all pairs; 60 without any."""
    shape = [(size + 1) // 2 for size in states.shape]
    filled = np.unique(np.argwhere(states == OCCUPIED) // 2, axis=0)
    blocks = np.argwhere(np.ones(shape, np.bool_))
    if not len(filled):
        return np.full(shape, 60)
    return np.abs(blocks[:, None] - filled[None]).max(axis=2).min(axis=1).reshape(shape)


def test_blocks_know_how_far_the_next_filled_one_is():
    rng = np.random.default_rng(3)
    for share in (0.0, 0.0005, 0.003, 0.1):
        states = np.where(rng.random((21, 18, 13)) < share, OCCUPIED, FREE).astype(np.uint8)
        assert np.array_equal(clearance(states, OCCUPIED), counted(states))


def test_a_map_tells_its_clearance_anew_once_it_changed():
    coverage = CoverageMap((0, 0, 0), (2.0, 2.0, 2.0))
    assert coverage.clearance.min() == 60
    coverage._states[4, 4, 4] = OCCUPIED
    coverage.version += 1
    assert coverage.clearance[2, 2, 2] == 0
    assert coverage.clearance[5, 2, 2] == 3
    assert coverage.clearance is coverage.clearance

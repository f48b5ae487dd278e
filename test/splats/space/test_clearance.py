"""Distances to boxes against a search through all of them, and interpolation of what is linear."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vantage.splats.space.clearance import interpolate, quarter_squares


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(1, 12)] * 3), st.floats(0.001, 0.6), st.integers(0, 10**6))
def test_equals_the_smallest_of_all_distances(shape: tuple[int, int, int], share: float, seed: int) -> None:
    marked = np.random.default_rng(seed).random(shape) < share
    made = quarter_squares(marked)
    boxes = np.argwhere(marked)
    if not len(boxes):
        assert (made >= 1e29).all()
        return
    middles = np.argwhere(np.ones(shape, bool))
    gaps = np.maximum(2 * np.abs(middles[:, None] - boxes[None]) - 1, 0)  # in half voxels, to the nearest face
    assert np.array_equal(made.reshape(-1), (gaps**2).sum(-1).min(axis=1))


def test_one_marked_voxel_in_a_long_line() -> None:
    marked = np.zeros((1, 1000, 1), bool)
    marked[0, 3] = True
    expected = np.maximum(2 * np.abs(np.arange(1000) - 3) - 1, 0).astype(float) ** 2
    assert np.array_equal(quarter_squares(marked)[0, :, 0], expected)


def test_a_transposed_grid_is_read_as_it_is() -> None:
    marked = np.random.default_rng(2).random((4, 5, 6)) < 0.1
    assert np.array_equal(quarter_squares(marked.transpose(2, 0, 1)), quarter_squares(marked).transpose(2, 0, 1))


@settings(max_examples=30, deadline=None)
@given(st.tuples(*[st.floats(-3, 3)] * 4), st.integers(0, 1000))
def test_a_linear_field_is_interpolated_exactly(slope: tuple[float, float, float, float], seed: int) -> None:
    low, voxel = np.array([-1.0, 2.0, 0.5]), 0.2
    middles = low + (np.moveaxis(np.indices((5, 4, 6)), 0, -1) + 0.5) * voxel
    field = (middles @ np.array(slope[:3]) + slope[3]).astype(np.float32)
    points = np.random.default_rng(seed).uniform(middles[0, 0, 0], middles[-1, -1, -1], (20, 3))
    assert interpolate(field, low, voxel, points) == pytest.approx(points @ np.array(slope[:3]) + slope[3], abs=1e-5)


def test_beyond_the_outer_middles_the_field_stays_constant() -> None:
    field = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
    points = np.array([[-9.0, -9, -9], [9, 9, 9], [0.5, 0.5, 99]])
    assert interpolate(field, (0, 0, 0), 1.0, points).tolist() == [0, 7, 1]

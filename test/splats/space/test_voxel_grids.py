"""Connected regions against a plain flood.

Distances to boxes against a search through all of them, and interpolation of what is linear.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.splats.space.voxel_grids import fill_cavities, interpolate, quarter_squares, regions


@settings(max_examples=examples(60), deadline=None)
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


@settings(max_examples=examples(30), deadline=None)
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


def plain_regions(mask: np.ndarray, diagonal: bool) -> np.ndarray:
    steps = [s for s in itertools.product((-1, 0, 1), repeat=3) if any(s) and (diagonal or sum(map(abs, s)) == 1)]
    labels = np.zeros(mask.shape, int)
    count = 0
    for seed in map(tuple, np.argwhere(mask)):
        if labels[seed]:
            continue
        count += 1
        labels[seed] = count
        todo = [seed]
        while todo:
            at = todo.pop()
            for step in steps:
                beside = tuple(a + b for a, b in zip(at, step, strict=True))
                within = all(0 <= a < n for a, n in zip(beside, mask.shape, strict=True))
                if within and mask[beside] and not labels[beside]:
                    labels[beside] = count
                    todo.append(beside)
    return labels


@settings(max_examples=examples(60), deadline=None)
@given(st.tuples(*[st.integers(1, 9)] * 3), st.floats(0.05, 0.95), st.booleans(), st.integers(0, 10**6))
def test_equals_a_plain_flood(shape: tuple[int, int, int], share: float, diagonal: bool, seed: int) -> None:
    mask = np.random.default_rng(seed).random(shape) < share
    labels, sizes = regions(mask, diagonal=diagonal)
    expected = plain_regions(mask, diagonal)
    assert np.array_equal(labels, expected)
    assert sizes[0] == 0
    assert sizes[1:].tolist() == np.bincount(expected.reshape(-1))[1:].tolist()


def test_a_long_winding_passage_is_one_region() -> None:
    mask = np.zeros((61, 61, 3), bool)
    mask[::2, :, 1] = True
    for k in range(1, 61, 2):
        mask[k, 0 if k % 4 == 1 else 60, 1] = True
    assert regions(mask)[1].tolist() == [0, mask.sum()]


def test_a_view_that_is_not_contiguous() -> None:
    mask = np.random.default_rng(1).random((6, 7, 8)) < 0.5
    assert np.array_equal(regions(mask.transpose(2, 0, 1))[0], plain_regions(mask.transpose(2, 0, 1), False))


@pytest.mark.parametrize(("most", "filled"), [(0, []), (1, [1]), (7, [1]), (8, [1, 8])])
def test_cavities_up_to_a_size_are_filled_and_never_the_largest(most: int, filled: list[int]) -> None:
    occupied = np.ones((12, 5, 5), bool)
    cavities = {
        1: (slice(1, 2),) * 3,
        8: (slice(4, 6), slice(1, 3), slice(1, 3)),
        27: (slice(8, 11),) + (slice(1, 4),) * 2,
    }
    for place in cavities.values():
        occupied[place] = False
    fill_cavities(occupied, most)
    assert [size for size, place in cavities.items() if occupied[place].all()] == filled
    fill_cavities(occupied, 1000)
    assert not occupied[cavities[27]].any()


def test_full_and_empty_grids_stay_as_they_are() -> None:
    for value in (True, False):
        occupied = np.full((3, 4, 5), value)
        fill_cavities(occupied, 1000)
        assert (occupied == value).all()

"""Order statistics of compiled code against NumPy's, and bounds of samples drawn by hand."""

import numpy as np
import pytest

from vantage.perception.perceivers.surface_bounds import INNER, ON_BORDER, nth_smallest, surface_bounds


@pytest.mark.parametrize("count", [1, 2, 3, 12, 500])
def test_the_nth_smallest_is_that_of_sorted_values(count):
    rng = np.random.default_rng(count)
    for values in (rng.normal(size=count), rng.integers(0, 3, count).astype(float), np.zeros(count)):
        ranked = np.sort(values)
        for n in range(count):
            assert nth_smallest(values.copy(), count, n) == ranked[n]


def bounds(samples, quality, is_plane=False, size=1.0):
    count = len(samples)
    return surface_bounds(
        np.ascontiguousarray(samples, np.float64),
        np.full(count, quality, np.uint8),
        np.array([0, count]),
        np.array([count]),
        np.full((1, 2), size),
        np.array([is_plane]),
    )[0]


@pytest.mark.parametrize("count", [12, 13, 400])
def test_bounds_are_percentiles_and_across_a_plane_quartiles(count):
    rng = np.random.default_rng(count)
    samples = rng.uniform((0, 0, 0, 2), (3, 0.1, 2, 2.1), (count, 4))
    ranked = np.sort(samples[:, :3], axis=0)
    rows = [round(share * (count - 1)) for share in (0.02, 0.5, 0.98)]
    assert bounds(samples, INNER).tolist() == ranked[rows].tolist()
    plane = bounds(samples, INNER, is_plane=True)
    assert plane[:, [0, 2]].tolist() == ranked[rows][:, [0, 2]].tolist()
    assert plane[[0, 2], 1].tolist() == np.quantile(samples[:, 1], [0.25, 0.75]).tolist()


def test_no_sample_locates_nothing_and_one_locates_a_point():
    assert np.isnan(bounds(np.empty((0, 4)), INNER)).all()
    assert bounds([[1.0, 2.0, 3.0, 4.0]], ON_BORDER).tolist() == [[1.0, 2.0, 3.0]] * 3


def test_border_pixels_far_from_the_median_depth_are_left_out():
    samples = np.tile([1.0, 1.0, 1.0, 2.0], (9, 1))
    samples[0] = 5.0
    assert bounds(samples, ON_BORDER, size=0.1).tolist() == [[1.0] * 3] * 3

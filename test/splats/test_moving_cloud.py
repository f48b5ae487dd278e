"""What is missing of a surface is what a comparison of every Gaussian with every other one finds missing."""

from __future__ import annotations

import numpy as np
import pytest

from vantage.splats.cloud import GaussianCloud
from vantage.splats.moving_cloud import Region, what_is_missing

REACH = 1.2  # standard deviations within which a Gaussian covers another one of the same surface


def discs(rng: np.random.Generator, count: int, size: float) -> GaussianCloud:
    """Flat Gaussians in a box of 2 m that face along any axis."""
    turns = np.array([(1, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 0, 0)], np.float32)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return GaussianCloud(
        means=rng.uniform(-1.0, 1.0, (count, 3)).astype(np.float32),
        scales=(size * rng.uniform(0.2, 1.0, (count, 3)) * (1.0, 1.0, 0.01)).astype(np.float32),
        quaternions=turns[rng.integers(len(turns), size=count)],
        opacities=np.full(count, 0.9, np.float32),
        sh=rng.normal(size=(count, 1, 3)).astype(np.float32),
        instances=np.ones(count, np.int32),
        parts=np.zeros(count, np.int32),
    )


def covered(cloud: GaussianCloud, at: int, shown: GaussianCloud) -> bool:
    """By the definition: a surface that faces the same way is near."""
    near = np.linalg.norm(shown.means - cloud.means[at], axis=1) <= REACH * cloud.scales[at].max()
    alike = shown.rotations()[:, :, 2] @ cloud.rotations()[at, :, 2] > 0.5
    return bool((near & alike).any())


@pytest.mark.parametrize(("wanted", "shown", "size"), [(300, 500, 0.1), (130, 40, 0.5), (70, 700, 1e-3), (5, 0, 0.1)])
def test_what_is_missing_is_what_nothing_covers(wanted: int, shown: int, size: float) -> None:
    rng = np.random.default_rng(5)
    cloud, others = discs(rng, wanted, size), discs(rng, shown, size)
    same = min(wanted, shown) // 2
    others.means[:same] = cloud.means[:same]
    missing = what_is_missing(cloud, others, None)
    expected = [at for at in range(wanted) if not covered(cloud, at, others)]
    assert shown == 0 or 0 < len(expected) < wanted
    np.testing.assert_array_equal(missing.means, cloud.means[expected])
    np.testing.assert_array_equal(missing.sh, cloud.sh[expected])


def test_nothing_is_missing_of_nothing_and_beyond_the_regions() -> None:
    cloud = discs(np.random.default_rng(1), 50, 0.1)
    corner = Region(np.zeros(3), np.ones(3))
    none = cloud.select(np.zeros(0, np.int64))
    assert len(what_is_missing(none, cloud, None)) == 0
    assert len(what_is_missing(cloud, none, [])) == 0
    inside = what_is_missing(cloud, none, [corner])
    np.testing.assert_array_equal(inside.means, cloud.means[(cloud.means >= 0).all(axis=1)])
    assert 0 < len(inside) < len(cloud)

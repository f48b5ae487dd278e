"""Planes that were put into a cloud are found again; clouds without any are told apart."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from turned_rooms import blob, table_with_box

from vantage.errors import SceneError
from vantage.splats.alignment.planes import find_outer_planes, find_planes, sample_surfaces


def test_samples_lie_where_opaque_area_is() -> None:
    cloud = table_with_box()
    samples = sample_surfaces(cloud)
    assert samples.size == pytest.approx(np.sqrt(0.87**2 + 0.87**2 + 0.6**2), rel=0.03)
    plate = (np.abs(samples.points[:, 2]) < 0.02).mean()
    opaque = cloud.opacities.astype(float)
    assert plate == pytest.approx(opaque[:8000].sum() / opaque.sum(), abs=0.05)
    assert np.linalg.norm(samples.normals, axis=1) == pytest.approx(1.0)


def test_scenery_far_away_does_not_count() -> None:
    cloud = table_with_box()
    cloud.means[:2000] *= 400.0
    assert sample_surfaces(cloud).size < 2.0


def test_the_same_seed_gives_the_same_planes() -> None:
    a, b = (find_planes(sample_surfaces(table_with_box(), 3), 3) for _ in range(2))
    assert [plane.offset for plane in a] == [plane.offset for plane in b]


def test_all_faces_are_found() -> None:
    planes = find_planes(sample_surfaces(table_with_box()))
    wanted = [((0, 0, 1), 0.0), ((1, 0, 0), 0.15), ((1, 0, 0), -0.15), ((0, 1, 0), 0.1), ((0, 1, 0), -0.1)]
    for normal, offset in [*wanted, ((0, 0, 1), 0.6)]:
        signs = [np.sign(plane.normal @ normal) for plane in planes]
        assert any(
            abs(plane.normal @ normal) > 0.999 and abs(sign * plane.offset - offset) < 0.01
            for plane, sign in zip(planes, signs, strict=True)
        ), (normal, offset)
    assert sum(plane.share for plane in planes) <= 1.0


def test_outer_planes_have_all_else_above_them() -> None:
    samples = sample_surfaces(table_with_box())
    outer = find_outer_planes(samples, 0.04)
    assert outer[0].normal == pytest.approx([0, 0, 1], abs=0.01)
    assert outer[0].offset == pytest.approx(0.0, abs=0.005)
    for plane in outer:
        assert (samples.heights(plane) < -2 * samples.tolerance).mean() <= 0.06
    assert all(a.normal @ b.normal < 0.97 for a in outer for b in outer if a is not b)


def test_a_blob_has_no_outer_planes() -> None:
    assert find_outer_planes(sample_surfaces(blob()), 0.01) == []


def test_clouds_that_say_nothing() -> None:
    with pytest.raises(SceneError, match="50 Gaussians are too few"):
        sample_surfaces(blob(50))
    with pytest.raises(SceneError, match="no Gaussian of the cloud is visible"):
        sample_surfaces(dataclasses.replace(blob(), opacities=np.zeros(3000)))
    with pytest.raises(SceneError, match="no Gaussian of the cloud is visible and has an extent"):
        sample_surfaces(dataclasses.replace(blob(), scales=np.zeros((3000, 3))))
    with pytest.raises(SceneError, match="lie in one point"):
        sample_surfaces(dataclasses.replace(blob(), means=np.ones((3000, 3)), scales=np.full((3000, 3), 1e-30)))

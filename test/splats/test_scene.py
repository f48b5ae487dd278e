"""Scenes in memory: their key, their robust bounds and where they may be started."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from plain_renderer import random_cloud

from vantage.errors import SceneError
from vantage.spatial import Viewpoint
from vantage.splats.cloud import GaussianCloud
from vantage.splats.scene import START_REACH, SplatScene, check_start, checked_start_region, moved, robust_bounds

LOW, HIGH = (-1.0, -1.0, 0.0), (4.0, 4.0, 3.0)


def scene() -> SplatScene:
    return SplatScene("a", random_cloud(300, degree=1), None, LOW, HIGH, 0.0)


def test_equal_content_has_an_equal_key() -> None:
    assert scene().fingerprint == scene().fingerprint
    assert scene().fingerprint == dataclasses.replace(scene(), name="b", shows="x", floor=0.5).fingerprint
    assert len(scene().fingerprint) == 32


@pytest.mark.parametrize("part", ["means", "scales", "quaternions", "opacities", "sh", "instances"])
def test_any_change_of_a_gaussian_changes_the_key(part: str) -> None:
    cloud = scene().cloud
    values = getattr(cloud, part).copy()
    values[7] = values[8]
    changed = dataclasses.replace(scene(), cloud=dataclasses.replace(cloud, **{part: values}))
    assert changed.fingerprint != scene().fingerprint


def test_bounds_and_number_change_the_key() -> None:
    keys = {
        scene().fingerprint,
        dataclasses.replace(scene(), bounds_max=(4.0, 4.0, 3.5)).fingerprint,
        dataclasses.replace(scene(), cloud=random_cloud(299, degree=1)).fingerprint,
        dataclasses.replace(scene(), cloud=GaussianCloud.empty()).fingerprint,
        dataclasses.replace(scene(), cloud=GaussianCloud.empty(1)).fingerprint,
    }
    assert len(keys) == 5


def test_the_region_around_a_start_stays_in_the_bounds() -> None:
    start = Viewpoint(0.0, 3.9, 1.0, 0.0, 0.0)
    region = checked_start_region(None, start, LOW, HIGH, "x")
    assert region == ((-START_REACH, 3.9 - START_REACH, 1 - START_REACH), (START_REACH, 4.0, 1 + START_REACH))
    assert checked_start_region(None, None, LOW, HIGH, "x") is None


def test_a_start_lies_within_the_bounds() -> None:
    check_start(None, LOW, HIGH, "x")
    check_start(Viewpoint(4.0, -1.0, 3.0, 0.0, 0.0), LOW, HIGH, "x")
    for outside in ((9.0, 0.0, 1.0), (0.0, -1.1, 1.0), (0.0, 0.0, 3.1)):
        with pytest.raises(SceneError, match=r"x: the start .* lies outside the bounds .*; move it, or set 'bounds'"):
            check_start(Viewpoint(*outside, 0.0, 0.0), LOW, HIGH, "x")


def test_clouds_stay_within_the_range_of_numbers() -> None:
    cloud = random_cloud(5)
    assert moved(cloud, np.eye(4), 2.0, "x").means == pytest.approx(2 * cloud.means)
    with pytest.raises(SceneError, match=r"x: with 1e\+39 metres per unit"):
        moved(cloud, np.eye(4), 1e39, "x")
    far = np.eye(4)
    far[0, 3] = 1e300
    with pytest.raises(SceneError, match="choose a smaller scale and position"):
        moved(cloud, far, 1.0, "x")


def test_a_named_region_is_checked() -> None:
    named = ((0.0, 0.0, 1.0), (1.0, 1.0, 1.0))
    assert checked_start_region(named, Viewpoint(3, 3, 1, 0, 0), LOW, HIGH, "x") == named
    with pytest.raises(SceneError, match=r"x: start_region has min .* above max"):
        checked_start_region(((0.0, 0.0, 2.0), (1.0, 1.0, 1.0)), None, LOW, HIGH, "x")
    with pytest.raises(SceneError, match=r"x: start_region .* leaves the bounds .* shrink it"):
        checked_start_region(((0.0, 0.0, 1.0), (1.0, 5.0, 1.0)), None, LOW, HIGH, "x")


def test_a_cloud_without_gaussians_has_no_bounds() -> None:
    with pytest.raises(SceneError, match="without Gaussians has no extent"):
        robust_bounds(GaussianCloud.empty())


def test_bounds_of_faint_clouds() -> None:
    faint = dataclasses.replace(random_cloud(500), opacities=np.full(500, 0.01))
    low, high = robust_bounds(faint)
    assert all(a < b for a, b in zip(low, high, strict=True))

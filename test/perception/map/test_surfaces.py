"""Which surfaces were seen well enough to say what is on them, on images drawn by hand."""

import math

import numpy as np
import pytest

from vantage.perception.map.surfaces import SurfaceMap
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

CAMERA = Intrinsics.from_fov(320, 240, 1.2)
AHEAD = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)  # so that depth is x


def seen(depth, viewpoint=AHEAD, min_pixels=12, from_above=False):
    """Centres of the cells where a surface was seen, m."""
    surfaces = SurfaceMap(min_pixels)
    surfaces.add(Observation(1, viewpoint, CAMERA, np.zeros((240, 320, 3), np.uint8), depth.astype(np.float32)))
    cells, first = surfaces.cells((-6.0, -6.0, -1.3), (6.0, 6.0, 1.9), from_above)
    return first + np.argwhere(cells) * 0.05


def level(height, viewpoint):
    """Depth of the level plane at a height below the camera."""
    x, y = np.meshgrid((np.arange(320) + 0.5 - CAMERA.cx) / CAMERA.fx, (np.arange(240) + 0.5 - CAMERA.cy) / CAMERA.fy)
    down = (np.stack([x, y, np.ones_like(x)], axis=-1) @ viewpoint.T_world_camera_optical()[:3, :3].T)[..., 2]
    return np.where(down < -0.05, (height - viewpoint.z) / np.minimum(down, -0.05), np.nan)


def test_depth_that_leads_from_one_surface_to_another_is_no_surface():
    depth = np.full((240, 320), 3.0)
    depth[:, :150] = 1.2
    depth[:, 150:170] = np.geomspace(1.2, 3.0, 22)[1:-1]  # by 4 % a column: neither a jump nor a bend
    cells = seen(depth)
    assert len(cells) > 500
    between = (cells[:, 0] > 1.3) & (cells[:, 0] < 2.85)
    assert not between.any()
    depth[:, 150:170] = 1.2
    assert len(seen(depth)) >= len(cells)


def test_a_table_top_at_an_angle_is_a_surface():
    viewpoint = Viewpoint(0.0, 0.0, 1.4, 0.0, -0.5)
    cells = seen(level(0.7, viewpoint), viewpoint, from_above=True)
    assert {round(z, 2) for z in np.unique(cells[:, 2])} <= {0.68, 0.72, 0.67, 0.73}
    assert cells[:, 0].max() - cells[:, 0].min() > 0.8


@pytest.mark.parametrize("min_pixels", [12, 60])
def test_a_surface_counts_from_where_a_thing_of_6_cm_covers_enough_pixels(min_pixels):
    reach = SurfaceMap(min_pixels).reach(CAMERA)
    assert (CAMERA.fx * 0.06 / reach) ** 2 == pytest.approx(min_pixels)
    for depth, counts in ((0.98 * reach, True), (1.02 * reach, False)):
        assert bool(len(seen(np.full((240, 320), depth), min_pixels=min_pixels))) is counts


def test_from_above_a_surface_counts_the_farther_the_steeper_it_is_looked_at():
    steep, low = Viewpoint(0.0, 0.0, 1.8, 0.0, -1.2), Viewpoint(0.0, 0.0, 1.0, 0.0, -0.2)
    found = []
    for viewpoint in (steep, low):
        cells = seen(level(0.5, viewpoint), viewpoint, from_above=True)
        found.append(max((math.dist(cell, viewpoint.position) for cell in cells), default=0.0))
    assert found[0] > 1.5
    assert found[1] < SurfaceMap(12).reach(CAMERA)
    assert len(seen(level(0.5, low), low)) > len(seen(level(0.5, low), low, from_above=True))


def test_an_underside_shows_nothing_of_what_is_on_top():
    viewpoint = Viewpoint(0.0, 0.0, 0.5, 0.0, 0.6)
    x, y = np.meshgrid((np.arange(320) + 0.5 - CAMERA.cx) / CAMERA.fx, (np.arange(240) + 0.5 - CAMERA.cy) / CAMERA.fy)
    up = (np.stack([x, y, np.ones_like(x)], axis=-1) @ viewpoint.T_world_camera_optical()[:3, :3].T)[..., 2]
    depth = np.where(up > 0.1, 0.4 / np.maximum(up, 0.1), np.nan)
    assert len(seen(depth, viewpoint)) > 50
    assert len(seen(depth, viewpoint, from_above=True)) == 0

"""Where the surfaces of instances lie, on images drawn by hand: mixed depths, outliers, planes."""

import numpy as np
import pytest

from vantage.perception.perceivers.instance_pixels import instance_pixels
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

CAMERA = Intrinsics.from_fov(320, 240, 1.2)
AHEAD = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)  # so that depth is x
OBJECT, WALL = 7, 1
ROWS = slice(100, 140)


def image():
    """A wall 4 m ahead."""
    return np.full((240, 320), WALL, np.int32), np.full((240, 320), 4.0, np.float32)


def located(ids, depth, key=OBJECT, planes=frozenset()):
    """Least, middle and greatest x of an instance."""
    observation = Observation(1, AHEAD, CAMERA, np.zeros((240, 320, 3), np.uint8), depth, ids)
    found = instance_pixels(observation, frozenset({key}), 12, planes)
    assert found.ids.tolist() == [key]
    return found.bounds[0, :, 0]


def test_depth_that_leads_from_one_surface_to_another_locates_nothing():
    """As at a blurred edge: 20 columns over which the depth grows by 4 % each, without a jump and without a bend."""
    ids, depth = image()
    ids[ROWS, 150:190] = OBJECT
    depth[ROWS, 150:190] = 1.8
    clean = located(ids, depth)
    ids[ROWS, 190:210] = OBJECT
    depth[ROWS, 190:210] = 1.8 * 1.04 ** np.arange(1, 21)
    assert located(ids, depth) == pytest.approx(clean, abs=0.02)
    assert clean == pytest.approx(1.8, abs=1e-4)


def test_a_surface_at_an_angle_is_none_of_that():
    ids, depth = image()
    ids[ROWS, 120:200] = OBJECT
    columns = (np.arange(120, 200) + 0.5 - CAMERA.cx) / CAMERA.fx
    depth[ROWS, 120:200] = 2.0 / (1.0 - columns)  # the plane x + y = 2 m, seen at 45 degrees
    low, _, high = located(ids, depth)
    assert low == pytest.approx(depth[100, 120], abs=0.06)
    assert high == pytest.approx(depth[100, 199], abs=0.06)


@pytest.mark.parametrize(("apart", "kept"), [(0.15, True), (1.5, False), (-0.1, True), (-0.7, False)])
def test_what_lies_farther_off_than_a_object_is_large_is_left_out(apart, kept):
    """An object of 35 cm, and a strip that is 8 % of it and as clean as the rest."""
    ids, depth = image()
    ids[ROWS, 150:190] = OBJECT
    depth[ROWS, 150:190] = 2.0
    depth[ROWS, 150:156] = 2.0 + apart
    low, middle, high = located(ids, depth)
    assert middle == pytest.approx(2.0, abs=1e-4)
    expected = sorted((2.0, 2.0 + apart)) if kept else (2.0, 2.0)
    assert (low, high) == pytest.approx(tuple(expected), abs=1e-4)


def test_planes_are_thin():
    """What stands before a wall and is taken for part of it does not make it thick, wherever it is seen along it."""
    ids, depth = image()
    depth[80:160, 40:100] = 3.4
    as_object = located(ids, depth, WALL)
    as_plane = located(ids, depth, WALL, frozenset({WALL}))
    assert as_object == pytest.approx((3.4, 4.0, 4.0), abs=1e-4)
    assert as_plane == pytest.approx((4.0, 4.0, 4.0), abs=1e-4)


def test_a_plane_is_as_wide_as_it_was_seen():
    observation = Observation(1, AHEAD, CAMERA, np.zeros((240, 320, 3), np.uint8), image()[1], image()[0])
    free, thin = (instance_pixels(observation, frozenset({WALL}), 12, planes) for planes in (frozenset(), {WALL}))
    assert (free.bounds[0, :, 1:] == thin.bounds[0, :, 1:]).all()

"""Depth and ids of fewer pixels than the picture lead to the same objects, told in pixels of the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from box_world import LENS, BoxWorld
from painted_boxes import AHEAD, painted, table_with_objects

from vantage.errors import VantageError
from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_scene import expected_pixels
from vantage.perception.map.surface_inspection import SurfaceMap
from vantage.perception.perceivers.boxes import FoundBox, located
from vantage.perception.perceivers.instance_pixels import instance_pixels
from vantage.perception.perceivers.ocr import _depth_at
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.spatial import Intrinsics
from vantage.types import Observation

SIZES = [(160, 120), (200, 150), (107, 80)]


def pair(world: BoxWorld, size: tuple[int, int] = SIZES[0]) -> tuple[Observation, Observation]:
    """A view, and the same with fewer pixels of depth and ids."""
    whole = world.observe(AHEAD)
    small = Intrinsics.from_fov(*size, LENS.horizontal_fov)
    few = world.observe(AHEAD, small)
    return whole, replace(whole, depth=few.depth, instances=few.instances, depth_intrinsics=small)


@pytest.mark.parametrize("size", SIZES)
def test_the_same_objects_are_found_with_boxes_and_pixels_of_the_picture(size: tuple[int, int]) -> None:
    whole, few = pair(table_with_objects(), size)
    expected = {each.label: each for each in PrivilegedPerceiver(60).perceive(whole)}
    found = {each.label: each for each in PrivilegedPerceiver(60).perceive(few)}
    assert found.keys() == expected.keys()
    slack = 2 * LENS.width / size[0]
    for label, each in found.items():
        wanted = expected[label]
        assert each.pixels == pytest.approx(wanted.pixels, rel=0.12), label
        assert np.abs(np.subtract(each.box, wanted.box)).max() <= slack, label
        assert each.truncated == wanted.truncated
        if label in ("box", "book"):
            np.testing.assert_allclose(each.center, wanted.center, atol=0.03)
            np.testing.assert_allclose(each.bounds_min, wanted.bounds_min, atol=0.05)
            np.testing.assert_allclose(each.bounds_max, wanted.bounds_max, atol=0.08)
        x, y, width, height = each.box
        assert 0 <= x < x + width <= LENS.width
        assert 0 <= y < y + height <= LENS.height


def test_the_least_number_of_pixels_is_of_the_picture() -> None:
    world = BoxWorld()
    world.add(1, "wall", (4.0, -3.0, 0.0), (4.1, 3.0, 2.5))
    world.add(2, "cup", (2.0, -0.04, 0.96), (2.1, 0.04, 1.04), "red")
    whole, few = pair(world)
    pixels = int((whole.instances == 2).sum())
    assert (few.instances == 2).sum() < pixels / 3
    for seen in (whole, few):
        assert "cup" in {each.label for each in PrivilegedPerceiver(round(0.6 * pixels)).perceive(seen)}
        assert "cup" not in {each.label for each in PrivilegedPerceiver(round(1.6 * pixels)).perceive(seen)}


def test_nothing_changes_where_depth_has_the_size_of_the_picture() -> None:
    whole, _ = pair(table_with_objects())
    same = replace(whole, depth_intrinsics=whole.intrinsics)
    assert PrivilegedPerceiver(60).perceive(same) == PrivilegedPerceiver(60).perceive(whole)
    one, other = (instance_pixels(seen, frozenset(range(1, 6)), 20) for seen in (same, whole))
    for name in ("ids", "pixels", "boxes", "bounds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_boxes_in_the_picture_are_located_by_smaller_depth() -> None:
    whole, few = pair(table_with_objects())
    boxes = {each.label: each.box for each in PrivilegedPerceiver(60).perceive(whole)}
    told = [FoundBox(label, 0.9, boxes[label]) for label in ("box", "book")]
    expected = {each.label: each for each in located(painted(whole), told, 60)}
    view = replace(painted(whole), depth=few.depth, depth_intrinsics=few.depth_intrinsics)
    found = {each.label: each for each in located(view, told, 60)}
    for label in ("box", "book"):
        assert found[label].box == boxes[label]
        assert found[label].color == expected[label].color
        assert found[label].pixels == pytest.approx(expected[label].pixels, rel=0.1)
        np.testing.assert_allclose(found[label].center, expected[label].center, atol=0.03)
        np.testing.assert_allclose(found[label].bounds_min, expected[label].bounds_min, atol=0.05)


def test_depth_at_a_pixel_of_the_picture_is_that_of_the_pixel_around_it() -> None:
    whole, few = pair(table_with_objects())
    for x, y in ((10.5, 200.2), (160.0, 120.0), (319.9, 239.9), (55.1, 130.7)):
        at = np.array([x, y])
        assert _depth_at(at, few) == few.depth[int(y) // 2, int(x) // 2]
        assert _depth_at(at, few) == pytest.approx(_depth_at(at, whole), rel=0.05)
    assert np.isnan(_depth_at(np.array([320.0, 10.0]), few))
    np.testing.assert_array_equal(few.color_depth, np.repeat(np.repeat(few.depth, 2, 0), 2, 1))
    assert whole.color_depth is whole.depth


def test_maps_take_smaller_depth() -> None:
    whole, few = pair(table_with_objects())
    maps = [CoverageMap((-1.0, -3.0, -0.2), (4.2, 3.0, 2.6), voxel=0.1) for _ in range(2)]
    for coverage, seen in zip(maps, (whole, few), strict=True):
        coverage.add(seen)
    assert maps[1].known_fraction == pytest.approx(maps[0].known_fraction, rel=0.05)
    lows, highs = np.array([[1.9, -0.4, 0.7]]), np.array([[2.2, -0.1, 0.95]])
    expected, found = (expected_pixels(seen, lows, highs) for seen in (whole, few))
    assert found[0] == pytest.approx(expected[0], rel=0.1)
    seen_cells = []
    for seen in (whole, few):
        surfaces = SurfaceMap(60)
        surfaces.add(seen)
        seen_cells.append(surfaces.cells((1.6, -0.8, 0.6), (2.6, 0.8, 0.7), True)[0].sum())
    assert seen_cells[1] == pytest.approx(seen_cells[0], rel=0.2)


def test_images_of_other_sizes_than_their_cameras_are_refused() -> None:
    whole, few = pair(table_with_objects())
    with pytest.raises(VantageError, match=r"must have the size \(120, 160\) of their camera"):
        PrivilegedPerceiver(60).perceive(replace(few, depth=whole.depth))
    with pytest.raises(VantageError, match="must have the size"):
        PrivilegedPerceiver(60).perceive(replace(few, depth_intrinsics=None))

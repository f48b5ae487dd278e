"""Where a body gets to: rooms with and without holes, single objects, closets, and how far it is to what is solid.

How enclosed places are: in the open, before a wall, in a box with and without a lid.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from plain_renderer import random_cloud
from row_tables import each_row
from sampling import examples
from shell_capture import RADIUS, discs, haze, shell
from small_room import HIGH, LOW, small_room

from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.scene_file import SplatScene, robust_bounds
from vantage.splats.space.free_space import FreeSpace, enclosure, find_free_space


def test_nothing_encloses_nothing() -> None:
    assert not enclosure(np.zeros((5, 6, 7), bool)).any()


def test_a_closed_box_encloses_its_inside_and_not_what_is_outside() -> None:
    blocked = np.zeros((40, 40, 40), bool)
    blocked[8:32, 8:32, 8:32] = True
    blocked[11:29, 11:29, 11:29] = False
    share = enclosure(blocked)
    assert share[12:28, 12:28, 12:28] == pytest.approx(1.0, abs=1e-5)
    outside = np.ones_like(blocked)
    outside[8:32, 8:32, 8:32] = False
    assert share[outside].max() < 0.5


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("end", [slice(0, 3), slice(-3, None)])
def test_a_wide_wall_fills_half_of_the_view_at_most(axis: int, end: slice) -> None:
    blocked = np.zeros((61, 61, 61), bool)
    blocked[tuple(end if k == axis else slice(None) for k in range(3))] = True
    share = enclosure(blocked)
    free = share[~blocked]
    assert free.max() < 0.5
    close = np.take(share, 3 if end.start == 0 else 57, axis=axis)
    assert close[20:40, 20:40].min() > 0.35


def test_a_box_without_a_lid_is_open_upwards_only() -> None:
    """A square of half side a at a height h takes 4 asin(a^2 / (a^2 + h^2)) of the 4 pi around."""
    blocked = np.zeros((27, 27, 20), bool)
    blocked[:3], blocked[-3:], blocked[:, :3], blocked[:, -3:], blocked[:, :, :3] = True, True, True, True, True
    share = enclosure(blocked)[13, 13, 3:]
    assert (np.diff(share) <= 1e-6).all()
    squares = (20 - (np.arange(3, 20) + 0.5)) ** 2
    exact = 1 - np.arcsin(10.5**2 / (10.5**2 + squares)) / np.pi
    assert share[:14] == pytest.approx(exact[:14], abs=0.12)  # on an axis, directions come and go eight at a time
    assert np.abs(share - exact)[:14].mean() < 0.04


def test_the_shares_do_not_depend_on_how_the_grid_is_turned() -> None:
    blocked = np.random.default_rng(0).random((9, 10, 11)) < 0.05
    share = enclosure(blocked)
    assert enclosure(blocked[::-1])[::-1] == pytest.approx(share, abs=0.02)
    assert enclosure(blocked.transpose(1, 2, 0)) == pytest.approx(share.transpose(1, 2, 0), abs=0.02)


BODY, VOXEL = 0.15, 0.1
AROUND = ((-4.0, -4.0, -3.0), (4.0, 4.0, 3.0))
LENS = Intrinsics.from_fov(96, 72, 1.2)


def capture(cloud: GaussianCloud, start: Any = None, **changes: Any) -> SplatScene:
    low, high = AROUND
    view = None if start is None else Viewpoint(*start, 0.0, 0.0)
    return SplatScene("capture", cloud, None, low, high, low[2], view, **changes)


def space_of(scene: SplatScene, radius: float = BODY) -> FreeSpace:
    return find_free_space(scene, VOXEL, radius)


def wall(x: float, hole: float = 0.0, size: float = 4.0) -> GaussianCloud:
    """An opaque square wall across x, with a square hole of about half width ``hole`` in its middle, m."""
    line = np.arange(-size, size + 0.01, 0.1)
    points = np.array([(x, y, z) for y in line for z in line if hole == 0 or max(abs(y), abs(z)) > hole + 0.05])
    return discs(points, np.tile([1.0, 0, 0], (len(points), 1)), 0.05, 1e-3, 0.95)


@pytest.fixture(scope="module")
def room() -> FreeSpace:
    cloud, graph = small_room()
    return find_free_space(SplatScene("room", cloud, graph, LOW, HIGH, 0.0), VOXEL, BODY)


def test_a_room_is_free_where_nothing_is_solid(room: FreeSpace) -> None:
    assert room.indoors
    assert np.array_equal(room.places, room.solid.free_centers(BODY))
    assert np.array_equal(room.grid.free_centers(BODY), room.places)


@each_row("toward", [(1, 0, 0), (1, 0.5, 0.3), (1, 1, 1), (0, -0.2, 1)])
@each_row("hole", [0.0, 0.1, 0.14, 0.3, 0.8, 1.2])
def test_no_way_leads_out_of_a_captured_room(toward: tuple[float, float, float], hole: float) -> None:
    space = space_of(capture(concatenate([shell(hole, toward), haze()]), (0.0, 0.0, 0.0)))
    assert space.indoors
    distance = np.linalg.norm(space.solid.centers(), axis=-1)
    assert distance[space.places].max() < RADIUS + 0.2  # within the wall at most
    assert space.places[distance < 1.5].mean() > 0.99
    axis = np.array(toward) / np.linalg.norm(toward)
    for outside in (2.4, 2.8):
        assert not space.grid.sphere_free(outside * axis, BODY)
        assert not space.grid.path_free((0, 0, 0), outside * axis, BODY)
        assert not space.penetrates(outside * axis)
        assert "no way leads there from the inside of the scene" in str(space.problem(outside * axis))
    assert space.grid.path_free((0, 0, 0), 1.5 * axis, BODY)


def test_the_hole_is_large_enough_to_fly_through_where_nothing_limits_it() -> None:
    """Without the rule, the body would leave: the solid voxels alone do not stop it."""
    space = space_of(capture(shell(0.8), (0.0, 0.0, 0.0)))
    assert space.solid.path_free((0, 0, 0), (3.0, 0, 0), BODY)
    assert not space.grid.path_free((0, 0, 0), (3.0, 0, 0), BODY)


def test_outside_of_the_shell_the_flight_is_free_and_does_not_lead_in_through_a_small_hole() -> None:
    for hole, leads_in in ((0.1, False), (0.5, True)):
        space = space_of(capture(shell(hole), (3.0, 0.0, 0.0)))
        assert not space.indoors
        assert space.grid.sphere_free((0, 3, 0), BODY)
        assert space.grid.sphere_free((0, 0, 0), BODY) == leads_in


def test_around_a_single_object_the_bounds_alone_limit_the_flight() -> None:
    obj = shell(0.0).transformed(np.eye(4), 0.2)
    space = space_of(capture(obj, (2.0, 0.0, 0.0)))
    assert not space.indoors
    assert np.array_equal(space.places, space.solid.free_centers(BODY))
    assert not space.solid.sphere_free((0, 0, 0), 0.05)  # a hollow of 0.27 m3 is its inside


@pytest.mark.parametrize("x", [1.0, -1.0])
def test_the_start_chooses_the_side_of_a_wall(x: float) -> None:
    space = space_of(capture(wall(0.0), (x, 0.0, 0.0)))
    assert space.grid.sphere_free((2 * x, 0, 0), BODY)
    assert not space.grid.sphere_free((-2 * x, 0, 0), BODY)
    assert space.problem((-2 * x, 0, 0)) == "no way leads there from the free space of the scene"


@pytest.mark.parametrize(("hole", "passes"), [(0.0, False), (0.1, False), (0.22, True), (0.32, True)])
def test_a_hole_lets_bodies_through_that_fit(hole: float, passes: bool) -> None:
    space = space_of(capture(wall(0.0, hole), (1.0, 0.0, 0.0)))
    assert space.grid.sphere_free((-2, 0, 0), BODY) == passes
    assert space.grid.sphere_free((-0.3, 0, 0), BODY) == passes


def test_a_region_takes_the_place_of_a_start_and_the_largest_space_that_of_neither() -> None:
    cloud = wall(1.0)
    region = ((1.5, -0.5, -0.5), (2.5, 0.5, 0.5))
    assert space_of(capture(cloud, None, start_region=region)).grid.sphere_free((2, 0, 0), BODY)
    without = space_of(capture(cloud))
    assert without.grid.sphere_free((-2, 0, 0), BODY)
    assert not without.grid.sphere_free((2, 0, 0), BODY)


def test_without_a_start_a_room_is_preferred_to_the_larger_space_around_it() -> None:
    space = space_of(capture(shell(0.5)))
    assert space.indoors
    assert space.grid.sphere_free((0, 0, 0), BODY)
    assert not space.grid.sphere_free((3, 0, 0), BODY)
    assert space.places.mean() < 0.1


def test_a_start_inside_of_a_object_falls_back_on_the_nearest_place() -> None:
    cloud = concatenate([shell(0.0), discs([(0.0, 0, 0)], [(0, 0, 1)], 0.1, 0.1, 0.95)])
    space = space_of(capture(cloud, (0.0, 0.0, 0.0)))
    assert space.indoors
    assert space.problem((0.0, 0, 0)) == "it reaches into something solid or out of the bounds"
    nearest = space.nearest_place((0.0, 0, 0))
    assert nearest is not None
    assert 0.25 < np.linalg.norm(nearest) < 0.7
    assert space.problem(nearest) is None
    assert space.problem(np.round(nearest, 2) + 0.01) is None


def test_the_floor_closes_the_space_below_it() -> None:
    cloud = discs([(3.0, 3.0, 2.0)], [(0, 0, 1)], 0.05, 0.05, 0.9)
    low, high = AROUND
    space = space_of(SplatScene("s", cloud, None, low, high, 0.0, Viewpoint(0, 0, 1, 0, 0)))
    heights = space.solid.centers()[..., 2]
    assert heights[space.places].min() >= BODY
    assert not space.grid.sphere_free((0, 0, -1.5), BODY)


def test_a_body_that_hardly_fits_is_judged_by_what_is_solid() -> None:
    cloud = discs([(0.0, 0.0, 0.9)], [(0, 0, 1)], 0.01, 0.01, 0.9)
    space = find_free_space(SplatScene("s", cloud, None, (0, 0, 0), (0.62, 0.62, 1.0), 0.0), 0.1, 0.305)
    assert not space.places.any()
    assert space.nearest_place((0.3, 0.3, 0.5)) is None
    assert space.problem((0.31, 0.31, 0.4)) is None


def test_a_bare_capture_of_a_room_between_its_own_bounds() -> None:
    cloud, _ = small_room()
    low, high = robust_bounds(cloud)
    space = space_of(SplatScene("bare", cloud, None, low, high, low[2], Viewpoint(1.75, 1.5, 0.8, 0, 0)))
    assert space.indoors
    assert space.grid.path_free((1.0, 0.6, 0.8), (3.3, 0.6, 0.8), BODY)
    assert not space.grid.sphere_free((-0.8, 1.5, 1.0), BODY)
    assert not space.penetrates((-0.8, 1.5, 1.0))


def exact_clearance(space: FreeSpace, point: np.ndarray) -> float:
    """From a point to the boxes of all solid voxels, or from inside to all empty ones, and to the bounds, m."""
    low, voxel, solid = np.array(space.solid.bounds_min), space.solid.voxel, space.solid.occupied
    at = np.floor((point - low) / voxel).astype(int)
    inside = bool(solid[tuple(np.clip(at, 0, np.array(solid.shape) - 1))])
    boxes = low + np.argwhere(solid != inside) * voxel
    gaps = np.maximum(np.maximum(boxes - point, point - boxes - voxel), 0)
    border = min((point - low).min(), (np.array(space.solid.bounds_max) - point).min())
    nearest = float(np.linalg.norm(gaps, axis=1).min()) if len(boxes) else math.inf
    return min(-nearest if inside else nearest, border)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6))
def test_clearance_and_spheres_agree_to_within_a_voxel(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cloud = random_cloud(25, seed=seed, size=0.1, depth=(0.5, 2.0))
    space = find_free_space(SplatScene("s", cloud, None, (0, -1, -1), (2, 1, 1), -1.0), VOXEL, 0.05)
    points = rng.uniform((0, -1, -1), (2, 1, 1), (30, 3))
    tolerance = VOXEL * math.sqrt(3) / 2 + 1e-6
    for point, clearance in zip(points, space.clearance(points), strict=True):
        exact = exact_clearance(space, point)
        assert abs(clearance - exact) <= tolerance
        assert clearance == float(space.clearance(point))
        for radius in (0.05, 0.2, 0.5):
            if clearance > radius + tolerance:
                assert not space.penetrates(point, radius)
            if clearance < radius - tolerance:
                assert space.penetrates(point, radius)
    a, b = points[:2]
    along = a + np.linspace(0, 1, 200)[:, None] * (b - a)
    if space.clearance(along).min() > 0.2 + tolerance:
        assert space.solid.path_free(a, b, 0.2)
    if space.clearance(along).min() < 0.2 - tolerance - VOXEL / 8:
        assert not space.solid.path_free(a, b, 0.2)


def test_clearance_is_exact_at_the_middles_of_voxels(room: FreeSpace) -> None:
    centers = room.solid.centers()[3:-3:4, 3:-3:4, 3:-3:4].reshape(-1, 3)
    found = room.clearance(centers)
    assert found == pytest.approx([exact_clearance(room, center) for center in centers], abs=1e-6)
    assert found.min() < -0.2  # in the box
    assert found.max() > 0.5


def test_clearance_beyond_the_bounds_and_of_no_point_at_all(room: FreeSpace) -> None:
    assert room.clearance([(-1.0, 1.5, 1.0), (5.0, 4.0, 1.0)]) == pytest.approx([-1.0, -math.sqrt(2)])
    assert room.clearance((math.nan, 0, 0)) == -math.inf
    assert room.clearance(np.zeros((0, 3))).shape == (0,)
    assert room.clearance(np.ones((2, 5, 3))).shape == (2, 5)
    assert room.penetrates((math.nan, 0, 0))
    assert room.problem((math.inf, 0, 0)) is not None
    assert room.nearest_place((math.nan, 0, 0)) is None


def test_an_empty_and_a_full_scene() -> None:
    empty = find_free_space(SplatScene("s", GaussianCloud.empty(), None, (0, 0, 0), (2, 2, 2), 0.0), VOXEL, BODY)
    assert empty.clearance((1.0, 1.0, 0.7)) == pytest.approx(0.7)
    assert empty.places.all() == (BODY < VOXEL / 2)
    ball = discs([(1.0, 1.0, 1.0)], [(0, 0, 1)], 9.0, 9.0, 0.9)
    full = find_free_space(SplatScene("s", ball, None, (0, 0, 0), (2, 2, 2), 0.0), VOXEL, BODY)
    assert full.solid.occupied.all()
    assert full.clearance((1.0, 1.0, 1.0)) < -1.0
    assert full.penetrates((1.0, 1.0, 1.0))


def test_a_view_from_inside_of_a_surface_penetrates_it(room: FreeSpace) -> None:
    """The west face of the box is at x = 2.2; it fills the voxels from there on, and those just before it."""
    assert not room.view_penetrates(Viewpoint(1.6, 1.5, 0.8, 0.0, 0.0), LENS)
    for x in (2.0, 2.2, 2.5):
        assert room.view_penetrates(Viewpoint(x, 1.5, 0.8, 0.0, 0.0), LENS, 0.25)
    assert not room.view_penetrates(Viewpoint(1.95, 1.5, 0.8, math.pi, 0.0), LENS, 0.25)
    beside = Viewpoint(1.95, 1.5, 0.8, math.pi / 2, 0.0)  # along the face
    assert not room.view_penetrates(beside, LENS, 0.1)

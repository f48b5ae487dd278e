"""Solid voxels: how near a capsule is to them, and how depth images make them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples
from small_room import small_room

from vantage.config import Settings
from vantage.errors import ConfigError, HardwareError, UnknownNameError
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.scene_file import save_scene
from vantage.splats.space.occupancy import OccupancyGrid
from vantage.worlds.rig.collision.capsules import segment_box
from vantage.worlds.rig.collision.collision_map import DepthMap, RoomMap, load_room

VOXEL = 0.1
LOW, HIGH = np.array([-1.0, -0.5, 0.0]), np.array([1.0, 0.5, 0.8])
REACH = 0.4
LENS = Intrinsics.from_fov(64, 48, 1.2)
point = st.tuples(st.floats(-1.3, 1.3), st.floats(-0.8, 0.8), st.floats(-0.3, 1.1)).map(np.array)


def drawn_room(walled: bool) -> RoomMap:
    solid = np.random.default_rng(3).random((20, 10, 8)) < 0.02
    return RoomMap(solid, LOW, HIGH, VOXEL, walled, "a thing")


OPEN, WALLED = drawn_room(False), drawn_room(True)


def voxel_distance(room: RoomMap, a, b) -> float:
    """By looking at every voxel."""
    corners = LOW + VOXEL * np.argwhere(room.grid.solid)
    return min(max(segment_box(a, b, corner, corner + VOXEL)[0], 0.0) for corner in corners)


@settings(max_examples=examples(150), deadline=None)
@given(point, point)
def test_the_nearest_voxel_is_found(a, b) -> None:
    expected = voxel_distance(OPEN, a, b)
    distance, nearest = OPEN.nearest(a, b, REACH)
    assert distance == pytest.approx(min(expected, REACH), abs=1e-9)
    assert (nearest is None) == (distance >= REACH)
    if nearest is not None:
        at = np.array(nearest)
        assert segment_box(a, b, at, at)[0] == pytest.approx(distance, abs=1e-6)
        assert voxel_distance(OPEN, at, at) < 1e-9


@settings(max_examples=examples(150), deadline=None)
@given(point, point)
def test_a_walled_room_ends_at_its_bounds(a, b) -> None:
    ends = np.stack([a, b])
    inside = min((ends - LOW).min(), (HIGH - ends).min())
    distance, nearest = WALLED.nearest(a, b, REACH)
    assert distance == pytest.approx(min(voxel_distance(WALLED, a, b), REACH, inside), abs=1e-9)
    if nearest is not None and inside == distance:
        gap = np.minimum(np.abs(np.array(nearest) - LOW), np.abs(np.array(nearest) - HIGH)).min()
        assert gap == pytest.approx(0.0, abs=1e-12)


def test_contact_is_within_radius_and_clearance() -> None:
    solid = np.zeros((10, 10, 10), np.bool_)
    solid[9] = True  # x from 0.9
    room = RoomMap(solid, (0, 0, 0), (1, 1, 1), 0.1, False, "a wall")
    a, b = (0.5, 0.5, 0.2), (0.5, 0.5, 0.8)
    assert room.contact(a, b, 0.3, 0.09) is None
    contact = room.contact(a, b, 0.3, 0.11)
    assert contact is not None
    assert contact[0] == pytest.approx(0.9)
    assert 0.2 <= contact[2] <= 0.8
    assert RoomMap.empty().contact(a, b, 0.3, 0.5) is None


def test_an_occupancy_grid_is_walled() -> None:
    room = RoomMap.of_scene(OccupancyGrid((0, 0, 0), (1, 1, 1), 0.1, np.zeros((10, 10, 10), np.bool_)))
    middle, edge = (0.5, 0.5, 0.5), (0.5, 0.95, 0.5)
    assert room.contact(middle, middle, 0.1, 0.1) is None
    assert room.contact(edge, edge, 0.1, 0.02) == (0.5, 1.0, 0.5)
    assert room.nearest((0.5, 1.2, 0.5), middle, 0.1)[0] == pytest.approx(-0.2)


def test_the_room_of_a_splat_scene_by_name_and_by_path(tmp_path: Path) -> None:
    cloud, graph = small_room()
    folder = save_scene(tmp_path / "scenes" / "room", None, graph, cloud, name="room")
    named = Settings().with_values({"world.scenes": str(tmp_path / "scenes")}, "test")
    for chosen, name in ((named, "room"), (Settings(), str(folder)), (Settings(), "scenes/room")):
        room = load_room(chosen, name, tmp_path)
        box, air = (2.1, 1.5, 0.6), (0.6, 1.0, 1.2)
        assert room.contact(box, box, 0.1, 0.05) is not None
        assert room.contact(air, air, 0.1, 0.05) is None
    with pytest.raises(UnknownNameError, match="unknown scene 'rom'"):
        load_room(named, "rom", tmp_path)
    with pytest.raises(ConfigError):
        load_room(Settings(), "room", tmp_path)
    (tmp_path / "rigs").mkdir()
    for name in (str(folder), "../scenes/room", "~/room", "${HOME}/room"):
        with pytest.raises(ConfigError, match=r"rig\.safety\.room: .*or name a scene of your own world\.scenes"):
            load_room(Settings(), name, tmp_path / "rigs")


def look(distance: float) -> np.ndarray:
    return np.full((LENS.height, LENS.width), distance, np.float32)


EYE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)


def test_what_a_depth_camera_sees_becomes_solid() -> None:
    seen = DepthMap((-2, -2, 0), (2, 2, 2))
    seen.add(look(1.0), LENS, EYE.T_world_camera_optical())
    contact = seen.contact((0.8, 0, 1), (0.8, 0, 1), 0.1, 0.15)
    assert contact is not None
    assert contact[0] == pytest.approx(1.0, abs=0.05)
    assert seen.contact((-0.5, 0, 1), (0.5, 0, 1), 0.1, 0.15) is None  # between eye and wall, and behind the eye
    seen.clear()
    assert not seen.grid.solid.any()
    seen.add(look(1.0), LENS, EYE.T_world_camera_optical())
    assert seen.grid.solid.any()


def test_a_voxel_is_solid_after_three_hits() -> None:
    seen = DepthMap((-2, -2, 0), (2, 2, 2))
    depth = look(math.nan)
    depth[24, 32] = 1.02
    for hits in range(1, 4):
        seen.add(depth, LENS, EYE.T_world_camera_optical())
        assert seen.grid.solid.sum() == (1 if hits == 3 else 0)
    for _ in range(300):  # counts do not overflow
        seen.add(depth, LENS, EYE.T_world_camera_optical())
    assert seen.grid.solid.sum() == 1


@pytest.mark.parametrize("distance", [0.1, 4.5, math.nan, math.inf, -1.0, 0.0])
def test_what_is_too_near_or_too_far_or_nothing_does_not_count(distance: float) -> None:
    seen = DepthMap((-9, -9, -9), (9, 9, 9))
    seen.add(look(distance), LENS, EYE.T_world_camera_optical())
    assert not seen.grid.solid.any()


def test_what_lies_outside_the_map_does_not_count() -> None:
    seen = DepthMap((-1, -1, 0), (1, 1, 2))
    seen.add(look(2.0), LENS, EYE.T_world_camera_optical())
    assert not seen.grid.solid.any()
    assert seen.contact((5, 5, 5), (5, 5, 5), 0.1, 0.1) is None


def test_the_rigs_own_bodies_are_no_obstacles() -> None:
    seen = DepthMap((-2, -2, 0), (2, 2, 2))
    own = np.array([[[1.0, -3.0, 1.0], [1.0, 3.0, 1.0]]])  # a beam across the view
    seen.add(look(1.0), LENS, EYE.T_world_camera_optical(), own, np.array([0.1]))
    assert seen.grid.solid.any()
    at = np.asarray((-2, -2, 0)) + seen.grid.voxel * (np.argwhere(seen.grid.solid) + 0.5)
    assert (np.abs(at[:, 2] - 1.0) > 0.1 - seen.grid.voxel / 2).all()


def test_memory_is_bounded() -> None:
    seen = DepthMap((-50, -50, 0), (50, 50, 5), voxel=0.01)
    assert seen.grid.solid.size <= 16_000_000
    assert seen.grid.voxel > 0.1
    seen.add(look(2.0), LENS, EYE.T_world_camera_optical())
    assert seen.contact((1.9, 0, 1), (1.9, 0, 1), 0.1, 0.05) is not None


@pytest.mark.parametrize(("low", "high"), [((0, 0, 0), (1, 1, 0)), ((0, 0, 0), (1, math.inf, 1))])
def test_bounds_that_hold_nothing_are_told(low, high) -> None:
    with pytest.raises(ConfigError, match="no depth map fits between"):
        DepthMap(low, high)


def test_depth_of_another_size_is_told() -> None:
    seen = DepthMap((-2, -2, 0), (2, 2, 2))
    with pytest.raises(HardwareError, match=r"depth image has 32 x 24 pixels, its intrinsics are for 64 x 48"):
        seen.add(np.zeros((24, 32), np.float32), LENS, EYE.T_world_camera_optical())

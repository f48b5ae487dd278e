"""The coverage map on drawn boxes: free, occupied and unknown stay apart."""

import math
from dataclasses import replace

import numpy as np
import pytest
from box_world import LENS, BoxWorld
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.errors import VantageError
from vantage.perception.map.coverage import FREE, OCCUPIED, OUTSIDE, UNKNOWN, CoverageMap
from vantage.spatial import Viewpoint

LOW, HIGH = (0.0, -2.0, 0.0), (6.0, 2.0, 2.5)
AHEAD = Viewpoint(0.5, 0.0, 1.25, 0.0, 0.0)


def walled_world():
    world = BoxWorld()
    world.add(1, "wall", (4.0, -2.0, 0.0), (4.2, 2.0, 2.5))
    world.add(2, "box", (2.0, -0.3, 0.9), (2.4, 0.3, 1.6))
    world.add(3, "wall", (-0.2, -2.2, 0.0), (4.0, -2.0, 2.5))
    world.add(4, "wall", (-0.2, 2.0, 0.0), (4.0, 2.2, 2.5))
    world.add(5, "wall", (-0.2, -2.0, 0.0), (0.0, 2.0, 2.5))
    world.add(6, "floor", (-0.2, -2.2, -0.2), (4.2, 2.2, 0.0))
    world.add(7, "ceiling", (-0.2, -2.2, 2.5), (4.2, 2.2, 2.7))
    return world


@pytest.fixture
def carved():
    coverage = CoverageMap(LOW, HIGH)
    assert coverage.add(walled_world().observe(AHEAD))
    return coverage


def test_everything_is_unknown_at_first():
    coverage = CoverageMap(LOW, HIGH)
    assert coverage.known_fraction == 0.0
    assert coverage.seen_fraction(LOW, HIGH) == 0.0
    assert coverage.state(np.array([[1.0, 0.0, 1.0]])).tolist() == [UNKNOWN]


def test_a_view_tells_free_occupied_and_hidden_space_apart(carved):
    points = np.array([[1.5, 0.0, 1.25], [2.05, 0.0, 1.25], [3.0, 0.0, 1.25], [4.05, 0.9, 1.25], [5.0, 0.9, 1.25]])
    assert carved.state(points).tolist() == [FREE, OCCUPIED, UNKNOWN, OCCUPIED, UNKNOWN]


def test_points_beyond_the_bounds_or_not_finite_are_outside(carved):
    points = np.array([[-1.0, 0.0, 1.0], [9.0, 0.0, 1.0], [np.nan, 0.0, 1.0], [np.inf, 0.0, 1.0]])
    assert carved.state(points).tolist() == [OUTSIDE] * 4


def test_seen_fraction_of_boxes(carved):
    assert carved.seen_fraction((1.0, -0.2, 1.1), (1.5, 0.2, 1.4)) == 1.0
    assert carved.seen_fraction((2.8, -0.1, 1.1), (3.4, 0.1, 1.4)) == 0.0
    assert 0.0 < carved.seen_fraction((1.0, -0.2, 1.1), (3.4, 0.2, 1.4)) < 1.0
    assert carved.seen_fraction((20.0, 0.0, 0.0), (21.0, 1.0, 1.0)) == 0.0


def test_other_views_reveal_what_was_hidden(carved):
    behind = Viewpoint(3.4, -1.5, 1.25, math.pi / 2, 0.0)
    expected = carved.unknown_visible_from(behind, LENS, 5.0)
    before = int(np.count_nonzero(carved.states))
    carved.add(walled_world().observe(behind))
    gained = int(np.count_nonzero(carved.states)) - before
    assert expected > 50
    assert 0.3 * expected < gained < 1.5 * expected
    assert carved.unknown_visible_from(behind, LENS, 5.0) < 0.35 * expected


def test_what_is_behind_something_occupied_is_not_promised(carved):
    assert carved.unknown_visible_from(AHEAD, LENS, 6.0) < 100  # the few behind silhouettes
    hidden = (2.8, -0.2, 1.0), (3.8, 0.2, 1.5)
    assert carved.unknown_visible_from(AHEAD, LENS, 6.0, *hidden) == 0
    assert carved.unknown_visible_from(Viewpoint(3.4, -1.5, 1.25, math.pi / 2, 0.0), LENS, 6.0, *hidden) > 20


def test_free_spheres_are_seen_free_throughout(carved):
    assert carved.is_free_sphere((1.2, 0.0, 1.25), 0.15)
    assert not carved.is_free_sphere((1.95, 0.0, 1.25), 0.15)  # touches the box
    assert not carved.is_free_sphere((3.0, 0.0, 1.25), 0.15)  # hidden
    assert not carved.is_free_sphere((0.05, 0.0, 1.25), 0.15)  # leaves the bounds
    assert not carved.is_free_sphere((math.nan, 0.0, 1.25), 0.15)


def test_the_place_of_the_camera_is_free(carved):
    assert carved.is_free_sphere((AHEAD.x, AHEAD.y, AHEAD.z), 0.15)


def test_sight_lines_end_at_occupied_voxels(carved):
    assert carved.is_visible((0.5, 0.0, 1.25), (1.9, 0.0, 1.25))
    assert not carved.is_visible((0.5, 0.0, 1.25), (3.5, 0.0, 1.25))


def test_centers_list_the_voxels_of_a_state(carved):
    occupied = carved.centers(OCCUPIED, (1.9, -0.5, 0.5), (2.5, 0.5, 2.0))
    assert len(occupied) > 10
    assert set(carved.state(occupied)) == {OCCUPIED}
    assert np.abs(occupied[:, 0] - 2.05).max() < 1e-9
    assert sum(len(carved.centers(state)) for state in (UNKNOWN, FREE, OCCUPIED)) == carved.states.size


def test_something_that_went_away_becomes_free(carved):
    empty = BoxWorld()
    empty.add(1, "wall", (4.0, -2.0, 0.0), (4.2, 2.0, 2.5))
    for _ in range(6):
        carved.add(empty.observe(AHEAD))
    assert carved.state(np.array([[2.05, 0.0, 1.25]])).tolist() == [FREE]


def test_nothing_seen_tells_nothing():
    coverage = CoverageMap(LOW, HIGH)
    coverage.carve(AHEAD, LENS, np.full((LENS.height, LENS.width), np.nan, np.float32))
    near = coverage.centers(FREE)
    assert np.linalg.norm(near - AHEAD.position, axis=1).max() < 0.4
    assert not coverage.add(replace(BoxWorld().observe(AHEAD), depth=None))


def test_impossible_depths_do_no_harm():
    coverage = CoverageMap(LOW, HIGH)
    depth = np.full((LENS.height, LENS.width), 2.0, np.float32)
    depth[::3] = -1.0
    depth[1::3] = np.inf
    depth[:, ::5] = 0.0
    coverage.carve(AHEAD, LENS, depth)
    assert coverage.state(np.array([[5.0, 0.0, 1.25]])).tolist() == [UNKNOWN]


def test_a_mixed_depth_between_two_surfaces_is_not_a_surface():
    coverage = CoverageMap(LOW, HIGH)
    depth = np.full((LENS.height, LENS.width), 3.4, np.float32)
    depth[:, 160:] = 1.5
    depth[:, 159] = 2.5
    coverage.carve(AHEAD, LENS, depth)
    assert len(coverage.centers(OCCUPIED, (2.6, -2.0, 0.0), (3.4, 2.0, 2.5))) == 0


def test_depth_that_leads_from_one_surface_to_another_is_none_and_hides_what_is_behind():
    """As at a blurred edge: 30 columns over which the depth grows by 2.7 % each, without a jump."""
    depth = np.full((LENS.height, LENS.width), 3.4, np.float32)
    depth[:, :140] = 1.5
    depth[:, 140:170] = np.geomspace(1.5, 3.4, 32)[1:-1]
    ramp, steps = CoverageMap(LOW, HIGH), CoverageMap(LOW, HIGH)
    ramp.carve(AHEAD, LENS, depth)
    depth[:, 140:170] = 1.5
    steps.carve(AHEAD, LENS, depth)
    between = (2.2, -2.0, 0.6), (3.8, 2.0, 1.9)  # away from the image border
    assert len(ramp.centers(OCCUPIED, *between)) == len(steps.centers(OCCUPIED, *between)) == 0
    behind = (4.0, -2.0, 0.0), HIGH
    assert len(ramp.centers(FREE, *behind)) == len(steps.centers(FREE, *behind)) == 0


def test_a_floor_seen_at_an_angle_is_a_surface():
    world = BoxWorld()
    world.add(1, "floor", (-2.0, -4.0, -0.2), (6.0, 4.0, 0.0))
    coverage = CoverageMap((0.0, -2.0, -0.1), HIGH)
    coverage.add(world.observe(replace(AHEAD, pitch=-0.6)))
    occupied = coverage.centers(OCCUPIED)
    assert occupied[:, 2].max() < 0.0
    assert occupied[:, 0].max() > 3.0  # at 27 degrees


def test_reset_forgets(carved):
    carved.reset()
    assert carved.known_fraction == 0.0


def test_states_cannot_be_written(carved):
    with pytest.raises(ValueError, match="read-only"):
        carved.states[0, 0, 0] = FREE


@pytest.mark.parametrize(
    ("low", "high", "voxel"),
    [
        ((0, 0, 0), (0, 1, 1), 0.1),
        ((0, 0, 0), (math.inf, 1, 1), 0.1),
        ((0, 0, 0), (math.nan, 1, 1), 0.1),
        ((0, 0, 0), (1, 1, 1), 0.0),
        ((0, 0, 0), (1000, 1000, 1000), 0.1),
    ],
)
def test_refuses_impossible_bounds(low, high, voxel):
    with pytest.raises(VantageError, match="coverage"):
        CoverageMap(low, high, voxel)


def test_refuses_a_depth_image_of_another_size():
    with pytest.raises(VantageError, match="depth image is"):
        CoverageMap(LOW, HIGH).carve(AHEAD, LENS, np.ones((3, 4), np.float32))


@settings(max_examples=examples(25), deadline=None)
@given(
    x=st.floats(0.3, 1.5),
    y=st.floats(-1.5, 1.5),
    z=st.floats(0.3, 2.2),
    yaw=st.floats(-3.1, 3.1),
    pitch=st.floats(-1.0, 1.0),
)
def test_free_space_really_is_free_and_occupied_voxels_touch_surfaces(x, y, z, yaw, pitch):
    world = walled_world()
    coverage = CoverageMap(LOW, HIGH)
    coverage.add(world.observe(Viewpoint(x, y, z, yaw, pitch)))
    half = 0.5 * coverage.voxel
    for _, low, high in world.boxes:
        inside = np.array(low) + 1.01 * half, np.array(high) - 1.01 * half
        free = coverage.centers(FREE)
        assert not ((free > inside[0]) & (free < inside[1])).all(axis=1).any()
    occupied = coverage.centers(OCCUPIED)
    near = np.zeros(len(occupied), bool)
    for _, low, high in world.boxes:
        near |= ((occupied > np.array(low) - 1.1 * half) & (occupied < np.array(high) + 1.1 * half)).all(axis=1)
    assert near.all()


def test_pixels_without_a_depth_show_open_space_only_on_request():
    nothing = np.full((LENS.height, LENS.width), np.nan, np.float32)
    ahead = np.array([[3.0, 0.0, 1.25]])
    for open_space, expected in ((False, UNKNOWN), (True, FREE)):
        coverage = CoverageMap(LOW, HIGH, open_space=open_space)
        coverage.carve(AHEAD, LENS, nothing)
        assert coverage.state(ahead).tolist() == [expected]
        assert OCCUPIED not in coverage.states

"""Occupancy: what is solid, where a sphere fits, and whether it gets from a to b."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_renderer import random_cloud
from small_room import HIGH, LOW, small_room

from vantage.errors import SceneError
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.space.occupancy import OccupancyGrid
from vantage.splats.space.solidity import SOLID


def one(mean: tuple[float, float, float], scale: tuple[float, float, float], opacity: float = 0.9, *,
        quaternion: tuple[float, float, float, float] = (1, 0, 0, 0)) -> GaussianCloud:  # fmt: skip
    return GaussianCloud(
        np.array([mean]),
        np.array([scale]),
        np.array([quaternion]),
        np.array([opacity]),
        np.zeros((1, 1, 3)),
        np.ones(1),
    )


def grid(cloud: GaussianCloud, voxel: float = 0.1, high: float = 2.0) -> OccupancyGrid:
    return OccupancyGrid.from_cloud(cloud, (0, 0, 0), (high, high, high), voxel)


@pytest.fixture(scope="module")
def room() -> OccupancyGrid:
    return OccupancyGrid.from_cloud(small_room()[0], LOW, HIGH, 0.1)


def test_a_point_fills_its_voxel() -> None:
    occupied = grid(one((0.55, 1.05, 1.95), (1e-4, 1e-4, 1e-4))).occupied
    assert occupied.shape == (20, 20, 20)
    assert np.argwhere(occupied).tolist() == [[5, 10, 19]]


def test_a_flat_disc_has_no_holes_and_the_right_size() -> None:
    made = grid(one((1.05, 1.05, 1.05), (0.3, 0.3, 1e-3)))
    reach = 0.3 * math.sqrt(2 * math.log(0.9 / SOLID))
    layer = made.occupied[:, :, 10]
    assert made.occupied.sum() == layer.sum()
    distance = np.linalg.norm(made.centers()[:, :, 10, :2] - 1.05, axis=-1)
    assert layer[distance < reach - 0.08].all()
    assert not layer[distance > reach + 0.08].any()


def test_a_turned_needle_lies_along_its_axis() -> None:
    """A quarter of a half turn about z lays the long x axis along the diagonal."""
    half = math.pi / 8
    made = grid(one((1, 1, 1.05), (0.4, 1e-3, 1e-3), quaternion=(math.cos(half), 0, 0, math.sin(half))))
    cells = np.argwhere(made.occupied)
    assert len(cells) > 8
    assert (np.abs(cells[:, 0] - cells[:, 1]) <= 1).all()


def test_faint_gaussians_are_air() -> None:
    assert not grid(one((1, 1, 1), (0.3, 0.3, 0.3), SOLID - 0.01)).occupied.any()


def test_gaussians_outside_the_bounds_count_only_where_they_reach_in() -> None:
    assert not grid(one((5, 5, 5), (0.3, 0.3, 0.3))).occupied.any()
    reaching = grid(one((-0.2, 1, 1), (0.3, 0.3, 0.3))).occupied
    assert reaching[0].any()
    assert not reaching[5:].any()


def test_an_empty_cloud_is_all_free_within_the_bounds() -> None:
    made = grid(GaussianCloud.empty())
    assert made.sphere_free((1, 1, 1), 0.99)
    assert not made.sphere_free((1, 1, 1), 1.01)
    assert made.free_centers(0.25).sum() == 16**3


@pytest.mark.parametrize(
    ("low", "high", "complaint"),
    [
        ((0, 0, 0), (1, 1, 0), "finite, wider bounds"),
        ((0, 0, 0), (1, 1, math.inf), "finite, wider bounds"),
        ((0, 0, 0), (1, math.nan, 1), "finite, wider bounds"),
        ((0, 0, 0), (1e4, 1e4, 1e4), "too many; set a larger world.voxel"),
    ],
)
def test_bad_bounds(low: tuple[float, ...], high: tuple[float, ...], complaint: str) -> None:
    with pytest.raises(SceneError, match=complaint):
        OccupancyGrid.from_cloud(random_cloud(5), low, high, 0.1)


def test_bounds_that_are_no_multiple_of_the_voxel() -> None:
    made = OccupancyGrid.from_cloud(GaussianCloud.empty(), (0, 0, 0), (1.05, 1.0, 0.3), 0.1)
    assert made.occupied.shape == (11, 10, 3)
    assert made.sphere_free((0.95, 0.5, 0.15), 0.1)
    assert not made.sphere_free((0.96, 0.5, 0.15), 0.1)


def test_distance_to_a_voxel_is_exact() -> None:
    made = grid(one((1.05, 1.05, 1.05), (1e-4, 1e-4, 1e-4)))
    assert made.sphere_free((0.8, 1.05, 1.05), 0.2)
    assert not made.sphere_free((0.801, 1.05, 1.05), 0.2)
    corner = 1.0 - 0.2 / math.sqrt(3)
    assert made.sphere_free((corner - 1e-3,) * 3, 0.2)
    assert not made.sphere_free((corner + 1e-3,) * 3, 0.2)
    assert not made.sphere_free((1.05, 1.05, 1.05), 0.0)


def test_paths_in_the_room(room: OccupancyGrid) -> None:
    assert room.path_free((1.0, 1.5, 0.8), (1.9, 1.5, 0.8), 0.15)
    assert not room.path_free((1.0, 1.5, 0.8), (3.3, 1.5, 0.8), 0.15)  # through the box
    assert room.path_free((1.0, 0.6, 0.8), (3.3, 0.6, 0.8), 0.15)  # past it
    assert room.path_free((1.9, 1.5, 1.6), (3.3, 1.5, 1.6), 0.15)  # over it
    assert not room.path_free((1.1, 1.5, 1.0), (1.1, 2.8, 1.0), 0.1)  # through the pillar, thin against the step
    contact = room.first_contact((1.0, 1.5, 0.8), (3.3, 1.5, 0.8), 0.15)
    assert contact is not None
    assert contact[0] == pytest.approx(1.97, abs=0.1)
    assert contact[1:] == (1.5, 0.8)


@pytest.mark.parametrize(
    "outside", [(-0.1, 1.5, 1.0), (2.0, 3.5, 1.0), (2.0, 1.5, 9.0), (math.nan, 1, 1), (0, math.inf, 1)]
)
def test_everywhere_else_is_not_free(room: OccupancyGrid, outside: tuple[float, float, float]) -> None:
    assert not room.sphere_free(outside, 0.1)
    assert not room.path_free((1.0, 1.0, 1.0), outside, 0.1)


def test_the_inside_of_a_closed_box_is_solid(room: OccupancyGrid) -> None:
    assert not room.sphere_free((2.5, 1.5, 0.6), 0.05)
    assert room.occupied[22:28, 12:18, 0:12].all()


def test_a_large_closed_space_is_a_room_and_stays_free() -> None:
    """A wall across the room leaves two spaces of 12 m3 and more; a wall near its end leaves one of 1.8 m3."""
    cloud, _ = small_room()
    for x, is_free in ((1.8, True), (3.6, False)):
        wall = one((x, 1.5, 1.25), (1e-3, 3.0, 3.0))
        made = OccupancyGrid.from_cloud(concatenate([cloud, wall]), LOW, HIGH, 0.1)
        beyond = (3.3, 0.6, 1.2) if is_free else (3.8, 0.6, 1.2)
        assert made.sphere_free(beyond, 0.05) == is_free
        assert not made.path_free((1.0, 0.6, 1.2), beyond, 0.05)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.0, 0.45), st.integers(0, 5))
def test_the_lattice_answers_as_the_sphere_does(radius: float, seed: int) -> None:
    cloud = random_cloud(30, seed=seed, size=0.05, depth=(0.5, 2.0))
    made = OccupancyGrid.from_cloud(cloud, (0, -1, -1), (2, 1, 1), 0.1)
    free, centers = made.free_centers(radius), made.centers()
    for cell in np.random.default_rng(seed).integers(0, 20, size=(60, 3)):
        assert free[tuple(cell)] == made.sphere_free(centers[tuple(cell)], radius)


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.floats(0, 4)] * 3), st.tuples(*[st.floats(0, 4)] * 3), st.floats(0.02, 0.4))
def test_a_free_path_is_free_both_ways_and_at_every_point(
    room: OccupancyGrid, a: tuple[float, float, float], b: tuple[float, float, float], radius: float
) -> None:
    if room.path_free(a, b, radius):
        assert room.sphere_free(a, radius)
        assert room.sphere_free(b, radius)
        assert room.path_free(b, a, radius)
        for share in np.linspace(0, 1, 23):
            point = np.array(a) + share * (np.array(b) - np.array(a))
            assert room.sphere_free(point, 0.95 * radius - 0.02)
    if room.sphere_free(a, radius):
        assert room.sphere_free(a, 0.5 * radius)

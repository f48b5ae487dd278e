"""Occupancy: what is solid, where a sphere fits, and whether it gets from a to b.

Which voxels Gaussians fill, alone and together, and what is left out as a floater.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from plain_renderer import random_cloud
from row_tables import each_row
from sampling import examples
from shell_capture import discs, haze
from small_room import HIGH, LOW, small_room

from vantage.errors import SceneError
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.space import occupancy
from vantage.splats.space.occupancy import SOLID, WALL, OccupancyGrid, solid_voxels

UP = (0.0, 0.0, 1.0)


def solid(cloud: GaussianCloud, voxel: float = 0.1, size: int = 20, specks: float = 0.0) -> np.ndarray:
    """Voxels of a cube that starts at the origin."""
    return solid_voxels(cloud, np.zeros(3), voxel, (size, size, size), specks * voxel**2)


def stack(layers: int, opacity: float, z: float = 1.05) -> GaussianCloud:
    """Wide discs on top of one another, in the middle of a layer of voxels."""
    points = np.column_stack([np.full(layers, 1.05), np.full(layers, 1.05), z + 1e-3 * np.arange(layers)])
    return discs(points, np.tile(UP, (layers, 1)), 0.5, 1e-3, opacity)


@pytest.mark.parametrize("opacity", [0.05, 0.1, 0.2])
def test_faint_gaussians_make_a_wall_together(opacity: float) -> None:
    """n discs let (1 - opacity)^n of the light through in their middle."""
    needed = math.log(1 - WALL) / math.log(1 - opacity)
    assert not solid(stack(math.floor(0.95 * needed), opacity)).any()
    made = solid(stack(math.ceil(1.1 * needed), opacity))
    assert made[10, 10, 10]
    assert made.sum() == made[:, :, 10].sum()
    assert made[:, :, 10].sum() > 10


def test_a_wall_is_solid_whichever_way_it_faces() -> None:
    for normal in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.8, 0), (0.577350269, 0.577350269, 0.577350269)):
        wall = discs(np.full((40, 3), 1.05), np.tile(normal, (40, 1)), 0.5, 1e-3, 0.2)
        made = solid(wall)
        offset = (np.moveaxis(np.indices(made.shape), 0, -1) + 0.5) * 0.1 - 1.05
        away = np.abs(offset @ np.array(normal))
        near = np.linalg.norm(offset, axis=-1) < 0.4
        assert made[near & (away < 0.02)].all()
        assert not made[away > 0.1].any()


def test_scattered_faint_dots_do_not_add_up_as_if_they_stood_in_line() -> None:
    """30 dots block the light of one another only where they overlap: 30 x 0.2 x 2 pi (1 mm)^2 of 0.01 m^2."""
    rng = np.random.default_rng(0)
    dots = discs(rng.uniform(1.0, 1.1, (30, 3)), np.tile(UP, (30, 1)), 1e-3, 1e-3, 0.2)
    assert not solid(dots).any()


def test_haze_is_air_however_much_light_it_blocks_from_afar() -> None:
    rng = np.random.default_rng(3)
    n = 400
    fog = discs(rng.uniform(0, 2, (n, 3)), np.tile(UP, (n, 1)), 0.2, 0.2, 0.1)
    through = n * 0.1 * 2 * math.pi * 0.2**2 / 2.0**2  # mean optical depth across the cube
    assert through > 2
    assert not solid(fog).any()


def test_very_wide_balls_count_alone_but_do_not_add_up() -> None:
    wide = discs(np.full((500, 3), 1.0), np.tile(UP, (500, 1)), 0.5, 0.5, SOLID - 0.01)
    assert not solid(wide).any()
    assert solid(discs([(1.0, 1.0, 1.0)], [UP], 0.5, 0.5, 0.9)).any()


@settings(max_examples=examples(25), deadline=None)
@given(st.tuples(*[st.floats(0.02, 1.0)] * 3), st.integers(0, 99))
def test_a_thick_ellipsoid_is_filled_up_to_its_surface(scales: tuple[float, float, float], seed: int) -> None:
    rng = np.random.default_rng(seed)
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    mean = rng.uniform(0.5, 1.5, 3)
    cloud = GaussianCloud(mean[None], np.array([scales]), turn[None], np.array([0.9]), np.zeros((1, 1, 3)), np.zeros(1))
    made = solid(cloud)
    offset = (np.moveaxis(np.indices(made.shape), 0, -1) + 0.5) * 0.1 - mean
    local = offset @ cloud.rotations()[0] / cloud.scales[0].astype(np.float64)
    alpha = 0.9 * np.exp(-0.5 * (local**2).sum(-1))
    half = 0.1 * math.sqrt(3) / 2
    steepest = np.linalg.norm(np.abs(local) / cloud.scales[0], axis=-1)  # of the exponent, per metre
    nearly = 0.9 * np.exp(-0.5 * np.maximum(np.sqrt((local**2).sum(-1)) - half / min(scales), 0) ** 2)
    assert not made[nearly < SOLID * 0.999].any()
    if min(scales) > 0.15:
        assert made[(alpha > SOLID) & (steepest >= 0)].all()


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 1000))
def test_order_and_axes_do_not_matter(seed: int) -> None:
    cloud = random_cloud(60, seed=seed, size=0.06, depth=(0.5, 2.0))
    cloud = cloud.transformed(np.array([[1, 0, 0, 0.0], [0, 1, 0, 1.0], [0, 0, 1, 1.0], [0, 0, 0, 1.0]]))
    order = np.random.default_rng(seed).permutation(len(cloud))
    made = solid(cloud)
    assert (solid(cloud.select(order)) != made).sum() <= 1
    cycle = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1.0]])
    turned = solid(cloud.transformed(cycle))
    assert (turned != made.transpose(1, 2, 0)).sum() <= 3  # rounding


def test_floaters_are_left_out_but_not_what_touches_something() -> None:
    floater = discs([(0.55, 0.55, 0.55)], [UP], 0.01, 0.01, 0.9)
    table = discs([(1.25, 1.25, 1.05)], [UP], 0.2, 1e-3, 0.9)
    cup = discs([(1.25, 1.25, 1.15)], [UP], 0.01, 0.01, 0.9)
    at_the_border = discs([(0.05, 1.05, 1.05)], [UP], 0.01, 0.01, 0.9)
    cloud = concatenate([floater, table, cup, at_the_border])
    everything, cleaned = solid(cloud), solid(cloud, specks=0.25)
    assert everything[5, 5, 5]
    assert np.argwhere(everything & ~cleaned).tolist() == [[5, 5, 5]]
    assert cleaned[12, 12, 11]
    assert cleaned[0, 10, 10]
    for voxel, is_kept in ((0.1, False), (0.04, True)):  # the same object is large for small voxels
        assert solid(floater, voxel=voxel, specks=0.25).any() == is_kept


def test_haze_and_floaters_of_a_capture() -> None:
    low, shape = np.full(3, -2.0), (40, 40, 40)
    assert solid_voxels(haze(), low, 0.1, shape).any()
    assert not solid_voxels(haze(), low, 0.1, shape, 0.25 * 0.1**2).any()


def test_gaussians_that_are_too_large_for_the_voxels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occupancy, "_MOST_SAMPLES", 10_000_000)
    for thickness, opacity in ((1e-3, 0.9), (1e-3, 0.1), (50.0, 0.9)):
        n = 500
        sheets = discs(np.full((n, 3), 1.0), np.tile((0.6, 0.0, 0.8), (n, 1)), 50.0, thickness, opacity)
        assert solid(sheets.select(np.arange(3))).any() or opacity < SOLID
        with pytest.raises(SceneError, match=r"the 500 Gaussians .* too large for voxels of 0.01 m; set a larger"):
            solid(sheets, voxel=0.01, size=200)


@each_row("scale", [0.0, 1e-30, 1e10, 1e30, 3e38])
@each_row("mean", [0.55, 1e6, -1e30, 3e38])
def test_absurd_sizes_and_places(scale: float, mean: float) -> None:
    for scales in ((scale, scale, scale), (scale, scale, 1e-4), (scale, 1e-4, 1e-4)):
        cloud = GaussianCloud(
            np.array([[mean, 0.55, 0.55]]),
            np.array([scales]),
            np.array([[1.0, 0, 0, 0]]),
            np.array([0.9]),
            np.zeros((1, 1, 3)),
            np.zeros(1),
        )
        made = solid(cloud)
        if mean == 0.55:
            assert made[5, 5, 5]
        elif scale <= 1.0:
            assert not made.any()


def test_nothing_fills_nothing() -> None:
    assert not solid(GaussianCloud.empty()).any()
    assert not solid(GaussianCloud.empty(), specks=1.0).any()
    assert not solid(stack(50, 0.0)).any()


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


@settings(max_examples=examples(40), deadline=None)
@given(st.floats(0.0, 0.45), st.integers(0, 5))
def test_the_lattice_answers_as_the_sphere_does(radius: float, seed: int) -> None:
    cloud = random_cloud(30, seed=seed, size=0.05, depth=(0.5, 2.0))
    made = OccupancyGrid.from_cloud(cloud, (0, -1, -1), (2, 1, 1), 0.1)
    free, centers = made.free_centers(radius), made.centers()
    for cell in np.random.default_rng(seed).integers(0, 20, size=(60, 3)):
        assert free[tuple(cell)] == made.sphere_free(centers[tuple(cell)], radius)


@settings(max_examples=examples(60), deadline=None)
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

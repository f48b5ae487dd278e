"""Which voxels Gaussians fill, alone and together, and what is left out as a floater."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_renderer import random_cloud
from row_tables import each_row
from shell_capture import discs, haze

from vantage.errors import SceneError
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.space import solidity
from vantage.splats.space.solidity import SOLID, WALL, solid_voxels

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


@settings(max_examples=25, deadline=None)
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


@settings(max_examples=20, deadline=None)
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
    for voxel, is_kept in ((0.1, False), (0.04, True)):  # the same thing is large for small voxels
        assert solid(floater, voxel=voxel, specks=0.25).any() == is_kept


def test_haze_and_floaters_of_a_capture() -> None:
    low, shape = np.full(3, -2.0), (40, 40, 40)
    assert solid_voxels(haze(), low, 0.1, shape).any()
    assert not solid_voxels(haze(), low, 0.1, shape, 0.25 * 0.1**2).any()


def test_gaussians_that_are_too_large_for_the_voxels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solidity, "_MOST_SAMPLES", 10_000_000)
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

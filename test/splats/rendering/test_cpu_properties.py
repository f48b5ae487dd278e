"""What no picture may depend on, for clouds, turns and splits drawn at random; and how pictures follow the camera."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from plain_renderer import plain_render, psnr, random_cloud
from sampling import examples

from vantage.spatial import Intrinsics, Matrix, Viewpoint, rigid
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.cpu import CpuRenderer, LinearView

ORIGIN = Viewpoint(0, 0, 0, 0, 0).T_world_camera_optical()
LENS = Intrinsics(96, 72, 80.0, 82.0, 47.3, 36.1)
SEEDS = st.integers(0, 10_000)
DEGREES = st.integers(0, 3)
STEP = 2e-3  # m, or rad: a hundredth of a step of a robot


@pytest.fixture(scope="module")
def renderer() -> Iterator[CpuRenderer]:
    renderer = CpuRenderer(threads=2)
    yield renderer
    renderer.close()


def same_picture(one: LinearView, other: LinearView, tolerance: float = 1e-4) -> None:
    assert psnr(one.rgb, other.rgb, peak=1.0) >= 80
    assert np.quantile(np.abs(one.alpha - other.alpha), 0.999) <= tolerance
    both = np.isfinite(one.depth) & np.isfinite(other.depth)
    assert (np.isfinite(one.depth) == np.isfinite(other.depth)).mean() >= 0.999
    assert both.any()
    assert np.quantile(np.abs(one.depth - other.depth)[both], 0.999) <= tolerance
    assert (one.instances == other.instances).mean() >= 0.999


@settings(max_examples=examples(25), deadline=None)
@given(seed=SEEDS, degree=DEGREES)
def test_turning_the_world_and_its_harmonics_changes_nothing(renderer: CpuRenderer, seed: int, degree: int) -> None:
    cloud = random_cloud(300, degree, seed)
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    T = rigid(q * np.sign(np.linalg.det(q)), rng.uniform(-2.0, 2.0, 3))
    turned = cloud.transformed(T)
    assert degree == 0 or not np.allclose(turned.sh, cloud.sh, atol=0.05)
    first, second = renderer.render_linear(cloud, ORIGIN, LENS), renderer.render_linear(turned, T @ ORIGIN, LENS)
    same_picture(first, second, 1e-3)  # what was turned is rounded to float32, which swaps a few nearly equal depths


@settings(max_examples=examples(25), deadline=None)
@given(seed=SEEDS, degree=DEGREES, copies=st.booleans())
def test_the_order_of_gaussians_does_not_matter(renderer: CpuRenderer, seed: int, degree: int, copies: bool) -> None:
    """Bit for bit where no two are equally deep; copies of a Gaussian are equally deep, but also of equal effect."""
    cloud = random_cloud(400, degree, seed)
    rng = np.random.default_rng(seed)
    if copies:
        cloud = cloud.select(np.repeat(np.arange(len(cloud)), 1 + (rng.random(len(cloud)) < 0.3)))
    shuffled = cloud.select(rng.permutation(len(cloud)))
    one, other = renderer.render_linear(cloud, ORIGIN, LENS), renderer.render_linear(shuffled, ORIGIN, LENS)
    assert one.alpha.any()
    assert np.array_equal(one.rgb, other.rgb)
    assert np.array_equal(one.alpha, other.alpha)
    assert np.array_equal(one.depth, other.depth, equal_nan=True)
    assert np.array_equal(one.instances, other.instances)


def narrow_cloud(n: int, degree: int, seed: int) -> GaussianCloud:
    """Gaussians that reach over 9 pixels of ``LENS`` at most, so that none matters in a half that linearises it
    elsewhere: that begins at 0.15 halves, 10 pixels, beyond the half's edge."""
    cloud = random_cloud(n, degree, seed)
    rng = np.random.default_rng(seed + 1)
    sizes = cloud.means[:, :1] * rng.uniform(0.002, 0.02, (n, 3))  # at most 1.6 pixels on the axis, 2.3 at the corners
    return GaussianCloud(cloud.means, sizes, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances)


@settings(max_examples=examples(25), deadline=None)
@given(seed=SEEDS, degree=DEGREES, split=st.integers(67, 77), upright=st.booleans())
def test_splitting_the_picture_in_halves_does_not_matter(
    renderer: CpuRenderer, seed: int, degree: int, split: int, upright: bool
) -> None:
    """Two cameras whose principal points lie aside see together what one sees; the cut crosses tiles anywhere."""
    cloud = narrow_cloud(600, degree, seed)
    lens = Intrinsics(144, 144, 80.0, 82.0, 71.3, 73.6)
    whole = renderer.render_linear(cloud, ORIGIN, lens)
    halves = []
    for first, size in ((0, split), (split, 144 - split)):
        part = (
            Intrinsics(144, size, lens.fx, lens.fy, lens.cx, lens.cy - first)
            if upright
            else Intrinsics(size, 144, lens.fx, lens.fy, lens.cx - first, lens.cy)
        )
        halves.append(renderer.render_linear(cloud, ORIGIN, part))
    axis = 0 if upright else 1
    names = ("rgb", "depth", "alpha", "instances")
    joined = LinearView(*(np.concatenate([getattr(half, name) for half in halves], axis=axis) for name in names))
    same_picture(whole, joined)


MOTIONS = {
    "forward": lambda k: Viewpoint(k * STEP, 0.0, 0.0, 0.0, 0.0),
    "sideways": lambda k: Viewpoint(0.0, k * STEP, 0.0, 0.0, 0.0),
    "turning": lambda k: Viewpoint(0.0, 0.0, 0.0, k * STEP, 0.3 * k * STEP),
    "around": lambda k: Viewpoint(2 - 2 * math.cos(k * STEP), -2 * math.sin(k * STEP), 0.0, k * STEP, 0.0),
}


def changes(pictures: list[np.ndarray]) -> np.ndarray:
    """(F - 1, H, W, 3): by how much colours change from one frame to the next."""
    return np.diff(np.stack([np.asarray(picture, np.float64) for picture in pictures]), axis=0)


def pops(found: np.ndarray, expected: np.ndarray) -> bool:
    """Whether pictures jump where the definition's do not.

    Two Gaussians change places, or one falls below an alpha of 1/255, in the definition as well; rounding to float32
    may put that into the frame before or after. So a change may be as large as the definition's in the frames around
    it, and 0.004 of full scale, one 8-bit value, more; only one value in a million may be off by more.
    """
    size = np.abs(expected)
    around = size.copy()
    around[1:] = np.maximum(around[1:], size[:-1])
    around[:-1] = np.maximum(around[:-1], size[1:])
    return bool((np.abs(found) > around + 0.004).mean() > 1e-6)


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_pops_that_does_not_pop_in_the_definition(renderer: CpuRenderer, motion: str, seed: int) -> None:
    cloud = random_cloud(250, 2, seed=seed, size=0.12)
    poses: list[Matrix] = [MOTIONS[motion](k).T_world_camera_optical() for k in range(16)]
    drawn = [renderer.render_linear(cloud, pose, LENS).rgb for pose in poses]
    expected = changes([plain_render(cloud, pose, LENS).rgb for pose in poses])
    found = changes(drawn)
    assert all((one != other).any() for one, other in pairwise(drawn)), "the camera moves"
    assert np.quantile(np.abs(expected), 0.99) < 0.2, "in small steps"
    assert not pops(found, expected)
    assert np.abs(found).mean() == pytest.approx(np.abs(expected).mean(), rel=0.01)
    x, y, z = cloud.means.T
    middle = np.flatnonzero((np.abs(y / x) < 0.4) & (np.abs(z / x) < 0.3) & (cloud.opacities > 0.1))
    missing = middle[np.argmin(x[middle])]  # the nearest in the middle, so that nothing hides it
    drawn[8] = renderer.render_linear(cloud.select(np.arange(len(cloud)) != missing), poses[8], LENS).rgb
    assert pops(changes(drawn), expected), "a Gaussian that is missing from one frame is noticed"

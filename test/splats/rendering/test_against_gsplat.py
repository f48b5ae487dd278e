"""The CPU renderer against gsplat's own torch reference, and what stands in for gsplat's CUDA-only steps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from gsplat.cuda import _torch_impl, _wrapper
from plain_renderer import plain_render, random_cloud

from vantage.scenes.generator.generator import generate_home
from vantage.scenes.geometry.first_views import first_view
from vantage.spatial import Intrinsics, Matrix, Viewpoint, rigid
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import load_cloud
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.rendering.gsplat_reference import reference_render, tile_lists
from vantage.splats.rendering.reference import ExactView, psnr
from vantage.splats.synthesis.from_spec import cloud_from_spec

pytestmark = pytest.mark.needs("gsplat")

LENS = Intrinsics.from_fov(160, 120, 1.2)
ASIDE = Viewpoint(0.1, -0.2, 0.05, 0.2, -0.1).T_world_camera_optical()


@pytest.fixture(scope="module", autouse=True)
def _one_torch_thread() -> Iterator[None]:
    """Small tensors on a busy machine: more threads wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def renderer() -> CpuRenderer:
    return CpuRenderer(threads=2)


def check(renderer: CpuRenderer, cloud: GaussianCloud, pose: Matrix, lens: Intrinsics = LENS) -> ExactView:
    """The bounds that the renderer has to keep; the largest error is none of them, for a threshold may flip."""
    background = (0.1, 0.3, 0.2)
    exact = reference_render(cloud, pose, lens, background)
    view = renderer.render_linear(cloud, pose, lens, background=background)
    assert psnr(np.clip(view.rgb, 0, 1), np.clip(exact.rgb, 0, 1), peak=1.0) >= 80
    assert psnr(renderer.render(cloud, pose, lens, background=background).rgb, exact.rgb8()) >= 60
    both = np.isfinite(view.depth) & np.isfinite(exact.depth)
    assert (np.isfinite(view.depth) == np.isfinite(exact.depth)).mean() >= 0.999
    assert np.quantile(np.abs(view.depth - exact.depth)[both], 0.999) <= 1e-4
    assert np.quantile(np.abs(view.alpha - exact.alpha), 0.999) <= 1e-4
    assert (view.instances == exact.instances()).mean() >= 0.999
    return exact


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
@pytest.mark.parametrize("size", [0.02, 0.2])
def test_random_clouds(renderer: CpuRenderer, degree: int, size: float) -> None:
    cloud = random_cloud(1500, degree, seed=10 + degree, size=size)
    exact = check(renderer, cloud, ASIDE)
    assert np.isfinite(exact.depth).mean() > 0.3


@pytest.mark.parametrize(("cx", "cy"), [(-30.0, 40.0), (10.3, 100.7)])
def test_off_centre_principal_points(renderer: CpuRenderer, cx: float, cy: float) -> None:
    check(renderer, random_cloud(800, 1, seed=4, size=0.2), ASIDE, Intrinsics(100, 75, 80.0, 82.0, cx, cy))


def test_from_inside_a_cloud(renderer: CpuRenderer) -> None:
    check(renderer, random_cloud(600, 3, seed=2, size=0.3, depth=(-2.0, 3.0)), ASIDE)


def test_a_generated_room(renderer: CpuRenderer) -> None:
    spec = generate_home(3, name="room")
    cloud = cloud_from_spec(spec, density=0.3)
    exact = check(renderer, cloud, first_view(spec).T_world_camera_optical())
    assert np.isfinite(exact.depth).mean() > 0.99
    assert len(np.unique(exact.instances())) > 5


@pytest.mark.parametrize(("name", "turn"), [("plant/plant.splat", 0.4), ("tarot/academic_tarot_cards.splat", 2.5)])
def test_captures(renderer: CpuRenderer, data_folder: Path, name: str, turn: float) -> None:
    """From about two and a half times the size of the object; the captures have -y up and no ids of their own."""
    captured = load_cloud(data_folder / "splats" / name)
    ids = np.random.default_rng(0).integers(0, 20, len(captured))
    cloud = GaussianCloud(
        captured.means, captured.scales, captured.quaternions, captured.opacities, captured.sh, ids
    ).transformed(rigid(np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]]), np.zeros(3)))
    middle = np.median(cloud.means, axis=0)
    reach = 2.5 * float(np.quantile(np.linalg.norm(cloud.means - middle, axis=1), 0.5))
    eye = middle + reach * np.array([np.cos(turn), np.sin(turn), 0.4])
    exact = check(renderer, cloud, Viewpoint.looking_at(eye, middle).T_world_camera_optical())
    assert np.isfinite(exact.depth).mean() > 0.3


@pytest.mark.parametrize("degree", [0, 3])
def test_the_reference_agrees_with_the_definition(degree: int) -> None:
    lens = Intrinsics(90, 61, 70.0, 75.0, 40.3, 31.0)
    cloud = random_cloud(700, degree, seed=20 + degree)
    exact, plain = (draw(cloud, ASIDE, lens, (0.2, 0.1, 0.4), 1.2, 4.5) for draw in (reference_render, plain_render))
    assert psnr(exact.rgb, plain.rgb, peak=1.0) >= 80
    assert np.nanquantile(np.abs(exact.depth - plain.depth), 0.999) <= 1e-4
    assert set(exact.votes) == set(plain.votes)
    assert all(np.quantile(np.abs(votes - plain.votes[name]), 0.999) <= 1e-5 for name, votes in exact.votes.items())
    assert (exact.instances() == plain.instances()).mean() >= 0.999
    assert not reference_render(cloud, ASIDE, lens, vote=False).votes


def test_tile_lists_are_those_of_gsplat() -> None:
    generator = torch.Generator().manual_seed(1)
    means = torch.rand(60, 2, generator=generator) * 120 - 20
    radii = torch.randint(0, 30, (60, 2), generator=generator).int()
    depths = torch.rand(60, generator=generator).round(decimals=1) + 0.5  # some are equal
    seen = (radii > 0).all(dim=-1)
    _, keys, ids = _torch_impl._isect_tiles(means[seen][None], radii[seen][None], depths[seen][None], 16, 6, 5)
    found_keys, found_ids = tile_lists(means[seen], radii[seen], depths[seen], 16, 6, 5)
    assert torch.equal(found_keys, keys)
    pairs = [sorted(zip(k.tolist(), i.tolist(), strict=True)) for k, i in ((keys, ids), (found_keys, found_ids))]
    assert pairs[0] == pairs[1]
    ties = found_keys[1:] == found_keys[:-1]
    assert ties.any()
    assert (found_ids[1:][ties] > found_ids[:-1][ties]).all()


def test_gsplat_is_left_as_it_was() -> None:
    pairs = _wrapper.rasterize_to_indices_in_range
    before = sys.modules.get("nerfacc")
    reference_render(random_cloud(5), ASIDE, Intrinsics(20, 20, 20.0, 20.0, 10.0, 10.0))
    assert _wrapper.rasterize_to_indices_in_range is pairs
    assert sys.modules.get("nerfacc") is before

"""The definition against formulas on paper, and what is read off its view."""

from __future__ import annotations

import math

import numpy as np
import pytest
from plain_renderer import plain_render, random_cloud

from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.harmonics import C0
from vantage.splats.rendering.reference import ExactView, agreement, psnr
from vantage.splats.rendering.renderer import RenderedView

ORIGIN = Viewpoint(0, 0, 0, 0, 0).T_world_camera_optical()
LENS = Intrinsics(41, 41, 200.0, 200.0, 20.5, 20.5)


def one(x: float, scale: float, opacity: float, rgb: tuple[float, float, float], instance: int) -> GaussianCloud:
    sh = (np.array(rgb) - 0.5) / C0
    return GaussianCloud(
        np.array([[x, 0.0, 0.0]]),
        np.full((1, 3), scale),
        np.array([[1.0, 0, 0, 0]]),
        np.array([opacity]),
        sh[None, None],
        np.array([instance]),
    )


def test_one_gaussian_follows_the_formula() -> None:
    view = plain_render(one(2.0, 0.1, 0.8, (0.2, 0.5, 0.9), 7), ORIGIN, LENS)
    variance = (200.0 * 0.1 / 2.0) ** 2 + 0.3
    for offset in (0, 4, 15, 20):
        alpha = 0.8 * math.exp(-(offset**2) / (2 * variance))
        assert view.alpha[20, 20 + offset] == pytest.approx(alpha, rel=1e-6)
        assert view.rgb[20 - offset, 20] == pytest.approx(np.array([0.2, 0.5, 0.9]) * alpha, rel=1e-5)
        assert view.depth[20, 20 - offset] == pytest.approx(2.0)
        assert view.votes[7][20 + offset, 20] == pytest.approx(alpha, rel=1e-6)


def test_alpha_is_capped_and_the_faint_rim_is_cut() -> None:
    view = plain_render(one(2.0, 0.03, 1.0, (1, 1, 1), 1), ORIGIN, LENS)
    assert view.alpha[20, 20] == pytest.approx(0.999)
    assert view.alpha[view.alpha > 0].min() >= 1 / 255
    assert (view.alpha == 0).any()
    assert np.array_equal(np.isnan(view.depth), view.alpha == 0)


def test_a_ray_ends_before_its_transmittance_reaches_the_bound() -> None:
    """0.999 twice would leave 1e-6, so the second one is not drawn; the background shines through the first."""
    cloud = concatenate([one(2.0 + k, 1.0, 1.0, (0, 0, 0), 1 + k) for k in range(2)])
    view = plain_render(cloud, ORIGIN, LENS, background=(1.0, 1.0, 1.0))
    assert view.alpha[20, 20] == pytest.approx(0.999, abs=1e-6)
    assert view.rgb[20, 20] == pytest.approx(np.full(3, 1e-3), abs=1e-6)
    assert view.votes[2][20, 20] == 0


def test_equal_depths_are_drawn_by_index() -> None:
    first, second = one(2.0, 1.0, 0.9, (1, 0, 0), 1), one(2.0, 1.0, 0.9, (0, 1, 0), 2)
    assert plain_render(concatenate([first, second]), ORIGIN, LENS).rgb[20, 20] == pytest.approx([0.9, 0.09, 0])
    assert plain_render(concatenate([second, first]), ORIGIN, LENS).rgb[20, 20] == pytest.approx([0.09, 0.9, 0])


def test_near_and_far_keep_what_lies_between() -> None:
    cloud = concatenate([one(1.0, 0.5, 0.5, (1, 1, 1), 1), one(4.0, 2.0, 0.5, (1, 1, 1), 2)])
    assert set(plain_render(cloud, ORIGIN, LENS).votes) == {1, 2}
    assert set(plain_render(cloud, ORIGIN, LENS, near=2).votes) == {2}
    assert set(plain_render(cloud, ORIGIN, LENS, far=2).votes) == {1}
    assert plain_render(cloud, ORIGIN, LENS, near=2, far=3).alpha.max() == 0


def test_nothing_gives_the_background() -> None:
    view = plain_render(GaussianCloud.empty(3), ORIGIN, LENS, background=(0.2, 0.4, 1.0))
    assert (view.rgb8() == [51, 102, 255]).all()
    assert np.isnan(view.depth).all()
    assert not view.instances().any()


def test_the_vote_of_an_exact_view() -> None:
    votes = {0: [[0.1, 0.0, 0.0]], 3: [[0.2, 0.0, 0.3]], 9: [[0.2, 0.0, 0.4]]}
    view = ExactView(
        np.zeros((1, 3, 3)), np.ones((1, 3)), np.ones((1, 3)), {name: np.array(plane) for name, plane in votes.items()}
    )
    assert view.instances().tolist() == [[3, 0, 9]]
    assert view.classes(np.array([0, 0, 0, 2], np.int32)).tolist() == [[0, 0, 0]]  # 9 is beyond the table
    assert view.classes(np.array([2, 0, 0, 2], np.int32)).tolist() == [[2, 0, 0]]


def test_psnr() -> None:
    image = np.zeros((4, 4))
    assert psnr(image, image) == math.inf
    assert psnr(image + 255, image) == pytest.approx(0.0)
    assert psnr(image + 0.1, image, peak=1.0) == pytest.approx(20.0)


def test_agreement_of_a_view_with_itself_and_with_another() -> None:
    exact = plain_render(random_cloud(200, seed=3), ORIGIN, LENS)
    same = RenderedView(exact.rgb8(), exact.depth.astype(np.float32), exact.alpha.astype(np.float32), exact.instances())
    found = agreement(same, exact)
    assert found.psnr_db == math.inf
    assert found.same_values == found.same_seen == found.same_instances == 1.0
    assert found.depth_p999 < 1e-6
    off = RenderedView(255 - same.rgb, same.depth + np.float32(0.5), same.alpha, same.instances + 1)
    worse = agreement(off, exact)
    assert worse.psnr_db < 40
    assert worse.depth_p999 == pytest.approx(0.5, abs=1e-5)
    assert worse.same_instances == 0.0

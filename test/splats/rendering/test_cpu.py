"""The tile renderer against the plain definition, against formulas, and under symmetries."""

from __future__ import annotations

import gc
import math
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from plain_renderer import plain_render, psnr, random_cloud

from vantage.errors import SceneError, UsageError
from vantage.spatial import Intrinsics, Viewpoint, rigid
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.harmonics import C0
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.rendering.cpu_raster import raster
from vantage.splats.rendering.renderer import RenderedView, Renderer

ORIGIN = Viewpoint(0, 0, 0, 0, 0).T_world_camera_optical()
LENS = Intrinsics(100, 75, 80.0, 82.0, 47.3, 40.1)


@pytest.fixture(scope="module")
def renderer() -> CpuRenderer:
    return CpuRenderer(threads=2)


def one(
    mean: tuple[float, float, float],
    scale: float | tuple[float, float, float] = 0.1,
    opacity: float = 0.8,
    rgb: tuple[float, float, float] = (0.2, 0.5, 0.9),
    instance: int = 7,
) -> GaussianCloud:
    sh = (np.array(rgb) - 0.5) / C0
    return GaussianCloud(
        np.array([mean]),
        np.broadcast_to(np.array(scale), (1, 3)),
        np.array([[1.0, 0, 0, 0]]),
        np.array([opacity]),
        sh[None, None, :],
        np.array([instance]),
    )


def join(*clouds: GaussianCloud) -> GaussianCloud:
    return concatenate(clouds)


def agrees(view: RenderedView, cloud: GaussianCloud, pose: np.ndarray, lens: Intrinsics, **options: object) -> None:
    plain = plain_render(cloud, pose, lens, **options)  # type: ignore[arg-type]
    exact = np.clip(plain.rgb, 0, 1) * 255
    assert psnr(view.rgb, np.floor(exact + 0.5)) >= 60
    assert np.quantile(np.abs(view.alpha - plain.alpha), 0.999) < 1e-4
    both = np.isfinite(view.depth) & np.isfinite(plain.depth)
    assert (np.isfinite(view.depth) == np.isfinite(plain.depth)).mean() > 0.999
    if both.any():
        assert np.quantile(np.abs(view.depth - plain.depth)[both], 0.999) < 1e-3
    names = np.array(sorted(plain.votes))
    if len(names):
        planes = np.stack([plain.votes[int(name)] for name in names])
        winner = np.where(planes.max(axis=0) > 0, names[planes.argmax(axis=0)], 0)
        assert (view.instances == winner).mean() > 0.998


def test_is_a_renderer(renderer: CpuRenderer) -> None:
    assert isinstance(renderer, Renderer)


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_agrees_with_the_definition(renderer: CpuRenderer, degree: int) -> None:
    cloud = random_cloud(400, degree, seed=degree)
    pose = Viewpoint(0.1, -0.2, 0.05, 0.2, -0.1).T_world_camera_optical()
    background = (0.3, 0.6, 0.1)
    agrees(renderer.render(cloud, pose, LENS, background=background), cloud, pose, LENS, background=background)


def test_agrees_where_many_opaque_gaussians_end_the_ray_early(renderer: CpuRenderer) -> None:
    cloud = random_cloud(1500, seed=5, size=0.2)
    view = renderer.render(cloud, ORIGIN, LENS)
    assert (view.alpha > 0.999).mean() > 0.5
    agrees(view, cloud, ORIGIN, LENS)


def test_agrees_from_inside_the_cloud(renderer: CpuRenderer) -> None:
    cloud = random_cloud(300, 3, seed=2, size=0.3, depth=(-2.0, 3.0))
    agrees(renderer.render(cloud, ORIGIN, LENS, near=0.05), cloud, ORIGIN, LENS, near=0.05)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (16, 16), (17, 33), (3, 50)])
def test_sizes_that_do_not_fill_tiles(renderer: CpuRenderer, width: int, height: int) -> None:
    lens = Intrinsics(width, height, 20.0, 20.0, 0.3 * width, 0.7 * height)
    cloud = random_cloud(200, seed=9, size=0.2)
    view = renderer.render(cloud, ORIGIN, lens)
    assert view.rgb.shape == (height, width, 3)
    assert view.depth.shape == view.alpha.shape == (height, width)
    agrees(view, cloud, ORIGIN, lens)


@pytest.mark.parametrize(("cx", "cy"), [(-30.0, 40.0), (47.3, 140.0), (10.0, 5.0)])
def test_off_centre_principal_points(renderer: CpuRenderer, cx: float, cy: float) -> None:
    lens = Intrinsics(100, 75, 80.0, 82.0, cx, cy)
    cloud = random_cloud(400, seed=4, size=0.2)
    agrees(renderer.render(cloud, ORIGIN, lens), cloud, ORIGIN, lens)


@pytest.mark.parametrize("cloud", [GaussianCloud.empty(), GaussianCloud.empty(3), one((2, 0, 0), opacity=0.003)])
def test_nothing_to_see(renderer: CpuRenderer, cloud: GaussianCloud) -> None:
    view = renderer.render(cloud, ORIGIN, LENS, background=(0.2, 0.4, 1.0))
    assert (view.rgb == np.array([51, 102, 255])).all()
    assert np.isnan(view.depth).all()
    assert not view.alpha.any()
    assert not view.instances.any()


def test_types(renderer: CpuRenderer) -> None:
    view = renderer.render(one((2, 0, 0)), ORIGIN, LENS)
    kinds = [image.dtype for image in (view.rgb, view.depth, view.alpha, view.instances)]
    assert kinds == [np.uint8, np.float32, np.float32, np.int32]


def test_one_gaussian_follows_the_formula(renderer: CpuRenderer) -> None:
    """On the axis, sigma on the image is focal * scale / z, widened by 0.3 pixels squared."""
    lens = Intrinsics(101, 101, 200.0, 200.0, 50.5, 50.5)
    view = renderer.render(one((2.0, 0, 0), 0.1, 0.8), ORIGIN, lens)
    variance = (200.0 * 0.1 / 2.0) ** 2 + 0.3
    for offset in (0, 3, 10, 20):
        alpha = 0.8 * math.exp(-(offset**2) / (2 * variance))
        assert view.alpha[50, 50 + offset] == pytest.approx(alpha, abs=1e-4)
        assert view.alpha[50 - offset, 50] == pytest.approx(alpha, abs=1e-4)
        assert view.rgb[50, 50 + offset] == pytest.approx(np.array([0.2, 0.5, 0.9]) * alpha * 255, abs=0.51)
        assert view.depth[50, 50 + offset] == pytest.approx(2.0, abs=1e-5)
        assert view.instances[50, 50 + offset] == 7
    assert view.alpha[50, 50 + 34] == 0
    assert np.isnan(view.depth[50, 50 + 34])
    assert view.instances[50, 84] == 0


def test_axes_left_is_left_and_up_is_up(renderer: CpuRenderer) -> None:
    cloud = join(one((2, 0.5, 0), 0.02, rgb=(1, 0, 0)), one((2, 0, 0.4), 0.02, rgb=(0, 1, 0)))
    view = renderer.render(cloud, ORIGIN, LENS)
    red = np.argwhere(view.rgb[..., 0] > 100).mean(axis=0)
    green = np.argwhere(view.rgb[..., 1] > 100).mean(axis=0)
    assert red == pytest.approx([LENS.cy - 0.5, LENS.cx - 82 * 0.25], abs=1.0)
    assert green == pytest.approx([LENS.cy - 82 * 0.2 - 0.5, LENS.cx - 0.5], abs=1.0)


def test_the_nearer_one_covers_and_depth_is_the_weighted_mean(renderer: CpuRenderer) -> None:
    lens = Intrinsics(21, 21, 50.0, 50.0, 10.5, 10.5)
    cloud = join(one((3, 0, 0), 1.0, 0.9, (0, 0, 1), 2), one((2, 0, 0), 1.0, 0.5, (1, 0, 0), 1))
    view = renderer.render(cloud, ORIGIN, lens)
    near, far = 0.5, 0.5 * 0.9
    assert view.rgb[10, 10] == pytest.approx([255 * near, 0, 255 * far], abs=0.51)
    assert view.depth[10, 10] == pytest.approx((2 * near + 3 * far) / (near + far), abs=1e-5)
    assert view.alpha[10, 10] == pytest.approx(near + far, abs=1e-5)


def test_the_id_is_voted_by_summed_weight(renderer: CpuRenderer) -> None:
    """The largest single weight is 0.4 of id 1, but id 2 gathers 0.27 + 0.22 from two Gaussians."""
    lens = Intrinsics(5, 5, 50.0, 50.0, 2.5, 2.5)
    layers = [one((2, 0, 0), 1.0, 0.4, instance=1)]
    layers += [one((2 + 0.5 * k, 0, 0), 1.0, 0.45 + 0.25 * k / 2, instance=2) for k in (1, 2)]
    assert renderer.render(join(*layers), ORIGIN, lens).instances[2, 2] == 2
    assert renderer.render(join(*layers[:2]), ORIGIN, lens).instances[2, 2] == 1


def test_more_instances_in_a_tile_than_fit_at_first(renderer: CpuRenderer) -> None:
    lens = Intrinsics(16, 16, 16.0, 16.0, 8.0, 8.0)
    spots = [one((1, 0.5 - (c + 0.5) / 16, 0.5 - (r + 0.5) / 16), 1e-4, 0.9, instance=100 + 16 * r + c)
             for r in range(0, 16, 2) for c in range(0, 16, 2)]  # fmt: skip
    view = renderer.render(join(*spots), ORIGIN, lens)
    assert (view.instances[::2, ::2] == 100 + 16 * np.arange(0, 16, 2)[:, None] + np.arange(0, 16, 2)).all()


@pytest.mark.parametrize("degree", [0, 3])
def test_order_of_gaussians_does_not_matter(renderer: CpuRenderer, degree: int) -> None:
    cloud = random_cloud(800, degree, seed=3)
    shuffled = cloud.select(np.random.default_rng(1).permutation(len(cloud)))
    one_view, other = renderer.render(cloud, ORIGIN, LENS), renderer.render(shuffled, ORIGIN, LENS)
    assert np.array_equal(one_view.rgb, other.rgb)
    assert np.array_equal(one_view.instances, other.instances)
    assert np.array_equal(one_view.depth, other.depth, equal_nan=True)


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_turning_world_and_camera_together_changes_nothing(renderer: CpuRenderer, degree: int) -> None:
    cloud = random_cloud(500, degree, seed=6)
    q, _ = np.linalg.qr(np.random.default_rng(8).normal(size=(3, 3)))
    T = rigid(q * np.sign(np.linalg.det(q)), np.array([0.5, -1.0, 2.0]))
    first = renderer.render(cloud, ORIGIN, LENS)
    second = renderer.render(cloud.transformed(T), T @ ORIGIN, LENS)
    assert psnr(first.rgb, second.rgb) > 60
    assert (first.instances == second.instances).mean() > 0.999


def test_scaling_the_world_scales_depth_alone(renderer: CpuRenderer) -> None:
    cloud = random_cloud(300, 3, seed=6)
    first = renderer.render(cloud, ORIGIN, LENS)
    second = renderer.render(cloud.transformed(np.eye(4), 2.0), ORIGIN, LENS, near=0.02)
    assert psnr(first.rgb, second.rgb) > 60
    assert np.nanquantile(np.abs(second.depth - 2 * first.depth), 0.999) < 1e-3


def test_no_seams_between_tiles_and_threads() -> None:
    cloud = random_cloud(600, seed=11, size=0.3)
    big = Intrinsics(64, 64, 60.0, 60.0, 32.0, 32.0)
    whole = CpuRenderer(threads=3).render(cloud, ORIGIN, big)
    for x, y in (
        (5, 9),
        (17, 30),
    ):  # the same rays in tiles that lie elsewhere; the clamp of slopes moves with the frame
        part = Intrinsics(30, 20, 60.0, 60.0, 32.0 - x, 32.0 - y)
        view = CpuRenderer(threads=1).render(cloud, ORIGIN, part)
        assert psnr(view.rgb, plain_render_u8(cloud, part)) > 60
    assert psnr(whole.rgb, plain_render_u8(cloud, big)) > 60


def plain_render_u8(cloud: GaussianCloud, lens: Intrinsics) -> np.ndarray:
    return np.floor(np.clip(plain_render(cloud, ORIGIN, lens).rgb, 0, 1) * 255 + 0.5)


def test_a_flat_wall_is_flat(renderer: CpuRenderer) -> None:
    """A wall of equal Gaussians shows one colour and one depth, across all tiles."""
    y, z = (axis.ravel() for axis in np.meshgrid(np.arange(-2, 2, 0.03), np.arange(-1.5, 1.5, 0.03)))
    n = len(y)
    wall = GaussianCloud(
        np.stack([np.full(n, 1.5), y, z], axis=1),
        np.tile([0.001, 0.03, 0.03], (n, 1)),
        np.tile([1.0, 0, 0, 0], (n, 1)),
        np.full(n, 0.95),
        np.full((n, 1, 3), (0.7 - 0.5) / C0),
        np.full(n, 4),
    )
    view = renderer.render(wall, ORIGIN, LENS)
    assert np.ptp(view.rgb.astype(int)) <= 1
    assert abs(int(view.rgb[0, 0, 0]) - round(0.7 * 255)) <= 1
    assert np.abs(view.depth - 1.5).max() < 1e-4
    assert (view.instances == 4).all()


def test_a_camera_inside_a_gaussian_sees_finite_values(renderer: CpuRenderer) -> None:
    cloud = join(one((0, 0, 0), 5.0), one((1e-4, 0, 0), 3.0), one((0.02, 0.5, 0), 3.0, 1.0), one((3, 0, 0), 0.3))
    view = renderer.render(cloud, ORIGIN, LENS)
    assert np.isfinite(view.alpha).all()
    assert (view.alpha >= 0).all()
    assert (view.alpha <= 1).all()
    seen = view.alpha > 0
    assert np.isfinite(view.depth[seen]).all()
    assert (view.depth[seen] > 0).all()


def test_near_and_far_planes(renderer: CpuRenderer) -> None:
    cloud = join(one((1, 0, 0), instance=1), one((4, 0, 0), 0.4, instance=2))
    middle = (40, 47)
    assert renderer.render(cloud, ORIGIN, LENS).instances[middle] == 1
    assert renderer.render(cloud, ORIGIN, LENS, near=2).instances[middle] == 2
    assert renderer.render(cloud, ORIGIN, LENS, far=3).depth[middle] == pytest.approx(1.0)
    assert renderer.render(cloud, ORIGIN, LENS, near=2, far=3).alpha.max() == 0


def test_colours_below_zero_are_black_and_above_one_white(renderer: CpuRenderer) -> None:
    lens = Intrinsics(5, 5, 50.0, 50.0, 2.5, 2.5)
    view = renderer.render(one((2, 0, 0), 1.0, 1.0, (-3.0, 0.0, 9.0)), ORIGIN, lens)
    assert tuple(view.rgb[2, 2]) == (0, 0, 255)


def test_several_threads_may_render_at_once(renderer: CpuRenderer) -> None:
    clouds = [random_cloud(300, seed=seed) for seed in range(4)]
    alone = [renderer.render(cloud, ORIGIN, LENS).rgb for cloud in clouds]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda k: renderer.render(clouds[k % 4], ORIGIN, LENS).rgb, range(40)))
    assert all(np.array_equal(image, alone[k % 4]) for k, image in enumerate(together))


def test_the_prepared_cloud_goes_with_the_cloud() -> None:
    renderer = CpuRenderer(threads=1)
    cloud = random_cloud(10)
    renderer.render(cloud, ORIGIN, LENS)
    assert len(renderer._layouts) == 1
    del cloud
    gc.collect()
    assert len(renderer._layouts) == 0


def test_renders_after_close() -> None:
    renderer = CpuRenderer(threads=2)
    cloud = random_cloud(50)
    before = renderer.render(cloud, ORIGIN, LENS).rgb
    renderer.close()
    renderer.close()
    assert np.array_equal(renderer.render(cloud, ORIGIN, LENS).rgb, before)


def draw_in_child(renderer: CpuRenderer, cloud: GaussianCloud, sink: Any) -> None:
    sink.send_bytes(renderer.render(cloud, ORIGIN, LENS).rgb.tobytes())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
def test_renders_in_a_process_forked_after_the_first_picture() -> None:
    renderer = CpuRenderer(threads=2)
    cloud = random_cloud(50)
    before = renderer.render(cloud, ORIGIN, LENS).rgb
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=draw_in_child, args=(renderer, cloud, sender))
    child.start()
    try:
        assert receiver.poll(30), "the forked renderer did not answer"
        assert receiver.recv_bytes() == before.tobytes()
    finally:
        child.kill()
        child.join(10)


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (4097, 1), (1, 9000), (4096, 4096)])
def test_any_size_from_one_pixel_to_4096_squared_and_beyond(renderer: CpuRenderer, size: tuple[int, int]) -> None:
    width, height = size
    focal = 0.7 * max(size)
    lens = Intrinsics(width, height, focal, focal, 0.5 * width, 0.5 * height)
    view = renderer.render(one((2, 0, 0), 1.5, 0.9, instance=5), ORIGIN, lens)
    assert view.rgb.shape == (height, width, 3)
    assert view.instances.shape == view.depth.shape == view.alpha.shape == (height, width)
    v, u = np.mgrid[0:height, 0:width].astype(np.float32) + 0.5
    variance = (1.5 * focal / 2) ** 2 + 0.3
    expected = 0.9 * np.exp(-0.5 * ((u - 0.5 * width) ** 2 + (v - 0.5 * height) ** 2) / variance)
    assert np.abs(view.alpha - expected).max() < 1e-4
    assert (view.instances == 5).all()
    assert np.abs(view.depth - 2).max() < 1e-4


def test_equal_depths_are_blended_by_index(renderer: CpuRenderer) -> None:
    near, far = one((1, 0, 0), 0.2, 0.9, instance=1), one((1, 0.01, 0), 0.2, 0.9, instance=2)
    assert renderer.render(join(near, far), ORIGIN, LENS).instances[40, 47] == 1
    assert renderer.render(join(far, near), ORIGIN, LENS).instances[40, 47] == 2


def test_classes_are_voted_like_instances(renderer: CpuRenderer) -> None:
    parts = [one((1.0 + 0.01 * k, 0, 0), 0.3, 0.35, instance=k) for k in range(1, 5)]
    table = np.array([0, 8, 9, 9, 9], np.int32)  # the first object is seen most, but three others are of one class
    view = renderer.render(join(*parts), ORIGIN, LENS, classes=table)
    assert view.classes is not None
    assert view.instances[40, 47] == 1
    assert view.classes[40, 47] == 9
    assert (view.classes[view.alpha == 0] == 0).all()
    assert renderer.render(join(*parts), ORIGIN, LENS).classes is None
    short = renderer.render(join(*parts), ORIGIN, LENS, classes=table[:2]).classes
    assert short is not None
    assert short[40, 47] == 0


def test_a_batch_is_one_picture_after_the_other(renderer: CpuRenderer) -> None:
    cloud = random_cloud(300, 1, seed=9)
    poses = [Viewpoint(0.1 * k, 0, 0, 0.1 * k, 0).T_world_camera_optical() for k in range(3)]
    for view, pose in zip(renderer.render_batch(cloud, poses, LENS), poses, strict=True):
        alone = renderer.render(cloud, pose, LENS)
        assert np.array_equal(view.rgb, alone.rgb)
        assert np.array_equal(view.depth, alone.depth, equal_nan=True)


def test_any_number_of_threads_gives_the_same_picture() -> None:
    cloud = random_cloud(900, 2, seed=4)
    pictures = []
    for threads in (1, 2, 3, 8):
        with closing(CpuRenderer(threads)) as renderer:
            pictures.append(renderer.render(cloud, ORIGIN, LENS))
    assert all(np.array_equal(pictures[0].rgb, other.rgb) for other in pictures[1:])
    assert all(np.array_equal(pictures[0].instances, other.instances) for other in pictures[1:])


def test_bands_give_the_same_picture(renderer: CpuRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = random_cloud(900, seed=4, size=0.5)
    whole = renderer.render(cloud, ORIGIN, LENS)
    monkeypatch.setattr("vantage.splats.rendering.cpu._MOST_LISTED", 700)
    banded = renderer.render(cloud, ORIGIN, LENS)
    assert np.array_equal(whole.rgb, banded.rgb)
    assert np.array_equal(whole.depth, banded.depth, equal_nan=True)


def test_every_gaussian_its_own_object(renderer: CpuRenderer) -> None:
    cloud = random_cloud(3000, seed=8)
    names = np.arange(3000) * 700_001 % (1 << 31)
    own = GaussianCloud(cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, names)
    agrees(renderer.render(own, ORIGIN, LENS), own, ORIGIN, LENS)


def test_far_from_the_origin(renderer: CpuRenderer) -> None:
    cloud = random_cloud(300, 2, seed=5)
    away = rigid(np.eye(3), np.array([4096.0, -8192.0, 512.0]))
    view = renderer.render(cloud.transformed(away), away @ ORIGIN, LENS)
    assert psnr(view.rgb, renderer.render(cloud, ORIGIN, LENS).rgb) > 40  # positions themselves are float32


def test_absurd_values_never_spoil_a_picture(renderer: CpuRenderer) -> None:
    good = random_cloud(200, 1, seed=6)
    rng = np.random.default_rng(0)
    absurd = GaussianCloud(
        rng.choice([-1e30, -1e6, 0.0, 1e-30, 3.0, 1e6, 1e30], (300, 3)),
        rng.choice([0.0, 1e-30, 1e-6, 1e5, 1e12, 1e30], (300, 3)),
        np.tile([1.0, 0, 0, 0], (300, 1)),
        rng.choice([0.0, 1e-30, 0.5, 1.0], 300),
        rng.choice([-1e30, 0.0, 1e30], (300, 4, 3)),
        np.arange(300) - 150,
    )
    view = renderer.render(join(good, absurd), ORIGIN, LENS)
    assert np.isfinite(view.alpha).all()
    assert ((view.alpha >= 0) & (view.alpha <= 1)).all()
    assert np.isfinite(view.depth[view.alpha > 0]).all()


def test_what_is_kept_stays_small(renderer: CpuRenderer) -> None:
    cloud = random_cloud(20_000, 3, seed=1)
    with closing(CpuRenderer(threads=2)) as fresh:
        fresh.render(cloud, ORIGIN, LENS)
        own = cloud.means.nbytes + cloud.scales.nbytes + cloud.quaternions.nbytes + cloud.opacities.nbytes
        assert fresh.memory_bytes(cloud) < 2 * (own + cloud.sh.nbytes + cloud.instances.nbytes)


@pytest.mark.parametrize("distance", [1e2, 1e4, 1e6, 9e8])
def test_a_stray_far_away_leaves_the_rest_alone(renderer: CpuRenderer, distance: float) -> None:
    cloud = random_cloud(2000, 1, seed=2)
    without = renderer.render_linear(cloud, ORIGIN, LENS)
    stray = renderer.render_linear(join(cloud, one((-distance, distance, 0))), ORIGIN, LENS)
    assert psnr(255 * stray.rgb, 255 * without.rgb) >= 80
    assert np.nanquantile(np.abs(stray.depth - without.depth), 0.99) <= 1e-4  # some alphas flip at 1/255
    assert (stray.instances == without.instances).mean() >= 0.999


def test_too_large_a_picture_is_refused(renderer: CpuRenderer) -> None:
    with pytest.raises(UsageError, match="600000 x 1 pixels cannot be rendered"):
        renderer.render(random_cloud(5), ORIGIN, Intrinsics(600_000, 1, 50.0, 50.0, 10.0, 0.5))


def test_thousands_of_objects_in_one_tile(renderer: CpuRenderer) -> None:
    n = 20_000
    haze = random_cloud(n, seed=3, size=0.5)
    own = GaussianCloud(
        haze.means, haze.scales, haze.quaternions, np.full(n, 0.006), haze.sh, np.arange(n, dtype=np.int32)[::-1]
    )
    lens = Intrinsics(8, 8, 6.0, 6.0, 4.0, 4.0)
    agrees(renderer.render(own, ORIGIN, lens), own, ORIGIN, lens)


def test_too_many_objects_in_one_tile_are_refused(renderer: CpuRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vantage.splats.rendering.cpu._MOST_PLANES", 3)
    with pytest.raises(SceneError, match="6 instance ids meet in one tile"):
        renderer.render(random_cloud(300), ORIGIN, LENS)


def test_an_interrupted_picture_does_not_spoil_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = random_cloud(900, seed=4)
    with closing(CpuRenderer(threads=2)) as renderer:
        whole = renderer.render(cloud, ORIGIN, LENS)

        def interrupted(*arguments: Any) -> None:
            if arguments[-1] == 0:
                raise KeyboardInterrupt
            raster(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr("vantage.splats.rendering.cpu.raster", interrupted)
            with pytest.raises(KeyboardInterrupt):
                renderer.render(cloud, ORIGIN, LENS)
        assert np.array_equal(renderer.render(cloud, ORIGIN, LENS).instances, whole.instances)

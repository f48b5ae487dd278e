"""The GPU renderer over gsplat itself, with torch code in the place of its CUDA kernels: all else runs here."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from gsplat_on_cpu import gsplat_on_cpu
from plain_renderer import plain_render, random_cloud

from vantage.errors import VantageError
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.cloud import GaussianCloud, concatenate
from vantage.splats.rendering import gsplat_renderer
from vantage.splats.rendering.gsplat_reference import reference_render
from vantage.splats.rendering.gsplat_renderer import GsplatRenderer
from vantage.splats.rendering.reference import agreement, psnr
from vantage.splats.rendering.renderer import RenderedView, Renderer

pytestmark = pytest.mark.needs("gsplat")

ORIGIN = Viewpoint(0, 0, 0, 0, 0).T_world_camera_optical()
ASIDE = Viewpoint(0.1, -0.2, 0.05, 0.2, -0.1).T_world_camera_optical()
LENS = Intrinsics(50, 37, 40.0, 41.0, 23.6, 20.0)


@pytest.fixture(scope="module", autouse=True)
def _one_torch_thread() -> Iterator[None]:
    """Small tensors on a busy machine: more threads wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def kernels() -> Iterator[Any]:
    with gsplat_on_cpu() as gsplat:
        yield gsplat


@pytest.fixture
def renderer(kernels: Any) -> GsplatRenderer:
    return GsplatRenderer("cpu", kernels)


def same(one: RenderedView, other: RenderedView) -> None:
    """But for the order in which torch adds when it projects several cameras at once."""
    assert psnr(one.rgb, other.rgb) >= 70
    assert np.array_equal(np.isnan(one.depth), np.isnan(other.depth))
    assert np.nanmax(np.abs(one.depth - other.depth), initial=0.0) <= 1e-4
    assert (one.instances == other.instances).mean() >= 0.999


def layers(*ids: int) -> GaussianCloud:
    """Wide half-transparent Gaussians behind each other, each of its own object."""
    n = len(ids)
    means = np.column_stack([2.0 + 0.5 * np.arange(n), np.zeros(n), np.zeros(n)])
    return GaussianCloud(
        means,
        np.full((n, 3), 1.0),
        np.tile([1.0, 0, 0, 0], (n, 1)),
        np.full(n, 0.4),
        np.zeros((n, 1, 3)),
        np.array(ids),
    )


def test_is_a_renderer(renderer: GsplatRenderer) -> None:
    assert isinstance(renderer, Renderer)
    assert renderer.name == "gsplat"


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_agrees_with_the_definition(renderer: GsplatRenderer, degree: int) -> None:
    cloud = random_cloud(300, degree, seed=degree)
    options: dict[str, Any] = {"background": (0.3, 0.6, 0.1), "near": 1.5, "far": 4.0}
    found = agreement(renderer.render(cloud, ASIDE, LENS, **options), plain_render(cloud, ASIDE, LENS, **options))
    assert found.psnr_db >= 80
    assert found.depth_p999 <= 1e-4
    assert found.same_seen >= 0.999
    assert found.same_instances >= 0.999


def test_types(renderer: GsplatRenderer) -> None:
    view = renderer.render(random_cloud(20), ORIGIN, LENS)
    images = (view.rgb, view.depth, view.alpha, view.instances)
    assert [image.dtype for image in images] == [np.uint8, np.float32, np.float32, np.int32]
    assert {image.shape[:2] for image in images} == {(LENS.height, LENS.width)}
    assert view.classes is None
    assert all(image.flags.writeable for image in images)


def test_depth_is_nan_exactly_where_nothing_is_seen(renderer: GsplatRenderer) -> None:
    view = renderer.render(random_cloud(3), ORIGIN, LENS)
    assert 0 < (view.alpha == 0).mean() < 1
    assert np.array_equal(np.isnan(view.depth), view.alpha == 0)
    assert not view.instances[view.alpha == 0].any()


def test_more_objects_than_fit_into_one_pass(renderer: GsplatRenderer) -> None:
    cloud = random_cloud(300, seed=3, size=0.03)
    many = GaussianCloud(
        cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, 1000 + np.arange(300) % 100
    )
    view = renderer.render(many, ORIGIN, LENS)
    exact = plain_render(many, ORIGIN, LENS)
    assert len(np.unique(view.instances)) > 33
    assert (view.instances == exact.instances()).mean() >= 0.999


def test_equal_votes_go_to_the_smaller_id_across_passes(kernels: Any) -> None:
    def tied(
        _means: Any, _conics: Any, colors: Any, _opacities: Any, width: int, height: int, *_: Any, **__: Any
    ) -> Any:
        return torch.full((1, height, width, colors.shape[-1]), 0.25), None

    tying = SimpleNamespace(rasterization=kernels.rasterization, rasterize_to_pixels=tied)
    renderer = GsplatRenderer("cpu", tying)
    cloud = layers(*range(80, 2, -1))
    assert (renderer.render(cloud, ORIGIN, LENS).instances == 3).all()


def test_classes_are_voted_on_too(renderer: GsplatRenderer) -> None:
    """Id 1 has the largest vote, but the others are of one class and together have more."""
    lens = Intrinsics(3, 3, 50.0, 50.0, 1.5, 1.5)
    cloud = layers(1, 2, 3, 7)
    table = np.array([0, 5, 4, 4], np.int32)
    view = renderer.render(cloud, ORIGIN, lens, classes=table)
    assert view.instances[1, 1] == 1
    assert view.classes is not None
    assert view.classes.dtype == np.int32
    assert view.classes[1, 1] == 5  # 0.4 against 0.24 + 0.144
    more = renderer.render(concatenate([layers(2), layers(1), layers(3)]), ORIGIN, lens, classes=table)
    assert more.classes is not None
    assert more.classes[1, 1] == 4
    outside = renderer.render(layers(7), ORIGIN, lens, classes=table)
    assert outside.classes is not None
    assert outside.instances[1, 1] == 7
    assert outside.classes[1, 1] == 0


def test_classes_agree_with_the_definition(renderer: GsplatRenderer) -> None:
    cloud = random_cloud(300, seed=8)
    table = np.array([0, 2, 2, 1, 1], np.int32)  # id 5 is beyond it
    view = renderer.render(cloud, ASIDE, LENS, classes=table)
    assert view.classes is not None
    assert (view.classes == plain_render(cloud, ASIDE, LENS).classes(table)).mean() >= 0.999


@pytest.mark.parametrize("cloud", [GaussianCloud.empty(), GaussianCloud.empty(3), random_cloud(5, depth=(-9.0, -5.0))])
def test_nothing_to_see(renderer: GsplatRenderer, cloud: GaussianCloud) -> None:
    view = renderer.render(cloud, ORIGIN, LENS, background=(0.2, 0.4, 1.0), classes=np.zeros(9, np.int32))
    assert (view.rgb == np.array([51, 102, 255])).all()
    assert np.isnan(view.depth).all()
    assert not view.alpha.any()
    assert not view.instances.any()
    assert view.classes is not None
    assert not view.classes.any()


def test_a_batch_is_one_call_and_the_same_as_single_views(renderer: GsplatRenderer, kernels: Any) -> None:
    cloud = random_cloud(200, 2, seed=4)
    poses = [ORIGIN, ASIDE, Viewpoint(0, 0, 0, 3.0, 0).T_world_camera_optical()]
    calls = []

    def rasterization(*arguments: Any, **options: Any) -> Any:
        calls.append(len(arguments[5]))
        return kernels.rasterization(*arguments, **options)

    counting = SimpleNamespace(rasterization=rasterization, rasterize_to_pixels=kernels.rasterize_to_pixels)
    together = GsplatRenderer("cpu", counting).render_batch(cloud, poses, LENS)
    assert calls == [3]
    for pose, view in zip(poses, together, strict=True):
        same(view, renderer.render(cloud, pose, LENS))
    assert renderer.render_batch(cloud, [], LENS) == []


class Watching:
    """gsplat's operations, noting cameras per call and the bytes of the votes that they give."""

    def __init__(self, kernels: Any) -> None:
        self.kernels = kernels
        self.cameras: list[int] = []
        self.votes: list[int] = []

    def rasterization(self, *arguments: Any, **options: Any) -> Any:
        self.cameras.append(len(arguments[5]))
        return self.kernels.rasterization(*arguments, **options)

    def rasterize_to_pixels(self, *arguments: Any, **options: Any) -> Any:
        images, alphas = self.kernels.rasterize_to_pixels(*arguments, **options)
        self.votes.append(images.nbytes)
        return images, alphas


@pytest.mark.parametrize(("gaussians", "lens"), [(2000, Intrinsics(4, 3, 4.0, 4.0, 2.0, 1.5)), (40, LENS)])
def test_large_batches_are_split(
    kernels: Any, monkeypatch: pytest.MonkeyPatch, gaussians: int, lens: Intrinsics
) -> None:
    """By what weighs more: the Gaussians, or the pixels."""
    cloud = random_cloud(gaussians, 1, seed=3)
    many = GaussianCloud(
        cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, 1 + np.arange(gaussians) % 40
    )
    poses = [ORIGIN, ASIDE, ORIGIN, ASIDE, ORIGIN]
    whole = GsplatRenderer("cpu", kernels).render_batch(many, poses, lens)
    limit = 2 * 4 * max(gaussians, lens.width * lens.height) * 64
    monkeypatch.setattr(gsplat_renderer, "_CALL_BYTES", limit)
    watching = Watching(kernels)
    split = GsplatRenderer("cpu", watching).render_batch(many, poses, lens)
    assert sum(watching.cameras) == len(poses)
    assert 1 <= max(watching.cameras) <= 3
    assert len(watching.votes) > 0
    assert max(watching.votes) <= limit
    for one, other in zip(whole, split, strict=True):
        same(one, other)


@pytest.mark.parametrize("size", [(1, 1), (96, 72), (640, 480), (4096, 4096)])
@pytest.mark.parametrize("gaussians", [0, 20_000, 3_000_000])
def test_a_call_stays_within_its_memory(gaussians: int, size: tuple[int, int]) -> None:
    lens = Intrinsics(*size, 500.0, 500.0, 0.5 * size[0], 0.5 * size[1])
    cameras = gsplat_renderer._cameras_at_once(gaussians, 16, lens)
    votes = 4 * size[0] * size[1] * 32  # of one camera
    harmonics = 4 * gaussians * 16 * 3
    assert cameras >= 1
    assert cameras == 1 or cameras * (votes + harmonics) <= 4 * 2**30
    assert cameras * max(votes, harmonics, 1) > 2**26 or gaussians == 0  # and is not split for nothing


def test_too_little_memory_is_one_clear_error() -> None:
    def rasterization(*_: Any, **__: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory")

    renderer = GsplatRenderer("cpu", SimpleNamespace(rasterization=rasterization))
    with pytest.raises(VantageError, match=r"too little memory for 7 Gaussians at 50 x 37.*world\.renderer=cpu"):
        renderer.render(random_cloud(7, seed=1), ORIGIN, LENS)


def test_the_copy_of_a_cloud_goes_with_the_cloud_and_on_close(renderer: GsplatRenderer) -> None:
    cloud, other = random_cloud(10), random_cloud(11)
    renderer.prepare(cloud)
    before = renderer.render(other, ORIGIN, LENS).rgb
    assert len(renderer._clouds) == 2
    del cloud
    gc.collect()
    assert len(renderer._clouds) == 1
    renderer.close()
    assert len(renderer._clouds) == 0
    assert np.array_equal(renderer.render(other, ORIGIN, LENS).rgb, before)


def test_several_threads_may_render_at_once(renderer: GsplatRenderer) -> None:
    clouds = [random_cloud(60, seed=seed) for seed in range(3)]
    alone = [renderer.render(cloud, ORIGIN, LENS).rgb for cloud in clouds]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda k: renderer.render(clouds[k % 3], ORIGIN, LENS).rgb, range(12)))
    assert all(np.array_equal(image, alone[k % 3]) for k, image in enumerate(together))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device: gsplat's own kernels were not run")
def test_gsplats_kernels_agree_with_its_reference() -> None:
    cloud = random_cloud(2000, 3, seed=5)
    table = np.array([0, 2, 2, 1, 1], np.int32)
    on_gpu = GsplatRenderer()
    for pose, view in zip(
        (ORIGIN, ASIDE), on_gpu.render_batch(cloud, [ORIGIN, ASIDE], LENS, classes=table), strict=True
    ):
        found = agreement(view, reference_render(cloud, pose, LENS))
        assert found.psnr_db >= 60
        assert found.depth_p999 <= 1e-3
        assert found.same_instances >= 0.999
    on_gpu.close()

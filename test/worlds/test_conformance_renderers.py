"""The splat world keeps the promises of a world whichever renderer draws it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from vantage.config import Settings
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.rendering.gsplat_renderer import gpu_obstacle
from vantage.splats.rendering.renderer import Renderer
from vantage.types import Episode
from vantage.worlds.conformance import check_world
from vantage.worlds.splat import SplatWorld


class Counting:
    """Passes everything on, and counts pictures: what was checked must have been drawn by this renderer."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.drawn = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._renderer, name)

    def render(self, *arguments: Any, **options: Any) -> Any:
        self.drawn += 1
        return self._renderer.render(*arguments, **options)


def conforms(renderer: Renderer, settings: Settings, episode: Episode) -> None:
    counting: Any = Counting(renderer)
    names = check_world(lambda: SplatWorld(settings, counting), episode)
    assert {"images", "same_seed_same_run", "done_reaches_target"} <= set(names)
    assert counting.drawn > len(names)


@pytest.mark.parametrize("threads", [1, 2])
def test_with_the_cpu_renderer(settings: Settings, episode: Episode, threads: int) -> None:
    with closing(CpuRenderer(threads)) as renderer:
        conforms(renderer, settings, episode)


@pytest.fixture
def one_torch_thread() -> Iterator[None]:
    """Small tensors on a busy machine: more threads wait for each other."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.needs("gsplat")
@pytest.mark.usefixtures("one_torch_thread")
def test_with_the_gsplat_renderer_over_torch(settings: Settings, episode: Episode) -> None:
    """gsplat as it is, but for its CUDA operations, which its torch reference stands in for."""
    from gsplat_on_cpu import gsplat_on_cpu

    from vantage.splats.rendering.gsplat_renderer import GsplatRenderer

    settings = settings.with_values({"camera.width": 48, "camera.height": 36}, "this test")
    with gsplat_on_cpu() as kernels, closing(GsplatRenderer("cpu", kernels)) as renderer:
        conforms(renderer, settings, episode)


@pytest.mark.needs("gsplat")
def test_with_the_gsplat_renderer_on_a_gpu(settings: Settings, episode: Episode) -> None:
    obstacle = gpu_obstacle()
    if obstacle is not None:
        pytest.skip(f"gsplat's own kernels were not run: {obstacle}")
    from vantage.splats.rendering.gsplat_renderer import GsplatRenderer

    with closing(GsplatRenderer()) as renderer:
        conforms(renderer, settings, episode)

"""Renderers by name."""

from __future__ import annotations

from typing import cast

from vantage.registry import Registry
from vantage.splats.rendering.gsplat_renderer import gpu_obstacle, missing_packages
from vantage.splats.rendering.renderer import Renderer


def make_renderer(name: str, threads: int) -> Renderer:
    """A renderer by its name in ``world.renderer``; ``auto`` is gsplat where that can run and cpu elsewhere.

    ``threads`` is how many the CPU renderer takes.

    Raises:
        UnknownNameError: no such renderer.
        MissingExtraError: gsplat was asked for and is not installed.
        VantageError: gsplat was asked for and finds no GPU.
    """
    return cast(Renderer, RENDERERS.create(name, threads))


def instruction_set() -> str:
    """The widest vector instructions of this machine, on which the speed of the CPU renderer depends."""
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    return next((name for name, key in (("AVX-512", "avx512f"), ("AVX2", "avx2")) if features.get(key)), "no AVX")


def _cpu(threads: int) -> Renderer:
    from vantage.splats.rendering.cpu import CpuRenderer

    return CpuRenderer(threads)


def _gsplat(threads: int) -> Renderer:
    from vantage.splats.rendering.gsplat_renderer import GsplatRenderer

    return GsplatRenderer()


def _auto(threads: int) -> Renderer:
    return _cpu(threads) if missing_packages() or gpu_obstacle() is not None else _gsplat(threads)


RENDERERS = Registry("renderer", {"auto": _auto, "cpu": _cpu, "gsplat": _gsplat})

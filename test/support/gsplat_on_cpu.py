"""gsplat as it is, with the five CUDA operations beneath its Python code replaced by its own torch reference.

What ``GsplatRenderer`` calls then runs on the CPU with all of gsplat's checks; only the kernels are others. Needs the
extra ``gsplat``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
from gsplat.cuda import _torch_impl

from vantage.splats.rendering.gsplat_reference import LEAST, composite, tile_lists


@contextmanager
def gsplat_on_cpu() -> Iterator[Any]:
    """The package ``gsplat``, able to draw on the CPU for as long as the context lasts."""
    import gsplat

    name = "gsplat.cuda._backend"
    backend: Any = ModuleType(name)
    backend._C = SimpleNamespace(
        CameraModelType=SimpleNamespace(PINHOLE="pinhole"),
        PINHOLE="pinhole",
        projection_ewa_3dgs_packed_fwd=_project,
        spherical_harmonics_fwd=_harmonics,
        intersect_tile=_tiles,
        intersect_offset=_torch_impl._isect_offset_encode,
        rasterize_to_pixels_3dgs_fwd=_rasterize,
    )
    before = sys.modules.get(name)
    sys.modules[name] = backend
    try:
        yield gsplat
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before


def _project(
    means: Any,
    covars: Any,
    quats: Any,
    scales: Any,
    opacities: Any,
    viewmats: Any,
    Ks: Any,
    width: int,
    height: int,
    eps2d: float,
    near: float,
    far: float,
    radius_clip: float,
    calc_compensations: bool,
    camera_model: str,
) -> tuple[Any, ...]:
    assert covars is None
    assert camera_model == "pinhole"
    assert (radius_clip, calc_compensations) == (0.0, False)
    covars, _ = _torch_impl._quat_scale_to_covar_preci(quats, scales, True, False)
    radii, means2d, depths, conics, _ = _torch_impl._fully_fused_projection(
        means, covars, viewmats, Ks, width, height, eps2d=eps2d, near_plane=near, far_plane=far
    )
    seen = (radii > 0).all(dim=-1) & (opacities >= LEAST)
    cameras, gaussians = torch.nonzero(seen, as_tuple=True)
    ends = torch.cat([torch.zeros(1, dtype=torch.int32), seen.sum(dim=1).cumsum(0).int()])
    none = torch.zeros(0)
    batches = torch.zeros_like(cameras)
    return ends, batches, cameras, gaussians, radii[seen], means2d[seen], depths[seen], conics[seen], none


def _harmonics(degree: int, dirs: Any, coeffs: Any, masks: Any) -> Any:
    return torch.where(masks[..., None], _torch_impl._spherical_harmonics(degree, dirs, coeffs), 0.0)


def _tiles(
    means2d: Any,
    radii: Any,
    depths: Any,
    image_ids: Any,
    gaussian_ids: Any,
    images: int,
    tile_size: int,
    columns: int,
    rows: int,
    sort: bool,
    segmented: bool,
) -> tuple[Any, Any, Any]:
    assert sort
    assert not segmented
    bits = (columns * rows).bit_length()
    keys, ids = [torch.zeros(0, dtype=torch.long)], [torch.zeros(0, dtype=torch.int32)]
    for image in range(images):
        own = torch.nonzero(image_ids == image).flatten()
        key, order = tile_lists(means2d[own], radii[own], depths[own], tile_size, columns, rows)
        keys.append(key | image << (32 + bits))
        ids.append(own[order.long()].int())
    found = torch.cat(ids)
    return torch.bincount(found, minlength=len(means2d)).int(), torch.cat(keys), found


def _rasterize(
    means2d: Any,
    conics: Any,
    colors: Any,
    opacities: Any,
    backgrounds: Any,
    masks: Any,
    width: int,
    height: int,
    tile_size: int,
    offsets: Any,
    ids: Any,
) -> tuple[Any, Any, Any]:
    assert backgrounds is None
    assert masks is None
    firsts = [int(starts[0, 0]) for starts in offsets] + [len(ids)]
    parts = [
        composite(means2d, conics, colors, opacities, width, height, tile_size, (starts - first)[None], ids[first:last])
        for starts, first, last in zip(offsets, firsts[:-1], firsts[1:], strict=True)
    ]
    images, alphas = (torch.stack(column) for column in zip(*parts, strict=True))
    return images, alphas, torch.zeros(alphas.shape[:-1], dtype=torch.int32)

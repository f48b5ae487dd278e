"""gsplat's own torch reference on the CPU: what the renderers have to agree with.

Projection, spherical harmonics, tile offsets and compositing are those of ``gsplat.cuda._torch_impl`` (gsplat 1.5.3).
The three steps of it that exist for CUDA alone or take minutes are done here in torch: the lists of Gaussians per tile,
the pairs of Gaussians and pixels that meet, and the sums along a ray, for which gsplat asks the package nerfacc.

The extra ``gsplat`` must be installed to import this module.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import torch
from gsplat.cuda import _torch_impl, _wrapper

from vantage.spatial import Intrinsics, Matrix, invert
from vantage.splats.cloud import GaussianCloud
from vantage.splats.rendering.reference import ExactView
from vantage.splats.rendering.renderer import BLACK, FAR, NEAR, Rgb

ENOUGH = 1e-4
LEAST = 1.0 / 255.0
MOST = 0.999
TILE = 16
_AT_ONCE = 512  # Gaussians of a tile
_CHANNELS = 32
_LOCK = threading.Lock()


def reference_render(
    cloud: GaussianCloud,
    T_world_camera_optical: Matrix,
    intrinsics: Intrinsics,
    background: Rgb = BLACK,
    near: float = NEAR,
    far: float = FAR,
    *,
    vote: bool = True,
) -> ExactView:
    """See ``Renderer.render``; without ``vote``, the view has no votes and takes less time."""
    means, opacities = torch.tensor(cloud.means), torch.tensor(cloud.opacities)
    view = torch.tensor(invert(np.asarray(T_world_camera_optical, dtype=np.float64)), dtype=torch.float32)
    lens = torch.tensor(intrinsics.matrix(), dtype=torch.float32)
    width, height = intrinsics.width, intrinsics.height
    covariances, _ = _torch_impl._quat_scale_to_covar_preci(
        torch.tensor(cloud.quaternions), torch.tensor(cloud.scales), True, False
    )
    radii, means2d, depths, conics, _ = _torch_impl._fully_fused_projection(
        means, covariances, view[None], lens[None], width, height, near_plane=near, far_plane=far
    )
    seen = torch.nonzero((radii[0] > 0).all(dim=-1) & (opacities >= LEAST)).flatten()
    away = means[seen] - torch.inverse(view)[:3, 3]
    colors = _torch_impl._spherical_harmonics(cloud.degree, away, torch.tensor(cloud.sh)[seen])
    depths = depths[0, seen]
    columns, rows = math.ceil(width / TILE), math.ceil(height / TILE)
    keys, ids = tile_lists(means2d[0, seen], radii[0, seen], depths, TILE, columns, rows)
    draw = partial(
        composite,
        means2d[0, seen],
        conics[0, seen],
        opacities=opacities[seen],
        width=width,
        height=height,
        tile_size=TILE,
        starts=_torch_impl._isect_offset_encode(keys, 1, columns, rows),
        ids=ids,
    )
    image, alpha = draw(torch.cat([torch.clamp_min(colors + 0.5, 0.0), depths[:, None]], dim=-1))
    behind = (1.0 - alpha) * torch.tensor(background, dtype=torch.float32)
    depth = torch.where(alpha > 0, image[..., 3:] / alpha.clamp(min=1e-10), torch.nan)
    votes = {}
    labels = torch.tensor(cloud.instances)[seen]
    for some in torch.unique(labels).split(_CHANNELS) if vote else ():
        weights, _ = draw((labels[:, None] == some).float())
        votes.update({int(name): weights[..., k].double().numpy() for k, name in enumerate(some)})
    rgb, depth, alpha = (part.double().numpy() for part in (image[..., :3] + behind, depth[..., 0], alpha[..., 0]))
    return ExactView(rgb, depth, alpha, votes)


def composite(
    means2d: Any,
    conics: Any,
    features: Any,
    opacities: Any,
    width: int,
    height: int,
    tile_size: int,
    starts: Any,
    ids: Any,
) -> tuple[Any, Any]:
    """Blend projected Gaussians (V,) by the reference: their features (V, D) as (H, W, D), and alpha (H, W, 1).

    Args:
        starts: (1, rows, columns): where the list of each tile begins in ``ids``.
        ids: (M,) int32, nearest first in each tile.
    """
    with _stand_ins():
        image, alpha = _torch_impl._rasterize_to_pixels(
            means2d[None], conics[None], features[None], opacities[None], width, height, tile_size, starts, ids
        )
    return image[0], alpha[0]


def tile_lists(means2d: Any, radii: Any, depths: Any, tile_size: int, columns: int, rows: int) -> tuple[Any, Any]:
    """``_isect_tiles`` for one image, without its loop over Gaussians.

    Returns:
        Keys (M,) int64 of ``tile << 32 | bits of the depth``, ascending, and the Gaussian (M,) int32 of each.
    """
    size = torch.tensor([columns, rows])
    centers, reach = means2d / tile_size, radii / tile_size
    low = torch.minimum(torch.floor(centers - reach).long().clamp(min=0), size)
    high = torch.minimum(torch.ceil(centers + reach).long().clamp(min=0), size)
    spans = high - low
    counts = spans.prod(dim=-1)
    ids = torch.repeat_interleave(torch.arange(len(counts)), counts)
    number = torch.arange(len(ids)) - torch.repeat_interleave(torch.cumsum(counts, 0) - counts, counts)
    column, row = low[ids, 0] + number % spans[ids, 0], low[ids, 1] + number // spans[ids, 0]
    bits = depths.contiguous().view(torch.int32).long() & 0xFFFFFFFF
    keys, order = torch.sort(((row * columns + column) << 32) | bits[ids], stable=True)
    return keys, ids[order].int()


@contextmanager
def _stand_ins() -> Iterator[None]:
    """What gsplat's torch code looks up by name while it composites, for as long as it does."""
    with _LOCK:
        module, pairs = sys.modules.get("nerfacc"), _wrapper.rasterize_to_indices_in_range
        sys.modules["nerfacc"], _wrapper.rasterize_to_indices_in_range = _NERFACC, _meetings
        try:
            yield
        finally:
            _wrapper.rasterize_to_indices_in_range = pairs
            if module is None:
                del sys.modules["nerfacc"]
            else:
                sys.modules["nerfacc"] = module


def _meetings(
    range_start: int,
    range_end: int,
    transmittances: Any,
    means2d: Any,
    conics: Any,
    opacities: Any,
    image_width: int,
    image_height: int,
    tile_size: int,
    isect_offsets: Any,
    flatten_ids: Any,
) -> tuple[Any, Any, Any]:
    """``rasterize_to_indices_in_range`` for one image: which Gaussians reach which pixels, by pixel and then depth.

    Returns:
        Gaussian, pixel (row by row) and image, each (M,).
    """
    rows, columns = isect_offsets.shape[-2:]
    starts = [*isect_offsets.flatten().tolist(), len(flatten_ids)]
    block = tile_size * tile_size
    gaussians, pixels = [torch.zeros(0, dtype=torch.long)], [torch.zeros(0, dtype=torch.long)]
    for tile in range(rows * columns):
        first, last = starts[tile] + range_start * block, min(starts[tile + 1], starts[tile] + range_end * block)
        if first >= last:
            continue
        top, side = tile // columns * tile_size, tile % columns * tile_size
        ys, xs = torch.meshgrid(
            torch.arange(top, min(top + tile_size, image_height)),
            torch.arange(side, min(side + tile_size, image_width)),
            indexing="ij",
        )
        ys, xs = ys.flatten(), xs.flatten()
        left = transmittances[0, ys, xs]
        for begin in range(first, last, _AT_ONCE):
            some = flatten_ids[begin : min(begin + _AT_ONCE, last)].long()
            dx, dy = means2d[0, some, 0] - (xs[:, None] + 0.5), means2d[0, some, 1] - (ys[:, None] + 0.5)
            a, b, c = conics[0, some].unbind(-1)
            sigma = 0.5 * (a * dx * dx + c * dy * dy) + b * dx * dy
            alpha = torch.clamp_max(opacities[0, some] * torch.exp(-sigma), MOST)
            alpha = torch.where((sigma >= 0) & (alpha >= LEAST), alpha, 0.0)
            after = left[:, None] * torch.cumprod(1.0 - alpha, dim=1)
            pixel, gaussian = torch.nonzero((after > ENOUGH) & (alpha > 0), as_tuple=True)
            gaussians.append(some[gaussian])
            pixels.append(ys[pixel] * image_width + xs[pixel])
            left = torch.where(after[:, -1] > ENOUGH, after[:, -1], 0.0)  # 0: the pixel has ended
            if not left.any():
                break
    pixel, order = torch.sort(torch.cat(pixels), stable=True)
    return torch.cat(gaussians)[order], pixel, torch.zeros_like(pixel)


def _ray_weights(alphas: Any, ray_indices: Any, n_rays: int) -> tuple[Any, Any]:
    """nerfacc's ``render_weight_from_alpha``: alpha times what is left of the ray, whose samples lie side by side."""
    logarithm = torch.log1p(-alphas.double())
    before = torch.cumsum(logarithm, 0) - logarithm
    begins = torch.ones_like(ray_indices, dtype=torch.bool)
    begins[1:] = ray_indices[1:] != ray_indices[:-1]
    start = torch.cummax(torch.where(begins, torch.arange(len(begins)), 0), 0).values
    left = torch.exp(before - before[start]).to(alphas.dtype)
    return alphas * left, left


def _ray_sums(weights: Any, values: Any, ray_indices: Any, n_rays: int) -> Any:
    """nerfacc's ``accumulate_along_rays``: (n_rays, D)."""
    weighted = weights[:, None] if values is None else weights[:, None] * values
    return torch.zeros(n_rays, weighted.shape[-1], dtype=weighted.dtype).index_add_(0, ray_indices, weighted)


_NERFACC: Any = ModuleType("nerfacc")
_NERFACC.render_weight_from_alpha = _ray_weights
_NERFACC.accumulate_along_rays = _ray_sums

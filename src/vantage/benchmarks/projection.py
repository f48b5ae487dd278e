"""Points and patches of surface in an image."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.crossings import Flags, Floats
from vantage.benchmarks.surface_samples import SurfaceSamples
from vantage.spatial import Intrinsics, Viewpoint


@lru_cache(maxsize=16)
def half_cone(intrinsics: Intrinsics) -> float:
    """Half the opening of the narrowest cone around the optical axis that holds the whole image, rad."""
    across = max(intrinsics.cx, intrinsics.width - intrinsics.cx) / intrinsics.fx
    down = max(intrinsics.cy, intrinsics.height - intrinsics.cy) / intrinsics.fy
    return math.atan(math.hypot(across, down))


def pixels_of(points: Floats, intrinsics: Intrinsics) -> tuple[Flags, NDArray[np.intp], NDArray[np.intp]]:
    """Which points (N, 3) in the optical frame fall into the image, and the row and column of each."""
    ahead = points[:, 2] > 1e-3
    uv = intrinsics.project(np.where(ahead[:, None], points, 1.0))
    columns, rows = np.floor(uv[:, 0]).astype(np.intp), np.floor(uv[:, 1]).astype(np.intp)
    inside = ahead & (columns >= 0) & (columns < intrinsics.width) & (rows >= 0) & (rows < intrinsics.height)
    return inside, np.where(inside, rows, 0), np.where(inside, columns, 0)


def projected_area(
    samples: SurfaceSamples, points: Floats, viewpoint: Viewpoint, intrinsics: Intrinsics, visible: Flags
) -> float:
    """Pixels covered by the visible samples: a patch of area A, normal n at p covers fx fy A |n.p| / z^3."""
    rays = samples.points[visible] - viewpoint.position
    tilt = np.abs((samples.normals[visible] * rays).sum(axis=1))
    return float((intrinsics.fx * intrinsics.fy * samples.areas[visible] * tilt / points[visible, 2] ** 3).sum())

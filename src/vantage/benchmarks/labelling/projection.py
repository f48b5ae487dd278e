"""Points, boxes and patches of surface in an image."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.benchmarks.labelling.surface_samples import SurfaceSamples
from vantage.spatial import Intrinsics, Viewpoint, apply, invert
from vantage.types import FIRST_VIEW_RULE, Point

_NEAREST = 0.05  # m before the camera, at which a box that reaches behind it is cut


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


def seen_area(
    samples: SurfaceSamples,
    points: Floats,
    viewpoint: Viewpoint,
    intrinsics: Intrinsics,
    visible: Flags,
    view_rule: int,
) -> float:
    """Pixels that the visible samples would cover in the middle of the image: fx fy times their solid angle.

    A patch of area A and normal n at p, as seen from the camera, has the solid angle A |n.p| / |p|^3. In raw pixels it
    covers A |n.p| fx fy / z^3, eight times as many at 60 degrees off the axis; the first view rule counted those.

    Args:
        points: of the samples, (N, 3), in the optical frame, m.
    """
    rays = samples.points[visible] - viewpoint.position
    tilt = np.abs((samples.normals[visible] * rays).sum(axis=1))
    away = points[visible, 2] if view_rule == FIRST_VIEW_RULE else np.linalg.norm(rays, axis=1)
    return float((intrinsics.fx * intrinsics.fy * samples.areas[visible] * tilt / away**3).sum())


def box_in_image(
    low: Point, high: Point, viewpoint: Viewpoint, intrinsics: Intrinsics
) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom, in pixels, of the part of the image that a box (world frame, m) falls on.

    None where it is behind the camera or beside the image; what stands before it does not matter.
    """
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    seen = apply(invert(viewpoint.T_world_camera_optical()), corners)
    points = [corner for corner in seen if corner[2] >= _NEAREST]
    for one, other in combinations(range(len(seen)), 2):
        near, far = sorted((seen[one], seen[other]), key=lambda corner: float(corner[2]))
        if (one ^ other) in (1, 2, 4) and near[2] < _NEAREST < far[2]:  # an edge that crosses
            points.append(near + (far - near) * (_NEAREST - near[2]) / (far[2] - near[2]))
    if not points:
        return None
    uv = intrinsics.project(np.array(points))
    left, top = np.clip(uv.min(axis=0), 0.0, (intrinsics.width, intrinsics.height))
    right, bottom = np.clip(uv.max(axis=0), 0.0, (intrinsics.width, intrinsics.height))
    return (float(left), float(top), float(right), float(bottom)) if left < right and top < bottom else None

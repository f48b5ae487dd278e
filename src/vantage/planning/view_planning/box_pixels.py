"""How many pixels the sides of boxes cover."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vantage.jit import kernel

_NEAREST = 1e-3  # m, below which no distance counts as less


@kernel
def box_pixels(positions: Any, points: Any, normals: Any, areas: Any, focal: Any) -> Any:
    """Pixels for which points (N, 3) on surfaces stand, with normals (N, 3) and areas (N,), m^2, seen from positions
    (M, 3) by a camera with a focal length, px; 0 for those that look away; shape (M, N)."""
    pixels = np.zeros((positions.shape[0], points.shape[0]))
    for p in range(positions.shape[0]):
        for q in range(points.shape[0]):
            dx = positions[p, 0] - points[q, 0]
            dy = positions[p, 1] - points[q, 1]
            dz = positions[p, 2] - points[q, 2]
            before = dx * normals[q, 0] + dy * normals[q, 1] + dz * normals[q, 2]
            if before > 0.0:
                distance = max(math.sqrt(dx * dx + dy * dy + dz * dz), _NEAREST)
                pixels[p, q] = before / (distance * distance * distance) * areas[q] * focal * focal
    return pixels

"""What is solid where something was moved, without looking at the rest of a scene anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vantage.splats.cloud import GaussianCloud
from vantage.splats.space.occupancy import OccupancyGrid, solid_voxels

_REACH = 3.0  # standard deviations of a Gaussian beyond which it fills nothing


def filled_anew(grid: OccupancyGrid, cloud: GaussianCloud, low: Any, high: Any) -> OccupancyGrid:
    """A grid whose voxels in a box are those that a cloud fills; the insides of hollow things count as free there.

    Args:
        low, high: corners of the box (3,), m; voxels that it touches count, and those next to them.

    Raises:
        SceneError: the Gaussians are too large for these voxels.
    """
    origin, shape = np.asarray(grid.bounds_min), np.asarray(grid.occupied.shape)
    first = np.clip(np.floor((np.asarray(low) - origin) / grid.voxel).astype(int) - 1, 0, shape)
    last = np.clip(np.ceil((np.asarray(high) - origin) / grid.voxel).astype(int) + 1, 0, shape)
    if (last <= first).any():
        return grid
    corner = origin + first * grid.voxel
    reach = _REACH * cloud.scales.max(axis=1, keepdims=True) + grid.voxel
    near = (cloud.means + reach >= corner) & (cloud.means - reach <= corner + (last - first) * grid.voxel)
    x, y, z = (last - first).tolist()
    occupied = grid.occupied.copy()
    window = tuple(slice(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True))
    occupied[window] = solid_voxels(cloud.select(near.all(axis=1)), corner, grid.voxel, (x, y, z))
    return replace(grid, occupied=occupied)

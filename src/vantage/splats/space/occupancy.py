"""Where a body can be: a voxel grid made from the Gaussians of a scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.jit import kernel
from vantage.splats.space.clearance import quarter_squares
from vantage.splats.space.regions import fill_cavities
from vantage.splats.space.solidity import solid_voxels
from vantage.types import Point

CAVITY = 3.0  # m^3: enclosed spaces up to this size are the insides of things, larger ones are rooms
_MOST_VOXELS = 64_000_000
_SLACK = 1e-6  # m, as in the motion limits: float noise of a body that is meant to touch the bounds


@dataclass(frozen=True, eq=False)
class OccupancyGrid:
    """Boolean voxels between two corners; everything outside counts as not free.

    Attributes:
        bounds_min, bounds_max: the corners, m, world frame.
        voxel: edge of a voxel, m.
        occupied: (X, Y, Z) bool; voxel (i, j, k) spans ``bounds_min + voxel * [(i, j, k), (i + 1, j + 1, k + 1)]``.
    """

    bounds_min: Point
    bounds_max: Point
    voxel: float
    occupied: NDArray[np.bool_]

    @staticmethod
    def from_cloud(
        cloud: GaussianCloud, bounds_min: Any, bounds_max: Any, voxel: float, specks: float = 0.0
    ) -> OccupancyGrid:
        """Mark every voxel that the Gaussians fill, alone or together (see ``solid_voxels``).

        Things are hollow in a cloud, so enclosed spaces of up to ``CAVITY`` are filled, except for the largest space
        of all. Isolated parts that block less than ``specks`` faces of a voxel count as floaters and are left out.

        Raises:
            SceneError: the bounds are empty or not finite, or hold too many voxels, or the Gaussians are too large.
        """
        low, high = np.asarray(bounds_min, dtype=np.float64), np.asarray(bounds_max, dtype=np.float64)
        x, y, z = grid_shape(low, high, voxel)
        occupied = solid_voxels(cloud, low, float(voxel), (x, y, z), specks * voxel**2)
        fill_cavities(occupied, int(CAVITY / voxel**3))
        return OccupancyGrid(_point(low), _point(high), float(voxel), occupied)

    def centers(self) -> NDArray[np.float64]:
        """(X, Y, Z, 3): the middle of every voxel, m."""
        index = np.moveaxis(np.indices(self.occupied.shape, dtype=np.float64), 0, -1)
        return np.asarray(np.asarray(self.bounds_min) + (index + 0.5) * self.voxel, dtype=np.float64)

    def sphere_free(self, point: Any, radius: float) -> bool:
        """Whether a sphere lies within the bounds and meets no occupied voxel."""
        return self.first_contact(point, point, radius) is None

    def path_free(self, a: Any, b: Any, radius: float) -> bool:
        """Whether a sphere can move straight from a to b (shape (3,), m), both ends included."""
        return self.first_contact(a, b, radius) is None

    def first_contact(self, a: Any, b: Any, radius: float) -> Point | None:
        """The centre of a sphere on its way from a to b where it first is not free, or None; steps of voxel / 4."""
        start, end = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        if not (np.isfinite(start).all() and np.isfinite(end).all()):
            return _point(start)
        low, high = np.asarray(self.bounds_min), np.asarray(self.bounds_max)
        steps = max(1, math.ceil(float(np.linalg.norm(end - start)) / (0.25 * self.voxel)))
        contact = _first_contact(self.occupied, low, high, self.voxel, start, end, steps, float(radius), _SLACK)
        return None if contact < 0 else _point(start + (end - start) * (contact / steps))

    def free_centers(self, radius: float) -> NDArray[np.bool_]:
        """(X, Y, Z): whether a sphere around the middle of each voxel is free; the same test as ``sphere_free``."""
        free = quarter_squares(self.occupied) >= (2.0 * max(radius - _SLACK, 0.0) / self.voxel) ** 2
        for axis in range(3):
            middle = self.bounds_min[axis] + (np.arange(free.shape[axis]) + 0.5) * self.voxel
            inside = (middle - radius >= self.bounds_min[axis] - _SLACK) & (
                middle + radius <= self.bounds_max[axis] + _SLACK
            )
            free &= inside.reshape([-1 if i == axis else 1 for i in range(3)])
        return free & ~self.occupied


def grid_shape(bounds_min: Any, bounds_max: Any, voxel: float) -> tuple[int, int, int]:
    """How many voxels cover the space between two corners, m.

    Raises:
        SceneError: the bounds are empty or not finite, or hold too many voxels.
    """
    low, high = np.asarray(bounds_min, dtype=np.float64), np.asarray(bounds_max, dtype=np.float64)
    if not (np.isfinite(low).all() and np.isfinite(high).all() and (high > low).all() and voxel > 0):
        raise SceneError(f"no occupancy grid fits between {low} and {high} m; give the scene finite, wider bounds")
    shape = np.maximum(1, np.ceil((high - low) / voxel - 1e-9))
    if shape.prod() > _MOST_VOXELS:
        raise SceneError(
            f"{shape.prod():.3g} voxels of {voxel} m between {low} and {high} m are too many; set a larger "
            "world.voxel or narrower bounds"
        )
    x, y, z = (int(count) for count in shape)
    return x, y, z


def _point(values: NDArray[np.float64]) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z


@kernel
def _first_contact(
    occupied: Any,
    low: Any,
    high: Any,
    voxel: float,
    start: Any,
    end: Any,
    steps: int,
    radius: float,
    slack: float,
) -> int:
    size = occupied.shape
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    reach = max(radius - slack, 0.0)
    for step in range(steps + 1):
        share = step / steps
        p = start + share * (end - start)
        for k in range(3):
            if p[k] - radius < low[k] - slack or p[k] + radius > high[k] + slack:
                return step
            first[k] = min(max(math.floor((p[k] - radius - low[k]) / voxel), 0), size[k] - 1)
            last[k] = min(max(math.floor((p[k] + radius - low[k]) / voxel), 0), size[k] - 1)
        for i in range(first[0], last[0] + 1):
            dx = max(low[0] + i * voxel - p[0], p[0] - low[0] - (i + 1) * voxel, 0.0)
            for j in range(first[1], last[1] + 1):
                dy = max(low[1] + j * voxel - p[1], p[1] - low[1] - (j + 1) * voxel, 0.0)
                for k in range(first[2], last[2] + 1):
                    if occupied[i, j, k]:
                        dz = max(low[2] + k * voxel - p[2], p[2] - low[2] - (k + 1) * voxel, 0.0)
                        square = dx * dx + dy * dy + dz * dz
                        if square < reach * reach or square == 0.0:
                            return step
    return -1

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
from vantage.types import Point

SOLID = 0.25  # a point is solid where one Gaussian alone has at least this opacity
CAVITY = 3.0  # m^3: enclosed spaces up to this size are the insides of things, larger ones are rooms
_MOST_VOXELS = 64_000_000
_MOST_SAMPLES = 128  # on either side of the centre, along each axis of a Gaussian
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
    def from_cloud(cloud: GaussianCloud, bounds_min: Any, bounds_max: Any, voxel: float) -> OccupancyGrid:
        """Mark every voxel in which one Gaussian alone reaches an opacity of ``SOLID``.

        Gaussians are sampled over their whole extent, in steps of half a voxel along their own axes. Things are hollow
        in a cloud, so enclosed spaces of up to ``CAVITY`` are filled, except for the largest space of all.

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
        occupied = np.zeros(shape.astype(int), np.bool_)
        solid = cloud.opacities > SOLID
        reach = np.sqrt(2.0 * np.log(cloud.opacities[solid].astype(np.float64) / SOLID))
        axes = cloud.rotations()[solid].transpose(0, 2, 1) * (cloud.scales[solid] * reach[:, None])[:, :, None]
        _mark(cloud.means[solid].astype(np.float64), np.ascontiguousarray(axes), low, float(voxel), occupied)
        _fill_cavities(occupied, int(CAVITY / voxel**3))
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
        """(X, Y, Z): whether a sphere around the middle of each voxel is free; the same test as ``sphere_free``.

        The squared distance from a voxel's middle to another voxel is a sum over the axes, so three one-dimensional
        passes find the distance to the nearest occupied voxel exactly.
        """
        span = math.floor(radius / self.voxel + 0.5)
        distance = np.where(self.occupied, 0.0, np.inf)
        for axis in range(3):
            line = np.moveaxis(distance, axis, 0)
            nearest = line.copy()
            for offset in range(1, min(span, len(line) - 1) + 1):
                gap = ((offset - 0.5) * self.voxel) ** 2
                np.minimum(nearest[:-offset], line[offset:] + gap, out=nearest[:-offset])
                np.minimum(nearest[offset:], line[:-offset] + gap, out=nearest[offset:])
            distance = np.moveaxis(nearest, 0, axis)
        free = distance >= max(radius - _SLACK, 0.0) ** 2
        for axis in range(3):
            middle = self.bounds_min[axis] + (np.arange(free.shape[axis]) + 0.5) * self.voxel
            inside = (middle - radius >= self.bounds_min[axis] - _SLACK) & (
                middle + radius <= self.bounds_max[axis] + _SLACK
            )
            free &= inside.reshape([-1 if i == axis else 1 for i in range(3)])
        return free & ~self.occupied


def _point(values: NDArray[np.float64]) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z


@kernel
def _mark(means: Any, axes: Any, low: Any, voxel: float, occupied: Any) -> None:
    """``axes``: (N, 3, 3), rows are the semi-axes of the solid ellipsoid, m."""
    size = np.array(occupied.shape)
    high = low + size * voxel
    counts = np.empty(3, np.int64)
    for n in range(len(means)):
        outside = False
        for k in range(3):
            extent = math.sqrt(axes[n, 0, k] ** 2 + axes[n, 1, k] ** 2 + axes[n, 2, k] ** 2)
            outside |= means[n, k] + extent < low[k] or means[n, k] - extent > high[k]
            length = math.sqrt(axes[n, k, 0] ** 2 + axes[n, k, 1] ** 2 + axes[n, k, 2] ** 2)
            counts[k] = min(math.ceil(length / (0.5 * voxel)), _MOST_SAMPLES)
        if outside:
            continue
        for a in range(-counts[0], counts[0] + 1):
            u = a / max(counts[0], 1)
            for b in range(-counts[1], counts[1] + 1):
                v = b / max(counts[1], 1)
                for c in range(-counts[2], counts[2] + 1):
                    w = c / max(counts[2], 1)
                    if u * u + v * v + w * w > 1.0 + 1e-9:
                        continue
                    i = math.floor(
                        (means[n, 0] + u * axes[n, 0, 0] + v * axes[n, 1, 0] + w * axes[n, 2, 0] - low[0]) / voxel
                    )
                    j = math.floor(
                        (means[n, 1] + u * axes[n, 0, 1] + v * axes[n, 1, 1] + w * axes[n, 2, 1] - low[1]) / voxel
                    )
                    k = math.floor(
                        (means[n, 2] + u * axes[n, 0, 2] + v * axes[n, 1, 2] + w * axes[n, 2, 2] - low[2]) / voxel
                    )
                    if 0 <= i < size[0] and 0 <= j < size[1] and 0 <= k < size[2]:
                        occupied[i, j, k] = True


@kernel
def _fill_cavities(occupied: Any, most: int) -> None:
    """Occupy the connected free spaces (through faces) of at most ``most`` voxels, except the largest of all."""
    nx, ny, nz = occupied.shape
    space = occupied.reshape(-1)
    labels = np.zeros(len(space), np.int32)
    sizes = [0]
    stack = np.empty(len(space), np.int64)
    for seed in range(len(space)):
        if space[seed] or labels[seed]:
            continue
        label = len(sizes)
        sizes.append(0)
        labels[seed] = label
        stack[0] = seed
        top = 1
        while top > 0:
            top -= 1
            at = stack[top]
            sizes[label] += 1
            i, j, k = at // (ny * nz), at // nz % ny, at % nz
            for axis in range(3):
                for way in (-1, 1):
                    a, b, c = i, j, k
                    if axis == 0:
                        a += way
                    elif axis == 1:
                        b += way
                    else:
                        c += way
                    if 0 <= a < nx and 0 <= b < ny and 0 <= c < nz:
                        neighbour = (a * ny + b) * nz + c
                        if not space[neighbour] and labels[neighbour] == 0:
                            labels[neighbour] = label
                            stack[top] = neighbour
                            top += 1
    largest = 0
    for label in range(1, len(sizes)):
        if largest == 0 or sizes[label] > sizes[largest]:
            largest = label
    for at in range(len(space)):
        label = labels[at]
        if label != 0 and label != largest and sizes[label] <= most:
            space[at] = True


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

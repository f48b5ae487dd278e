"""Where a body can be: a grid of the voxels in which the Gaussians of a scene, alone or together, block light."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.jit import kernel
from vantage.splats.axes import axes_of
from vantage.splats.cloud import GaussianCloud
from vantage.splats.space.voxel_grids import fill_cavities, quarter_squares, regions
from vantage.types import Point

SOLID = 0.25  # a voxel is solid where one Gaussian alone has at least this opacity somewhere in it,
WALL = 0.5  # or where all Gaussians together block this share of the light that crosses it along x, y or z
DIFFUSE = 4.0  # voxels: what is wider than this (one standard deviation) in all directions is haze, not part of a wall
_THICK = 2.0  # voxels: solid ellipsoids wider than this in all directions are filled column by column
_TAIL = 2.5  # standard deviations to which the light that a Gaussian blocks is spread
_MOST_SAMPLES = 2_000_000_000  # of all Gaussians: some ten seconds
CAVITY = 3.0  # m^3: enclosed spaces up to this size are the insides of objects, larger ones are rooms
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

        Objects are hollow in a cloud, so enclosed spaces of up to ``CAVITY`` are filled, except for the largest space
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


def solid_voxels(
    cloud: GaussianCloud, low: NDArray[np.float64], voxel: float, shape: tuple[int, int, int], speck: float = 0.0
) -> NDArray[np.bool_]:
    """The voxels (X, Y, Z) that a cloud fills; voxel (i, j, k) starts at ``low + voxel * (i, j, k)``, m.

    Of parallel light along a world axis, a Gaussian of opacity o and covariance S blocks the area F o, with F = 2 pi
    sqrt(det S') and S' the covariance without that axis. F o is spread like the Gaussian's mass, and a voxel that gets
    the share m of it has its optical depth raised by ``m F o / voxel^2 * -ln(1 - b) / b`` with b = o min(1, F /
    voxel^2), the largest share of a face that the Gaussian blocks. This is -ln(1 - o) in the middle of a wide thin
    disc, nearly nothing for a dot, and little for a ball of many voxels. A voxel is solid where the sum reaches
    ``-ln(1 - WALL)`` along one axis, so that faint Gaussians make a wall together; or where one Gaussian alone reaches
    ``SOLID``, however small: thin legs and handles block little light and yet are in the way.

    Args:
        speck: parts that touch neither others nor the border of the grid, not even at corners, and block less than
            this area along each axis, m^2, are left out: the floaters of captures.

    Raises:
        SceneError: the Gaussians are so large for these voxels that this would take minutes.
    """
    occupied = np.zeros(shape, np.bool_)
    depth = np.empty(shape, np.float32)
    blocked = np.zeros(shape, np.float32) if speck > 0 else None
    gaussians = cloud.means, cloud.scales, cloud.quaternions, cloud.opacities
    samples = _mark(*gaussians, low, voxel, _MOST_SAMPLES, occupied)
    for axis in range(3):
        if samples < _MOST_SAMPLES:
            depth[:] = 0
            samples = max(samples, _spread(*gaussians, low, voxel, axis, _MOST_SAMPLES, depth))
            occupied |= depth >= -math.log1p(-WALL)
            if blocked is not None:
                np.maximum(blocked, depth, out=blocked)
    if samples >= _MOST_SAMPLES:
        raise SceneError(
            f"the {len(cloud)} Gaussians of the cloud are too large for voxels of {voxel} m; set a larger world.voxel "
            "or narrower bounds"
        )
    return occupied if blocked is None else _without_specks(occupied, blocked, speck / voxel**2)


def _without_specks(occupied: NDArray[np.bool_], depth: NDArray[np.float32], least_faces: float) -> NDArray[np.bool_]:
    """Drop the isolated parts that block less light than this number of opaque voxel faces."""
    labels, sizes = regions(occupied, diagonal=True)
    faces = np.zeros(len(sizes))
    _add_blocked(labels, depth, faces)
    kept = faces >= least_faces
    for axis in range(3):
        for end in (0, -1):
            kept[labels.take(end, axis)] = True
    kept[0] = False
    return np.asarray(kept[labels])


@kernel
def _add_blocked(labels: Any, depth: Any, faces: Any) -> None:
    """Add to ``faces`` of each label the share of light that its voxels block."""
    flat, depths = labels.reshape(-1), depth.reshape(-1)
    for at in range(len(flat)):
        if flat[at] > 0:
            faces[flat[at]] -= math.expm1(-depths[at])


@kernel
def _lost(center: Any, voxel: float) -> bool:
    """Whether a Gaussian is so far away that its place in voxels is beyond the precision of a float."""
    return bool(max(abs(center[0]), abs(center[1]), abs(center[2])) > 1e12 * voxel)


@kernel
def _spans(center: Any, axes: Any, lengths: Any, size: Any, voxel: float, steps: Any, first: Any, last: Any) -> int:
    """Choose samples ``first..last`` (3,), ``steps`` apart, along the own axes of a Gaussian, and count them.

    They are half a voxel apart at most, reach ``lengths`` (3,), and lie within a sphere around the grid.
    """
    reach = 0.5 * voxel * math.sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2])
    total = 1
    for k in range(3):
        toward = 0.0
        for r in range(3):
            toward += axes[k, r] * (0.5 * voxel * size[r] - center[r])
        nearest, farthest = toward - reach, toward + reach
        if lengths[k] <= 0.0:
            steps[k], first[k], last[k] = 0.0, 0, (0 if nearest <= 0.0 <= farthest else -1)
        else:
            count = float(np.ceil(lengths[k] / (0.5 * voxel)))
            steps[k] = lengths[k] / count
            first[k] = math.ceil(min(max(nearest / steps[k], -count), count + 1.0))
            last[k] = math.floor(max(min(farthest / steps[k], count), -count - 1.0))
        total *= max(last[k] - first[k] + 1, 0)
    return total


@kernel
def _mark(
    means: Any, scales: Any, quaternions: Any, opacities: Any, low: Any, voxel: float, limit: int, occupied: Any
) -> int:
    """Occupy the voxels in which one Gaussian alone reaches ``SOLID``; returns how many samples it took.

    That is within the ellipsoid of semi-axes ``scale * sqrt(2 ln(opacity / SOLID))``.
    """
    size = np.array(occupied.shape)
    axes, center, lengths, steps = np.empty((3, 3)), np.empty(3), np.empty(3), np.empty(3)
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    samples = 0
    for n in range(len(means)):
        if opacities[n] <= SOLID:
            continue
        reach = math.sqrt(2.0 * math.log(float(opacities[n]) / SOLID))
        for k in range(3):
            lengths[k] = reach * scales[n, k]
            center[k] = means[n, k] - low[k]
        if _lost(center, voxel):
            continue
        axes_of(quaternions, n, axes)
        if lengths.min() >= _THICK * voxel:
            samples += _fill_ellipsoid(center, axes, lengths, voxel, occupied)
            if samples >= limit:
                return samples
            continue
        samples += _spans(center, axes, lengths, size, voxel, steps, first, last)
        if samples >= limit:
            return samples
        for a in range(first[0], last[0] + 1):
            u = a * steps[0]
            for b in range(first[1], last[1] + 1):
                v = b * steps[1]
                for c in range(first[2], last[2] + 1):
                    w = c * steps[2]
                    square = 0.0
                    if lengths[0] > 0.0:
                        square += (u / lengths[0]) ** 2
                    if lengths[1] > 0.0:
                        square += (v / lengths[1]) ** 2
                    if lengths[2] > 0.0:
                        square += (w / lengths[2]) ** 2
                    if square > 1.0 + 1e-9:
                        continue
                    i = math.floor((center[0] + u * axes[0, 0] + v * axes[1, 0] + w * axes[2, 0]) / voxel)
                    j = math.floor((center[1] + u * axes[0, 1] + v * axes[1, 1] + w * axes[2, 1]) / voxel)
                    k = math.floor((center[2] + u * axes[0, 2] + v * axes[1, 2] + w * axes[2, 2]) / voxel)
                    if 0 <= i < size[0] and 0 <= j < size[1] and 0 <= k < size[2]:
                        occupied[i, j, k] = True
    return samples


@kernel
def _fill_ellipsoid(center: Any, axes: Any, lengths: Any, voxel: float, occupied: Any) -> int:
    """Occupy the voxels whose middles lie within half a voxel of an ellipsoid; returns how many columns were tried."""
    nx, ny, nz = occupied.shape
    m = np.zeros((3, 3))
    wide = deep = 0.0
    for k in range(3):
        length = lengths[k] + 0.5 * voxel
        wide += (axes[k, 0] * length) ** 2
        deep += (axes[k, 1] * length) ** 2
        for r in range(3):
            for c in range(3):
                m[r, c] += axes[k, r] * axes[k, c] / (length * length)
    wide, deep = math.sqrt(wide), math.sqrt(deep)
    i0, i1 = _middles(center[0] - wide, center[0] + wide, voxel, nx)
    j0, j1 = _middles(center[1] - deep, center[1] + deep, voxel, ny)
    for i in range(i0, i1):
        x = (i + 0.5) * voxel - center[0]
        for j in range(j0, j1):
            y = (j + 0.5) * voxel - center[1]
            half = m[0, 2] * x + m[1, 2] * y
            rest = m[0, 0] * x * x + 2.0 * m[0, 1] * x * y + m[1, 1] * y * y - 1.0
            square = half * half - m[2, 2] * rest
            if square > 0.0:
                root = math.sqrt(square)
                k0, k1 = _middles(center[2] - (half + root) / m[2, 2], center[2] - (half - root) / m[2, 2], voxel, nz)
                occupied[i, j, k0:k1] = True
    return max(i1 - i0, 0) * max(j1 - j0, 0)


@kernel
def _middles(below: float, above: float, voxel: float, size: int) -> tuple[int, int]:
    """The voxels of one axis whose middles lie from ``below`` to ``above``, as a half-open range."""
    start = math.ceil(min(max(below / voxel - 0.5, 0.0), float(size)))
    return start, math.floor(min(max(above / voxel + 0.5, 0.0), float(size)))


@kernel
def _spread(
    means: Any, scales: Any, quaternions: Any, opacities: Any, low: Any, voxel: float, axis: int, limit: int, depth: Any
) -> int:
    """Add the optical depth of all Gaussians along a world axis (see ``solid_voxels``); returns how many samples."""
    size = np.array(depth.shape)
    axes, center, lengths, steps = np.empty((3, 3)), np.empty(3), np.empty(3), np.empty(3)
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    fall, total = np.empty(3), np.empty(3)
    p, q = (axis + 1) % 3, (axis + 2) % 3
    samples = 0
    for n in range(len(means)):
        opacity = float(opacities[n])
        if opacity <= 0.0 or min(scales[n, 0], scales[n, 1], scales[n, 2]) > DIFFUSE * voxel:
            continue
        for k in range(3):
            center[k] = means[n, k] - low[k]
        if _lost(center, voxel):
            continue
        axes_of(quaternions, n, axes)
        spp = sqq = spq = 0.0
        for k in range(3):
            scale = float(scales[n, k])
            lengths[k] = _TAIL * scale if scale > 0.25 * voxel else 0.0
            spp += (scale * axes[k, p]) ** 2
            sqq += (scale * axes[k, q]) ** 2
            spq += scale * axes[k, p] * scale * axes[k, q]
        count = _spans(center, axes, lengths, size, voxel, steps, first, last)
        if count == 0:
            continue
        samples += count
        if samples >= limit:
            return samples
        faces = math.tau * math.sqrt(max(spp * sqq - spq * spq, 0.0)) / (voxel * voxel)
        most = min(opacity * min(1.0, faces), 0.999)
        amount = faces * opacity * (-math.log1p(-most) / most if most > 1e-6 else 1.0)
        for k in range(3):
            fall[k], total[k] = 0.0, 1.0
            if lengths[k] > 0.0:
                s = steps[k] / scales[n, k]
                fall[k] = -0.5 * s * s
                total[k] = _sum_of_weights(s)
        amount /= total[0] * total[1] * total[2]
        for a in range(first[0], last[0] + 1):
            u = a * steps[0]
            for b in range(first[1], last[1] + 1):
                v = b * steps[1]
                for c in range(first[2], last[2] + 1):
                    w = c * steps[2]
                    i = math.floor((center[0] + u * axes[0, 0] + v * axes[1, 0] + w * axes[2, 0]) / voxel)
                    j = math.floor((center[1] + u * axes[0, 1] + v * axes[1, 1] + w * axes[2, 1]) / voxel)
                    k = math.floor((center[2] + u * axes[0, 2] + v * axes[1, 2] + w * axes[2, 2]) / voxel)
                    if 0 <= i < size[0] and 0 <= j < size[1] and 0 <= k < size[2]:
                        depth[i, j, k] += amount * math.exp(fall[0] * a * a + fall[1] * b * b + fall[2] * c * c)
    return samples


@kernel
def _sum_of_weights(step: float) -> float:
    """The sum of exp(-x^2 / 2) over the multiples of ``step`` from -_TAIL to _TAIL, an integral where they are many."""
    if step < 0.05:
        return math.sqrt(math.tau) * math.erf(_TAIL / math.sqrt(2.0)) / step
    total = 1.0
    for a in range(1, math.floor(_TAIL / step + 0.5) + 1):
        total += 2.0 * math.exp(-0.5 * (a * step) ** 2)
    return total

"""Where a body can get to in a scene: connected to the start, and not out of a room through a hole in its walls.

The middles of voxels at which the body is free are flooded from the scene's start, or from the middle of its start
region; without either, the largest space is taken. The body closes every hole smaller than itself, the bounds and the
floor of the scene close the outside. For larger holes, which the walls of captures have, the surroundings decide:

- A place is enclosed where the body, sent off straight in all directions, would be stopped by something solid in at
  least ``ENCLOSED`` of the solid angle. Outside of a wall, even right behind a hole, this is half at most.
- If the start is enclosed, so must be every other place, or at least as much as the start where that is less enclosed
  but still ``INSIDE``: the camera gets into a large hole, but not through it.
- If it is not, as around a single captured object, the bounds alone limit the flight.

The limits of this rule: before an opening in a wall, a strip as deep as about a fifth of the opening's radius is closed
too; a room of which the camera's start sees less than ``INSIDE`` counts as open; and a hollow outside, between two
captured houses say, may be enclosed as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.scene import SplatScene
from vantage.splats.space.occupancy import OccupancyGrid
from vantage.splats.space.voxel_grids import interpolate, quarter_squares, regions
from vantage.types import Point

_REACH = 2  # directions are the steps of at most this many voxels along each axis: 98 of them
_SAMPLES = 20_000
ENCLOSED, INSIDE = 0.6, 0.55  # shares of the solid angle
SPECKS = 0.25  # faces of a voxel: what floats freely and blocks less light is no obstacle
_ROOM = 1.0  # m^3 of enclosed places make an inside; less is a niche
_NEAR = 0.5  # m: how far from the start the nearest place may be
_RAY = 1.5  # voxels: obstacles are widened by this at least, so that no line slips through between two steps
_ROOMY = 9.0  # quarter squares: one place at least between a place and the next voxel that is none
_SLACK = 1e-6  # m, as in the motion limits
_MOST = 2147483520.0  # the largest float32 that is an int32


def enclosure(blocked: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(X, Y, Z), 0..1: share of the solid angle in which a straight line from a voxel's middle meets a block.

    A line that leaves the grid meets nothing. 98 directions are tried, each weighted by the solid angle that is closer
    to it than to any other. Lines look at every second or third voxel only: blocks thinner than three may be missed.
    """
    share = np.zeros(blocked.shape, np.float32)
    hit = np.empty(blocked.shape, np.bool_)
    for direction, weight in zip(*_directions(), strict=True):
        _sweep(np.ascontiguousarray(blocked), direction, weight, hit, share)
    return share


@lru_cache(maxsize=1)
def _directions() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Steps (98, 3) in voxels, and the share of the sphere around each, by counting points of a Fibonacci spiral."""
    steps = np.array(list(np.ndindex((2 * _REACH + 1,) * 3))) - _REACH
    steps = steps[np.gcd.reduce(steps, axis=1) == 1]
    number = np.arange(_SAMPLES)
    z = 1.0 - (2.0 * number + 1.0) / _SAMPLES
    angle = number * math.pi * (3.0 - math.sqrt(5.0))
    level = np.sqrt(1.0 - z * z)
    sphere = np.column_stack([level * np.cos(angle), level * np.sin(angle), z])
    units = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    nearest = np.argmax(sphere @ units.T, axis=1)
    return steps, np.bincount(nearest, minlength=len(steps)) / _SAMPLES


@kernel
def _sweep(blocked: Any, step: Any, weight: float, hit: Any, share: Any) -> None:
    """Add a weight where a line along a step meets a block: one voxel on, or where the line from there does."""
    nx, ny, nz = blocked.shape
    dx, dy, dz = step[0], step[1], step[2]
    for a in range(nx):
        i = nx - 1 - a if dx > 0 else a
        for b in range(ny):
            j = ny - 1 - b if dy > 0 else b
            within = 0 <= i + dx < nx and 0 <= j + dy < ny
            for c in range(nz):
                k = nz - 1 - c if dz > 0 else c
                hits = False
                if within and 0 <= k + dz < nz:
                    hits = blocked[i + dx, j + dy, k + dz] or hit[i + dx, j + dy, k + dz]
                hit[i, j, k] = hits
                if hits:
                    share[i, j, k] += weight


@dataclass(frozen=True, eq=False)
class FreeSpace:
    """The space of a scene for a body of one radius.

    Attributes:
        solid: where objects are.
        places: (X, Y, Z) bool: voxels around whose middles the body can be, all connected.
        quarters: (X, Y, Z) int32: 4 d^2 with d the distance from a voxel's middle to the nearest solid box, in voxels;
            inside solids minus that of the nearest empty box.
        radius: of the body, m.
        indoors: whether the places are limited to those enclosed by surfaces.
    """

    solid: OccupancyGrid
    places: NDArray[np.bool_]
    quarters: NDArray[np.int32]
    radius: float
    indoors: bool

    @staticmethod
    def around(solid: OccupancyGrid, places: NDArray[np.bool_], radius: float) -> FreeSpace:
        """The indoor space of which it is known where a body of a radius (m) can be, (X, Y, Z)."""
        return FreeSpace(solid, places, _signed_squares(solid.occupied), float(radius), True)

    @cached_property
    def grid(self) -> OccupancyGrid:
        """What is solid, and all that no body at a place touches: the voxels that a body must not meet.

        Where no voxel's middle is free, because the body hardly fits at all, it is what is solid.
        """
        if not self.places.any():
            return self.solid
        reach = self.radius + 0.5 * math.sqrt(3.0) * self.solid.voxel  # of a body anywhere in the voxel of a place
        shut = quarter_squares(self.places) > (2.0 * reach / self.solid.voxel) ** 2
        return replace(self.solid, occupied=self.solid.occupied | shut)

    @cached_property
    def _distances(self) -> NDArray[np.float32]:
        roots = np.sqrt(np.abs(self.quarters).astype(np.float32))
        return np.asarray(np.copysign(roots, self.quarters) * np.float32(0.5 * self.solid.voxel), dtype=np.float32)

    def clearance(self, points: Any) -> NDArray[np.float64]:
        """Distance from points (..., 3) to what is solid or to the bounds, m, negative inside and beyond; shape (...).

        The distance field is exact at the middles of voxels and trilinear between them: off by sqrt(3) / 2 of a voxel
        at most, and usually by far less. Points that are not finite have -inf.
        """
        points = np.asarray(points, dtype=np.float64)
        flat = points.reshape(-1, 3)
        finite = np.isfinite(flat).all(axis=1)
        flat = np.where(finite[:, None], flat, 0.0)
        low, high = np.asarray(self.solid.bounds_min), np.asarray(self.solid.bounds_max)
        beyond = np.maximum(low - flat, flat - high)
        border = np.where((beyond > 0).any(axis=1), -np.linalg.norm(np.maximum(beyond, 0), axis=1), -beyond.max(axis=1))
        solid = interpolate(self._distances, low, self.solid.voxel, np.clip(flat, low, high))
        nearest = np.where(finite, np.minimum(solid, border), -np.inf)
        return np.asarray(nearest.reshape(points.shape[:-1]))

    def penetrates(self, point: Any, radius: float | None = None) -> bool:
        """Whether a sphere, by default the body, reaches into something solid or out of the bounds; exact."""
        return not self.solid.sphere_free(point, self.radius if radius is None else radius)

    def view_penetrates(self, viewpoint: Viewpoint, intrinsics: Intrinsics, near: float = 0.1) -> bool:
        """Whether something solid lies between the eye and what it sees at a distance of ``near``, m, in five rays.

        Then the camera looks out of a surface, or is pressed against one so that it fills the image.
        """
        eye, rotation = viewpoint.position, viewpoint.T_world_camera_optical()[:3, :3]
        for u, v in ((0.5, 0.5), (0, 0), (0, 1), (1, 0), (1, 1)):
            x = (u * intrinsics.width - intrinsics.cx) / intrinsics.fx
            y = (v * intrinsics.height - intrinsics.cy) / intrinsics.fy
            if not self.solid.path_free(eye, eye + rotation @ (near * np.array([x, y, 1.0])), 0.0):
                return True
        return False

    def problem(self, point: Any) -> str | None:
        """Why the body cannot be at a point (3,), in words; None where it can."""
        if self.grid.sphere_free(point, self.radius):
            return None
        if self.penetrates(point):
            return "it reaches into something solid or out of the bounds"
        return f"no way leads there from {'the inside' if self.indoors else 'the free space'} of the scene"

    def nearest_place(self, point: Any) -> Point | None:
        """The place closest to a point (3,), m, with room around it where there is such a place.

        None where there is no place, or the point is not finite.
        """
        if not self.places.any() or not np.isfinite(np.asarray(point, dtype=np.float64)).all():
            return None
        roomy = quarter_squares(np.pad(~self.places, 1, constant_values=True))[1:-1, 1:-1, 1:-1] >= _ROOMY
        places = np.argwhere(roomy if roomy.any() else self.places)
        middles = np.asarray(self.solid.bounds_min) + (places + 0.5) * self.solid.voxel
        x, y, z = middles[np.argmin(((middles - np.asarray(point)) ** 2).sum(axis=1))]
        return float(x), float(y), float(z)


def find_free_space(scene: SplatScene, voxel: float, radius: float) -> FreeSpace:
    """The free space of a scene for a body of a radius, m; floaters, as captures have them, are no obstacles.

    Raises:
        SceneError: the bounds hold too many voxels, or the Gaussians are too large for them.
    """
    solid = OccupancyGrid.from_cloud(scene.cloud, scene.bounds_min, scene.bounds_max, voxel, SPECKS)
    free = solid.free_centers(radius)
    heights = solid.bounds_min[2] + (np.arange(free.shape[2]) + 0.5) * voxel
    free &= heights >= scene.floor + radius - _SLACK
    squares = quarter_squares(solid.occupied)
    share = enclosure(squares < (2.0 * max(radius / voxel, _RAY)) ** 2)
    places, indoors = _flood(free, share, _seed(scene), solid)
    return FreeSpace(solid, places, _signed_squares(solid.occupied, squares), float(radius), indoors)


def _signed_squares(occupied: NDArray[np.bool_], squares: NDArray[np.float32] | None = None) -> NDArray[np.int32]:
    """See ``FreeSpace.quarters``; ``squares`` are those to what is occupied, where they are known."""
    squares = quarter_squares(occupied) if squares is None else squares
    most = min(4.0 * math.hypot(*occupied.shape) ** 2, _MOST)
    np.minimum(squares, most, out=squares)
    squares -= np.minimum(quarter_squares(~occupied), most)
    return squares.astype(np.int32)


def _seed(scene: SplatScene) -> NDArray[np.float64] | None:
    if scene.start is not None:
        return scene.start.position
    return None if scene.start_region is None else np.asarray(scene.start_region).mean(axis=0)


def _flood(
    free: NDArray[np.bool_], share: NDArray[np.float32], seed: NDArray[np.float64] | None, grid: OccupancyGrid
) -> tuple[NDArray[np.bool_], bool]:
    """The free voxels connected to the seed, and whether these are enclosed ones only."""
    start = None if seed is None else _nearest(free, seed, grid)
    if start is None or share[start] >= INSIDE:
        labels, sizes = regions(free & (share >= (ENCLOSED if start is None else min(ENCLOSED, share[start]))))
        label = int(np.argmax(sizes)) if start is None else int(labels[start])
        if sizes[label] * grid.voxel**3 >= _ROOM:
            return labels == label, True
    labels, sizes = regions(free)
    label = int(np.argmax(sizes)) if start is None else int(labels[start])
    return (labels == label) & free, False


def _nearest(free: NDArray[np.bool_], seed: NDArray[np.float64], grid: OccupancyGrid) -> tuple[int, int, int] | None:
    """The free voxel whose middle is closest to the seed; None where none is near."""
    at = (seed - np.asarray(grid.bounds_min)) / grid.voxel - 0.5
    reach = max(_NEAR / grid.voxel, 2.0)
    first = np.clip(np.floor(at - reach), 0, free.shape).astype(int)
    last = np.clip(np.ceil(at + reach) + 1, 0, free.shape).astype(int)
    index = np.argwhere(free[first[0] : last[0], first[1] : last[1], first[2] : last[2]]) + first
    squares = ((index - at) ** 2).sum(axis=1)
    if not len(index) or squares.min() > reach**2:
        return None
    i, j, k = (int(value) for value in index[np.argmin(squares)])
    return i, j, k

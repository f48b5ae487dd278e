"""Which space was seen free, which was seen filled, and which was not seen yet: a voxel map carved by depth images.

"Not there" and "not seen yet" are different answers, and this map is what tells them apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError
from vantage.perception.map import carving
from vantage.perception.map.clearance import clearance
from vantage.perception.map.placement import Box
from vantage.perception.map.robot_mask import without_robot
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation, Point

UNKNOWN, FREE, OCCUPIED, OUTSIDE = 0, 1, 2, 3

_MAX_VOXELS = 64_000_000
_FAR = 1e5  # m: beyond every range, so that a ray to there ends in no voxel
_NEAR = 0.25  # m around the camera: it fits there, so this space is free
_RAYS = (40, 30)  # of a predicted view, horizontally and vertically


class CoverageMap:
    """A grid of voxels, each unknown, free or occupied.

    Attributes:
        origin: lowest corner, world frame, m, shape (3,).
        voxel: edge of a voxel, m.
        shape: number of voxels along x, y and z.
        max_range: how far a pixel carves, m.
        version: another one whenever anything was marked or forgotten.
    """

    def __init__(
        self,
        bounds_min: Point,
        bounds_max: Point,
        voxel: float = 0.1,
        max_range: float = 8.0,
        open_space: bool = False,
    ) -> None:
        """An unknown box.

        Args:
            open_space: pixels without a depth show free space up to ``max_range``; otherwise they tell nothing.

        Raises:
            VantageError: the box is empty, not finite or needs too many voxels.
        """
        self.origin = np.array(bounds_min, dtype=np.float64)
        extent = np.array(bounds_max, dtype=np.float64) - self.origin
        if not (np.isfinite(extent).all() and (extent > 0).all() and voxel > 0 and max_range > 0):
            raise VantageError(
                f"coverage needs finite, non-empty bounds and a positive voxel and range, got {bounds_min} to "
                f"{bounds_max} with {voxel} m and {max_range} m; give the bounds of the place that is searched"
            )
        counts = np.maximum(np.ceil(extent / voxel - 1e-9), 1)
        if float(np.prod(counts)) > _MAX_VOXELS:
            raise VantageError(
                f"coverage from {bounds_min} to {bounds_max} needs {np.prod(counts):.0f} voxels of {voxel} m, at most "
                f"{_MAX_VOXELS} fit; choose a larger voxel"
            )
        self.voxel = float(voxel)
        self.max_range = float(max_range)
        self._open_space = open_space
        self.shape: tuple[int, int, int] = (int(counts[0]), int(counts[1]), int(counts[2]))
        self._score = np.zeros(self.shape, dtype=np.int8)
        self._states = np.zeros(self.shape, dtype=np.uint8)
        self._stamps = np.zeros(self.shape, dtype=np.int32)
        self._round = 0
        self.version = 0
        self._clearance: tuple[int, NDArray[np.uint8], NDArray[np.uint8]] | None = None

    @property
    def states(self) -> NDArray[np.uint8]:
        """The whole grid, shape ``shape``; a view that must not be written to."""
        view: NDArray[np.uint8] = self._states.view()
        view.flags.writeable = False
        return view

    @property
    def clearance(self) -> NDArray[np.uint8]:
        """How far the blocks of two voxels along each edge are from what was seen filled; see ``clearance``."""
        known = self._clearance
        if known is None or (known[0] != self.version and not np.array_equal(known[1], self._states)):
            known = self.version, self._states.copy(), clearance(self._states, OCCUPIED)
        self._clearance = self.version, *known[1:]
        return known[2]

    @property
    def known_fraction(self) -> float:
        """Share of all voxels that are free or occupied. The inside of solid objects always stays unknown."""
        return float(np.count_nonzero(self._states)) / self._states.size

    def reset(self) -> None:
        """Forget everything."""
        self._score[:] = 0
        self._states[:] = UNKNOWN
        self._stamps[:] = 0
        self._round = 0
        self.version += 1

    def add(self, observation: Observation, held: Box | None = None) -> bool:
        """Carve the depth image of an observation, without the robot's own arm and what it holds; False when it has
        none."""
        seen = without_robot(observation, held)
        if seen.depth is None:
            return False
        self.carve(seen.viewpoint, seen.depth_camera, seen.depth)
        return True

    def forget(self, box_min: Point, box_max: Point) -> None:
        """Something moved: what was known of the voxels of a world-frame box (m) counts no more, so that the next view
        decides alone whether they are free."""
        part = self._box(box_min, box_max)
        if part is not None:
            self._states[part] = UNKNOWN
            self._score[part] = 0
            self.version += 1

    def carve(self, viewpoint: Viewpoint, intrinsics: Intrinsics, depth: NDArray[np.float32]) -> None:
        """Mark what a depth image (H, W; z in m, NaN where nothing is seen) shows as free and as occupied.

        Rays between neighbouring surfaces, where a rendered depth mixes near and far, carve only up to the near one.

        Raises:
            VantageError: the image has not the size that the intrinsics say.
        """
        if depth.shape != (intrinsics.height, intrinsics.width):
            raise VantageError(
                f"depth image is {depth.shape[1]} x {depth.shape[0]} but its camera is {intrinsics.width} x "
                f"{intrinsics.height}; give the depth that belongs to the viewpoint"
            )
        if self._open_space:
            depth = np.where(depth > 0, depth, np.float32(_FAR))
        self._round += 2
        self.version += 1
        carving.carve(
            self._states,
            self._score,
            self._stamps,
            self._round,
            self.origin,
            self.voxel,
            viewpoint.position,
            viewpoint.T_world_camera_optical()[:3, :3],
            np.array([intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy]),
            np.ascontiguousarray(depth, dtype=np.float32),
            self._pixel_step(intrinsics),
            self.max_range,
        )
        near = self._sphere(viewpoint.position, _NEAR)
        if near is not None:
            part = self._states[near[0]]
            part[near[1] & (part == UNKNOWN)] = FREE

    def _pixel_step(self, intrinsics: Intrinsics) -> int:
        """Rays no further apart than two thirds of a voxel at 4 m; beyond that, views overlap enough."""
        return max(1, int(min(intrinsics.fx, intrinsics.fy) * 0.67 * self.voxel / 4.0))

    def state(self, points: NDArray[Any]) -> NDArray[np.uint8]:
        """``UNKNOWN``, ``FREE``, ``OCCUPIED`` or ``OUTSIDE`` (the bounds) at points (N, 3) in m, shape (N,)."""
        cells = np.floor((np.asarray(points, dtype=np.float64).reshape(-1, 3) - self.origin) / self.voxel)
        inside = np.isfinite(cells).all(axis=1) & (cells >= 0).all(axis=1) & (cells < self.shape).all(axis=1)
        states = np.full(len(cells), OUTSIDE, dtype=np.uint8)
        i, j, k = cells[inside].astype(np.int64).T
        states[inside] = self._states[i, j, k]
        return states

    def _box(self, box_min: Point, box_max: Point) -> tuple[slice, slice, slice] | None:
        found = []
        for axis, size in enumerate(self.shape):
            low = (float(box_min[axis]) - float(self.origin[axis])) / self.voxel + 1e-6
            high = (float(box_max[axis]) - float(self.origin[axis])) / self.voxel - 1e-6
            low = math.floor(low) if math.isfinite(low) else low
            high = math.ceil(high) if math.isfinite(high) else high
            first, end = max(low, 0), min(max(high, low + 1), size)
            if not first < end < math.inf:
                return None
            found.append(slice(int(first), int(end)))
        return found[0], found[1], found[2]

    def seen_fraction(self, box_min: Point, box_max: Point) -> float:
        """Share of the voxels of a world-frame box (m) that are known, 0..1; 0 when the box lies outside."""
        part = self._box(box_min, box_max)
        if part is None:
            return 0.0
        states = self._states[part]
        return float(np.count_nonzero(states)) / states.size

    def reached(
        self, box_min: Point, box_max: Point, heights: Iterable[float], barriers: Iterable[tuple[Point, Point]]
    ) -> NDArray[np.bool_]:
        """Which columns of a box are known at one of some heights (m, world frame), or are reached there by unknown
        space from space seen free; what walls part from all that was seen is not reached.

        Args:
            barriers: boxes (low and high corner, m) that part space beside what was seen filled.

        Returns:
            Shape (x, y), in voxels of the box; empty when it lies outside.
        """
        part = self._box(box_min, box_max)
        if part is None:
            return np.zeros((0, 0), dtype=np.bool_)
        found = np.zeros([axis.stop - axis.start for axis in part[:2]], dtype=np.bool_)
        boxes = np.array(list(barriers), np.float64).reshape(-1, 2, 3)
        lows, highs = np.ascontiguousarray(boxes[:, 0]), np.ascontiguousarray(boxes[:, 1])
        first, shape = np.array([axis.start for axis in part[:2]]), np.array(self.shape)
        for height in heights:
            level = math.floor((height - self.origin[2]) / self.voxel)
            if not part[2].start <= level < part[2].stop:
                continue
            closed = np.zeros_like(found)
            carving.bar(closed, lows, highs, float(height), self.origin, self.voxel, shape, first)
            found |= carving.reached(self._states[part], closed, level - part[2].start)
        return found

    @staticmethod
    def _within(inner: tuple[slice, slice, slice], part: tuple[slice, slice, slice]) -> tuple[slice, ...]:
        """The voxels of one block as those of another."""
        return tuple(
            slice(max(a.start - b.start, 0), max(a.stop - b.start, 0)) for a, b in zip(inner, part, strict=True)
        )

    def seen_in(
        self,
        box_min: Point,
        box_max: Point,
        without: Iterable[tuple[Point, Point]],
        columns: NDArray[np.bool_] | None = None,
    ) -> float:
        """As ``seen_fraction``, but unknown voxels within the boxes ``without`` (low and high corner) do not count, nor
        those outside of some ``columns`` (x, y) of the box."""
        part = self._box(box_min, box_max)
        if part is None:
            return 0.0
        counts = np.ones([axis.stop - axis.start for axis in part], dtype=np.bool_)
        if columns is not None:
            counts &= columns[:, :, None]
        for hole in without:
            inner = self._box(*hole)
            if inner is not None:
                counts[self._within(inner, part)] = False
        known = self._states[part] != UNKNOWN
        relevant = int(np.count_nonzero(counts | known))
        return float(np.count_nonzero(known)) / relevant if relevant else 1.0

    def centers(self, state: int, box_min: Point | None = None, box_max: Point | None = None) -> NDArray[np.float64]:
        """Centres (N, 3), m, of all voxels with a state, within a box where one is given."""
        part: tuple[slice, slice, slice] | None = (slice(None), slice(None), slice(None))
        if box_min is not None and box_max is not None:
            part = self._box(box_min, box_max)
        if part is None:
            return np.zeros((0, 3))
        first = np.array([axis.start or 0 for axis in part])
        cells = np.argwhere(self._states[part] == state) + first
        return np.asarray(self.origin + (cells + 0.5) * self.voxel)

    def unknown_visible_from(
        self,
        viewpoint: Viewpoint,
        intrinsics: Intrinsics,
        max_range: float,
        box_min: Point | None = None,
        box_max: Point | None = None,
    ) -> int:
        """How many unknown voxels a view would reveal; with a box, how many inside it.

        Rays pass free and unknown voxels and end at occupied ones, at ``max_range`` m or at the bounds. Each unknown
        voxel counts once.
        """
        columns, rows = _RAYS
        u = (np.arange(columns) + 0.5) * intrinsics.width / columns
        v = (np.arange(rows) + 0.5) * intrinsics.height / rows
        x, y = np.meshgrid((u - intrinsics.cx) / intrinsics.fx, (v - intrinsics.cy) / intrinsics.fy)
        optical = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1)
        optical /= np.linalg.norm(optical, axis=1, keepdims=True)
        self._round += 2
        low = np.array(box_min if box_min is not None else (-math.inf,) * 3)
        high = np.array(box_max if box_max is not None else (math.inf,) * 3)
        return int(
            carving.count_unknown(
                self._states,
                self._stamps,
                self._round,
                self.origin,
                self.voxel,
                viewpoint.position,
                optical @ viewpoint.T_world_camera_optical()[:3, :3].T,
                float(max_range),
                low,
                high,
            )
        )

    def is_visible(self, viewpoint_position: Any, point: Any, slack: float = 0.15) -> bool:
        """Whether no occupied voxel lies on the line from a position to ``slack`` m before a point (both (3,), m)."""
        start = np.array(viewpoint_position, dtype=np.float64)
        direction = np.array(point, dtype=np.float64) - start
        length = float(np.linalg.norm(direction))
        if length <= slack:
            return True
        return bool(
            carving.line_is_clear(self._states, self.origin, self.voxel, start, direction / length, length - slack)
        )

    def _sphere(
        self, point: NDArray[np.float64], radius: float
    ) -> tuple[tuple[slice, slice, slice], NDArray[np.bool_]] | None:
        """The block around a sphere and which of its voxels the sphere touches; None when it leaves the bounds."""
        low = np.floor((point - radius - self.origin) / self.voxel).astype(int)
        high = np.floor((point + radius - self.origin) / self.voxel).astype(int) + 1
        if (low < 0).any() or (high > self.shape).any():
            return None
        axes = []
        for axis in range(3):
            lower = self.origin[axis] + np.arange(low[axis], high[axis]) * self.voxel
            axes.append(np.maximum(np.maximum(lower - point[axis], point[axis] - lower - self.voxel), 0.0) ** 2)
        distance = axes[0][:, None, None] + axes[1][None, :, None] + axes[2][None, None, :]
        block = (slice(low[0], high[0]), slice(low[1], high[1]), slice(low[2], high[2]))
        return block, distance < radius * radius

    def is_free_sphere(self, point: Any, radius: float) -> bool:
        """Whether each voxel that a sphere (centre (3,) and radius in m) touches was seen free."""
        center = np.array(point, dtype=np.float64)
        if not np.isfinite(center).all():
            return False
        found = self._sphere(center, radius)
        return found is not None and bool((self._states[found[0]][found[1]] == FREE).all())

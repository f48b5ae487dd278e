"""Where surfaces were seen, as columns of 5 cm: how much of a table top, a shelf or a box's inside was looked at."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.spatial import Intrinsics
from vantage.types import Observation, Point

CELL = 0.05  # m
LEVELS = 64
_PER_CELL = 1.0 / CELL
_HALF = 240  # columns to each side of the first viewpoint: 12 m
_BELOW = 2.4  # m from the first viewpoint down to the lowest level
_BEND = 0.04  # relative bend of the inverse depth over 2 pixels beyond which surfaces mix
_STEEPEST = 9.4  # tangent of the angle to a surface's normal beyond which depth leads from one surface to another
_SMALL = 0.06  # m: edge of the smallest thing that must not be overlooked


class SurfaceMap:
    """For each column of the floor plan, at which heights a surface was seen, and at which from above.

    Only what is near enough counts: where a thing of 6 cm covers the pixels that the perceiver needs; from above, where
    one that lies flat does.
    """

    def __init__(self, min_pixels: int = 60) -> None:
        self._min_pixels = min_pixels
        self._bits = np.zeros((2 * _HALF, 2 * _HALF, 2), dtype=np.uint64)
        self._origin: NDArray[np.float64] | None = None

    def reset(self) -> None:
        """Forget everything."""
        self._bits[:] = 0
        self._origin = None

    def reach(self, camera: Intrinsics) -> float:
        """From how far a surface seen head-on counts, m."""
        return camera.fx * _SMALL / math.sqrt(self._min_pixels)

    def add(self, observation: Observation) -> None:
        """Mark the surfaces in a depth image."""
        if observation.depth is None:
            return
        camera, position = observation.intrinsics, observation.viewpoint.position
        if self._origin is None:
            self._origin = np.floor((position - [_HALF * CELL, _HALF * CELL, _BELOW]) / CELL) * CELL
        _mark(
            self._bits,
            self._origin,
            position,
            observation.viewpoint.T_world_camera_optical()[:3, :3],
            np.array([camera.fx, camera.fy, camera.cx, camera.cy]),
            np.ascontiguousarray(observation.depth, dtype=np.float32),
            max(1, round(camera.fx / 240)),
            self.reach(camera),
        )

    def cells(self, low: Point, high: Point, from_above: bool) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Which cells of a world-frame box (m) hold a seen surface, and where they are.

        ``from_above`` counts only surfaces below the camera, for an underside shows nothing of what is on top.

        Returns:
            Seen cells (nx, ny, nz) and the centre of the first cell (3,), m. Parts beyond the map are unseen.
        """
        origin = self._origin if self._origin is not None else np.zeros(3)
        first = np.floor((np.array(low) - origin) / CELL + 0.5).astype(int)
        count = np.maximum(np.floor((np.array(high) - origin) / CELL + 0.5).astype(int) - first, 1)
        i = first[0] + np.arange(min(count[0], 4 * _HALF))
        j = first[1] + np.arange(min(count[1], 4 * _HALF))
        k = first[2] + np.arange(min(count[2], 4 * LEVELS))
        inside = ((i >= 0) & (i < 2 * _HALF))[:, None] & ((j >= 0) & (j < 2 * _HALF))[None, :]
        columns = self._bits[..., int(from_above)][np.ix_(np.clip(i, 0, 2 * _HALF - 1), np.clip(j, 0, 2 * _HALF - 1))]
        columns = np.where(inside, columns, np.uint64(0))
        shift = np.clip(k, 0, LEVELS - 1).astype(np.uint64)
        seen = (columns[:, :, None] >> shift) & np.uint64(1)
        seen = seen.astype(np.bool_) & ((k >= 0) & (k < LEVELS))
        return seen, origin + (first + 0.5) * CELL


@compiled
def _is_mixed(depth: NDArray[np.float32], row: int, column: int, focal: float) -> bool:
    """Whether the inverse depth, which is linear in the image of a plane, bends at a pixel or is too steep for one."""
    height, width = depth.shape
    z, steepest = depth[row, column], 2.0 * _STEEPEST / focal
    if 0 < column < width - 1:
        before, after = depth[row, column - 1], depth[row, column + 1]
        if abs(z * (before + after) - 2.0 * before * after) > _BEND * before * after:
            return True
        if abs(after - before) > steepest * z:
            return True
    if 0 < row < height - 1:
        before, after = depth[row - 1, column], depth[row + 1, column]
        bends = abs(z * (before + after) - 2.0 * before * after) > _BEND * before * after
        return bool(bends or abs(after - before) > steepest * z)
    return False


@compiled
def _mark(
    bits: NDArray[np.uint64],
    origin: NDArray[np.float64],
    position: NDArray[np.float64],
    rotation: NDArray[np.float64],
    camera: NDArray[np.float64],
    depth: NDArray[np.float32],
    stride: int,
    reach: float,
) -> None:
    height, width = depth.shape
    nx, ny, _ = bits.shape
    for row in range(0, height, stride):
        y = (row + 0.5 - camera[3]) / camera[1]
        for column in range(0, width, stride):
            z = depth[row, column]
            if not 0.0 < z < reach:
                continue
            x = (column + 0.5 - camera[2]) / camera[0]
            world_z = position[2] + z * (rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2])
            world_x = position[0] + z * (rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2])
            world_y = position[1] + z * (rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2])
            i = int(np.floor((world_x - origin[0]) * _PER_CELL))
            j = int(np.floor((world_y - origin[1]) * _PER_CELL))
            k = int(np.floor((world_z - origin[2]) * _PER_CELL))
            if not (0 <= i < nx and 0 <= j < ny and 0 <= k < LEVELS):
                continue
            bit = np.uint64(1) << np.uint64(k)
            distance = z * np.sqrt(x * x + y * y + 1.0)
            # Seen at a low angle, what lies flat covers fewer pixels by the sine of it.
            below = z * z * distance < reach * reach * (position[2] - world_z)
            if not bits[i, j, int(below)] & bit and not _is_mixed(depth, row, column, camera[0]):
                bits[i, j, 0] |= bit
                if below:
                    bits[i, j, 1] |= bit

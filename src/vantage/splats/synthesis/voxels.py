"""Voxels of a generated scene, filled or air: for shadows, and to find surfaces in enclosed air, which nobody sees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel
from vantage.scenes.spec import ObjectSpec, SceneSpec, points_inside, rooms_of
from vantage.splats.space import regions
from vantage.splats.synthesis.pieces import UPRIGHT
from vantage.splats.synthesis.samples import Array

_VOXEL = 0.03  # m
_MOST_VOXELS = 5e6  # more are made coarser
_ROOM = 3.0  # m^3: enclosed air of less is the inside of something
_AHEAD = 1.7  # voxels before a surface: where the air is that it is seen through


class SceneVoxels:
    """Voxels of the inner space of a scene; everything outside of its rooms and their openings is filled.

    Attributes:
        low: corner of the grid, m.
        voxel: edge of a voxel, m.
        filled: (X, Y, Z) bool.
    """

    def __init__(self, spec: SceneSpec, points: Array) -> None:
        self.low = np.asarray(spec.bounds_min)
        extent = np.asarray(spec.bounds_max) - self.low
        self.voxel = max(_VOXEL, float(np.prod(extent) / _MOST_VOXELS) ** (1.0 / 3.0))
        shape = np.ceil(extent / self.voxel - 1e-6).astype(int)
        self.filled = np.ones(shape, dtype=bool)
        self._carve_rooms(spec)
        for opening in spec.openings:
            if opening.kind != "window":
                self._fill(np.asarray(opening.low), np.asarray(opening.high), False)
        cells = np.floor((points - self.low) / self.voxel).astype(np.int64)
        cells = cells[((cells >= 0) & (cells < shape)).all(axis=1)]
        self.filled[tuple(cells.T)] = True
        for obj in spec.objects:
            if not obj.is_structure:
                self._fill_solids(obj)

    def _carve_rooms(self, spec: SceneSpec) -> None:
        x, y = (self.low[k] + (np.arange(self.filled.shape[k]) + 0.5) * self.voxel for k in range(2))
        for room in rooms_of(spec):
            top = max(1, round(room.height / self.voxel))
            self.filled[:, :, :top][points_inside(room.outline, x[:, None], y[None, :])] = False

    def _fill(self, low: Array, high: Array, value: bool) -> None:
        a = np.maximum(np.round((low - self.low) / self.voxel).astype(int), 0)
        b = np.round((high - self.low) / self.voxel).astype(int)
        if (b > a).all():
            self.filled[a[0] : b[0], a[1] : b[1], a[2] : b[2]] = value

    def _fill_solids(self, obj: ObjectSpec) -> None:
        """The insides of the solid boxes of an object that stands straight."""
        quarter, rest = divmod(obj.yaw + 0.25 * math.pi, 0.5 * math.pi)
        if abs(rest - 0.25 * math.pi) > UPRIGHT:
            return
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(quarter) % 4]
        for part in obj.parts:
            if part.shape != "box" or part.is_turned or part.open_faces or min(part.size) < 0.5 * self.voxel:
                continue
            x, y, z = part.center
            a, b, h = (0.5 * extent for extent in part.size)
            middle = np.asarray(obj.position) + np.array([c * x - s * y, s * x + c * y, z])
            half = np.array([abs(c) * a + abs(s) * b, abs(s) * a + abs(c) * b, h])
            self._fill(middle - half, middle + half, True)

    def faces_enclosed_air(self, points: Array, normals: Array) -> NDArray[np.bool_]:
        """Which surfaces (N,) face air that is enclosed on all sides, as in a closed cabinet."""
        labels, sizes = regions(~self.filled)
        cells = np.floor((points + _AHEAD * self.voxel * normals - self.low) / self.voxel).astype(np.int64)
        inside = ((cells >= 0) & (cells < self.filled.shape)).all(axis=1)
        found = labels[tuple(np.where(inside[:, None], cells, 0).T)]
        small = sizes * self.voxel**3 < _ROOM
        shut: NDArray[np.bool_] = inside & (found > 0) & small[found]
        return shut

    def path_is_free(self, start: Array, direction: Array, length: Array) -> NDArray[np.bool_]:
        """Whether straight paths of lengths (N,; m) from points (N, 3) along unit vectors (3,) or (N, 3) are free."""
        free = np.empty(len(start), dtype=np.bool_)
        directions = np.ascontiguousarray(np.broadcast_to(direction, start.shape))
        _walk(self.filled, self.low, self.voxel, np.ascontiguousarray(start), directions, length, free)
        return free


@kernel
def _walk(filled: Any, low: Any, voxel: float, start: Any, direction: Any, length: Any, free: Any) -> None:
    step = 0.8 * voxel
    for n in range(len(start)):
        free[n] = True
        for k in range(math.ceil(max(length[n], 0.0) / step)):
            i = math.floor((start[n, 0] + direction[n, 0] * step * k - low[0]) / voxel)
            j = math.floor((start[n, 1] + direction[n, 1] * step * k - low[1]) / voxel)
            m = math.floor((start[n, 2] + direction[n, 2] * step * k - low[2]) / voxel)
            if not (0 <= i < filled.shape[0] and 0 <= j < filled.shape[1] and 0 <= m < filled.shape[2]):
                continue
            if filled[i, j, m]:
                free[n] = False
                break

"""Which lattice positions the camera can reach through space that was seen free, and in how many actions."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vantage.perception.coverage import FREE, CoverageMap
from vantage.spatial import Viewpoint, wrap_angle
from vantage.worlds.limits import MotionLimits

Cell = tuple[int, int, int]

MOVES: tuple[tuple[str, Cell], ...] = (
    ("x+", (1, 0, 0)),
    ("x-", (-1, 0, 0)),
    ("y+", (0, 1, 0)),
    ("y-", (0, -1, 0)),
    ("z+", (0, 0, 1)),
    ("z-", (0, 0, -1)),
)


class Lattice:
    """Positions that translations lead to from a start: ``anchor + spacing * cell`` within the motion limits."""

    def __init__(self, start: Viewpoint, spacing: float, limits: MotionLimits) -> None:
        self.anchor = start.position
        self.spacing = spacing
        low = np.ceil((np.array(limits.bounds_min) - self.anchor) / spacing - 1e-6).astype(int)
        high = np.floor((np.array(limits.bounds_max) - self.anchor) / spacing + 1e-6).astype(int)
        self._low = low
        self.shape: Cell = (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1, int(high[2] - low[2]) + 1)

    def cell(self, viewpoint: Viewpoint) -> Cell:
        """Indices of the nearest position; they are inside for every pose within the limits."""
        i, j, k = np.rint((viewpoint.position - self.anchor) / self.spacing).astype(int) - self._low
        return int(i), int(j), int(k)

    def position(self, cell: Cell) -> NDArray[np.float64]:
        """Shape (3,), m."""
        return np.asarray(self.anchor + (np.array(cell) + self._low) * self.spacing)

    def positions(self) -> NDArray[np.float64]:
        """All positions, shape (*shape, 3), m."""
        axes = np.meshgrid(*(np.arange(n) for n in self.shape), indexing="ij")
        return np.asarray(self.anchor + (np.stack(axes, axis=-1) + self._low) * self.spacing)

    def contains(self, cell: Cell) -> bool:
        return all(0 <= index < size for index, size in zip(cell, self.shape, strict=True))


def free_cells(lattice: Lattice, coverage: CoverageMap, radius: float) -> NDArray[np.bool_]:
    """Whether each lattice position holds a body sphere (m) in space seen free; shape of the lattice."""
    points = lattice.positions().reshape(-1, 3)
    voxel, states = coverage.voxel, coverage.states
    reach = int(np.ceil(2 * radius / voxel)) + 1
    first = np.floor((points - radius - coverage.origin) / voxel).astype(int)
    index, gap = [], []
    inside = np.ones(len(points), bool)
    for axis in range(3):
        voxels = first[:, axis, None] + np.arange(reach)
        low = coverage.origin[axis] + voxels * voxel
        offset = np.maximum(np.maximum(low - points[:, axis, None], points[:, axis, None] - low - voxel), 0.0)
        touched = offset < radius
        outside = (voxels < 0) | (voxels >= states.shape[axis])
        inside &= ~(touched & outside).any(axis=1)
        index.append(np.clip(voxels, 0, states.shape[axis] - 1))
        gap.append(offset**2)
    distance = gap[0][:, :, None, None] + gap[1][:, None, :, None] + gap[2][:, None, None, :]
    found = states[index[0][:, :, None, None], index[1][:, None, :, None], index[2][:, None, None, :]]
    blocked = (distance < radius * radius) & (found != FREE)
    return np.asarray((inside & ~blocked.reshape(len(points), -1).any(axis=1)).reshape(lattice.shape))


class Reach:
    """Fewest translations from one cell to all others (breadth-first search over free cells)."""

    def __init__(self, lattice: Lattice, free: NDArray[np.bool_], start: Cell, blocked: set[tuple[Cell, Cell]]) -> None:
        """``blocked`` holds the (from, to) pairs that ended in a collision."""
        self._lattice = lattice
        self._parent: dict[Cell, tuple[Cell, str]] = {}
        self.steps: dict[Cell, int] = {start: 0}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for action, (dx, dy, dz) in MOVES:
                neighbour = (cell[0] + dx, cell[1] + dy, cell[2] + dz)
                if neighbour in self.steps or not lattice.contains(neighbour) or not free[neighbour]:
                    continue
                if (cell, neighbour) in blocked:
                    continue
                self.steps[neighbour] = self.steps[cell] + 1
                self._parent[neighbour] = (cell, action)
                queue.append(neighbour)

    def actions(self, goal: Cell) -> list[str]:
        """The translations that lead from the start to a reached cell."""
        found: list[str] = []
        cell = goal
        while cell in self._parent:
            cell, action = self._parent[cell]
            found.append(action)
        return found[::-1]


def turns(current: Viewpoint, goal: Viewpoint, rotation: float) -> list[str]:
    """Rotations that lead from one heading to another, the short way round, yaw first."""
    yaw_steps = round(wrap_angle(goal.yaw - current.yaw) / rotation)
    pitch_steps = round((goal.pitch - current.pitch) / rotation)
    yaw = ["yaw+" if yaw_steps > 0 else "yaw-"] * abs(yaw_steps)
    return yaw + ["pitch+" if pitch_steps > 0 else "pitch-"] * abs(pitch_steps)

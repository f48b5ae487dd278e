"""Which lattice positions the camera can reach through space that was seen free, and in how many actions."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel
from vantage.perception.map import FREE, OCCUPIED, CoverageMap
from vantage.planning.actions import OFFSETS, ActionSpace, Offset, rotations
from vantage.spatial import Viewpoint, wrap_angle
from vantage.worlds import MotionLimits

Cell = tuple[int, int, int]

_OFFSETS = np.array(OFFSETS)
_ON_FLOOR = 0.1  # m: what is lower is taken for the floor


class Lattice:
    """Positions that translations lead to from a start: ``anchor + spacing * cell`` within the motion limits."""

    def __init__(self, start: Viewpoint, spacing: float, limits: MotionLimits) -> None:
        self.anchor = start.position
        self.spacing = spacing
        low = np.ceil((np.array(limits.bounds_min) - self.anchor) / spacing - 1e-6).astype(int)
        high = np.floor((np.array(limits.bounds_max) - self.anchor) / spacing + 1e-6).astype(int)
        self._low = low
        self._origin, self._first = self.anchor.tolist(), low.tolist()
        self.keeps_height = limits.keeps_height
        self.shape: Cell = (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1, int(high[2] - low[2]) + 1)

    @property
    def corner(self) -> NDArray[np.float64]:
        """The position of cell (0, 0, 0), shape (3,), m."""
        return np.asarray(self.anchor + self._low * self.spacing)

    def cell(self, viewpoint: Viewpoint) -> Cell:
        """Indices of the nearest position; they are inside for every pose within the limits."""
        (x, y, z), (i, j, k), spacing = self._origin, self._first, self.spacing
        at = round((viewpoint.x - x) / spacing), round((viewpoint.y - y) / spacing), round((viewpoint.z - z) / spacing)
        return at[0] - i, at[1] - j, at[2] - k

    def position(self, cell: Cell) -> NDArray[np.float64]:
        """Shape (3,), m."""
        return np.asarray(self.anchor + (np.array(cell) + self._low) * self.spacing)

    def positions(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of cells (N, 3), shape (N, 3), m."""
        return np.asarray(self.anchor + (cells + self._low) * self.spacing)


def free_cells(lattice: Lattice, coverage: CoverageMap, radius: float) -> NDArray[np.bool_]:
    """Whether each lattice position holds a body sphere (m) in space seen free; shape of the lattice.

    What carries a camera that keeps its height stands on the floor: below it nothing may have been seen filled. What
    was not seen there is taken as free, for a camera never sees all of the floor around it.
    """
    free = np.zeros(lattice.shape, np.bool_)
    states = _with_what_is_below(coverage, float(lattice.corner[2])) if lattice.keeps_height else coverage.states
    _mark_free(states, coverage.origin, coverage.voxel, lattice.corner, lattice.spacing, radius, free)
    return free


def _with_what_is_below(coverage: CoverageMap, height: float) -> NDArray[np.uint8]:
    """The states of a map with all that was seen filled above the floor and below a height (m) lifted to it."""
    states = coverage.states.copy()
    level = int((height - coverage.origin[2]) / coverage.voxel)
    lowest = math.ceil((_ON_FLOOR - float(coverage.origin[2])) / coverage.voxel - 1e-6)
    in_the_way = (states[:, :, max(lowest, 0) : level] == OCCUPIED).any(axis=2)
    states[in_the_way, level] = OCCUPIED
    return states


@kernel
def _mark_free(states: Any, origin: Any, voxel: Any, corner: Any, spacing: Any, radius: Any, free: Any) -> None:
    low, high, at = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3)
    for i in range(free.shape[0]):
        for j in range(free.shape[1]):
            for k in range(free.shape[2]):
                at[0] = corner[0] + i * spacing - origin[0]
                at[1] = corner[1] + j * spacing - origin[1]
                at[2] = corner[2] + k * spacing - origin[2]
                inside = True
                for axis in range(3):
                    low[axis] = math.floor((at[axis] - radius) / voxel)
                    high[axis] = math.floor((at[axis] + radius) / voxel)
                    # A voxel whose border the sphere only reaches is not touched.
                    if high[axis] * voxel - at[axis] >= radius:
                        high[axis] -= 1
                    inside = inside and low[axis] >= 0 and high[axis] < states.shape[axis]
                free[i, j, k] = inside and _sphere_is_free(states, voxel, at, radius, low, high)


@kernel
def _sphere_is_free(states: Any, voxel: Any, at: Any, radius: Any, low: Any, high: Any) -> Any:
    for x in range(low[0], high[0] + 1):
        dx = max(x * voxel - at[0], at[0] - (x + 1) * voxel, 0.0)
        for y in range(low[1], high[1] + 1):
            dy = max(y * voxel - at[1], at[1] - (y + 1) * voxel, 0.0)
            for z in range(low[2], high[2] + 1):
                if states[x, y, z] == FREE:
                    continue
                dz = max(z * voxel - at[2], at[2] - (z + 1) * voxel, 0.0)
                if dx * dx + dy * dy + dz * dz < radius * radius:
                    return False
    return True


class Reach:
    """Fewest translations from one cell to all others (breadth-first search over free cells).

    Attributes:
        steps: shape of the lattice, -1 where no way leads.
        cells: (N, 3), all reached cells, nearest first.
    """

    def __init__(
        self,
        free: NDArray[np.bool_],
        start: Cell,
        blocked: set[tuple[Cell, Cell]],
        offsets: Collection[Offset] = OFFSETS,
    ) -> None:
        """``blocked`` holds the (from, to) pairs of neighbours that ended in a collision, ``offsets`` what translations
        there are."""
        closed = np.zeros((*free.shape, len(OFFSETS)), np.bool_)
        closed[..., [offset not in offsets for offset in OFFSETS]] = True
        for here, there in blocked:
            if any(not 0 <= here[axis] < free.shape[axis] for axis in range(3)):
                continue  # a motion that was to end beyond the lattice
            way = (there[0] - here[0], there[1] - here[1], there[2] - here[2])
            for number, offset in enumerate(OFFSETS):
                if way == offset:
                    closed[here[0], here[1], here[2], number] = True
        self.steps = np.full(free.shape, -1, np.int32)
        self._came_by = np.full(free.shape, -1, np.int8)
        queue = np.empty((free.size, 3), np.int64)
        queue[0] = start
        count = _flood(free, closed, _OFFSETS, queue, self.steps, self._came_by)
        self.cells: NDArray[np.int64] = queue[:count]

    def leads_to(self, goal: Cell) -> bool:
        """Whether a cell can be reached."""
        inside = all(0 <= goal[axis] < self.steps.shape[axis] for axis in range(3))
        return inside and bool(self.steps[goal] >= 0)

    def way(self, goal: Cell) -> list[Offset]:
        """The translations that lead from the start to a reached cell."""
        found: list[Offset] = []
        cell = goal
        while (number := int(self._came_by[cell])) >= 0:
            dx, dy, dz = OFFSETS[number]
            found.append(OFFSETS[number])
            cell = (cell[0] - dx, cell[1] - dy, cell[2] - dz)
        return found[::-1]


@kernel
def _flood(free: Any, closed: Any, offsets: Any, queue: Any, steps: Any, came_by: Any) -> Any:
    """Fill ``queue`` from its first cell on; returns how many cells were reached."""
    steps[queue[0, 0], queue[0, 1], queue[0, 2]] = 0
    count, head = 1, 0
    while head < count:
        i, j, k = queue[head, 0], queue[head, 1], queue[head, 2]
        head += 1
        for number in range(offsets.shape[0]):
            x, y, z = i + offsets[number, 0], j + offsets[number, 1], k + offsets[number, 2]
            if not (0 <= x < free.shape[0] and 0 <= y < free.shape[1] and 0 <= z < free.shape[2]):
                continue
            if steps[x, y, z] >= 0 or not free[x, y, z] or closed[i, j, k, number]:
                continue
            steps[x, y, z] = steps[i, j, k] + 1
            came_by[x, y, z] = number
            queue[count, 0], queue[count, 1], queue[count, 2] = x, y, z
            count += 1
    return count


def turns(current: Viewpoint, goal: Viewpoint, actions: ActionSpace, yaw_steps: int | None = None) -> list[str]:
    """Rotations that lead from one heading to another, yaw first.

    Args:
        yaw_steps: rotations of the yaw, positive to the left; None: the short way round.
    """
    yaw_steps = ways_round(current.yaw, goal.yaw, actions.rotation)[0] if yaw_steps is None else yaw_steps
    return [*rotations(actions, yaw_steps, round((goal.pitch - current.pitch) / actions.rotation))]


def ways_round(current: float, goal: float, rotation: float) -> tuple[int, int]:
    """How many rotations lead from one yaw to another, positive to the left: the short way round and the other one."""
    short, around = round(wrap_angle(goal - current) / rotation), round(math.tau / rotation)
    return short, short - around if short > 0 else short + around

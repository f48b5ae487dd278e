"""How much of a support was inspected: "there is none on the table" needs the whole table top.

Surfaces are kept as columns of 5 cm. A place counts as inspected when its columns hold a surface seen from above, be it
the support's own or that of an object on it, and when the support's edges are known, so that no part of it lies beyond
what was seen. Shelves and open cabinets are looked into from the front instead: each cell of their front must show
something behind it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.perception.map.coverage import FREE, OCCUPIED, OUTSIDE, UNKNOWN, CoverageMap
from vantage.perception.map.placement import Box
from vantage.perception.map.robot_mask import without_robot
from vantage.perception.map.rooms import known_sides, room_over
from vantage.perception.object_categories import RAISED, ROOFED, SEATS, SHELVES, STRUCTURE
from vantage.spatial import Intrinsics
from vantage.types import Observation, Point

CELL = 0.05  # m
LEVELS = 64
_PER_CELL = 1.0 / CELL
_HALF = 240  # columns to each side of the first viewpoint: 12 m
_BELOW = 2.4  # m from the first viewpoint down to the lowest level
_BEND = 0.04  # relative bend of the inverse depth over 2 pixels beyond which surfaces mix
_STEEPEST = 9.4  # tangent of the angle to a surface's normal beyond which depth leads from one surface to another
_SMALL = 0.06  # m: edge of the smallest object that must not be overlooked


class SurfaceMap:
    """For each column of the floor plan, at which heights a surface was seen, and at which from above.

    Only what is near enough counts: where an object of 6 cm covers the pixels that the perceiver needs; from above,
    where one that lies flat does.

    Attributes:
        version: another one whenever anything was marked or forgotten.
    """

    def __init__(self, min_pixels: int = 60) -> None:
        self._min_pixels = min_pixels
        self._bits = np.zeros((2 * _HALF, 2 * _HALF, 2), dtype=np.uint64)
        self._origin: NDArray[np.float64] | None = None
        self.version = 0

    def reset(self) -> None:
        """Forget everything."""
        self._bits[:] = 0
        self._origin = None
        self.version += 1

    def reach(self, camera: Intrinsics) -> float:
        """From how far a surface seen head-on counts, m."""
        return camera.fx * _SMALL / math.sqrt(self._min_pixels)

    def add(self, observation: Observation, held: Box | None = None) -> None:
        """Mark the surfaces in a depth image, but not those of the robot's own arm and of what it holds."""
        observation = without_robot(observation, held)
        if observation.depth is None:
            return
        self.version += 1
        camera, position = observation.depth_camera, observation.viewpoint.position
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
            self.reach(observation.intrinsics),
        )

    def forget(self, low: Point, high: Point) -> None:
        """Something moved: what was seen in a world-frame box (m) counts no more."""
        if self._origin is None:
            return
        first = np.floor((np.array(low) - self._origin) / CELL).astype(int)
        last = np.floor((np.array(high) - self._origin) / CELL).astype(int)
        first, last = np.maximum(first, 0), np.minimum(last, (2 * _HALF - 1, 2 * _HALF - 1, LEVELS - 1))
        if (first > last).any():
            return
        gone = np.uint64(sum(1 << k for k in range(int(first[2]), int(last[2]) + 1)))
        self._bits[first[0] : last[0] + 1, first[1] : last[1] + 1] &= ~gone
        self.version += 1

    def cells(self, low: Point, high: Point, from_above: bool) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Which cells of a world-frame box (m) hold a seen surface, and where they are.

        ``from_above`` counts only surfaces below the camera, for an underside shows nothing of what is on top.

        Returns:
            Seen cells (nx, ny, nz) and the centre of the first cell (3,), m. Parts beyond the map are unseen.
        """
        origin = self._origin if self._origin is not None else np.zeros(3)
        first = np.floor((np.array(low) - origin) / CELL + 0.5).astype(int)
        count = np.maximum(np.floor((np.array(high) - origin) / CELL + 0.5).astype(int) - first, 1)
        count = np.minimum(count, (4 * _HALF, 4 * _HALF, 4 * LEVELS))
        return _cells(self._bits, first, count, int(from_above)), origin + (first + 0.5) * CELL


@compiled
def _cells(
    bits: NDArray[np.uint64], first: NDArray[np.int64], count: NDArray[np.int64], layer: int
) -> NDArray[np.bool_]:
    """Which of the cells from a first one on are marked in one layer of the bits; what lies beyond these is not."""
    found = np.zeros((count[0], count[1], count[2]), np.bool_)
    for i in range(max(0, -first[0]), min(count[0], bits.shape[0] - first[0])):
        for j in range(max(0, -first[1]), min(count[1], bits.shape[1] - first[1])):
            column = bits[first[0] + i, first[1] + j, layer]
            for k in range(max(0, -first[2]), min(count[2], LEVELS - first[2])):
                found[i, j, k] = (column >> np.uint64(first[2] + k)) & np.uint64(1)
    return found


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
    slopes = (np.arange(width) + 0.5 - camera[2]) / camera[0]
    for row in range(0, height, stride):
        y = (row + 0.5 - camera[3]) / camera[1]
        for column in range(0, width, stride):
            z = depth[row, column]
            if not 0.0 < z < reach:
                continue
            x = slopes[column]
            world_z = position[2] + z * (rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2])
            world_x = position[0] + z * (rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2])
            world_y = position[1] + z * (rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2])
            i = int(np.floor((world_x - origin[0]) * _PER_CELL))
            j = int(np.floor((world_y - origin[1]) * _PER_CELL))
            k = int(np.floor((world_z - origin[2]) * _PER_CELL))
            if not (0 <= i < nx and 0 <= j < ny and 0 <= k < LEVELS):
                continue
            bit = np.uint64(1) << np.uint64(k)
            if bits[i, j, 0] & bit and (bits[i, j, 1] & bit or world_z >= position[2]):
                continue
            distance = z * np.sqrt(x * x + y * y + 1.0)
            # Seen at a low angle, what lies flat covers fewer pixels by the sine of it.
            below = z * z * distance < reach * reach * (position[2] - world_z)
            if not bits[i, j, int(below)] & bit and not _is_mixed(depth, row, column, camera[0]):
                bits[i, j, 0] |= bit
                if below:
                    bits[i, j, 1] |= bit


ENOUGH_SURFACE = 0.9
ENOUGH_EDGE = 0.6

_ABOVE = 0.6  # m over the surface in which objects on it can show
_SLACK = 0.06  # m
_SEAT = 0.25  # m above the floor, below which no seat or mattress is
_TOP_OFF = 0.12  # m by which the top of a box may be higher than the surface that objects stand on
_NARROWEST = 0.12  # m
_WALL_ABOVE = 0.4  # m over the surface: what is occupied there is a wall rather than an object on the support
_TALLER = 0.1  # m over the top of a support: what is occupied there is no part of it
_SHADOW = 0.04  # m around an object in which nothing else can stand
LOW_TABLES = frozenset({"table", "coffee table"})
_LOW_TABLE = 0.55  # m above the floor: low tables often have a shelf below
_LOWEST_SHELF = 0.1  # m above the floor
_ENOUGH_BELOW = 0.9
_MAX_POINTS = 200


@dataclass(frozen=True)
class Inspection:
    """What was looked at of a support.

    Attributes:
        seen: share of its places that were looked at, 0..1.
        edge: how well its surroundings are known, so that it does not go on unseen, 0..1.
        unseen: points on it, and beyond its edges, that were not looked at (at most 200), m.
    """

    seen: float
    edge: float
    unseen: tuple[Point, ...]

    @property
    def complete(self) -> bool:
        """Whether "nothing else is there" may be said: seen >= 0.9 and edge >= 0.6."""
        return self.seen >= ENOUGH_SURFACE and self.edge >= ENOUGH_EDGE


def inspect(
    support: Box,
    whole: bool,
    there: Sequence[Box],
    others: Sequence[Box],
    surfaces: SurfaceMap,
    coverage: CoverageMap | None,
    relation: str = "",
    floor_level: float = 0.0,
    grounded: bool = True,
) -> Inspection:
    """Judge how much of a support was seen.

    Args:
        support: with its visible bounds; of a floor, that of one room.
        whole: some view showed it clear of the image border; stands in for the edges where there is no ``coverage``.
        there: the objects on or in it.
        others: all other objects, which may stand against it.
        relation: ``on`` or ``in`` open furniture with a top; both places where it is empty.
        floor_level: height of the floor, m.
        grounded: it is known what it stands on or hangs from, so that it does not go on below what was seen of it.
    """
    looked_into = support.is_open_container and support.label in ROOFED
    if support.label in SHELVES or (looked_into and relation == "in"):
        level = 0.5 * (support.low[2] + support.high[2])
        seen, unseen = _front(support, surfaces)
    elif support.label == "floor":
        level, seen, unseen = _top(support, [obj for obj in there if obj.label not in RAISED], surfaces, floor_level)
    else:
        level, seen, unseen = _top(support, there, surfaces, floor_level)
        if looked_into and relation == "":
            front, hidden = _front(support, surfaces)
            seen, unseen = min(seen, front), unseen + hidden
        if support.label in LOW_TABLES and level - floor_level < _LOW_TABLE and coverage is not None:
            below = (*support.low[:2], floor_level + _LOWEST_SHELF), (*support.high[:2], level - _SLACK)
            share = ENOUGH_SURFACE * coverage.seen_fraction(*below) / _ENOUGH_BELOW
            if share < min(seen, ENOUGH_SURFACE):
                dark = coverage.centers(UNKNOWN, *below)
                seen, unseen = share, unseen + [(float(x), float(y), float(z)) for x, y, z in dark]
    edge = float(whole and grounded)
    if support.label == "floor" and coverage is not None:
        edge = known_sides(room_over(support, ""), others, coverage)
    elif min(support.high[0] - support.low[0], support.high[1] - support.low[1]) < _NARROWEST:
        edge = 0.0  # a leg or a rim, not the object itself
    elif coverage is not None and not (whole and _has_rim(support)):  # a rim has nothing beyond it
        beside = [other for other in others if all(other.key != obj.key for obj in there)]
        edge, beyond = _edge(support, level, beside, coverage)
        edge = min(edge, _above(support, coverage))
        unseen = unseen + beyond if edge < ENOUGH_EDGE else unseen
    if not grounded:
        edge = 0.0
        middle = 0.5 * (support.low[0] + support.high[0]), 0.5 * (support.low[1] + support.high[1])
        unseen.append((*middle, floor_level))
    return Inspection(float(seen), edge, tuple(unseen[:: 1 + len(unseen) // _MAX_POINTS]))


def _has_rim(support: Box) -> bool:
    """Whether objects are in it rather than on it, and it is looked into from above."""
    return support.is_open_container and support.label not in ROOFED


def _footprint(support: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """The footprint without its outermost cells, which belong half to the surroundings."""
    low, high = [], []
    for axis in (0, 1):
        inset = CELL if support.high[axis] - support.low[axis] > 4 * CELL else 0.0
        low.append(support.low[axis] + inset)
        high.append(support.high[axis] - inset)
    return (low[0], low[1]), (high[0], high[1])


def _top(
    support: Box, there: Sequence[Box], surfaces: SurfaceMap, floor_level: float
) -> tuple[float, float, list[Point]]:
    """Height of the main surface, seen share of its columns, and the unseen ones."""
    (x0, y0), (x1, y1) = _footprint(support)
    inside = _has_rim(support)
    bottom = support.low[2] - _SLACK if inside else _lowest_level(support, floor_level)
    above = _SLACK if support.label == "floor" else _ABOVE  # what is higher may stand on legs
    top = support.high[2] - 0.03 if inside else support.high[2] + above
    cells, first = surfaces.cells((x0, y0, bottom), (x1, y1, max(top, bottom + CELL)), from_above=True)
    level = _main_level(cells, first, support) if not inside else support.low[2]
    heights = first[2] + np.arange(cells.shape[2]) * CELL
    seen = np.any(cells[:, :, heights >= level - _SLACK], axis=2)
    xs = first[0] + np.arange(cells.shape[0]) * CELL
    ys = first[1] + np.arange(cells.shape[1]) * CELL
    for obj in there:
        in_x = (xs > obj.low[0] - _SHADOW) & (xs < obj.high[0] + _SHADOW)
        in_y = (ys > obj.low[1] - _SHADOW) & (ys < obj.high[1] + _SHADOW)
        seen |= in_x[:, None] & in_y[None, :]
    unseen = [(float(xs[i]), float(ys[j]), float(level)) for i, j in np.argwhere(~seen)]
    return float(level), float(seen.mean()), unseen


def _lowest_level(support: Box, floor_level: float) -> float:
    """Where the main surface can be at the lowest: of a table near its top, of a bed far below the headboard."""
    if support.label in SEATS:
        return floor_level + _SEAT
    return max(support.low[2], support.high[2] - _TOP_OFF)


def _main_level(cells: NDArray[np.bool_], first: NDArray[np.float64], support: Box) -> float:
    """The lowest level with many seen cells: of a bed the mattress, not the headboard; of a sofa the seat."""
    if support.label == "floor":
        return support.high[2]
    top = max(1, int((support.high[2] + _SLACK - first[2]) / CELL) + 1)
    per_level = cells[:, :, :top].sum(axis=(0, 1))
    if not per_level.any():
        return support.high[2]
    many = np.flatnonzero(per_level >= 0.4 * per_level.max())
    return float(min(first[2] + many[0] * CELL, support.high[2]))


def _front(support: Box, surfaces: SurfaceMap) -> tuple[float, list[Point]]:
    """Seen share of the front of shelves, whose depth is the shorter side."""
    cells, first = surfaces.cells(support.low, support.high, from_above=False)
    thin = int(np.argmin([support.high[axis] - support.low[axis] for axis in (0, 1)]))
    front = cells.any(axis=thin)
    middle = 0.5 * (support.low[thin] + support.high[thin])
    unseen: list[Point] = []
    for across, up in np.argwhere(~front):
        along = float(first[1 - thin] + across * CELL)
        z = float(first[2] + up * CELL)
        unseen.append((middle, along, z) if thin == 0 else (along, middle, z))
    return float(front.mean()), unseen


def _above(support: Box, coverage: CoverageMap) -> float:
    """Share of the space above a support that is known: above a table leg there may be the table."""
    low = (support.low[0], support.low[1], support.high[2] + coverage.voxel)
    return coverage.seen_fraction(low, (support.high[0], support.high[1], support.high[2] + _ABOVE))


def _edge(support: Box, level: float, others: Sequence[Box], coverage: CoverageMap) -> tuple[float, list[Point]]:
    """Share of the surroundings where the support is known not to go on, of the side that is known least; the rest.

    It does not go on where the space at the height of its surface was seen free, lies outside the bounds, inside
    another object, or at or behind something tall (a wall).
    """
    step = coverage.voxel
    solid = [other for other in others if other.label not in STRUCTURE]
    solid = [other for other in solid if other.low[2] <= level + _ABOVE and other.high[2] >= level]
    sides: list[float] = []
    open_points: list[Point] = []
    for axis in (0, 1):
        along = np.arange(support.low[1 - axis], support.high[1 - axis] + 1e-6, step)
        for side, sign in ((support.low[axis], -1.0), (support.high[axis], 1.0)):
            ring = np.full((len(along), 3), level - 0.03)
            ring[:, axis] = side + sign * (0.1 + 0.75 * step)
            ring[:, 1 - axis] = along
            states = coverage.state(ring)
            ends = (states == FREE) | (states == OUTSIDE)
            for back in (0.0, 0.5, 1.0, 1.5):
                higher = ring.copy()
                higher[:, 2] = max(level + _WALL_ABOVE, support.high[2] + _TALLER)
                higher[:, axis] -= sign * back * step
                ends |= coverage.state(higher) == OCCUPIED
            for other in solid:
                low, high = np.array(other.low[:2]) - CELL, np.array(other.high[:2]) + CELL
                ends |= ((ring[:, :2] >= low) & (ring[:, :2] <= high)).all(axis=1)
            sides.append(float(ends.mean()))
            open_points += [(float(x), float(y), float(z)) for x, y, z in ring[~ends]]
    return min(sides), open_points

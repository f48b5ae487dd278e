"""How much a view would reveal: unknown voxels along rays, weighted by how much the question cares about them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.view_planning.ray_ends import OPEN, OUTSIDE
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats import kernel

_COLUMNS, _ROWS = 36, 15  # directions of the panorama, over 360 and 150 degrees
_USUAL = 2.0  # m at which a voxel along a ray counts as one: rays diverge, so that farther ones stand for more space
REACH = 4.0  # m to which a look counts
SLACK = 0.15  # m before a point, within which the object it lies on does not hide it
_OPEN = 0.97  # chance that an unknown voxel does not block the view of what is behind it
_CELL = 4  # voxels along each edge of a cell of space that views show in turn
_TURNS = 2  # rotations by which sweeps grow


@kernel
def _cast(
    states: Any,
    weights: Any,
    origin: Any,
    voxel: Any,
    positions: Any,
    directions: Any,
    reach: Any,
    ends: Any,
    rows: Any,
) -> Any:
    """Expected weight of unknown voxels seen along each ray from each position, shape (positions, directions).

    What is behind unknown space may be hidden by what is in it: behind a wall not seen yet lies nothing to be seen.
    ``ends`` and ``rows``: a table of where rays ended, and its row of each position; see ``RayEnds``.
    """
    found = np.zeros((positions.shape[0], directions.shape[0]), np.float32)
    steps = int(reach / voxel)
    flat = states.ravel()
    for p in range(positions.shape[0]):
        ended = ends[rows[p]]
        x = (positions[p, 0] - origin[0]) / voxel
        y = (positions[p, 1] - origin[1]) / voxel
        z = (positions[p, 2] - origin[2]) / voxel
        for d in range(directions.shape[0]):
            end = ended[d]
            if end == OUTSIDE or (end >= 0 and flat[end] == OCCUPIED):
                continue
            total, chance, end = np.float32(0.0), np.float32(1.0), OPEN
            for s in range(1, steps):
                i = math.floor(x + directions[d, 0] * s)
                j = math.floor(y + directions[d, 1] * s)
                k = math.floor(z + directions[d, 2] * s)
                if i < 0 or j < 0 or k < 0 or i >= states.shape[0] or j >= states.shape[1] or k >= states.shape[2]:
                    end = OUTSIDE
                    break
                state = states[i, j, k]
                if state == OCCUPIED:
                    end = (i * states.shape[1] + j) * states.shape[2] + k
                    break
                if state == UNKNOWN:
                    away = s * voxel / _USUAL
                    total += chance * weights[i, j, k] * np.float32(away * away)
                    chance *= np.float32(_OPEN)
            found[p, d] = total
            ended[d] = end if chance == np.float32(1.0) else OPEN
    return found


@kernel
def _shown_along(rays: Any, shares: Any) -> Any:
    """The product of rays (positions, directions), of which most are worth nothing, with shares (directions, views)."""
    found = np.zeros((rays.shape[0], shares.shape[1]), np.float32)
    for p in range(rays.shape[0]):
        row = found[p]
        for d in range(rays.shape[1]):
            each = rays[p, d]
            if each != 0.0:
                for v in range(shares.shape[1]):
                    row[v] += each * shares[d, v]
    return found


@kernel
def _cast_in_turn(
    states: Any,
    weights: Any,
    origin: Any,
    voxel: Any,
    positions: Any,
    directions: Any,
    inside: Any,
    reach: Any,
    cell: Any,
    full: Any,
) -> Any:
    """As ``_cast`` for views one after the other, of which each has its shares ``inside`` of the directions, shape
    (views,). The more of a cell of space (edge in voxels) was shown before, up to ``full`` voxels of it, the less it
    counts.
    """
    found = np.zeros(positions.shape[0], np.float32)
    shape = states.shape[0] // cell + 1, states.shape[1] // cell + 1, states.shape[2] // cell + 1
    shown = np.zeros(shape, np.float32)
    steps = int(reach / voxel)
    for p in range(positions.shape[0]):
        x = (positions[p, 0] - origin[0]) / voxel
        y = (positions[p, 1] - origin[1]) / voxel
        z = (positions[p, 2] - origin[2]) / voxel
        for d in range(directions.shape[0]):
            if inside[p, d] <= 0.0:
                continue
            chance = inside[p, d]
            for s in range(1, steps):
                i = math.floor(x + directions[d, 0] * s)
                j = math.floor(y + directions[d, 1] * s)
                k = math.floor(z + directions[d, 2] * s)
                if i < 0 or j < 0 or k < 0 or i >= states.shape[0] or j >= states.shape[1] or k >= states.shape[2]:
                    break
                state = states[i, j, k]
                if state == OCCUPIED:
                    break
                if state == UNKNOWN:
                    away = s * voxel / _USUAL
                    counted = chance * np.float32(away * away)
                    before = shown[i // cell, j // cell, k // cell]
                    if before < full:
                        found[p] += counted * weights[i, j, k] * (np.float32(1.0) - before / full)
                        shown[i // cell, j // cell, k // cell] = before + counted
                    chance *= np.float32(_OPEN)
    return found


@kernel
def _is_clear(states: Any, clearance: Any, origin: Any, voxel: Any, position: Any, point: Any, slack: Any) -> Any:
    """Whether no occupied voxel lies between a position and ``slack`` m before a point; sampled twice a voxel, but for
    samples that cannot be in one by the clearance of the blocks around (``CoverageMap.clearance``)."""
    dx, dy, dz = point[0] - position[0], point[1] - position[1], point[2] - position[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    count = int(2.0 * (length - slack) / voxel)
    s = 1
    while s <= count:
        share = 0.5 * s * voxel / length
        i = math.floor((position[0] + dx * share - origin[0]) / voxel)
        j = math.floor((position[1] + dy * share - origin[1]) / voxel)
        k = math.floor((position[2] + dz * share - origin[2]) / voxel)
        s += 1
        if 0 <= i < states.shape[0] and 0 <= j < states.shape[1] and 0 <= k < states.shape[2]:
            away = int(clearance[i >> 1, j >> 1, k >> 1])
            if away > 1:
                s += 4 * (away - 1)  # as many samples are at most half as many voxels on
            elif away == 0 and states[i, j, k] == OCCUPIED:
                return False
    return True


@kernel
def _are_clear(states: Any, clearance: Any, origin: Any, voxel: Any, position: Any, points: Any, slack: Any) -> Any:
    """The same for points (N, 3), shape (N,)."""
    clear = np.zeros(len(points), np.bool_)
    for k in range(len(points)):
        clear[k] = _is_clear(states, clearance, origin, voxel, position, points[k], slack)
    return clear


@kernel
def _shown_worth(
    states: Any,
    clearance: Any,
    origin: Any,
    voxel: Any,
    positions: Any,
    points: Any,
    worth: Any,
    slack: Any,
    margin: Any,
    axes: Any,
    slopes: Any,
) -> Any:
    """Sum of the worth of the points that each heading shows with all that lies within ``margin`` m of them.

    ``axes``: x, y and z of the optical axes x, y and z of each heading, shape (9, headings). ``slopes``: least and
    largest x / z and y / z of the image. Shape (positions, headings).
    """
    found = np.zeros((positions.shape[0], axes.shape[1]), np.float32)
    left, right, top, bottom = slopes[0], slopes[1], slopes[2], slopes[3]
    for p in range(positions.shape[0]):
        row = found[p]
        for q in range(points.shape[0]):
            each = worth[p, q]
            if each <= 0.0 or not _is_clear(states, clearance, origin, voxel, positions[p], points[q], slack):
                continue
            dx = points[q, 0] - positions[p, 0]
            dy = points[q, 1] - positions[p, 1]
            dz = points[q, 2] - positions[p, 2]
            for h in range(axes.shape[1]):  # without branches, so that several headings are looked at at once
                ahead = axes[6, h] * dx + axes[7, h] * dy + axes[8, h] * dz
                depth = max(ahead, 1e-6)
                across = (axes[0, h] * dx + axes[1, h] * dy + axes[2, h] * dz) / depth
                down = (axes[3, h] * dx + axes[4, h] * dy + axes[5, h] * dz) / depth
                edge = margin / depth
                inside = (
                    (ahead > 1e-6)
                    & (left + edge <= across)
                    & (across < right - edge)
                    & (top + edge <= down)
                    & (down < bottom - edge)
                )
                row[h] += each if inside else 0.0
    return found


@dataclass(frozen=True)
class Sweep:
    """A look that may go on over several turns to one side, as indices of yaws and pitches.

    Attributes:
        turns: further rotations after the first look, positive to the left.
        headings: indices into all headings (yaw first) of all looks.
    """

    yaw: int
    pitch: int
    turns: int
    headings: tuple[int, ...]


class Panorama:
    """Evaluates all headings, and sweeps over several of them, at many positions at once.

    Args:
        intrinsics: of the camera.
        yaws: headings to consider, evenly around the circle, rad.
        pitches: rad.

    Attributes:
        sweeps: all of them, those of one look first.
        ways: the yaws and turns that these have, each once.
    """

    def __init__(self, intrinsics: Intrinsics, yaws: NDArray[np.float64], pitches: NDArray[np.float64]) -> None:
        self.yaws, self.pitches = yaws, pitches
        azimuth = (np.arange(_COLUMNS) + 0.5) * 2 * np.pi / _COLUMNS
        elevation = np.linspace(-1.0, 1.0, _ROWS) * np.radians(75)
        azimuths, elevations = (part.ravel() for part in np.meshgrid(azimuth, elevation))
        self._directions = np.stack(
            [np.cos(elevations) * np.cos(azimuths), np.cos(elevations) * np.sin(azimuths), np.sin(elevations)], axis=1
        )
        solid_angle = np.cos(elevations)
        inside = [_in_view(intrinsics, yaw, pitch, self._directions) * solid_angle for yaw in yaws for pitch in pitches]
        self._inside = np.array(inside, np.float32)
        self.sweeps = _sweeps(len(yaws), len(pitches))
        self.ways = tuple(dict.fromkeys((sweep.yaw, sweep.turns) for sweep in self.sweeps))
        swept = np.array([self._inside[list(sweep.headings)].max(axis=0) for sweep in self.sweeps])
        numbers: dict[bytes, int] = {}  # of sweeps that show different directions: many show the same ones
        self._same = np.array([numbers.setdefault(each.tobytes(), len(numbers)) for each in swept])
        self._swept = np.ascontiguousarray(swept[np.unique(self._same, return_index=True)[1]].T)
        self._intrinsics = intrinsics
        headings = np.array([_optical_axes(yaw, pitch) for yaw in yaws for pitch in pitches])
        self._axes = np.ascontiguousarray(headings.reshape(-1, 9).T)
        right, bottom = intrinsics.width - intrinsics.cx, intrinsics.height - intrinsics.cy
        self._slopes = np.array(
            [
                -intrinsics.cx / intrinsics.fx,
                right / intrinsics.fx,
                -intrinsics.cy / intrinsics.fy,
                bottom / intrinsics.fy,
            ]
        )

    def gains(
        self,
        coverage: CoverageMap,
        weights: NDArray[np.float32],
        positions: NDArray[np.float64],
        taken: Iterable[tuple[int, int]] = (),
        reach: float = REACH,
        ends: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None,
    ) -> NDArray[np.float32]:
        """Of all sweeps, shape (positions, sweeps).

        Args:
            reach: how far a look counts, m.
            ends: where rays ended so far, and the rows of the positions (``RayEnds``); filled with what is found.
            taken: indices (position, heading) of looks that were taken: what they did not show will not show again.
        """
        if ends is None:
            rows = np.arange(len(positions), dtype=np.int32)
            ends = np.full((len(positions), self.directions), OPEN, np.int32), rows
        map_ = coverage.states, weights, coverage.origin, coverage.voxel
        rays = _cast(*map_, positions, self._directions, reach, *ends)
        for position, heading in taken:
            rays[position, self._inside[heading] > 0.0] = 0.0
        return np.asarray(_shown_along(rays, self._swept)[:, self._same])

    def gains_in_turn(
        self,
        coverage: CoverageMap,
        weights: NDArray[np.float32],
        positions: NDArray[np.float64],
        headings: Sequence[tuple[int, int]],
        reach: float = REACH,
    ) -> NDArray[np.float32]:
        """Of views (N, 3) with their headings (yaw and pitch) one after the other, shape (N,); what one showed counts
        for no later one."""
        inside = self._inside[[yaw * len(self.pitches) + pitch for yaw, pitch in headings]]
        between = (2 * np.pi / _COLUMNS) * np.radians(2 * 75 / (_ROWS - 1))  # sr that one ray stands for
        full = np.float32(_CELL**3 * (coverage.voxel / _USUAL) ** 2 / between)
        return np.asarray(
            _cast_in_turn(
                coverage.states,
                weights,
                coverage.origin,
                coverage.voxel,
                positions,
                self._directions,
                inside,
                reach,
                _CELL,
                full,
            )
        )

    @property
    def directions(self) -> int:
        """Number of rays from each position."""
        return len(self._directions)

    def best_look(self, worth: NDArray[np.float32]) -> NDArray[np.float32]:
        """Worth (positions, yaws, pitches) of the best look of each sweep, shape (positions, sweeps)."""
        best = [worth]
        so_far = {1: worth, -1: worth}
        for turns in range(1, abs(self.sweeps[-1].turns) + 1):
            for side in (1, -1):
                so_far[side] = np.maximum(so_far[side], np.roll(worth, -side * turns, axis=1))
            if turns % _TURNS == 0:
                best += [so_far[1], so_far[-1]]
        return np.concatenate([each.reshape(len(worth), -1) for each in best], axis=1)

    def points_in_view(
        self,
        coverage: CoverageMap,
        positions: NDArray[np.float64],
        points: NDArray[np.float64],
        worth: NDArray[Any],
        slack: float = SLACK,
        margin: float = 0.0,
    ) -> NDArray[np.float32]:
        """Sum of the worth (positions, points) of the points that each view would show without anything in between.

        Args:
            slack: m before a point within which the object that it belongs to does not hide it.
            margin: m around a point that must be in the view with it.

        Returns:
            Shape (positions, yaws, pitches).
        """
        found = _shown_worth(
            coverage.states,
            coverage.clearance,
            coverage.origin,
            coverage.voxel,
            positions,
            points,
            np.ascontiguousarray(worth, np.float64),
            slack,
            margin,
            self._axes,
            self._slopes,
        )
        return np.asarray(found).reshape(len(positions), len(self.yaws), len(self.pitches))

    def shows(
        self, coverage: CoverageMap, viewpoint: Viewpoint, points: NDArray[np.float64], slack: float = SLACK
    ) -> NDArray[np.bool_]:
        """Which points (N, 3) a view shows without anything in between, but for ``slack`` m before them; shape (N,)."""
        position = viewpoint.position
        map_ = coverage.states, coverage.clearance, coverage.origin, coverage.voxel
        clear = _are_clear(*map_, position, points, slack)
        return np.asarray(clear & _in_view(self._intrinsics, viewpoint.yaw, viewpoint.pitch, points - position))


@lru_cache(maxsize=8)
def _sweeps(yaws: int, pitches: int) -> tuple[Sweep, ...]:
    """Single looks, then ever longer sweeps to both sides, up to a full turn."""
    found = []
    for turns in range(0, max(yaws - 1, 1), _TURNS):
        for side in (1, -1) if turns else (1,):
            for yaw in range(yaws):
                for pitch in range(pitches):
                    around = ((yaw + side * k) % yaws for k in range(turns + 1))
                    found.append(Sweep(yaw, pitch, side * turns, tuple(each * pitches + pitch for each in around)))
    return tuple(found)


def closeness(positions: NDArray[np.float64], points: NDArray[np.float64], good: float) -> NDArray[np.float64]:
    """How well an object is made out: 1 within ``good`` m, falling with the solid angle; shape (positions, points)."""
    distance = np.linalg.norm(points[None, :, :] - positions[:, None, :], axis=2)
    return np.asarray(np.minimum(1.0, (good / np.maximum(distance, 1e-6)) ** 2))


def surface_closeness(positions: NDArray[np.float64], points: NDArray[np.float64], good: float) -> NDArray[np.float64]:
    """How well what lies flat on a level surface is made out: 1 within ``good`` m straight above it, falling with the
    solid angle that it covers, which at a low angle shrinks with its sine; 0 from below; shape (positions, points)."""
    way = positions[:, None, :] - points[None, :, :]
    distance = np.maximum(np.linalg.norm(way, axis=2), 1e-6)
    return np.asarray(np.clip(good**2 * way[:, :, 2] / distance**3, 0.0, 1.0))


def steepness(positions: NDArray[np.float64], points: NDArray[np.float64], good: float) -> NDArray[np.float64]:
    """How well a level surface is seen: 0 from below or along it, 1 from an angle on whose sine is ``good``; shape
    (positions, points)."""
    way = positions[:, None, :] - points[None, :, :]
    return np.asarray(np.clip(way[:, :, 2] / np.maximum(np.linalg.norm(way, axis=2), 1e-6) / good, 0.0, 1.0))


_ASLANT, _ACROSS = 0.26, 0.7  # cosines of the angles from which on the front of an object shows, and shows well


def facing(
    positions: NDArray[np.float64], points: NDArray[np.float64], normals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How well the side of an object that looks along a normal (points, 3) is seen: 1 within 45 degrees of it, 0 beyond
    75; shape (positions, points)."""
    way = positions[:, None, :] - points[None, :, :]
    cosines = (way * normals).sum(axis=2) / np.maximum(np.linalg.norm(way, axis=2), 1e-6)
    return np.asarray(np.clip((cosines - _ASLANT) / (_ACROSS - _ASLANT), 0.0, 1.0))


def near(marked: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """Which voxels lie within ``reach`` voxels of a marked one along each axis."""
    for axis in range(3):
        count = np.cumsum(np.pad(marked, [(reach + 1, reach) if k == axis else (0, 0) for k in range(3)]), axis=axis)
        size, window = marked.shape[axis], 2 * reach + 1
        low, high = np.arange(size), np.arange(window, size + window)
        marked = np.take(count, high, axis=axis) > np.take(count, low, axis=axis)
    return marked


def _optical_axes(yaw: float, pitch: float) -> NDArray[np.float64]:
    """The optical axes x, y and z in the world frame as rows, (3, 3)."""
    return np.ascontiguousarray(Viewpoint(0.0, 0.0, 0.0, yaw, pitch).T_world_camera_optical()[:3, :3].T)


def _in_view(intrinsics: Intrinsics, yaw: float, pitch: float, directions: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether the camera, turned so, shows what lies in each direction (N, 3)."""
    optical = directions @ _optical_axes(yaw, pitch).T
    ahead = optical[:, 2] > 1e-6
    pixels = intrinsics.project(np.where(ahead[:, None], optical, [0.0, 0.0, 1.0]))
    within = (pixels >= 0).all(axis=1) & (pixels < [intrinsics.width, intrinsics.height]).all(axis=1)
    return np.asarray(ahead & within)

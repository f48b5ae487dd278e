"""How much a view would reveal: unknown voxels along rays, weighted by how much the question cares about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import CoverageMap
from vantage.planning.view_planning.ray_ends import OPEN
from vantage.planning.view_planning.rays import USUAL, are_clear, cast, cast_in_turn, shown_along, shown_worth
from vantage.spatial import Intrinsics, Viewpoint

_COLUMNS, _ROWS = 36, 15  # directions of the panorama, over 360 and 150 degrees
REACH = 4.0  # m to which a look counts
SLACK = 0.15  # m before a point, within which the object it lies on does not hide it
_CELL = 4  # voxels along each edge of a cell of space that views show in turn
_TURNS = 2  # rotations by which sweeps grow


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
        rays = cast(*map_, positions, self._directions, reach, *ends)
        for position, heading in taken:
            rays[position, self._inside[heading] > 0.0] = 0.0
        return np.asarray(shown_along(rays, self._swept)[:, self._same])

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
        full = np.float32(_CELL**3 * (coverage.voxel / USUAL) ** 2 / between)
        return np.asarray(
            cast_in_turn(
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
        found = shown_worth(
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
        clear = are_clear(*map_, position, points, slack)
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

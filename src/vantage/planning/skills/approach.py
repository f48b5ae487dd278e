"""From where the hand gets at a point: places of the base on free floor, and poses of the tool."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from vantage.perception.map import OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.skills.body import Approach, Body, tool_at
from vantage.planning.skills.floor import Place
from vantage.spatial import Matrix, wrap_angle
from vantage.types import Point

FORWARD, SLANTED, DOWN = 0.0, math.pi / 4, math.pi / 2  # rad that the tool points below level

_DIRECTIONS = 24
_DISTANCES = tuple(np.arange(0.3, 1.1, 0.05).tolist())
_BACK = 0.12  # m along the tool from where it goes straight to its place
_TURNED = 0.25  # m of way that a turn of a rad away from the best direction is worth
_TIGHT = 0.6  # m of way that a m of room is worth, up to
_ROOMY = 0.4  # m
_ADVANCES = (0.35, 0.25, 0.15, 0.0)  # m behind its stand, from where the base may drive ahead with the arm unfolded
_CRAMPED = 1.0  # m of way that each m less of that costs
_CORRIDOR = (0.11, 0.37, 0.04)  # m behind the tool that hand and wrist need
_HIDDEN = 3.0  # m of way that something in there costs: the map is coarse
_BETWEEN = (0.15, 0.2)  # m from the stand on and before the point, between which no wall may be
_HEIGHTS = np.arange(0.5, 1.45, 0.1)  # m above the floor
_WALL, _LEAST = 0.6, 4  # share of the heights that were seen, and number, which are filled where there is a wall


class Floor(Protocol):
    """Where the base can stand; see ``FloorMap``."""

    def stands(self, place: Place) -> bool: ...

    def cost(self, place: Place) -> float: ...

    def room(self, place: Place) -> float: ...

    def line_is_free(self, start: Place, end: Place) -> bool: ...


class Surroundings(Protocol):
    """What ways to a point depend on; a ``Situation`` has it."""

    @property
    def body(self) -> Body: ...

    @property
    def floor(self) -> Floor: ...

    @property
    def floor_level(self) -> float: ...

    @property
    def coverage(self) -> CoverageMap | None: ...


def approaches(
    now: Surroundings,
    point: Point,
    pitches: Sequence[float],
    outward: Point | None = None,
    spread: float = math.pi,
    roll: float = 0.0,
    before: float = _BACK,
    headings: Iterable[float] | None = None,
    far: float = 0.0,
) -> list[Approach]:
    """Ways to bring the tool to a point (m), best first; each direction and pitch once.

    Args:
        pitches: rad below level, those liked best first.
        outward: unit vector out of the front that the point is on; ``spread`` rad from it the base may be.
        roll: of the tool about the direction in which it points, rad.
        before: m along the tool from where it goes straight to the point.
        headings: of base and tool; all where none are given.
        far: m of way that a m farther away is worth.
    """
    level = point[2] - now.floor_level
    best: dict[tuple[float, float], Approach] = {}
    angles = (
        headings if headings is not None else [wrap_angle(2 * math.pi * k / _DIRECTIONS) for k in range(_DIRECTIONS)]
    )
    for yaw in angles:
        off = 0.0
        if outward is not None and math.hypot(outward[0], outward[1]) > 0.5:
            off = abs(wrap_angle(yaw - math.atan2(-outward[1], -outward[0])))
            if off > spread:
                continue
        ahead = np.array([math.cos(yaw), math.sin(yaw)])
        for distance in _DISTANCES:
            place = float(point[0] - distance * ahead[0]), float(point[1] - distance * ahead[1])
            if not now.floor.stands(place):
                continue
            advance = _room_behind(now, place, ahead)
            behind = float(place[0] - advance * ahead[0]), float(place[1] - advance * ahead[1])
            way = now.floor.cost(behind)
            if not math.isfinite(way) or is_walled_off(now, place, point):
                continue
            way += _CRAMPED * (_ADVANCES[0] - advance)
            room = min(now.floor.room(place) - now.body.radius, _ROOMY)
            for rank, pitch in enumerate(pitches):
                cost = way + _TURNED * off + 0.3 * rank - _TIGHT * room - far * distance
                key = round(yaw, 3), pitch
                if key in best and best[key].cost <= cost:
                    continue
                if not _gets_there(now, distance, level, pitch, before):
                    continue
                pose = tool_at(np.array(point), yaw, pitch, roll)
                if not _corridor_is_free(now, pose):
                    cost += _HIDDEN
                start = pose.copy()
                start[:3, 3] -= before * pose[:3, 0]
                best[key] = Approach(*place, yaw, pitch, pose, start, cost, advance)
    return sorted(best.values(), key=lambda each: each.cost)


def _gets_there(now: Surroundings, distance: float, level: float, pitch: float, before: float) -> bool:
    if not now.body.reaches(distance, level, pitch):
        return False
    return now.body.reaches(distance - before * math.cos(pitch), level + before * math.sin(pitch), pitch)


def _room_behind(now: Surroundings, place: tuple[float, float], ahead: Matrix) -> float:
    """m that the base can go straight back from a place, of those that are tried."""
    for advance in _ADVANCES[:-1]:
        behind = float(place[0] - advance * ahead[0]), float(place[1] - advance * ahead[1])
        if now.floor.line_is_free(place, behind):
            return advance
    return 0.0


def is_walled_off(now: Surroundings, place: Place, point: Point, thing: tuple[Point, Point] | None = None) -> bool:
    """Whether something as high as a wall was seen between a stand of the base and a point (m).

    Args:
        thing: the box of what the point is in, m, which does not count.
    """
    ahead = np.subtract(point[:2], place)
    distance = float(np.linalg.norm(ahead))
    if now.coverage is None or distance < sum(_BETWEEN):
        return False
    along = np.arange(_BETWEEN[0], distance - _BETWEEN[1], now.coverage.voxel) / distance
    points = np.empty((len(along), len(_HEIGHTS), 3))
    points[..., :2] = (np.asarray(place) + along[:, None] * ahead)[:, None]
    points[..., 2] = now.floor_level + _HEIGHTS
    states = now.coverage.state(points.reshape(-1, 3)).reshape(points.shape[:2])
    filled, seen = (states == OCCUPIED).sum(axis=1), (states != UNKNOWN).sum(axis=1)
    walls = (filled >= _LEAST) & (filled >= _WALL * seen)
    if thing is not None:
        walls &= ~((points[:, 0, :2] >= thing[0][:2]) & (points[:, 0, :2] <= thing[1][:2])).all(axis=1)
    return bool(walls.any())


def _corridor_is_free(now: Surroundings, T_world_tool: Matrix) -> bool:
    """Whether nothing was seen where hand and wrist come to be."""
    if now.coverage is None:
        return True
    back = np.arange(*_CORRIDOR)[:, None]
    points = T_world_tool[:3, 3] - back * T_world_tool[:3, 0]
    return not bool((now.coverage.state(points) == OCCUPIED).any())

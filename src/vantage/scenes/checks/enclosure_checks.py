"""Whether each room has a floor, a ceiling at its height, and walls or openings along all its sides."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.checks.placement_fault import PlacementFault
from vantage.scenes.geometry.solids import Solid
from vantage.scenes.spec.outlines import holds, sides
from vantage.scenes.spec.spec import RoomSpec, SceneSpec

Array = NDArray[np.float64]

_STEP = 0.25  # m between places that are looked at
_CORNER = 0.1  # m from the ends of a side that are not looked at, where other walls stand
_BESIDE = 0.04  # m from the edge of a room within which its walls are; those of the next room are farther away
_LEVEL = 0.05  # m by which floors and ceilings may be off
_COVERED = 0.95  # share of a room that its floor and its ceiling cover


def enclosure_faults(spec: SceneSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    """What is missing around the rooms of a scene."""
    holes = [(np.array([opening.low]), np.array([opening.high])) for opening in spec.openings]
    walls = [*_boxes(spec, solids, "wall"), *holes]
    floors = [(_at(low, high), high) for low, high in _boxes(spec, solids, "floor")]
    ceilings = [(low, _at(high, low)) for low, high in _boxes(spec, solids, "ceiling")]
    faults = []
    for room in spec.rooms:
        name = f"room {room.room_id} ({room.label})"
        inner = _inner_points(room)
        words = [
            f"{name} has no wall from ({x0:.2f}, {y0:.2f}) to ({x1:.2f}, {y1:.2f})"
            for (x0, y0), (x1, y1) in sides(room.outline)
            if not _covered(_along((x0, y0), (x1, y1), 0.5 * room.height), walls, _BESIDE).all()
        ]
        if _covered(inner, floors, _LEVEL).mean() < _COVERED:
            words.append(f"{name} has no floor at z = 0, or not everywhere")
        if _covered(np.add(inner, (0.0, 0.0, room.height)), ceilings, _LEVEL).mean() < _COVERED:
            words.append(f"{name} has no ceiling at its height of {room.height:g} m, or not everywhere")
        faults += [PlacementFault("enclosure", 0, 0, message) for message in words]
    return faults


def _boxes(spec: SceneSpec, solids: dict[int, Solid], label: str) -> list[tuple[Array, Array]]:
    """Boxes (P, 3) around the parts of each thing of a class."""
    found = [solids[thing.instance_id] for thing in spec.objects if thing.label == label]
    return [(solid.low, solid.high) for solid in found]


def _at(corners: Array, level: Array) -> Array:
    """Corners (P, 3) moved to the heights of others."""
    return np.column_stack([corners[:, :2], level[:, 2]])


def _covered(points: Array, boxes: list[tuple[Array, Array]], reach: float) -> NDArray[np.bool_]:
    """Which points (N, 3) are within ``reach`` m of a box in every direction."""
    covered = np.zeros(len(points), dtype=np.bool_)
    for low, high in boxes:
        near = (points[:, None] >= low - reach) & (points[:, None] <= high + reach)
        covered |= np.any(near.all(axis=2), axis=1)
    return covered


def _along(start: tuple[float, float], end: tuple[float, float], z: float) -> Array:
    """Points (N, 3) along a side without its ends; its middle where it is short."""
    length = math.dist(start, end)
    margin = min(_CORNER, 0.5 * length) / max(length, _CORNER)
    shares = np.linspace(margin, 1.0 - margin, max(1, math.ceil(length / _STEP)))
    level = np.array([start]) + shares[:, None] * np.subtract(end, start)
    return np.column_stack([level, np.full(len(level), z)])


def _inner_points(room: RoomSpec) -> Array:
    """Points (N, 3) of the floor of a room; a corner of it where it is tiny."""
    corners = np.array(room.outline)
    low, high = corners.min(axis=0), corners.max(axis=0)
    step = max(_STEP, float((high - low).max()) / 100)
    x, y = (np.arange(low[k] + 0.5 * step, high[k], step) for k in (0, 1))
    points = [(a, b, 0.0) for a in x.tolist() for b in y.tolist() if holds(room.outline, a, b)]
    return np.array(points or [(*room.outline[0], 0.0)])

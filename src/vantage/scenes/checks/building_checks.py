"""Whether the rooms, walls and openings of a scene fit together, and what a check of a scene finds.

No room overlaps another; each has a floor, a ceiling at its height, and walls or openings along all its sides; walls
have holes where openings are; doors swing free (those of furniture too; drawers and flaps are not checked).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import EYE_HEIGHT, SHIN_HEIGHT, Outline, Solid, moved, outlines_gap, parted_rooms
from vantage.scenes.spec import (
    Joint,
    ObjectSpec,
    Opening,
    RoomSpec,
    SceneSpec,
    holds,
    object_bounds,
    points_inside,
    polygon,
    sides,
)

Array = NDArray[np.float64]

TOLERANCE = 0.003  # m: what counts as touching, and how far touching objects may enter each other

_STEP = 0.25  # m between places that are looked at
_CORNER = 0.1  # m from the ends of a side that are not looked at, where other walls stand
_BESIDE = 0.04  # m from the edge of a room within which its walls are; those of the next room are farther away
_LEVEL = 0.05  # m by which floors and ceilings may be off
_COVERED = 0.95  # share of a room that its floor and its ceiling cover

_ARC = 8  # corners of the outline that a swinging leaf sweeps


@dataclass(frozen=True)
class PlacementFault:
    """One object that could not be like this.

    Attributes:
        kind: ``overlap``, ``floating``, ``outside``, ``wrong room``, ``not inside``, ``opening``, ``enclosure``,
            ``swing`` or ``unreachable``.
        instance_id: of the object, 0 where it is about a room or an opening.
        other: the id of the second object, 0 when there is none.
        message: the fault in words.
    """

    kind: str
    instance_id: int
    other: int
    message: str


def name_of(obj: ObjectSpec) -> str:
    """How messages call an object."""
    return f"{obj.label} {obj.instance_id}"


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
    """Boxes (P, 3) around the parts of each object of a class."""
    found = [solids[obj.instance_id] for obj in spec.objects if obj.label == label]
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
    within = np.argwhere(points_inside(room.outline, x[:, None], y[None, :]))
    points = np.column_stack([x[within[:, 0]], y[within[:, 1]], np.zeros(len(within))])
    return points if len(points) else np.array([(*room.outline[0], 0.0)])


def building_faults(spec: SceneSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    """Faults of the building of a scene with rooms; none for a scene without."""
    if not spec.rooms:
        return []
    faults = _room_overlaps(spec)
    faults += enclosure_faults(spec, solids)
    faults += _walls_in_rooms(spec, solids)
    for number, opening in enumerate(spec.openings):
        faults += _opening_faults(spec, number, opening, solids)
    for obj in spec.objects:
        if obj.label == "door" or not (obj.parent or obj.is_structure):
            faults += _swing_faults(spec, obj, solids)
    labels = {room.room_id: room.label for room in spec.rooms}
    flying = parted_rooms(spec, EYE_HEIGHT, solids)
    for room_id in flying:
        message = f"nobody gets to room {room_id} ({labels[room_id]}) from the other rooms"
        faults.append(PlacementFault("unreachable", 0, 0, message))
    for room_id in set(parted_rooms(spec, SHIN_HEIGHT, solids)) - set(flying):
        message = f"something low shuts room {room_id} ({labels[room_id]}) off from the other rooms"
        faults.append(PlacementFault("unreachable", 0, 0, message))
    return faults


def overlapping_rooms(rooms: Sequence[RoomSpec]) -> list[tuple[RoomSpec, RoomSpec]]:
    """Pairs of rooms that share more of the floor than touching ones do."""
    areas = [polygon(room.outline).buffer(-TOLERANCE, join_style="mitre") for room in rooms]
    return [
        (room, other)
        for k, room in enumerate(rooms)
        for j, other in enumerate(rooms[:k])
        if areas[k].intersects(areas[j])
    ]


def _room_overlaps(spec: SceneSpec) -> list[PlacementFault]:
    faults = []
    for room, other in overlapping_rooms(spec.rooms):
        message = f"room {room.room_id} ({room.label}) and room {other.room_id} ({other.label}) overlap"
        faults.append(PlacementFault("overlap", 0, 0, message))
    return faults


def _walls_in_rooms(spec: SceneSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    faults = []
    for obj in spec.objects:
        if obj.label != "wall":
            continue
        low, high = solids[obj.instance_id].bounds
        x, y = (0.5 * (low + high)[:2]).tolist()
        for room in spec.rooms:
            if holds(room.outline, x, y):
                message = f"{name_of(obj)} stands in room {room.room_id} ({room.label})"
                faults.append(PlacementFault("overlap", obj.instance_id, 0, message))
    return faults


def _opening_faults(spec: SceneSpec, number: int, opening: Opening, solids: dict[int, Solid]) -> list[PlacementFault]:
    name = f"opening {number} ({opening.kind})"
    low, high = np.array(opening.low), np.array(opening.high)
    across = int(np.argmin((high - low)[:2]))
    middle = 0.5 * (low + high)
    walls = [obj for obj in spec.objects if obj.label == "wall"]
    faults = []
    for wall in walls:
        solid = solids[wall.instance_id]
        shared = np.minimum(solid.high, high) - np.maximum(solid.low, low)
        if (shared > TOLERANCE).all(axis=1).any():
            faults.append(f"{name} is walled up by {name_of(wall)}")
    behind = {0: opening.low[across], 1: opening.high[across]}
    found = set()
    for side, sign in ((0, -1.0), (1, 1.0)):
        spot = middle.copy()
        spot[across] = behind[side] + sign * 0.05
        there = [room.room_id for room in spec.rooms if holds(room.outline, float(spot[0]), float(spot[1]))]
        found.add(there[0] if there else 0)
    if found != set(opening.rooms):
        words = " and ".join(_room_words(spec, room) for room in sorted(found))
        faults.append(f"{name} names the rooms {opening.rooms[0]} and {opening.rooms[1]} and leads between {words}")
    elif not any(_frames(solids[wall.instance_id], low, high) for wall in walls):
        faults.append(f"{name} is in no wall")
    filling = [obj for obj in spec.objects if obj.instance_id == opening.instance]
    for obj in filling:
        box = object_bounds(obj)
        if any(min(box[1][k], high[k]) - max(box[0][k], low[k]) < -TOLERANCE for k in range(3)):
            faults.append(f"{name_of(obj)} is not in {name}, which it fills")
    return [PlacementFault("opening", opening.instance, 0, message) for message in faults]


def _frames(wall: Solid, low: Outline, high: Outline) -> bool:
    """Whether a wall reaches around a hole: the hole is within its bounds, or goes down to the floor."""
    wall_low, wall_high = wall.bounds
    within = ((low >= wall_low - TOLERANCE) | (low <= (-np.inf, -np.inf, TOLERANCE))) & (high <= wall_high + TOLERANCE)
    touching = (low <= wall_high + TOLERANCE) & (high >= wall_low - TOLERANCE)
    return bool(touching.all() and within.sum() >= 2 and within[2])


def _room_words(spec: SceneSpec, room_id: int) -> str:
    return next((f"room {room_id} ({room.label})" for room in spec.rooms if room.room_id == room_id), "the outside")


def _swing_faults(spec: SceneSpec, door: ObjectSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    faults = []
    for joint in door.joints:
        if joint.kind != "hinge" or abs(joint.axis[2]) < 0.99:
            continue
        sweep, bottom, top = _swept(door, joint)
        for obj in spec.objects:
            solid = solids[obj.instance_id]
            low, high = solid.bounds
            apart = (low[:2] > sweep.max(axis=0)).any() or (high[:2] < sweep.min(axis=0)).any()
            if obj.is_structure or apart or obj is door or obj.parent == door.instance_id:
                continue
            at_height = np.flatnonzero((solid.low[:, 2] < top - TOLERANCE) & (solid.high[:, 2] > bottom + TOLERANCE))
            if any(outlines_gap(sweep, solid.outline(int(k))) < -TOLERANCE for k in at_height):
                message = f"{name_of(obj)} is in the way of {name_of(door)}"
                faults.append(PlacementFault("swing", obj.instance_id, door.instance_id, message))
    return faults


def _swept(door: ObjectSpec, joint: Joint) -> tuple[Outline, float, float]:
    """What a leaf sweeps between its ends: the outline of a sector (K, 2), and its bottom and top, m."""
    leaf = [part for part in door.parts if part.name == joint.part]
    position = joint.position
    if any(part.is_turned for part in leaf):
        leaf, position = [moved(part, joint, joint.low - position) for part in leaf], joint.low
    boxes = np.array(
        [(np.subtract(p.center, np.multiply(0.5, p.size)), np.add(p.center, np.multiply(0.5, p.size))) for p in leaf]
    )
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    origin = np.array(joint.origin[:2])
    radius = float(np.max(high[:2] - low[:2]))
    middle = 0.5 * (low + high)[:2] - origin
    now = math.atan2(middle[1], middle[0])
    sign = math.copysign(1.0, joint.axis[2])
    angles = now + sign * (np.linspace(joint.low, joint.high, _ARC) - position)
    arc = origin + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    sector = np.vstack([origin[None], arc if sign > 0 else arc[::-1]])
    c, s = math.cos(door.yaw), math.sin(door.yaw)
    placed: Outline = sector @ np.array([[c, s], [-s, c]]) + door.position[:2]
    return placed, float(low[2] + door.position[2]), float(high[2] + door.position[2])

"""Whether rooms, walls and openings fit together: no room in another, holes where openings are, doors that swing.

Doors of furniture swing too; drawers and flaps are not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vantage.scenes.checks.enclosure_checks import enclosure_faults
from vantage.scenes.checks.placement_fault import TOLERANCE, PlacementFault, name_of
from vantage.scenes.geometry.reachability import EYE_HEIGHT, SHIN_HEIGHT, parted_rooms
from vantage.scenes.geometry.solids import Outline, Solid, outlines_gap
from vantage.scenes.spec.outlines import holds
from vantage.scenes.spec.spec import Joint, ObjectSpec, Opening, RoomSpec, SceneSpec, object_bounds

_ARC = 8  # corners of the outline that a swinging leaf sweeps


def building_faults(spec: SceneSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    """Faults of the building of a scene with rooms; none for a scene without."""
    if not spec.rooms:
        return []
    faults = _room_overlaps(spec)
    faults += enclosure_faults(spec, solids)
    faults += _walls_in_rooms(spec, solids)
    for number, opening in enumerate(spec.openings):
        faults += _opening_faults(spec, number, opening, solids)
    for thing in spec.objects:
        if thing.label == "door" or not (thing.parent or thing.is_structure):
            faults += _swing_faults(spec, thing, solids)
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
    """Pairs of rooms of which one has a corner, or the middle, well within the other."""
    pairs = [(room, other) for k, room in enumerate(rooms) for other in rooms[:k]]
    return [(room, other) for room, other in pairs if _enter(room, other) or _enter(other, room)]


def _room_overlaps(spec: SceneSpec) -> list[PlacementFault]:
    faults = []
    for room, other in overlapping_rooms(spec.rooms):
        message = f"room {room.room_id} ({room.label}) and room {other.room_id} ({other.label}) overlap"
        faults.append(PlacementFault("overlap", 0, 0, message))
    return faults


def _enter(room: RoomSpec, other: RoomSpec) -> bool:
    corners = np.array(room.outline)
    middle = corners.mean(axis=0)
    away = corners - middle
    lengths = np.maximum(np.hypot(*away.T), TOLERANCE)[:, None]
    points = [middle, *(corners - away / lengths * 2 * TOLERANCE), *_edge_middles(corners, middle)]
    return any(holds(other.outline, float(x), float(y)) for x, y in points)


def _edge_middles(corners: Outline, middle: Outline) -> Outline:
    edges = 0.5 * (corners + np.roll(corners, -1, axis=0))
    away = edges - middle
    moved: Outline = edges - away / np.maximum(np.hypot(*away.T), TOLERANCE)[:, None] * 2 * TOLERANCE
    return moved


def _walls_in_rooms(spec: SceneSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    faults = []
    for thing in spec.objects:
        if thing.label != "wall":
            continue
        low, high = solids[thing.instance_id].bounds
        x, y = (0.5 * (low + high)[:2]).tolist()
        for room in spec.rooms:
            if holds(room.outline, x, y):
                message = f"{name_of(thing)} stands in room {room.room_id} ({room.label})"
                faults.append(PlacementFault("overlap", thing.instance_id, 0, message))
    return faults


def _opening_faults(spec: SceneSpec, number: int, opening: Opening, solids: dict[int, Solid]) -> list[PlacementFault]:
    name = f"opening {number} ({opening.kind})"
    low, high = np.array(opening.low), np.array(opening.high)
    across = int(np.argmin((high - low)[:2]))
    middle = 0.5 * (low + high)
    walls = [thing for thing in spec.objects if thing.label == "wall"]
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
        inside = [room.room_id for room in spec.rooms if holds(room.outline, float(spot[0]), float(spot[1]))]
        found.add(inside[0] if inside else 0)
    if found != set(opening.rooms):
        words = " and ".join(_room_words(spec, room) for room in sorted(found))
        faults.append(f"{name} names the rooms {opening.rooms[0]} and {opening.rooms[1]} and leads between {words}")
    elif not any(_frames(solids[wall.instance_id], low, high) for wall in walls):
        faults.append(f"{name} is in no wall")
    filling = [thing for thing in spec.objects if thing.instance_id == opening.instance]
    for thing in filling:
        box = object_bounds(thing)
        if any(min(box[1][k], high[k]) - max(box[0][k], low[k]) < -TOLERANCE for k in range(3)):
            faults.append(f"{name_of(thing)} is not in {name}, which it fills")
    return [PlacementFault("opening", opening.instance, 0, message) for message in faults]


def _frames(wall: Solid, low: Outline, high: Outline) -> bool:
    """Whether a wall reaches around a hole: the hole is within its bounds."""
    wall_low, wall_high = wall.bounds
    inside = (low >= wall_low - TOLERANCE) & (high <= wall_high + TOLERANCE)
    touching = (low <= wall_high + TOLERANCE) & (high >= wall_low - TOLERANCE)
    return bool(touching.all() and inside.sum() >= 2 and inside[2])


def _room_words(spec: SceneSpec, room_id: int) -> str:
    return next((f"room {room_id} ({room.label})" for room in spec.rooms if room.room_id == room_id), "the outside")


def _swing_faults(spec: SceneSpec, door: ObjectSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    faults = []
    for joint in door.joints:
        if joint.kind != "hinge" or abs(joint.axis[2]) < 0.99:
            continue
        sweep, bottom, top = _swept(door, joint)
        for thing in spec.objects:
            solid = solids[thing.instance_id]
            low, high = solid.bounds
            apart = (low[:2] > sweep.max(axis=0)).any() or (high[:2] < sweep.min(axis=0)).any()
            if thing.is_structure or apart or thing is door or thing.parent == door.instance_id:
                continue
            at_height = np.flatnonzero((solid.low[:, 2] < top - TOLERANCE) & (solid.high[:, 2] > bottom + TOLERANCE))
            if any(outlines_gap(sweep, solid.outline(int(k))) < -TOLERANCE for k in at_height):
                message = f"{name_of(thing)} is in the way of {name_of(door)}"
                faults.append(PlacementFault("swing", thing.instance_id, door.instance_id, message))
    return faults


def _swept(door: ObjectSpec, joint: Joint) -> tuple[Outline, float, float]:
    """What a leaf sweeps between its ends: the outline of a sector (K, 2), and its bottom and top, m."""
    leaf = [part for part in door.parts if part.name == joint.part]
    boxes = np.array(
        [(np.subtract(p.center, np.multiply(0.5, p.size)), np.add(p.center, np.multiply(0.5, p.size))) for p in leaf]
    )
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    origin = np.array(joint.origin[:2])
    radius = float(np.max(high[:2] - low[:2]))
    middle = 0.5 * (low + high)[:2] - origin
    now = math.atan2(middle[1], middle[0])
    sign = math.copysign(1.0, joint.axis[2])
    angles = now + sign * (np.linspace(joint.low, joint.high, _ARC) - joint.position)
    arc = origin + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    sector = np.vstack([origin[None], arc if sign > 0 else arc[::-1]])
    c, s = math.cos(door.yaw), math.sin(door.yaw)
    placed: Outline = sector @ np.array([[c, s], [-s, c]]) + door.position[:2]
    return placed, float(low[2] + door.position[2]), float(high[2] + door.position[2])

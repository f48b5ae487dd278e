"""Whether a scene could stand like this: nothing floats, nothing is inside another object, people get around."""

from __future__ import annotations

import math

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.catalog import FIXTURES, labels
from vantage.scenes.checks.building_checks import TOLERANCE, PlacementFault, building_faults, name_of
from vantage.scenes.geometry import Array, Solid
from vantage.scenes.spec import ObjectSpec, RoomSpec, SceneSpec, holds

_STANDING = frozenset(labels()) - {entry.label for entry in FIXTURES} - {"clock", "towel", "television"}
_POST = 0.3  # m: what walls share where they meet
_FRAME = 0.15  # m: how far what fills an opening may reach through the wall


def check_placement(spec: SceneSpec) -> tuple[PlacementFault, ...]:
    """All objects that enter each other, float, leave their room or stick out of what they are said to be in.

    In a scene with rooms also walls and rooms in each other, rooms without floor, ceiling or a wall, openings that are
    no holes between the rooms they name, doors of rooms and of furniture that cannot swing, and rooms that neither the
    camera nor somebody on foot gets to.
    """
    solids = {obj.instance_id: Solid.of(obj) for obj in spec.objects}
    objects = {obj.instance_id: obj for obj in spec.objects}
    faults = _overlaps(spec, solids)
    rooms = {room.room_id: room for room in spec.rooms}
    for obj in spec.objects:
        if not obj.is_structure:
            faults += _rest_faults(obj, objects, solids)
            faults += _place_faults(obj, spec, rooms, solids)
    return (*faults, *building_faults(spec, solids))


def require_placement(spec: SceneSpec) -> None:
    """Make sure that a scene could stand like this.

    Raises:
        SceneError: names the first fault and how many there are.
    """
    faults = check_placement(spec)
    if faults:
        raise SceneError(f"scene '{spec.name}' has {len(faults)} impossible placements; first: {faults[0].message}")


def _overlaps(spec: SceneSpec, solids: dict[int, Solid]) -> list[PlacementFault]:
    bounds = np.array([solids[obj.instance_id].bounds for obj in spec.objects]).reshape(-1, 2, 3)
    faults = []
    for k, obj in enumerate(spec.objects):
        near = ((bounds[k, 0] < bounds[:k, 1] - TOLERANCE) & (bounds[k, 1] > bounds[:k, 0] + TOLERANCE)).all(axis=1)
        for j in np.flatnonzero(near):
            other = spec.objects[int(j)]
            if obj.is_structure and other.is_structure and _meet_in_a_corner(bounds[k], bounds[j]):
                continue
            nested = _nested(obj, other) or _nested(other, obj)
            if solids[obj.instance_id].enters(solids[other.instance_id], TOLERANCE, nested):
                message = f"{name_of(obj)} and {name_of(other)} enter each other"
                faults.append(PlacementFault("overlap", obj.instance_id, other.instance_id, message))
    return faults


def _meet_in_a_corner(first: Array, second: Array) -> bool:
    """Whether two walls, by their boxes (2, 3), share no more than the post of a corner."""
    shared = np.minimum(first[1], second[1]) - np.maximum(first[0], second[0])
    return bool(shared[:2].max() <= _POST)


def _nested(inner: ObjectSpec, outer: ObjectSpec) -> bool:
    return inner.relation == "in" and inner.parent == outer.instance_id


def _rest_faults(obj: ObjectSpec, objects: dict[int, ObjectSpec], solids: dict[int, Solid]) -> list[PlacementFault]:
    own = solids[obj.instance_id]
    low, high = own.bounds
    parent = objects.get(obj.parent)
    if parent is None:
        if abs(low[2]) > TOLERANCE:
            message = f"{name_of(obj)} has its base at z = {low[2]:.3f} m and nothing under it"
            return [PlacementFault("floating", obj.instance_id, 0, message)]
        return []
    holder = solids[parent.instance_id]
    if parent.is_structure:
        if not own.enters(holder, -TOLERANCE):
            message = f"{name_of(obj)} does not touch {name_of(parent)}"
            return [PlacementFault("floating", obj.instance_id, parent.instance_id, message)]
        if parent.label == "wall" and abs(low[2]) > TOLERANCE and obj.label in _STANDING:
            message = f"{name_of(obj)} hangs on {name_of(parent)}, which such a thing does not"
            return [PlacementFault("floating", obj.instance_id, parent.instance_id, message)]
        return []
    faults = []
    if not own.rests_on(holder, TOLERANCE):
        message = f"{name_of(obj)} does not rest entirely on a level part of {name_of(parent)}"
        faults.append(PlacementFault("floating", obj.instance_id, parent.instance_id, message))
    if obj.relation == "in":
        outer_low, outer_high = holder.bounds
        inside = (low[:2] >= outer_low[:2] - TOLERANCE).all() and (high[:2] <= outer_high[:2] + TOLERANCE).all()
        inside = bool(inside) and outer_low[2] - TOLERANCE <= low[2] < outer_high[2]
        if not inside or ("closed" in parent.states and high[2] > outer_high[2]):
            message = f"{name_of(obj)} sticks out of {name_of(parent)}"
            faults.append(PlacementFault("not inside", obj.instance_id, parent.instance_id, message))
    return faults


def _place_faults(
    obj: ObjectSpec, spec: SceneSpec, rooms: dict[int, RoomSpec], solids: dict[int, Solid]
) -> list[PlacementFault]:
    """Whether it is in the room that it says, or in a scene without rooms within the bounds."""
    filling = any(opening.instance == obj.instance_id for opening in spec.openings)
    low, high = solids[obj.instance_id].bounds
    if spec.rooms and not filling:
        middle = 0.5 * (low + high)
        actual = [room for room in spec.rooms if holds(room.outline, float(middle[0]), float(middle[1]))]
        if obj.room and obj.room not in [room.room_id for room in actual]:
            where = f"room {actual[0].room_id} ({actual[0].label})" if actual else "no room"
            message = f"{name_of(obj)} says that it is in room {obj.room} and stands in {where}"
            return [PlacementFault("wrong room", obj.instance_id, 0, message)]
        corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
        inner = middle[:2] + (corners - middle[:2]) * np.maximum(
            1.0 - TOLERANCE / np.maximum(0.5 * (high - low)[:2], TOLERANCE), 0.0
        )
        around = rooms.get(obj.room) or (actual[0] if actual else None)
        if around is None or not all(holds(around.outline, float(x), float(y)) for x, y in inner):
            where = f"room {around.room_id} ({around.label})" if around else "all rooms"
            return [PlacementFault("outside", obj.instance_id, 0, f"{name_of(obj)} reaches out of {where}")]
    beyond = max(float(max(spec.bounds_min[k] - low[k], high[k] - spec.bounds_max[k])) for k in range(3))
    if beyond <= (TOLERANCE if not filling else _FRAME) and math.isfinite(beyond):
        return []
    message = f"{name_of(obj)} reaches {beyond:.3f} m beyond the bounds of the scene"
    return [PlacementFault("outside", obj.instance_id, 0, message)]

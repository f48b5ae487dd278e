"""Whether a scene could stand like this: nothing floats, nothing is inside another thing, people get around."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.solids import Outline, Prism, contains, object_prisms, overlap
from vantage.scenes.spec import ObjectSpec, SceneSpec, object_bounds

TOLERANCE = 0.003  # m: what counts as touching, and how far touching things may enter each other


@dataclass(frozen=True)
class PlacementFault:
    """One thing that could not be like this.

    Attributes:
        kind: ``overlap``, ``floating``, ``outside`` or ``not inside``.
        instance_id: of the thing.
        other: the id of the second thing, 0 when there is none.
        message: the fault in words.
    """

    kind: str
    instance_id: int
    other: int
    message: str


def check_placement(spec: SceneSpec) -> tuple[PlacementFault, ...]:
    """All things that enter each other, float, leave the room or stick out of what they are said to be in."""
    solids = {thing.instance_id: object_prisms(thing) for thing in spec.objects}
    things = {thing.instance_id: thing for thing in spec.objects}
    faults = _overlaps(spec, solids)
    for thing in spec.objects:
        if not thing.is_structure:
            faults += _rest_faults(thing, things, solids)
            faults += _room_faults(thing, spec)
    return tuple(faults)


def require_placement(spec: SceneSpec) -> None:
    """Make sure that nothing floats and nothing enters another thing.

    Raises:
        SceneError: names the first fault and how many there are.
    """
    faults = check_placement(spec)
    if faults:
        raise SceneError(f"scene '{spec.name}' has {len(faults)} impossible placements; first: {faults[0].message}")


def entering(prisms: list[Prism], others: list[Prism], nested: bool = False) -> bool:
    """Whether two things enter each other; a ``nested`` one may be within the hollow parts of the other."""
    return any(
        overlap(one, other, TOLERANCE)
        for one in prisms
        for other in others
        if not (nested and (one.hollow or other.hollow))
    )


def free_floor(spec: SceneSpec, z: float, radius: float, step: float = 0.05) -> float:
    """Share (0..1) of the floor above which a sphere of a radius fits, centred at height z (m).

    Things count with the boxes around their parts, so the share is on the safe side.
    """
    xs = np.arange(spec.bounds_min[0] + 0.5 * step, spec.bounds_max[0], step)
    ys = np.arange(spec.bounds_min[1] + 0.5 * step, spec.bounds_max[1], step)
    x, y = np.meshgrid(xs, ys, indexing="ij")
    free = (
        (x >= spec.bounds_min[0] + radius)
        & (x <= spec.bounds_max[0] - radius)
        & (y >= spec.bounds_min[1] + radius)
        & (y <= spec.bounds_max[1] - radius)
    )
    for thing in spec.objects:
        if thing.is_structure:
            continue
        for prism in object_prisms(thing):
            gap = max(prism.bottom - z, z - prism.top, 0.0)
            if gap < radius:
                low, high = prism.outline.min(axis=0), prism.outline.max(axis=0)
                dx = np.maximum(np.maximum(low[0] - x, x - high[0]), 0.0)
                dy = np.maximum(np.maximum(low[1] - y, y - high[1]), 0.0)
                free &= dx**2 + dy**2 > radius**2 - gap**2
    return float(free.mean())


def _overlaps(spec: SceneSpec, solids: dict[int, list[Prism]]) -> list[PlacementFault]:
    boxes = [object_bounds(thing) for thing in spec.objects]
    low = np.array([box[0] for box in boxes])
    high = np.array([box[1] for box in boxes])
    faults = []
    for k, thing in enumerate(spec.objects):
        near = np.all((low[k] < high - TOLERANCE) & (high[k] > low + TOLERANCE), axis=1)
        for other in (spec.objects[int(j)] for j in np.flatnonzero(near[:k])):
            if thing.is_structure and other.is_structure:
                continue
            nested = _nested(thing, other) or _nested(other, thing)
            if entering(solids[thing.instance_id], solids[other.instance_id], nested):
                faults.append(
                    PlacementFault(
                        "overlap",
                        thing.instance_id,
                        other.instance_id,
                        f"{_name(thing)} and {_name(other)} enter each other",
                    )
                )
    return faults


def _nested(inner: ObjectSpec, outer: ObjectSpec) -> bool:
    return inner.relation == "in" and inner.parent == outer.instance_id


def _name(thing: ObjectSpec) -> str:
    return f"{thing.label} {thing.instance_id}"


def _rest_faults(
    thing: ObjectSpec, things: dict[int, ObjectSpec], solids: dict[int, list[Prism]]
) -> list[PlacementFault]:
    prisms = solids[thing.instance_id]
    bottom = min(prism.bottom for prism in prisms)
    parent = things.get(thing.parent)
    if parent is None:
        if abs(bottom) > TOLERANCE:
            message = f"{_name(thing)} has its base at z = {bottom:.3f} m and nothing under it"
            return [PlacementFault("floating", thing.instance_id, 0, message)]
        return []
    if parent.is_structure:
        if not _touches(prisms, solids[parent.instance_id]):
            message = f"{_name(thing)} does not touch {_name(parent)}"
            return [PlacementFault("floating", thing.instance_id, parent.instance_id, message)]
        return []
    faults = []
    feet = [prism for prism in prisms if prism.bottom - bottom <= TOLERANCE]
    supports = [
        prism for prism in solids[parent.instance_id] if abs(prism.top - bottom) <= TOLERANCE and not prism.hollow
    ]
    if not any(all(contains(under.outline, foot.outline, TOLERANCE) for foot in feet) for under in supports):
        message = f"{_name(thing)} does not rest entirely on a level part of {_name(parent)}"
        faults.append(PlacementFault("floating", thing.instance_id, parent.instance_id, message))
    if thing.relation == "in":
        low, high = object_bounds(thing)
        outer_low, outer_high = object_bounds(parent)
        closed = "closed" in parent.states
        inside = all(low[k] >= outer_low[k] - TOLERANCE and high[k] <= outer_high[k] + TOLERANCE for k in range(2))
        inside = inside and low[2] >= outer_low[2] - TOLERANCE
        if not inside or (closed and high[2] > outer_high[2]) or low[2] >= outer_high[2]:
            message = f"{_name(thing)} sticks out of {_name(parent)}"
            faults.append(PlacementFault("not inside", thing.instance_id, parent.instance_id, message))
    return faults


def _touches(prisms: list[Prism], others: list[Prism]) -> bool:
    margin = TOLERANCE
    grown = [Prism(_grow(prism.outline, margin), prism.bottom - margin, prism.top + margin) for prism in prisms]
    return any(overlap(one, other, 0.0) for one in grown for other in others)


def _grow(outline: Outline, margin: float) -> Outline:
    grown: Outline = outline + np.sign(outline - outline.mean(axis=0)) * margin
    return grown


def _room_faults(thing: ObjectSpec, spec: SceneSpec) -> list[PlacementFault]:
    low, high = object_bounds(thing)
    outside = max(
        max(spec.bounds_min[k] - low[k], high[k] - spec.bounds_max[k]) if math.isfinite(low[k]) else math.inf
        for k in range(3)
    )
    if outside <= TOLERANCE:
        return []
    message = f"{_name(thing)} reaches {outside:.3f} m beyond the room"
    return [PlacementFault("outside", thing.instance_id, 0, message)]

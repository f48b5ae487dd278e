"""Small shifts of what stands on or in something, so that it neither enters anything nor sticks out over an edge.

The shapes of imported assets are the catalogue's, so that where the house has a seat, theirs may have an arm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vantage.scenes.checks import TOLERANCE
from vantage.scenes.geometry import Shape, Solid, supports
from vantage.scenes.spec import ObjectSpec, SceneSpec

_STEP = 0.04  # m, of shifts
_STEPS = 4  # of them at most to each side
_RISE = 0.30  # m by which something is lifted at most
_SINK = 0.05  # m by which it is lowered at most


def nudged(spec: SceneSpec) -> SceneSpec:
    """The scene with the objects on and in others where they fit, of those that do so within 16 cm.

    Args:
        spec: with relations and parents; those of what is moved, and of what is on it, are found anew.
    """
    objects = {obj.instance_id: obj for obj in spec.objects}
    solids = {obj.instance_id: Solid.of(obj) for obj in spec.objects}
    carried: dict[int, list[int]] = {}
    for obj in spec.objects:
        carried.setdefault(obj.parent, []).append(obj.instance_id)
    moved = False
    for obj in sorted(spec.objects, key=lambda obj: (float(solids[obj.instance_id].bounds[0][2]), obj.instance_id)):
        parent = objects.get(obj.parent)
        if obj.is_structure or parent is None or parent.is_structure:
            continue
        load = _load(obj.instance_id, carried)
        shift = _shift(objects[obj.instance_id], parent, solids, load)
        if shift is None or not any(shift):
            continue
        moved = True
        for number in load:
            x, y, z = (round(a + b, 6) for a, b in zip(objects[number].position, shift, strict=True))
            objects[number] = replace(objects[number], position=(x, y, z))
            solids[number] = Solid.of(objects[number])
    if not moved:
        return spec
    shifted = replace(spec, objects=tuple(objects.values()))
    placed = supports(shifted)
    related = (
        replace(obj, relation=placed[obj.instance_id][0], parent=placed[obj.instance_id][1]) for obj in shifted.objects
    )
    return replace(shifted, objects=tuple(related))


def _load(number: int, carried: dict[int, list[int]]) -> list[int]:
    """An object and all that is on or in it."""
    found = [number]
    for each in found:
        found += carried.get(each, [])
    return found


def _shift(
    obj: ObjectSpec, parent: ObjectSpec, solids: dict[int, Solid], load: Sequence[int]
) -> tuple[float, float, float] | None:
    """The shortest shift (m) after which an object fits; None where there is none."""
    own, holder = solids[obj.instance_id], solids[parent.instance_id]
    shape = Shape.of(obj.parts)
    reach = _STEP * _STEPS
    low, high = own.bounds[0] - (reach, reach, _SINK), own.bounds[1] + (reach, reach, _RISE)
    near = [
        (solid, number == parent.instance_id and obj.relation == "in")
        for number, solid in solids.items()
        if number not in load and (solid.bounds[0] < high).all() and (solid.bounds[1] > low).all()
    ]
    for shift in _shifts(own, holder, parent.yaw):
        x, y, z = (a + b for a, b in zip(obj.position, shift, strict=True))
        there = shape.placed((x, y, z), obj.yaw)
        if there.rests_on(holder, TOLERANCE) and not any(
            there.enters(other, TOLERANCE, nested) for other, nested in near
        ):
            return shift
    return None


def _shifts(own: Solid, holder: Solid, yaw: float) -> Iterator[tuple[float, float, float]]:
    """Shifts along the sides of what carries an object, and to its level faces, the shortest first."""
    base = float(own.bounds[0][2])
    rises = {0.0} | {float(top) - base for top in holder.high[:, 2] if -_SINK <= top - base <= _RISE}
    c, s = math.cos(yaw), math.sin(yaw)
    steps = _STEP * np.arange(-_STEPS, _STEPS + 1)
    found = [(float(c * a - s * b), float(s * a + c * b), rise) for a in steps for b in steps for rise in rises]
    yield from sorted(found, key=lambda shift: (round(math.hypot(*shift), 4), shift))

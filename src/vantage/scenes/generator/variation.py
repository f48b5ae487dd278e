"""The same home with other masses and sizes of what can be picked up, so that nobody learns them by heart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from vantage.scenes.checks import check_placement
from vantage.scenes.geometry import Design, Solid, known_masses, scaled, supports
from vantage.scenes.spec import ObjectSpec, SceneSpec
from vantage.types import Point

HEAVIEST = 5.0  # kg: what is lighter can be picked up

_MASS = (0.5, 1.5)  # factors of the mass
_SIZE = (0.8, 1.0)  # factors of the size
_LIGHTEST = 0.001  # kg
_GRAM = 0.001  # kg
_FLAT = 0.03  # m: what is no higher lies on the floor for others to stand on
_LEVEL = 0.003  # m
_ROUNDS = 50  # in which sizes are given up that do not fit


@dataclass(frozen=True)
class _Seat:
    """Where a varied object is put: how much smaller it is, and its place, m."""

    factor: float
    position: Point


def varied(home: SceneSpec, seed: int) -> SceneSpec:
    """A home whose light things weigh 0.5 to 1.5 times and measure 0.8 to 1.0 times what they did.

    Light is what stands, lies or is in something and weighs less than 5 kg, and so it stays. Things shrink about the
    middle of their base. What they carry is seated anew: it moves with the face that it rests on and is never larger,
    against what it was, than what carries it. Where a thing would then float, enter another one or rest on something
    else, it keeps its size. Objects of unknown mass get an estimate first.

    Args:
        seed: of the variation; the same home and seed give the same result.
    """
    home = known_masses(home)
    rng = np.random.default_rng([seed, home.seed])
    draws = {obj.instance_id: (float(rng.uniform(*_MASS)), float(rng.uniform(*_SIZE))) for obj in home.objects}
    light = {obj.instance_id for obj in home.objects if can_be_picked_up(obj, home)}
    sizes = {instance: draws[instance][1] for instance in light if _may_shrink(instance, home)}
    before = _complaints(home)
    resting = supports(home)
    for _ in range(_ROUNDS):
        found = _resized(home, sizes)
        wrong = _misplaced(found, before, resting) & set(sizes)
        if not wrong:
            break
        for instance in wrong:
            del sizes[instance]
    else:
        found = home
    weights = {instance: draws[instance][0] for instance in light}
    return replace(found, objects=tuple(_weighed(obj, weights.get(obj.instance_id)) for obj in found.objects))


def can_be_picked_up(obj: ObjectSpec, home: SceneSpec) -> bool:
    """Whether an object weighs less than 5 kg and neither belongs to the building nor hangs on it."""
    return 0.0 < obj.mass < HEAVIEST and is_loose(obj, home)


def is_loose(obj: ObjectSpec, home: SceneSpec) -> bool:
    """Whether an object, however heavy, neither belongs to the building nor hangs on it."""
    if obj.is_structure or any(opening.instance == obj.instance_id for opening in home.openings):
        return False
    holder = next((other for other in home.objects if other.instance_id == obj.parent), None)
    return holder is None or holder.label == "floor" or (not holder.is_structure and _stands_on(obj, holder))


def _stands_on(obj: ObjectSpec, holder: ObjectSpec) -> bool:
    """Whether a face of the holder is level with its base; other things hang on their holder."""
    base, under = Solid.of(obj).bounds[0, 2], Solid.of(holder)
    faces = np.concatenate([under.high[:, 2], under.low[:, 2]])
    return bool((np.abs(faces - base) <= _LEVEL).any())


def _may_shrink(instance: int, home: SceneSpec) -> bool:
    """Not rugs and mats, which heavy things stand on too, and nothing that carries what cannot be picked up."""
    obj = next(each for each in home.objects if each.instance_id == instance)
    low, high = Solid.of(obj).bounds
    if not obj.parent and high[2] - low[2] <= _FLAT:
        return False
    return all(can_be_picked_up(child, home) for child in home.objects if child.parent == instance)


def _resized(home: SceneSpec, sizes: Mapping[int, float]) -> SceneSpec:
    """The home with objects scaled, each with what it carries; an object is never larger than its holder became."""
    objects = {obj.instance_id: obj for obj in home.objects}
    seats: dict[int, _Seat] = {}
    for obj in _from_the_ground(home):
        holder = objects.get(obj.parent)
        seat = seats.get(obj.parent)
        factor = sizes.get(obj.instance_id, 1.0)
        position = obj.position
        if holder is not None and seat is not None:
            if obj.instance_id in sizes:
                factor = min(factor, seat.factor)
            position = _carried(obj, holder, seat)
        if factor != 1.0 or position != obj.position:
            seats[obj.instance_id] = _Seat(factor, _lowered(obj, position, factor))
    return replace(home, objects=tuple(_seated(obj, seats.get(obj.instance_id)) for obj in home.objects))


def _from_the_ground(home: SceneSpec) -> Iterator[ObjectSpec]:
    """What carries before what is carried."""
    waiting = {obj.instance_id: obj for obj in home.objects}
    while waiting:
        for obj in [obj for obj in waiting.values() if obj.parent not in waiting]:
            yield waiting.pop(obj.instance_id)


def _base(obj: ObjectSpec) -> float:
    """Height of its lowest point above its origin, m."""
    return float(Solid.of(obj).bounds[0, 2]) - obj.position[2]


def _carried(obj: ObjectSpec, holder: ObjectSpec, seat: _Seat) -> Point:
    """Where the origin of an object goes whose base stays on the same spot of a holder that was scaled and moved."""
    base = _base(obj)
    x, y, z = (
        there + seat.factor * (own - origin)
        for there, own, origin in zip(
            seat.position, (*obj.position[:2], obj.position[2] + base), holder.position, strict=True
        )
    )
    return x, y, z - base


def _lowered(obj: ObjectSpec, position: Point, factor: float) -> Point:
    """A place of its origin at which the base of an object stays when it is scaled about that origin."""
    x, y, z = position
    return x, y, z + (1.0 - factor) * _base(obj)


def _seated(obj: ObjectSpec, seat: _Seat | None) -> ObjectSpec:
    if seat is None:
        return obj
    smaller = scaled(Design(obj.parts, (), obj.joints), seat.factor)
    parts = tuple(replace(part, center=_trim(part.center), size=_trim(part.size)) for part in smaller.parts)
    joints = obj.joints if seat.factor == 1.0 else smaller.joints
    return replace(obj, parts=parts, joints=joints, position=_trim(seat.position))


def _weighed(obj: ObjectSpec, factor: float | None) -> ObjectSpec:
    if factor is None:
        return obj
    mass = min(max(round(factor * obj.mass, 3), _LIGHTEST), HEAVIEST - _GRAM)
    return replace(obj, mass=mass)


def _misplaced(home: SceneSpec, before: set[tuple[str, int, int]], resting: Mapping[int, tuple[str, int]]) -> set[int]:
    """Objects whose sizes are to blame for what is wrong now and was not before."""
    blamed: set[int] = set()
    for _, first, second in _complaints(home) - before:
        blamed |= {first, second}
    now = supports(home)
    for instance, was in resting.items():
        if now[instance] != was:
            blamed |= {instance, was[1], now[instance][1]}
    holders = {obj.instance_id: obj.parent for obj in home.objects}
    for instance in tuple(blamed):
        while holders.get(instance):
            instance = holders[instance]
            blamed.add(instance)
    return blamed


def _complaints(home: SceneSpec) -> set[tuple[str, int, int]]:
    return {(fault.kind, fault.instance_id, fault.other) for fault in check_placement(home)}


def _trim(values: Point) -> Point:
    x, y, z = (round(value, 6) + 0.0 for value in values)
    return x, y, z

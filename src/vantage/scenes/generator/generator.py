"""Furnished homes of 1 to 10 rooms from a seed: the same seed gives the same specification, byte for byte."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.checks import check_placement
from vantage.scenes.generator.building import raise_building
from vantage.scenes.generator.floor_plan import plan_rooms
from vantage.scenes.generator.furnishing import furnish
from vantage.scenes.generator.home_layout import MAX_ROOMS, MIN_ROOMS, USUAL_LAYOUT, HomeLayout
from vantage.scenes.generator.opening_plan import plan_openings
from vantage.scenes.generator.placement import Home, Room
from vantage.scenes.generator.planned_rooms import PlannedRoom
from vantage.scenes.generator.prints import with_prints
from vantage.scenes.generator.small_object_placement import stock
from vantage.scenes.geometry import BODY_RADIUS, EYE_HEIGHT, free_floor
from vantage.scenes.spec import RoomSpec, SceneSpec

GENERATOR_VERSION = 2

MIN_CLASSES = 20
MIN_UNIQUE = 8
MIN_FREE_FLOOR = 0.5

_ATTEMPTS = 40


def generate_home(seed: int, rooms: int = 1, name: str | None = None, layout: HomeLayout = USUAL_LAYOUT) -> SceneSpec:
    """A furnished home around the origin, its floors at z = 0.

    It has at least 20 classes of objects, 8 or more of them with a single member, and an open and a closed container
    with objects inside. Nothing floats or enters another object, closed doors and lids have space to open, and a sphere
    of 0.15 m gets from every room to every other one, at the height of a camera and near the floor.

    Args:
        seed: not negative.
        rooms: how many, 1 to 10.
        name: of the scene; ``home_<seed>`` when none is given.
        layout: how large its rooms are and how they lie to each other.

    Raises:
        SceneError: the seed is negative or there is no home of so many rooms.
    """
    if seed < 0:
        raise SceneError(f"a home cannot be generated from the seed {seed}; give a whole number from 0")
    if not MIN_ROOMS <= rooms <= MAX_ROOMS:
        raise SceneError(f"a home cannot have {rooms} rooms; give a number from {MIN_ROOMS} to {MAX_ROOMS}")
    name = name or f"home_{seed}"
    rng = np.random.default_rng([GENERATOR_VERSION, rooms, seed])
    for _ in range(_ATTEMPTS):
        spec = _attempt(rng, seed, rooms, name, layout)
        if spec is not None and not shortcomings(spec):
            return spec if layout.prints == "usual" else with_prints(spec)
    raise SceneError(f"no home could be furnished from the seed {seed} in {_ATTEMPTS} attempts; choose another seed")


def shortcomings(spec: SceneSpec) -> tuple[str, ...]:
    """In words, what keeps a home from being a good one; empty for every generated home."""
    items = [obj for obj in spec.objects if not obj.is_structure]
    counts = Counter(obj.label for obj in items)
    unique = sum(count == 1 for count in counts.values())
    found = []
    if len(counts) < MIN_CLASSES:
        found.append(f"only {len(counts)} classes of things")
    if unique < MIN_UNIQUE:
        found.append(f"only {unique} things that are the only ones of their class")
    inside = {obj.parent for obj in items if obj.relation == "in"}
    for state in ("open", "closed"):
        if not any(obj.instance_id in inside and state in obj.states for obj in items):
            found.append(f"nothing in any {state} container")
    free = free_floor(spec, EYE_HEIGHT, BODY_RADIUS)
    if free < MIN_FREE_FLOOR:
        found.append(f"only {100 * free:.0f} % of the floor free at {EYE_HEIGHT} m")
    return (*found, *(fault.message for fault in check_placement(spec)))


def _attempt(rng: np.random.Generator, seed: int, rooms: int, name: str, layout: HomeLayout) -> SceneSpec | None:
    form = layout.form(rng)
    plan = plan_rooms(rng, rooms, form)
    planned = plan_openings(rng, plan, form.open_plan) if plan is not None else None
    if plan is None or planned is None:
        return None
    home = Home(rng)
    openings = raise_building(home, plan, planned)
    if not all(furnish(room) for room in home.rooms):
        return None
    stock(home)
    corners = np.array([(room.low, room.high) for room in home.rooms])
    (x0, y0, z0), (x1, y1, z1) = corners[:, 0].min(axis=0).tolist(), corners[:, 1].max(axis=0).tolist()
    outlines = tuple(_outline(room, each) for room, each in zip(home.rooms, plan, strict=True))
    objects = tuple(home.objects)
    return SceneSpec(name, seed, GENERATOR_VERSION, (x0, y0, z0), (x1, y1, z1), objects, outlines, openings)


def _outline(room: Room, planned: PlannedRoom) -> RoomSpec:
    return RoomSpec(room.room_id, room.label, planned.outline, room.high[2])

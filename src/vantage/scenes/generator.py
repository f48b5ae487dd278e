"""Small furnished rooms from a seed: the same seed gives the same specification, byte for byte."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.building import raise_building
from vantage.scenes.checks import check_placement, free_floor
from vantage.scenes.furnishing import furnish
from vantage.scenes.placing import Room
from vantage.scenes.spec import SceneSpec
from vantage.scenes.stocking import stock

GENERATOR_VERSION = 1

EYE_HEIGHT = 1.2  # m, at which the camera moves about
BODY_RADIUS = 0.15  # m
MIN_CLASSES = 20
MIN_UNIQUE = 8
MIN_FREE_FLOOR = 0.55

_ATTEMPTS = 40


def generate_room(seed: int, name: str | None = None) -> SceneSpec:
    """A furnished room of about 5 x 4 x 2.6 m whose middle is the origin.

    It has at least 20 classes of things, 8 or more of them with a single member, groups to count, an open container
    and closed ones with things inside; nothing floats or enters another thing, and above 55 % of the floor a sphere
    of 0.15 m fits at 1.2 m.

    Args:
        seed: not negative.
        name: of the scene; ``room_<seed>`` when none is given.

    Raises:
        SceneError: the seed is negative.
    """
    if seed < 0:
        raise SceneError(f"a room cannot be generated from the seed {seed}; give a whole number from 0")
    name = name or f"room_{seed}"
    rng = np.random.default_rng([GENERATOR_VERSION, seed])
    for _ in range(_ATTEMPTS):
        spec = _attempt(rng, seed, name)
        if spec is not None and not shortcomings(spec):
            return spec
    raise SceneError(f"no room could be furnished from the seed {seed} in {_ATTEMPTS} attempts; choose another seed")


def shortcomings(spec: SceneSpec) -> tuple[str, ...]:
    """In words, what keeps a room from being a good one; empty for every generated room."""
    things = [thing for thing in spec.objects if not thing.is_structure]
    counts = Counter(thing.label for thing in things)
    unique = sum(count == 1 for count in counts.values())
    found = []
    if len(counts) < MIN_CLASSES:
        found.append(f"only {len(counts)} classes of things")
    if unique < MIN_UNIQUE:
        found.append(f"only {unique} things that are the only ones of their class")
    inside = {thing.parent for thing in things if thing.relation == "in"}
    for state in ("open", "closed"):
        if not any(thing.instance_id in inside and state in thing.states for thing in things):
            found.append(f"nothing in any {state} container")
    free = free_floor(spec, EYE_HEIGHT, BODY_RADIUS)
    if free < MIN_FREE_FLOOR:
        found.append(f"only {100 * free:.0f} % of the floor free at {EYE_HEIGHT} m")
    return (*found, *(fault.message for fault in check_placement(spec)))


def _attempt(rng: np.random.Generator, seed: int, name: str) -> SceneSpec | None:
    width = round(float(rng.uniform(4.8, 5.4)), 2)
    depth = round(float(rng.uniform(4.0, 4.5)), 2)
    height = 2.6
    room = Room(rng, (-0.5 * width, -0.5 * depth, 0.0), (0.5 * width, 0.5 * depth, height))
    raise_building(room)
    if not furnish(room):
        return None
    stock(room)
    return SceneSpec(name, seed, GENERATOR_VERSION, room.bounds_min, room.bounds_max, tuple(room.objects))

"""A room of 5 m x 5 m for a robot with an arm: things on a table, a cabinet with a drawer, a fridge with a door."""

from __future__ import annotations

import math

from vantage.scenes.spec.spec import Joint, ObjectSpec, Part, RoomSpec, SceneSpec

FLOOR, TABLE, CABINET, FRIDGE = 1, 6, 7, 8
BLOCK, MUG, BOOK, CARTON = 10, 11, 12, 13
MASSES = {BLOCK: 2.0, MUG: 0.35, BOOK: 0.8, CARTON: 0.5}
TOP = 0.72  # m, of the table
HALF, HEIGHT = 2.5, 2.5
_WOOD, _WHITE, _RED, _BLUE = (0.52, 0.34, 0.19), (0.95, 0.95, 0.95), (0.80, 0.12, 0.10), (0.10, 0.25, 0.80)
_FRONT_ONLY = ("x-", "y+", "y-", "z+", "z-")


def touch_home(masses: dict[int, float] = MASSES) -> SceneSpec:
    floor = Part("box", (0, 0, -0.025), (5, 5, 0.05), _WOOD, ("x+", "x-", "y+", "y-", "z-"))
    ceiling = Part("box", (0, 0, 0.025), (5, 5, 0.05), _WHITE, ("x+", "x-", "y+", "y-", "z+"))
    objects = [
        ObjectSpec(FLOOR, "floor", "brown", "", (0.0, 0.0, 0.0), 0.0, (floor,), room=1),
        ObjectSpec(9, "ceiling", "white", "", (0.0, 0.0, HEIGHT), 0.0, (ceiling,), room=1),
        *(_wall(2 + side, 0.5 * math.pi * side) for side in range(4)),
        _table(),
        _cabinet(),
        _fridge(),
        _thing(BLOCK, "block", (0.0, -0.25), (0.06, 0.06, 0.10), "metal", masses),
        _thing(MUG, "mug", (0.0, 0.0), (0.08, 0.08, 0.09), "ceramic", masses, "cylinder"),
        _thing(BOOK, "book", (0.0, 0.25), (0.15, 0.20, 0.03), "paper", masses),
        _thing(CARTON, "carton", (0.25, 0.0), (0.16, 0.16, 0.16), "paper", masses),
    ]
    room = RoomSpec(1, "kitchen", ((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)), HEIGHT)
    low, high = (-HALF, -HALF, 0.0), (HALF, HALF, HEIGHT)
    return SceneSpec("touch", 0, 2, low, high, tuple(objects), (room,))


def _wall(number: int, yaw: float) -> ObjectSpec:
    x, y = -(HALF + 0.025) * round(math.cos(yaw)), -(HALF + 0.025) * round(math.sin(yaw))
    part = Part("box", (0.0, 0.0, 0.5 * HEIGHT), (0.05, 5.0, HEIGHT), _WHITE)
    return ObjectSpec(number, "wall", "white", "", (x, y, 0.0), yaw, (part,), room=1)


def _table() -> ObjectSpec:
    top = Part("box", (0, 0, TOP - 0.02), (0.7, 1.2, 0.04), _WOOD)
    legs = [
        Part("box", (x, y, 0.5 * TOP - 0.02), (0.05, 0.05, TOP - 0.04), _WOOD) for x in (-0.3, 0.3) for y in (-0.5, 0.5)
    ]
    return ObjectSpec(TABLE, "table", "brown", "wood", (1.2, 0.0, 0.0), 0.0, (top, *legs), mass=20.0, room=1)


def _thing(number, label, at, size, material, masses, shape="box") -> ObjectSpec:
    part = Part(shape, (0, 0, 0.5 * size[2]), size, _RED)
    return ObjectSpec(
        number,
        label,
        "red",
        material,
        (1.0 + at[0], at[1], TOP),
        0.0,
        (part,),
        "on",
        TABLE,
        mass=masses[number],
        room=1,
    )


def _cabinet() -> ObjectSpec:
    """At the left wall, its front towards -y: one drawer."""
    body = Part("box", (0, 0, 0.4), (0.5, 0.6, 0.8), _BLUE, ("x+",))
    inside = Part("box", (0.02, 0, 0.60), (0.42, 0.5, 0.10), _WOOD, ("z+",), name="drawer")
    front = Part("box", (0.255, 0, 0.62), (0.02, 0.56, 0.22), _WHITE, name="drawer")
    handle = Part("box", (0.285, 0, 0.64), (0.03, 0.14, 0.02), _RED, name="drawer")
    slide = Joint("drawer", "slide", (1.0, 0.0, 0.0), (0.0, 0.0, 0.6), 0.0, 0.32, 0.0)
    parts = (body, inside, front, handle)
    return ObjectSpec(
        CABINET,
        "cabinet",
        "blue",
        "wood",
        (0.0, 2.2, 0.0),
        -0.5 * math.pi,
        parts,
        states=("closed",),
        mass=25.0,
        room=1,
        joints=(slide,),
    )


def _fridge() -> ObjectSpec:
    """At the right wall, its front towards +y: one door, hinged at its left."""
    body = Part("box", (0, 0, 0.8), (0.5, 0.6, 1.6), _WHITE, ("x+",))
    leaf = Part("box", (0.27, 0, 0.8), (0.03, 0.6, 1.56), _WHITE, name="door")
    handle = Part("box", (0.30, -0.25, 0.85), (0.03, 0.02, 0.3), _RED, name="door")
    hinge = Joint("door", "hinge", (0.0, 0.0, 1.0), (0.255, 0.3, 0.0), 0.0, 1.6, 0.0)
    return ObjectSpec(
        FRIDGE,
        "fridge",
        "white",
        "metal",
        (0.0, -2.2, 0.0),
        0.5 * math.pi,
        (body, leaf, handle),
        states=("closed",),
        mass=50.0,
        room=1,
        joints=(hinge,),
    )

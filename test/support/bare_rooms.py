"""Rooms with a few things of known shape in them, for tests of bodies."""

from __future__ import annotations

from dataclasses import replace

from vantage.scenes.spec import Joint, ObjectSpec, Opening, Part, RoomSpec, SceneSpec

WOOD = (0.5, 0.35, 0.2)


def box(x, y, z, sx, sy, sz, **more):
    """A box whose base is centred at (x, y, z)."""
    return Part("box", (x, y, z + 0.5 * sz), (sx, sy, sz), WOOD, **more)


def thing(number, parts, at=(0.0, 0.0, 0.0), mass=0.5, label="block", **more):
    return ObjectSpec(number, label, "brown", "wood", at, 0.0, tuple(parts), mass=mass, room=1, **more)


def wall(number, x, y, sx, sy):
    return thing(number, [box(0, 0, 0, sx, sy, 2.5)], (x, y, 0.0), 0.0, "wall")


def room(*things, half=2.0):
    """One room with a floor and four walls, ids 1 to 5."""
    floor = thing(1, [Part("box", (0, 0, -0.05), (2 * half, 2 * half, 0.1), WOOD)], mass=0.0, label="floor")
    far = half + 0.05
    walls = [
        wall(2, far, 0, 0.1, 2 * half),
        wall(3, -far, 0, 0.1, 2 * half),
        wall(4, 0, far, 2 * half, 0.1),
        wall(5, 0, -far, 2 * half, 0.1),
    ]
    outline = ((-half, -half), (half, -half), (half, half), (-half, half))
    low, high = (-half, -half, 0.0), (half, half, 2.5)
    return SceneSpec("room", 0, 2, low, high, (floor, *walls, *things), (RoomSpec(1, "kitchen", outline, 2.5),))


def two_rooms(gap):
    """Two rooms of 4 x 4 m beside each other, with a doorway of a width in the wall between them."""
    base = room()
    outlines = tuple(((x - 2.0, -2.0), (x + 2.0, -2.0), (x + 2.0, 2.0), (x - 2.0, 2.0)) for x in (0.0, 4.1))
    rooms = tuple(RoomSpec(n + 1, ("kitchen", "hall")[n], outline, 2.5) for n, outline in enumerate(outlines))
    side = 0.5 * (4.0 - gap)
    parts = [box(0, sy * 0.5 * (4.0 - side), 0, 0.1, side, 2.5) for sy in (-1, 1)]
    between = replace(base.objects[1], parts=tuple(parts))
    more = [wall(6, 6.15, 0, 0.1, 4.0), wall(7, 4.1, 2.05, 4.0, 0.1), wall(8, 4.1, -2.05, 4.0, 0.1)]
    objects = (base.objects[0], between, *base.objects[2:], *more)
    opening = Opening("doorway", (1, 2), (2.0, -0.5 * gap, 0.0), (2.1, 0.5 * gap, 2.0))
    return SceneSpec("rooms", 0, 2, (-2.0, -2.0, 0.0), (6.1, 2.0, 2.5), objects, rooms, (opening,))


def cabinet(number, at=(0.0, 0.0, 0.0), mass=20.0, position=0.0):
    """A case with a drawer that comes out by 0.3 m towards x."""
    case = [
        box(0, 0, 0, 0.4, 0.5, 0.02),
        box(0, 0, 0.28, 0.4, 0.5, 0.02),
        box(-0.19, 0, 0.02, 0.02, 0.46, 0.26),
        *(box(0, s * 0.24, 0.02, 0.4, 0.02, 0.26) for s in (-1, 1)),
    ]
    drawer = [
        box(0.19 + position, 0, 0.03, 0.02, 0.44, 0.24, name="drawer"),
        box(position, 0, 0.04, 0.34, 0.4, 0.01, name="drawer"),
        box(0.21 + position, 0, 0.14, 0.02, 0.1, 0.015, name="drawer"),
    ]
    joint = Joint("drawer", "slide", (1.0, 0.0, 0.0), (0.2 + position, 0.0, 0.15), 0.0, 0.3, position)
    return thing(number, [*case, *drawer], at, mass, "cabinet", joints=(joint,))

"""A home of two rooms, built by hand: a kitchen and a bathroom side by side, a doorway between them, a few objects."""

from __future__ import annotations

import math

from vantage.scenes.spec.spec import Joint, ObjectSpec, Opening, Part, RoomSpec, SceneSpec

KITCHEN, BATHROOM = 1, 2
TABLE, CARTON, CABINET, CUP, CAN, WINDOW = 20, 21, 22, 23, 24, 25
HEIGHT, WALL = 2.5, 0.05
DOORWAY = Opening("doorway", (KITCHEN, BATHROOM), (-0.05, -0.45, 0.0), (0.05, 0.45, 2.05))
CARTON_TEXT, CAN_TEXT = "CORN FLAKES", "SOUP"
_HOLE = Opening("window", (KITCHEN, 0), (-4.10, -0.60, 0.95), (-4.05, 0.60, 2.05), WINDOW)
_ROOMS = {KITCHEN: ("kitchen", (-4.05, -1.5), (-0.05, 1.5)), BATHROOM: ("bathroom", (0.05, -1.5), (2.55, 1.5))}
_TINT, _WOOD, _RED = (0.93, 0.89, 0.81), (0.52, 0.34, 0.19), (0.80, 0.12, 0.10)
_WHITE, _CREAM, _STEEL, _BLUE = (0.95, 0.95, 0.95), (0.95, 0.93, 0.86), (0.6, 0.6, 0.62), (0.10, 0.25, 0.80)
_FRONT_ONLY = ("x-", "y+", "y-", "z+", "z-")


def small_home(doorway: bool = True) -> SceneSpec:
    """The home; without its doorway, nobody gets from one room into the other."""
    objects = []
    openings = (DOORWAY, _HOLE) if doorway else (_HOLE,)
    for room, (_, low, high) in _ROOMS.items():
        size = (high[0] - low[0], high[1] - low[1], 0.05)
        middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]))
        look = "boards" if room == KITCHEN else "tiles"
        floor = Part("box", (0, 0, -0.025), size, _WOOD, ("x+", "x-", "y+", "y-", "z-"), look=look)
        ceiling = Part("box", (0, 0, 0.025), size, _WHITE, ("x+", "x-", "y+", "y-", "z+"), look="ceiling")
        objects.append(ObjectSpec(room, "floor", "brown", "", (*middle, 0.0), 0.0, (floor,), room=room))
        objects.append(ObjectSpec(room + 2, "ceiling", "white", "", (*middle, HEIGHT), 0.0, (ceiling,), room=room))
        objects += [_wall(5 + 4 * (room - 1) + side, room, side, low, high, openings) for side in range(4)]
    rooms = tuple(
        RoomSpec(room, label, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), HEIGHT)
        for room, (label, (x0, y0), (x1, y1)) in _ROOMS.items()
    )
    bounds = ((-4.05, -1.5, 0.0), (2.55, 1.5, HEIGHT))
    return SceneSpec("small home", 0, 2, *bounds, (*objects, *_objects()), rooms, openings)


def _wall(
    number: int,
    room: int,
    side: int,
    low: tuple[float, float],
    high: tuple[float, float],
    openings: tuple[Opening, ...],
) -> ObjectSpec:
    """A wall facing into the room, in pieces around the openings in it."""
    yaw = 0.5 * math.pi * side
    c, s = round(math.cos(yaw)), round(math.sin(yaw))
    width, depth = high[0] - low[0], high[1] - low[1]
    length, away = (depth, width) if side % 2 == 0 else (width, depth)
    x = 0.5 * (low[0] + high[0]) - c * (0.5 * away + 0.5 * WALL)
    y = 0.5 * (low[1] + high[1]) - s * (0.5 * away + 0.5 * WALL)
    boxes = [(-0.5 * length, 0.0, 0.5 * length, HEIGHT)]
    for hole in openings:
        middle = [0.5 * (a + b) for a, b in zip(hole.low, hole.high, strict=True)]
        ahead = c * (middle[0] - x) + s * (middle[1] - y)
        along = c * (middle[1] - y) - s * (middle[0] - x)
        half = 0.5 * (hole.high[1] - hole.low[1])
        if abs(ahead) < 0.06 and side % 2 == 0:
            left, right, bottom, top = along - half, along + half, hole.low[2], hole.high[2]
            boxes = [(-0.5 * length, 0.0, left, HEIGHT), (right, 0.0, 0.5 * length, HEIGHT), (left, top, right, HEIGHT)]
            boxes += [(left, 0.0, right, bottom)] if bottom > 0 else []
    parts = tuple(
        Part("box", (0.0, 0.5 * (a + b), 0.5 * (z0 + z1)), (WALL, b - a, z1 - z0), _TINT, _FRONT_ONLY, look="wall")
        for a, z0, b, z1 in boxes
    )
    return ObjectSpec(number, "wall", "white", "", (x, y, 0.0), yaw, parts, room=room)


def _printed(shape: str, center: tuple[float, float, float], size: tuple[float, float, float], text: str) -> Part:
    hidden = _FRONT_ONLY if shape == "box" else ("z-", "z+")
    return Part(shape, center, size, _CREAM, hidden, look="label", name="label", text=text)


def _objects() -> tuple[ObjectSpec, ...]:
    corners = [(x, y) for x in (-0.35, 0.35) for y in (-0.55, 0.55)]
    legs = [Part("box", (x, y, 0.35), (0.06, 0.06, 0.70), _WOOD, name="leg") for x, y in corners]
    top = Part("box", (0.0, 0.0, 0.72), (0.8, 1.2, 0.04), _WOOD, name="top")
    carton = Part("box", (0.0, 0.0, 0.14), (0.08, 0.20, 0.28), _RED)
    label = _printed("box", (0.04125, 0.0, 0.14), (0.0025, 0.17, 0.10), CARTON_TEXT)
    can = Part("cylinder", (0.0, 0.0, 0.06), (0.10, 0.10, 0.12), _STEEL)
    sleeve = _printed("cylinder", (0.0, 0.0, 0.06), (0.102, 0.102, 0.08), CAN_TEXT)
    body = Part("box", (0.0, 0.0, 0.4), (0.4, 0.6, 0.8), _WHITE, ("x+",))
    leaf = Part("box", (0.5, 0.31, 0.4), (0.6, 0.02, 0.8), _BLUE, name="door")
    hinge = Joint("door", "hinge", (0.0, 0.0, 1.0), (0.2, 0.3, 0.0), 0.0, 0.5 * math.pi, 0.5 * math.pi)
    cup = Part("cylinder", (0.0, 0.0, 0.05), (0.08, 0.08, 0.10), _BLUE, ("z+",))
    pane = Part("box", (0.0, 0.0, 0.55), (0.01, 1.2, 1.1), (0.74, 0.86, 0.97), _FRONT_ONLY, look="sky")
    east, west = (2.33, 0.0, 0.0), (-4.05 - 0.5 * WALL, 0.0, 0.95)
    opened = {"states": ("open",), "joints": (hinge,)}
    return (
        ObjectSpec(TABLE, "table", "brown", "wood", (-2.2, 0.6, 0.0), 0.0, (*legs, top), room=KITCHEN),
        ObjectSpec(CARTON, "box", "red", "paper", (-2.2, 0.6, 0.74), 0.4, (carton, label), "on", TABLE, room=KITCHEN),
        ObjectSpec(CABINET, "cabinet", "white", "wood", east, math.pi, (body, leaf), room=BATHROOM, **opened),
        ObjectSpec(CUP, "cup", "blue", "ceramic", east, 0.0, (cup,), "in", CABINET, room=BATHROOM),
        ObjectSpec(CAN, "can", "gray", "metal", (-2.2, 0.2, 0.74), 0.0, (can, sleeve), "on", TABLE, room=KITCHEN),
        ObjectSpec(WINDOW, "window", "white", "glass", west, 0.0, (pane,), "on", 5, room=KITCHEN),
    )

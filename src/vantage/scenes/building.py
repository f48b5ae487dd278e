"""The building of a room: floor, ceiling, four walls, and a door and a window with curtains in them."""

from __future__ import annotations

import math

from vantage.scenes import fixtures
from vantage.scenes.catalog import ObjectClass
from vantage.scenes.design import Design, Style
from vantage.scenes.palette import COLORS
from vantage.scenes.placing import Model, Room, Wall
from vantage.scenes.spec import Color, Part

_TINTS: tuple[Color, ...] = ((0.93, 0.89, 0.81), (0.87, 0.91, 0.86), (0.86, 0.90, 0.93), (0.94, 0.88, 0.86))
_FLOORS: tuple[tuple[str, str, Color, str], ...] = (
    ("brown", "wood", (0.52, 0.34, 0.19), "boards"),
    ("brown", "wood", (0.44, 0.28, 0.16), "boards"),
    ("gray", "ceramic", (0.54, 0.54, 0.53), "tiles"),
)


def raise_building(room: Room) -> None:
    """Put floor, ceiling, walls, door, window and curtains into an empty room."""
    low, high = room.bounds_min, room.bounds_max
    width, depth, height = high[0] - low[0], high[1] - low[1], high[2] - low[2]
    thick = fixtures.WALL_THICKNESS
    rng = room.rng
    color, material, rgb, look = _FLOORS[int(rng.integers(len(_FLOORS)))]
    outer = (width + 2 * thick, depth + 2 * thick, thick)
    _slab(room, "floor", color, material, (0, 0, 0), 0.0, fixtures.slab(outer, -0.5 * thick, rgb, look, "z+"))
    ceiling = fixtures.slab(outer, 0.5 * thick, COLORS["white"], "ceiling", "z-")
    _slab(room, "ceiling", "white", "", (0, 0, height), 0.0, ceiling)
    tint = _TINTS[int(rng.integers(len(_TINTS)))]
    for facing, x, y, length in (
        (0.0, low[0], 0.0, depth),
        (0.5 * math.pi, 0.0, low[1], width),
        (math.pi, high[0], 0.0, depth),
        (-0.5 * math.pi, 0.0, high[1], width),
    ):
        part = fixtures.slab((thick, length + 2 * thick, height), 0.5 * height, tint, "wall", "x+")
        away = 0.5 * thick
        position = (x - math.cos(facing) * away, y - math.sin(facing) * away, 0.0)
        wall = _slab(room, "wall", "white", "", position, facing, part)
        room.walls.append(Wall(wall, x, y, facing, length))
    _openings(room)


def _slab(
    room: Room,
    label: str,
    color: str,
    material: str,
    position: tuple[float, float, float],
    yaw: float,
    part: Part,
) -> int:
    design = Design((part,))
    kind = ObjectClass(label, label, lambda style, rng: design, (color,), (material,))
    return room.put(Model(kind, Style(color, material, part.rgb), design), position, yaw)


def _openings(room: Room) -> None:
    rng = room.rng
    order = [int(k) for k in rng.permutation(4)]
    door_wall, window_wall = room.walls[order[0]], room.walls[order[1]]
    corner = float(rng.choice([-1.0, 1.0]))
    along = corner * (0.5 * door_wall.length - 0.5 * fixtures.DOOR_WIDTH - float(rng.uniform(0.15, 0.9)))
    room.on_wall(room.model("door"), door_wall, along, 0.0)
    ends = [door_wall.place(along + side, away) for side, away in ((-0.55, 0.0), (0.55, 0.95))]
    room.keep_free(
        (min(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1]), 0.0),
        (max(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1]), 2.2),
    )
    along = float(rng.uniform(-0.5, 0.5))
    room.on_wall(room.model("window"), window_wall, along, fixtures.WINDOW_SILL)
    curtain = room.model("curtain")
    reach = 0.5 * fixtures.WINDOW_WIDTH + 0.12 + 0.5 * fixtures.CURTAIN_WIDTH
    for side in (-1, 1):
        room.on_wall(curtain, window_wall, along + side * reach, fixtures.WINDOW_SILL - 0.03)

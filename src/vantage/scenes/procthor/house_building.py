"""Floors, ceilings, walls, doors and windows of a ProcTHOR house."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.scenes.catalog import DOOR_HEIGHT, DOOR_WIDTH, WINDOW_HEIGHT, WINDOW_WIDTH, slab
from vantage.scenes.generator import Model, design_model
from vantage.scenes.geometry import Design, named
from vantage.scenes.procthor.fitting import stretched
from vantage.scenes.procthor.house_plan import FloorPlan, Hole, HouseRoom, rectangles
from vantage.scenes.procthor.materials import MaterialDatabase
from vantage.scenes.spec import (
    COLORS,
    Color,
    Corner,
    ObjectSpec,
    Opening,
    Part,
    RoomSpec,
    Wall,
    inset,
    nearest_color,
    sides,
)
from vantage.types import Point

_FLOOR_THICKNESS = 0.05  # m
_WIDEST_LEAF = 1.3  # m: wider doors have two leaves
_NEAR = 0.06  # m: how far a hole may be off the wall that it is in
_PLAIN_WALL: Color = (0.93, 0.89, 0.81)
_BOARDS: Color = (0.52, 0.34, 0.19)
_TILES: Color = (0.54, 0.54, 0.53)
_CARPET: Color = (0.62, 0.58, 0.52)
_FLOORS = {  # material in words, color where none is told, and look
    "wood": ("wood", _BOARDS, "boards"),
    "fabric": ("fabric", _CARPET, "carpet"),
    "ceramic": ("ceramic", _TILES, "tiles"),
}
_WARM = ("wood", "fabric")
_TILED = ("kitchen", "bathroom")
_STONE = ("tile", "marble", "concrete", "stone", "brick", "ceramic")


def inner_rooms(plan: FloorPlan) -> tuple[RoomSpec, ...]:
    """The rooms between the inner faces of their walls."""
    return tuple(
        RoomSpec(room.room_id, room.label, inset(room.outline, plan.thickness), plan.height) for room in plan.rooms
    )


def build(
    plan: FloorPlan, rooms: Sequence[RoomSpec], materials: MaterialDatabase
) -> tuple[list[ObjectSpec], list[Opening]]:
    """Structure, doors and windows, with ids from 1, and the openings."""
    built: list[ObjectSpec] = []
    walls: dict[int, list[Wall]] = {}
    for house_room, room in zip(plan.rooms, rooms, strict=True):
        holes = [hole for hole in plan.holes if room.room_id in hole.rooms]
        around = walls.setdefault(room.room_id, [])
        built += _floor_and_ceiling(house_room, room, holes, plan, materials, len(built) + 1)
        for start, end in sides(room.outline):
            facing = math.atan2(end[1] - start[1], end[0] - start[0]) + 0.5 * math.pi
            middle = 0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1])
            wall = Wall(len(built) + 1, *middle, facing, math.dist(start, end))
            around.append(wall)
            built.append(_wall(wall, room, holes, plan, materials))
    openings = []
    for hole in plan.holes:
        wall = min(walls[hole.rooms[0]], key=lambda each: _distance(each, hole))
        filler = _filler(hole, wall, plan.thickness, len(built) + 1)
        if filler is not None:
            built.append(replace(filler, room=hole.rooms[0]))
        openings.append(_opening(hole, wall, plan.thickness, 0 if filler is None else filler.instance_id))
    return built, openings


def color_of(material: Mapping[str, Any], usual: Color, materials: MaterialDatabase) -> Color:
    """The color of a material of a house (0..1), or the usual one where it names none."""
    color = material.get("color")
    if isinstance(color, Mapping):
        channels = [color.get(channel) for channel in "rgb"]
        if all(isinstance(value, (int, float)) and 0 <= value <= 1 for value in channels):
            r, g, b = (float(value) for value in channels if value is not None)
            return r, g, b
    word = materials.look(str(material.get("name", ""))).color
    return usual if word in ("", nearest_color(usual)) else COLORS[word]


def _structure(
    instance_id: int, label: str, words: tuple[str, str], room: int, at: Point, yaw: float, parts: Sequence[Part]
) -> ObjectSpec:
    rounded = tuple(replace(part, center=_rounded(part.center), size=_rounded(part.size)) for part in parts)
    turn = round(math.remainder(yaw, math.tau), 6)
    return ObjectSpec(instance_id, label, *words, _rounded(at), turn, rounded, room=room)


def _floor_and_ceiling(
    house_room: HouseRoom,
    room: RoomSpec,
    holes: Sequence[Hole],
    plan: FloorPlan,
    materials: MaterialDatabase,
    first_id: int,
) -> list[ObjectSpec]:
    """A floor that reaches through doors to the line of the wall, and a ceiling."""
    name = str(house_room.floor.get("name", ""))
    made_of = materials.look(name).material
    tiled = any(word in name.lower() for word in _STONE) or (room.label in _TILED and made_of not in _WARM)
    material, usual, look = _FLOORS["ceramic" if tiled else made_of if made_of in _WARM else "wood"]
    rgb = color_of(house_room.floor, usual, materials)
    words = nearest_color(rgb), material
    x, y = room.outline[0]
    pieces = rectangles(room.outline)
    steps = [_step(hole, room, plan.thickness) for hole in holes if hole.kind != "window"]

    def layer(areas: Sequence[tuple[Corner, Corner]], z: float, rgb: Color, look: str, inner: str) -> list[Part]:
        parts = []
        for low, high in areas:
            part = slab((high[0] - low[0], high[1] - low[1], _FLOOR_THICKNESS), z, rgb, look, inner)
            parts.append(replace(part, center=(0.5 * (low[0] + high[0]) - x, 0.5 * (low[1] + high[1]) - y, z)))
        return parts

    floor = layer([*pieces, *steps], -0.5 * _FLOOR_THICKNESS, rgb, look, "z+")
    ceiling = layer(pieces, 0.5 * _FLOOR_THICKNESS, COLORS["white"], "ceiling", "z-")
    return [
        _structure(first_id, "floor", words, room.room_id, (x, y, 0.0), 0.0, floor),
        _structure(first_id + 1, "ceiling", ("white", ""), room.room_id, (x, y, room.height), 0.0, ceiling),
    ]


def _step(hole: Hole, room: RoomSpec, thickness: float) -> tuple[Corner, Corner]:
    """The strip of floor under a hole, from the inner face of the wall to its line."""
    xs, ys = sorted((hole.start[0], hole.end[0])), sorted((hole.start[1], hole.end[1]))
    axis = 0 if xs[1] - xs[0] < ys[1] - ys[0] else 1
    at = hole.start[axis]
    faces = [corner[axis] for corner in room.outline]
    inner = min(faces, key=lambda face: abs(abs(face - at) - thickness))
    low, high = [xs[0], ys[0]], [xs[1], ys[1]]
    low[axis], high[axis] = min(at, inner), max(at, inner)
    return (low[0], low[1]), (high[0], high[1])


def _span(wall: Wall, hole: Hole) -> tuple[float, float]:
    """Ends of a hole along a wall, m from its middle."""
    c, s = math.cos(wall.facing), math.sin(wall.facing)
    low, high = sorted(-s * (x - wall.x) + c * (y - wall.y) for x, y in (hole.start, hole.end))
    return low, high


def _distance(wall: Wall, hole: Hole) -> float:
    """How far a hole is from the inner face of a wall, m; more where it is not within its length."""
    c, s = math.cos(wall.facing), math.sin(wall.facing)
    off = max(abs(c * (x - wall.x) + s * (y - wall.y)) for x, y in (hole.start, hole.end))
    low, high = _span(wall, hole)
    return off + max(-0.5 * wall.length - low, high - 0.5 * wall.length, 0.0)


def _wall(
    wall: Wall, room: RoomSpec, holes: Sequence[Hole], plan: FloorPlan, materials: MaterialDatabase
) -> ObjectSpec:
    """A wall out of slabs beside, below and above its holes."""
    own = [hole for hole in holes if _distance(wall, hole) <= 2 * plan.thickness + _NEAR]
    material = next((each.material for each in plan.walls if each.room_id == room.room_id), {})
    tint = color_of(material, _PLAIN_WALL, materials)
    half, parts, start = 0.5 * wall.length, [], -0.5 * wall.length
    cuts = sorted((*_span(wall, hole), hole.bottom, hole.top) for hole in own)
    for low, high, bottom, top in [*cuts, (half, half, 0.0, 0.0)]:
        low, high = min(max(low, start), half), min(high, half)
        for left, right, foot, head in (
            (start, low, 0.0, plan.height),
            (low, high, 0.0, bottom),
            (low, high, top, plan.height),
        ):
            if right - left > 1e-4 and head - foot > 1e-4:
                part = slab((plan.thickness, right - left, head - foot), 0.5 * (foot + head), tint, "wall", "x+")
                parts.append(replace(part, center=(0.0, 0.5 * (left + right), 0.5 * (foot + head))))
        start = max(start, high)
    at = (*wall.place(0.0, -0.5 * plan.thickness), 0.0)
    return _structure(wall.instance_id, "wall", (nearest_color(tint), ""), room.room_id, at, wall.facing, parts)


def _filler(hole: Hole, wall: Wall, thickness: float, instance_id: int) -> ObjectSpec | None:
    """The door, the frame or the window in a hole."""
    if not hole.filled:
        return None
    width, height = math.dist(hole.start, hole.end), hole.top - hole.bottom
    rng = np.random.default_rng(instance_id)
    state = "open" if hole.open else "closed"
    if hole.kind == "window":
        model, usual, away = design_model("window", rng, states=("closed",)), (WINDOW_WIDTH, WINDOW_HEIGHT), 0.5
    elif hole.kind == "doorway":
        model, usual, away = design_model("doorway", rng), (DOOR_WIDTH, DOOR_HEIGHT), 1.0
    else:
        model, usual, away = design_model("door", rng, states=(state,)), (DOOR_WIDTH, DOOR_HEIGHT), 1.0
    if hole.kind == "door" and width > _WIDEST_LEAF:
        design = _double_door(model, width / usual[0], height / usual[1])
    else:
        design = stretched(model.design, (_scale(1.0), _scale(width / usual[0]), _scale(height / usual[1])))
    low, high = _span(wall, hole)
    at = (*wall.place(0.5 * (low + high), -away * thickness), hole.bottom)
    return replace(model, design=design).at(instance_id, at, wall.facing, "on", wall.instance_id)


def _double_door(model: Model, wide: float, high: float) -> Design:
    """A frame of a width, in doors, with two leaves of half that."""
    frame = [part for part in model.design.parts if part.name == "body"]
    parts = list(stretched(Design(tuple(frame)), (_scale(1.0), _scale(wide), _scale(high))).parts)
    joints = []
    for number, (entry, side) in enumerate((("mirrored door", -1.0), ("door", 1.0)), start=1):
        leaf = design_model(entry, np.random.default_rng(0), model.style.color, states=model.style.states).design
        shift = side * 0.25 * wide * _inner_width(frame)
        moving = Design(tuple(part for part in leaf.parts if part.name != "body"), (), leaf.joints)
        half = stretched(moving, (_scale(1.0), _scale(0.5 * wide, shift), _scale(high)))
        name = f"leaf {number}"
        parts += named(name, half.parts)
        joints += [replace(joint, part=name) for joint in half.joints]
    return Design(tuple(parts), (), tuple(joints))


def _inner_width(frame: Sequence[Part]) -> float:
    """Width between the posts of a door frame, m."""
    return 2 * min(abs(part.center[1]) - 0.5 * part.size[1] for part in frame if abs(part.center[1]) > 0.1)


def _scale(factor: float, shift: float = 0.0) -> Callable[[float], float]:
    return lambda value: factor * value + shift


def _opening(hole: Hole, wall: Wall, thickness: float, instance: int) -> Opening:
    """The hole through the walls on both sides of its line, or through the only one of an outer wall."""
    low, high = _span(wall, hole)
    ends = [wall.place(low, 0.0), wall.place(high, -thickness if hole.rooms[1] == 0 else -2 * thickness)]
    (x_low, x_high), (y_low, y_high) = (sorted(end[k] for end in ends) for k in (0, 1))
    corners = (x_low, y_low, hole.bottom), (x_high, y_high, hole.top)
    return Opening(hole.kind, hole.rooms, _rounded(corners[0]), _rounded(corners[1]), instance)


def _rounded(values: Point) -> Point:
    x, y, z = (round(value, 6) + 0.0 for value in values)
    return x, y, z

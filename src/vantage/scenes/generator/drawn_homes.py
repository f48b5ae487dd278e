"""Homes that somebody drew: rooms, doors, furniture and small things, each in its place, as a YAML file tells them.

    drawn_home: 1                    # version of the format
    seed: 11                         # decides what the file leaves open: tones, sizes within a class, masses
    rooms:                           # m; floors reach from middle to middle of the walls, x to the east, y to the north
      kitchen: {floor: [0, 0, 4.0, 3.5], windows: [[south, 2.0]]}
      bedroom 2: {kind: bedroom, floor: [4.0, 0, 8.0, 3.5]}
    doors:                           # a door swings into its first room; ``at`` is its middle along the wall
      - {rooms: [bedroom 2, kitchen], at: 1.2}
      - {rooms: [kitchen, outside], side: west, at: 2.5}
      - {rooms: [kitchen, hall], at: 3.0, open: true}     # without a leaf
    furniture:
      kitchen:
        - {piece: counter, color: white, wall: north, at: 1.0, on: [mug red, plate], in: [can blue]}
        - {piece: table, at: [2.0, 1.4], facing: north, on: [{piece: bowl, in: [apple red, apple green]}]}
        - {piece: shelf, wall: east, at: 2.0, height: 1.4, on: [jar]}

Pieces are named as in the catalogue. ``at`` is x or y of the middle along a wall, or the place on the floor; ``facing``
is a side, north where it is left out. What can be closed is closed unless ``state: open`` says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vantage.decoding import Section
from vantage.errors import SceneError, UnknownNameError
from vantage.scenes.catalog import fixtures, object_class
from vantage.scenes.checks import check_placement
from vantage.scenes.generator.building import raise_building
from vantage.scenes.generator.generator import GENERATOR_VERSION
from vantage.scenes.generator.home_layout import ROOM_KINDS
from vantage.scenes.generator.object_models import Model
from vantage.scenes.generator.opening_plan import OUTSIDE, PlannedOpening
from vantage.scenes.generator.placement import Home, Room
from vantage.scenes.generator.planned_rooms import PlannedRoom, SharedWall, shared_wall
from vantage.scenes.spec import RoomSpec, SceneSpec, Wall

VERSION = 1

SIDES = {"east": 0.0, "north": 0.5 * math.pi, "west": math.pi, "south": -0.5 * math.pi}  # rad, of what looks there
_OPPOSITE = {"east": "west", "west": "east", "north": "south", "south": "north"}
_ARRANGEMENTS = 25  # of one piece with what is on and in it
_FULL = 4  # things on one surface, before the next one is taken
_TRIES = 80  # places of a small thing on a surface
_TURN = 0.3  # rad by which small things are out of line
_FRONT = 0.3  # m: deeper surfaces under something are filled in front, where they can be looked into
_LOW = 0.7  # m


@dataclass(frozen=True)
class _Drawing:
    """The rooms of a file, by name, in its order."""

    names: tuple[str, ...]
    plan: tuple[PlannedRoom, ...]

    def index(self, section: Section, name: str) -> int:
        if name == "outside":
            return OUTSIDE
        if name not in self.names:
            raise section.error("rooms", f"there is no room '{name}'; the rooms are {', '.join(self.names)}")
        return self.names.index(name)


def read_drawn_home(path: str | Path, name: str) -> SceneSpec:
    """The home of a file; the same file gives the same home.

    Args:
        name: that it gets.

    Raises:
        ConfigError: the file cannot be read, or says what no drawing says.
        SceneError: something has no room where it was drawn, enters another thing or floats.
    """
    document = Section.of_file(path)
    if document.whole("drawn_home") != VERSION:
        raise document.error("drawn_home", f"this program reads version {VERSION}")
    seed = document.whole("seed", low=0)
    drawing, openings = _rooms(document.section("rooms"))
    openings += _doors(document.sections("doors"), drawing)
    home = Home(np.random.default_rng([VERSION, seed]))
    placed = raise_building(home, drawing.plan, openings)
    furniture = document.section("furniture")
    for room_name in furniture.names():
        index = drawing.index(furniture, room_name)
        for piece in furniture.sections(room_name):
            _stand(home.rooms[index], piece)
    document.done()
    corners = np.array([(room.low, room.high) for room in home.rooms])
    (x0, y0, z0), (x1, y1, z1) = corners[:, 0].min(axis=0).tolist(), corners[:, 1].max(axis=0).tolist()
    outlines = tuple(
        RoomSpec(room.room_id, room.label, each.outline, room.high[2])
        for room, each in zip(home.rooms, drawing.plan, strict=True)
    )
    spec = SceneSpec(name, seed, GENERATOR_VERSION, (x0, y0, z0), (x1, y1, z1), tuple(home.objects), outlines, placed)
    faults = check_placement(spec)
    if faults:
        raise SceneError(f"{path}: {faults[0].message}; move one of them")
    return spec


def _rooms(section: Section) -> tuple[_Drawing, tuple[PlannedOpening, ...]]:
    """The rooms, and their windows."""
    names: list[str] = []
    plan: list[PlannedRoom] = []
    windows: list[PlannedOpening] = []
    for name in section.names():
        room = section.section(name)
        kind = room.text("kind", name, choices=tuple(ROOM_KINDS))
        x0, y0, x1, y1 = room.numbers("floor", 4)
        if x1 - x0 < 1.0 or y1 - y0 < 1.0:
            raise room.error(
                "floor", f"a room from {x0:g}, {y0:g} to {x1:g}, {y1:g} m is too narrow; give it 1 m or more"
            )
        planned = PlannedRoom(kind, (x0, y0), (x1, y1))
        for entry in room.value("windows", []):
            if not (isinstance(entry, list) and len(entry) == 2 and entry[0] in SIDES and _is_number(entry[1])):
                raise room.error("windows", "expected lists of a side and its middle, such as [north, 2.0]")
            wall = _side(planned, entry[0])
            low = float(entry[1]) - 0.5 * fixtures.WINDOW_WIDTH
            top = fixtures.WINDOW_SILL + fixtures.WINDOW_HEIGHT
            if not wall.low <= low <= wall.high - fixtures.WINDOW_WIDTH:
                raise room.error("windows", f"a window at {float(entry[1]):g} m does not fit into the {entry[0]} wall")
            windows.append(
                PlannedOpening(
                    "window",
                    (len(plan), OUTSIDE),
                    wall.axis,
                    wall.at,
                    low,
                    low + fixtures.WINDOW_WIDTH,
                    fixtures.WINDOW_SILL,
                    top,
                )
            )
        room.done()
        names.append(name)
        plan.append(planned)
    if not plan:
        raise section.error("rooms", "a home has at least one room; add one")
    return _Drawing(tuple(names), tuple(plan)), tuple(windows)


def _doors(sections: Sequence[Section], drawing: _Drawing) -> tuple[PlannedOpening, ...]:
    found = []
    for section in sections:
        rooms = section.value("rooms")
        if not (isinstance(rooms, list) and len(rooms) == 2 and all(isinstance(each, str) for each in rooms)):
            raise section.error("rooms", "expected two names of rooms, or one and outside")
        first, second = (drawing.index(section, each) for each in rooms)
        middle = section.number("at")
        wall: SharedWall | None
        if OUTSIDE in (first, second):
            first, second = max(first, second), OUTSIDE
            wall = _side(drawing.plan[first], section.text("side", choices=tuple(SIDES)))
        else:
            wall = shared_wall(drawing.plan[first], drawing.plan[second])
        low = middle - 0.5 * fixtures.DOOR_WIDTH
        if wall is None or not wall.low <= low <= wall.high - fixtures.DOOR_WIDTH:
            raise section.error("at", f"there is no wall of {rooms[0]} and {rooms[1]} for a door at {middle:g} m")
        kind = "doorway" if section.switch("open", False) else "door"
        hinge = -1 if low - wall.low < wall.high - low - fixtures.DOOR_WIDTH else 1
        section.done()
        ends = low, low + fixtures.DOOR_WIDTH
        found.append(PlannedOpening(kind, (first, second), wall.axis, wall.at, *ends, 0.0, fixtures.DOOR_HEIGHT, hinge))
    return tuple(found)


def _side(room: PlannedRoom, name: str) -> SharedWall:
    """The wall of a room on one side of it."""
    axis = 0 if name in ("east", "west") else 1
    corner = room.high if name in ("east", "north") else room.low
    return SharedWall(axis, corner[axis], room.inner_low[1 - axis], room.inner_high[1 - axis])


def _stand(room: Room, section: Section) -> None:
    """Put a piece of furniture into a room, with all that is on and in it, arranged anew until all of it fits."""
    for turn in range(_ARRANGEMENTS):
        empty = room.mark()
        try:
            _stand_once(room, section)
        except _NoRoomError as error:
            if turn == _ARRANGEMENTS - 1:
                raise section.error(error.key, error.problem) from error
            room.undo(empty)
        else:
            section.done()
            return


class _NoRoomError(Exception):
    def __init__(self, key: str, problem: str) -> None:
        super().__init__(problem)
        self.key, self.problem = key, problem


def _stand_once(room: Room, section: Section) -> None:
    model = _model(room, section)
    if "wall" in section:
        placed = _at_wall(room, section, model)
    else:
        x, y = section.numbers("at", 2)
        facing = SIDES[section.text("facing", "north", choices=tuple(SIDES))]
        placed = room.try_put(model, (x, y, 0.0), facing, in_aisle=True)
    if placed is None:
        raise _NoRoomError("at", f"{model.kind.name} has no room there; move it or what is in its way")
    _fill(room, section, placed)


def _at_wall(room: Room, section: Section, model: Model) -> int | None:
    side = section.text("wall", choices=tuple(SIDES))
    facing = SIDES[_OPPOSITE[side]]
    wall = next(each for each in room.faces if abs(math.remainder(each.facing - facing, math.tau)) < 0.1)
    along = _along(wall, section.number("at"))
    if "height" in section:
        return room.on_wall(model, wall, along, section.number("height", low=0.0, high=room.high[2]))
    return room.at_wall(model, wall, along)


def _along(wall: Wall, at: float) -> float:
    """m to the left of the middle of a wall, of a place at x or y."""
    axis = 0 if abs(math.sin(wall.facing)) > 0.5 else 1
    middle = (wall.x, wall.y)[axis]
    return (at - middle) * (wall.place(1.0, 0.0)[axis] - middle)


def _model(room: Room, section: Section) -> Model:
    name, color = section.text("piece"), section.text("color", "")
    try:
        kind = object_class(name)
        can_close = any("open" in axis and "closed" in axis for axis in kind.states)
        state = section.text(
            "state", "closed" if can_close else "", choices=("open", "closed", "") if can_close else ("",)
        )
        return room.model(name, color, states=(state,) if state else ())
    except UnknownNameError as error:
        raise section.error("piece", str(error)) from error


def _fill(room: Room, section: Section, owner: int) -> None:
    for relation in ("on", "in"):
        entries = section.value(relation, [])
        if not isinstance(entries, list):
            raise section.error(relation, "expected a list of things, such as [mug red, plate]")
        for number, entry in enumerate(entries):
            values = _thing(entry)
            if values is None:
                raise section.error(relation, f"nothing in the catalogue is called {entry!r}")
            thing = Section(values, f"{section.where}.{relation}[{number}]", section.folder)
            model = _model(room, thing)
            placed = _onto(room, model, owner, relation)
            if placed is None:
                host = room.obj(owner)
                raise _NoRoomError(relation, f"there is no room for {model.kind.name} {relation} the {host.label}")
            _fill(room, thing, placed)
            thing.done()


def _thing(entry: Any) -> Any:
    """``mug red`` as a mapping; mappings as they are; None for what is no text and for what is not in the catalogue."""
    if not isinstance(entry, str):
        return entry if isinstance(entry, dict) else None
    for name, color in ((entry, ""), (entry.rpartition(" ")[0], entry.rpartition(" ")[2])):
        try:
            object_class(name)
        except UnknownNameError:
            continue
        return {"piece": name, "color": color}
    return None


def _onto(room: Room, model: Model, owner: int, relation: str) -> int | None:
    """On or in one of the surfaces of a thing; the first one that is not full."""
    surfaces = room.surfaces_of(owner, relation)
    load = sum(obj.parent == owner and obj.relation == relation for obj in room.objects())
    turn = load // _FULL % len(surfaces) if surfaces else 0
    for surface in (*surfaces[turn:], *surfaces[:turn]):
        front = surface.clearance < _LOW and surface.x_max - surface.x_min > _FRONT
        placed = room.onto(model, owner, surface.name, _TRIES, _TURN, front=front)
        if placed is not None:
            return placed
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)

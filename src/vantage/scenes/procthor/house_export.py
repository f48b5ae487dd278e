"""Homes as ProcTHOR houses of schema 1.0.0.

Two additions, which other readers pass over, let a home come back as it was: ``metadata.wallThickness``, and for each
object ``vantage`` with its size (depth, width, height; m), catalogue entry, words, mass and what stands open. ProcTHOR
has both sides of a wall between two rooms on the same stretch of a line.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from vantage.errors import SceneError, UsageError
from vantage.files import write_whole
from vantage.scenes.geometry import Design
from vantage.scenes.procthor.asset_database import CLASSES, ROOM_TYPES, AssetDatabase
from vantage.scenes.procthor.fitting import closed_extent
from vantage.scenes.procthor.house_plan import LINTEL
from vantage.scenes.procthor.house_versions import SCHEMA
from vantage.scenes.spec import Corner, ObjectSpec, Opening, RoomSpec, SceneSpec, check_spec, inset, polygon, sides
from vantage.types import Point

_SAME = 1e-4  # m

_HEAVY = 10.0  # kg: heavier objects stay where they are
_USUAL_WALL = 0.05  # m
_FILLERS = {
    "door": ("Doorway", "Doorway_1"),
    "doorway": ("Doorframe", "Doorframe_1"),
    "window": ("Window", "Window_Hung_44x60"),
}
_SWITCHES = (("on", "off", "isOn"), ("dirty", "clean", "isDirty"), ("full", "empty", "isFilledWithLiquid"))


@dataclass(frozen=True)
class Segment:
    """A stretch of wall line, clockwise around its room as ProcTHOR has it."""

    room: int
    start: Corner
    end: Corner

    @property
    def length(self) -> float:
        """m"""
        return math.dist(self.start, self.end)

    def name(self, owner: str) -> str:
        """Of the wall there, which a room (by number) or the ``exterior`` has."""
        ends = sorted((self.start, self.end))
        return f"wall|{owner}|" + "|".join(f"{value:.2f}" for corner in ends for value in corner)

    def along(self, x: float, y: float) -> float:
        """How far from its start a point is, m."""
        way = (self.end[0] - self.start[0], self.end[1] - self.start[1])
        return ((x - self.start[0]) * way[0] + (y - self.start[1]) * way[1]) / math.hypot(*way)

    def away(self, x: float, y: float) -> float:
        """How far from its line a point is, m."""
        way = (self.end[0] - self.start[0], self.end[1] - self.start[1])
        return abs((x - self.start[0]) * way[1] - (y - self.start[1]) * way[0]) / math.hypot(*way)


def cut_segments(outlines: Mapping[int, Sequence[Corner]]) -> list[Segment]:
    """The sides of all rooms, cut where other rooms begin or end beside them."""
    corners = [corner for outline in outlines.values() for corner in outline]
    found = []
    for room, outline in outlines.items():
        for end, start in sides(outline):  # clockwise
            whole = Segment(room, start, end)
            cuts = {round(whole.along(*corner), 4): corner for corner in corners if whole.away(*corner) < _SAME}
            stops = [start, *(cuts[at] for at in sorted(cuts) if _SAME < at < whole.length - _SAME), end]
            found += [Segment(room, a, b) for a, b in pairwise(stops)]
    return found


def facing(segment: Segment, segments: Sequence[Segment]) -> Segment | None:
    """The same stretch of wall line on the side of another room."""
    for other in segments:
        if math.dist(other.start, segment.end) < _SAME and math.dist(other.end, segment.start) < _SAME:
            return other
    return None


def segment_of(opening: Opening, room: int, segments: Sequence[Segment]) -> Segment | None:
    """The stretch of wall line of a room that an opening is in."""
    x, y = (0.5 * (opening.low[k] + opening.high[k]) for k in (0, 1))
    own = [segment for segment in segments if segment.room == room]
    within = [each for each in own if 0 < each.along(x, y) < each.length]
    return min(within, key=lambda each: each.away(x, y), default=None)


def save_procthor(spec: SceneSpec, path: str | Path, assets: AssetDatabase | None = None) -> None:
    """Write a home as a house; ``.json``, ``.jsonl`` and either with ``.gz``. It writes the whole file or nothing.

    Raises:
        UsageError: the name has another ending.
        SceneError: the home contradicts itself, has no rooms or rooms with slanted walls.
    """
    name = Path(path).name.lower()
    if not name.removesuffix(".gz").endswith((".json", ".jsonl")):
        raise UsageError(f"a house is written to .json or .jsonl, also with .gz, not to {Path(path).name}")
    house = house_from_spec(spec, assets)
    indent = 1 if ".jsonl" not in name else None
    text = json.dumps(house, indent=indent, allow_nan=False) + "\n"
    write_whole(path, gzip.compress(text.encode(), mtime=0) if name.endswith(".gz") else text)


def house_from_spec(spec: SceneSpec, assets: AssetDatabase | None = None) -> dict[str, Any]:
    """A home as plain data for ``json``; with a database, objects become the assets whose sizes are the nearest.

    Raises:
        SceneError: the home contradicts itself, has no rooms or rooms with slanted walls.
    """
    check_spec(spec)
    if not spec.rooms:
        raise SceneError(f"scene '{spec.name}' has no rooms; a house of ProcTHOR needs at least one")
    for room in spec.rooms:
        if any(abs(a[0] - b[0]) > _SAME and abs(a[1] - b[1]) > _SAME for a, b in sides(room.outline)):
            raise SceneError(f"room {room.room_id} of scene '{spec.name}' has a slanted wall; ProcTHOR has none")
    walls = [obj for obj in spec.objects if obj.label == "wall"]
    thickness = min((part.size[0] for wall in walls for part in wall.parts), default=_USUAL_WALL)
    outlines = {room.room_id: inset(room.outline, -thickness) for room in spec.rooms}
    segments = cut_segments(outlines)
    open_walls = _open_segments(spec, segments)
    fillings = [opening for opening in spec.openings if not _is_gap(opening, spec)]
    inside = polygon(spec.rooms[0].outline).representative_point()
    middle = _unity((inside.x, inside.y, 0.9))
    return {
        "rooms": [_room(room, outlines[room.room_id], spec) for room in spec.rooms],
        "walls": _walls(segments, open_walls, spec),
        "doors": [
            _opening(each, k, spec, segments, assets) for k, each in enumerate(fillings) if each.kind != "window"
        ],
        "windows": [
            _opening(each, k, spec, segments, assets) for k, each in enumerate(fillings) if each.kind == "window"
        ],
        "objects": _objects(spec, assets),
        "proceduralParameters": {
            "ceilingMaterial": {"name": "PureWhite"},
            "floorColliderThickness": 1.0,
            "lights": [],
            "receptacleHeight": 0.7,
            "reflections": [],
            "skyboxId": "Sky1",
        },
        "metadata": {
            "agent": {"position": middle, "rotation": {"x": 0, "y": 0, "z": 0}, "standing": True, "horizon": 0},
            "roomSpecId": spec.name,
            "schema": SCHEMA,
            "warnings": {},
            "wallThickness": thickness,
        },
    }


def _unity(point: Point) -> dict[str, float]:
    x, y, z = (round(value, 6) + 0.0 for value in point)
    return {"x": x, "y": z, "z": y}


def _room(room: RoomSpec, outline: Sequence[Corner], spec: SceneSpec) -> dict[str, Any]:
    kinds = {label: kind for kind, label in ROOM_TYPES.items()}
    floor = next((each for each in spec.objects if each.label == "floor" and each.room == room.room_id), None)
    return {
        "id": f"room|{room.room_id}",
        "roomType": kinds.get(room.label, room.label.title().replace(" ", "")),
        "children": [],
        "ceilings": [],
        "floorPolygon": [_unity((x, y, 0.0)) for x, y in reversed(outline)],
        "floorMaterial": _material(floor),
    }


def _material(structure: ObjectSpec | None) -> dict[str, Any]:
    if structure is None:
        return {"name": "PureWhite"}
    look = {"boards": "WoodFloor", "tiles": "CeramicTiles", "carpet": "Carpet"}.get(
        structure.parts[0].look, "PureWhite"
    )
    return {"name": look, "color": dict(zip("rgb", structure.parts[0].rgb, strict=True))}


def _is_gap(opening: Opening, spec: SceneSpec) -> bool:
    """Whether an opening is a missing wall rather than a hole in one."""
    height = max(room.height for room in spec.rooms)
    return opening.instance == 0 and opening.high[2] - opening.low[2] >= height - LINTEL - _SAME


def _open_segments(spec: SceneSpec, segments: Sequence[Segment]) -> set[Segment]:
    found = set()
    for opening in spec.openings:
        if _is_gap(opening, spec):
            found |= {segment for room in opening.rooms if (segment := segment_of(opening, room, segments)) is not None}
    return found


def _walls(segments: Sequence[Segment], open_walls: set[Segment], spec: SceneSpec) -> list[dict[str, Any]]:
    heights = {room.room_id: room.height for room in spec.rooms}
    painted = {obj.room: obj for obj in spec.objects if obj.label == "wall"}
    inner, outer = [], []
    for segment in segments:
        wall = _wall(segment, str(segment.room), heights[segment.room], _material(painted.get(segment.room)))
        inner.append(wall | ({"empty": True} if segment in open_walls else {}))
        if facing(segment, segments) is None:
            turned = Segment(segment.room, segment.end, segment.start)
            outer.append(_wall(turned, "exterior", heights[segment.room], {"name": "PureWhite"}))
    return [*inner, *outer]


def _wall(segment: Segment, owner: str, height: float, material: dict[str, Any]) -> dict[str, Any]:
    corners = [(*corner, z) for z in (0.0, height) for corner in (segment.start, segment.end)]
    return {
        "id": segment.name(owner),
        "roomId": f"room|{segment.room}",
        "polygon": [_unity((x, y, z)) for x, y, z in corners],
        "material": material,
    }


def _opening(
    opening: Opening, number: int, spec: SceneSpec, segments: Sequence[Segment], assets: AssetDatabase | None
) -> dict[str, Any]:
    segment = segment_of(opening, opening.rooms[0], segments)
    if segment is None:
        raise SceneError(
            f"opening {number} of scene '{spec.name}' is not in a wall of room {opening.rooms[0]}; move it"
        )
    ends = sorted((segment.along(*opening.low[:2]), segment.along(*opening.high[:2])))
    bottom, top = opening.low[2], opening.high[2]
    kind, usual = _FILLERS[opening.kind]
    asset = assets.nearest(kind, (0.1, ends[1] - ends[0], top - bottom)) if assets is not None else None
    other = facing(segment, segments)
    name = "window" if opening.kind == "window" else "door"
    record: dict[str, Any] = {
        "id": f"{name}|{opening.rooms[0]}|{number}",
        "room0": f"room|{opening.rooms[0]}",
        "room1": f"room|{opening.rooms[1] or opening.rooms[0]}",
        "wall0": segment.name(str(segment.room)),
        "wall1": segment.name("exterior") if other is None else other.name(str(other.room)),
        "assetId": usual if asset is None else asset.asset_id,
        "assetPosition": {"x": round(0.5 * sum(ends), 6), "y": round(0.5 * (bottom + top), 6), "z": 0},
        "holePolygon": [{"x": round(x, 6), "y": round(y, 6), "z": 0} for x, y in zip(ends, (bottom, top), strict=True)],
    }
    if opening.kind == "door":
        leaf = next((obj for obj in spec.objects if obj.instance_id == opening.instance), None)
        is_open = leaf is not None and "open" in leaf.states
        record |= {"openable": opening.rooms[1] != 0, "openness": int(is_open)}
    return record


def _objects(spec: SceneSpec, assets: AssetDatabase | None) -> list[dict[str, Any]]:
    built_in = {opening.instance for opening in spec.openings}
    objects = [each for each in spec.objects if not each.is_structure and each.instance_id not in built_in]
    known = {obj.instance_id for obj in objects}
    carried: dict[int, list[ObjectSpec]] = {}
    for obj in objects:
        carried.setdefault(obj.parent if obj.parent in known else 0, []).append(obj)

    def record(obj: ObjectSpec) -> dict[str, Any]:
        children = [record(child) for child in carried.get(obj.instance_id, [])]
        return _object(obj, assets) | ({"children": children} if children else {})

    return [record(obj) for obj in carried.get(0, [])]


def _object(obj: ObjectSpec, assets: AssetDatabase | None) -> dict[str, Any]:
    low, high = closed_extent(Design(obj.parts, (), obj.joints))
    middle = [0.5 * (a + b) for a, b in zip(low, high, strict=True)]
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    center = (
        obj.position[0] + c * middle[0] - s * middle[1],
        obj.position[1] + s * middle[0] + c * middle[1],
        obj.position[2] + middle[2],
    )
    kind = next((each for each, known in CLASSES.items() if known.label == obj.label), "")
    kind = kind or next((each for each, known in CLASSES.items() if not known.label and known.entry == obj.kind), "")
    kind = kind or next((each for each, known in CLASSES.items() if known.entry == obj.label), "")
    asset = assets.nearest(kind, size) if assets is not None and kind else None
    record: dict[str, Any] = {
        "id": f"{obj.room}|{obj.instance_id}",
        "assetId": asset.asset_id if asset is not None else obj.kind or obj.label,
        "position": _unity(center),
        "rotation": {"x": 0, "y": round((90.0 - math.degrees(obj.yaw)) % 360.0, 6), "z": 0},
        "kinematic": obj.mass >= _HEAVY or (obj.relation == "on" and kind in ("Painting", "Mirror")),
        "vantage": {
            "size": [round(extent, 6) for extent in size],
            "entry": obj.kind,
            "label": obj.label,
            "text": obj.text,
            "color": obj.color,
            "material": obj.material,
            "mass": obj.mass,
            "open": [joint.part for joint in obj.joints if joint.position > joint.low],
        },
    }
    if {"open", "closed"} & set(obj.states):
        record["openness"] = int("open" in obj.states)
    for yes, no, key in _SWITCHES:
        if {yes, no} & set(obj.states):
            record[key] = yes in obj.states
    return record

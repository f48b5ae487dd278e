"""The objects of a ProcTHOR house, in the frame of the world, as objects of the catalogue as large as their assets.

A design is stretched to the box of the asset, and its shelves and seats to the heights at which other objects are on
them; what would still hang in the air gets a board under it.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vantage.errors import SceneError
from vantage.scenes.catalog import CATALOG, ObjectClass
from vantage.scenes.generator import Model, design_model
from vantage.scenes.geometry import Design, Style, box, opened
from vantage.scenes.procthor.asset_database import CLASSES, Asset, AssetDatabase, guessed_asset, in_words
from vantage.scenes.procthor.fitting import Ledge, fitted, ledges
from vantage.scenes.procthor.house_plan import LARGEST, coordinates
from vantage.scenes.spec import COLORS, Color, Corner, ObjectSpec, Part, RoomSpec, decoding, holds, shade, sides
from vantage.types import Point

_DEEPEST = 8  # objects on objects on objects
_LEVEL = 5.0  # degrees: an object that leans more cannot be shown as it is
_UNKNOWN_SIZE: Point = (0.2, 0.2, 0.2)  # m
_STATES = (
    ("isOn", "on", "off"),
    ("isToggled", "on", "off"),
    ("isDirty", "dirty", "clean"),
    ("isOpen", "open", "closed"),
    ("isFilledWithLiquid", "full", "empty"),
)

_SNAP = 0.05  # m: how far an object is moved so that it rests on what is under it
_EXACT = 0.002  # m
_STRETCH = 0.25  # of its height: how far a shelf is moved to where objects are
_CARRIED = 0.35  # share of an object's footprint that a shelf must be under
_BOARD = 0.012  # m: thickness of a board
_FRAME = 0.02  # m: thickness of the sides of furniture that no entry of the catalogue shows
_PUSH = 0.06  # m: how far into a wall an object may reach to be moved out of it
_TALL_PLANT = 0.5  # m
_USUAL_COLORS = ("gray", "brown", "white", "blue", "green", "red", "yellow", "black")


@dataclass(frozen=True)
class HouseObject:
    """An object of a house.

    Attributes:
        name: unique in its house.
        asset: what it is, as far as the database or its name tells.
        known: whether the database has its asset.
        center: of its box, m; yaw: where its front looks, rad.
        states: that the file names.
        children: on and in it.
        leaning: whether it stands askew in the file.
        open_parts: names of its parts that stand open, where the file says so.
    """

    name: str
    asset: Asset
    known: bool
    center: Point
    yaw: float
    states: tuple[str, ...]
    children: tuple[HouseObject, ...]
    leaning: bool = False
    open_parts: tuple[str, ...] = ()

    @property
    def bottom(self) -> float:
        """Height of its lowest point, m."""
        return self.center[2] - 0.5 * self.asset.size[2]

    def moved(self, dx: float, dy: float, dz: float) -> HouseObject:
        """The object somewhere else, with all that is on and in it."""
        x, y, z = self.center
        children = tuple(child.moved(dx, dy, dz) for child in self.children)
        return replace(self, center=(x + dx, y + dy, z + dz), children=children)

    def footprint(self, frame: HouseObject | None = None) -> tuple[tuple[float, float], tuple[float, float]]:
        """Corners (low, high) of its box seen from above, m: in the world, or in the frame of another object."""
        (x, y, _), turn = self.center, self.yaw
        if frame is not None:
            dx, dy, turn = x - frame.center[0], y - frame.center[1], self.yaw - frame.yaw
            c, s = math.cos(frame.yaw), math.sin(frame.yaw)
            x, y = c * dx + s * dy, c * dy - s * dx
        c, s = abs(math.cos(turn)), abs(math.sin(turn))
        depth, width, _ = self.asset.size
        a, b = 0.5 * (c * depth + s * width), 0.5 * (s * depth + c * width)
        return (x - a, y - b), (x + a, y + b)

    def all(self) -> Iterator[HouseObject]:
        """The object and all that is on and in it, at any depth."""
        yield self
        for child in self.children:
            yield from child.all()


def read_objects(house: Mapping[str, Any], assets: AssetDatabase | None, where: str) -> tuple[HouseObject, ...]:
    """All objects of a house that stand on the floor or hang on walls, with what is on and in them.

    Raises:
        FormatError: a key is missing or its value of the wrong type.
        SceneError: an object is absurdly far away, or objects are nested absurdly deep.
    """
    entries = decoding.records(house, "objects", where)
    return tuple(_object(entry, assets, where, 0) for entry in entries)


def _object(entry: Any, assets: AssetDatabase | None, where: str, depth: int) -> HouseObject:
    record = decoding.mapping(entry, f"an object of {where}")
    name = decoding.text(record, "id", f"an object of {where}")
    what = f"object '{name}' of {where}"
    if depth > _DEEPEST:
        raise SceneError(f"{what} is nested deeper than {_DEEPEST} things; put it on something nearer to the floor")
    asset_id = decoding.text(record, "assetId", what)
    center = coordinates(decoding.item(record, "position", what), f"the position of {what}")
    rotation = decoding.mapping(decoding.item(record, "rotation", what), f"'rotation' of {what}")
    tilts = [decoding.number(rotation.get(axis, 0.0), f"'rotation' of {what}") for axis in "xyz"]
    found = _described(record, asset_id, what) or (assets.get(asset_id) if assets is not None else None)
    asset = found or guessed_asset(asset_id) or Asset(asset_id, in_words(asset_id) or "thing", _UNKNOWN_SIZE)
    if found is None and depth == 0 and 0.02 < center[2] < 0.5 * asset.size[2] + 0.3:
        asset = replace(asset, size=(*asset.size[:2], 2.0 * center[2]))  # it stands on the floor
    children = decoding.records(record, "children", what, [])
    return HouseObject(
        name,
        asset,
        found is not None,
        center,
        math.remainder(0.5 * math.pi - math.radians(tilts[1]), math.tau),
        _states(record, what),
        tuple(_object(child, assets, where, depth + 1) for child in children),
        any(abs(math.remainder(tilts[k], 360.0)) > _LEVEL for k in (0, 2)),
        decoding.words(more, "open", what) if isinstance(more := record.get("vantage"), dict) else (),
    )


def _described(record: Mapping[str, Any], asset_id: str, what: str) -> Asset | None:
    """What an export of this software says of an object beyond the schema of ProcTHOR."""
    if "vantage" not in record:
        return None
    what = f"'vantage' of {what}"
    more = decoding.mapping(record["vantage"], what)
    size = decoding.point(more, "size", what)
    if not 0 < min(size) <= max(size) <= LARGEST:
        raise SceneError(f"{what} has the size {size}; every extent must be positive and at most {LARGEST:g} m")
    words = {key: decoding.text(more, key, what, "") for key in ("color", "material", "entry", "label", "text")}
    mass = decoding.number(more.get("mass", 0.0), f"'mass' of {what}")
    return Asset(asset_id, words["label"], size, mass=max(mass, 0.0), **words)


def _states(record: Mapping[str, Any], what: str) -> tuple[str, ...]:
    states = [yes if record[key] else no for key, yes, no in _STATES if isinstance(record.get(key), bool)]
    if record.get("openness") is not None:
        openness = decoding.number(record["openness"], f"'openness' of {what}")
        states.append("open" if openness >= 0.5 else "closed")
    return tuple(dict.fromkeys(states))


def missing_assets(objects: Sequence[HouseObject]) -> tuple[str, ...]:
    """Names of the assets that the database lacks, sorted."""
    return tuple(sorted({each.asset.asset_id for obj in objects for each in obj.all() if not each.known}))


def make_objects(
    objects: Sequence[HouseObject], lines: Mapping[int, Sequence[Corner]], rooms: Sequence[RoomSpec], first_id: int
) -> list[ObjectSpec]:
    """All objects of a house; relations are not set.

    Objects that reach into a wall by a few cm, because its line is in its middle, are moved out of it.

    Args:
        objects: of the house.
        lines: outlines of the rooms along the lines of their walls, by id.
        rooms: between the inner faces of these walls.
        first_id: from which ids are counted.
    """
    made: list[ObjectSpec] = []
    inner = {room.room_id: room.outline for room in rooms}

    def add(obj: HouseObject) -> None:
        model, children = _shaped(obj)
        x, y, _ = obj.center
        room = next((key for key, outline in lines.items() if holds(outline, x, y)), 0)
        made.append(model.at(first_id + len(made), (x, y, obj.bottom), obj.yaw, room=room))
        for child in children:
            add(child)

    for obj in objects:
        room = next((key for key, outline in lines.items() if holds(outline, *obj.center[:2])), 0)
        aside = _out_of_walls(obj, inner[room]) if room else (0.0, 0.0)
        add(obj.moved(*aside, -obj.bottom if abs(obj.bottom) <= _SNAP else 0.0))
    return made


def _out_of_walls(obj: HouseObject, outline: Sequence[Corner]) -> tuple[float, float]:
    """How far to move an object (m) so that it does not reach beyond the sides of a room."""
    low, high = obj.footprint()
    push = [0.0, 0.0]
    for start, end in sides(outline):
        axis = 0 if abs(start[0] - end[0]) < 1e-6 else 1
        ends = sorted((start[1 - axis], end[1 - axis]))
        if high[1 - axis] <= ends[0] or low[1 - axis] >= ends[1]:
            continue
        inward = 1.0 if (end[1 - axis] < start[1 - axis]) == (axis == 0) else -1.0
        depth = start[axis] - low[axis] if inward > 0 else high[axis] - start[axis]
        if 0 < depth <= _PUSH:
            push[axis] = inward * depth
    return push[0], push[1]


def _shaped(obj: HouseObject) -> tuple[Model, list[HouseObject]]:
    """A model as large as an asset, and the children where they rest on it."""
    size, bottom = obj.asset.size, obj.bottom
    model = _model(obj)
    carried = [(child, child.footprint(obj), child.bottom - bottom) for child in obj.children]
    design = fitted(model.design, size)
    knots = _knots(ledges(design.parts), [(low, high, z) for _, (low, high), z in carried], size[2])
    if knots:
        design = fitted(model.design, size, knots)
    faces, boards, children = ledges(design.parts), [], []
    tone = design.parts[0].rgb
    for child, (low, high), z in carried:
        face = _face_under(faces, low, high, z)
        below = [under.z for under in faces if _is_under(under, low, high) and under.z < z]
        if face is not None and abs(face.z - z) <= _SNAP:
            child = child.moved(0.0, 0.0, face.z - z)
        elif face is not None and face.z < z and len(below) == sum(_is_under(under, low, high) for under in faces):
            child = child.moved(0.0, 0.0, max(below) - z)  # nothing is above it: it falls, as it does in such houses
        elif _BOARD < z < size[2]:
            boards.append(_board(low, high, z, obj, tone))
        children.append(child)
    return replace(model, design=Design((*design.parts, *boards), (), design.joints)), children


def _face_under(faces: Sequence[Ledge], low: tuple[float, float], high: tuple[float, float], z: float) -> Ledge | None:
    """The level face at the height nearest to ``z`` that is under a rectangle."""
    under = [face for face in faces if _is_under(face, low, high)]
    return min(under, key=lambda face: abs(face.z - z), default=None)


def _is_under(face: Ledge, low: tuple[float, float], high: tuple[float, float]) -> bool:
    return face.share_of(low, high) >= _CARRIED


def _knots(
    faces: Sequence[Ledge],
    carried: Sequence[tuple[tuple[float, float], tuple[float, float], float]],
    height: float,
) -> list[tuple[float, float]]:
    """Which heights of a design should be moved to which others, so that objects rest on it."""
    wanted: dict[float, list[float]] = {}
    for low, high, z in carried:
        face = _face_under(faces, low, high, z)
        if face is not None and _EXACT < abs(face.z - z) <= _STRETCH * height and 0.02 < z < height:
            wanted.setdefault(round(face.z, 4), []).append(z)
    knots: list[tuple[float, float]] = []
    for old in sorted(wanted):
        new = float(np.median(wanted[old]))
        at_top = old > height - _EXACT
        rising = not knots or (old > knots[-1][0] + _SNAP and new > knots[-1][1] + _SNAP)
        if rising and (abs(new - height) <= _SNAP if at_top else new < height - _EXACT):
            knots.append((old, new))
    return knots


def _board(low: tuple[float, float], high: tuple[float, float], z: float, obj: HouseObject, tone: Color) -> Part:
    depth, width, _ = obj.asset.size
    corners = [
        (max(min(low[k], 0.49 * side), -0.5 * side), min(max(high[k], -0.49 * side), 0.5 * side))
        for k, side in enumerate((depth, width))
    ]
    (x0, x1), (y0, y1) = corners
    return box(0.5 * (x0 + x1), 0.5 * (y0 + y1), z - _BOARD, x1 - x0, y1 - y0, _BOARD, tone)


def _model(obj: HouseObject) -> Model:
    """An object of the catalogue, or a plain shape, with the words of the asset."""
    asset, seed = obj.asset, zlib.crc32(f"{obj.name} {obj.asset.asset_id}".encode())
    rng = np.random.default_rng(seed)
    known = CLASSES.get(asset.kind)
    entry = asset.entry or ("" if known is None else known.entry)
    if known is not None and entry == "plant" and asset.size[2] >= _TALL_PLANT:
        entry = "floor plant"
    if entry not in CATALOG:
        label = asset.label or (known.label or known.entry if known is not None else asset.kind)
        return _plain_model(obj, label, known.shape if known is not None else "box", rng)
    kind = CATALOG[entry]
    possible = {state for axis in kind.states for state in axis}
    states = [state for state in obj.states if state in possible]
    if "closed" in possible and "open" not in states:
        states.append("closed")
    color = asset.color if asset.color in kind.colors else ""
    text = asset.text if asset.text in kind.prints else ""
    model = design_model(entry, rng, color, states=states, text=text)
    if obj.open_parts:
        closed = ["closed", *(state for state in states if state != "open")]
        shut = design_model(entry, np.random.default_rng(seed), color, states=closed, text=text)
        names = {joint.part for joint in shut.design.joints} & set(obj.open_parts)
        model = replace(model, design=opened(shut.design, names)) if names else model
    material = asset.material if asset.material in kind.materials else model.style.material
    return replace(model, style=replace(model.style, material=material), mass=asset.mass or model.mass)


def _plain_model(obj: HouseObject, label: str, shape: str, rng: np.random.Generator) -> Model:
    """A single primitive; a frame with an open front where other objects are inside."""
    asset = obj.asset
    color = asset.color or _USUAL_COLORS[int(rng.integers(len(_USUAL_COLORS)))]
    rgb = shade(COLORS[color], float(rng.uniform(0.95, 1.04)))
    depth, width, height = asset.size
    inside = any(child.bottom < obj.bottom + height - _SNAP for child in obj.children)
    parts: tuple[Part, ...] = (Part(shape, (0.0, 0.0, 0.5 * height), asset.size, rgb),)
    if inside and min(asset.size) > 4 * _FRAME:
        parts = (
            box(0, 0, 0, depth, width, _FRAME, rgb),
            box(0, 0, height - _FRAME, depth, width, _FRAME, rgb),
            box(-0.5 * (depth - _FRAME), 0, _FRAME, _FRAME, width, height - 2 * _FRAME, rgb),
            *(
                box(0, sy * 0.5 * (width - _FRAME), _FRAME, depth, _FRAME, height - 2 * _FRAME, shade(rgb, 0.95))
                for sy in (-1, 1)
            ),
        )
    design = Design(parts)
    kind = ObjectClass(label, label, lambda style, rng: design, (color,), (asset.material,))
    kind = replace(kind, name="")
    return Model(kind, Style(color, asset.material, rgb), design, asset.mass)

"""Which bitmaps a home needs: one for every chart of every part that can be seen, as fine as its look asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from vantage.scenes.geometry import covered_faces
from vantage.scenes.looks import SKIRTING, Coat, coat_of
from vantage.scenes.spec import ObjectSpec, Part, RoomMap, SceneSpec, rooms_of
from vantage.worlds.house.looks import texels
from vantage.worlds.house.looks.surfaces import Array, Chart, flat_chart, part_charts

INK = 1100.0  # pixels of print in a metre
_OVERLAP = 0.0015  # m
_SMALL = 2048  # texels of a bitmap whose grid is worth keeping


@dataclass(frozen=True, eq=False)
class Bitmap:
    """What is painted on a chart: ``size`` texels of color and ``light_size`` of light, columns and rows."""

    obj: ObjectSpec
    index: int
    part: Part
    chart: Chart
    coat: Coat
    room: int
    size: tuple[int, int]
    light_size: tuple[int, int]

    @property
    def is_plain(self) -> bool:
        return min(texels.look_texels(self.obj, self.part, False, "")) >= texels.LIGHT and self.coat.pattern is None

    def grid(self, size: tuple[int, int]) -> tuple[Array, Array]:
        """Points and normals (N, 3), in the frame of the object, at the middles of columns and rows, row by row."""
        find = _middles if size[0] * size[1] <= _SMALL else _middles.__wrapped__
        return self.chart.place(*find(*size))


def home_bitmaps(home: SceneSpec) -> list[Bitmap]:
    """All bitmaps of a home.

    Raises:
        SceneError: a part has an unknown look.
    """
    where = RoomMap(rooms_of(home))
    labels = {room.room_id: room.label for room in home.rooms}
    found = []
    for obj in home.objects:
        left_out = _unseen(obj)
        base = min(part.center[2] - 0.5 * part.size[2] for part in obj.parts)
        room = where.number(obj)
        for index, part in enumerate(obj.parts):
            coat = coat_of(obj, index, labels.get(obj.room, ""))
            cuts = _cuts(obj, coat)
            charts = part_charts(_overlapping(obj, part), left_out[index], cuts)
            if obj.label == "floor" and index == 0:
                charts += _thresholds(obj, home)
            for chart in charts:
                on_ground = chart.face == "z-" and part.center[2] - 0.5 * part.size[2] - base < 1e-6
                found.append(_bitmap(obj, index, chart, coat, room, "z-" if on_ground else ""))
    return found


def _overlapping(obj: ObjectSpec, part: Part) -> Part:
    """Parts of walls reach a little behind what adjoins them, so that no gaps show between."""
    if obj.label != "wall":
        return part
    x, y, z = part.size
    return replace(part, size=(x, y + 2 * _OVERLAP, z + 2 * _OVERLAP))


def _bitmap(obj: ObjectSpec, index: int, chart: Chart, coat: Coat, room: int, face: str) -> Bitmap:
    part = obj.parts[index]
    laid = coat.pattern is not None and (obj.label == "floor" or _top(chart) <= coat.pattern.top + 1e-6)
    texel = texels.look_texels(obj, part, laid, face)
    if obj.label == "wall" and not laid and _top(chart) <= SKIRTING + 1e-6:
        texel = texels.skirting_texels()
    printed = bool(part.text) and is_printed(part, chart)
    if printed:
        texel = (1.0 / INK,) * 3
    size = texels.texel_count(chart, texel, texels.largest_side(obj, printed, part.look or obj.material))
    shiny = coat.finish.gloss > 0 and not obj.is_structure
    if shiny and -1 in chart.axes:
        least = texels.light_count(chart, True, (64, 64))
        size = max(size[0], least[0]), max(size[1], least[1])
    light_size = texels.light_count(chart, shiny and -1 in chart.axes, size)
    return Bitmap(obj, index, part, chart, coat, room, size, light_size)


def _top(chart: Chart) -> float:
    """Height of the upper edge of an upright chart in the frame of its object, m."""
    points, _ = chart.place(np.array([0.5]), np.array([1.0]))
    return float(points[0, 2])


def _cuts(obj: ObjectSpec, coat: Coat) -> list[float]:
    if obj.label != "wall":
        return []
    return [SKIRTING] if coat.pattern is None else [coat.pattern.top]


def _unseen(obj: ObjectSpec) -> list[list[str]]:
    """For every part, the faces that nobody can see: those inside of others, and the outer sides of the building."""
    found: list[list[str]] = [[] for _ in obj.parts]
    for piece in rigid_pieces(obj):
        for number, faces in zip(piece, covered_faces([obj.parts[k] for k in piece]), strict=True):
            found[number] = faces
    hidden = {"wall": ("x-", "z-"), "floor": ("x+", "x-", "y+", "y-", "z-"), "ceiling": ("x+", "x-", "y+", "y-", "z+")}
    for faces in found:
        faces += hidden.get(obj.label, ())
    return found


def _thresholds(floor: ObjectSpec, home: SceneSpec) -> list[Chart]:
    """The floor in doorways up to the middle of the wall, where the floor itself does not reach under it."""
    top = max(part.center[2] + 0.5 * part.size[2] for part in floor.parts)
    found = []
    for opening in home.openings:
        if floor.room not in opening.rooms or opening.low[2] > floor.position[2] + top + 0.01:
            continue
        low, high = (np.subtract(corner, floor.position)[:2] for corner in (opening.low, opening.high))
        middle, through = 0.5 * (low + high), int(np.argmin(high - low))
        inward = np.sign(float(_nearest(floor.parts, middle)[through] - middle[through]))
        (low if inward > 0 else high)[through] = middle[through]
        middle = 0.5 * (low + high)
        if any((np.abs(middle - part.center[:2]) < 0.5 * np.asarray(part.size[:2])).all() for part in floor.parts):
            continue
        corner = np.array([low[0], low[1], top])
        along_u, along_v = np.array([high[0] - low[0], 0.0, 0.0]), np.array([0.0, high[1] - low[1], 0.0])
        found.append(flat_chart("z+", corner, along_u, along_v))
    return found


def _nearest(parts: Sequence[Part], place: Array) -> Array:
    """The middle (2,) of the part that is nearest to a place (2,)."""
    centers = np.array([part.center[:2] for part in parts])
    halves = 0.5 * np.array([part.size[:2] for part in parts])
    apart = np.maximum(np.abs(place - centers) - halves, 0.0).sum(axis=1)
    nearest: Array = centers[int(np.argmin(apart))]
    return nearest


def is_printed(part: Part, chart: Chart) -> bool:
    """Whether a chart is the face of a part that bears its print."""
    if part.print_face == "z+" or part.shape == "box" or part.axis != "z":
        return chart.face == part.print_face
    return chart.face == "side"


def rigid_pieces(obj: ObjectSpec) -> list[list[int]]:
    """Numbers of the parts that move together: those of each joint, and all others."""
    moving = {joint.part for joint in obj.joints}
    groups: dict[str, list[int]] = defaultdict(list)
    for number, part in enumerate(obj.parts):
        groups[part.name if part.name in moving else ""].append(number)
    return list(groups.values())


def rotation_of(part: Part) -> Array:
    """The rotation (3, 3) of a part about its center."""
    return np.asarray(cv2.Rodrigues(np.asarray(part.rotation, dtype=np.float64))[0], dtype=np.float64)


def turned(part: Part, points: Array) -> Array:
    """Points (N, 3) of a part, in the frame of its object, after it was turned."""
    if not any(part.rotation):
        return points
    found: Array = (points - part.center) @ rotation_of(part).T + part.center
    return found


@lru_cache(maxsize=512)
def _middles(columns: int, rows: int) -> tuple[Array, Array]:
    v, u = np.mgrid[0:rows, 0:columns].reshape(2, -1)
    return (u + 0.5) / columns, (v + 0.5) / rows

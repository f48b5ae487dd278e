"""All surfaces of a home as bitmaps: looks, print and the light of each room, as the home was specified.

What can be carried about gets light from all around, without the shadows of the place where it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.looks import SKIRTING, Coat, Patch, PrintImage, coat_of, print_image, print_spot
from vantage.scenes.spec import ObjectSpec, Part, RoomMap, SceneSpec, rooms_of
from vantage.splats.synthesis import Lighting, SceneVoxels
from vantage.worlds.house import atlas, texels
from vantage.worlds.house.page_cache import cache_key, keep_pages, read_pages
from vantage.worlds.house.surfaces import Array, Chart, covered_faces, flat_chart, part_charts

_CARRIED = 5.0  # kg: lighter things may be carried about
_CHUNK = 150_000  # places that are painted at once
_INK = 1100.0  # pixels of print in a metre
_JITTER = 0.06  # by which a random texture is lighter or darker
_GAIN, _WARMTH = (0.82, 1.08), 0.06  # of random light


@dataclass(frozen=True, eq=False)
class PlacedChart:
    """A chart of a part and where its bitmap lies.

    Attributes:
        chart: of the surface, in the frame of the object.
        page: number of the page.
        places: texture coordinates (V, 2) of the corners of the chart.
    """

    chart: Chart
    page: int
    places: Array


@dataclass(frozen=True, eq=False)
class PaintedHome:
    """Bitmaps of a home.

    Attributes:
        pages: RGB (H, W, 3) uint8; row 0 is where the second texture coordinate is 0.
        charts: of the parts by instance and number of the part in its object.
    """

    pages: tuple[NDArray[np.uint8], ...]
    charts: dict[tuple[int, int], tuple[PlacedChart, ...]]


@dataclass(eq=False)
class _Bitmap:
    """What is painted on a chart: ``size`` texels of color and ``light_size`` of light, columns and rows."""

    obj: ObjectSpec
    index: int
    part: Part
    chart: Chart
    coat: Coat
    room: int
    size: tuple[int, int]
    light_size: tuple[int, int]
    color: Array | None = None
    light: Array = field(default_factory=lambda: np.ones((1, 1, 3)))

    @property
    def is_plain(self) -> bool:
        return min(texels.look_texels(self.obj, self.part, False, "")) >= texels.LIGHT and self.coat.pattern is None


def paint_home(home: SceneSpec, light_seed: int | None = None, texture_seed: int | None = None) -> PaintedHome:
    """Paint all parts of a home; the same home and seeds give the same bytes.

    Args:
        light_seed: of random brightness and warmth of each room; None for usual light.
        texture_seed: of random grain and tone of all things; None for the usual ones.

    Raises:
        SceneError: a part has an unknown look, or a letter that cannot be printed.
    """
    bitmaps = _bitmaps(home)
    places = _places(bitmaps)
    key = cache_key(home, light_seed, texture_seed)
    pages = read_pages(key, places.pages)
    if pages is None:
        _color(bitmaps, texture_seed)
        _light(bitmaps, home, light_seed)
        pages = _pages(bitmaps, places)
        keep_pages(key, pages)
    return PaintedHome(pages, _placed(bitmaps, places))


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


def _bitmaps(home: SceneSpec) -> list[_Bitmap]:
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
            charts = part_charts(part, left_out[index], cuts)
            if obj.label == "floor" and index == 0:
                charts += _thresholds(obj, home)
            for chart in charts:
                on_ground = chart.face == "z-" and part.center[2] - 0.5 * part.size[2] - base < 1e-6
                found.append(_bitmap(obj, index, chart, coat, room, "z-" if on_ground else ""))
    return found


def _bitmap(obj: ObjectSpec, index: int, chart: Chart, coat: Coat, room: int, face: str) -> _Bitmap:
    part = obj.parts[index]
    laid = coat.pattern is not None and (obj.label == "floor" or _top(chart) <= coat.pattern.top + 1e-6)
    texel = texels.look_texels(obj, part, laid, face)
    if obj.label == "wall" and not laid and _top(chart) <= SKIRTING + 1e-6:
        texel = texels.skirting_texels()
    printed = bool(part.text) and _is_printed(part, chart)
    if printed:
        texel = (1.0 / _INK,) * 3
    size = texels.texel_count(chart, texel, texels.largest_side(obj, printed, part.look or obj.material))
    shiny = coat.finish.gloss > 0 and not obj.is_structure
    if shiny and -1 in chart.axes:
        least = texels.light_count(chart, True, (64, 64))
        size = max(size[0], least[0]), max(size[1], least[1])
    light_size = texels.light_count(chart, shiny and -1 in chart.axes, size)
    return _Bitmap(obj, index, part, chart, coat, room, size, light_size)


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
    """The floor in doorways, where the floor itself does not reach under it."""
    top = max(part.center[2] + 0.5 * part.size[2] for part in floor.parts)
    found = []
    for opening in home.openings:
        if floor.room not in opening.rooms or opening.low[2] > floor.position[2] + top + 0.01:
            continue
        low, high = (np.subtract(corner, floor.position)[:2] for corner in (opening.low, opening.high))
        middle = 0.5 * (low + high)
        if any((np.abs(middle - part.center[:2]) < 0.5 * np.asarray(part.size[:2])).all() for part in floor.parts):
            continue
        corner = np.array([low[0], low[1], top])
        along_u, along_v = np.array([high[0] - low[0], 0.0, 0.0]), np.array([0.0, high[1] - low[1], 0.0])
        found.append(flat_chart("z+", corner, along_u, along_v))
    return found


def _grid(chart: Chart, size: tuple[int, int]) -> tuple[Array, Array]:
    """Points and normals (N, 3) at the middles of columns and rows, row by row."""
    return chart.place(*_middles(*size))


@lru_cache(maxsize=512)
def _middles(columns: int, rows: int) -> tuple[Array, Array]:
    v, u = np.mgrid[0:rows, 0:columns].reshape(2, -1)
    return (u + 0.5) / columns, (v + 0.5) / rows


def _color(bitmaps: Sequence[_Bitmap], seed: int | None) -> None:
    """The colors of all bitmaps in white light, those of one finish together."""
    kinds: dict[int, list[_Bitmap]] = defaultdict(list)
    shift = 0 if seed is None else 7919 * (seed + 1)
    for bitmap in bitmaps:
        if bitmap.is_plain:
            bitmap.color = np.broadcast_to(np.asarray(bitmap.part.rgb), (bitmap.size[1], bitmap.size[0], 3))
        else:
            kinds[id(bitmap.coat.finish)].append(bitmap)
    for kind in kinds.values():
        chunk: list[_Bitmap] = []
        count = 0
        for bitmap in kind:
            chunk.append(bitmap)
            count += bitmap.size[0] * bitmap.size[1]
            if count > _CHUNK:
                _paint(chunk, shift)
                chunk, count = [], 0
        if chunk:
            _paint(chunk, shift)
    for bitmap in bitmaps:
        if seed is not None and not bitmap.obj.is_structure:
            tone = np.random.default_rng([seed, bitmap.obj.instance_id]).uniform(-_JITTER, _JITTER)
            bitmap.color = np.asarray(bitmap.color) * (1.0 + tone)
        if bitmap.part.text and _is_printed(bitmap.part, bitmap.chart):
            _print(bitmap)


def _paint(chunk: Sequence[_Bitmap], shift: int) -> None:
    counts = [each.size[0] * each.size[1] for each in chunk]
    points = np.concatenate([_grid(each.chart, each.size)[0] for each in chunk])
    centers, sizes, base = (
        np.repeat(np.array([getattr(each.part, name) for each in chunk], dtype=np.float64), counts, axis=0)
        for name in ("center", "size", "rgb")
    )
    seeds = np.repeat(np.array([each.coat.seed + shift for each in chunk], dtype=np.int64), counts)
    colors = chunk[0].coat.finish.paint(Patch(points, points - centers, sizes, base, seeds))
    start = 0
    for each, count in zip(chunk, counts, strict=True):
        color = colors[start : start + count]
        pattern = each.coat.pattern
        if pattern is not None:
            place = points[start : start + count]
            across, along = (place[:, 1], place[:, 2]) if each.coat.is_wall else (place[:, 0], place[:, 1])
            joint = pattern.joint * np.asarray(each.part.rgb)
            color = np.where(pattern.joints(across, along)[:, None], joint, color)
        each.color = color.reshape(each.size[1], each.size[0], 3)
        start += count


def _is_printed(part: Part, chart: Chart) -> bool:
    """Whether a chart is the face of a part that bears its print."""
    if part.print_face == "z+" or part.shape == "box" or part.axis != "z":
        return chart.face == part.print_face
    return chart.face == "side"


def _print(bitmap: _Bitmap) -> None:
    """Ink on the bitmap of a printed face."""
    image: PrintImage = print_image(bitmap.part, _INK)
    points, _ = _grid(bitmap.chart, bitmap.size)
    spot = print_spot(bitmap.part, 0.0, 0.0, 0.0)
    if bitmap.chart.face == "side":
        x, y, z = bitmap.part.center
        right = 0.5 * bitmap.part.size[1] * np.arctan2(points[:, 1] - y, points[:, 0] - x)
        up = points[:, 2] - z
    else:
        offset = points - np.asarray(spot.middle)
        right, up = offset @ np.asarray(spot.right), offset @ np.asarray(spot.up)
    rows, columns = image.cover.shape
    column = (right / image.width + 0.5) * columns - 0.5
    row = (0.5 - up / image.height) * rows - 0.5
    shape = (bitmap.size[1], bitmap.size[0])
    at = (column.reshape(shape).astype(np.float32), row.reshape(shape).astype(np.float32))
    cover = cv2.remap(image.cover, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    share = cover[..., None].astype(np.float64) / 255.0
    bitmap.color = np.asarray(bitmap.color) * (1.0 - share) + np.asarray(image.color) * share


def _light(bitmaps: Sequence[_Bitmap], home: SceneSpec, seed: int | None) -> None:
    """What arrives at all bitmaps, and what shiny ones throw back towards the middle of the room."""
    grids = [_grid(each.chart, each.light_size) for each in bitmaps]
    counts = [len(points) for points, _ in grids]
    points, normals = _in_world(bitmaps, counts, grids)
    rooms = np.repeat(np.array([each.room for each in bitmaps], dtype=np.int64), counts)
    lighting = Lighting(home, SceneVoxels(home, points))
    carried = np.repeat(np.array([can_be_carried(each.obj) for each in bitmaps]), counts)
    light = np.empty((len(points), 3))
    fixed = np.flatnonzero(~carried)
    light[fixed] = lighting.shade(points[fixed], normals[fixed], rooms[fixed])
    light[carried] = _all_around(normals[carried], lighting.keys[rooms[carried]])[:, None]
    if seed is not None:
        light *= _gains(len(lighting.keys), seed)[rooms]
    glow = np.repeat(np.array([each.coat.finish.glow for each in bitmaps]), counts)[:, None]
    light = glow + (1.0 - glow) * light
    gloss, sharpness = (
        np.repeat(np.array([getattr(each.coat.finish, name) for each in bitmaps]), counts)
        for name in ("gloss", "sharpness")
    )
    shine = np.zeros(len(points))
    shiny = np.flatnonzero(gloss > 0)
    shine[shiny] = gloss[shiny] * lighting.highlight(points[shiny], normals[shiny], rooms[shiny], sharpness[shiny])
    found = np.concatenate([light, shine[:, None]], axis=1).astype(np.float32)
    start = 0
    for each, count in zip(bitmaps, counts, strict=True):
        each.light = found[start : start + count].reshape(each.light_size[1], each.light_size[0], 4)
        start += count


def can_be_carried(obj: ObjectSpec) -> bool:
    """Whether somebody might lift it off."""
    return not obj.is_structure and 0.0 < obj.mass < _CARRIED


def _all_around(normals: Array, keys: Array) -> Array:
    """Light (N,) on things that are not in the shade of others."""
    ambient = 0.86 + 0.07 * normals[:, 2] + 0.10 * np.clip(-normals[:, 2], 0.0, None)
    found: Array = ambient + 0.18 * np.clip((normals * keys).sum(axis=1), 0.0, None)
    return found


def _gains(rooms: int, seed: int) -> Array:
    """Random brightness and warmth (R, 3) of the light of each room."""
    rng = np.random.default_rng([seed, rooms])
    warm = rng.uniform(-_WARMTH, _WARMTH, rooms)
    found: Array = rng.uniform(*_GAIN, rooms)[:, None] * np.stack([1.0 + warm, np.ones(rooms), 1.0 - warm], axis=1)
    return found


def _in_world(
    bitmaps: Sequence[_Bitmap], counts: Sequence[int], grids: Sequence[tuple[Array, Array]]
) -> tuple[Array, Array]:
    points = np.concatenate([turned(each.part, grid[0]) for each, grid in zip(bitmaps, grids, strict=True)])
    normals = np.concatenate(
        [
            grid[1] if not any(each.part.rotation) else grid[1] @ rotation_of(each.part).T
            for each, grid in zip(bitmaps, grids, strict=True)
        ]
    )
    yaw = np.repeat(np.array([each.obj.yaw for each in bitmaps]), counts)
    c, s = np.cos(yaw), np.sin(yaw)

    def about_z(vectors: Array) -> Array:
        x, y, z = vectors.T
        return np.stack([c * x - s * y, s * x + c * y, z], axis=1)

    place = np.repeat(np.array([each.obj.position for each in bitmaps]), counts, axis=0)
    return about_z(points) + place, about_z(normals)


def _places(bitmaps: Sequence[_Bitmap]) -> atlas.Layout:
    """Where bitmaps lie, those of each room together."""
    rooms: dict[int, list[int]] = defaultdict(list)
    for number, bitmap in enumerate(bitmaps):
        rooms[bitmap.room].append(number)
    spots: dict[int, atlas.Spot] = {}
    pages: list[tuple[int, int]] = []
    for members in rooms.values():
        layout = atlas.pack([bitmaps[number].size for number in members])
        for number, spot in zip(members, layout.spots, strict=True):
            spots[number] = replace(spot, page=len(pages) + spot.page)
        pages += layout.pages
    return atlas.Layout(tuple(spots[number] for number in range(len(bitmaps))), tuple(pages))


def _pages(bitmaps: Sequence[_Bitmap], places: atlas.Layout) -> tuple[NDArray[np.uint8], ...]:
    pages = tuple(np.zeros((height, width, 3), np.uint8) for width, height in places.pages)
    for bitmap, spot in zip(bitmaps, places.spots, strict=True):
        atlas.paste(pages[spot.page], spot, _shown(bitmap))
    return pages


def _placed(bitmaps: Sequence[_Bitmap], places: atlas.Layout) -> dict[tuple[int, int], tuple[PlacedChart, ...]]:
    charts: dict[tuple[int, int], list[PlacedChart]] = defaultdict(list)
    for each, spot in zip(bitmaps, places.spots, strict=True):
        at = atlas.texture_places(each.chart.uv, spot, each.size, places.pages[spot.page])
        charts[(each.obj.instance_id, each.index)].append(PlacedChart(each.chart, spot.page, at))
    return {key: tuple(value) for key, value in charts.items()}


def _shown(bitmap: _Bitmap) -> NDArray[np.uint8]:
    """Colors in their light, (rows, columns, 3)."""
    light = bitmap.light
    if bitmap.light_size != bitmap.size:
        light = cv2.resize(light, bitmap.size, interpolation=cv2.INTER_LINEAR)
    shown = np.asarray(bitmap.color, dtype=np.float32) * light[..., :3]
    shown += light[..., 3:]
    return cv2.convertScaleAbs(np.maximum(shown, 0.0), alpha=255.0).reshape(*shown.shape)



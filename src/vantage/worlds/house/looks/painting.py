"""All surfaces of a home as bitmaps on pages: looks, print and the light of each room, as the home was specified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.looks import Patch, Pattern, PrintImage, print_image, print_spot
from vantage.scenes.spec import SceneSpec
from vantage.worlds.house.looks import atlas
from vantage.worlds.house.looks.bitmaps import INK, Bitmap, home_bitmaps, is_printed
from vantage.worlds.house.looks.page_cache import cache_key, keep_pages, read_pages
from vantage.worlds.house.looks.room_light import light_on
from vantage.worlds.house.looks.surfaces import Array, Chart

_CHUNK = 150_000  # places that are painted at once
_FINER = 2  # joints are looked for at so many places along and across a texel
_JITTER = 0.06  # by which a random texture is lighter or darker
_SHIFT = 7919  # of seeds of looks from one random texture to the next


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


def paint_home(home: SceneSpec, light_seed: int | None = None, texture_seed: int | None = None) -> PaintedHome:
    """Paint all parts of a home; the same home and seeds give the same bytes. Pages of the usual looks are kept.

    Args:
        light_seed: of random brightness and warmth of each room; None for usual light.
        texture_seed: of random grain and tone of all things; None for the usual ones.

    Raises:
        SceneError: a part has an unknown look, or a letter that cannot be printed.
    """
    bitmaps = home_bitmaps(home)
    places = _places(bitmaps)
    key = cache_key(home, light_seed, texture_seed)
    pages = read_pages(key, places.pages)
    if pages is None:
        pages = _pages(bitmaps, places, light_on(bitmaps, home, light_seed), texture_seed)
        if light_seed is None and texture_seed is None:  # those of a lot are not wanted again
            keep_pages(key, pages)
    return PaintedHome(pages, _placed(bitmaps, places))


def _places(bitmaps: Sequence[Bitmap]) -> atlas.Layout:
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


def _pages(
    bitmaps: Sequence[Bitmap], places: atlas.Layout, light: Sequence[NDArray[np.float32]], seed: int | None
) -> tuple[NDArray[np.uint8], ...]:
    pages = tuple(np.zeros((height, width, 3), np.uint8) for width, height in places.pages)
    for number, color in _colors(bitmaps, 0 if seed is None else _SHIFT * (seed + 1)):
        bitmap, spot = bitmaps[number], places.spots[number]
        if seed is not None and not bitmap.obj.is_structure:
            color = color * (1.0 + np.random.default_rng([seed, bitmap.obj.instance_id]).uniform(-_JITTER, _JITTER))
        if bitmap.part.text and is_printed(bitmap.part, bitmap.chart):
            color = _printed(bitmap, color)
        atlas.paste(pages[spot.page], spot, _shown(color, light[number], bitmap.size))
    return pages


def _colors(bitmaps: Sequence[Bitmap], shift: int) -> Iterator[tuple[int, Array]]:
    """Numbers of bitmaps and their colors (rows, columns, 3) in white light, those of one finish together."""
    kinds: dict[int, list[int]] = defaultdict(list)
    for number, bitmap in enumerate(bitmaps):
        if bitmap.is_plain:
            yield number, np.broadcast_to(np.asarray(bitmap.part.rgb), (bitmap.size[1], bitmap.size[0], 3))
        else:
            kinds[id(bitmap.coat.finish)].append(number)
    for kind in kinds.values():
        chunk: list[int] = []
        count = 0
        for number in kind:
            chunk.append(number)
            count += bitmaps[number].size[0] * bitmaps[number].size[1]
            if count > _CHUNK or number == kind[-1]:
                yield from zip(chunk, _painted([bitmaps[each] for each in chunk], shift), strict=True)
                chunk, count = [], 0


def _painted(chunk: Sequence[Bitmap], shift: int) -> Iterator[Array]:
    """Colors (rows, columns, 3) of bitmaps of one finish."""
    counts = [each.size[0] * each.size[1] for each in chunk]
    points = np.concatenate([each.grid(each.size)[0] for each in chunk])
    centers, sizes, base = (
        np.repeat(np.array([getattr(each.part, name) for each in chunk], dtype=np.float64), counts, axis=0)
        for name in ("center", "size", "rgb")
    )
    seeds = np.repeat(np.array([each.coat.seed + shift for each in chunk], dtype=np.int64), counts)
    colors = chunk[0].coat.finish.paint(Patch(points, points - centers, sizes, base, seeds))
    for each, end, count in zip(chunk, np.cumsum(counts), counts, strict=True):
        color = colors[end - count : end]
        if each.coat.pattern is not None:
            joint = each.coat.pattern.joint * np.asarray(each.part.rgb)
            color = color + _joint_shares(each, each.coat.pattern)[:, None] * (joint - color)
        yield color.reshape(each.size[1], each.size[0], 3)


def _joint_shares(bitmap: Bitmap, pattern: Pattern) -> Array:
    """How much of each texel (N,) joints fill, which are narrower than texels."""
    columns, rows = bitmap.size
    points, _ = bitmap.grid((_FINER * columns, _FINER * rows))
    across, along = (points[:, 1], points[:, 2]) if bitmap.coat.is_wall else (points[:, 0], points[:, 1])
    fine = pattern.joints(across, along).reshape(rows, _FINER, columns, _FINER)
    shares: Array = fine.mean(axis=(1, 3)).ravel()
    return shares


def _printed(bitmap: Bitmap, color: Array) -> Array:
    """The colors (rows, columns, 3) of a printed face with the ink on it."""
    image: PrintImage = print_image(bitmap.part, INK)
    points, _ = bitmap.grid(bitmap.size)
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
    found: Array = color * (1.0 - share) + np.asarray(image.color) * share
    return found


def _placed(bitmaps: Sequence[Bitmap], places: atlas.Layout) -> dict[tuple[int, int], tuple[PlacedChart, ...]]:
    charts: dict[tuple[int, int], list[PlacedChart]] = defaultdict(list)
    for each, spot in zip(bitmaps, places.spots, strict=True):
        at = atlas.texture_places(each.chart.uv, spot, each.size, places.pages[spot.page])
        charts[(each.obj.instance_id, each.index)].append(PlacedChart(each.chart, spot.page, at))
    return {key: tuple(value) for key, value in charts.items()}


def _shown(color: Array, light: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Colors in their light, (rows, columns, 3)."""
    if light.shape[:2] != (size[1], size[0]):
        light = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    shown = np.asarray(color, dtype=np.float32) * light[..., :3]
    shown += light[..., 3:]
    found = cv2.convertScaleAbs(np.maximum(shown, 0.0), alpha=255.0)
    return np.asarray(found, dtype=np.uint8).reshape(shown.shape)

"""The pixels of each instance of an id image, and where the surfaces lie that they show: two compiled passes over it.

A rendered depth mixes an object with what is before or behind it along silhouettes. So each sampled pixel has a
quality, and an object is located by its best pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.types import Observation

_NO_DEPTH, _ON_BORDER, _OFF_BORDER, _INNER = 0, 1, 2, 3
_SAMPLES = 500  # pixels that locate an object; more do not change a 2nd percentile
_TRIM = 0.02
_PLANE_TRIM = 0.25  # across a plane, whose edges run along many objects that stand before it
_MIN_CORE = 12  # pixels of one quality that are enough to locate an object
_BEND = 0.04  # relative bend of the inverse depth over 4 pixels beyond which surfaces mix
_STEEPEST = 5.85  # tangent of the angle between a ray and a surface's normal, beyond which depth leads between surfaces
_DEPTH_SLACK = 0.05  # m by which an object without clean pixels may be deeper than half its width
_FENCE = 1.5
_GOLDEN = 0.618
_ROOM = 16  # samples more than expected that there is room for
_MOST_IDS = 1 << 22  # span of ids up to which a table is faster than sorting

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class InstancePixels:
    """What an image shows of K instances.

    Attributes:
        ids: (K,), of the id image.
        pixels: (K,) how many.
        boxes: (K, 4) first column, first row, last column, last row.
        bounds: (K, 3, 3) 2nd percentile, median and 98th percentile of the visible surface along each world axis, m;
            NaN where no pixel has a depth.
    """

    ids: Ints
    pixels: Ints
    boxes: Ints
    bounds: Floats


def instance_pixels(
    observation: Observation, wanted: frozenset[int], min_pixels: int, planes: frozenset[int] = frozenset()
) -> InstancePixels:
    """The wanted instances with at least ``min_pixels`` pixels; the observation has ids and depth of one size.

    ``planes`` are known to be thin along one axis, such as walls and floors.
    """
    assert observation.instances is not None
    assert observation.depth is not None
    ids, depth = np.ascontiguousarray(observation.instances), np.ascontiguousarray(observation.depth)
    values: NDArray[Any]
    lowest, highest = int(ids.min()), int(ids.max())
    if highest - lowest < _MOST_IDS:
        table, values = ids - np.int32(lowest), np.arange(lowest, highest + 1)
    else:
        values, inverse = np.unique(ids, return_inverse=True)
        table = inverse.astype(np.int32)
    table = table.reshape(ids.shape)
    counts = _count(table, len(values))
    present = np.flatnonzero((counts >= min_pixels) & (values != 0))
    chosen = np.array([k for k in present if int(values[k]) in wanted], dtype=np.int64)
    slots = np.full(len(values), -1, dtype=np.int64)
    slots[chosen] = np.arange(len(chosen))
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    camera = observation.intrinsics
    boxes, firsts, found, samples, qualities = _sample(
        table,
        depth.astype(np.float32, copy=False),
        slots,
        counts[chosen],
        np.array([camera.fx, camera.fy, camera.cx, camera.cy]),
        np.ascontiguousarray(T_world_camera_optical[:3]),
    )
    bounds = np.full((len(chosen), 3, 3), np.nan)
    for k, (first, number) in enumerate(zip(firsts, found, strict=False)):
        part = slice(first, first + number)
        size = boxes[k, 2:] - boxes[k, :2] + 1
        half_width = 0.5 * float(size[0]) / camera.fx
        best = _best(samples[part], qualities[part], half_width)
        if len(best) >= _MIN_CORE:
            best = best[_plausible(best[:, 3], float(size.max()) / camera.fx)]
        best = best[:, :3]
        last = len(best) - 1
        if last >= 0:
            places = [round(share * last) for share in (_TRIM, 0.5, 1.0 - _TRIM)]
            bounds[k] = np.partition(best, places, axis=0)[places]
            if int(values[chosen[k]]) in planes:
                inner = np.quantile(best, [_PLANE_TRIM, 1.0 - _PLANE_TRIM], axis=0)
                across = int(np.argmin(inner[1] - inner[0]))
                bounds[k, [0, 2], across] = inner[:, across]
    return InstancePixels(values[chosen].astype(np.int64), counts[chosen], boxes, bounds)


@compiled
def _count(table: NDArray[np.int32], size: int) -> Ints:
    counts = np.zeros(size, dtype=np.int64)
    height, width = table.shape
    for row in range(height):
        start = 0
        for column in range(1, width + 1):
            if column == width or table[row, column] != table[row, start]:
                counts[table[row, start]] += column - start
                start = column
    return counts


@compiled
def _quality(table: NDArray[np.int32], depth: NDArray[np.float32], row: int, column: int, focal: float) -> int:
    """How far a pixel can be trusted to lie on the surface of its instance.

    ``_OFF_BORDER``: its four neighbours are of the same instance. ``_INNER``: so are those two pixels away, and along
    both axes the inverse depth, which is linear in the image of a plane, neither bends nor is as steep as where
    it leads from one surface to another.
    """
    height, width = table.shape
    z, key = depth[row, column], table[row, column]
    if not 0.0 < z < 1e6:
        return _NO_DEPTH
    if not (2 <= row < height - 2 and 2 <= column < width - 2):
        return _ON_BORDER
    for step, quality in ((1, _ON_BORDER), (2, _OFF_BORDER)):
        if (
            table[row - step, column] != key
            or table[row + step, column] != key
            or table[row, column - step] != key
            or table[row, column + step] != key
        ):
            return quality
    left, right = z / depth[row, column - 2], z / depth[row, column + 2]
    up, down = z / depth[row - 2, column], z / depth[row + 2, column]
    bend = max(abs(left + right - 2.0), abs(up + down - 2.0))
    slope = max(abs(left - right), abs(up - down))
    return _INNER if bend < _BEND and slope < 4.0 * _STEEPEST / focal else _OFF_BORDER


@compiled
def _sample(
    table: NDArray[np.int32], depth: NDArray[np.float32], slots: Ints, counts: Ints, camera: Floats, pose: Floats
) -> tuple[Ints, Ints, Ints, Floats, NDArray[np.uint8]]:
    """Pixels with a depth of the K instances that have a slot, about ``_SAMPLES`` of each.

    Args:
        pose: the upper part of T_world_camera_optical, (3, 4).

    Returns:
        Boxes (K, 4), the first sample (K + 1,) and the number of samples (K,) of each instance, and of each sample its
        place in the world and its depth (M, 4), m, and its quality (M,).
    """
    height, width = table.shape
    focal = min(camera[0], camera[1])
    k = len(counts)
    boxes = np.empty((k, 4), dtype=np.int64)
    boxes[:, :2], boxes[:, 2:] = max(height, width), -1
    strides = np.maximum(1, counts // _SAMPLES)
    firsts = np.zeros(k + 1, dtype=np.int64)
    for slot in range(k):
        firsts[slot + 1] = firsts[slot] + 2 * (counts[slot] // strides[slot]) + _ROOM
    found = np.zeros(k, dtype=np.int64)
    samples = np.empty((firsts[k], 4))  # world x, y, z and the depth
    qualities = np.empty(firsts[k], dtype=np.uint8)
    for row in range(height):
        start = 0
        for column in range(1, width + 1):
            if column < width and table[row, column] == table[row, start]:
                continue
            slot, end = slots[table[row, start]], column
            at, start = start, column
            if slot < 0:
                continue
            boxes[slot, 0], boxes[slot, 1] = min(boxes[slot, 0], at), min(boxes[slot, 1], row)
            boxes[slot, 2], boxes[slot, 3] = max(boxes[slot, 2], end - 1), max(boxes[slot, 3], row)
            stride = strides[slot]
            at += -(at + row * (int(_GOLDEN * stride) | 1)) % stride  # a lattice askew, so that no column is left out
            while at < end and firsts[slot] + found[slot] < firsts[slot + 1]:
                quality = _quality(table, depth, row, at, focal)
                if quality != _NO_DEPTH:
                    z = depth[row, at]
                    x, y = (at + 0.5 - camera[2]) * z / camera[0], (row + 0.5 - camera[3]) * z / camera[1]
                    into = firsts[slot] + found[slot]
                    for axis in range(3):
                        samples[into, axis] = pose[axis, 0] * x + pose[axis, 1] * y + pose[axis, 2] * z + pose[axis, 3]
                    samples[into, 3] = z
                    qualities[into] = quality
                    found[slot] += 1
                at += stride
    return boxes, firsts, found, samples, qualities


def _best(samples: Floats, qualities: NDArray[np.uint8], half_width: float) -> Floats:
    """The best samples (M, 4) to locate an object by: inner ones, else those near its median depth.

    ``half_width``: of the object in the image, m for each metre of depth; it may be as deep as that.
    """
    inner: NDArray[np.bool_] = qualities == _INNER
    if np.count_nonzero(inner) >= _MIN_CORE:
        return np.asarray(samples[inner])
    off_border = qualities >= _OFF_BORDER
    if np.count_nonzero(off_border) >= _MIN_CORE:
        samples = samples[off_border]
    if len(samples) == 0:
        return samples
    middle = float(np.median(samples[:, 3]))
    return samples[np.abs(samples[:, 3] - middle) <= _DEPTH_SLACK + half_width * middle]


def _plausible(depths: Floats, size: float) -> NDArray[np.bool_]:
    """Which depths (M,), m, may be those of one object: not outliers (Tukey 1977) by more than it is large.

    ``size``: of the object in the image, m for each metre of depth.
    """
    count = len(depths)
    quarter, middle, three = np.partition(depths, [count // 4, count // 2, (3 * count) // 4])[
        [count // 4, count // 2, (3 * count) // 4]
    ]
    fence = _FENCE * (three - quarter) + _DEPTH_SLACK + size * middle
    return np.asarray((depths >= quarter - 0.5 * fence) & (depths <= three + fence))

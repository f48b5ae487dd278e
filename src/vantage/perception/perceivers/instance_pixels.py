"""The pixels of each instance of an id image, and where the surfaces lie that they show: one compiled pass over it.

The pass finds the runs of equal ids along rows; all else follows from these and from a sample of their pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.perception.perceivers.surface_bounds import INNER, NO_DEPTH, OFF_BORDER, ON_BORDER, surface_bounds
from vantage.types import Observation

_SAMPLES = 500  # pixels that locate an object; more do not change a 2nd percentile
_BEND = 0.04  # relative bend of the inverse depth over 4 pixels beyond which surfaces mix
_STEEPEST = 5.85  # tangent of the angle between a ray and a surface's normal, beyond which depth leads between surfaces
_GOLDEN = 0.618
_ROOM = 16  # samples more than expected that there is room for

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class InstancePixels:
    """What an image shows of K instances.

    Attributes:
        ids: (K,), of the id image.
        pixels: (K,) how many of the color image.
        boxes: (K, 4) first column, first row, last column, last row, in pixels of the color image.
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
    """The wanted instances with at least ``min_pixels`` pixels of the color image; the observation has ids and depth of
    one size, which may have fewer pixels.

    ``planes`` are known to be thin along one axis, such as walls and floors.
    """
    assert observation.instances is not None
    assert observation.depth is not None
    ids, depth = np.ascontiguousarray(observation.instances), np.ascontiguousarray(observation.depth)
    runs = _runs(ids)
    keys = ids.ravel()[runs[:, 0] * ids.shape[1] + runs[:, 1]]
    values = np.unique(keys)
    numbers = np.searchsorted(values, keys)
    counts = np.bincount(numbers, runs[:, 2] - runs[:, 1]).astype(np.int64)
    share = observation.color_pixels
    present = np.flatnonzero((counts * share >= min_pixels) & (values != 0))
    chosen = np.array([k for k in present if int(values[k]) in wanted], dtype=np.int64)
    slots = np.full(len(values), -1, dtype=np.int64)
    slots[chosen] = np.arange(len(chosen))
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    camera = observation.depth_camera
    boxes, firsts, found, samples, qualities = _sample(
        ids,
        depth.astype(np.float32, copy=False),
        runs,
        slots[numbers],
        counts[chosen],
        np.array([camera.fx, camera.fy, camera.cx, camera.cy]),
        np.ascontiguousarray(T_world_camera_optical[:3]),
    )
    is_plane = np.array([int(value) in planes for value in values[chosen]], dtype=np.bool_)
    sizes = (boxes[:, 2:] - boxes[:, :2] + 1) / camera.fx
    bounds = surface_bounds(samples, qualities, firsts, found, sizes, is_plane)
    pixels = counts[chosen]
    if observation.depth_intrinsics is not None:
        pixels, boxes = np.rint(pixels * share).astype(np.int64), _in_color_pixels(boxes, observation)
    return InstancePixels(values[chosen].astype(np.int64), pixels, boxes, bounds)


def _in_color_pixels(boxes: Ints, observation: Observation) -> Ints:
    """Boxes (K, 4) of an id image, with all pixels of the color image that they touch."""
    few, many = observation.depth_camera, observation.intrinsics
    low = boxes[:, :2] * [many.width, many.height] // [few.width, few.height]
    high = -(-(boxes[:, 2:] + 1) * [many.width, many.height] // [few.width, few.height]) - 1
    return np.concatenate([low, high], axis=1).astype(np.int64)


@compiled
def _runs(ids: NDArray[np.int32]) -> Ints:
    """Row, first column and the column after the last of each run of equal ids along a row, (R, 3)."""
    height, width = ids.shape
    runs = np.empty((height * width, 3), dtype=np.int64)
    count = 0
    for row in range(height):
        start = 0
        for column in range(1, width + 1):
            if column == width or ids[row, column] != ids[row, column - 1]:
                runs[count, 0], runs[count, 1], runs[count, 2] = row, start, column
                count += 1
                start = column
    return runs[:count]


@compiled
def _quality(ids: NDArray[np.int32], depth: NDArray[np.float32], row: int, column: int, focal: float) -> int:
    """How far a pixel can be trusted to lie on the surface of its instance.

    ``OFF_BORDER``: its four neighbours are of the same instance. ``INNER``: so are those two pixels away, and along
    both axes the inverse depth, which is linear in the image of a plane, neither bends nor is as steep as where
    it leads from one surface to another.
    """
    height, width = ids.shape
    z, key = depth[row, column], ids[row, column]
    if not 0.0 < z < 1e6:
        return NO_DEPTH
    if not (2 <= row < height - 2 and 2 <= column < width - 2):
        return ON_BORDER
    for step, quality in ((1, ON_BORDER), (2, OFF_BORDER)):
        if (
            ids[row - step, column] != key
            or ids[row + step, column] != key
            or ids[row, column - step] != key
            or ids[row, column + step] != key
        ):
            return quality
    left, right = z / depth[row, column - 2], z / depth[row, column + 2]
    up, down = z / depth[row - 2, column], z / depth[row + 2, column]
    bend = max(abs(left + right - 2.0), abs(up + down - 2.0))
    slope = max(abs(left - right), abs(up - down))
    return INNER if bend < _BEND and slope < 4.0 * _STEEPEST / focal else OFF_BORDER


@compiled
def _sample(
    ids: NDArray[np.int32],
    depth: NDArray[np.float32],
    runs: Ints,
    slots: Ints,
    counts: Ints,
    camera: Floats,
    pose: Floats,
) -> tuple[Ints, Ints, Ints, Floats, NDArray[np.uint8]]:
    """Pixels with a depth of the K instances that have a slot, about ``_SAMPLES`` of each.

    Args:
        slots: of each run, -1 where its instance has none, (R,).
        pose: the upper part of T_world_camera_optical, (3, 4).

    Returns:
        Boxes (K, 4), the first sample (K + 1,) and the number of samples (K,) of each instance, and of each sample its
        place in the world and its depth (M, 4), m, and its quality (M,).
    """
    focal = min(camera[0], camera[1])
    k = len(counts)
    boxes = np.empty((k, 4), dtype=np.int64)
    boxes[:, :2], boxes[:, 2:] = max(ids.shape), -1
    strides = np.maximum(1, counts // _SAMPLES)
    firsts = np.zeros(k + 1, dtype=np.int64)
    for slot in range(k):
        firsts[slot + 1] = firsts[slot] + 2 * (counts[slot] // strides[slot]) + _ROOM
    found = np.zeros(k, dtype=np.int64)
    samples = np.empty((firsts[k], 4))  # world x, y, z and the depth
    qualities = np.empty(firsts[k], dtype=np.uint8)
    for run in range(len(runs)):
        slot, row, at, end = slots[run], runs[run, 0], runs[run, 1], runs[run, 2]
        if slot < 0:
            continue
        boxes[slot, 0], boxes[slot, 1] = min(boxes[slot, 0], at), min(boxes[slot, 1], row)
        boxes[slot, 2], boxes[slot, 3] = max(boxes[slot, 2], end - 1), max(boxes[slot, 3], row)
        stride = strides[slot]
        at += -(at + row * (int(_GOLDEN * stride) | 1)) % stride  # a lattice askew, so that no column is left out
        while at < end and firsts[slot] + found[slot] < firsts[slot + 1]:
            quality = _quality(ids, depth, row, at, focal)
            if quality != NO_DEPTH:
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

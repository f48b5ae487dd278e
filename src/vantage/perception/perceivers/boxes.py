"""Boxes in a picture, whoever drew them, as located detections: which pixels belong to the object, and where it is.

A box around an object holds some of what is behind and below it. The object is what lies near the depth of the middle
of its box and differs in color from what surrounds the box (GrabCut: Rother, Kolmogorov and Blake 2004, as in OpenCV).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError
from vantage.perception.perceivers.instance_pixels import instance_pixels
from vantage.scenes.spec import nearest_color
from vantage.types import Detection, Observation, Point

_MIDDLE = 0.25  # share of a box on each side that is not its middle
_SLACK = 0.06  # m by which an object may be deeper than it is wide
_SIDE = 96  # pixels of the longer side to which a box is brought before colors are parted
_RIM = 0.15  # of the box, on each side, that is looked at as surroundings
_ROUNDS = 2
_LEAST = 0.15  # share of the pixels at the right depth that must be left when colors were parted
_SAME = 0.7  # overlap (intersection over union) of boxes of one label that show one object

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class FoundBox:
    """What somebody found in a picture.

    Attributes:
        box: x, y, width, height in pixels.
        score: 0..1.
        color: empty where it was not told; then it is read from the pixels.
        text: words read on it.
    """

    label: str
    score: float
    box: tuple[int, int, int, int]
    color: str = ""
    material: str = ""
    states: tuple[str, ...] = ()
    shape: str = ""
    text: str = ""


def check_depth(observation: Observation, perceiver: str) -> None:
    """
    Raises:
        VantageError: the observation has no depth, or one of another size than its intrinsics say.
    """
    if observation.depth is None:
        raise VantageError(
            f"the {perceiver} perceiver cannot tell where things are without depth; use a camera or a world with depth"
        )
    smaller = observation.depth_intrinsics
    if observation.depth.shape != (observation.rgb.shape[:2] if smaller is None else (smaller.height, smaller.width)):
        raise VantageError(
            f"depth image {observation.depth.shape} and picture {observation.rgb.shape[:2]} differ in size; "
            "give images of one view"
        )


def located(observation: Observation, found: Sequence[FoundBox], min_pixels: int) -> tuple[Detection, ...]:
    """The objects in the boxes, located in the world frame (m), by falling number of pixels; without identities.

    Left out: boxes outside the picture, boxes of one label that show one object, objects with fewer than ``min_pixels``
    pixels or without depth. The observation has depth (``check_depth``); one of fewer pixels is enlarged.
    """
    observation = replace(observation, depth=observation.color_depth, depth_intrinsics=None)
    height, width = observation.rgb.shape[:2]
    boxes = [inside for each in _without_repeats(found) if (inside := _clipped(each, width, height)) is not None]
    boxes.sort(key=lambda each: -each.box[2] * each.box[3])
    ids = np.zeros((height, width), dtype=np.int32)
    for number, each in enumerate(boxes, start=1):  # small ones last: they stand before large ones
        left, top, w, h = each.box
        part = ids[top : top + h, left : left + w]
        part[_mask(observation, each.box)] = number
    if not boxes:
        return ()
    shown = instance_pixels(replace(observation, instances=ids), frozenset(range(1, len(boxes) + 1)), min_pixels)
    order = [int(k) for k in np.argsort(-shown.pixels, kind="stable") if np.isfinite(shown.bounds[k]).all()]
    found_objects = []
    for k in order:
        each = boxes[int(shown.ids[k]) - 1]
        low, center, high = (_point(value) for value in shown.bounds[k])
        left, top, w, h = each.box
        found_objects.append(
            Detection(
                instance_id=0,
                label=each.label,
                color=each.color or _color(observation.rgb, ids, int(shown.ids[k]), each.box),
                material=each.material,
                confidence=each.score,
                pixels=int(shown.pixels[k]),
                box=each.box,
                center=center,
                bounds_min=low,
                bounds_max=high,
                states=each.states,
                truncated=left <= 0 or top <= 0 or left + w >= width or top + h >= height,
                shape=each.shape,
                text=each.text,
            )
        )
    return tuple(found_objects)


def _clipped(found: FoundBox, width: int, height: int) -> FoundBox | None:
    x, y, w, h = found.box
    left, top = max(0, x), max(0, y)
    right, bottom = min(width, x + w), min(height, y + h)
    return replace(found, box=(left, top, right - left, bottom - top)) if left < right and top < bottom else None


def _without_repeats(found: Sequence[FoundBox]) -> list[FoundBox]:
    """The surest of boxes of one label that overlap."""
    kept: list[FoundBox] = []
    for each in sorted(found, key=lambda item: -item.score):
        if not any(each.label == other.label and _overlap(each.box, other.box) >= _SAME for other in kept):
            kept.append(each)
    return kept


def _overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> float:
    """Intersection over union of two boxes."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(0, wide) * max(0, high)
    together = one[2] * one[3] + other[2] * other[3] - shared
    return shared / together if together > 0 else 0.0


def _mask(observation: Observation, box: tuple[int, int, int, int]) -> Mask:
    """Which pixels of a box, (height, width), belong to the object in it."""
    left, top, width, height = box
    assert observation.depth is not None
    depth = observation.depth[top : top + height, left : left + width]
    rows, columns = round(_MIDDLE * height), round(_MIDDLE * width)
    middle = depth[rows : height - rows, columns : width - columns]
    middle = middle[np.isfinite(middle) & (middle > 0.0)]
    if not len(middle):
        return np.zeros((height, width), dtype=bool)
    at = float(np.median(middle))
    focal = min(observation.intrinsics.fx, observation.intrinsics.fy)
    near: Mask = np.abs(depth - at) <= _SLACK + 0.5 * max(width, height) / focal * at
    apart = _apart_by_color(observation.rgb, box, near)
    return apart if np.count_nonzero(apart) >= _LEAST * np.count_nonzero(near) else near


def _apart_by_color(rgb: NDArray[np.uint8], box: tuple[int, int, int, int], near: Mask) -> Mask:
    """The pixels of ``near`` whose color is not that of the surroundings of the box."""
    left, top, width, height = box
    rim = 2 + round(_RIM * max(width, height))
    x0, y0 = max(0, left - rim), max(0, top - rim)
    part = rgb[y0 : top + height + rim, x0 : left + width + rim]
    marks = np.full(part.shape[:2], cv2.GC_BGD, dtype=np.uint8)
    inner = marks[top - y0 : top - y0 + height, left - x0 : left - x0 + width]
    inner[near] = cv2.GC_PR_FGD
    scale = min(1.0, _SIDE / max(part.shape[:2]))
    if scale < 1.0:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        marks = np.asarray(cv2.resize(marks, part.shape[1::-1], interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    few = 8
    if np.count_nonzero(marks == cv2.GC_BGD) < few or np.count_nonzero(marks == cv2.GC_PR_FGD) < few:
        return near
    cv2.setRNGSeed(0)  # the same picture gives the same detections
    background, object_colors = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(
        np.ascontiguousarray(part), marks, (0, 0, 0, 0), background, object_colors, _ROUNDS, cv2.GC_INIT_WITH_MASK
    )
    obj = np.asarray((marks == cv2.GC_PR_FGD) | (marks == cv2.GC_FGD), dtype=np.uint8)
    if scale < 1.0:
        size = min(left + width + rim, rgb.shape[1]) - x0, min(top + height + rim, rgb.shape[0]) - y0
        obj = np.asarray(cv2.resize(obj, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    inside = obj[top - y0 : top - y0 + height, left - x0 : left - x0 + width] > 0
    return np.asarray(near & inside)


def _color(rgb: NDArray[np.uint8], ids: NDArray[np.int32], number: int, box: tuple[int, int, int, int]) -> str:
    left, top, width, height = box
    part = slice(top, top + height), slice(left, left + width)
    r, g, b = np.median(rgb[part][ids[part] == number], axis=0) / 255.0
    return nearest_color((float(r), float(g), float(b)))


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])

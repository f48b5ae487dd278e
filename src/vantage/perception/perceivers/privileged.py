"""A perceiver that reads the simulator's instance ids, but only as far as the one view supports it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vantage.errors import VantageError
from vantage.perception.object_categories import PLANES
from vantage.perception.perceivers.instance_pixels import InstancePixels, instance_pixels
from vantage.types import Detection, InstanceLabel, Observation, Point

_HANDLE_SHARE = 0.25  # of the pixels that other objects need: a handle is a thin bar


class PrivilegedPerceiver:
    """One detection per instance of which the view shows enough pixels.

    Labels come with ``min_pixels`` pixels, color, material, shape and states with twice as many: a far object is
    noticed before it is made out. The confidence is pixels / (pixels + min_pixels). Bounds are the 2nd to 98th
    percentile of the visible surface without the border of its mask and without silhouettes, where a rendered depth
    mixes the object with what is before or behind it.

    Parts with ids of their own, such as handles, belong to the object that they are on; where they are is told besides,
    by detections with ``part_of``, which come last and with a quarter of the pixels.
    """

    name = "privileged"

    def __init__(self, min_pixels: int = 60, **_: object) -> None:
        """Takes and ignores the options of other perceivers.

        Raises:
            VantageError: ``min_pixels`` is not positive.
        """
        if min_pixels < 1:
            raise VantageError(f"min_pixels is {min_pixels}; give at least 1 pixel")
        self.min_pixels = min_pixels
        self.attribute_pixels = 2 * min_pixels

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """The instances that this view shows, by falling number of pixels.

        Raises:
            VantageError: the observation has no instance ids, no legend or no depth, or sizes that disagree.
        """
        legend = _checked_legend(observation, self.name)
        parts = {key: label for key, label in legend.items() if label.part_of}
        if not parts:
            return self._detections(observation, legend, self.min_pixels)
        objects = {key: label for key, label in legend.items() if key not in parts}
        found = self._detections(_folded(observation, parts), objects, self.min_pixels)
        return found + self._detections(observation, parts, max(1, math.ceil(_HANDLE_SHARE * self.min_pixels)))

    def _detections(
        self, observation: Observation, legend: Mapping[int, InstanceLabel], least: int
    ) -> tuple[Detection, ...]:
        """What is in a legend and has so many pixels at least, by falling number of pixels."""
        planes = frozenset(key for key, label in legend.items() if label.label in PLANES)
        shown = instance_pixels(observation, frozenset(legend), least, planes)
        order = np.argsort(-shown.pixels, kind="stable")
        located = [int(k) for k in order if np.isfinite(shown.bounds[k]).all()]
        size = observation.intrinsics.width, observation.intrinsics.height
        return tuple(self._detection(legend[int(shown.ids[k])], shown, k, size) for k in located)

    def _detection(self, label: InstanceLabel, shown: InstancePixels, k: int, size: tuple[int, int]) -> Detection:
        left, top, right, bottom = (int(value) for value in shown.boxes[k])
        pixels = int(shown.pixels[k])
        made_out = pixels >= self.attribute_pixels
        low, center, high = shown.bounds[k]
        return Detection(
            instance_id=label.instance_id,
            label=label.label,
            color=label.color if made_out else "",
            material=label.material if made_out else "",
            confidence=pixels / (pixels + self.min_pixels),
            pixels=pixels,
            box=(left, top, right - left + 1, bottom - top + 1),
            center=_point(center),
            bounds_min=_point(low),
            bounds_max=_point(high),
            states=label.states if made_out else (),
            truncated=left == 0 or top == 0 or right == size[0] - 1 or bottom == size[1] - 1,
            shape=label.shape if made_out else "",
            room=label.room,
            part_of=label.part_of,
        )


def _folded(observation: Observation, parts: Mapping[int, InstanceLabel]) -> Observation:
    """The same view, in which parts have the ids of the objects that they are on."""
    ids = np.array(observation.instances, np.int32)
    known = np.array(sorted(parts), np.int64)
    owners = np.array([parts[int(key)].part_of for key in known], np.int32)
    rows, columns = np.nonzero(ids >= known[0])
    keys = ids[rows, columns]
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    is_part = known[at] == keys
    ids[rows[is_part], columns[is_part]] = owners[at[is_part]]
    return replace(observation, instances=ids)


def _checked_legend(observation: Observation, perceiver: str) -> dict[int, InstanceLabel]:
    ids, depth, legend = observation.instances, observation.depth, observation.legend
    if ids is None or depth is None or legend is None:
        parts = {"instance ids": ids, "a legend": legend, "depth": depth}
        missing = [name for name, part in parts.items() if part is None]
        raise VantageError(
            f"the {perceiver} perceiver needs {' and '.join(missing)} in each observation and got none; "
            "use a simulated world with world.instances on, or another perceiver"
        )
    shape = (observation.depth_camera.height, observation.depth_camera.width)
    if ids.shape != shape or depth.shape != shape:
        raise VantageError(
            f"instance image {ids.shape} and depth image {depth.shape} must have the size {shape} of their camera; "
            "give images of one view"
        )
    return dict(legend)


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])

"""Detections of objects with given boxes, and a memory of them."""

from __future__ import annotations

import numpy as np

from vantage.perception.map.observed_scene import ObservedScene
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Detection, Observation, Point

CAMERA = Intrinsics.from_fov(32, 24, 1.2)


def detection(key: int, label: str, low: Point, high: Point, room: str = "", states: tuple[str, ...] = ()) -> Detection:
    x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
    return Detection(key, label, "", "", 0.99, 5000, (0, 0, 8, 8), (x, y, z), low, high, states, room=room)


def remembered(*objects: Detection) -> ObservedScene:
    """A memory that saw them once, from the middle of a place of 8 x 4 m."""
    memory = ObservedScene()
    view = Observation(1, Viewpoint(4.0, 2.0, 1.2, 0.0, 0.0), CAMERA, np.zeros((24, 32, 3), np.uint8))
    memory.add(view, objects)
    return memory

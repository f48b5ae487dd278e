"""Where something is by the line of sight through the middle of its box in the picture, and the depth along it.

A perceiver that errs puts what it detects a little beside, farther the fewer pixels show it. Its box in the picture and
the depth in it tell that place to a cm or two, as long as the thing is compact: what a hand has to get at.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.extents import as_point
from vantage.types import Detection, Observation

_MIDDLE = 0.25  # share of a box on each side that is not its middle
_FILLED = 0.3  # share of its box in the picture that a thing fills at the least, for the middle to be of it
_AROUND, _KNOWN = 2, 0.9  # pixels around a box, and share of those in there that have to have a depth
_SLACK = 0.03  # m by which a thing may be deeper than it is wide
_FARTHEST = 0.25  # m from where a perceiver put it; farther off, something else is before or behind it there
_REACH, _LARGEST = 2.5, 0.25  # m up to which, from near, small things are located for the hand: large ones err less
_OUTERMOST = 5.0  # percentiles that are left out of its depths, on both sides


def middle_in_sight(observation: Observation, detection: Detection) -> NDArray[np.float64] | None:
    """(3,) m, world frame: the middle of what the view shows in the box of a detection at the depth of its middle; None
    where the view has no depth there, or only that of something else, as where the hand covers a part of it."""
    if observation.depth is None:
        return None
    around = _cut_out(observation, detection, _AROUND)
    if np.count_nonzero(np.isfinite(around)) < _KNOWN * around.size:
        return None
    left, top, width, height = detection.box
    part = _cut_out(observation, detection, 0)
    fills = detection.pixels >= _FILLED * width * height
    depths = _near_middle(observation, part) if fills else part[np.isfinite(part)]
    if not len(depths):
        return None
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    low, high = np.percentile(depths, (_OUTERMOST, 100.0 - _OUTERMOST)).tolist()
    z = 0.5 * (low + high)
    if not fills:  # the middle of the box may be beside it
        z = min(
            max(float((detection.center - T_world_camera_optical[:3, 3]) @ T_world_camera_optical[:3, 2]), low), high
        )
    camera = observation.intrinsics
    x = (left + 0.5 * width - camera.cx) / camera.fx * z
    y = (top + 0.5 * height - camera.cy) / camera.fy * z
    place: NDArray[np.float64] = (T_world_camera_optical @ (x, y, z, 1.0))[:3]
    return place if float(np.linalg.norm(place - detection.center)) <= _FARTHEST else None


def is_within_reach(observation: Observation, detection: Detection) -> bool:
    """Whether a view shows from near, and wholly, what is small enough for a hand."""
    size = np.subtract(detection.bounds_max, detection.bounds_min)
    away = np.linalg.norm(np.subtract(detection.center, observation.viewpoint.position))
    return not detection.truncated and float(away) <= _REACH and float(size.max()) <= _LARGEST


def area_at(observation: Observation, detection: Detection, place: NDArray[np.float64]) -> float:
    """How large the box of a detection is at a place (3,), m^2, seen straight on."""
    camera, away = observation.intrinsics, float(np.linalg.norm(place - observation.viewpoint.position))
    return detection.box[2] * detection.box[3] * away**2 / (camera.fx * camera.fy)


def _cut_out(observation: Observation, detection: Detection, around: int) -> NDArray[np.float32]:
    """Depths in the box of a detection, and in so many pixels around it, (h, w), m."""
    assert observation.depth is not None
    few, many = observation.depth_camera, observation.intrinsics
    across, down = few.width / many.width, few.height / many.height
    left, top, width, height = detection.box
    first, upper = int(left * across), int(top * down)
    last, lower = max(math.ceil((left + width) * across), first + 1), max(math.ceil((top + height) * down), upper + 1)
    return observation.depth[max(upper - around, 0) : lower + around, max(first - around, 0) : last + around]


def _near_middle(observation: Observation, part: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of the depths (h, w) in a box those (N,) that are about as in its middle, m."""
    camera = observation.depth_camera
    rows, columns = int(_MIDDLE * part.shape[0]), int(_MIDDLE * part.shape[1])
    middle = part[rows : part.shape[0] - rows, columns : part.shape[1] - columns]
    middle = middle[middle > 0.0]
    if not len(middle):
        return middle
    at = float(np.median(middle))
    reach = _SLACK + 0.5 * max(part.shape[1] / camera.fx, part.shape[0] / camera.fy) * at
    return np.asarray(part[np.abs(part - at) <= reach])


def put_in_sight(observation: Observation, detection: Detection) -> Detection | None:
    """The detection, of its size, where the view shows it; None where that cannot be told, as where the border of the
    picture cuts it off or something unknown is before it. It is as it was without a depth image, and where it has an
    identity, as only a simulator can tell, which tells its place as well."""
    if detection.instance_id > 0 or observation.depth is None:
        return detection
    place = None if detection.truncated else middle_in_sight(observation, detection)
    if place is None:
        return None
    shift = place - np.array(detection.center)
    return replace(
        detection,
        center=as_point(place),
        bounds_min=as_point(np.array(detection.bounds_min) + shift),
        bounds_max=as_point(np.array(detection.bounds_max) + shift),
    )

"""How large a view should show a box, as far as its depth image tells that nothing is before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.types import Observation

_GRID = 6  # rays across and down the image of a box
_MOST_HIDDEN = 0.2  # share of the rays that may end before the box
_SLACK = 0.05  # m before the box in which a ray already belongs to it
_FILLED = 0.5  # share of its box in the image that an object covers

Floats = NDArray[np.float64]


def expected_pixels(observation: Observation, lows: Floats, highs: Floats) -> Floats:
    """How many pixels of the color image boxes (N, 3; world frame, m) would cover if objects filled half of them, (N,).

    0 where the box is cut by the image border, behind the camera, or hidden by something nearer; all 0 without a depth
    image.
    """
    if observation.depth is None or len(lows) == 0:
        return np.zeros(len(lows))
    camera = observation.depth_camera
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    expected = _expected(
        np.ascontiguousarray(observation.depth, dtype=np.float32),
        np.array([camera.fx, camera.fy, camera.cx, camera.cy]),
        np.ascontiguousarray(T_world_camera_optical[:3, :3]),
        np.ascontiguousarray(T_world_camera_optical[:3, 3]),
        lows,
        highs,
    )
    return expected if camera is observation.intrinsics else expected * observation.color_pixels


@compiled
def _expected(
    depth: NDArray[np.float32], camera: Floats, rotation: Floats, position: Floats, lows: Floats, highs: Floats
) -> Floats:
    height, width = depth.shape
    found = np.zeros(len(lows))
    for box in range(len(lows)):
        left, top, right, bottom, near, far = np.inf, np.inf, -np.inf, -np.inf, np.inf, -np.inf
        for corner in range(8):
            optical = np.zeros(3)
            for axis in range(3):
                along = (highs if corner >> axis & 1 else lows)[box, axis] - position[axis]
                for k in range(3):
                    optical[k] += rotation[axis, k] * along
            near, far = min(near, optical[2]), max(far, optical[2])
            if optical[2] < 0.05:
                continue
            u, v = camera[0] * optical[0] / optical[2] + camera[2], camera[1] * optical[1] / optical[2] + camera[3]
            left, right, top, bottom = min(left, u), max(right, u), min(top, v), max(bottom, v)
        if near < 0.05 or left < 0.0 or top < 0.0 or right >= width or bottom >= height:
            continue
        hidden = 0
        for row in range(_GRID):
            for column in range(_GRID):
                u = left + (right - left) * (column + 0.5) / _GRID
                v = top + (bottom - top) * (row + 0.5) / _GRID
                z = depth[int(v), int(u)]
                hidden += not z >= near - _SLACK  # no depth tells nothing
        if hidden <= _MOST_HIDDEN * _GRID * _GRID:
            found[box] = _FILLED * (right - left) * (bottom - top)
    return found

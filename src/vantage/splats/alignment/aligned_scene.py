"""A scene file for a cloud whose gravity and floor were found: pose, bounds, a first view and where to start."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from vantage.errors import UsageError
from vantage.spatial import Matrix, Viewpoint, quaternion, rigid
from vantage.splats.alignment.gravity import Alignment
from vantage.splats.alignment.planes import Floats
from vantage.types import Point

_EYE = 1.5  # m above the floor, in rooms that are high enough
_AROUND = 1.5  # how far a camera may go from an object, in largest extents of the object
_APART = 1.3  # distance of the first view from the middle of an object, in the same unit
_BODY = 0.25  # m: a body around the camera that is to fit before even a small object
_SPOTS = 12  # along each side of a room, that are tried for the first view
_REACH = 0.25  # m, half the start region, in scenes that are large enough


@dataclass(frozen=True, eq=False)
class AlignedScene:
    """What a scene file says of a cloud that stands on z = 0 with its content around the z axis; m, world frame."""

    T_world_cloud: Matrix
    metres_per_unit: float
    bounds: tuple[Point, Point]
    start: Viewpoint
    start_region: tuple[Point, Point]

    def document(self) -> dict[str, Any]:
        """The keys of ``scene.yaml`` that ``load_scene`` reads."""
        return {
            "T_world_cloud": {
                "rotation": [round(value, 9) for value in quaternion(self.T_world_cloud[:3, :3])],
                "position": _rounded(self.T_world_cloud[:3, 3]),
            },
            "metres_per_unit": float(self.metres_per_unit),
            "floor": 0.0,
            "bounds": {"min": _rounded(self.bounds[0]), "max": _rounded(self.bounds[1])},
            "start": {
                "position": _rounded(self.start.position),
                "yaw": round(self.start.yaw, 6),
                "pitch": round(self.start.pitch, 6),
            },
            "start_region": {"min": _rounded(self.start_region[0]), "max": _rounded(self.start_region[1])},
        }


def place_in_world(alignment: Alignment, metres_per_unit: float = 1.0) -> AlignedScene:
    """Put the floor to z = 0 and the content around the origin; a room is entered, an object is looked at from outside.

    Raises:
        UsageError: the unit is not positive and finite.
    """
    unit = metres_per_unit
    if not (unit > 0 and math.isfinite(unit)):
        raise UsageError(f"metres per unit must be a positive number, got {unit}")
    middle = 0.5 * (alignment.low + alignment.high)
    origin = np.array([middle[0], middle[1], alignment.floor])
    T_world_cloud = rigid(alignment.rotation, -unit * origin)
    points = unit * (alignment.points - origin)
    low, high = unit * (alignment.low - origin), unit * (alignment.high - origin)
    low[2], high[2] = 0.0, unit * alignment.height
    if alignment.enclosed:
        start = _inside_view(points, low, high)
    else:
        extent = float((high - low).max())
        distance = 0.5 * (high[0] - low[0]) + max(_APART * extent, 2.0 * _BODY)
        start = Viewpoint.looking_at((distance, 0.0, max(0.6 * high[2], _BODY)), (0.0, 0.0, 0.45 * high[2]))
        around = max(_AROUND * extent, 4.0 * _BODY)
        low[:2], high = low[:2] - around, high + around
    reach = min(_REACH, 0.1 * float((high - low).min()))
    region = _point(np.maximum(start.position - reach, low)), _point(np.minimum(start.position + reach, high))
    return AlignedScene(T_world_cloud, unit, (_point(low), _point(high)), start, region)


def _inside_view(points: Floats, low: Floats, high: Floats) -> Viewpoint:
    """From the place that is far from the middle, yet clear of everything, at eye height; to the middle of the room."""
    height = float(high[2])
    eye = min(_EYE, 0.6 * height)
    x, y = (np.linspace(low[k], high[k], _SPOTS + 2)[1:-1] for k in range(2))
    spots = np.stack([*(axis.ravel() for axis in np.meshgrid(x, y)), np.full(_SPOTS**2, eye)], axis=1)
    gaps = np.array([float(np.sqrt(((points - spot) ** 2).sum(axis=1).min())) for spot in spots])
    clear = gaps >= 0.6 * gaps.max()
    middle = np.array([0.0, 0.0, 0.35 * height])
    far = np.where(clear, np.linalg.norm(spots - middle, axis=1), -1.0)
    return Viewpoint.looking_at(spots[int(np.argmax(far))], middle)


def _point(values: Floats) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _rounded(values: Any) -> list[float]:
    """To 0.1 mm or six digits, whichever is finer."""
    largest = max(abs(float(value)) for value in values)
    digits = max(4, 6 - math.floor(math.log10(largest))) if largest > 0 else 4
    return [round(float(value), digits) for value in values]

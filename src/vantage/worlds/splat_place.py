"""A splat scene made ready for a camera, and why the camera cannot be somewhere in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vantage.scenes.spec import SceneSpec
from vantage.spatial import Viewpoint
from vantage.splats import SplatScene
from vantage.splats.space import FreeSpace, OccupancyGrid
from vantage.types import InstanceLabel, Point
from vantage.worlds.limits import MotionLimits


@dataclass(frozen=True)
class Place:
    """A scene made ready for a body of a certain size: where it is solid and where the camera may be.

    Attributes:
        spec: of a home whose things can be moved; None for other scenes.
    """

    scene: SplatScene
    space: FreeSpace
    limits: MotionLimits
    legend: Mapping[int, InstanceLabel]
    spec: SceneSpec | None = None

    @property
    def occupancy(self) -> OccupancyGrid:
        """What the body must not meet: what is solid, and what it cannot reach from the start of the scene."""
        return self.space.grid


def why_not(place: Place, start: Viewpoint) -> str:
    """In words, why the body cannot be at a start, and where it could be instead."""
    space, (x, y, z) = place.space, start.position
    nearest = space.nearest_place((x, y, z))
    advice = "" if nearest is None else ", for instance at ({:.3f}, {:.3f}, {:.3f}) m".format(*nearest)
    if space.penetrates((x, y, z)):
        reason = f"touches {_object_near(place, (x, y, z)) or 'an obstacle'}"
    else:
        reason = f"is cut off: {space.problem((x, y, z))}"
    return f"a body of radius {space.radius} m at ({x:.2f}, {y:.2f}, {z:.2f}) m {reason}; choose another start{advice}"


def _object_near(place: Place, point: Point) -> str:
    """In words, the object whose solid Gaussians come closest to a point; empty where nothing has a name."""
    cloud = place.scene.cloud
    named = np.flatnonzero((cloud.instances > 0) & (cloud.opacities > 0.5))
    if not place.legend or len(named) == 0:
        return ""
    gaps = np.linalg.norm(cloud.means[named] - np.asarray(point, dtype=np.float32), axis=1)
    label = place.legend.get(int(cloud.instances[named[int(np.argmin(gaps))]]))
    return "" if label is None else f"the {label.label}"

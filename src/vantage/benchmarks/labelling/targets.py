"""What is known of a target, and how much of it a view shows."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from vantage.benchmarks.labelling.raycast import Solids
from vantage.benchmarks.labelling.surface_samples import SurfaceSamples

_ALONG = np.array([each for each in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(each)])
_DIRECTIONS = _ALONG / np.linalg.norm(_ALONG, axis=1, keepdims=True)


@dataclass(frozen=True)
class TargetView:
    """How much of a target a view shows.

    Attributes:
        fraction: visible share of its exposed area, 0..1.
        top_fraction: visible share of all its top, 0..1.
        pixels: that the visible part would cover in the middle of the image.
        cut_off: share of its exposed area that lies outside of the image, 0..1; 0 where all of it is hidden.
    """

    fraction: float
    top_fraction: float
    pixels: float
    cut_off: float = 0.0


class Target:
    """What is known of one target.

    Attributes:
        samples: of its surface. own: its primitives.
        sphere: centre (m, world frame) and radius (m) of a sphere around the samples.
        broadest: area (m^2) that it shows from its broadest side, estimated: half of the surface projected along the
            best of some directions, and no more than a side of the box around it.
    """

    def __init__(self, samples: SurfaceSamples, own: Solids) -> None:
        self.samples, self.own = samples, own
        self.area, self.top_area = float(samples.areas.sum()), float(samples.areas[samples.top].sum())
        points = samples.points if len(samples) else np.zeros((1, 3))
        center = 0.5 * (points.min(axis=0) + points.max(axis=0))
        radius = float(np.linalg.norm(points - center, axis=1).max())
        self.sphere = ((float(center[0]), float(center[1]), float(center[2])), radius)
        width, depth, height = (float(side) for side in points.max(axis=0) - points.min(axis=0))
        faces = max(math.hypot(width, depth) * height, width * depth)
        shadows = 0.5 * np.abs(samples.normals @ _DIRECTIONS.T * samples.areas[:, None]).sum(axis=0)
        self.broadest = min(faces, float(shadows.max()))

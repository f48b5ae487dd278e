"""Where the targets of a question lie in a picture: goals of oracles have them whole and near the middle."""

from __future__ import annotations

import math

import numpy as np

from vantage.benchmarks.labelling.ray_crossings import Floats
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import FIRST_VIEW_RULE, TruthQuestion

MOST_OFF_AXIS = math.radians(30.0)  # of the middle of a target in a goal view


def off_axis(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint) -> float:
    """Largest angle between the optical axis and the way to the middle of a target, rad."""
    axis = viewpoint.T_world_camera_optical()[:3, 2]
    ahead = _ways(visibility, truth, viewpoint) @ axis
    return float(np.arccos(np.clip(ahead, -1.0, 1.0)).max())


def cut_off(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint, intrinsics: Intrinsics) -> float:
    """Largest share of a target, 0..1, that lies outside of the image."""
    return max(visibility.view(target, viewpoint, intrinsics).cut_off for target in truth.target_instances)


def frames_targets(
    visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint, intrinsics: Intrinsics
) -> bool:
    """Whether all targets lie whole in the image and within ``MOST_OFF_AXIS``; the first view rule did not ask."""
    if visibility.settings.view_rule == FIRST_VIEW_RULE:
        return True
    if off_axis(visibility, truth, viewpoint) > MOST_OFF_AXIS:
        return False
    return cut_off(visibility, truth, viewpoint, intrinsics) == 0.0


def centred(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint) -> Viewpoint:
    """The view from the same spot that has the middle of the targets on its axis, whatever pitch that takes."""
    way = _ways(visibility, truth, viewpoint).mean(axis=0)
    return Viewpoint.looking_at(viewpoint.position, viewpoint.position + way)


def _ways(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint) -> Floats:
    """(T, 3) unit vectors from the camera to the middle of each target."""
    middles = np.array([visibility.sphere(target)[0] for target in truth.target_instances])
    ways = middles - viewpoint.position
    return np.asarray(ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9))

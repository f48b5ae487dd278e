"""Goal views: clearer than an answer needs, with their targets whole and near the middle of the picture."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from vantage.benchmarks.labelling.needed_visibility import needs_of
from vantage.benchmarks.labelling.ray_crossings import Floats
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.benchmarks.labelling.visibility_settings import VisibilitySettings
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import FIRST_VIEW_RULE, Point, TruthQuestion

MOST_OFF_AXIS = math.radians(30.0)  # of the middle of a target in a goal view
_LARGER, _STATE = 4.0, 2.0  # times as many pixels as an answer needs; a state needs many
_NEARER = 1.3  # times as large letters
_SEEN, _BROAD = 0.95, 0.5  # least share of a target that shows, and of the area that it has from its broadest side
_OUTLINE = 0.7  # the same of the latter where a shape is asked for
_MADE_OUT = 0.5  # least share of what else stands where something is absent: it might be that
_TOP, _PLACE, _PART = 0.85, 0.7, 0.3  # the same of tops, of places of counted things, and of parts that move
_STEEPER = math.radians(6.0)  # above the elevation that an answer needs


def off_axis(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint) -> float:
    """Largest angle between the optical axis and the way to the middle of a target, rad."""
    axis = viewpoint.T_world_camera_optical()[:3, 2]
    ahead = _ways(visibility, truth, viewpoint) @ axis
    return float(np.arccos(np.clip(ahead, -1.0, 1.0)).max())


def cut_off(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint, intrinsics: Intrinsics) -> float:
    """Largest share of a target, 0..1, that lies outside of the image."""
    return max(visibility.view(target, viewpoint, intrinsics).cut_off for target in truth.target_instances)


def is_goal_view(
    visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint, intrinsics: Intrinsics
) -> bool:
    """Whether a view answers and is one that an oracle may lead to, as no reader would doubt what it shows.

    All targets lie whole in the image and within ``MOST_OFF_AXIS``, larger and freer than an answer needs, and not
    edge-on; where something is absent, what is there instead can be made out. The first view rule asked for none of
    this.
    """
    if visibility.settings.view_rule == FIRST_VIEW_RULE:
        return visibility.answers(truth, viewpoint, intrinsics)
    if off_axis(visibility, truth, viewpoint) > MOST_OFF_AXIS:
        return False
    if cut_off(visibility, truth, viewpoint, intrinsics) > 0.0:
        return False
    if not visibility.judged_by(_clear(visibility.settings)).answers(truth, viewpoint, intrinsics):
        return False
    if needs_of(truth).absent:
        return all(
            visibility.view(thing, viewpoint, intrinsics).fraction >= _MADE_OUT for thing in _there(visibility, truth)
        )
    broad = _OUTLINE if truth.kind == "shape" else _BROAD
    return all(visibility.breadth(target, viewpoint, intrinsics) >= broad for target in truth.target_instances)


def goal_distance(visibility: SceneVisibility, truth: TruthQuestion, target: int, intrinsics: Intrinsics) -> float:
    """A distance (m) from its sphere beyond which a target is certainly too small for a goal view."""
    return visibility.judged_by(_clear(visibility.settings)).farthest(truth, target, intrinsics)


def may_be_goal(visibility: SceneVisibility, truth: TruthQuestion, position: Point) -> bool:
    """Whether a goal view may be had from a position (m, world frame) by looking in the right direction."""
    return visibility.judged_by(_clear(visibility.settings)).could_answer(truth, position)


def centred(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint) -> Viewpoint:
    """The view from the same spot that has the middle of the targets on its axis, whatever pitch that takes."""
    way = _ways(visibility, truth, viewpoint).mean(axis=0)
    return Viewpoint.looking_at(viewpoint.position, viewpoint.position + way)


def _there(visibility: SceneVisibility, truth: TruthQuestion) -> list[int]:
    """What stands on the targets, or in them."""
    known = () if visibility.home is None else visibility.home.objects
    return [obj.instance_id for obj in known if obj.parent in truth.target_instances]


@lru_cache(maxsize=64)
def _clear(settings: VisibilitySettings) -> VisibilitySettings:
    """Thresholds beyond doubt; the first view rule knew no such."""
    if settings.view_rule == FIRST_VIEW_RULE:
        return settings
    return replace(
        settings,
        pixels=_LARGER * settings.pixels,
        colour_pixels=_LARGER * settings.colour_pixels,
        material_pixels=_LARGER * settings.material_pixels,
        count_pixels=_LARGER * settings.count_pixels,
        state_pixels=_STATE * settings.state_pixels,
        print_distance=settings.print_distance / _NEARER,
        print_share=1.0,
        fraction=max(settings.fraction, _SEEN),
        top_fraction=max(settings.top_fraction, _TOP),
        place_fraction=max(settings.place_fraction, _PLACE),
        part_fraction=max(settings.part_fraction, _PART),
        look_down=settings.look_down + _STEEPER,
    )


def _ways(visibility: SceneVisibility, truth: TruthQuestion, viewpoint: Viewpoint) -> Floats:
    """(T, 3) unit vectors from the camera to the middle of each target."""
    middles = np.array([visibility.sphere(target)[0] for target in truth.target_instances])
    ways = middles - viewpoint.position
    return np.asarray(ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9))

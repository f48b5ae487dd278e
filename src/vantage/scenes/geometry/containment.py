"""Whether a thing is inside another: that has walls all around it, be it only when its doors are closed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.scenes.geometry.motion import moved
from vantage.scenes.geometry.solids import Shape, Solid, contains
from vantage.scenes.spec.spec import Joint, ObjectSpec, Part

Array = NDArray[np.float64]

_RIM = 0.03  # m: what rises less around a thing does not make it be in something
_RAYS = 16
_STOPPED = 14  # of the rays around a thing that is in something; there are gaps between doors
_THIN = 0.001  # m
_SIDES = ("y+", "x-", "y-", "x+")  # in the order of the edges of a box's outline


def encloses(outer: ObjectSpec, solid: Solid, thing: Solid) -> bool:
    """Whether a thing has walls of another all around, be it only when the doors of that are closed.

    Args:
        outer: the other one, and ``solid``, where it is.
        thing: where the thing is.
    """
    low, high = thing.bounds
    level = float(low[2]) + _RIM, max(float(high[2]), float(low[2]) + _RIM + _THIN)
    if solid.bounds[1][2] <= level[0]:
        return False
    middle = 0.5 * (low[:2] + high[:2])
    if _surround(solid, outer.parts, middle, level):
        return True
    if all(joint.position == joint.low for joint in outer.joints):
        return False
    try:
        parts = closed_parts(outer.parts, outer.joints)
    except SceneError:  # a leaf that stands askew closes nothing that boxes could show
        return False
    return _surround(Shape.of(parts).placed(outer.position, outer.yaw), parts, middle, level)


def closed_parts(parts: Sequence[Part], joints: Sequence[Joint]) -> tuple[Part, ...]:
    """The same primitives with all joints at the low ends of their ranges.

    Raises:
        SceneError: a hinge does not stand at a multiple of a right angle.
    """
    moving = {joint.part: joint for joint in joints if joint.position != joint.low}
    return tuple(
        moved(part, moving[part.name], moving[part.name].low - moving[part.name].position)
        if part.name in moving
        else part
        for part in parts
    )


def _surround(solid: Solid, parts: Sequence[Part], middle: Array, level: tuple[float, float]) -> bool:
    """Whether nearly all level rays from a point (2,) meet sides of parts that reach into a range of heights."""
    edges = []
    for k in np.flatnonzero((solid.high[:, 2] > level[0]) & (solid.low[:, 2] < level[1])).tolist():
        outline = solid.outline(k)
        ends = np.stack([outline, outline[[*range(1, len(outline)), 0]]], axis=1)
        around = bool(((solid.low[k, :2] < middle) & (middle < solid.high[k, :2])).all())
        if solid.shape.hollow[k] and not solid.shape.round[k]:
            edges.append(ends[[side not in parts[k].open_faces for side in _SIDES]])
        elif solid.shape.hollow[k] or not (around and contains(outline, middle[None], 0.0)):
            edges.append(ends)
    if not edges:
        return False
    segments = np.concatenate(edges)
    starts, ways = segments[:, 0] - middle, segments[:, 1] - segments[:, 0]
    angles = math.tau * (np.arange(_RAYS) + 0.37) / _RAYS  # askew, so that no ray runs along a face
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None]
    turn = _cross(rays, ways)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach, along = _cross(starts, ways) / turn, _cross(starts, rays) / turn
    return int(((reach > 0) & (along >= 0) & (along <= 1)).any(axis=1).sum()) >= _STOPPED


def _cross(a: Array, b: Array) -> Array:
    product: Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product

"""Where somebody who enters a home would look from first."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry.reachability import BODY_RADIUS, EYE_HEIGHT
from vantage.scenes.spec import SceneSpec, object_bounds, points_inside, polygon, rooms_of, signed_area
from vantage.spatial import Viewpoint

Array = NDArray[np.float64]

_INSET = 0.7  # m: distance of a good view from the walls
_STEP = 0.25  # m between the places that are tried
_ENOUGH = 0.4  # m: more room around the eye makes a view no better


def first_view(spec: SceneSpec) -> Viewpoint:
    """A view from eye height over as much as possible of the largest room."""
    room = max(rooms_of(spec), key=lambda each: signed_area(each.outline))
    outline = np.array(room.outline)
    low, high = outline.min(axis=0), outline.max(axis=0)
    inset = np.minimum(_INSET, 0.5 * (high - low) - 1e-3)
    x, y = (np.arange(low[k] + inset[k], high[k] - inset[k] + 1e-6, _STEP) for k in range(2))
    spots: NDArray[np.float64] = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    spots = spots[points_inside(room.outline, *spots.T)]
    if not len(spots):
        spots = np.array(polygon(room.outline).representative_point().coords)
    floor = spec.bounds_min[2]
    eyes = np.column_stack([spots, np.full(len(spots), floor + EYE_HEIGHT)])
    gaps = _gaps(eyes, spec)
    middle = spots.mean(axis=0)
    distance = np.linalg.norm(spots - middle, axis=1)
    best = int(np.argmax(distance * (gaps > 2 * BODY_RADIUS) + np.minimum(gaps, _ENOUGH)))
    target = 2.0 * middle - spots[best]
    if distance[best] < _STEP:
        target = high
    return Viewpoint.looking_at(tuple(eyes[best]), (float(target[0]), float(target[1]), floor + 0.75))


def _gaps(eyes: Array, spec: SceneSpec) -> Array:
    """Distance (N,) of eyes from the nearest object, m."""
    nearest = np.full(len(eyes), math.inf)
    for obj in spec.objects:
        if not obj.is_structure:
            low, high = object_bounds(obj)
            outside = np.maximum(np.maximum(np.asarray(low) - eyes, eyes - np.asarray(high)), 0.0)
            nearest = np.minimum(nearest, np.linalg.norm(outside, axis=1))
    return nearest

"""Faces of parts that nobody can see, because other parts of the same rigid body hide them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vantage.scenes.spec import Part

_TOUCH = 1e-4  # m: faces that are nearer to a solid box lie against it
_STRAIGHT = 1e-9  # rad: what is turned by less stands straight


def covered_faces(parts: Sequence[Part]) -> list[list[str]]:
    """For every part, the faces of a box that lie wholly inside or against another solid box of the same rigid body.

    Boxes that are turned neither hide anything nor are hidden.
    """
    found: list[list[str]] = [[] for _ in parts]
    straight = [k for k, part in enumerate(parts) if part.shape == "box" and math.hypot(*part.rotation) < _STRAIGHT]
    solid = [k for k in straight if not parts[k].open_faces]
    if not solid or len(straight) < 2:
        return found
    centers = np.array([part.center for part in parts])
    halves = 0.5 * np.array([part.size for part in parts])
    lows, highs = centers - halves, centers + halves
    others = np.asarray(solid)[None, :] != np.asarray(straight)[:, None]
    for axis in range(3):
        for sign, planes in (("-", lows), ("+", highs)):
            low, high = lows[straight], highs[straight]
            low[:, axis] = high[:, axis] = planes[straight, axis]
            inside = (lows[solid][None] - _TOUCH <= low[:, None]).all(axis=2)
            inside &= (highs[solid][None] + _TOUCH >= high[:, None]).all(axis=2)
            for k in np.flatnonzero((inside & others).any(axis=1)):
                found[straight[int(k)]].append("xyz"[axis] + sign)
    return found

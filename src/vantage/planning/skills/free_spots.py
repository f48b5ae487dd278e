"""Where on or in a thing there is room for another one, by boxes and by the surfaces that were seen."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from vantage.perception import OPENINGS
from vantage.perception.map import OCCUPIED, ObservedObject
from vantage.planning.skills.situation import Situation
from vantage.types import Point

_BESIDE = 0.03  # m around a thing that is put somewhere
_GRID = 0.06  # m between places that are tried
_UNEVEN = 0.06  # m by which the surface below a thing may go up and down, as voxels show it
_TOP = 0.07  # m below the top of a thing down to which its surface is that top: voxels are as coarse
_COARSE = 0.08  # m by which a surface that voxels show may be lower
_OVER = 0.04  # m above the rim of a crate or basket, at which the top of a thing is let go
_CENTRAL = 3.0  # m of way that a m farther from the edge is worth: what stands near it falls
_LEAST = 0.1  # m around the middle of a thing, in which its place is level: backs and rims are narrower
_GUESSED = 10.0  # m of way that it costs that nothing was seen of a place
_ROOMY = 0.15  # m from the edge, from which on farther is no better


def free_spots(
    now: Situation, support: ObservedObject, obj: ObservedObject, size: Point, relation: str = "on"
) -> list[Point]:
    """Places (m) on or in a support with room for a thing, best first: well inside, then near the robot.

    On a thing that is not level at its top, such as an armchair, those of its surfaces count on which the thing lies
    level. Where there is too little room for all of it, its middle may be over the middle of the support.

    Args:
        size: of the box of the thing, m, as it stood.
    """
    reach = 0.5 * max(size[0], size[1])
    body = now.memory.body_of(support) if relation == "in" else support.box
    low, high = body.low, body.high
    middle = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
    bottom = low[2] + 0.02
    if relation == "in" and "closed" not in support.states and not now.memory.handles_of(support):
        # it falls in, and the hand stays outside
        bottom = max(bottom, high[2] + _OVER - size[2])
    heights = _heights(now, support) if relation == "on" else None
    others = others_around(now, support, obj)
    found: list[tuple[float, Point]] = []
    for margin, grid, least in (
        (reach + _BESIDE, _GRID, _LEAST),
        (reach, _GRID, _LEAST),
        (0.5 * reach, _GRID, _LEAST),
        (0.5 * reach, 0.5 * _GRID, 0.7 * _LEAST),
    ):
        xs, ys = (
            np.arange(low[k] + margin, high[k] - margin + 1e-6, grid) if high[k] - low[k] > 2 * margin else [middle[k]]
            for k in (0, 1)
        )
        for x, y in itertools.product(map(float, xs), map(float, ys)):
            level = bottom if heights is None else _level(heights, high[2], x, y, max(0.8 * margin, least))
            guessed = math.isnan(level)
            level = high[2] if guessed else level
            base = level if level >= high[2] - _TOP else level - _COARSE
            beside = min(max(margin, 0.8 * reach), reach + _BESIDE)
            if not math.isfinite(level) or any(is_there(other, x, y, base, beside) for other in others):
                continue
            inside = min(x - low[0], high[0] - x, y - low[1], high[1] - y) - margin
            away = math.dist((x, y), (now.here.x, now.here.y))
            cost = away - _CENTRAL * min(inside, _ROOMY) + _GUESSED * guessed
            found.append((cost, (x, y, float(level))))
        if found:
            break
    if relation == "in" and not found:
        found = [(0.0, (*middle, bottom))]
    return [spot for _, spot in sorted(found)]


def others_around(now: Situation, support: ObservedObject, obj: ObservedObject | None) -> list[ObservedObject]:
    """What may take up room on or in a thing, but for the other one that is put there."""
    known = now.memory.objects
    return [each for each in known if each not in (support, obj, now.memory.held) and each.label not in OPENINGS]


def is_there(other: ObservedObject, x: float, y: float, level: float, margin: float) -> bool:
    """Whether something takes up room at a place (m), or within a margin of it, above a level."""
    above = other.bounds_max[2] > level + 0.01 and other.bounds_min[2] < level + 0.3
    return above and bool(other.box.covers(x, y, margin))


Heights = tuple[NDArray[np.float64], NDArray[np.float64], float]  # (n, m) m, NaN where nothing is; corner (2,); cell


def _heights(now: Situation, support: ObservedObject) -> Heights | None:
    """How high the surfaces of a thing are, by the map of space; None without one."""
    coverage = now.coverage
    if coverage is None:
        return None
    low = np.array([*support.bounds_min[:2], support.bounds_min[2]]) - coverage.origin
    high = np.array([*support.bounds_max[:2], support.bounds_max[2] + 0.5 * coverage.voxel]) - coverage.origin
    first = np.clip(np.floor(low / coverage.voxel), 0, coverage.shape).astype(int)
    last = np.clip(np.ceil(high / coverage.voxel), 0, coverage.shape).astype(int)
    block = coverage.states[first[0] : last[0], first[1] : last[1], first[2] : last[2]] == OCCUPIED
    if not block.size:
        return None
    tops = block.shape[2] - np.argmax(block[:, :, ::-1], axis=2)
    heights = coverage.origin[2] + (first[2] + tops) * coverage.voxel
    heights = np.where(block.any(axis=2), heights, np.nan)
    return heights, coverage.origin[:2] + first[:2] * coverage.voxel, coverage.voxel


def _level(heights: Heights, highest: float, x: float, y: float, around: float) -> float:
    """Height of the surface on which a thing comes to lie; infinite where it would lie askew, NaN where nothing was
    seen."""
    values, corner, cell = heights
    i0, j0 = (math.floor((a - around - c) / cell) for a, c in ((x, corner[0]), (y, corner[1])))
    i1, j1 = (math.floor((a + around - c) / cell) + 1 for a, c in ((x, corner[0]), (y, corner[1])))
    patch = values[max(i0, 0) : max(i1, 0), max(j0, 0) : max(j1, 0)]
    if not patch.size or np.isnan(patch).all():
        return math.nan  # nothing was seen there
    top = float(np.nanmax(patch))
    if float(np.nanmin(patch)) < top - _UNEVEN:
        return math.inf
    return highest if highest - top < _TOP else top

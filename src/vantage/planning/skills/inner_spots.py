"""Where there is room in a thing that stands open at its front: on its bottom and its boards, by the map of space."""

from __future__ import annotations

import math

import numpy as np

from vantage.perception import ROOFED
from vantage.perception.map import FREE, OCCUPIED, ObservedObject
from vantage.planning.skills.free_spots import is_there, others_around
from vantage.planning.skills.situation import Situation
from vantage.types import Point

_DRAWERS = frozenset({"desk", "dresser", "nightstand"})  # of these, which are filled from above
_BESIDE = 0.02  # m around a thing that is put somewhere
_WALL = 0.02  # m that sides and back take up
_HEADROOM = 0.03  # m above a thing
_GRID = 0.05  # m between places that are tried
_BORNE = 0.3  # share of what is below a thing that has to be seen to bear it: its edge hides the rest of a board
_FREE = 0.3  # share of the space that it takes up which has to be seen free, where nothing may be seen filled
_INSIDE, _DEEP = 3.0, 0.1  # m of way that a m farther from the sides is worth, up to so many m
_SPOTS = 12
_ROOFED = 0.8  # share of a thing over which the top has to be: not all is seen free there
_TOP = 3  # layers of voxels in which the top of a thing is, or what it hides
_SEEN_FROM_ABOVE = 0.1  # m above the top of a thing from where that is seen: what is not below it, is before it
_PLINTH = 0.04  # m above its lowest point at which its bottom is at the least


def opens_at_its_front(now: Situation, support: ObservedObject) -> bool:
    """Whether a hand gets into a thing from before it, under its top."""
    by_doors = support.label in ROOFED - _DRAWERS and not now.memory.is_drawn_out(support)
    return by_doors and "closed" not in support.states


def inner_spots(now: Situation, support: ObservedObject, size: Point) -> list[Point]:
    """Places (m) in a thing on which another one fits, those first that are well inside, then those near the robot.

    Args:
        size: of the box of that thing as it is put there, m.
    """
    coverage = now.coverage
    if coverage is None:
        return []
    body = now.memory.body_of(support)
    low, high = np.array(body.low), np.array(body.high)
    voxel, half = coverage.voxel, 0.5 * np.array(size) + _BESIDE
    others = others_around(now, support, now.memory.held)
    tall = math.ceil((size[2] + _HEADROOM) / voxel)
    first = np.clip(np.floor((low - coverage.origin) / voxel), 0, coverage.shape).astype(int)
    last = np.clip(np.ceil((high - coverage.origin) / voxel), 0, coverage.shape).astype(int)
    states = coverage.states[tuple(slice(a, b) for a, b in zip(first, last, strict=True))]
    filled, free = states == OCCUPIED, states == FREE
    roof = ~free[:, :, -_TOP:].all(axis=2)
    below_eye = high[2] < now.here.z - _SEEN_FROM_ABOVE
    found: list[tuple[float, Point]] = []
    for k in range(filled.shape[2] - tall):
        level = float(coverage.origin[2] + (first[2] + k + 1) * voxel)
        if level < low[2] + _PLINTH:  # the floor before it
            continue
        for x in np.arange(low[0] + half[0] + _WALL, high[0] - half[0] - _WALL + 1e-6, _GRID):
            for y in np.arange(low[1] + half[1] + _WALL, high[1] - half[1] - _WALL + 1e-6, _GRID):
                i, j = (np.array([x, y]) - half[:2] - coverage.origin[:2]) / voxel - first[:2]
                m, n = (np.array([x, y]) + half[:2] - coverage.origin[:2]) / voxel - first[:2]
                patch = slice(max(round(i), 0), max(round(m), 1)), slice(max(round(j), 0), max(round(n), 1))
                above = (*patch, slice(k + 1, k + 1 + tall))
                borne = filled[(*patch, k)]
                if below_eye and not roof[patch].mean() >= _ROOFED:
                    continue
                if not borne.size or borne.mean() < _BORNE or filled[above].any() or free[above].mean() < _FREE:
                    continue
                if any(is_there(other, float(x), float(y), level - voxel, float(half[:2].max())) for other in others):
                    continue
                edge = min(x - low[0], high[0] - x, y - low[1], high[1] - y) - float(half[:2].max())
                away = math.dist((x, y), (now.here.x, now.here.y))
                cost = away - float(borne.mean()) - _INSIDE * min(edge, _DEEP)
                found.append((cost, (float(x), float(y), level)))
    return [spot for _, spot in sorted(found)[:_SPOTS]]

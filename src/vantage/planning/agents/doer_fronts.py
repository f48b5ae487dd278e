"""From which side one looks into something that stands open: where its door stands out, or where one can stand."""

from __future__ import annotations

import numpy as np

from vantage.perception.map import FREE, CoverageMap
from vantage.types import Point

Box = tuple[Point, Point]
_STANDS_OUT = 0.15  # m by which a box grows at the side to which it opens
_BEFORE = (0.15, 0.75)  # m before a side that has to be free, so that one can stand there and open it
_SPACING = 0.1  # m between the points of that space which are asked
_LOW, _HIGH = 0.4, 1.4  # m above the bottom of the box between which they lie
_FREE_ENOUGH = 0.5  # of the share of the freest side, from which on another side is a front, too


def front_of(closed: Box, opened: Box) -> Point | None:
    """The side of a box to which it opens, from its box while it was closed and since (m): where its door or lid
    stands out most; None where none is seen to."""
    out = np.stack([np.subtract(closed[0], opened[0]), np.subtract(opened[1], closed[1])])
    side, axis = divmod(int(np.argmax(out)), 3)
    if out[side, axis] < _STANDS_OUT or (side, axis) == (0, 2):
        return None
    normal = np.zeros(3)
    normal[axis] = 1.0 if side else -1.0
    return (float(normal[0]), float(normal[1]), float(normal[2]))


def free_sides(coverage: CoverageMap, box: Box) -> list[Point]:
    """The horizontal sides of a box (m) before which space is known to be free, the freest first, two at most."""
    low, high = np.array(box[0]), np.array(box[1])
    heights = np.arange(low[2] + _LOW, low[2] + _HIGH, _SPACING)
    found: list[tuple[float, Point]] = []
    for axis in (0, 1):
        along = np.linspace(low[1 - axis], high[1 - axis], 5)
        for sign, start in ((-1.0, low[axis]), (1.0, high[axis])):
            away = start + sign * np.arange(*_BEFORE, _SPACING)
            grid = np.stack(np.meshgrid(away, along, heights, indexing="ij"), axis=-1).reshape(-1, 3)
            points = grid if axis == 0 else grid[:, [1, 0, 2]]
            share = float((coverage.state(points) == FREE).mean())
            found.append((share, (sign, 0.0, 0.0) if axis == 0 else (0.0, sign, 0.0)))
    found.sort(key=lambda each: each[0], reverse=True)
    least = _FREE_ENOUGH * found[0][0]
    return [side for share, side in found[:2] if share > 0.0 and share >= least]

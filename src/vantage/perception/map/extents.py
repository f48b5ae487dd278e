"""Boxes along the world's axes, as two corners, that are moved or made larger."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.types import Point

Extent = tuple[Point, Point]  # low and high corner of a box, world frame, m

Floats = NDArray[np.float64]


def carried(place: Extent, before: Floats, now: Floats) -> Extent:
    """A box whose middle moved as a frame did, from one pose (4, 4) to another; its sides stay along the axes."""
    low, high = np.array(place[0]), np.array(place[1])
    middle = np.append(0.5 * (low + high), 1.0)
    by = (now @ np.linalg.inv(before) @ middle - middle)[:3]
    return as_point(low + by), as_point(high + by)


def widened(place: Extent, by: float) -> Extent:
    """A box that reaches ``by`` m farther to all sides."""
    return as_point(np.array(place[0]) - by), as_point(np.array(place[1]) + by)


def shifted_into(place: Extent, outer: Extent) -> Extent:
    """A box moved as little as brings it into another; where it is larger than that, its low side is within."""
    low, high = list(place[0]), list(place[1])
    for axis in range(3):
        shift = max(outer[0][axis] - low[axis], 0.0) or min(outer[1][axis] - high[axis], 0.0)
        low[axis], high[axis] = low[axis] + shift, high[axis] + shift
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def as_point(values: Floats) -> Point:
    """Three numbers (3,) as a point."""
    return float(values[0]), float(values[1]), float(values[2])

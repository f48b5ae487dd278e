"""Distances between capsules and boxes, exact but for rounding; m throughout.

A capsule is what lies within a radius of a segment, so that all distances here are those of segments. Points are
float64 of shape (3,) and must be finite.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vantage.jit import kernel

_PARALLEL = 1e-14  # squared sine below which the ends of two segments are as near to each other as their middles
_TOUCH = 1e-9  # m


@kernel
def point_segment(p: Any, a: Any, b: Any) -> tuple[float, float]:
    """Distance of a point from the segment ab, and how far along the segment (0..1) the nearest point lies."""
    length, along = 0.0, 0.0
    for k in range(3):
        length += (b[k] - a[k]) * (b[k] - a[k])
        along += (p[k] - a[k]) * (b[k] - a[k])
    t = min(max(along / length, 0.0), 1.0) if length > 0.0 else 0.0
    square = 0.0
    for k in range(3):
        offset = p[k] - a[k] - t * (b[k] - a[k])
        square += offset * offset
    return np.sqrt(square), t


@kernel
def segment_segment(a: Any, b: Any, c: Any, d: Any) -> tuple[float, float, float]:
    """Distance of the segments ab and cd, and how far along each (0..1) the nearest points lie.

    Either an end is nearest, or two inner points are, whose difference is then perpendicular to both segments.
    """
    best, t = point_segment(a, c, d)
    s = 0.0
    gap, share = point_segment(b, c, d)
    if gap < best:
        best, s, t = gap, 1.0, share
    gap, share = point_segment(c, a, b)
    if gap < best:
        best, s, t = gap, share, 0.0
    gap, share = point_segment(d, a, b)
    if gap < best:
        best, s, t = gap, share, 1.0
    uu, uv, vv, uw, vw = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        u, v, w = b[k] - a[k], d[k] - c[k], a[k] - c[k]
        uu, uv, vv, uw, vw = uu + u * u, uv + u * v, vv + v * v, uw + u * w, vw + v * w
    skew = uu * vv - uv * uv
    if skew > _PARALLEL * uu * vv:
        x, y = (uv * vw - vv * uw) / skew, (uu * vw - uv * uw) / skew
        if 0.0 < x < 1.0 and 0.0 < y < 1.0:
            square = 0.0
            for k in range(3):
                offset = a[k] + x * (b[k] - a[k]) - c[k] - y * (d[k] - c[k])
                square += offset * offset
            if square < best * best:
                best, s, t = np.sqrt(square), x, y
    return best, s, t


@kernel
def segment_box(a: Any, b: Any, low: Any, high: Any) -> tuple[float, float]:
    """Distance of the segment ab from a box, and how far along the segment (0..1) its nearest point lies.

    Where the segment reaches into the box, it is minus the depth of its deepest point below the box's surface.
    """
    t = 0.0
    if _slope(a, b, low, high, 0.0) < 0.0:
        t = _level(a, b, low, high) if _slope(a, b, low, high, 1.0) > 0.0 else 1.0
    square = 0.0
    for k in range(3):
        offset = _beyond(a[k] + t * (b[k] - a[k]), low[k], high[k])
        square += offset * offset
    if square > _TOUCH * _TOUCH:
        return np.sqrt(square), t
    return _deepest(a, b, low, high)


@kernel
def _level(a: Any, b: Any, low: Any, high: Any) -> float:
    """Where along the segment the squared distance from the box is least, if at neither end.

    It is convex, and its slope is straight between the planes of the faces: these close in on the slope's zero.
    """
    first, last = 0.0, 1.0
    for face in range(6):
        k = face % 3
        way = b[k] - a[k]
        if way != 0.0:
            t = ((low[k] if face < 3 else high[k]) - a[k]) / way
            if first < t < last:
                if _slope(a, b, low, high, t) < 0.0:
                    first = t
                else:
                    last = t
    falls, rises = _slope(a, b, low, high, first), _slope(a, b, low, high, last)
    share = falls / (falls - rises) if rises > falls else 0.0
    return first + (last - first) * min(max(share, 0.0), 1.0)


@kernel
def _beyond(value: float, low: float, high: float) -> float:
    return max(value - high, 0.0) - max(low - value, 0.0)


@kernel
def _slope(a: Any, b: Any, low: Any, high: Any, t: float) -> float:
    """Half the derivative of the squared distance from the box after the share t of the segment."""
    total = 0.0
    for k in range(3):
        way = b[k] - a[k]
        total += way * _beyond(a[k] + t * way, low[k], high[k])
    return total


@kernel
def _deepest(a: Any, b: Any, low: Any, high: Any) -> tuple[float, float]:
    """Minus the depth of the segment's deepest point in a box, and its share of the segment.

    The depth is the least of six straight lines, one for each face; it is largest at an end or where two of them cross.
    """
    depth, at = _depth(a, b, low, high, 0.0), 0.0
    at_end = _depth(a, b, low, high, 1.0)
    if at_end > depth:
        depth, at = at_end, 1.0
    for one in range(6):
        for other in range(one):
            i, j = one % 3, other % 3
            rise = (b[i] - a[i] if one < 3 else a[i] - b[i]) - (b[j] - a[j] if other < 3 else a[j] - b[j])
            if rise != 0.0:
                ahead = (a[j] - low[j] if other < 3 else high[j] - a[j]) - (
                    a[i] - low[i] if one < 3 else high[i] - a[i]
                )
                t = ahead / rise
                if 0.0 < t < 1.0:
                    here = _depth(a, b, low, high, t)
                    if here > depth:
                        depth, at = here, t
    return -depth, at


@kernel
def _depth(a: Any, b: Any, low: Any, high: Any, t: float) -> float:
    least: float = high[0] - low[0]
    for k in range(3):
        value = a[k] + t * (b[k] - a[k])
        least = min(least, value - low[k], high[k] - value)
    return least


def capsule_capsule(a: Any, b: Any, radius: float, c: Any, d: Any, other_radius: float) -> float:
    """Gap between two capsules, m; negative where they overlap."""
    return float(segment_segment(_point(a), _point(b), _point(c), _point(d))[0]) - radius - other_radius


def capsule_box(a: Any, b: Any, radius: float, low: Any, high: Any) -> float:
    """Gap between a capsule and a box, m; negative where they overlap."""
    return float(segment_box(_point(a), _point(b), _point(low), _point(high))[0]) - radius


def _point(values: Any) -> Any:
    return np.ascontiguousarray(values, dtype=np.float64)

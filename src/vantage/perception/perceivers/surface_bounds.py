"""Where an object lies, by those of its sampled pixels that can be trusted most.

A rendered depth mixes an object with what is before or behind it along silhouettes. So each sampled pixel has a
quality, and an object is located by its best pixels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled

NO_DEPTH, ON_BORDER, OFF_BORDER, INNER = 0, 1, 2, 3  # qualities of a pixel

_TRIM = 0.02
_PLANE_TRIM = 0.25  # across a plane, whose edges run along many objects that stand before it
_MIN_CORE = 12  # pixels of one quality that are enough to locate an object
_DEPTH_SLACK = 0.05  # m by which an object without clean pixels may be deeper than half its width
_FENCE = 1.5

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def surface_bounds(
    samples: Floats,
    qualities: NDArray[np.uint8],
    firsts: Ints,
    counts: Ints,
    sizes: Floats,
    is_plane: NDArray[np.bool_],
) -> Floats:
    """2nd percentile, median and 98th percentile of the best samples along each world axis, m, (K, 3, 3).

    NaN where an object has no samples. Across a plane, the 2nd and 98th are the quartiles.

    Args:
        samples: places in the world and depths of all objects, (M, 4), m.
        qualities: of the samples, (M,).
        firsts, counts: of each object's samples, (K,).
        sizes: width and height of each object in the image, m for each metre of depth, (K, 2).
        is_plane: it is thin along one axis, (K,).
    """
    bounds = np.full((len(counts), 3, 3), np.nan)
    most = 1
    for k in range(len(counts)):
        most = max(most, counts[k])
    values, chosen = np.empty(most), np.empty(most, dtype=np.int64)
    for k in range(len(counts)):
        count = _choose(samples, qualities, firsts[k], counts[k], sizes[k], chosen, values)
        if count == 0:
            continue
        across, thinnest, low, high = 0, np.inf, 0.0, 0.0
        for axis in range(3):
            for n in range(count):
                values[n] = samples[chosen[n], axis]
            for row, share in enumerate((_TRIM, 0.5, 1.0 - _TRIM)):
                bounds[k, row, axis] = nth_smallest(values, count, int(np.rint(share * (count - 1))))
            if is_plane[k]:
                first, last = _quantile(values, count, _PLANE_TRIM), _quantile(values, count, 1.0 - _PLANE_TRIM)
                if last - first < thinnest:
                    across, thinnest, low, high = axis, last - first, first, last
        if is_plane[k]:
            bounds[k, 0, across], bounds[k, 2, across] = low, high
    return bounds


@compiled
def _choose(
    samples: Floats,
    qualities: NDArray[np.uint8],
    first: int,
    number: int,
    size: Floats,
    chosen: Ints,
    values: Floats,
) -> int:
    """Write the best samples to locate an object by into ``chosen``, and tell how many they are.

    They are inner ones, else those off the border or, with too few of these, all, as far as they lie near the median
    depth: an object may be as deep as half its width. None may be an outlier (Tukey 1977) by more than the object is
    large. ``values`` is overwritten.
    """
    count = _of_quality(qualities, first, number, INNER, chosen)
    if count < _MIN_CORE:
        count = _of_quality(qualities, first, number, OFF_BORDER, chosen)
        if count < _MIN_CORE:
            count = _of_quality(qualities, first, number, NO_DEPTH, chosen)
        middle = _median_depth(samples, chosen, count, values)
        reach = _DEPTH_SLACK + 0.5 * size[0] * middle
        kept = 0
        for n in range(count):
            if abs(samples[chosen[n], 3] - middle) <= reach:
                chosen[kept] = chosen[n]
                kept += 1
        count = kept
    if count < _MIN_CORE:
        return count
    for n in range(count):
        values[n] = samples[chosen[n], 3]
    quarter = nth_smallest(values, count, count // 4)
    middle = nth_smallest(values, count, count // 2)
    three = nth_smallest(values, count, (3 * count) // 4)
    fence = _FENCE * (three - quarter) + _DEPTH_SLACK + max(size[0], size[1]) * middle
    kept = 0
    for n in range(count):
        if quarter - 0.5 * fence <= samples[chosen[n], 3] <= three + fence:
            chosen[kept] = chosen[n]
            kept += 1
    return kept


@compiled
def _of_quality(qualities: NDArray[np.uint8], first: int, number: int, least: int, chosen: Ints) -> int:
    count = 0
    for n in range(first, first + number):
        if qualities[n] >= least:
            chosen[count] = n
            count += 1
    return count


@compiled
def _median_depth(samples: Floats, chosen: Ints, count: int, values: Floats) -> float:
    if count == 0:
        return 0.0
    for n in range(count):
        values[n] = samples[chosen[n], 3]
    upper = nth_smallest(values, count, count // 2)
    return upper if count % 2 else 0.5 * (nth_smallest(values, count, count // 2 - 1) + upper)


@compiled
def _quantile(values: Floats, count: int, share: float) -> float:
    """The quantile of ``count`` values, linear between two of them; changes their order."""
    place = share * (count - 1)
    lower = math.floor(place)
    first = nth_smallest(values, count, lower)
    second = nth_smallest(values, count, min(lower + 1, count - 1))
    part = place - lower
    return second - (second - first) * (1.0 - part) if part >= 0.5 else first + (second - first) * part


@compiled
def nth_smallest(values: Floats, count: int, n: int) -> float:
    """The value at index ``n`` of the first ``count`` values in rising order; changes their order.

    Quickselect (Hoare, Algorithm 65: Find, 1961).
    """
    left, right = 0, count - 1
    while left < right:
        pivot = values[n]
        i, j = left, right
        while i <= j:
            while values[i] < pivot:
                i += 1
            while pivot < values[j]:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if j < n:
            left = i
        if n < i:
            right = j
    return float(values[n])

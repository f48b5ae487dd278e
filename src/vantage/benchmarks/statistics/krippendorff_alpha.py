"""Krippendorff's alpha: how far raters agree beyond chance, with an interval over whole scenes.

Alpha is 1 - D_o / D_e, the observed over the expected disagreement of values that can be paired (Krippendorff 2011,
"Computing Krippendorff's Alpha-Reliability"). Any number of raters may rate each unit; those that one rater alone rated
say nothing. Coincidences of units add up, so that drawing scenes again is a sum of their coincidences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics.metrics import Figure
from vantage.benchmarks.statistics.scene_bootstrap import figure_of_sums, quotient

Floats = NDArray[np.float64]
MOST_VALUES = 25  # different ones, of which ordinal distances are told


class Level(Enum):
    """Which differences of values count: any, those of ranks, or those of numbers."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def alpha_over_scenes(
    key: str, title: str, scenes: Sequence[str], units: Sequence[Sequence[float | str]], level: Level, note: str = ""
) -> Figure:
    """Krippendorff's alpha, at most 1; 0 for agreement by chance. NaN where all values that can be paired are the same.

    Args:
        scenes: of each unit, length n.
        units: the values that raters gave to each, length n, in any order; numbers for all levels but the nominal one.

    Returns:
        The figure, whose ``n`` counts the units that two raters or more rated; its interval draws whole scenes again.

    Raises:
        ValueError: the lengths differ, or there are more than ``MOST_VALUES`` different values of an ordinal or nominal
            level.
    """
    if len(scenes) != len(units):
        raise ValueError(f"{len(units)} units are of {len(scenes)} scenes; give one for each")
    paired = [(scene, values) for scene, values in zip(scenes, units, strict=True) if len(values) > 1]
    names, values = [scene for scene, _ in paired], [values for _, values in paired]
    told = note or f"Krippendorff's alpha, {level.value}"
    if level is Level.INTERVAL:
        return figure_of_sums(key, title, names, _moments(values), _interval_alpha, note=told)
    domain = sorted(set(chain.from_iterable(values)))
    if len(domain) > MOST_VALUES:
        raise ValueError(f"{len(domain)} different values are too many for the {level.value} level")
    rows = _coincidences(values, domain)
    distances = _ordinal_distances if level is Level.ORDINAL else _nominal_distances
    return figure_of_sums(key, title, names, rows, lambda sums: _alpha(sums, distances), note=told)


def _coincidences(units: Sequence[Sequence[float | str]], domain: Sequence[float | str]) -> Floats:
    """Of each unit how often each value meets each other one, (n, k * k): every pair weighs 1 / (values - 1)."""
    place = {value: number for number, value in enumerate(domain)}
    rows = np.zeros((len(units), len(domain) ** 2))
    for number, values in enumerate(units):
        counts = np.bincount([place[value] for value in values], minlength=len(domain)).astype(np.float64)
        pairs = np.outer(counts, counts) - np.diag(counts)
        rows[number] = pairs.reshape(-1) / (len(values) - 1)
    return rows


def _alpha(sums: Floats, distances: Callable[[Floats], Floats]) -> Floats:
    """Alpha (B,) of sums of coincidences (B, k * k)."""
    k = round(sums.shape[1] ** 0.5)
    observed = sums.reshape(len(sums), k, k)
    totals = observed.sum(axis=2)  # (B, k)
    apart = distances(totals)
    number = totals.sum(axis=1)
    expected = np.einsum("bi,bj,bij->b", totals, totals, apart)
    shares = quotient((observed * apart).sum(axis=(1, 2)) * np.maximum(number - 1.0, 0.0), expected)
    return 1.0 - shares


def _nominal_distances(totals: Floats) -> Floats:
    k = totals.shape[1]
    return np.broadcast_to(1.0 - np.eye(k), (len(totals), k, k))


def _ordinal_distances(totals: Floats) -> Floats:
    """Squared: how many values lie between two of them, each of the two counted half."""
    middles = np.cumsum(totals, axis=1) - totals / 2.0
    squared: Floats = (middles[:, :, None] - middles[:, None, :]) ** 2
    return squared


def _moments(units: Sequence[Sequence[float | str]]) -> Floats:
    """Of each unit, (n, 4): number of values, their sum, sum of squares, and how far its values are from each other."""
    rows = np.zeros((len(units), 4))
    for number, given in enumerate(units):
        values = np.array(given, np.float64)
        apart = 2.0 * (len(values) * (values**2).sum() - values.sum() ** 2) / (len(values) - 1)
        rows[number] = len(values), values.sum(), (values**2).sum(), apart
    return rows


def _interval_alpha(sums: Floats) -> Floats:
    """Alpha (B,) of sums of moments (B, 4)."""
    number, total, squares, apart = sums.T
    expected = 2.0 * (number * squares - total**2)
    expected[expected < 1e-9 * np.maximum(number * squares, 1e-300)] = 0.0  # of equal values, but for rounding
    return 1.0 - quotient(apart * np.maximum(number - 1.0, 0.0), expected)

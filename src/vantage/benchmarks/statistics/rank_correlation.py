"""Spearman's rank correlation of two rows of marks, with an interval over whole scenes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics.metrics import Figure
from vantage.benchmarks.statistics.scene_bootstrap import figure_of_sums

Floats = NDArray[np.float64]


def spearman_over_scenes(
    key: str,
    title: str,
    scenes: Sequence[str],
    first: Sequence[float],
    second: Sequence[float],
    note: str = "Spearman's rho, equal marks share their mean rank",
) -> Figure:
    """Spearman's rho of two marks of the same things, -1..1; NaN where one of them is the same for all.

    It is Pearson's correlation of ranks, of which equal marks share the mean. The interval draws whole scenes again.

    Args:
        scenes: of each thing, length n.
        first, second: its marks, length n.

    Raises:
        ValueError: the lengths differ.
    """
    pairs = np.array(list(zip(first, second, strict=True)), np.float64).reshape(-1, 2)
    if len(scenes) != len(pairs):
        raise ValueError(f"{len(pairs)} pairs of marks are of {len(scenes)} scenes; give one for each")
    kinds, of = np.unique(pairs, axis=0, return_inverse=True)  # few kinds of pairs, so resamples are counts of these
    rows = np.eye(len(kinds))[of.reshape(-1)]
    one, other = (np.unique(kinds[:, k], return_inverse=True)[1].reshape(-1) for k in (0, 1))
    return figure_of_sums(
        key,
        title,
        scenes,
        rows,
        lambda counts: _correlation(counts, _ranks(counts, one), _ranks(counts, other)),
        note=note,
    )


def _ranks(counts: Floats, value: NDArray[np.intp]) -> Floats:
    """Mean ranks (B, k) of kinds that occur ``counts`` (B, k) times; those of one ``value`` (k,) share theirs."""
    of_value = counts @ np.eye(int(value.max(initial=-1)) + 1)[value]
    ranks: Floats = (np.cumsum(of_value, axis=1) - 0.5 * of_value + 0.5)[:, value]
    return ranks


def _correlation(counts: Floats, first: Floats, second: Floats) -> Floats:
    """Pearson's correlation (B,) of values (B, k) that occur ``counts`` (B, k) times; NaN where it is not defined."""
    total = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    one, other = (values - (counts * values).sum(axis=1, keepdims=True) / total for values in (first, second))
    shared, own, others = ((counts * a * b).sum(axis=1) for a, b in ((one, other), (one, one), (other, other)))
    scale = np.sqrt(own * others)
    found: Floats = np.divide(shared, scale, out=np.full(len(counts), np.nan), where=scale > 1e-12)
    return found

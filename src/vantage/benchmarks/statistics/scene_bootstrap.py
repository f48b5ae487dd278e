"""Intervals of figures over questions that share scenes: whole scenes are drawn again, not single questions.

Questions about one scene succeed and fail together, so an interval that resampled them one by one would be too narrow
(cluster bootstrap: Davison and Hinkley 1997, section 3.8). Percentile intervals, fixed seed. Of rare successes or
failures too few resamples tell, and of a share of 0 or 1 none does, so shares have at least Wilson's interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics.answer_columns import AnswerColumn
from vantage.benchmarks.statistics.episode_score import EpisodeScore
from vantage.benchmarks.statistics.metrics import Figure, proportion

_RESAMPLES = 2000
_SEED = 20240607

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def scene_interval(scenes: Sequence[str], rows: NDArray[np.float64], statistic: Statistic) -> tuple[float, float]:
    """95 % interval of a statistic of sums over questions.

    Args:
        scenes: of each question, length n.
        rows: what each question adds to the sums, (n, k).
        statistic: maps sums (B, k) to values (B,), NaN where they say nothing.

    Returns:
        Low and high; NaN for fewer than two scenes.
    """
    sums = resampled_sums(scenes, rows)
    return (math.nan, math.nan) if sums is None else middle(statistic(sums))


def resampled_sums(scenes: Sequence[str], rows: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Sums of ``rows`` (n, k) over scenes that were drawn again, (B, k); None for fewer than two scenes."""
    names, owner = np.unique(np.array(scenes, dtype=np.str_), return_inverse=True)
    if len(names) < 2:
        return None
    sums = np.zeros((len(names), rows.shape[1]))
    np.add.at(sums, owner.reshape(-1), rows)
    drawn = np.random.default_rng(_SEED).multinomial(len(names), np.full(len(names), 1 / len(names)), size=_RESAMPLES)
    return drawn.astype(np.float64) @ sums


def middle(values: NDArray[np.float64]) -> tuple[float, float]:
    """Between what the middle 95 % of values lie; those that say nothing (NaN) are left out."""
    values = values[np.isfinite(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def figure_of_sums(
    key: str,
    title: str,
    scenes: Sequence[str],
    rows: NDArray[np.float64],
    statistic: Statistic,
    *,
    percent: bool = False,
    unit: str = "",
    note: str = "",
) -> Figure:
    """A statistic of the sums of ``rows`` (n, k) with its interval over scenes."""
    value = float(statistic(rows.sum(axis=0, keepdims=True))[0])
    low, high = scene_interval(scenes, rows, statistic)
    return Figure(key, title, value, low, high, len(rows), percent, unit, note)


def mean_over_scenes(
    key: str,
    title: str,
    scenes: Sequence[str],
    numbers: Sequence[float],
    *,
    percent: bool = False,
    unit: str = "",
    note: str = "",
) -> Figure:
    """A mean over questions with its interval over scenes."""
    rows = np.array([(value, 1.0) for value in numbers], dtype=np.float64).reshape(-1, 2)
    return figure_of_sums(
        key, title, scenes, rows, lambda sums: quotient(sums[:, 0], sums[:, 1]), percent=percent, unit=unit, note=note
    )


def share_over_scenes(key: str, title: str, scenes: Sequence[str], flags: Sequence[bool], note: str = "") -> Figure:
    """A share of questions with its interval over scenes, on neither side narrower than Wilson's."""
    wilson = proportion(key, title, flags, note)
    figure = mean_over_scenes(key, title, scenes, [float(flag) for flag in flags], percent=True, note=note)
    if math.isnan(figure.low):
        return wilson
    return replace(figure, low=min(figure.low, wilson.low), high=max(figure.high, wilson.high))


def column_over_scenes(column: AnswerColumn, scores: Sequence[EpisodeScore], key: str = "", title: str = "") -> Figure:
    """The share of episodes that count in a column, of those of which that can be told, with its interval over scenes.

    Args:
        key, title: those of the column where they are empty.
    """
    known = column.known(scores)
    scenes, flags = [score.scene for score in known], column.flags(known)
    return share_over_scenes(key or column.key, title or column.title, scenes, flags, column.meaning)


def quotient(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """Element by element; NaN where the divisor is not positive."""
    shares: NDArray[np.float64] = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return shares

"""From scores of single episodes to figures with counts and 95 % intervals.

Proportions over episodes have Wilson intervals (Wilson 1927); means and ratios have percentile bootstrap intervals over
episodes (Efron 1979; fixed seed, so the same scores give the same interval). A ratio such as the collision rate pools
all steps; its bootstrap resamples whole episodes, because the steps of one episode are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics.answer_columns import BOTH, COLUMNS, RIGHT
from vantage.benchmarks.statistics.episode_score import EpisodeScore

_Z95 = 1.959963984540054  # two-sided 95 % quantile of the normal distribution
_RESAMPLES = 2000
_SEED = 20240607


@dataclass(frozen=True)
class Figure:
    """One aggregated figure.

    Attributes:
        key: stable name, for JSON.
        title: for people.
        value, low, high: the figure and its 95 % interval; NaN where ``n`` is too small to say.
        n: episodes behind it.
        percent: the figure is a share in 0..1 that people read in percent.
        unit: of the value.
        note: how it is computed.
    """

    key: str
    title: str
    value: float
    low: float
    high: float
    n: int
    percent: bool = False
    unit: str = ""
    note: str = ""


def spl(success: bool, oracle_steps: int, steps: int) -> float:
    """Success weighted by inverse path length, counted in actions (Anderson et al. 2018, arXiv 1807.06757)."""
    longest = max(oracle_steps, steps)
    if not success:
        return 0.0
    return oracle_steps / longest if longest > 0 else 1.0


def normalised(score: float) -> float:
    """A mark of 1..5 on 0..100: NoisyEQA's and OpenEQA's C of one answer."""
    return (min(max(score, 1.0), 5.0) - 1.0) / 4.0 * 100.0


def wilson(hits: float, n: int) -> tuple[float, float]:
    """95 % interval of a proportion, of which a hit may be a half; NaN for ``n`` = 0."""
    if n == 0:
        return math.nan, math.nan
    share, z2 = hits / n, _Z95 * _Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def _bootstrap(n: int, statistic: Callable[[NDArray[np.intp]], NDArray[np.float64]]) -> tuple[float, float]:
    """Percentile interval of a statistic of resampled episodes; it maps indices (B, n) to values (B,)."""
    if n < 2:
        return math.nan, math.nan
    picks = np.random.default_rng(_SEED).integers(0, n, size=(_RESAMPLES, n))
    values = statistic(picks)
    values = values[np.isfinite(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def proportion(key: str, title: str, flags: Iterable[bool], note: str = "") -> Figure:
    """A share of episodes with its Wilson interval."""
    values = [bool(flag) for flag in flags]
    hits, n = sum(values), len(values)
    low, high = wilson(hits, n)
    return Figure(key, title, hits / n if n else math.nan, low, high, n, percent=True, note=note)


def mean(
    key: str, title: str, numbers: Iterable[float], unit: str = "", note: str = "", percent: bool = False
) -> Figure:
    """A mean over episodes with its bootstrap interval."""
    values = np.array(list(numbers), dtype=np.float64)
    n = len(values)
    low, high = _bootstrap(n, lambda picks: np.asarray(values[picks].mean(axis=1)))
    return Figure(key, title, float(values.mean()) if n else math.nan, low, high, n, percent, unit, note)


def ratio(key: str, title: str, parts: Iterable[float], wholes: Iterable[float], note: str = "") -> Figure:
    """A pooled ratio, sum(parts) / sum(wholes), with the bootstrap interval over episodes."""
    above, below = np.array(list(parts), dtype=np.float64), np.array(list(wholes), dtype=np.float64)
    n, total = len(below), float(below.sum())

    def resampled(picks: NDArray[np.intp]) -> NDArray[np.float64]:
        sums = below[picks].sum(axis=1)
        shares: NDArray[np.float64] = np.divide(
            above[picks].sum(axis=1), sums, out=np.full(len(sums), np.nan), where=sums > 0
        )
        return shares

    low, high = _bootstrap(n, resampled)
    return Figure(key, title, float(above.sum()) / total if total > 0 else math.nan, low, high, n, True, "", note)


def aggregate(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    """All figures over the complete episodes among ``scores``; each says over how many it is taken.

    The ordinary ones come first, then the means of what benchmarks name, over the episodes that have a value.
    """
    done = [score for score in scores if score.complete]
    noisy = [score for score in done if score.noisy]
    clean = [score for score in done if not score.noisy]
    measured = [score for score in done if score.has_oracle]
    left_out = len(done) - len(measured)
    return (
        *(proportion(each.key, each.title, each.flags(done), each.meaning) for each in COLUMNS),
        proportion("right_clean", f"{RIGHT.title}, clean", RIGHT.flags(clean), RIGHT.meaning),
        proportion("success_clean", f"{BOTH.title}, clean", BOTH.flags(clean), BOTH.meaning),
        proportion("success_noisy", f"{BOTH.title}, noisy", BOTH.flags(noisy), BOTH.meaning),
        mean("judge_score", "Judge score", (s.judge_score for s in done), "1-5"),
        mean("judge_score_clean", "Judge score, clean", (s.judge_score for s in clean), "1-5"),
        mean("judge_score_noisy", "Judge score, noisy", (s.judge_score for s in noisy), "1-5"),
        mean("c", "C", (normalised(s.judge_score) for s in done), "0-100", "mean of (score - 1) / 4 * 100"),
        mean("steps", "Steps", (float(s.steps) for s in done), "actions"),
        mean("path_length", "Path length", (s.path_length for s in done), "m"),
        ratio(
            "collision_rate",
            "Collision rate",
            (float(s.collisions) for s in done),
            (float(s.steps) for s in done),
            "collided steps / steps",
        ),
        mean(
            "spl",
            "SPL in actions",
            (s.spl for s in measured),
            "0-1",
            f"success * oracle / max(oracle, steps); {left_out} without an oracle left out",
        ),
        proportion("detection_rate", "Noise detected (DR)", (s.judge_score >= 3 for s in noisy), "score >= 3"),
        proportion("correction_rate", "Noise corrected (CR)", (s.judge_score >= 4 for s in noisy), "score >= 4"),
        proportion("false_alarm_rate", "False alarms, clean", (s.false_alarm for s in clean)),
        *_named_means(done),
    )


def _named_means(scores: Sequence[EpisodeScore]) -> tuple[Figure, ...]:
    names = dict.fromkeys(name for score in scores for name in score.figures)
    values = {name: [score.figures.get(name, math.nan) for score in scores] for name in names}
    return tuple(mean(name, name, filter(math.isfinite, each)) for name, each in values.items())


def least_seen(frames: Sequence[Mapping[int, float]], targets: Iterable[int]) -> float | None:
    """Largest visible fraction over frames of the target that is seen least; None without targets."""
    best = [max((frame.get(target, 0.0) for frame in frames), default=0.0) for target in dict.fromkeys(targets)]
    return min(best) if best else None

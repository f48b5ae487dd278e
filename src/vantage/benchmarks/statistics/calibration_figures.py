"""Whether confidence means what it says: bins of a reliability plot and the expected calibration error.

An answer is right where its mark is 5. Bins are ten of equal width over 0..1, and ECE is the mean over answers of
|share right - mean confidence| of their bin (Guo et al. 2017, arXiv 1706.04599, equation 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.statistics.episode_score import EpisodeScore
from vantage.benchmarks.statistics.metrics import Figure, wilson
from vantage.benchmarks.statistics.scene_bootstrap import figure_of_sums, quotient

BINS = 10
_NO_CLAIM = ("NEEDS_LOOK", "NEEDS_MODEL", "NEEDS_CONFIRMATION")  # verdicts that state nothing to be sure of
NOTE = f"{BINS} equal bins; right: score 5"


@dataclass(frozen=True)
class Bin:
    """Answers of similar confidence.

    Attributes:
        start, end: of the bin, confidence 0..1.
        n: answers in it.
        confidence: their mean confidence.
        right: share of them that are right, with its 95 % Wilson interval ``low`` to ``high``.
    """

    start: float
    end: float
    n: int
    confidence: float
    right: float
    low: float
    high: float


def with_confidence(scores: Iterable[EpisodeScore]) -> list[EpisodeScore]:
    """Complete episodes with an answer that claims something, and a confidence that is a probability."""
    return [
        score
        for score in scores
        if score.complete
        and 0.0 <= score.confidence <= 1.0
        and not any(verdict in _NO_CLAIM for verdict in score.verdict.split(", "))
    ]


def bin_of(confidence: float) -> int:
    """0 to BINS - 1; a confidence of 1 is in the last."""
    return min(int(confidence * BINS), BINS - 1)


def reliability(scores: Sequence[EpisodeScore]) -> tuple[Bin, ...]:
    """The bins that hold answers, from low to high confidence."""
    held: dict[int, list[EpisodeScore]] = {}
    for score in with_confidence(scores):
        held.setdefault(bin_of(score.confidence), []).append(score)
    bins = []
    for number, members in sorted(held.items()):
        hits, n = sum(score.success for score in members), len(members)
        low, high = wilson(hits, n)
        mean = float(np.mean([score.confidence for score in members]))
        bins.append(Bin(number / BINS, (number + 1) / BINS, n, mean, hits / n, low, high))
    return tuple(bins)


def calibration_error(scores: Sequence[EpisodeScore]) -> Figure:
    """ECE with its interval over scenes; answers that claim nothing are left out, and the note says how many."""
    told = with_confidence(scores)
    left_out = sum(score.complete for score in scores) - len(told)
    rows = np.zeros((len(told), BINS, 3))
    for row, score in zip(rows, told, strict=True):
        row[bin_of(score.confidence)] = (score.success, score.confidence, 1.0)
    return figure_of_sums(
        "ece",
        "Calibration error (ECE)",
        [score.scene for score in told],
        rows.reshape(len(told), BINS * 3),
        _error,
        unit="0-1",
        note=NOTE + (f"; {left_out} without a claim left out" if left_out else ""),
    )


def _error(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """(B, BINS * 3) sums of right, confidence and number by bin -> (B,)."""
    parts = sums.reshape(len(sums), BINS, 3)
    gaps = np.abs(parts[:, :, 0] - parts[:, :, 1]).sum(axis=1)
    return quotient(gaps, parts[:, :, 2].sum(axis=1))

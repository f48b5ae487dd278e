"""From replies to a threshold: a psychometric function of the measured value.

The chance of a right reply to a frame of value x is g + (1 - g - l) F(x) with F(x) = 1 / (1 + exp(-b (ln x - a))): g is
the guess rate, fixed by the number of replies; l is the lapse rate, at most 0.1, with which a reader slips however easy
the frame is. The likeliest a, b and l are looked for on a grid, with a weak log-normal prior on b, without which a few
frames that happen to be parted cleanly would give a step. The threshold is the value at which F is 0.9, so where a
reader can tell in nine of ten cases apart from guesses and slips. Its interval comes from a parametric bootstrap, which
takes the replies of several readers to one frame for independent.

Source: Wichmann & Hill, "The psychometric function: I. Fitting, sampling, and goodness of fit" and "II. Bootstrap-based
confidence intervals and sampling", Perception & Psychophysics 63 (2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_LAPSE = 0.1
CAN_TELL = 0.9  # of F
_SLOPES = (0.5, 40.0)  # per factor e of the value
_PRIOR = (4.0, 0.7)  # of the slope: median, and standard deviation of its logarithm
_GRID = (61, 25, 6)  # thresholds, slopes and lapse rates tried
_BEYOND = math.log(4.0)  # how far outside of the values a threshold is looked for
_RESAMPLES, _SEED = 500, 20010101
_FEWEST = 6  # frames of a fit

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Trial:
    """One reply to one frame.

    Attributes:
        frame: its number.
        value: measured, positive.
        guess: rate at which a reader is right by lot, 0..1.
    """

    frame: int
    value: float
    guess: float
    right: bool


@dataclass(frozen=True)
class Psychometric:
    """A fitted function: ``middle`` is exp(a), where F is one half; ``slope`` is b; ``lapse`` is l."""

    middle: float
    slope: float
    lapse: float

    @property
    def threshold(self) -> float:
        """Where F is ``CAN_TELL``."""
        return self.middle * math.exp(math.log(CAN_TELL / (1.0 - CAN_TELL)) / self.slope)


@dataclass(frozen=True)
class Threshold:
    """From which value on a reader can tell.

    Attributes:
        value: NaN where the replies do not say.
        low, high: 95 % interval.
        frames, replies: behind it.
        note: why there is no value, or what it lacks; empty otherwise.
        curve: that was fitted; None where there is no value.
    """

    value: float
    low: float
    high: float
    frames: int
    replies: int
    note: str
    curve: Psychometric | None


def threshold_of(trials: Sequence[Trial]) -> Threshold:
    """The threshold of the replies to frames of one kind, pooled over readers."""
    frames = sorted({trial.frame for trial in trials})
    right = [trial.right for trial in trials]
    note = ""
    if len(frames) < _FEWEST:
        note = f"{len(frames)} frames, {_FEWEST} needed"
    elif all(right):
        note = f"every reply is right, so it lies below {min(trial.value for trial in trials):.3g}"
    elif not any(right):
        note = f"no reply is right, so it lies above {max(trial.value for trial in trials):.3g}"
    if note:
        return Threshold(math.nan, math.nan, math.nan, len(frames), len(trials), note, None)
    grid, chance = _grid(trials)
    prior = -0.5 * (np.log(grid[:, 1] / _PRIOR[0]) / _PRIOR[1]) ** 2
    hit, miss = np.log(chance), np.log(1.0 - chance)
    said = np.array([right], dtype=np.float64)
    best = int(np.argmax(said @ hit + (1.0 - said) @ miss + prior))
    curve = Psychometric(math.exp(grid[best, 0]), float(grid[best, 1]), float(grid[best, 2]))
    drawn = np.random.default_rng(_SEED).random((_RESAMPLES, len(trials))) < chance[:, best]
    bests = grid[np.argmax(drawn @ hit + ~drawn @ miss + prior, axis=1)]
    ends = np.exp(bests[:, 0] + math.log(CAN_TELL / (1.0 - CAN_TELL)) / bests[:, 1])
    low, high = (float(end) for end in np.percentile(ends, [2.5, 97.5]))
    values = [trial.value for trial in trials]
    if not min(values) <= curve.threshold <= max(values):
        note = f"outside of what was measured, {min(values):.3g} to {max(values):.3g}"
    return Threshold(curve.threshold, low, high, len(frames), len(trials), note, curve)


def _grid(trials: Sequence[Trial]) -> tuple[_Floats, _Floats]:
    """All parameters tried (G, 3), a, b and l, and with each the chance of a right reply to each trial (N, G)."""
    logs = np.log([trial.value for trial in trials])
    middles = np.linspace(logs.min() - _BEYOND, logs.max() + _BEYOND, _GRID[0])
    slopes = np.geomspace(*_SLOPES, _GRID[1])
    lapses = np.linspace(0.0, MOST_LAPSE, _GRID[2])
    grid = np.stack([axis.ravel() for axis in np.meshgrid(middles, slopes, lapses, indexing="ij")], axis=1)
    reach = 1.0 / (1.0 + np.exp(-np.clip(grid[:, 1] * (logs[:, None] - grid[:, 0]), -50.0, 50.0)))
    guess = np.array([trial.guess for trial in trials])[:, None]
    return grid, np.clip(guess + (1.0 - guess - grid[:, 2]) * reach, 1e-9, 1.0 - 1e-9)

"""A perceiver with the errors of a real one: what the privileged one sees, with misses, mistakes and no identities.

Random draws belong to keys rather than to an order, so that the same object seen the same way always gets the same
errors, whatever else comes into view. The mixing function is that of SplitMix64 (Steele, Lea and Flood, Fast splittable
pseudorandom number generators, 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.perception import label_confusions
from vantage.perception.compiled import compiled
from vantage.perception.object_categories import BUILDING
from vantage.perception.perceivers.privileged import PrivilegedPerceiver
from vantage.spatial import Viewpoint
from vantage.types import Detection, Observation

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


def uniform(seed: int, keys: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """``count`` independent draws in [0, 1) for each key (N, any number of integers), shape (N, ``count``)."""
    return _uniform(np.uint64(seed % 2**64), np.ascontiguousarray(keys, dtype=np.int64), count)


@compiled
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> _30)) * _FIRST
    value = (value ^ (value >> _27)) * _SECOND
    return value ^ (value >> _31)


@compiled
def _uniform(seed: np.uint64, keys: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    rows, columns = keys.shape
    found = np.empty((rows, count))
    for row in range(rows):
        state = _mixed(seed + _STEP)
        for column in range(columns):
            state = _mixed((state ^ np.uint64(keys[row, column])) + _STEP)
        for k in range(count):
            state += _STEP
            found[row, k] = np.float64(_mixed(state) >> _11) / 9007199254740992.0
    return found


WORST = 4.0  # times the errors at the reference size: no object that is noticed at all is seen worse
PLACE = 0.5  # m within which a camera sees the same errors, wherever it turns
PERSISTENT = 0.5  # share of errors that come from the object itself rather than from where it is seen from
_EDGE = 0.5  # noise of each face of the bounds against that of the position

_NOISES = 9  # of the position along three axes, and of six faces
_MISS, _LABEL, _LABEL_WORD, _COLOR, _COLOR_WORD, _MATERIAL, _MATERIAL_WORD, _SHAPE, _SHAPE_WORD, _STATE = range(10)
_STATES = 4  # draws for as many states
_NORMAL = _STATE + _STATES  # first draw for noise
_STREAMS = _NORMAL + 2 * _NOISES


class DegradedPerceiver:
    """Misses objects, takes them for others, misreads their attributes and puts them a little beside.

    Error rates are those of the settings ``degraded.*`` times (reference_pixels / pixels) ^ growth, at most ``WORST``
    times; shapes are misread as often as labels. They are fixed by the seed, the object and the half metre that the
    camera is in: staring, turning and coming back show the same errors, and half of them go with the object whatever it
    is seen from. The building is located with errors, but never missed or taken for something else. Detections carry
    no identity.
    """

    name = "degraded"

    def __init__(self, min_pixels: int = 60, settings: Settings | None = None, seed: int = 0, **_: object) -> None:
        """
        Args:
            settings: the group ``degraded`` is used.
            seed: of the errors, not negative.

        Raises:
            VantageError: ``min_pixels`` is not positive.
        """
        self._exact = PrivilegedPerceiver(min_pixels)
        self._rates = (settings or Settings()).degraded
        self._seed = seed
        self.min_pixels = min_pixels

    def perceive(self, observation: Observation) -> tuple[Detection, ...]:
        """What this view shows, by falling number of pixels.

        Raises:
            VantageError: the observation has no instance ids, no legend or no depth, or sizes that disagree.
        """
        return self.perceive_with_truth(observation)[0]

    def perceive_with_truth(self, observation: Observation) -> tuple[tuple[Detection, ...], tuple[int, ...]]:
        """The detections, and the true instance ids behind them: for error reports, never for agents."""
        exact = self._exact.perceive(observation)
        if not exact:
            return (), ()
        draws, normals = self._draws(observation.viewpoint, np.array([seen.instance_id for seen in exact]))
        scales = [self._scale(seen.pixels) for seen in exact]
        moved = self._moved(exact, normals, np.array(scales))
        found, truth = [], []
        for seen, places, said, scale in zip(exact, moved, draws.tolist(), scales, strict=True):
            building = seen.label in BUILDING
            if building or said[_MISS] >= self._rates.miss * scale:
                words = {} if building or seen.part_of else self._mistaken(seen, said, scale)
                (x, y, z), (x0, y0, z0), (x1, y1, z1) = places
                found.append(
                    replace(
                        seen,
                        instance_id=0,
                        part_of=0,
                        center=(x, y, z),
                        bounds_min=(x0, y0, z0),
                        bounds_max=(x1, y1, z1),
                        **words,
                    )
                )
                truth.append(seen.instance_id)
        return tuple(found), tuple(truth)

    def _scale(self, pixels: int) -> float:
        return min(WORST, float((self._rates.reference_pixels / pixels) ** self._rates.growth))

    def _draws(self, viewpoint: Viewpoint, ids: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Uniform draws (N, streams) and standard normal ones (N, 9) for N objects seen from a viewpoint.

        The borders between places differ from object to object, so that not all errors change at one step.
        """
        own = uniform(self._seed, np.stack([ids, np.zeros_like(ids)], axis=1), _STREAMS)
        offsets = uniform(self._seed, np.stack([ids, np.ones_like(ids)], axis=1), 3)
        places = np.floor(viewpoint.position / PLACE + offsets).astype(np.int64)
        keys = np.concatenate([ids[:, None], np.full((len(ids), 1), 2), places], axis=1)
        here = uniform(self._seed, keys, 2 * _STREAMS)
        mixed = np.where(here[:, _STREAMS:] < PERSISTENT, own, here[:, :_STREAMS])
        share = np.sqrt(PERSISTENT)
        return mixed, share * _normal(own) + np.sqrt(1.0 - share**2) * _normal(here[:, :_STREAMS])

    def _moved(
        self, exact: Sequence[Detection], normals: NDArray[np.float64], scales: NDArray[np.float64]
    ) -> list[list[list[float]]]:
        """Centre, lowest and highest corner (3 numbers each) of N detections with their errors, m."""
        center, low, high = (
            np.array([getattr(seen, name) for seen in exact]) for name in ("center", "bounds_min", "bounds_max")
        )
        sd = (self._rates.position * scales)[:, None]
        shift = sd * normals[:, :3]
        low = low + shift + _EDGE * sd * normals[:, 3:6]
        high = high + shift + _EDGE * sd * normals[:, 6:]
        moved: list[list[list[float]]] = np.stack(
            [center + shift, np.minimum(low, high), np.maximum(low, high)], axis=1
        ).tolist()
        return moved

    def _mistaken(self, seen: Detection, draws: Sequence[float], scale: float) -> dict[str, Any]:
        """Label, attributes and states as they are read, by the names of the fields."""
        rates = self._rates

        def read(word: str, rate: float, stream: int, words: dict[str, tuple[str, ...]]) -> str:
            wrong = draws[stream] < rate * scale
            return label_confusions.misread(word, words, draws[stream + 1]) if wrong else word

        states = [
            label_confusions.misread(state, label_confusions.STATES, 0.0) if draw < rates.state * scale else state
            for state, draw in zip(seen.states, draws[_STATE:_NORMAL], strict=False)
        ]
        return {
            "label": read(seen.label, rates.label, _LABEL, label_confusions.LABELS),
            "color": read(seen.color, rates.color, _COLOR, label_confusions.COLORS),
            "material": read(seen.material, rates.material, _MATERIAL, label_confusions.MATERIALS),
            "shape": read(seen.shape, rates.label, _SHAPE, label_confusions.SHAPES),
            "states": tuple(states),
        }


def _normal(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard normal values (N, 9) from uniform draws (Box and Muller 1958)."""
    radius = np.sqrt(-2.0 * np.log1p(-draws[:, _NORMAL : _NORMAL + _NOISES]))
    return np.asarray(radius * np.cos(2.0 * np.pi * draws[:, _NORMAL + _NOISES :]))

"""The best sweeps of many positions by worth per action, without working out the unknown space that all others show.

What a sweep shows of unknown space is at most what all headings of its pitch show together. That bound costs little,
and sweeps at most positions are ruled out by it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.planning.view_planning.information_gain import Panorama
from vantage.planning.view_planning.travel import leading_sweeps

NEGLIGIBLE = 15.0  # weighted voxels below which a look is not worth its way
EFFORT = 3.0  # actions that any look costs besides the way to it
_ROUNDING = 1.0 + 1e-4  # by which sums of rays may differ by the order in which they are added
_FIRST = 24  # positions whose worth is worked out before others are ruled out; products of fewer rows round otherwise


class SweepChoice:
    """Sweeps at many positions, each worth the best of its looks for what is wanted and the unknown space that it
    shows.

    Args:
        looks: worth of the best look of each sweep, shape (positions, sweeps).
        rays: unknown space along the rays of the panorama, shape (positions, directions).
        closed: sweeps to which no way leads, shape (sweeps,).
        effort: actions to each sweep and through it, shape (positions, sweeps).
    """

    def __init__(
        self,
        panorama: Panorama,
        looks: NDArray[np.float32],
        rays: NDArray[np.float32],
        closed: NDArray[np.bool_],
        effort: NDArray[np.float64],
    ) -> None:
        self._panorama, self._looks, self._rays, self._closed, self._effort = panorama, looks, rays, closed, effort
        self._most = looks + np.float32(_ROUNDING) * panorama.most_gained(rays)
        self._most[:, closed] = 0.0

    def leading(self, budget: int, places: int, each: int) -> list[tuple[int, int]]:
        """As ``leading_sweeps`` of the worth per action of those sweeps that are worth a look and within the budget."""
        bounds = self._rate(self._most, self._effort, budget).max(axis=1)
        if not bounds.any():
            return []
        order = np.argsort(-bounds, kind="stable")
        kept = np.sort(order[:_FIRST])
        rate = self._rates(kept, budget)
        best = np.sort(rate.max(axis=1))[::-1][:places]
        least = best[-1] if len(best) == places else 0.0
        count = np.count_nonzero((bounds > 0.0) & (bounds >= least))
        if count > _FIRST:
            kept = np.sort(order[:count])
            rate = self._rates(kept, budget)
        return [(int(kept[place]), sweep) for place, sweep in leading_sweeps(rate, places, each)]

    def is_any(self) -> bool:
        """Whether some sweep is worth a look, however far away."""
        bounds = self._most.max(axis=1)
        if bounds.max() < NEGLIGIBLE:
            return False
        first = np.sort(np.argsort(-bounds, kind="stable")[:_FIRST])
        return any(bool((self._worth(some) >= NEGLIGIBLE).any()) for some in (first, np.arange(len(bounds))))

    def _rates(self, some: NDArray[np.int64], budget: int) -> NDArray[np.float64]:
        return self._rate(self._worth(some), self._effort[some], budget)

    @staticmethod
    def _rate(worth: NDArray[np.float32], effort: NDArray[np.float64], budget: int) -> NDArray[np.float64]:
        return np.where((worth >= NEGLIGIBLE) & (effort <= budget), worth / (effort + EFFORT), 0.0)

    def _worth(self, some: NDArray[np.int64]) -> NDArray[np.float32]:
        """Of all sweeps at some positions."""
        worth = self._looks[some] + self._panorama.gained(self._rays[some])
        worth[:, self._closed] = 0.0
        return np.asarray(worth)

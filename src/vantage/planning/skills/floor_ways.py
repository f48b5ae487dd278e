"""The lengths of all ways over a floor (Dijkstra 1959), compiled: they are asked for after nearly every look."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel

_FAR = 1e300  # compiled code knows no infinity


def way_costs(
    stands: NDArray[np.bool_],
    straight: NDArray[np.float64],
    aslant: NDArray[np.float64],
    start: tuple[int, int],
    away: float,
) -> NDArray[np.float64]:
    """Cost of the way from a cell to each other one; infinite where none leads.

    Args:
        stands: (n, m) whether a way may lead over a cell.
        straight, aslant: (n, m) cost of a step into a cell from beside it, and from across its corner.
        start: the cell where ways begin.
        away: what it costs to get there.

    Returns:
        (n, m).
    """
    costs: NDArray[np.float64] = _way_costs(stands, straight, aslant, start[0], start[1], away)
    costs[costs >= _FAR] = np.inf
    return costs


@kernel
def _way_costs(
    stands: NDArray[np.bool_],
    straight: NDArray[np.float64],
    aslant: NDArray[np.float64],
    first: int,
    second: int,
    away: float,
) -> NDArray[np.float64]:
    n, m = stands.shape
    costs = np.full((n, m), _FAR)
    costs[first, second] = away
    queue = [(away, first, second)]
    while len(queue):
        cost, i, j = heapq.heappop(queue)
        if cost > costs[i, j]:
            continue
        for di in range(-1, 2):
            for dj in range(-1, 2):
                a, b = i + di, j + dj
                if (di == 0 and dj == 0) or a < 0 or b < 0 or a >= n or b >= m or not stands[a, b]:
                    continue
                further = cost + (straight[a, b] if di == 0 or dj == 0 else aslant[a, b])
                if further < costs[a, b]:
                    costs[a, b] = further
                    heapq.heappush(queue, (further, a, b))
    return costs

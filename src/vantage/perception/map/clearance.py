"""How far what fills a voxel map is at least, so that a ray can leap through space where nothing is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled

BLOCK = 2  # voxels along each edge of a block; kernels that leap use shifts by one bit
_FARTHEST = 60  # blocks


@compiled
def clearance(states: NDArray[np.uint8], filled: int) -> NDArray[np.uint8]:
    """Distance of each block of voxels to the next block that holds a voxel of a state, in blocks along the axis along
    which they are farthest apart; 0 for such a block itself, at most 60.

    Two voxels whose blocks are ``n`` apart so are at least ``2 * (n - 1) + 1`` voxels apart along some axis.
    """
    nx, ny, nz = (states.shape[0] + 1) // 2, (states.shape[1] + 1) // 2, (states.shape[2] + 1) // 2
    away = np.full((nx + 2, ny + 2, nz + 2), _FARTHEST, np.uint8)  # with a border
    for i in range(states.shape[0]):
        for j in range(states.shape[1]):
            for k in range(states.shape[2]):
                if states[i, j, k] == filled:
                    away[(i >> 1) + 1, (j >> 1) + 1, (k >> 1) + 1] = 0
    for i in range(1, nx + 1):
        for j in range(1, ny + 1):
            for k in range(1, nz + 1):
                _come_nearer(away, i, j, k, -1)
    for i in range(nx, 0, -1):
        for j in range(ny, 0, -1):
            for k in range(nz, 0, -1):
                _come_nearer(away, i, j, k, 1)
    return away[1 : nx + 1, 1 : ny + 1, 1 : nz + 1].copy()


@compiled
def _come_nearer(away: NDArray[np.uint8], i: int, j: int, k: int, side: int) -> None:
    """Take over what the 13 neighbours on one side of a block know."""
    least = away[i, j, k + side]
    for c in range(-1, 2):
        least = min(least, away[i, j + side, k + c])
        for b in range(-1, 2):
            least = min(least, away[i + side, j + b, k + c])
    if least + 1 < away[i, j, k]:
        away[i, j, k] = least + 1

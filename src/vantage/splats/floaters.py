"""Floaters: Gaussians that hang in the air on their own, as captures have them where a photo had nothing to match.

Space is cut into cells; a Gaussian is a floater when its cell and the 26 around it hold fewer than ``COMPANY`` others.
A cell is 2.5 % of the size of the cloud wide, or wider where the cloud is so sparse that a surface of that many
Gaussians would not fill its cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.splats.cloud import GaussianCloud

COMPANY = 6
_CELL = 0.025  # of the robust diagonal
_SPACING = 3.0  # cells are at least this wide, in mean distances of as many points on a surface
_FARTHEST = 1 << 19  # cells from the corner; what lies farther out has no company


def floaters(cloud: GaussianCloud) -> NDArray[np.bool_]:
    """(N,): which Gaussians are floaters."""
    n = len(cloud)
    if n == 0:
        return np.zeros(0, np.bool_)
    means = cloud.means.astype(np.float64)
    low, high = np.percentile(means, [1.0, 99.0], axis=0)
    edge = float(np.linalg.norm(high - low)) * max(_CELL, _SPACING / np.sqrt(n))
    if edge == 0.0:
        return np.asarray((means != low).any(axis=1))
    with np.errstate(over="ignore"):
        scaled = np.clip(np.floor((means - low) / edge), -_FARTHEST, _FARTHEST).astype(np.int64)
    outside = (np.abs(scaled) == _FARTHEST).any(axis=1)
    step = np.array([1, 1 << 21, 1 << 42])
    key = (scaled + 2 * _FARTHEST) @ step
    cells, member, counts = np.unique(key, return_inverse=True, return_counts=True)
    total = np.zeros(len(cells), np.int64)
    for offset in np.ndindex(3, 3, 3):
        wanted = cells + (np.array(offset) - 1) @ step
        at = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
        total += np.where(cells[at] == wanted, counts[at], 0)
    return np.asarray(outside | (total[member.reshape(-1)] <= COMPANY))

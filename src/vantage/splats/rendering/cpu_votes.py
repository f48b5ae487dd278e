"""Which thing a pixel shows: the one whose Gaussians have the largest sum of weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from vantage.splats.jit import inline_kernel
from vantage.splats.rendering import simd
from vantage.splats.rendering.cpu_project import TILE
from vantage.splats.rendering.simd import LANES

PIXELS = TILE * TILE


@inline_kernel
def rank(slots: Any, used: Any, labels: Any, ranked: Any) -> None:
    """The first ``used`` slots in ascending order of their labels (Shell sort)."""
    for i in range(used):
        ranked[i] = slots[i]
    gap = used
    while gap > 1:
        gap = max(gap * 4 // 9, 1)
        for i in range(gap, used):
            slot = ranked[i]
            k = i
            while k >= gap and labels[ranked[k - gap]] > labels[slot]:
                ranked[k] = ranked[k - gap]
                k -= gap
            ranked[k] = slot


@inline_kernel
def elect(block: Any, ranked: Any, used: Any, labels: Any, planes: Any, votes: Any) -> Any:
    """The bits of the label with the largest sum of votes in each pixel of a block, the smallest of equals, or 0."""
    zero = simd.splat(np.float32(0.0))
    best, winner, total = zero, zero, zero
    for i in range(used):
        slot = np.int64(ranked[i])
        total = total + simd.load(votes, np.int64(planes[slot]) * PIXELS + block * LANES)
        if i + 1 == used or labels[ranked[i + 1]] != labels[slot]:
            more = total > best
            best = simd.where(more, total, best)
            winner = simd.where(more, simd.broadcast(labels, slot), winner)
            total = zero
    return winner

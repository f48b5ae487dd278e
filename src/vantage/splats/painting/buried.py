"""Which samples lie so deep inside another part of their thing that nobody ever sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.jit import kernel
from vantage.splats.painting.pieces import Piece
from vantage.splats.painting.samples import Samples

_MARGIN = 0.6  # cells that a sample must lie inside another solid
_KINDS = {"box": 0, "ellipsoid": 1, "cylinder": 2, "cone": 3}


def buried(samples: Samples, pieces: Sequence[Piece]) -> NDArray[np.bool_]:
    """Samples (N,) in the frames of their things; the pieces of a thing follow each other."""
    instances = np.array([piece.thing.instance_id for piece in pieces], dtype=np.int64)
    starts = np.flatnonzero(np.diff(instances, prepend=-1))
    ends = np.append(starts[1:], len(pieces))
    group = np.searchsorted(starts, np.arange(len(pieces)), side="right") - 1
    kinds = np.array([_KINDS[piece.part.shape] if piece.solid else -1 for piece in pieces], dtype=np.int64)
    axes = np.array(["xyz".index(piece.part.axis) for piece in pieces], dtype=np.int64)
    centers = np.array([piece.part.center for piece in pieces], dtype=np.float64)
    halves = 0.5 * np.array([piece.part.size for piece in pieces], dtype=np.float64)
    margins = _MARGIN * np.array([piece.spacing for piece in pieces], dtype=np.float64)
    inside = np.zeros(len(samples), dtype=np.bool_)
    _mark(
        np.ascontiguousarray(samples.points),
        samples.pieces,
        starts[group],
        ends[group],
        kinds,
        axes,
        centers,
        halves,
        margins,
        inside,
    )
    return inside


@kernel
def _mark(
    points: Any, pieces: Any, first: Any, last: Any, kinds: Any, axes: Any, centers: Any, halves: Any, margins: Any,
    inside: Any,
) -> None:  # fmt: skip
    offset = np.empty(3)
    for n in range(len(points)):
        own = pieces[n]
        for other in range(first[own], last[own]):
            if other == own or kinds[other] < 0:
                continue
            margin = margins[own]
            least = min(halves[other, 0], min(halves[other, 1], halves[other, 2]))
            if least <= margin:
                continue
            for k in range(3):
                offset[k] = abs(points[n, k] - centers[other, k]) / (halves[other, k] - margin)
            if kinds[other] == 0:
                reach = max(offset[0], max(offset[1], offset[2]))
            elif kinds[other] == 1:
                reach = math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
            else:
                along = axes[other]
                a, b = (along + 1) % 3, (along + 2) % 3
                reach = max(offset[along], math.sqrt(offset[a] ** 2 + offset[b] ** 2))
            if reach < 1.0:
                inside[n] = True
                break

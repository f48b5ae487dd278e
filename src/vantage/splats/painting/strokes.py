"""Thin straight lines laid over surfaces: joints of tiles and boards, and the ink of print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vantage.splats.painting.samples import Samples
from vantage.splats.painting.sheets import Vector


class Stroke(NamedTuple):
    """A line on a surface of a piece: its middle, the unit vectors along it and off the surface, and its extents, m."""

    piece: int
    middle: Vector
    along: Vector
    normal: Vector
    length: float
    width: float


def draw(strokes: Sequence[Stroke]) -> Samples:
    """One sample for each stroke."""
    middles, along, normals = (
        np.array([getattr(stroke, name) for stroke in strokes], dtype=np.float64).reshape(-1, 3)
        for name in ("middle", "along", "normal")
    )
    widths = np.array([(stroke.length, stroke.width) for stroke in strokes], dtype=np.float64).reshape(-1, 2)
    return Samples(middles, along, normals, widths, np.array([stroke.piece for stroke in strokes], dtype=np.int64))

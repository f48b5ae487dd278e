"""What decides whether two sightings are of one thing: a box, how sure it is, and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vantage.types import Detection, Point

_SPREAD, _SPREAD_PIXELS, _MOST_SPREAD = 0.015, 2000, 0.06  # m, pixels, m


def spread_of(pixels: Any) -> Any:
    """Expected error (m, standard deviation) of a position of which no simulator vouches, by the pixels it rests on:
    one number or an array of them."""
    return np.minimum(_MOST_SPREAD, _SPREAD * np.sqrt(_SPREAD_PIXELS / np.maximum(pixels, 1)))


@dataclass(frozen=True)
class Looks:
    """One sighting, or what all sightings of a thing together say.

    Attributes:
        low, high: of the visible surface, world frame, m.
        spread: expected error of these, m.
        whole: clear of the image border.
        room: the kind of room that a floor belongs to.
    """

    low: Point
    high: Point
    spread: float
    whole: bool
    label: str
    color: str
    material: str
    shape: str
    room: str

    @staticmethod
    def of(detection: Detection) -> Looks:
        """As one view shows it."""
        return Looks(
            detection.bounds_min,
            detection.bounds_max,
            float(spread_of(detection.pixels)),
            not detection.truncated,
            detection.label,
            detection.color,
            detection.material,
            detection.shape,
            detection.room,
        )

"""Where words are printed on an object, as far as a view told."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.types import Point


@dataclass(frozen=True)
class PrintSpot:
    """Of a line of print.

    Attributes:
        middle: world frame, m.
        normal: unit vector out of the surface there.
        letter: height of the letters, about, m.
    """

    middle: Point
    normal: Point
    letter: float

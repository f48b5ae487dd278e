"""Whether something is within reach in a home that is known as a whole: for those who judge, not for the robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from vantage.perception.map import CoverageMap
from vantage.planning.skills.approach import DOWN, FORWARD, SLANTED, approaches
from vantage.planning.skills.body import Body
from vantage.planning.skills.floor import Place
from vantage.types import Point

_ROOM = 0.1  # m around the base that a free place is said to have


class KnownPlace(Protocol):
    """A home in which it is known where the robot can stand and get about."""

    def is_free(self, x: float, y: float) -> bool: ...

    def nearest_free(self, x: float, y: float) -> tuple[float, float] | None: ...


@dataclass(frozen=True)
class _KnownFloor:
    place: KnownPlace
    radius: float

    def stands(self, place: Place) -> bool:
        if not self.place.is_free(*place):
            return False
        near = self.place.nearest_free(*place)
        return near is not None and math.dist(near, place) <= 0.1

    def cost(self, place: Place) -> float:
        return 0.0 if self.stands(place) else math.inf

    def room(self, place: Place) -> float:
        return self.radius + _ROOM

    def line_is_free(self, start: Place, end: Place) -> bool:
        return self.stands(start) and self.stands(end)


@dataclass(frozen=True)
class _KnownSituation:
    body: Body
    floor: _KnownFloor
    floor_level: float = 0.0
    coverage: CoverageMap | None = None


def within_reach(
    body: Body,
    place: KnownPlace,
    point: Point,
    outward: Point | None = None,
    pitches: Sequence[float] = (FORWARD, SLANTED, DOWN),
) -> bool:
    """Whether the tool gets to a point (m) from somewhere that the robot gets to; to one on a front, from before it.

    What stands between the robot and the point is not looked at.
    """
    known = _KnownSituation(body, _KnownFloor(place, body.radius))
    return bool(approaches(known, point, pitches, outward, 1.3))

"""Whether something is within reach in a home that is known as a whole: for those who judge, not for the robot."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from vantage.perception.map import CoverageMap
from vantage.planning.skills.approach import DOWN, FORWARD, SLANTED, approaches
from vantage.planning.skills.body import Body
from vantage.planning.skills.floor import Place
from vantage.types import Point

_BEFORE = 0.12  # m along the tool from where it has to go straight to the point
_ROOM = 0.1  # m around the base that a free place is said to have


class KnownPlace(Protocol):
    """A home in which it is known where the robot can stand and get about."""

    def is_free(self, x: float, y: float) -> bool: ...

    def nearest_free(self, x: float, y: float) -> tuple[float, float] | None: ...


class NearlyFree:
    """A place where the robot can stand wherever it can within a few cm, by a map that leaves some room around it;
    remembers what was asked, to 1 cm.

    Args:
        slack: those, m.
    """

    def __init__(self, place: KnownPlace, slack: float = 0.05) -> None:
        self._place, self._slack = place, slack
        self._known: dict[tuple[int, int], tuple[float, float] | None] = {}

    def is_free(self, x: float, y: float) -> bool:
        near = self.nearest_free(x, y)
        return near is not None and math.dist(near, (x, y)) <= self._slack

    def nearest_free(self, x: float, y: float) -> tuple[float, float] | None:
        key = round(100.0 * x), round(100.0 * y)
        if key not in self._known:
            self._known[key] = self._place.nearest_free(x, y)
        return self._known[key]


@dataclass(frozen=True)
class _KnownFloor:
    place: KnownPlace
    radius: float
    is_open: Callable[[Place], bool] | None = None

    def stands(self, place: Place) -> bool:
        if not self.place.is_free(*place) or (self.is_open is not None and not self.is_open(place)):
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
    is_open: Callable[[Place], bool] | None = None,
    headings: Sequence[float] | None = None,
) -> bool:
    """Whether the tool gets to a point (m) from somewhere that the robot gets to; to one on a front, from before it.

    What else stands between the robot and the point is not looked at.

    Args:
        is_open: whether no wall is between a place of the base and the point.
        headings: of base and tool, rad; all where none are given.
    """
    known = _KnownSituation(body, _KnownFloor(place, body.radius, is_open))
    before = _BEFORE if headings is None else 0.0
    return bool(approaches(known, point, pitches, outward, 1.3, before=before, headings=headings))

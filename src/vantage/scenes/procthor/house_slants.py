"""Slanted sides of a floor plan, shown as two sides with a right angle between them.

Rooms on both sides of a slanted wall get the same corner, so that they still touch and do not overlap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vantage.scenes.spec import Corner, crosses_itself, sides

_SLIGHT = 0.02  # m: sides that are off by less are straight
_PASSES = 3  # over all slanted sides, while better corners are found
_DIGITS = 3  # of coordinates of ends that are one, m


class SlantedSides:
    """The corners that stand for the slanted sides of some rooms.

    Of the two that are possible, it is the one with which outlines seldom go back the way that they came.

    Args:
        outlines: of the floors of all rooms, m.
    """

    def __init__(self, outlines: Sequence[Sequence[Corner]]) -> None:
        slanted = [side for outline in outlines for side in sides(outline) if _is_slanted(*side)]
        self._choices = {_key(*side): 0 for side in slanted}
        self._off = max((abs(a[0] - b[0]) * abs(a[1] - b[1]) / math.dist(a, b) for a, b in slanted), default=0.0)
        least = self._faults(outlines)
        for _ in range(_PASSES):
            for key in self._choices:
                self._choices[key] ^= 1
                faults = self._faults(outlines)
                if faults < least:
                    least = faults
                else:
                    self._choices[key] ^= 1

    def _faults(self, outlines: Sequence[Sequence[Corner]]) -> int:
        """How often an outline turns back or crosses itself with the corners that are chosen."""
        if not self._choices:
            return 0
        found = 0
        for outline in outlines:
            corners = self.squared(outline)
            found += sum(_turns_back(corners[k - 2], corners[k - 1], corners[k]) for k in range(len(corners)))
            found += crosses_itself(corners)
        return found

    @property
    def farthest_off(self) -> float:
        """How far the corners are from the slanted sides at most, m; 0 where there are none."""
        return self._off

    def corner(self, start: Corner, end: Corner) -> Corner | None:
        """The corner that stands for a slanted side, the same from either end; None for a straight one."""
        if not _is_slanted(start, end):
            return None
        return _corners(start, end)[self._choices.get(_key(start, end), 0)]

    def squared(self, outline: Sequence[Corner]) -> list[Corner]:
        """The outline with a corner in each slanted side."""
        found: list[Corner] = []
        for start, end in sides(outline):
            corner = self.corner(start, end)
            found += [start] if corner is None else [start, corner]
        return found


def _is_slanted(start: Corner, end: Corner) -> bool:
    return min(abs(start[0] - end[0]), abs(start[1] - end[1])) >= _SLIGHT


def _key(start: Corner, end: Corner) -> tuple[Corner, Corner]:
    first, second = sorted((start, end))
    return (round(first[0], _DIGITS), round(first[1], _DIGITS)), (round(second[0], _DIGITS), round(second[1], _DIGITS))


def _corners(start: Corner, end: Corner) -> tuple[Corner, Corner]:
    """Both corners that can stand for a slanted side."""
    first, second = sorted((start, end))
    return (second[0], first[1]), (first[0], second[1])


def _turns_back(before: Corner, at: Corner, after: Corner) -> bool:
    """Whether one who comes from a corner goes back on the same line."""
    (a, b), (c, d) = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
    return abs(a * d - b * c) < _SLIGHT * math.dist(before, at) and a * c + b * d < 0

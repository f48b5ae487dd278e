"""Wall lines of a home as ProcTHOR has them: both sides of a wall between two rooms are the same stretch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vantage.scenes.spec.outlines import Corner, sides
from vantage.scenes.spec.spec import Opening

_SAME = 1e-4  # m


@dataclass(frozen=True)
class Segment:
    """A stretch of wall line, clockwise around its room as ProcTHOR has it."""

    room: int
    start: Corner
    end: Corner

    @property
    def length(self) -> float:
        """m"""
        return math.dist(self.start, self.end)

    def name(self, owner: str) -> str:
        """Of the wall there, which a room (by number) or the ``exterior`` has."""
        ends = sorted((self.start, self.end))
        return f"wall|{owner}|" + "|".join(f"{value:.2f}" for corner in ends for value in corner)

    def along(self, x: float, y: float) -> float:
        """How far from its start a point is, m."""
        way = (self.end[0] - self.start[0], self.end[1] - self.start[1])
        return ((x - self.start[0]) * way[0] + (y - self.start[1]) * way[1]) / math.hypot(*way)

    def away(self, x: float, y: float) -> float:
        """How far from its line a point is, m."""
        way = (self.end[0] - self.start[0], self.end[1] - self.start[1])
        return abs((x - self.start[0]) * way[1] - (y - self.start[1]) * way[0]) / math.hypot(*way)


def cut_segments(outlines: Mapping[int, Sequence[Corner]]) -> list[Segment]:
    """The sides of all rooms, cut where other rooms begin or end beside them."""
    corners = [corner for outline in outlines.values() for corner in outline]
    found = []
    for room, outline in outlines.items():
        for end, start in sides(outline):  # clockwise
            whole = Segment(room, start, end)
            cuts = {round(whole.along(*corner), 4): corner for corner in corners if whole.away(*corner) < _SAME}
            stops = [start, *(cuts[at] for at in sorted(cuts) if _SAME < at < whole.length - _SAME), end]
            found += [Segment(room, a, b) for a, b in pairwise(stops)]
    return found


def facing(segment: Segment, segments: Sequence[Segment]) -> Segment | None:
    """The same stretch of wall line on the side of another room."""
    for other in segments:
        if math.dist(other.start, segment.end) < _SAME and math.dist(other.end, segment.start) < _SAME:
            return other
    return None


def segment_of(opening: Opening, room: int, segments: Sequence[Segment]) -> Segment | None:
    """The stretch of wall line of a room that an opening is in."""
    x, y = (0.5 * (opening.low[k] + opening.high[k]) for k in (0, 1))
    own = [segment for segment in segments if segment.room == room]
    within = [each for each in own if 0 < each.along(x, y) < each.length]
    return min(within, key=lambda each: each.away(x, y), default=None)

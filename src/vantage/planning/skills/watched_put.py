"""Putting something down and looking at it there: what was let go may roll off, tip over or lie on the rim."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from vantage.perception.map import Box, ObservedObject
from vantage.planning.skills.going import look_at, looked_nearer
from vantage.planning.skills.putting import Put
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Steps, failed
from vantage.types import Command, Point

_BESIDE = 0.02  # m by which the middle of what is on or in a thing may be seen beside its footprint
_RIM = 0.03  # m above its base that the sides of a thing must rise around what is in it
_DROP = 0.1  # m above the top of a thing, up to which what is seen there is on it
_LEVEL = 0.05  # m above the floor, from which on a thing does not lie there
_FLOOR = "floor"


@dataclass(frozen=True)
class WatchedPut:
    """Put what the hand holds on or in a thing, and look whether it is there.

    Where it is seen elsewhere, that is a failure; where it is not seen at all, from two places, the result says so.

    Attributes:
        key: identity of that thing.
        relation: ``on`` or ``in``.
    """

    key: int
    relation: str = "on"

    name = "put"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        obj = now.memory.held
        ended = yield from Put(self.key, self.relation).steps(now)
        support = now.get(self.key)
        if not ended.done or obj is None or support is None:
            return ended
        key = obj.instance_id
        seen = yield from _looked_for(now, key, support)
        what = f"the {obj.label} was put {self.relation} the {support.label}"
        if seen is None:
            return SkillResult(unseen=f"{what} and was not seen there; look there")
        former, (low, high) = now.memory.former_place(obj), now.memory.found_box(support)
        height = 0.0 if former is None else former.high[2] - former.low[2]
        place = Box(support.instance_id, support.label, low, high)
        if is_seen_there(seen, place, self.relation, height, now.memory.floor_level):
            return ended
        now.memory.seen_at(key, *seen)
        return failed(Failure.SLIPPED, f"{what} and was seen elsewhere; take it up again")


Extent = tuple[Point, Point]


def is_seen_there(seen: Extent, place: Box, relation: str, height: float, floor: float) -> bool:
    """Whether a thing is on or in a place, by the box of what is seen of it.

    What is in something is below its rim by more than a little, as much of it as is hidden: the sides are around it.

    Args:
        seen: lowest and highest corner, m.
        relation: ``on`` or ``in``; in a room it is above its floor.
        height: of the whole thing, as it stood, m.
        floor: its height, m.
    """
    (x0, y0, bottom), (x1, y1, top) = seen
    if not place.covers(0.5 * (x0 + x1), 0.5 * (y0 + y1), _BESIDE):
        return False
    if place.label == _FLOOR:
        return True
    if relation == "in":
        base = max(min(bottom, top - height), place.low[2])
        return base + _RIM < place.high[2] and (x1 - x0) * (y1 - y0) <= place.area
    lies_below = bottom < floor + _LEVEL < place.high[2] - _LEVEL
    return not lies_below and place.low[2] - _LEVEL <= bottom <= place.high[2] + _DROP


def _looked_for(now: Situation, key: int, support: ObservedObject) -> Generator[Command, None, Extent | None]:
    """The box of a thing in the first view that shows it: the newest, one of what it was put on, one from elsewhere."""
    obj = now.get(key)
    aim = support.center if obj is None else obj.center
    here = now.here.x, now.here.y
    for look in (look_at(now, (*aim[:2], support.bounds_max[2])), looked_nearer(now, aim, [here])):
        seen = yield from _until_seen(now, key, look)
        if seen is not None:
            return seen
    return None


def _until_seen(
    now: Situation, key: int, look: Generator[Command, None, Any]
) -> Generator[Command, None, Extent | None]:
    """Give the commands of a look until a view shows a thing."""
    seen = _seen(now, key)
    while seen is None:
        try:
            command = next(look)
        except StopIteration:
            return None
        yield command
        seen = _seen(now, key)
    look.close()
    return seen


def _seen(now: Situation, key: int) -> Extent | None:
    """The box of a thing in the newest view, m."""
    for each, known in zip(now.perceiver.perceive(now.observation), now.memory.newest, strict=False):
        if key in (each.instance_id, known):
            return each.bounds_min, each.bounds_max
    return None

"""Putting what the hand holds on or in a thing."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.perception.map import FormerPlace, ObservedObject
from vantage.planning.skills.approach import DOWN, FORWARD, approaches
from vantage.planning.skills.body import Approach, tool_at
from vantage.planning.skills.floor import Place
from vantage.planning.skills.free_spots import free_spots
from vantage.planning.skills.going import looked_nearer
from vantage.planning.skills.holding import put_down
from vantage.planning.skills.inner_spots import inner_spots, opens_at_its_front
from vantage.planning.skills.results import Failure
from vantage.planning.skills.situation import Situation, Steps, failed
from vantage.spatial import Matrix, wrap_angle
from vantage.types import Command, Point

_SPOTS, _HEADINGS = 12, 24  # places that are tried, and directions from which
_CLOSE_BY = 0.2  # m between spots that are tried first
_WAYS = 8  # that are tried into a thing that is open at its front
_ALIKE = 0.2  # rad from straight down, within which a hand points down into what is open at its top
_HAND = 0.06  # m that a level hand is thick below the tool
_LAID = 0.6  # rad by which the hand turns with a thing, from which on that lies on its side
_ASKEW = 0.7  # rad from straight before it that the hand may come
_SPOT = 0.05  # m of way that a spot costs that is farther in
_DROP = 0.004  # m above a spot at which a thing is let go
_SUNK = 0.06  # m that the lowest seen part of a thing may be above its base
_FALLEN = 0.05  # m that all of a thing is below where it was put


@dataclass(frozen=True)
class Put:
    """Put what the hand holds on or in a thing.

    Attributes:
        key: identity of that thing.
        relation: ``on`` or ``in``.
    """

    key: int
    relation: str = "on"

    name = "put"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        if not now.is_holding():
            return failed(Failure.NOT_HELD, "the hand holds nothing; pick something up first")
        support, obj = now.get(self.key), now.memory.held
        if support is None:
            return failed(Failure.NOT_SEEN, f"nothing of identity {self.key} was seen; look around first")
        if obj is None:
            return failed(Failure.NOT_SEEN, "what the hand holds was never seen; its size is not known")
        former = now.memory.former_place(obj)
        if former is None:
            return failed(Failure.NOT_SEEN, "where what the hand holds was taken from is not known")
        inside = self.relation == "in"
        ways: Iterable[tuple[Point, Approach]] = ()
        if inside and opens_at_its_front(now, support):
            ways = yield from _ways_in_after_a_look(now, former, support)
            if not ways:
                return failed(Failure.NO_ROOM, f"no free place was seen in the {support.label} that the hand gets to")
        else:
            taken = _pitch_of(former)
            pitches = dict.fromkeys((DOWN if inside and abs(taken - DOWN) > _ALIKE else taken, taken))
            sizes = {pitch: _foot(former, _base_of(now, former), pitch)[1] for pitch in pitches}
            spots = {pitch: _apart(free_spots(now, support, obj, sizes[pitch], self.relation)) for pitch in pitches}
            if not any(spots.values()):
                return failed(Failure.NO_ROOM, f"no free place was seen {self.relation} the {support.label}")
            ways = (
                (spot, each)
                for pitch in pitches
                for spot in spots[pitch][:_SPOTS]
                for each in _ways_down(now, former, spot, pitch)[:2]
            )
        last = failed(Failure.OUT_OF_REACH, f"the hand gets to no free place {self.relation} the {support.label}")
        for spot, each in ways:
            ended = yield from put_down(now, obj.label, each.T_world_tool)
            if ended.done and _fell(now, obj.instance_id, spot[2]):
                return failed(Failure.SLIPPED, f"the {obj.label} fell off the {support.label}; take it up again")
            if ended.done or ended.failure not in (Failure.BLOCKED, Failure.OUT_OF_REACH, Failure.NO_WAY):
                return ended
            last = ended
        return last


def _apart(spots: Sequence[Point]) -> list[Point]:
    """The same spots, those first of which none before is close by: where the hand does not get, it does not get beside
    that either."""
    first: list[Point] = []
    for spot in spots:
        if all(math.dist(spot, other) > _CLOSE_BY for other in first):
            first.append(spot)
            if len(first) == _SPOTS:
                break
    return [*first, *(spot for spot in spots if spot not in first)]


def _fell(now: Situation, key: int, level: float) -> bool:
    """Whether the newest view shows a thing far below where it was put (m)."""
    seen = (each for each in now.perceiver.perceive(now.observation) if each.instance_id == key)
    return any(each.bounds_max[2] < level - _FALLEN for each in seen)


def _ways_in_after_a_look(
    now: Situation, former: FormerPlace, support: ObservedObject
) -> Generator[Command, None, list[tuple[Point, Approach]]]:
    """``_ways_in``, once enough of the inside was seen: where there are none, it is looked at from nearer first."""
    looks: list[Place] = []
    ways = _ways_in(now, former, support)
    while not ways and (yield from looked_nearer(now, support.center, looks)):
        support = now.get(support.instance_id) or support
        ways = _ways_in(now, former, support)
    return ways


def _ways_in(now: Situation, former: FormerPlace, support: ObservedObject) -> list[tuple[Point, Approach]]:
    """Spots (m) in a thing that is open at its front, and ways to hold a thing there with a level hand, best first."""
    front = now.memory.front_of(support)
    towards = None if front is None else math.atan2(-front[1], -front[0])
    _, size = _foot(former, _base_of(now, former), FORWARD)
    found = []
    for rank, spot in enumerate(inner_spots(now, support, size)):
        for each in _ways_down(now, former, spot, FORWARD):
            askew = 0.0 if towards is None else abs(wrap_angle(each.yaw - towards))
            if askew < _ASKEW:
                found.append((each.cost + _SPOT * rank + askew, (spot, each)))
    return [pair for _, pair in sorted(found, key=lambda each: each[0])][:_WAYS]


def _pitch_of(former: FormerPlace) -> float:
    """How far below level the hand pointed that took a thing, rad."""
    return math.asin(min(max(-float(former.T_world_tool[2, 0]), -1.0), 1.0))


def _foot(former: FormerPlace, base: float, pitch: float) -> tuple[Matrix, Point]:
    """Where the base of a thing is beside the tool that holds it, (3,), m, and the size of its box, m, both for a tool
    that heads along x and points ``pitch`` rad below level. A hand that turns from above to level lays it on its side.

    Args:
        base: height of its base when it was taken, m.
    """
    low, high = np.array([*former.low[:2], base]), np.array(former.high)
    wide, deep, tall = (high - low).tolist()
    size: Point = (wide, deep, tall)
    if abs(pitch - _pitch_of(former)) > _LAID:
        across = max(wide, deep)
        size = max(across, tall), max(across, tall), across
    middle = (np.linalg.inv(np.array(former.T_world_tool, np.float64)) @ [*(0.5 * (low + high)), 1.0])[:3]
    foot = tool_at(np.zeros(3), 0.0, pitch)[:3, :3] @ middle - [0.0, 0.0, 0.5 * size[2]]
    if pitch < _LAID:
        foot[2] = min(foot[2], -_HAND)
    return foot, size


def _ways_down(now: Situation, former: FormerPlace, spot: Point, pitch: float) -> list[Approach]:
    """Ways to hold a thing with a hand that points ``pitch`` rad below level over a spot (m) on which its base shall
    stand."""
    below, _ = _foot(former, _base_of(now, former), pitch)
    found: list[Approach] = []
    for number in range(_HEADINGS):
        yaw = wrap_angle(2.0 * math.pi * number / _HEADINGS)
        point = np.add(spot, (0.0, 0.0, _DROP)) - tool_at(np.zeros(3), yaw, 0.0)[:3, :3] @ below
        x, y, z = point.tolist()
        found += approaches(now, (x, y, z), (pitch,), headings=[yaw], before=0.0)
    return sorted(found, key=lambda each: each.cost)


def _base_of(now: Situation, former: FormerPlace) -> float:
    """Height of the base of a thing where it was, m: that of the surface it stood on, for less of itself is seen."""
    placement = former.placement
    support = None if placement is None or placement.relation != "on" else now.get(placement.key)
    if support is not None and abs(support.bounds_max[2] - former.low[2]) < _SUNK:
        return support.bounds_max[2]
    return former.low[2]

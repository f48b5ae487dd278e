"""Weighing: by the least force of a grasp that holds, or by what is felt at the wrist.

What comes out is kept in the observed scene as an interval. A force that holds a thing is about its weight, or more, as
may be one that does not: a thing that swings or leans pulls harder than it weighs. Of the wrist, the interval is what
two standard deviations of its noise leave open.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.perception.map import ObservedObject
from vantage.planning.skills.floor import Place
from vantage.planning.skills.going import look_at, straight_to, turn_to
from vantage.planning.skills.holding import Pick, grasp, release
from vantage.planning.skills.reaching import raised, withdrawn
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import FRICTION, Situation, Steps, failed, moved_hand
from vantage.spatial import Matrix, wrap_angle
from vantage.types import KGF, Command, Status

STEP = 0.05  # kgf
_UP = 0.02  # m: from so low nothing falls far
_READINGS = 8  # at the wrist, averaged
_NUDGE = 0.005  # m between two of these
_FIRST = 10  # steps of the first force that is tried
_PULL = 0.2  # share of a force that does not hold a thing by which that may weigh less
_SLIP, _PADS_SLIP = 0.015, 0.1  # share by which the force that holds a thing may be less than its weight; between pads
_WRIST = 0.03, 0.01  # share of a mass, and kg, that twice the standard deviation of the wrist comes to
_MOST_DOUBLED = 40  # steps: beyond, forces are doubled rather than bisected, for most things are light
_FINE = 10  # share of a force, inverted, within which the least that holds is found: heavy things need no single steps
_FROM_ABOVE = 0.6  # rad below level, from which on the hand comes from above and may go from thing to thing
_FARTHEST, _HIGHER = 0.6, 0.35  # m between neighbours, level and in height, among which the arm is not folded
_OVER, _BESIDE = 0.06, 0.15  # m above all that is on the way of the hand, and beside it
_OFF = 0.03  # m above the top of a thing, from where it is grasped
_ASKEW = (0.0, 0.26, -0.26, 0.52, -0.52, 0.78, -0.78)  # rad that the base may turn between neighbours
_SMALL = 0.6  # m: what is longer is what things stand on


@dataclass(frozen=True)
class Weigh:
    """Find out the mass of a thing; at the end it stands where it stood.

    Where forces are felt at the wrist, it is lifted once. Elsewhere it is lifted a little with one force after the
    other, and bisection finds the least in whole steps that holds it.

    Attributes:
        key: identity of the thing.
        then: neighbours of it that are weighed right after it where that goes without folding the arm; what becomes of
            them the observed scene tells.
    """

    key: int
    then: tuple[int, ...] = ()

    name = "weigh"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        picked = yield from Pick(self.key, carry=False).steps(now)
        if not picked.done:
            return picked
        obj = now.get(self.key)
        center = now.touch.T_world_tool[:3, 3] if obj is None else obj.center
        mass = yield from _weighed(now)
        yield from release(now)
        for key in self.then if mass.done else ():
            if not (yield from _taken_beside(now, key)):
                continue
            told = yield from _weighed(now)
            yield from release(now)
            if not told.done:
                break
        yield from withdrawn(now)
        yield from look_at(now, (float(center[0]), float(center[1]), float(center[2])))
        return mass


def neighbours(obj: ObservedObject, others: Sequence[ObservedObject]) -> list[ObservedObject]:
    """Of other things those that may be weighed right after one, the nearest first."""
    near = [
        (math.dist(obj.center[:2], other.center[:2]), other.instance_id, other)
        for other in others
        if other is not obj and abs(other.bounds_max[2] - obj.bounds_max[2]) <= _HIGHER
    ]
    return [other for away, _, other in sorted(near, key=lambda each: each[:2]) if away <= _FARTHEST]


def _weighed(now: Situation) -> Steps:
    """Of what the hand holds and has lifted a little."""
    obj = now.memory.held
    former = None if obj is None else now.memory.former_place(obj)
    if obj is None or former is None:
        return failed(Failure.NOT_SEEN, "what the hand holds was never seen")
    at = np.array(former.T_world_tool, np.float64)
    if np.isfinite(now.touch.force).all():
        return (yield from _felt(now, at, obj.instance_id))
    return (yield from _bisected(now, at, obj.instance_id))


def _taken_beside(now: Situation, key: int) -> Generator[Command, None, bool]:
    """Take the hand, as it is turned, from above one thing to above another by driving, and lift that; whether it
    could."""
    obj = now.get(key)
    pose = np.array(now.touch.T_world_tool, np.float64)
    if obj is None or obj.mass is not None or math.asin(min(max(-float(pose[2, 0]), -1.0), 1.0)) < _FROM_ABOVE:
        return False
    low, high = obj.reached_at
    goal = np.array([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), high[2] + _OFF])
    if np.linalg.norm(goal[:2] - pose[:2, 3]) > 1.5 * _FARTHEST:
        return False
    chosen = _stand_beside(now, pose, goal)
    if chosen is None:
        return False
    there, turn = chosen
    rise = _highest_between(now, pose[:3, 3], goal) + _OVER - float(pose[2, 3])
    if rise > 0.0 and (yield from raised(now, rise)).status != Status.DONE:
        return False
    if (yield from straight_to(now, there)) is not None:
        return False
    if turn and (yield from turn_to(now, wrap_angle(now.here.yaw + turn), now.here.pitch)) is not None:
        return False
    pose[:3, :3] = _turned(turn) @ pose[:3, :3]
    pose[:3, 3] = goal
    if (yield from moved_hand(now, pose)).status != Status.DONE:
        return False
    yield from grasp(now, now.firmest)
    if now.is_holding():
        yield from raised(now, _UP)
    if not now.is_holding():
        yield from release(now)
        return False
    return True


def _stand_beside(now: Situation, pose: Matrix, goal: Matrix) -> tuple[Place, float] | None:
    """To where the base drives straight, and how far it turns there (rad), to bring the tool from a pose (4, 4) above
    a point (3,), with the arm as it is; None where it cannot."""
    here = np.array([now.here.x, now.here.y])
    arm = pose[:2, 3] - here
    for turn in _ASKEW:
        x, y = (goal[:2] - _turned(turn)[:2, :2] @ arm).tolist()
        if now.floor.line_is_free((now.here.x, now.here.y), (x, y)):
            return (x, y), turn
    return None


def _turned(angle: float) -> Matrix:
    """(3, 3): about the vertical."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _highest_between(now: Situation, start: Matrix, end: Matrix) -> float:
    """m: the top of all small things over which the hand passes from one point (3,) to another."""
    ways = [start + share * (end - start) for share in np.linspace(0.0, 1.0, 7)]
    tops = [
        obj.bounds_max[2]
        for obj in now.memory.objects
        if float(np.subtract(obj.bounds_max, obj.bounds_min)[:2].max()) <= _SMALL
        and obj.bounds_min[2] <= max(start[2], end[2])
        and any(obj.box.covers(float(point[0]), float(point[1]), _BESIDE) for point in ways)
    ]
    return max([*tops, float(end[2]) - _OFF])


def _felt(now: Situation, at: Matrix, key: int) -> Steps:
    """By the mean of several readings with the thing, less that without it."""
    loaded = yield from _readings(now)
    result = yield from moved_hand(now, at)
    if result.status != Status.DONE:
        return failed(Failure.BLOCKED, result.reason)
    yield from release(now)
    yield from raised(now, 0.1)
    empty = yield from _readings(now)
    mass = max((loaded - empty) / KGF, 0.0)
    off = _WRIST[0] * mass + _WRIST[1]
    now.memory.weighed(key, max(mass - off, 0.0), mass + off)
    return SkillResult(mass=mass)


def _readings(now: Situation) -> Generator[Command, None, float]:
    """N with which the hand pulls down, while it moves a little up and down."""
    found = []
    for number in range(_READINGS):
        touch = now.touch
        rotation = np.asarray(touch.T_world_tool)[:3, :3]
        found.append(-float((rotation @ touch.force)[2]))
        yield from raised(now, _NUDGE if number % 2 == 0 else -_NUDGE)
    return float(np.mean(found))


def _bisected(now: Situation, at: Matrix, key: int) -> Steps:
    """With forces of whole steps: between one that does not hold and one that does."""
    low, high = 0, math.ceil(now.firmest / STEP)
    guess = min(high - 1, _FIRST)
    while high - low > max(1, high // _FINE):
        if not now.is_holding():
            lifted = yield from _lifted(now, at)
            if not lifted:
                return failed(Failure.SLIPPED, "it is not where it was lifted any more")
        yield from grasp(now, guess * STEP)
        if now.is_holding():
            high = guess
        else:
            low = guess
        guess = (low + high) // 2 if high <= _MOST_DOUBLED or low == 0 else min(2 * low, (low + high) // 2)
        guess = max(guess, low + 1)
    if now.is_holding():
        yield from grasp(now, now.firmest)
        yield from moved_hand(now, at)
    slip = _PADS_SLIP if now.grasp == FRICTION else _SLIP
    now.memory.weighed(key, (1.0 - _PULL) * low * STEP, (1.0 + slip) * high * STEP)
    return SkillResult(mass=0.5 * (low + high) * STEP)


def _lifted(now: Situation, at: Matrix) -> Generator[Command, None, bool]:
    """Grasp the thing firmly where it stands, and lift it a little."""
    result = yield from moved_hand(now, at)
    if result.status != Status.DONE:
        return False
    yield from grasp(now, now.firmest)
    if now.is_holding():
        yield from raised(now, _UP)
    return now.is_holding()

"""Opening and closing by handles."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from vantage.perception.map import ObservedHandle, ObservedObject
from vantage.planning.skills.approach import DOWN, FORWARD, SLANTED, approaches
from vantage.planning.skills.body import Approach
from vantage.planning.skills.floor import Place
from vantage.planning.skills.going import looked_nearer
from vantage.planning.skills.reaching import followed, reach, stand_ready, withdrawn
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Steps, failed, moved_hand, obey
from vantage.spatial import Matrix, wrap_angle
from vantage.types import CLOSE, OPEN, ArmTarget, Cause, Command, Point, Status, StepResult

_ATTEMPTS = 10
_ENOUGH = 2  # attempts with one heading, after which others are tried first
_OFFS = (0.05, 0.09, 0.03)  # m out of the front from a handle, to which the tool goes
_OFFS_ASLANT = (0.09, 0.05, 0.03)
_UNSURE = 0.07  # m that it stays away at the most from one that a perceiver without identities saw
_SPREAD = 1.3  # rad from straight before the front that the base may be
_OTHER = 0.35  # m of way that a less usual distance from the handle costs
_LID = 0.12  # m below the top of a thing down to which the handle of a lid is
_LOADED = 4  # ways to pull after which what stands on a lid is what holds it
_ASLANT = 0.6  # rad from straight before the front, from where on the hand, which is wide, goes less near to it
_MISSED = 3  # ways on which the hand does not get to the handle, after which another front is taken for that of it
_LONG, _BAR = 2.0, 0.05  # times as long as wide, and m: a handle that tells by itself along what it runs
_INSIDE, _TOP = 0.03, 0.02  # m from all sides and from the top, of a handle that lies on top
_UP = (0.0, 0.0, 1.0)
_NEIGHBOUR, _ASIDE = 0.12, 0.03  # m: so near to another handle, the hand goes so far to the other side of its own
_FELT = (  # m ahead, to the left and up from where a handle was thought to be, where the hand feels for it
    (0.04, 0.0, 0.0),
    (0.02, 0.0, -0.1),
    (0.02, 0.1, 0.0),
    (0.02, 0.0, 0.1),
    (0.02, -0.1, 0.0),
    (0.1, 0.0, 0.0),
    (0.06, 0.08, -0.08),
    (0.06, 0.08, 0.08),
    (0.06, -0.08, 0.08),
    (0.06, -0.08, -0.08),
)
_SAME = 0.05  # m from where the handle of a closed part is, within which it is that one
_FAR = 0.3  # m of way that a m farther away is worth: there is room for what opens


@dataclass(frozen=True)
class Open:
    """Open a thing by one of its handles.

    Attributes:
        key: identity of the thing.
        handle: identity of the handle; 0 for the one that is nearest.
    """

    key: int
    handle: int = 0

    name = "open"
    way = OPEN

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        return (yield from _turn(now, self.key, self.handle, self.way))


@dataclass(frozen=True)
class Close:
    """Close a thing by one of its handles; see ``Open``."""

    key: int
    handle: int = 0

    name = "close"
    way = CLOSE

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        return (yield from _turn(now, self.key, self.handle, self.way))


def _turn(now: Situation, key: int, handle: int, way: str) -> Steps:
    if now.is_holding():
        return failed(Failure.HAND_FULL, f"the hand holds something and cannot {way} anything; put it down first")
    obj = now.get(key)
    if obj is None:
        return failed(Failure.NOT_SEEN, f"nothing of identity {key} was seen; look around first")
    looks: list[Place] = []
    grip = first_handle(now, obj, handle, way)
    while grip is None:
        if not (yield from looked_nearer(now, obj.center, looks)):
            break
        obj = now.get(key) or obj
        grip = first_handle(now, obj, handle, way)
    if grip is None:
        return failed(Failure.NO_HANDLE, f"no handle was seen on the {obj.label}; look at it from nearer")
    tried: list[tuple[Point, float, float, float]] = []
    pulled: list[float] = []
    looks.clear()
    feels = False
    last = failed(
        Failure.OUT_OF_REACH, f"no free floor was seen from which the hand gets to the handle of the {obj.label}"
    )
    while len(tried) < _ATTEMPTS:
        fronts = fronts_of_handle(now, obj, grip)
        missed = len(tried) - len(pulled)
        outward = fronts[missed // _MISSED % len(fronts)]
        ways = _ways_to(now, grip, outward)
        left = [
            each for off, each in ways if (outward, off, each.yaw, each.pitch) not in tried and each.yaw not in pulled
        ]
        headings = [yaw for _, _, yaw, _ in tried]
        chosen = min(left, key=lambda each: headings.count(each.yaw) >= _ENOUGH, default=None)
        if chosen is None:
            nearer = yield from looked_nearer(now, grip.center, looks)
            if not nearer:
                return last
            grip = _handle_of(now, obj, grip.key) or grip
            continue
        tried.append(next((outward, off, each.yaw, each.pitch) for off, each in ways if each is chosen))
        ended = yield from _attempt(now, grip, chosen, way, pulled, feels)
        feels = feels or ended.failure is Failure.NO_HANDLE
        if ended.done or ended.failure in (Failure.STOPPED, Failure.REFUSED, Failure.STUCK):
            return ended
        last = ended
        load = _load_on(now, obj, grip)
        if load and len(pulled) >= _LOADED:
            return failed(Failure.BLOCKED, f"the {load} stands on the {obj.label}; put it elsewhere first")
        grip = _handle_of(now, obj, grip.key) or grip
    return last


def _load_on(now: Situation, obj: ObservedObject, grip: ObservedHandle) -> str:
    """What stands on a lid, in a word: on a thing whose handle is near its top; empty for nothing."""
    if obj.bounds_max[2] - grip.center[2] > _LID:
        return ""
    return next((other.label for other in now.memory.objects_at(obj, "on")), "")


def first_handle(now: Situation, obj: ObservedObject, handle: int, way: str) -> ObservedHandle | None:
    """The handle of an identity; else the nearest one, to open something of a part that is not open yet."""
    shut = now.memory.inside_of(obj).shut if way == OPEN and not handle else ()
    grips = [each for each in now.memory.handles_of(obj) if any(math.dist(each.center, at) < _SAME for at in shut)]
    here = now.here.x, now.here.y
    return min(grips, key=lambda grip: math.dist(grip.center[:2], here), default=_handle_of(now, obj, handle))


def _handle_of(now: Situation, obj: ObservedObject, handle: int) -> ObservedHandle | None:
    grips = now.memory.handles_of(obj)
    if handle:
        return next((grip for grip in grips if grip.key == handle), None)
    here = now.here
    return min(grips, key=lambda grip: math.dist(grip.center[:2], (here.x, here.y)), default=None)


def fronts_of_handle(now: Situation, obj: ObservedObject, grip: ObservedHandle) -> list[Point]:
    """Unit vectors out of the front that a handle may be on, the likeliest first: of the sides of the thing that look
    towards where the robot is, the one that a long handle runs along, or that the handle stands out of most.

    Where another part of the thing stands open, its sides are farther out than its fronts. A handle that lies on top,
    as the edge of a flap, is taken from above first.
    """
    here = np.array([now.here.x, now.here.y])
    length = np.subtract(grip.high, grip.low)[:2]
    found: list[tuple[float, Point]] = []
    inside = min(
        min(c - low, high - c) for c, low, high in zip(grip.center[:2], obj.bounds_min, obj.bounds_max, strict=False)
    )
    above = [_UP] if inside > _INSIDE and obj.bounds_max[2] - grip.high[2] < _TOP else []
    for axis in (0, 1):
        is_along = length[1 - axis] > max(_LONG * length[axis], _BAR)
        for sign, side in ((-1.0, obj.bounds_min[axis]), (1.0, obj.bounds_max[axis])):
            out = sign * (grip.center[axis] - side)
            towards = sign * (here[axis] - grip.center[axis])
            normal = (sign, 0.0, 0.0) if axis == 0 else (0.0, sign, 0.0)
            if towards > 0.0:
                found.append((out + is_along, normal))
    if found:
        return above + [normal for _, normal in sorted(found, reverse=True)]
    way = here - grip.center[:2]
    way /= max(float(np.linalg.norm(way)), 1e-9)
    return [*above, (float(way[0]), float(way[1]), 0.0)]


def _ways_to(now: Situation, grip: ObservedHandle, outward: Point) -> list[tuple[float, Approach]]:
    """How far before the handle the hand goes (m), and how it gets there, best first."""
    found = []
    pitches = (DOWN, SLANTED) if outward == _UP else (FORWARD, SLANTED, DOWN)
    for off in _OFFS:
        before = off if grip.key > 0 else min(off, _UNSURE)
        x, y, z = (c + before * o for c, o in zip(grip.center, outward, strict=True))
        ways = approaches(now, (x, y, z), pitches, outward, _SPREAD, far=_FAR)
        for each in ways:
            turned = abs(wrap_angle(each.yaw - math.atan2(-outward[1], -outward[0])))
            aslant = outward != _UP and turned > _ASLANT
            rank = (_OFFS_ASLANT if aslant else _OFFS).index(off)
            found.append((off, replace(each, cost=each.cost + _OTHER * rank)))
    return sorted(found, key=lambda pair: pair[1].cost)


def away_from_others(now: Situation, grip: ObservedHandle) -> Matrix:
    """(3,) m from a handle away from the one next to it: the nearest to the hand is the one that is turned."""
    others = [np.subtract(grip.center, each.center) for each in now.memory.handles if each.key != grip.key]
    way = min(others, key=lambda gap: float(np.linalg.norm(gap)), default=np.full(3, np.inf))
    far = float(np.linalg.norm(way))
    return _ASIDE * way / far if 1e-6 < far < _NEIGHBOUR else np.zeros(3)


def _turned(now: Situation, way: str, feels: bool) -> Generator[Command, None, StepResult]:
    """Turn the handle at the hand; where none is and the hand ``feels``, try around: it was not seen just there."""
    at = np.array(now.touch.T_world_tool, np.float64)
    result = yield from obey(now, Command(arm=ArmTarget(handle=way)))
    for ahead, left, up in _FELT if feels else ():
        if result.cause is not Cause.NO_HANDLE:
            break
        pose = at.copy()
        pose[:3, 3] += ahead * at[:3, 0] + left * at[:3, 1] + (0.0, 0.0, up)
        if (yield from moved_hand(now, pose)).status == Status.DONE:
            result = yield from obey(now, Command(arm=ArmTarget(handle=way)))
    return result


def _attempt(
    now: Situation, grip: ObservedHandle, chosen: Approach, way: str, pulled: list[float], feels: bool
) -> Steps:
    """One way to a handle, by a new look at it from where the arm is unfolded, and what it is turned for.

    Args:
        pulled: headings from which it was turned in vain; grows.
        feels: where it is not there, the hand feels for it.
    """
    blocked = yield from stand_ready(now, chosen, grip.center)
    if blocked is not None:
        return blocked
    seen = next((each for each in now.memory.handles if each.key == grip.key), grip)
    chosen = followed(now, chosen, np.subtract(seen.center, grip.center))
    blocked = yield from reach(now, chosen.shifted(away_from_others(now, seen)))
    if blocked is not None:
        yield from withdrawn(now)
        return blocked
    result = yield from _turned(now, way, feels)
    yield from withdrawn(now)
    if result.status == Status.DONE:
        return SkillResult()
    if result.cause is Cause.NO_HANDLE:
        return failed(Failure.NO_HANDLE, result.reason)
    pulled.append(chosen.yaw)
    return failed(Failure.BLOCKED, result.reason)

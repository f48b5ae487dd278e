"""Opening and closing by handles."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import ObservedHandle, ObservedObject
from vantage.planning.skills.approach import DOWN, FORWARD, SLANTED, Approach, approaches, different
from vantage.planning.skills.going import Drive, drive_to, look_at, straight_to, tucked, turn_to
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Steps, failed, moved_hand, obey
from vantage.types import CLOSE, OPEN, ArmTarget, Command, Point, Status

_ATTEMPTS = 5
_OFF = 0.05  # m out of the front from a handle, to which the tool goes
_SPREAD = 1.3  # rad from straight before the front that the base may be
_FAR = 0.3  # m of way that a m farther away is worth: there is room for what opens
_SHIFTS = (0.0, -0.06, 0.06)  # m up, of the tool where it meets something


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
    grip = _handle_of(now, obj, handle)
    if grip is None:
        return failed(Failure.NO_HANDLE, f"no handle was seen on the {obj.label}; look at it from nearer")
    tried: list[tuple[float, float]] = []
    last = failed(
        Failure.OUT_OF_REACH, f"no free floor was seen from which the hand gets to the handle of the {obj.label}"
    )
    for _ in range(_ATTEMPTS):
        chosen = _next_approach(now, obj, grip, tried)
        if chosen is None:
            return last
        tried.append((chosen.yaw, chosen.pitch))
        ended = yield from _attempt(now, obj, grip, chosen, way)
        if ended.done or ended.failure in (Failure.STOPPED, Failure.REFUSED):
            return ended
        last = ended
        grip = _handle_of(now, obj, grip.key) or grip
    return last


def _handle_of(now: Situation, obj: ObservedObject, handle: int) -> ObservedHandle | None:
    grips = now.memory.handles_of(obj)
    if handle:
        return next((grip for grip in grips if grip.key == handle), None)
    here = now.here
    return min(grips, key=lambda grip: math.dist(grip.center[:2], (here.x, here.y)), default=None)


def front_of_handle(now: Situation, obj: ObservedObject, grip: ObservedHandle) -> Point:
    """The unit vector out of the front that a handle is on: of the sides of the thing that look towards where the robot
    is, the one that the handle stands out of most."""
    here = np.array([now.here.x, now.here.y])
    best: tuple[float, Point] | None = None
    for axis in (0, 1):
        for sign, side in ((-1.0, obj.bounds_min[axis]), (1.0, obj.bounds_max[axis])):
            out = sign * (grip.center[axis] - side)
            towards = sign * (here[axis] - grip.center[axis])
            normal = (sign, 0.0, 0.0) if axis == 0 else (0.0, sign, 0.0)
            if towards > 0.0 and (best is None or out > best[0]):
                best = out, normal
    if best is not None:
        return best[1]
    way = here - grip.center[:2]
    way /= max(float(np.linalg.norm(way)), 1e-9)
    return float(way[0]), float(way[1]), 0.0


def _next_approach(
    now: Situation, obj: ObservedObject, grip: ObservedHandle, tried: list[tuple[float, float]]
) -> Approach | None:
    outward = front_of_handle(now, obj, grip)
    point = tuple(c + _OFF * o for c, o in zip(grip.center, outward, strict=True))
    found = approaches(now, (point[0], point[1], point[2]), (FORWARD, SLANTED, DOWN), outward, _SPREAD, far=_FAR)
    new = [each for each in found if (each.yaw, each.pitch) not in tried]
    apart = different(new, 1)
    return apart[0] if apart else None


def _attempt(now: Situation, obj: ObservedObject, grip: ObservedHandle, chosen: Approach, way: str) -> Steps:
    blocked = yield from drive_to(now, chosen.x, chosen.y)
    if blocked is None:
        blocked = yield from look_at(now, grip.center)
    if blocked is None:
        blocked = yield from turn_to(now, chosen.yaw, now.here.pitch)
    if blocked is not None:
        return blocked
    seen = _handle_of(now, obj, grip.key) or grip
    shift = np.subtract(seen.center, grip.center)
    blocked = yield from _reach(now, chosen, shift)
    if blocked is not None:
        yield from withdrawn(now)
        return blocked
    result = yield from obey(now, Command(arm=ArmTarget(handle=way)))
    if result.status != Status.DONE:
        yield from withdrawn(now)
        return failed(Failure.BLOCKED, result.reason)
    yield from withdrawn(now)
    return SkillResult()


def _reach(now: Situation, chosen: Approach, shift: NDArray[np.float64]) -> Drive:
    """Bring the tool to where it is wanted, or close by where something is in the way."""
    reason = ""
    for up in _SHIFTS:
        before, there = chosen.T_world_before.copy(), chosen.T_world_tool.copy()
        for pose in (before, there):
            pose[:3, 3] += shift
            pose[2, 3] += up
        result = yield from moved_hand(now, before)
        if result.status == Status.DONE:
            result = yield from moved_hand(now, there)
        if result.status == Status.DONE:
            return None
        reason = result.reason
    return failed(Failure.BLOCKED, reason)


def withdrawn(now: Situation) -> Drive:
    """Take the hand back along the way it points, and fold the arm."""
    pose = np.array(now.touch.T_world_tool, np.float64)
    pose[:3, 3] -= 0.1 * pose[:3, 0]
    result = yield from moved_hand(now, pose)
    if result.status != Status.DONE:
        here = now.here
        back = here.x - 0.12 * math.cos(here.yaw), here.y - 0.12 * math.sin(here.yaw)
        yield from straight_to(now, back)
    return (yield from tucked(now))

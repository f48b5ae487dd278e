"""Bringing the hand to where it is wanted, and taking it back: the arm unfolds where there is room, and the base drives
straight ahead with it."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace

import numpy as np

from vantage.planning.skills.body import Approach, Taken
from vantage.planning.skills.going import Drive, drive_to, look_at, straight_to, tucked, turn_to
from vantage.planning.skills.results import Failure
from vantage.planning.skills.situation import Situation, failed, is_in_posture, moved_hand, obey
from vantage.spatial import Matrix, wrap_angle
from vantage.types import ArmStep, ArmTarget, Command, Point, Status, StepResult

_BACK = 0.3  # m that the base goes back with the arm unfolded
_TURNED = 0.4  # rad off the way straight ahead, from which it turns back to it on the spot
_FAR_BEHIND = 1.2  # m on the way straight ahead, from which a thing is brought back without folding the arm
_BEFORE = (1.0, 2.0, 0.5, 0.25)  # times the way back from its place at which the tool is unfolded
_ASIDE = 0.3  # m beside the way ahead, from where the folding arm sweeps before it: it goes back once more first
_AJAR = 0.01  # m less than fully open, from which on the hand is opened, as after something slipped
STEEP = 0.5  # rad below level from which on the hand comes from above
_STEP, _HIGHER = 0.12, 2  # m that a hand from above goes higher, to get over what is in its way, and how often
_CLOSE_BY = (0.4, 0.5)  # m ahead of the base's axis, where the hand is turned and lifted beside what stands there
_DRAWN = (0.25, 0.15, 0.08)  # m that what the hand holds is drawn in, before the arm is folded around it
_UP = (0.3, 0.15)  # m that the folded arm is taken up, before it is unfolded
_OFF = 0.1  # m that the hand is taken back along the way it points


def stand_ready(now: Situation, chosen: Approach, look: Point) -> Drive:
    """Go to where the arm is unfolded, look at a point (m), and turn ahead."""
    if _is_behind(now, chosen):  # as after a thing was taken from there: no need to fold the arm
        return (yield from turn_to(now, chosen.yaw, now.here.pitch))
    blocked = yield from drive_to(now, *chosen.behind, look=look)
    if blocked is None:
        blocked = yield from look_at(now, look)
    if blocked is None:
        blocked = yield from turn_to(now, chosen.yaw, now.here.pitch)
    return blocked


def _is_behind(now: Situation, chosen: Approach) -> bool:
    """Whether the base, with something in the hand, stands on the way straight ahead and looks about there."""
    here = now.here
    dx, dy = chosen.x - here.x, chosen.y - here.y
    c, s = math.cos(chosen.yaw), math.sin(chosen.yaw)
    ahead, aside = c * dx + s * dy, c * dy - s * dx
    turned = abs(wrap_angle(here.yaw - chosen.yaw))
    return now.is_holding() and turned < _TURNED and abs(aside) < 0.02 and -0.01 < ahead < _FAR_BEHIND


def followed(now: Situation, chosen: Approach, shift: Matrix) -> Approach:
    """The same approach to what turned out to be (3,) m elsewhere: the base goes with the tool where it can."""
    x, y = chosen.x + float(shift[0]), chosen.y + float(shift[1])
    if now.floor.stands((x, y)) and now.floor.line_is_free((now.here.x, now.here.y), (x, y)):
        chosen = replace(chosen, x=x, y=y)
    return chosen.shifted(shift)


def reach(now: Situation, chosen: Approach) -> Drive:
    """From where ``stand_ready`` led: unfold the arm, drive ahead, and bring the tool to its place."""
    ahead, here = _heading(chosen.yaw), now.here
    to_go = (ahead[0] * (chosen.x - here.x) + ahead[1] * (chosen.y - here.y)) * ahead
    if not now.is_holding() and now.touch.gripper_width < now.body.opening - _AJAR:
        yield from obey(now, Command(arm=ArmTarget(gripper_width=now.body.opening)))
    unfolded = yield from _unfolded(now, chosen, to_go)
    if unfolded.status != Status.DONE and (yield from _lift_raised(now)):  # past what it met on its way up
        unfolded = yield from _unfolded(now, chosen, to_go)
    if unfolded.status != Status.DONE:
        return failed(Failure.BLOCKED, unfolded.reason)
    blocked = yield from straight_to(now, (chosen.x, chosen.y))
    for _ in range(_HIGHER if chosen.pitch > STEEP else 0):
        if blocked is None or (yield from raised(now, _STEP)).status != Status.DONE:
            break
        blocked = yield from straight_to(now, (chosen.x, chosen.y))
    if blocked is not None:
        return blocked
    result = yield from moved_hand(now, chosen.T_world_tool)
    return None if result.status == Status.DONE else failed(Failure.BLOCKED, result.reason)


def _unfolded(now: Situation, chosen: Approach, to_go: Matrix) -> Generator[Command, None, StepResult]:
    """Bring the tool to where it is ``to_go`` (3,), m, before its place; as near or far as is free."""
    first = None
    for share in _BEFORE:
        before = chosen.T_world_before.copy()
        before[:3, 3] += (1.0 - share) * (chosen.T_world_tool[:3, 3] - before[:3, 3]) - to_go
        result = yield from moved_hand(now, before)
        if result.status == Status.DONE:
            return result
        first = first or result
    assert first is not None
    for close in _CLOSE_BY:  # beside the robot first, and from there straight ahead
        before = chosen.T_world_before.copy()
        before[:3, 3] -= to_go
        near = before.copy()
        near[:3, 3] -= max(_ahead_of(now, chosen.yaw, before) - close, 0.0) * _heading(chosen.yaw)
        if (yield from moved_hand(now, near)).status == Status.DONE:
            result = yield from moved_hand(now, before)
            if result.status == Status.DONE:
                return result
    return first


def _heading(yaw: float) -> Matrix:
    return np.array([math.cos(yaw), math.sin(yaw), 0.0])


def _ahead_of(now: Situation, yaw: float, T_world_tool: Matrix) -> float:
    """m that a pose of the tool is ahead of the base's axis."""
    return float((T_world_tool[:3, 3] - now.here.position) @ _heading(yaw))


def _lift_raised(now: Situation) -> Generator[Command, None, bool]:
    """Whether the folded arm was taken up."""
    for by in _UP:
        if (yield from obey(now, Command(arm=ArmTarget(step=ArmStep(height=by))))).status == Status.DONE:
            return True
    return False


def raised(now: Situation, by: float) -> Generator[Command, None, StepResult]:
    """Take the hand up (m): by the lift, else by the arm."""
    result = yield from obey(now, Command(arm=ArmTarget(step=ArmStep(height=by))))
    if result.status != Status.DONE:
        result = yield from obey(now, Command(arm=ArmTarget(step=ArmStep(up=by))))
    return result


def withdrawn(now: Situation) -> Drive:
    """Take the hand back along the way it points, go straight back, and fold the arm, if it is unfolded at all."""
    if is_in_posture(now, "home"):
        return None
    pose = np.array(now.touch.T_world_tool, np.float64)
    pose[:3, 3] -= _OFF * pose[:3, 0]
    yield from moved_hand(now, pose)
    if -pose[2, 0] > math.sin(STEEP):  # out of a basket, which it would drag along
        yield from raised(now, _STEP)
    return (yield from backed_off(now))


def backed_off(now: Situation) -> Drive:
    """Go straight back as far as there is room, and fold the arm, around what it holds."""
    yield from gone_back(now)
    return (yield from tucked(now))


def gone_back(now: Situation) -> Generator[Command, None, None]:
    """Go straight back as far as there is room; take what the hand holds above what it stood on, and draw it in."""
    here = now.here
    for away in (_BACK, 0.5 * _BACK):
        back = here.x - away * math.cos(here.yaw), here.y - away * math.sin(here.yaw)
        if (yield from straight_to(now, back)) is None:
            break
    else:
        return
    if now.is_holding():
        yield from raised(now, _STEP)
        for by in _DRAWN:
            if (yield from obey(now, Command(arm=ArmTarget(step=ArmStep(forward=-by))))).status == Status.DONE:
                break
        return
    T_world_tool = np.array(now.touch.T_world_tool, np.float64)
    dx, dy = (T_world_tool[:2, 3] - (now.here.x, now.here.y)).tolist()
    if abs(math.cos(here.yaw) * dy - math.sin(here.yaw) * dx) > _ASIDE:
        back = back[0] - _BACK * math.cos(here.yaw), back[1] - _BACK * math.sin(here.yaw)
        yield from straight_to(now, back)


def reach_again(now: Situation, taken: Taken, T_world_tool: Matrix) -> Drive:
    """From where ``stand_ready`` led, the way on which something was taken, to above the pose (4, 4) where it goes."""
    result = yield from obey(now, Command(arm=ArmTarget(joints=dict(taken.joints))))
    if result.status != Status.DONE:
        return failed(Failure.BLOCKED, result.reason)
    blocked = yield from straight_to(now, (taken.approach.x, taken.approach.y))
    if blocked is None:
        above = np.array(T_world_tool)
        above[2, 3] += max(taken.height, 0.0)
        yield from moved_hand(now, above)  # where that is barred, it goes down at a slant
    return blocked

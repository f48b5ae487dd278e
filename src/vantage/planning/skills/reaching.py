"""Bringing the hand to where it is wanted, and taking it back: the arm unfolds where there is room, and the base drives
straight ahead with it."""

from __future__ import annotations

import math

import numpy as np

from vantage.planning.skills.body import Approach
from vantage.planning.skills.going import Drive, drive_to, look_at, straight_to, tucked, turn_to
from vantage.planning.skills.results import Failure
from vantage.planning.skills.situation import Situation, failed, moved_hand
from vantage.spatial import wrap_angle
from vantage.types import Point, Status

_BACK = 0.3  # m that the base goes back with the arm unfolded
_TURNED = 0.4  # rad off the way straight ahead, from which it turns back to it on the spot
_BEFORE = (1.0, 2.0, 0.5, 0.25)  # times the way back from its place at which the tool is unfolded
_ASIDE = 0.3  # m beside the way ahead, from where the folding arm sweeps before it: it goes back once more first
_OFF = 0.1  # m that the hand is taken back along the way it points


def stand_ready(now: Situation, chosen: Approach, look: Point) -> Drive:
    """Go to where the arm is unfolded, look at a point (m), and turn ahead."""
    if _is_behind(now, chosen):  # as after a thing was taken from there: no need to fold the arm
        return (yield from turn_to(now, chosen.yaw, now.here.pitch))
    blocked = yield from drive_to(now, *chosen.behind)
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
    return now.is_holding() and turned < _TURNED and abs(aside) < 0.02 and -0.01 < ahead < 0.6


def reach(now: Situation, chosen: Approach) -> Drive:
    """From where ``stand_ready`` led: unfold the arm, drive ahead, and bring the tool to its place."""
    ahead = np.array([math.cos(chosen.yaw), math.sin(chosen.yaw), 0.0])
    here = now.here
    to_go = (ahead[0] * (chosen.x - here.x) + ahead[1] * (chosen.y - here.y)) * ahead
    reason = ""
    for share in _BEFORE:
        before = chosen.T_world_before.copy()
        before[:3, 3] += (1.0 - share) * (chosen.T_world_tool[:3, 3] - before[:3, 3]) - to_go
        result = yield from moved_hand(now, before)
        if result.status == Status.DONE:
            break
        reason = reason or result.reason
    else:
        return failed(Failure.BLOCKED, reason)
    blocked = yield from straight_to(now, (chosen.x, chosen.y))
    if blocked is not None:
        return blocked
    result = yield from moved_hand(now, chosen.T_world_tool)
    return None if result.status == Status.DONE else failed(Failure.BLOCKED, result.reason)


def withdrawn(now: Situation) -> Drive:
    """Take the hand back along the way it points, go straight back, and fold the arm."""
    pose = np.array(now.touch.T_world_tool, np.float64)
    pose[:3, 3] -= _OFF * pose[:3, 0]
    yield from moved_hand(now, pose)
    return (yield from backed_off(now))


def backed_off(now: Situation) -> Drive:
    """Go straight back as far as there is room, and fold the arm, around what it holds."""
    here = now.here
    for away in (_BACK, 0.5 * _BACK):
        back = here.x - away * math.cos(here.yaw), here.y - away * math.sin(here.yaw)
        if (yield from straight_to(now, back)) is None:
            break
    else:
        return (yield from tucked(now))
    T_world_tool = np.array(now.touch.T_world_tool, np.float64)
    dx, dy = (T_world_tool[:2, 3] - (now.here.x, now.here.y)).tolist()
    if abs(math.cos(here.yaw) * dy - math.sin(here.yaw) * dx) > _ASIDE:
        back = back[0] - _BACK * math.cos(here.yaw), back[1] - _BACK * math.sin(here.yaw)
        yield from straight_to(now, back)
    return (yield from tucked(now))

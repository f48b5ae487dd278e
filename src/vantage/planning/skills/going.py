"""Going somewhere and looking: along the heading, around furniture, over floor that was seen free."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from vantage.perception.map import ObservedObject
from vantage.planning.skills.approach import DOWN, FORWARD, SLANTED, approaches, is_walled_off
from vantage.planning.skills.floor import Place
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Steps, failed, obey, postured, viewpoint_towards
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import ArmStep, ArmTarget, Command, Point, Status

_TRIES = 8  # ways that are begun
_CLOSE, _STRAIGHT = 0.01, 0.15  # m: as good as there; so near, it drives without turning
_ALIGNED = 0.02  # rad
_BEHIND = 1.9  # rad off the heading, from which on it turns before it drives: two commands or more
_SHORT = 0.1  # m of a step that shows where something is
_DRIVING_PITCH = -0.5  # rad, in which the floor ahead shows
_TURNS = 7  # of a look around
_PITCHES = (-0.85, -0.3)
_FLOOR, _OFF_EDGE = "floor", 0.4  # m from the edges of a room's floor, from which on the robot is in that room
_NEAR = (0.5, 2.0)  # m from a thing at which it is looked at
_MOST_LOOKS, _OTHER_PLACE = 3, 0.5  # looks from other places, and m between these
_STEEP = -0.9  # rad: a look at the floor before the robot
_LOOSE = (ArmStep(height=0.15), ArmStep(forward=0.1), ArmStep(up=0.1), ArmStep(height=-0.15), ArmStep(up=-0.1))
_TURNED_AWAY = (0.7, -0.7)  # rad from where it met something
_AWAY = (0.25, 0.5, 0.75, 1.0)  # m to where there may be room to turn with something in the hand
_ROOM_TO_TURN, _MORE_ROOM, _FARTHER = 0.6, 0.05, 0.05  # m that are enough, that are more, and that a m away counts
_AROUND = 24  # directions from which it may be

Drive = Generator[Command, None, SkillResult | None]


def turn_to(now: Situation, yaw: float, pitch: float) -> Drive:
    """Turn base and head; None once they are there."""
    limits, here = now.info.limits, now.here
    pitch = min(max(pitch, limits.pitch_min), limits.pitch_max)
    most = 0.98 * limits.max_rotation
    for _ in range(2 * math.ceil(2.0 * math.pi / most)):
        here = now.here
        left, up = wrap_angle(yaw - here.yaw), pitch - here.pitch
        if abs(left) < _ALIGNED and abs(up) < _ALIGNED:
            return None
        result = yield from obey(now, Command(target=_turned(now, here, replace(here, yaw=yaw, pitch=pitch))))
        if result.status != Status.DONE:
            return failed(Failure.BLOCKED, result.reason)
    return None


def straight_to(now: Situation, place: Place, pitch: float | None = None) -> Drive:
    """Drive straight to a place without turning, in steps as long as allowed."""
    most = 0.98 * now.info.limits.max_translation
    for _ in range(200):
        here = now.here
        away = math.dist((here.x, here.y), place)
        if away < _CLOSE:
            return None
        share = min(1.0, most / away)
        x, y = here.x + share * (place[0] - here.x), here.y + share * (place[1] - here.y)
        tilt = here.pitch if pitch is None else pitch
        result = yield from obey(now, Command(target=replace(here, x=x, y=y, pitch=tilt)))
        if result.status != Status.DONE:
            return failed(Failure.BLOCKED, result.reason)
    return None


def drive_to(now: Situation, x: float, y: float, look: Point | None = None) -> Drive:
    """Go to a place around all that was seen, turning ahead on the way; None once it is there.

    Args:
        look: a point (m) to which it begins to turn with the last step.
    """
    blocked = yield from tucked(now)
    if blocked is not None:
        return blocked
    for _ in range(_TRIES):
        way = now.floor.way((x, y))
        if way is None:
            return blocked or failed(Failure.NO_WAY, f"no free floor was seen on the way to ({x:.2f}, {y:.2f}) m")
        arrived, blocked = yield from _follow(now, way, look)
        if arrived:
            return None
    return blocked or failed(Failure.NO_WAY, f"no way led to ({x:.2f}, {y:.2f}) m")


def _follow(
    now: Situation, way: list[Place], look: Point | None
) -> Generator[Command, None, tuple[bool, SkillResult | None]]:
    """Whether it arrived; where it did not, what was in the way, None where the map has something new there."""
    most, low, high = 0.98 * now.info.limits.max_translation, now.info.limits.pitch_min, now.info.limits.pitch_max
    for number, corner in enumerate(way):
        first, longest, halted, sideways = True, most, False, False
        while True:
            here = now.here
            away = math.dist((here.x, here.y), corner)
            if away < _CLOSE:
                break
            heading = math.atan2(corner[1] - here.y, corner[0] - here.x)
            known = not first or (number == 0 and now.floor.stands((here.x, here.y)))
            if known and not now.floor.line_is_free((here.x, here.y), corner):
                return False, None
            behind = first and abs(wrap_angle(heading - here.yaw)) > _BEHIND
            if away > _STRAIGHT and not sideways and (halted or behind):
                blocked = yield from turn_to(now, heading, _DRIVING_PITCH)
                if blocked is not None and (yield from at_more_room(now)):
                    return False, None
                sideways = blocked is not None  # as where what it holds would meet a wall: it drives as it stands
                halted = halted or sideways
                here = now.here
            share = min(1.0, longest / away)
            x, y = here.x + share * (corner[0] - here.x), here.y + share * (corner[1] - here.y)
            target = replace(here, x=x, y=y)
            if look is not None and share == 1.0 and number == len(way) - 1 and not halted:
                target = _turned(now, target, viewpoint_towards(target, np.array(look), low, high))
            elif away > _STRAIGHT and not halted:
                target = _turned(now, target, replace(target, yaw=heading, pitch=_DRIVING_PITCH))
            first = False
            result = yield from obey(now, Command(target=target))
            if result.status != Status.DONE and target.yaw != here.yaw and not halted:
                halted = True  # it may be the turn that is barred
            elif result.status != Status.DONE and min(longest, away) > _SHORT:
                longest = _SHORT  # to find out where it is
            elif result.status != Status.DONE:
                ahead = now.body.radius + 0.05
                now.bumps.append((here.x + ahead * math.cos(heading), here.y + ahead * math.sin(heading)))
                return False, failed(Failure.BLOCKED, result.reason)
    return True, None


def at_more_room(now: Situation) -> Generator[Command, None, bool]:
    """Drive as it stands to where there is more room to turn; whether there was such a place, and it was reached."""
    here = now.here.x, now.here.y
    best, place = min(now.floor.room(here), _ROOM_TO_TURN) + _MORE_ROOM, None
    for number in range(_AROUND):
        angle = 2.0 * math.pi * number / _AROUND
        for away in _AWAY:
            there = here[0] + away * math.cos(angle), here[1] + away * math.sin(angle)
            worth = min(now.floor.room(there), _ROOM_TO_TURN) - _FARTHER * away
            if worth > best and now.floor.line_is_free(here, there):
                best, place = worth, there
    return place is not None and (yield from straight_to(now, place)) is None


def _turned(now: Situation, view: Viewpoint, wanted: Viewpoint) -> Viewpoint:
    """A view turned as far towards another one as a command may turn it."""
    most = 0.98 * now.info.limits.max_rotation
    left, up = wrap_angle(wanted.yaw - view.yaw), wanted.pitch - view.pitch
    return replace(
        view, yaw=wrap_angle(view.yaw + min(max(left, -most), most)), pitch=view.pitch + min(max(up, -most), most)
    )


def tucked(now: Situation) -> Drive:
    """Fold the arm for driving; where it is blocked, first back off a little, then take the hand elsewhere, and then
    turn away from what is in its way."""
    name = "carry" if now.is_holding() else "home"
    result = None
    for _ in range(3):
        result = yield from postured(now, name)
        if result is None or result.status == Status.DONE:
            return None
        here = now.here
        back = here.x - 0.12 * math.cos(here.yaw), here.y - 0.12 * math.sin(here.yaw)
        blocked = yield from straight_to(now, back)
        if blocked is not None:
            break
    for step in _LOOSE:
        if (yield from obey(now, Command(arm=ArmTarget(step=step)))).status == Status.DONE:
            result = yield from postured(now, name)
            if result is None or result.status == Status.DONE:
                return None
    ahead = now.here.yaw
    for turn in _TURNED_AWAY:
        if (yield from turn_to(now, wrap_angle(ahead + turn), now.here.pitch)) is None:
            result = yield from postured(now, name)
            if result is None or result.status == Status.DONE:
                return None
    return failed(Failure.STUCK, f"the arm cannot be folded: {'' if result is None else result.reason}")


def look_at(now: Situation, point: tuple[float, float, float]) -> Drive:
    """Turn so that a point (m) is in the middle of the view."""
    limits = now.info.limits
    view = viewpoint_towards(now.here, np.array(point), limits.pitch_min, limits.pitch_max)
    return (yield from turn_to(now, view.yaw, view.pitch))


def looked_nearer(now: Situation, point: Point, looks: list[Place]) -> Generator[Command, None, bool]:
    """Go to where a point (m) can be looked at from another side or from nearer, and look there and around it.

    Args:
        looks: places from which it was looked at already; grows.

    Returns:
        Whether there was such a place, and it was reached.
    """
    if len(looks) >= _MOST_LOOKS:
        return False
    found: list[tuple[float, Place]] = []
    for number in range(_AROUND):
        angle = 2.0 * math.pi * number / _AROUND
        for away in np.linspace(*_NEAR, 7):
            place = point[0] + float(away) * math.cos(angle), point[1] + float(away) * math.sin(angle)
            cost = now.floor.cost(place)
            if math.isfinite(cost) and all(math.dist(place, other) > _OTHER_PLACE for other in looks):
                found.append((cost + 1.5 * float(away), place))
    if not found:
        return False
    place = min(found)[1]
    looks.append(place)
    if (yield from drive_to(now, *place, look=point)) is not None:
        return True
    if (yield from look_at(now, point)) is None:
        ahead = now.here.yaw
        for turn in (-0.7, 0.7, 0.0):
            if (yield from turn_to(now, wrap_angle(ahead + turn), _STEEP)) is not None:
                break
    return True


@dataclass(frozen=True)
class LookAround:
    """Turn once around on the spot, and look down and ahead."""

    turns: int = _TURNS
    pitches: tuple[float, ...] = _PITCHES

    name = "look around"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        start = now.here.yaw
        for number in range(self.turns):
            for pitch in self.pitches if number % 2 == 0 else self.pitches[::-1]:
                blocked = yield from turn_to(now, wrap_angle(start + 2.0 * math.pi * number / self.turns), pitch)
                if blocked is not None:
                    return blocked
        return SkillResult()


@dataclass(frozen=True)
class GoTo:
    """Go to a viewpoint, or to where a thing can be seen from near or reached, and look there.

    Attributes:
        viewpoint: where to; its height is not read.
        key: identity of the thing, where no viewpoint is given.
        reach: to where the hand gets at it, rather than to where it can be seen.
    """

    viewpoint: Viewpoint | None = None
    key: int = 0
    reach: bool = False

    name = "go to"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        if self.viewpoint is not None:
            goal = self.viewpoint
            blocked = yield from drive_to(now, goal.x, goal.y)
            if blocked is None:
                blocked = yield from turn_to(now, goal.yaw, goal.pitch)
            return blocked or SkillResult()
        obj = now.get(self.key)
        if obj is None:
            return failed(Failure.NOT_SEEN, f"nothing of identity {self.key} was seen; look around first")
        beside = _place_within if obj.label == _FLOOR else _place_beside
        place = _place_before(now, obj.center) if self.reach else beside(now, obj)
        if place is None:
            can = "the hand gets at" if self.reach else "one sees"
            failure = Failure.OUT_OF_REACH if self.reach else Failure.NO_WAY
            return failed(failure, f"no free floor was seen from which {can} the {obj.label}")
        blocked = yield from drive_to(now, *place, look=obj.center)
        if blocked is None:
            blocked = yield from look_at(now, obj.center)
        return blocked or SkillResult()


def _place_before(now: Situation, point: Point) -> Place | None:
    """From where the hand gets at a point (m)."""
    found = approaches(now, point, (DOWN, SLANTED, FORWARD))
    return (found[0].x, found[0].y) if found else None


def _place_within(now: Situation, obj: ObservedObject) -> Place | None:
    """The place on a floor with the shortest way, off its edges."""
    places, costs = now.floor.places()
    low, high = np.add(obj.bounds_min[:2], _OFF_EDGE), np.subtract(obj.bounds_max[:2], _OFF_EDGE)
    inside = ((places >= low) & (places <= high)).all(axis=1)
    if not inside.any():
        return None
    best = places[inside][int(np.argmin(costs[inside]))]
    return float(best[0]), float(best[1])


def _place_beside(now: Situation, obj: ObservedObject) -> Place | None:
    """The place with the shortest way, from near which a thing is in sight: the nearest point of its box."""
    low, high = np.array(obj.bounds_min), np.array(obj.bounds_max)
    wide, deep = (0.5 * (high - low)[:2]).tolist()
    found = []
    for number in range(_AROUND):
        angle = 2.0 * math.pi * number / _AROUND
        c, s = math.cos(angle), math.sin(angle)
        edge = min(wide / max(abs(c), 1e-6), deep / max(abs(s), 1e-6))  # from the middle of the box to its side
        for away in np.linspace(*_NEAR, 7):
            reach = max(edge - _NEAR[0], 0.0) + float(away)
            place = obj.center[0] + reach * c, obj.center[1] + reach * s
            cost = now.floor.cost(place)
            if math.isfinite(cost):
                found.append((cost + 0.5 * float(away), place))
    for _, place in sorted(found):
        eye = np.array([*place, now.here.z])
        seen = now.coverage is None or now.coverage.is_visible(eye, np.clip(eye, low, high))
        if seen and not is_walled_off(now, place, obj.center, (obj.bounds_min, obj.bounds_max)):
            return place
    return None

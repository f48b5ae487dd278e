"""Closing a thing as a whole: by one handle after the other, until it is seen closed."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass

from vantage.perception.map import ObservedHandle
from vantage.planning.skills.floor import Place
from vantage.planning.skills.going import drive_to, look_at
from vantage.planning.skills.opening import Close
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Steps, failed
from vantage.spatial import wrap_angle
from vantage.types import Command

_MOST = 8  # handles
_FINAL = frozenset({Failure.STOPPED, Failure.REFUSED, Failure.STUCK, Failure.HAND_FULL})
_SAME = 0.05  # m from where a handle is, within which it is the same
_LOOKS = 5  # places from which it is looked at and closed
_AROUND, _AWAY = 16, (0.3, 0.7, 1.1)  # directions, and m from the thing, in which such a place is looked for
_OTHER_SIDE = 0.6  # rad around it, from which on a place shows another side

Sees = Callable[[Situation, int], str]


def seen_state(now: Situation, key: int) -> str:
    """``open`` or ``closed`` as the newest view shows a thing; empty where it does not tell."""
    obj = now.get(key)
    if obj is None:
        return ""
    for each in now.perceiver.perceive(now.observation):
        same = each.instance_id == key or (each.label == obj.label and math.dist(each.center, obj.center) < 0.3)
        told = {"open", "closed"} & set(each.states)
        if same and told:
            return max(told)  # open, where a perceiver tells both
    return ""


@dataclass(frozen=True)
class CloseAll:
    """Close all parts of a thing, those first whose handles stand out of it; done once the thing is seen closed.

    Attributes:
        key: identity of the thing.
        sees: what the newest view tells of the thing.
    """

    key: int
    sees: Sees = seen_state

    name = "close"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        tried: list[ObservedHandle] = []
        looks: list[Place] = []
        last: SkillResult | None = None
        while len(tried) < _MOST:
            grip = self._next(now, tried)
            if grip is None:
                if not tried or not (yield from self._looked_elsewhere(now, looks)):
                    break
                continue
            tried.append(grip)
            looks.append((now.here.x, now.here.y))
            result = yield from Close(self.key, grip.key).steps(now)
            if result.failure in _FINAL:
                return result
            last = result if last is None or last.done else last
            if (yield from self._is_shut(now)):
                return SkillResult()
        if last is None:
            return (yield from Close(self.key).steps(now))
        obj = now.get(self.key)
        what = "thing" if obj is None else obj.label
        return last if not last.done else failed(Failure.BLOCKED, f"the {what} is still seen open")

    def _is_shut(self, now: Situation) -> Generator[Command, None, bool]:
        obj = now.get(self.key)
        if obj is not None and self.sees(now, self.key) == "":
            yield from look_at(now, obj.center)
        return self.sees(now, self.key) != "open"

    def _next(self, now: Situation, tried: list[ObservedHandle]) -> ObservedHandle | None:
        """The handle, of those that were not tried, that is farthest out of the middle of what the thing takes up, as
        those of open doors and drawers are."""
        obj = now.get(self.key)
        if obj is None:
            return None
        grips = [
            each
            for each in now.memory.handles_of(obj)
            if all(each.key != other.key and math.dist(each.center, other.center) > _SAME for other in tried)
        ]
        return max(grips, key=lambda each: math.dist(each.center[:2], obj.center[:2]), default=None)

    def _looked_elsewhere(self, now: Situation, looks: list[Place]) -> Generator[Command, None, bool]:
        """Go to another side of the thing and look at it, for handles that were hidden; whether there was one."""
        obj = now.get(self.key)
        if obj is None or len(looks) > _LOOKS:
            return False
        x, y = obj.center[:2]
        known = [math.atan2(place[1] - y, place[0] - x) for place in looks]
        half = 0.5 * math.dist(obj.bounds_min[:2], obj.bounds_max[:2])
        found: list[tuple[float, Place]] = []
        for number in range(_AROUND):
            angle = 2.0 * math.pi * number / _AROUND
            turned = min((abs(wrap_angle(angle - each)) for each in known), default=math.pi)
            for away in _AWAY:
                place = x + (half + away) * math.cos(angle), y + (half + away) * math.sin(angle)
                cost = now.floor.cost(place)
                if math.isfinite(cost) and turned > _OTHER_SIDE:
                    found.append((cost - turned, place))
        if not found:
            return False
        place = min(found)[1]
        looks.append(place)
        if (yield from drive_to(now, *place)) is None:
            yield from look_at(now, obj.center)
        return True

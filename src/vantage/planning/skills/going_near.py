"""Going to a thing over floor that is not all known yet: as near as is known, a look, and on from there."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from vantage.perception.map import ObservedObject
from vantage.planning.skills.approach import is_walled_off
from vantage.planning.skills.floor import Place
from vantage.planning.skills.freeing import GetFree
from vantage.planning.skills.going import GoTo, drive_to, look_at, turn_to
from vantage.planning.skills.results import Failure
from vantage.planning.skills.situation import Situation, Skill, Steps, failed
from vantage.spatial import wrap_angle
from vantage.types import Command

_FAR = 1.8  # m from a thing, from which on the robot goes near before it does anything there
_ROUNDS = 6  # looks on the way
_OTHER_PLACE = 0.5  # m between places from which it was looked
_ASKED = 600  # places of which it is asked whether a wall is between
_WAY = 0.3  # m that a m of way counts, next to one that is left after it
_DOWN = -0.85  # rad: a look at the floor, from before the robot on
_ASIDE = (0.0, 0.9, -0.9)  # rad from where the thing is, to which it looks first
_AROUND = (0.0, 0.9, 1.8, 2.7, -2.7, -1.8, -0.9)  # and when it saw too little so


@dataclass(frozen=True)
class GoNear:
    """Go to where a thing is seen from near; where no floor was seen that leads there, look for it on the way.

    Attributes:
        key: identity of the thing.
    """

    key: int

    name = "go near"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        looked: list[Place] = []
        last = failed(Failure.NOT_SEEN, f"nothing of identity {self.key} was seen; look around first")
        for number in range(_ROUNDS):
            obj = now.get(self.key)
            if obj is None:
                return last
            last = yield from GoTo(key=self.key).steps(now)
            if last.done or last.failure in (Failure.STOPPED, Failure.REFUSED, Failure.STUCK):
                return last
            if number == 0:
                yield from _looked(now, obj, _ASIDE)
                continue
            place = nearest_known(now, obj, looked)
            if place is None:
                return last
            looked.append(place)
            if (yield from drive_to(now, *place)) is None:
                yield from _looked(now, obj, _AROUND if number == 1 else _ASIDE)
        return last


@dataclass(frozen=True)
class Nearby:
    """A skill that is done at a thing: first the robot goes near, where it is far away, or where the skill found no
    floor to stand on. Where it got stuck with an empty hand, it gets free and begins anew.

    Attributes:
        skill: what is done.
        key: identity of the thing at which it is done.
    """

    skill: Skill
    key: int

    @property
    def name(self) -> str:
        """That of the skill."""
        return self.skill.name

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        obj = now.get(self.key)
        went = obj is not None and _away(now, obj) > _FAR
        if went:
            yield from GoNear(self.key).steps(now)
        last = yield from self.skill.steps(now)
        if not went and last.failure in (Failure.OUT_OF_REACH, Failure.NO_WAY, Failure.NO_HANDLE):
            near = yield from GoNear(self.key).steps(now)
            if near.done:
                last = yield from self.skill.steps(now)
        if last.failure is Failure.STUCK and not now.is_holding() and (yield from GetFree().steps(now)).done:
            last = yield from self.skill.steps(now)
        return last


def _away(now: Situation, obj: ObservedObject) -> float:
    """m from the robot to the box of a thing, over the floor."""
    here = np.array([now.here.x, now.here.y])
    inside = np.clip(here, obj.bounds_min[:2], obj.bounds_max[:2])
    return float(np.linalg.norm(here - inside))


def _looked(now: Situation, obj: ObservedObject, turns: tuple[float, ...]) -> Generator[Command, None, None]:
    """Look at the floor towards a thing and beside that; then at the thing."""
    x, y, _ = obj.center
    towards = math.atan2(y - now.here.y, x - now.here.x)
    for turn in turns:
        if (yield from turn_to(now, wrap_angle(towards + turn), _DOWN)) is not None:
            return
    yield from look_at(now, obj.center)


def nearest_known(now: Situation, obj: ObservedObject, looked: list[Place]) -> Place | None:
    """The place, of those with a known way there, from which least is left, where there is one without a wall between
    it and the thing; none from where it was looked already."""
    places, costs = now.floor.places()
    if not len(places):
        return None
    away = np.hypot(*(places - np.array(obj.center[:2])).T) + _WAY * costs
    for other in looked:
        away[np.hypot(*(places - np.array(other)).T) < _OTHER_PLACE] = np.inf
    order = [int(number) for number in np.argsort(away, kind="stable") if math.isfinite(away[number])]
    found = [(float(places[number, 0]), float(places[number, 1])) for number in order]
    thing = obj.bounds_min, obj.bounds_max
    some = found[:: 1 + len(found) // _ASKED]
    open_to_it = (place for place in some if not is_walled_off(now, place, obj.center, thing))
    return next(open_to_it, found[0] if found else None)

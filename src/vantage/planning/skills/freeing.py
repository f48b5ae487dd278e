"""Getting free where something touches the robot on all sides, as after a door was opened towards a wall."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from vantage.planning.skills.going import tucked, turn_to
from vantage.planning.skills.holding import PutBack, release
from vantage.planning.skills.reaching import withdrawn
from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Steps, failed, obey
from vantage.spatial import wrap_angle
from vantage.types import Command, Status

_WAYS = tuple(math.pi + k * 0.25 * math.pi * sign for k in range(5) for sign in (1, -1))  # rad from ahead: back first
_STRIDES = (0.12, 0.05)  # m
_TURN = 0.1  # rad by which it must be able to turn to be free
_ROUNDS = 3


@dataclass(frozen=True)
class GetFree:
    """Put down what the hand holds, drive a little to where the robot can turn, and fold the arm."""

    name = "get free"

    def steps(self, now: Situation) -> Steps:
        """See ``Skill.steps``."""
        if now.is_holding():
            put = yield from PutBack().steps(now)
            if not put.done and now.is_holding():
                yield from release(now)
                yield from withdrawn(now)
        for _ in range(_ROUNDS):
            folded = yield from tucked(now)
            if folded is None:
                turned = yield from turn_to(now, wrap_angle(now.here.yaw + _TURN), now.here.pitch)
                if turned is None:
                    return SkillResult()
            moved = yield from self._moved(now)
            if moved.failure is not None:
                return moved
        return failed(Failure.BLOCKED, "the robot found no room to turn in")

    def _moved(self, now: Situation) -> Steps:
        """A little way in the first direction that is free, back before ahead."""
        here, reason = now.here, ""
        for stride in _STRIDES:
            for way in _WAYS:
                angle = here.yaw + way
                there = replace(here, x=here.x + stride * math.cos(angle), y=here.y + stride * math.sin(angle))
                result = yield from obey(now, Command(target=there))
                if result.status is Status.DONE:
                    return SkillResult()
                reason = result.reason
        return failed(Failure.BLOCKED, reason)

"""What became of a skill."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum


class Failure(str, Enum):
    """Why a skill could not do what it should."""

    NOT_SEEN = "not seen"
    NO_HANDLE = "no handle"
    NOT_GRASPABLE = "not graspable"
    OUT_OF_REACH = "out of reach"
    NO_WAY = "no way"
    BLOCKED = "blocked"
    STUCK = "stuck"
    SLIPPED = "slipped"
    TOO_HEAVY = "too heavy"
    NOT_HELD = "nothing held"
    HAND_FULL = "hand full"
    NO_ROOM = "no room"
    REFUSED = "refused"
    STOPPED = "stopped"
    TIMED_OUT = "timed out"


@dataclass(frozen=True)
class SkillResult:
    """How a skill ended.

    Attributes:
        failure: None where it did what it should.
        reason: in words, empty where it did.
        mass: kg, of what was weighed; NaN otherwise.
        unseen: what was done and no look showed afterwards, in words; empty where one did, or none was taken.
    """

    failure: Failure | None = None
    reason: str = ""
    mass: float = math.nan
    unseen: str = ""

    @property
    def done(self) -> bool:
        return self.failure is None

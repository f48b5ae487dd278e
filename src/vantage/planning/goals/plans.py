"""What is planned with and what comes of it: actions, and plans that exist or provably do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from vantage.goals import Goal, SceneFacts
from vantage.planning.guard import Capability, Robot

ABLE = Robot("able", frozenset(Capability), lifts=5.0, most_goals=500, masses={})


@dataclass(frozen=True)
class Situation:
    """Where a robot begins; empty where nobody knows.

    Attributes:
        near: the thing or room that it stands at.
        held: what it has in its hands.
    """

    near: str = ""
    held: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanningTask:
    """A goal to be reached in a scene.

    Attributes:
        masses: of what can be carried at all, kg, by name; what is not named cannot. None where nobody knows: then
            everything can that neither is a room nor opens nor carries anything.
    """

    facts: SceneFacts
    goal: Goal
    robot: Robot = ABLE
    start: Situation = Situation()
    masses: Mapping[str, float] | None = None


class Verb(Enum):
    """What a plan is made of."""

    GO_TO = "go_to"
    OPEN = "open"
    CLOSE = "close"
    PICK = "pick"
    PLACE_IN = "place_in"
    PLACE_ON = "place_on"
    PLACE_BESIDE = "place_beside"
    SWITCH_ON = "switch_on"
    SWITCH_OFF = "switch_off"


@dataclass(frozen=True)
class PlannedAction:
    """One action.

    Attributes:
        objects: names of the scene: what is acted on, then where it is taken from or put.
    """

    verb: Verb
    objects: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.verb.value}({', '.join(self.objects)})"


class Outcome(Enum):
    """How planning ended."""

    FOUND = "found"
    UNSOLVABLE = "unsolvable"
    """Proven: no sequence of these actions reaches the goal."""
    TIMED_OUT = "timed out"
    """Nothing is known of the goal."""
    MISSING = "planner missing"
    CRASHED = "planner crashed"


@dataclass(frozen=True)
class Plan:
    """What came of planning.

    Attributes:
        actions: in order, none where no plan was found.
        cost: of all actions; each costs 1.
        reason: why there is no plan, in one sentence.
    """

    outcome: Outcome
    actions: tuple[PlannedAction, ...] = ()
    cost: int = 0
    reason: str = ""

"""Planned actions by skills: those of a robot with an arm in a house, through the door where a guard stands."""

from __future__ import annotations

from vantage.planning.execution.belief import Belief
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import (
    CloseAll,
    Failure,
    GoNear,
    Nearby,
    Open,
    Pick,
    Skill,
    SkillDoor,
    SkillResult,
    WatchedPut,
)
from vantage.types import Command, Observation, StepResult

_RELATIONS = {Verb.PLACE_IN: "in", Verb.PLACE_ON: "on"}


class SkillBody:
    """An ``ActionBody`` over a door of skills: what it put it looks at; it switches and puts beside nothing.

    Args:
        door: with the guard that asks for permission.
    """

    def __init__(self, door: SkillDoor) -> None:
        self._door = door
        self._refused: SkillResult | None = None
        self._doing = ""

    @property
    def doing(self) -> str:
        """See ``ActionBody.doing``."""
        return self._doing

    def begin(self, action: PlannedAction, belief: Belief) -> None:
        """See ``ActionBody.begin``."""
        self._doing = str(action)
        skill = _skill(action, belief)
        self._refused = None
        if isinstance(skill, SkillResult):
            self._refused = skill
        else:
            self._door.begin(skill)

    def next(self, observation: Observation, last: StepResult | None) -> Command | SkillResult:
        """See ``ActionBody.next``."""
        return self._refused or self._door.next(observation, last)


def _skill(action: PlannedAction, belief: Belief) -> Skill | SkillResult:
    """The skill of an action, or why there is none."""
    keys = [belief.key(name) for name in action.objects]
    if not all(keys):
        return SkillResult(Failure.NOT_SEEN, f"{action} names what was not seen; look around first")
    if action.verb is Verb.GO_TO:
        return GoNear(keys[0])
    if action.verb is Verb.OPEN:
        return Nearby(Open(keys[0]), keys[0])
    if action.verb is Verb.CLOSE:
        return Nearby(CloseAll(keys[0]), keys[0])
    if action.verb is Verb.PICK:
        return Nearby(Pick(keys[0]), keys[0])
    if action.verb in _RELATIONS:
        return Nearby(WatchedPut(keys[1], _RELATIONS[action.verb]), keys[1])
    return SkillResult(Failure.REFUSED, f"no skill of this body does '{action.verb.value}'; ask for something else")

"""The one protocol by which planned actions are carried out, whatever body the robot has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from vantage.planning.execution.belief import Belief
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import SkillResult
from vantage.types import Command, Observation, StepResult

OBJECT_VERBS: Mapping[Verb, str] = MappingProxyType(  # what actions are as verbs of ``ObjectAction``
    {
        Verb.OPEN: "open",
        Verb.CLOSE: "close",
        Verb.PICK: "take",
        Verb.PLACE_IN: "put_in",
        Verb.PLACE_ON: "put_on",
        Verb.PLACE_BESIDE: "put_beside",
        Verb.SWITCH_ON: "switch_on",
        Verb.SWITCH_OFF: "switch_off",
    }
)
PUTS = frozenset({Verb.PLACE_IN, Verb.PLACE_ON, Verb.PLACE_BESIDE})


class ActionBody(Protocol):
    """Does one planned action at a time: each takes no more than a set number of commands."""

    @property
    def doing(self) -> str:
        """The action that is under way, in words."""
        ...

    def begin(self, action: PlannedAction, belief: Belief) -> None:
        """Begin with an action; one that is under way is given up where it is.

        Args:
            belief: which tells what the names of the action stand for.
        """
        ...

    def next(self, observation: Observation, last: StepResult | None) -> Command | SkillResult:
        """The next command of the action, or how it ended.

        Args:
            observation: the newest.
            last: result of the command that was given before; None at first.
        """
        ...

"""Whether a scene has what a goal names: computed, so that nobody's word is needed for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from vantage.goals.facts import SceneFacts, object_key, word_key
from vantage.goals.goals import ActionGoal, Goal, Literal, NodeGoal


class FaultKind(Enum):
    """Why a goal cannot be pursued in a scene."""

    MISSING_OBJECT = "missing object"
    IMPOSSIBLE_STATE = "impossible state"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True)
class Fault:
    """One reason.

    Attributes:
        name: the object that is missing or cannot be so.
        state: that it cannot have, or that it shall have and not have; empty where the object is missing.
    """

    kind: FaultKind
    name: str
    state: str = ""


def fault_of(literal: Literal, scene: SceneFacts) -> Fault | None:
    """What is wrong with one goal: an object of it is not there, or never so. What is denied must be there as well.
    Actions name no object and are never wrong."""
    for name in literal.objects:
        if not scene.has(name):
            return Fault(FaultKind.MISSING_OBJECT, name)
    if isinstance(literal, NodeGoal) and word_key(literal.state) not in scene.possible[object_key(literal.object)]:
        return Fault(FaultKind.IMPOSSIBLE_STATE, literal.object, literal.state)
    return None


def ungrounded(goal: Goal, scene: SceneFacts) -> tuple[Fault, ...]:
    """Why a goal cannot be pursued in a scene; empty where it can.

    Of each part one alternative must be without a fault; where none is, that with the fewest faults tells why. What
    must hold whichever alternative is taken must not be denied by another part.
    """
    faults: list[Fault] = []
    for part in goal.parts:
        wrong = [_faults(alternative, scene) for alternative in part]
        if wrong and all(wrong):
            faults += sorted(wrong, key=len)[0]
    return tuple(dict.fromkeys((*faults, *_contradictions(goal))))


def _faults(alternative: tuple[Literal, ...], scene: SceneFacts) -> list[Fault]:
    return [fault for literal in alternative if (fault := fault_of(literal, scene)) is not None]


def _contradictions(goal: Goal) -> list[Fault]:
    """What is asked for and denied by parts, or within the alternatives of a part, that leave no choice."""
    fixed = [literal for part in goal.parts if len(part) == 1 for literal in part[0]]
    asked = {literal.key[2:]: literal for literal in fixed if not isinstance(literal, ActionGoal) and literal.holds}
    return [
        Fault(FaultKind.CONTRADICTION, literal.objects[0], literal.state if isinstance(literal, NodeGoal) else "")
        for literal in fixed
        if not isinstance(literal, ActionGoal) and not literal.holds and literal.key[2:] in asked
    ]

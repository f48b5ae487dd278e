"""What an arm is told: one thing of those that it takes, that can be read."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from vantage.types import CLOSE, OBJECT_VERBS, OPEN, PUTS, ArmStep, ArmTarget, ObjectAction

_SLACK = 1e-6  # of a rotation matrix

ARM_PARTS = {  # of an arm's target, in words
    "joints": "joints",
    "T_world_tool": "a pose",
    "gripper_width": "a width",
    "step": "a step",
    "handle": "a handle",
    "object_action": "an action on a thing",
}
MOTION_PARTS = tuple(name for name in ARM_PARTS if name != "object_action")  # what an arm that moves takes


def parts_violation(target: ArmTarget, taken: Collection[str] = MOTION_PARTS) -> str | None:
    """Why a target does not say exactly one thing, in words, or None.

    Args:
        taken: of ``ARM_PARTS``, what the arm takes.
    """
    given = parts_in_words(name for name in ARM_PARTS if getattr(target, name) is not None)
    if len(given) == 1:
        return None
    return f"an arm's target is one of {', '.join(parts_in_words(taken))}; got {' and '.join(given) or 'none'}"


def parts_in_words(names: Iterable[str]) -> list[str]:
    """Parts of an arm's target, of ``ARM_PARTS``, in words and in order."""
    wanted = frozenset(names)
    return [words for name, words in ARM_PARTS.items() if name in wanted]


def unreadable(target: ArmTarget) -> str | None:
    """Why the one thing that a target says cannot be read, in words, or None."""
    if target.handle is not None and target.handle not in (OPEN, CLOSE):
        return f"what is done by a handle is {OPEN} or {CLOSE}, got '{target.handle}'"
    if target.T_world_tool is not None:
        if not _is_pose(np.asarray(target.T_world_tool, np.float64)):
            return "the pose of the tool is not a finite rigid transform (4, 4)"
        return None
    if target.object_action is not None:
        return _unreadable_action(target.object_action)
    step = target.step or ArmStep()
    numbers = (target.gripper_width or 0.0, target.gripper_force, *(target.joints or {}).values(), *astuple(step))
    if not all(math.isfinite(number) for number in numbers):
        return "the arm's target is not finite"
    return None


def _unreadable_action(action: ObjectAction) -> str | None:
    if action.verb not in OBJECT_VERBS:
        return f"what is done to a thing is one of {', '.join(OBJECT_VERBS)}, got '{action.verb}'"
    if action.thing <= 0:
        return f"a thing has a positive instance id, got {action.thing}"
    if action.verb in PUTS and (action.place <= 0 or action.place == action.thing):
        return f"{action.verb} names another thing as its place, got {action.place} for thing {action.thing}"
    if action.verb not in PUTS and action.place != 0:
        return f"{action.verb} takes no place, got {action.place}; leave it 0"
    return None


def _is_pose(T: NDArray[np.float64]) -> bool:
    if T.shape != (4, 4) or not np.isfinite(T).all() or not np.array_equal(T[3], (0.0, 0.0, 0.0, 1.0)):
        return False
    R = T[:3, :3]
    return bool(np.abs(R @ R.T - np.eye(3)).max() < _SLACK and np.linalg.det(R) > 0.0)

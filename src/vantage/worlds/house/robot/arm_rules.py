"""What the arm of the house robot can be told, beyond what every arm's target must be; see ``worlds.limits``."""

from __future__ import annotations

import math
from dataclasses import astuple

from vantage.registry import did_you_mean
from vantage.types import ArmTarget, Cause
from vantage.worlds.house.robot.description import RobotDescription

LONGEST_STEP = 0.5  # m of one relative motion
_SLACK = 1e-6  # m, rad or N: float noise in a target that is meant to lie on a limit

Fault = tuple[Cause, str]


def arm_fault(robot: RobotDescription, target: ArmTarget, holds: bool) -> Fault | None:
    """Why a readable arm target cannot be carried out, as a cause and in words, or None.

    Args:
        holds: whether something is in the hand.
    """
    if target.joints is not None:
        return _joints(robot, target)
    if target.step is not None:
        values = astuple(target.step)
        if max(abs(value) for value in values[:4]) > LONGEST_STEP + _SLACK or abs(values[4]) > math.pi + _SLACK:
            return (
                Cause.LIMIT,
                f"a step of the hand exceeds the limit of {LONGEST_STEP:g} m and half a turn per command",
            )
    if target.handle is not None and holds:
        return Cause.CHECK, f"the hand holds something and cannot {target.handle} anything; release it first"
    return None if target.gripper_width is None else _gripper(robot, target.gripper_width, target.gripper_force)


def _joints(robot: RobotDescription, target: ArmTarget) -> Fault | None:
    limits = {joint.name: joint for joint in robot.chain.joints}
    for name, value in (target.joints or {}).items():
        if name not in limits:
            return Cause.TARGET, f"the arm has no joint '{name}'{did_you_mean(name, sorted(limits))}"
        low, high = limits[name].lower, limits[name].upper
        if not low - _SLACK <= value <= high + _SLACK:
            return Cause.LIMIT, f"joint '{name}' = {value:.3f} is outside the limits [{low:.3f}, {high:.3f}]"
    return None if target.joints else (Cause.TARGET, "the arm command names no joint; give at least one")


def _gripper(robot: RobotDescription, width: float, force: float) -> Fault | None:
    hand = robot.hand
    if not -_SLACK <= width <= hand.opening + _SLACK:
        return Cause.LIMIT, f"the gripper's width {width:.4f} m is outside the limits [0, {hand.opening:.4f}] m"
    if not 0.0 <= force <= hand.force + _SLACK:
        return Cause.LIMIT, f"the gripper's force {force:g} N is outside the limits [0, {hand.force:g}] N"
    return None

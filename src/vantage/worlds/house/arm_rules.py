"""What the arm of the house robot can be told, checked before anything moves."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np

from vantage.registry import did_you_mean
from vantage.types import CLOSE, OPEN, ArmTarget, Cause
from vantage.worlds.house.robot import RobotDescription

LONGEST_STEP = 0.5  # m of one relative motion
_SLACK = 1e-6  # m, rad or N: float noise in a target that is meant to lie on a limit

Fault = tuple[Cause, str]


def arm_fault(robot: RobotDescription, target: ArmTarget, holds: bool) -> Fault | None:
    """Why an arm target cannot be carried out, as a cause and in words, or None.

    Args:
        holds: whether something is in the hand.
    """
    given = [
        name
        for name in ("joints", "T_world_tool", "gripper_width", "step", "handle")
        if getattr(target, name) is not None
    ]
    if len(given) != 1:
        what = "none of these" if not given else " and ".join(given)
        return Cause.TARGET, f"an arm command holds one of joints, pose, gripper, step and handle, got {what}"
    if target.joints is not None:
        return _joints(robot, target)
    if target.T_world_tool is not None:
        return _pose(target)
    if target.step is not None:
        return _step(target)
    if target.handle is not None:
        return _handle(target, holds)
    return _gripper(robot, target)


def _joints(robot: RobotDescription, target: ArmTarget) -> Fault | None:
    limits = {joint.name: joint for joint in robot.chain.joints}
    for name, value in (target.joints or {}).items():
        if name not in limits:
            return Cause.TARGET, f"the arm has no joint '{name}'{did_you_mean(name, sorted(limits))}"
        low, high = limits[name].lower, limits[name].upper
        if not (math.isfinite(value) and low - _SLACK <= value <= high + _SLACK):
            return Cause.LIMIT, f"joint '{name}' = {value:.3f} is outside the limits [{low:.3f}, {high:.3f}]"
    return None if target.joints else (Cause.TARGET, "the arm command names no joint; give at least one")


def _pose(target: ArmTarget) -> Fault | None:
    pose = np.asarray(target.T_world_tool, dtype=np.float64)
    if pose.shape != (4, 4) or not np.isfinite(pose).all():
        return Cause.TARGET, "the pose of the tool is no finite matrix of shape (4, 4)"
    turned = pose[:3, :3]
    if not np.allclose(turned @ turned.T, np.eye(3), atol=1e-3) or np.linalg.det(turned) < 0.0:
        return Cause.TARGET, "the pose of the tool holds no rotation; give a rigid transform"
    return None


def _step(target: ArmTarget) -> Fault | None:
    assert target.step is not None
    values = astuple(target.step)
    if not all(map(math.isfinite, values)):
        return Cause.TARGET, f"the step of the hand {target.step} is not finite"
    if max(abs(value) for value in values[:4]) > LONGEST_STEP + _SLACK:
        return Cause.LIMIT, f"a step of the hand exceeds the limit of {LONGEST_STEP:g} m per command"
    if abs(target.step.roll) > math.pi + _SLACK:
        return Cause.LIMIT, "a turn of the hand exceeds half a turn per command"
    return None


def _handle(target: ArmTarget, holds: bool) -> Fault | None:
    if target.handle not in (OPEN, CLOSE):
        return Cause.TARGET, f"nothing can be done by a handle but {OPEN} and {CLOSE}, got '{target.handle}'"
    if holds:
        return Cause.CHECK, f"the hand holds something and cannot {target.handle} anything; release it first"
    return None


def _gripper(robot: RobotDescription, target: ArmTarget) -> Fault | None:
    width, force, hand = float(target.gripper_width or 0.0), float(target.gripper_force), robot.hand
    if not (math.isfinite(width) and math.isfinite(force)):
        return Cause.TARGET, f"the gripper's width {width} and force {force} are not finite"
    if not -_SLACK <= width <= hand.opening + _SLACK:
        return Cause.LIMIT, f"the gripper's width {width:.4f} m is outside the limits [0, {hand.opening:.4f}] m"
    if not 0.0 <= force <= hand.force + _SLACK:
        return Cause.LIMIT, f"the gripper's force {force:g} N is outside the limits [0, {hand.force:g}] N"
    return None

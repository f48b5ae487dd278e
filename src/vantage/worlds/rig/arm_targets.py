"""What an arm may be asked: joint positions by name and poses of its tool."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from vantage.errors import UnreachableError
from vantage.registry import did_you_mean
from vantage.spatial import Matrix
from vantage.types import ArmTarget
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.kinematics.chain import Chain

_ROOM = 1e-6  # m or rad: float noise in a target that is meant to lie on a limit


def joint_positions(chain: Chain, positions: Mapping[str, float], now: Matrix) -> tuple[Matrix, str | None]:
    """(N,) with the named joints where they should be and the others as they are ``now``, and what is wrong with it."""
    names = [joint.name for joint in chain.joints]
    goal = np.array(now, np.float64)
    if not positions:
        return goal, "the arm's target names no joint"
    for name, value in positions.items():
        if name not in names:
            return goal, f"the arm has no joint '{name}'{did_you_mean(name, names)}"
        joint = chain.joints[names.index(name)]
        if not math.isfinite(value):
            return goal, f"the target of {name} is not finite"
        if not joint.lower - _ROOM <= value <= joint.upper + _ROOM:
            limits = f"[{joint.lower:.4f}, {joint.upper:.4f}] {joint.unit}"
            return goal, f"{name} = {value:.4f} {joint.unit} is outside the limits {limits}"
        goal[names.index(name)] = min(max(value, joint.lower), joint.upper)
    return goal, None


def tool_positions(chain: Chain, T_world_tool: Matrix, now: Matrix) -> tuple[Matrix, str | None]:
    """(N,) that bring the tool to a pose (4, 4), close to ``now``, and what is wrong with it."""
    try:
        return inverse.solve_pose(chain, T_world_tool, now), None
    except UnreachableError as error:
        return np.array(now), str(error)


def parts_violation(target: ArmTarget) -> str | None:
    """Why a target does not ask for exactly one thing, in words, or None."""
    parts = {
        "joints": target.joints is not None,
        "a pose": target.T_world_tool is not None,
        "a width": target.gripper_width is not None,
    }
    given = [name for name, there in parts.items() if there]
    if len(given) == 1:
        return None
    return f"an arm's target is one of {', '.join(parts)}; got {' and '.join(given) or 'none'}"

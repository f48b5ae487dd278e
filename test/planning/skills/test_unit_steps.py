"""Commands in parts no larger than single actions."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.planning.skills import UnitSteps
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.types import ArmStep, ArmTarget, Command, Observation, Posture

UNITS = UnitSteps(0.25, math.pi / 12, 0.05, math.pi / 12)
HERE = Viewpoint(1.0, 2.0, 1.4, 0.3, -0.2)
METERS, ANGLES = st.floats(-3.0, 3.0), st.floats(-3.1, 3.1)


class Arm:
    """A body whose hand has one joint, which moves it along a line."""

    def hand_way(self, joints, here, goal, translation, rotation):
        if not isinstance(goal, dict):
            return []
        count = math.ceil(abs(goal["reach"] - joints["reach"]) / translation)
        return [{"reach": joints["reach"] + (goal["reach"] - joints["reach"]) * k / count} for k in range(1, count + 1)]


def seen(joints=None):
    posture = None if joints is None else Posture(joints, ())
    return Observation(1, HERE, Intrinsics(4, 4, 4.0, 4.0, 2.0, 2.0), np.zeros((4, 4, 3), np.uint8), posture=posture)


@given(METERS, METERS, ANGLES, st.floats(-1.0, 0.7))
def test_a_viewpoint_is_reached_in_turns_tilts_and_moves_of_single_actions(dx, dy, yaw, pitch):
    there = replace(HERE, x=HERE.x + dx, y=HERE.y + dy, yaw=yaw, pitch=pitch)
    views = [part.target for part in UNITS.parts(Command(target=there), seen(), Arm())]
    assert views[-1] == there
    for a, b in pairwise([HERE, *views]):
        kinds = [
            a.distance(b) > 2e-6,
            abs(wrap_angle(b.yaw - a.yaw)) > 2e-6,
            abs(b.pitch - a.pitch) > 2e-6,
        ]
        assert sum(kinds) <= 1
        assert a.distance(b) <= 0.25 + 1e-6
        assert max(abs(wrap_angle(b.yaw - a.yaw)), abs(b.pitch - a.pitch)) <= math.pi / 12 + 1e-6


def test_a_command_that_goes_nowhere_is_given_once():
    assert UNITS.parts(Command(target=HERE), seen(), Arm()) == [Command(target=HERE)]


def test_a_way_of_the_hand_is_cut_where_the_body_says():
    command = Command(arm=ArmTarget(joints={"reach": 0.5}))
    parts = UNITS.parts(command, seen({"reach": 0.1}), Arm())
    assert len(parts) == math.ceil(0.4 / (0.95 * 0.05))
    assert parts[-1].arm.joints == {"reach": 0.5}


@pytest.mark.parametrize("joints", [None, {"reach": 0.1}])
def test_where_no_way_is_known_the_command_is_given_as_it_is(joints):
    command = Command(arm=ArmTarget(T_world_tool=np.eye(4)))
    assert UNITS.parts(command, seen(joints), Arm()) == [command]


def test_steps_of_the_hand_are_cut_and_add_up():
    step = ArmStep(forward=0.12, up=-0.05, height=0.1, roll=0.5)
    parts = [part.arm.step for part in UNITS.parts(Command(arm=ArmTarget(step=step)), seen(), Arm())]
    for name in ("forward", "left", "up", "height", "roll"):
        assert sum(getattr(part, name) for part in parts) == pytest.approx(getattr(step, name))
        assert max(abs(getattr(part, name)) for part in parts) <= (0.262 if name == "roll" else 0.05) + 1e-9
    assert len(parts) == 3 + 1 + 2 + 2


@pytest.mark.parametrize("target", [ArmTarget(gripper_width=0.0, gripper_force=3.0), ArmTarget(handle="open")])
def test_a_grasp_and_a_handle_are_one_action(target):
    assert UNITS.parts(Command(arm=target), seen({"reach": 0.0}), Arm()) == [Command(arm=target)]

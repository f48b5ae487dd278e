"""What an arm is told and what its hand feels go through messages and come back as they were."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from arm_world import ArmWorld, hall_episode
from hypothesis import given, strategies as st

from vantage.config import Settings
from vantage.recording import topics
from vantage.recording.arm_messages import (
    ARM_UNCLEAR,
    arm_command_message,
    read_arm_command,
    read_hand,
    read_posture,
    read_touch,
    wrench_message,
)
from vantage.recording.from_messages import read_legend, read_reached, read_time, read_world_info
from vantage.recording.interfaces import RosbagsFactory, typestore
from vantage.recording.publishers import LegendPublisher, publish_observation
from vantage.recording.to_messages import Codec
from vantage.spatial import Viewpoint
from vantage.types import (
    ArmStep,
    ArmTarget,
    Command,
    InstanceLabel,
    ObjectAction,
    Observation,
    Status,
    StepResult,
    Touch,
)

CODEC = Codec(RosbagsFactory())
IDS = st.integers(-(2**31), 2**31 - 1)
NUMBERS = st.floats(-50, 50)
POSES = st.builds(Viewpoint, NUMBERS, NUMBERS, NUMBERS, st.floats(-3, 3), st.floats(-1.5, 1.5)).map(
    lambda viewpoint: viewpoint.T_world_body()
)
TARGETS = st.one_of(
    st.builds(ArmTarget, joints=st.dictionaries(st.text(max_size=8), NUMBERS, max_size=7)),
    st.builds(ArmTarget, T_world_tool=POSES),
    st.builds(ArmTarget, gripper_width=NUMBERS, gripper_force=NUMBERS),
    st.builds(ArmTarget, step=st.builds(ArmStep, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)),
    st.builds(ArmTarget, handle=st.text(min_size=1, max_size=8)),
    st.builds(ArmTarget, object_action=st.builds(ObjectAction, st.text(max_size=8), IDS, IDS)),
)


def through_cdr(message, type_name):
    store = typestore()
    return store.deserialize_cdr(bytes(store.serialize_cdr(message, type_name)), type_name)


@given(TARGETS, st.text(max_size=8), st.integers(0, 2**63))
def test_arm_commands_come_back_as_they_were(target: ArmTarget, action: str, sequence: int) -> None:
    command = Command(None, action, target, "e", "planner", sequence)
    back = read_arm_command(through_cdr(arm_command_message(CODEC, 3, command), topics.ARM_COMMAND.type))
    if target.T_world_tool is not None:
        assert back.arm is not None
        np.testing.assert_allclose(back.arm.T_world_tool, target.T_world_tool, atol=1e-9)
        assert (back.action, back.sequence) == (action, sequence)
    else:
        assert back == command


@pytest.mark.parametrize("target", [ArmTarget(), ArmTarget(joints={}, handle="open"), ArmTarget(None, np.eye(4), 0.1)])
def test_what_is_not_one_thing_comes_back_as_nothing(target: ArmTarget) -> None:
    message = through_cdr(arm_command_message(CODEC, 3, Command(arm=target)), topics.ARM_COMMAND.type)
    assert message.mode == ARM_UNCLEAR
    assert read_arm_command(message).arm == ArmTarget()
    with pytest.raises(ValueError, match="needs an arm target"):
        arm_command_message(CODEC, 3, Command())


@given(POSES, st.lists(NUMBERS, min_size=6, max_size=6), st.floats(0, 0.2), st.booleans())
def test_what_a_hand_feels_comes_back_as_it_was(T_world_tool, vectors: list[float], width: float, holds: bool) -> None:
    touch = Touch(T_world_tool, np.array(vectors[:3]), np.array(vectors[3:]), width, holds)
    wrench = through_cdr(wrench_message(CODEC, 7, touch), topics.WRENCH.type)
    tf = through_cdr(CODEC.transforms(7, Viewpoint(1, 2, 3, 0, 0), None, touch), topics.TF.type)
    seen = ArmWorld(Settings()).observe()
    result = StepResult(
        Status.DONE, "", Command(), Observation(7, seen.viewpoint, seen.intrinsics, seen.rgb, touch=touch)
    )
    told = through_cdr(CODEC.command_result(result), topics.COMMAND_RESULT.type)
    back = read_touch(wrench, tf, read_hand(told))
    np.testing.assert_allclose(back.T_world_tool, T_world_tool, atol=1e-9)
    np.testing.assert_array_equal(np.concatenate([back.force, back.torque]), vectors)
    assert (back.gripper_width, back.holds) == (width, holds)
    position = told.tool_pose.position
    np.testing.assert_allclose([position.x, position.y, position.z], T_world_tool[:3, 3])


def test_without_an_arm_a_result_tells_of_none() -> None:
    seen = ArmWorld(Settings()).observe()
    result = StepResult(Status.DONE, "", Command(), Observation(7, seen.viewpoint, seen.intrinsics, seen.rgb))
    told = through_cdr(CODEC.command_result(result), topics.COMMAND_RESULT.type)
    width, holds = read_hand(told)
    assert math.isnan(width)
    assert not holds
    assert (told.tool_pose.position.x, told.tool_pose.orientation.w) == (0.0, 1.0)
    assert read_reached(told)[0] == Status.DONE
    tf = CODEC.transforms(7, seen.viewpoint)
    assert [item.child_frame_id for item in tf.transforms] == ["camera_link"]
    with pytest.raises(ValueError, match="no transform leads to the frame 'arm_tool'"):
        read_touch(wrench_message(CODEC, 7, seen.touch), tf, (0.1, False))


def test_a_look_of_a_world_with_an_arm_tells_of_it_and_of_its_smaller_depth() -> None:
    world = ArmWorld(Settings())
    seen, told = world.reset(hall_episode(), 0), {}
    publish_observation(CODEC, lambda topic, stamp, message: told.update({topic: message}), seen, lambda topic: True)
    assert {topics.WRENCH, topics.DEPTH_CAMERA_INFO} <= told.keys()
    info, depth = told[topics.DEPTH_CAMERA_INFO], told[topics.DEPTH]
    assert (info.width, info.height) == (depth.width, depth.height) == (seen.intrinsics.width // 2, info.height)
    posture = read_posture(told[topics.JOINT_STATES], told[topics.TF])
    assert posture.joints == seen.posture.joints
    assert [link.child for link in posture.links] == ["body", "camera_link", "arm_tool"]
    wrench = told[topics.WRENCH]
    assert wrench.header.frame_id == "arm_tool"
    assert read_world_info(CODEC.world_info(world.info)) == world.info


def test_a_legend_is_told_anew_when_it_has_changed_and_when_an_episode_begins() -> None:
    told: list[tuple[int, Any]] = []
    publisher = LegendPublisher(CODEC, lambda topic, stamp, message: told.append((stamp, message)))
    world = ArmWorld(Settings())
    publisher.begin("box")
    first, same = world.observe(), world.observe()
    publisher.tell(first)
    publisher.tell(same)
    assert [stamp for stamp, _ in told] == [publisher.stamp] == [first.stamp]
    world.opened = True
    changed = world.observe()
    publisher.tell(changed)
    assert publisher.stamp == changed.stamp
    assert read_legend(told[-1][1])[2].states == ("open",)
    publisher.begin("box")
    assert publisher.stamp == 0
    publisher.tell(changed)
    publisher.tell(replace(changed, legend=None))
    assert len(told) == 3
    result = StepResult(Status.DONE, "", Command(), changed)
    assert read_time(CODEC.command_result(result, publisher.stamp).legend_stamp) == changed.stamp


def test_parts_of_things_are_told_as_parts() -> None:
    legend = {5: InstanceLabel(5, "cabinet"), 1_000_501: InstanceLabel(1_000_501, "handle", part_of=5)}
    assert read_legend(through_cdr(CODEC.legend(1, "home", legend), topics.LEGEND.type)) == legend


def test_a_joint_that_is_named_twice_is_refused() -> None:
    message = arm_command_message(CODEC, 3, Command(arm=ArmTarget(joints={"a": 1.0, "b": 2.0})))
    message.joint_names = ["a", "a"]
    with pytest.raises(ValueError, match="named twice: a, a"):
        read_arm_command(message)

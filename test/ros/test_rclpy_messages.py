from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from rclpy.node import Node
from rclpy.serialization import deserialize_message, serialize_message
from ros_fixtures import context_on, eventually

from vantage.errors import MissingExtraError
from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.nodes.runtime.topics import advertise
from vantage.nodes.world.world_messages import MAX_POINTS, point_cloud
from vantage.recording.arm_messages import (
    ARM_GRIPPER,
    ARM_HANDLE,
    ARM_JOINTS,
    ARM_OBJECT,
    ARM_POSE,
    ARM_STEP,
    ARM_UNCLEAR,
    arm_command_message,
    read_arm_command,
)
from vantage.recording.from_messages import read_image
from vantage.recording.interfaces import RosbagsFactory, typestore
from vantage.recording.to_messages import Codec
from vantage.recording.topics import RECORDED
from vantage.spatial import Viewpoint
from vantage.types import ArmStep, ArmTarget, Command, ObjectAction

pytestmark = pytest.mark.real_time

CODEC = Codec(RclpyFactory())


def test_unknown_interfaces_say_what_to_do() -> None:
    for name in ("vantage_eqa/msg/Nothing", "no_such_package/msg/Thing"):
        with pytest.raises(MissingExtraError, match=f"{name} is not built here"):
            interface(name)


def test_the_definitions_in_bags_are_those_on_the_wire() -> None:
    with context_on() as context:
        node = Node("talker", context=context)
        for topic in RECORDED:
            advertise(node, topic)
            [info] = eventually(lambda topic=topic: node.get_publishers_info_by_topic(topic.name))
            assert str(info.topic_type_hash) == typestore().hash_rihs01(topic.type), topic.type
        node.destroy_node()


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from(["rgb8", "32FC1", "32SC1"]), st.integers(0, 2**32 - 1))
def test_images_survive_the_wire(height: int, width: int, encoding: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pixels = {
        "rgb8": lambda: rng.integers(0, 256, (height, width, 3), np.uint8),
        "32FC1": lambda: np.where(rng.random((height, width)) < 0.2, np.nan, rng.random((height, width))).astype("f4"),
        "32SC1": lambda: rng.integers(-(2**31), 2**31, (height, width), np.int32),
    }[encoding]()
    sent = CODEC.image(12_345_678_901, pixels, encoding)
    received = deserialize_message(serialize_message(sent), interface("sensor_msgs/msg/Image"))
    assert received == sent
    np.testing.assert_array_equal(read_image(received), pixels)
    from_bag = typestore().deserialize_cdr(bytes(serialize_message(sent)), "sensor_msgs/msg/Image")
    np.testing.assert_array_equal(read_image(from_bag), pixels)
    assert from_bag.header == Codec(RosbagsFactory()).header(12_345_678_901, "camera_optical")


def test_images_that_are_views_are_copied_in_the_right_order() -> None:
    pixels = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    turned = pixels[::-1, ::2]
    np.testing.assert_array_equal(read_image(CODEC.image(0, turned, "rgb8")), turned)


@pytest.mark.parametrize(
    ("target", "mode"),
    [
        (ArmTarget(joints={"shoulder": 0.5, "elbow": -1.25}), ARM_JOINTS),
        (ArmTarget(T_world_tool=Viewpoint(0.1, 0.2, 0.3, 1.0, -0.5).T_world_body()), ARM_POSE),
        (ArmTarget(gripper_width=0.04, gripper_force=5.0), ARM_GRIPPER),
        (ArmTarget(step=ArmStep(up=0.05, roll=-0.25)), ARM_STEP),
        (ArmTarget(handle="open"), ARM_HANDLE),
        (ArmTarget(object_action=ObjectAction("put_in", 7, 12)), ARM_OBJECT),
        (ArmTarget(), ARM_UNCLEAR),
    ],
)
def test_arm_targets_survive_the_wire(target: ArmTarget, mode: int) -> None:
    command = Command(arm=target, action="act", episode_id="e", source="s", sequence=9)
    message = arm_command_message(CODEC, 5, command)
    assert message.mode == mode
    back = read_arm_command(deserialize_message(serialize_message(message), interface("vantage_eqa/msg/ArmCommand")))
    assert (back.action, back.episode_id, back.source, back.sequence, back.target) == ("act", "e", "s", 9, None)
    assert back.arm is not None
    assert (back.arm.joints, back.arm.gripper_width) == (target.joints, target.gripper_width)
    assert (back.arm.step, back.arm.handle) == (target.step, target.handle)
    assert back.arm.object_action == target.object_action
    if target.T_world_tool is not None:
        np.testing.assert_allclose(back.arm.T_world_tool, target.T_world_tool, atol=1e-12)


def test_impossible_arm_commands_are_refused() -> None:
    kind = interface("vantage_eqa/msg/ArmCommand")
    with pytest.raises(ValueError, match="mode 6 is none of"):
        read_arm_command(kind(mode=6))
    pose = kind(mode=ARM_POSE)
    pose.target_pose.orientation.w = 0.0
    with pytest.raises(ValueError, match="zero quaternion"):
        read_arm_command(pose)
    with pytest.raises(ValueError, match="zip"):
        read_arm_command(kind(mode=ARM_JOINTS, joint_names=["a"], positions=[]))


def test_large_clouds_are_thinned_evenly() -> None:
    count = 2 * MAX_POINTS + 1
    xyz = np.stack([np.arange(count, dtype=np.float32)] * 3, axis=1)
    message = point_cloud(CODEC, 0, xyz, np.zeros((count, 3), np.uint8))
    assert message.width <= MAX_POINTS
    assert len(message.data) == message.width * message.point_step == message.row_step
    points = np.frombuffer(message.data, np.float32).reshape(-1, 4)
    assert set(np.diff(points[:, 0])) == {3.0}
    assert point_cloud(CODEC, 0, xyz[:0], np.zeros((0, 3), np.uint8)).width == 0

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from vantage.errors import WorldError
from vantage.nodes.runtime.frame_buffer import FrameBuffer, camera_topics, frame_viewpoint, observation
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.recording.arm_messages import wrench_message
from vantage.recording.to_messages import Codec
from vantage.recording.topics import (
    CAMERA_INFO,
    DEPTH,
    DEPTH_CAMERA_INFO,
    IMAGE,
    INSTANCES,
    JOINT_STATES,
    TF,
    WRENCH,
)
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Touch

pytestmark = pytest.mark.real_time

CODEC = Codec(RclpyFactory())
LENS = Intrinsics.from_fov(8, 6, 1.0)
HERE = Viewpoint(1.0, -2.0, 0.5, 2.0, -0.4)


def parts(stamp: int) -> dict:
    return {
        IMAGE: CODEC.image(stamp, np.full((6, 8, 3), 7, np.uint8), "rgb8"),
        CAMERA_INFO: CODEC.camera_info(stamp, LENS),
        DEPTH: CODEC.image(stamp, np.full((6, 8), 1.5, np.float32), "32FC1"),
        TF: CODEC.transforms(stamp, HERE),
    }


def test_a_moment_is_complete_once_whatever_the_order() -> None:
    for order in ((IMAGE, CAMERA_INFO, DEPTH, TF), (TF, DEPTH, CAMERA_INFO, IMAGE)):
        buffer, messages = FrameBuffer(camera_topics({"rgb", "depth"})), parts(5)
        found = [buffer.add(topic, messages[topic]) for topic in order]
        assert found[:3] == [None, None, None]
        stamp, frame = found[3]
        assert stamp == 5
        assert buffer.add(IMAGE, messages[IMAGE]) is None, "the same message again completes nothing"
        seen = observation(stamp, frame, frame_viewpoint(frame), None)
        assert seen.intrinsics == LENS
        assert seen.depth is not None
        assert seen.depth[0, 0] == 1.5
        assert seen.instances is None
        np.testing.assert_allclose(seen.viewpoint.position, HERE.position)
        assert seen.viewpoint.yaw == pytest.approx(HERE.yaw)


def test_depth_of_another_size_than_the_picture_waits_for_its_intrinsics() -> None:
    small = Intrinsics.from_fov(4, 3, 1.0)
    messages = {**parts(5), DEPTH: CODEC.image(5, np.full((3, 4), 1.5, np.float32), "32FC1")}
    told = CODEC.camera_info(5, small)
    buffer = FrameBuffer(camera_topics({"rgb", "depth"}))
    assert [buffer.add(topic, message) for topic, message in messages.items()] == [None] * 4
    with pytest.raises(WorldError, match=r"^camera/depth/camera_info with the stamp 5 ns did not arrive"):
        buffer.wait(5, 0.05)
    found = buffer.add(DEPTH_CAMERA_INFO, told)
    assert found is not None
    seen = observation(5, found[1], HERE, None)
    assert (seen.intrinsics, seen.depth_intrinsics) == (LENS, small)
    other_way = FrameBuffer(camera_topics({"rgb", "depth"}))
    assert other_way.add(DEPTH_CAMERA_INFO, told) is None
    assert [other_way.add(topic, message) for topic, message in messages.items()][3] is not None


def test_joint_states_of_a_driver_push_no_moment_out() -> None:
    buffer, messages = FrameBuffer(camera_topics({"touch"}), capacity=3), parts(5)
    buffer.add(IMAGE, messages[IMAGE])
    for stamp in range(100, 130):
        buffer.add(JOINT_STATES, CODEC.joint_states(stamp, HERE))
    hand = np.eye(4)
    touch = Touch(hand, np.zeros(3), np.ones(3), 0.05)
    for topic, message in (
        (CAMERA_INFO, messages[CAMERA_INFO]),
        (TF, CODEC.transforms(5, HERE, None, touch)),
        (WRENCH, wrench_message(CODEC, 5, touch)),
    ):
        assert buffer.add(topic, message) is None
    found = buffer.add(JOINT_STATES, CODEC.joint_states(5, HERE))
    assert found is not None
    seen = observation(5, found[1], HERE, None, (0.05, True))
    assert seen.touch is not None
    assert (seen.touch.gripper_width, seen.touch.holds, seen.touch.torque[0]) == (0.05, True, 1.0)
    assert seen.posture is not None
    assert seen.posture.joints["yaw"] == HERE.yaw
    without = {**found[1], TF: messages[TF]}
    with pytest.raises(WorldError, match="says nothing of the hand: no transform leads to the frame 'arm_tool'"):
        observation(5, without, HERE, None)


def test_waiting_names_what_is_missing() -> None:
    buffer, messages = FrameBuffer((IMAGE, DEPTH, INSTANCES)), parts(5)
    buffer.add(IMAGE, messages[IMAGE])
    with pytest.raises(WorldError, match=r"^camera/depth/image_raw, camera/instances/image_raw with the stamp 5 ns"):
        buffer.wait(5, 0.05)
    with pytest.raises(WorldError, match=r"no camera frame arrived: none came within 0\.1 s"):
        buffer.wait_after(4, 0.05)


def test_a_waiting_thread_is_woken_by_the_last_part_and_by_a_halt() -> None:
    buffer, messages = FrameBuffer((IMAGE, DEPTH)), parts(5)
    buffer.add(IMAGE, messages[IMAGE])
    threading.Timer(0.1, buffer.add, [DEPTH, messages[DEPTH]]).start()
    assert set(buffer.wait(5, 10.0)) == {IMAGE, DEPTH}
    assert buffer.wait_after(4, 10.0)[0] == 5
    begun = time.monotonic()
    threading.Timer(0.1, buffer.halt, ["the end"]).start()
    with pytest.raises(WorldError, match="did not arrive: the end"):
        buffer.wait(6, 60.0)
    assert time.monotonic() - begun < 30.0


def test_old_moments_fall_out() -> None:
    buffer = FrameBuffer((IMAGE,), capacity=3)
    for stamp in range(1, 6):
        buffer.add(IMAGE, parts(stamp)[IMAGE])
    assert buffer.wait_after(0, 0.0)[0] == 3
    with pytest.raises(WorldError):
        buffer.wait(2, 0.0)


def test_transforms_of_other_objects_are_passed_over() -> None:
    other = CODEC.static_transforms(5)
    assert FrameBuffer((TF,)).add(TF, other) is None

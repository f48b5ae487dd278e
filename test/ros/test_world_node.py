from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_world
import numpy as np
import pytest
from fake_set import fake_set
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetState
from rcl_interfaces.srv import DescribeParameters, GetParameters
from rclpy.node import Node
from rclpy.qos import QoSProfile
from ros_fixtures import SMALL, call, context_on, eventually, parameters, spinning
from std_msgs.msg import Bool
from std_srvs.srv import Trigger
from vantage_eqa.msg import ArmCommand
from vantage_eqa.srv import ResetWorld

from vantage.benchmarks.sets.episodes_io import load_truths, save_set
from vantage.errors import ConfigError, FormatError, UnknownNameError
from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.nodes.runtime.topics import profile
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.from_messages import read_image, read_stamp, read_time, read_transform
from vantage.recording.to_messages import Codec
from vantage.recording.topics import (
    ARM_COMMAND,
    CAMERA_INFO,
    CLOCK,
    COMMAND_RESULT,
    DEPTH,
    DIAGNOSTICS,
    ESTOP,
    IMAGE,
    IMAGE_COMPRESSED,
    INSTANCES,
    JOINT_STATES,
    LEGEND,
    SCENE_POINTS,
    TF,
    TF_STATIC,
    VIEWPOINT_COMMAND,
    Topic,
)
from vantage.spatial import Viewpoint
from vantage.types import Command, EpisodeState, Status

pytestmark = pytest.mark.real_time

fake_world.register()
CODEC = Codec(RclpyFactory())
TOLD = (
    IMAGE,
    IMAGE_COMPRESSED,
    CAMERA_INFO,
    DEPTH,
    INSTANCES,
    LEGEND,
    SCENE_POINTS,
    JOINT_STATES,
    TF,
    TF_STATIC,
    COMMAND_RESULT,
    CLOCK,
    DIAGNOSTICS,
)


class Listener(Node):
    """Keeps every message of every topic of the world."""

    def __init__(self, context: Any) -> None:
        super().__init__("listener", context=context)
        self.heard: dict[Topic, list[Any]] = defaultdict(list)
        for topic in TOLD:
            self.create_subscription(
                interface(topic.type), topic.name, self.heard[topic].append, profile(topic, depth=50)
            )
        self.told = {
            topic: self.create_publisher(interface(topic.type), topic.name, profile(topic))
            for topic in (VIEWPOINT_COMMAND, ARM_COMMAND, ESTOP)
        }

    def meet(self) -> None:
        for publisher in self.told.values():
            eventually(lambda publisher=publisher: publisher.get_subscription_count() > 0)
        for topic in TOLD:
            eventually(lambda topic=topic: self.count_publishers(topic.name) > 0)

    def reset(self) -> Any:
        episode = CODEC.episode(0, fake_world.fake_episode(), EpisodeState.PENDING)
        return call(self, ResetWorld, "reset_world", episode=episode, seed=1)

    def command(self, sequence: int, target: Viewpoint, action: str = "") -> Any:
        sent = Command(target, action, episode_id="episode-1", source="test", sequence=sequence)
        before = len(self.heard[COMMAND_RESULT])
        self.told[VIEWPOINT_COMMAND].publish(CODEC.viewpoint_command(0, sent))
        eventually(lambda: len(self.heard[COMMAND_RESULT]) > before)
        return self.heard[COMMAND_RESULT][-1]


def stamps(listener: Listener, topic: Topic) -> list[int]:
    if topic in (TF, TF_STATIC):
        return [read_stamp(message.transforms[0]) for message in listener.heard[topic]]
    if topic is CLOCK:
        return [read_time(message.clock) for message in listener.heard[topic]]
    return [read_stamp(message) for message in listener.heard[topic]]


@pytest.fixture
def listener():  # type: ignore[no-untyped-def]
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", run__rate_hz=10.0, **SMALL))
        ears = Listener(context)
        with spinning(context, node, ears):
            ears.meet()
            yield ears


def test_everything_of_one_look_shares_its_stamp(listener: Listener) -> None:
    assert listener.reset().ok
    result = listener.command(1, Viewpoint(0.3, 0.0, 1.0, 0.5, 0.1))
    assert (result.status, result.sequence, result.source) == (Status.DONE, 1, "test")
    stamp = read_time(result.observation_stamp)
    for topic in (IMAGE, IMAGE_COMPRESSED, CAMERA_INFO, DEPTH, INSTANCES, TF, JOINT_STATES):
        eventually(lambda topic=topic: stamp in stamps(listener, topic))
    at = [stamps(listener, topic).index(stamp) for topic in (IMAGE, DEPTH, INSTANCES, CAMERA_INFO, TF)]
    image, depth, ids, info, transform = (
        listener.heard[topic][index]
        for topic, index in zip((IMAGE, DEPTH, INSTANCES, CAMERA_INFO, TF), at, strict=True)
    )
    assert image.header.frame_id == depth.header.frame_id == ids.header.frame_id == info.header.frame_id
    assert image.header.frame_id == "camera_optical"
    assert (image.encoding, depth.encoding, ids.encoding) == ("rgb8", "32FC1", "32SC1")
    assert read_image(image).shape == (48, 64, 3)
    assert np.isnan(read_image(depth)[0, 0])
    assert set(np.unique(read_image(ids))) == {1, 2}
    seen = Viewpoint.from_T_world_body(read_transform(transform.transforms[0]))
    np.testing.assert_allclose([seen.x, seen.yaw, seen.pitch], [0.3, 0.5, 0.1], atol=1e-12)
    assert transform.transforms[0].header.frame_id == "map"


def test_the_camera_goes_on_between_commands_and_stamps_increase(listener: Listener) -> None:
    listener.reset()
    eventually(lambda: len(listener.heard[IMAGE]) >= 5)
    listener.command(1, Viewpoint(0.1, 0.0, 1.0, 0.0, 0.0))
    for topic in (IMAGE, DEPTH, TF, CLOCK):
        times = eventually(lambda topic=topic: len(stamps(listener, topic)) >= 5 and stamps(listener, topic))
        assert times == sorted(set(times))
    pictures = set(stamps(listener, IMAGE))
    eventually(lambda: pictures <= set(stamps(listener, CLOCK)))


def test_latched_topics_and_diagnostics(listener: Listener) -> None:
    listener.reset()
    eventually(lambda: listener.heard[LEGEND] and listener.heard[TF_STATIC] and listener.heard[SCENE_POINTS])
    late = Listener(listener.context)
    with spinning(listener.context, late):
        eventually(lambda: late.heard[LEGEND] and late.heard[TF_STATIC] and late.heard[SCENE_POINTS])
        assert [entry.label for entry in late.heard[LEGEND][0].instances] == ["floor", "cup"]
        assert late.heard[LEGEND][0].scene == fake_world.SCENE
        cloud = late.heard[SCENE_POINTS][0]
        assert (cloud.width, cloud.height, cloud.point_step) == (3, 1, 16)
        points = np.frombuffer(cloud.data, np.float32).reshape(-1, 4)
        np.testing.assert_array_equal(points[:, :3], np.eye(3))
        assert points[:, 3].view(np.uint32)[0] == 0xC8C8C8
    status = eventually(lambda: listener.heard[DIAGNOSTICS] and listener.heard[DIAGNOSTICS][-1].status[0])
    assert (status.name, status.message) == ("world_node", "ready")


def test_stops_from_topic_and_service_are_latched(listener: Listener) -> None:
    listener.reset()
    here = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
    listener.told[ESTOP].publish(Bool(data=False))
    assert listener.command(1, here).status == Status.DONE, "false does nothing"
    listener.told[ESTOP].publish(Bool(data=True))
    eventually(lambda: listener.heard[DIAGNOSTICS] and "stopped" in listener.heard[DIAGNOSTICS][-1].status[0].message)
    stopped = listener.command(2, here)
    assert stopped.status == Status.STOPPED
    assert "emergency stop" in stopped.reason
    listener.told[ESTOP].publish(Bool(data=False))
    assert listener.command(3, here).status == Status.STOPPED
    assert call(listener, Trigger, "clear_stop").success
    assert listener.command(4, here).status == Status.DONE
    assert call(listener, Trigger, "stop").success
    assert listener.command(5, here).status == Status.STOPPED


def test_an_emergency_stop_ends_a_running_step(listener: Listener) -> None:
    listener.reset()
    here = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
    sent = Command(here, fake_world.SLOW, episode_id="episode-1", source="test", sequence=1)
    begun = time.monotonic()
    listener.told[VIEWPOINT_COMMAND].publish(CODEC.viewpoint_command(0, sent))
    time.sleep(0.2)
    listener.told[ESTOP].publish(Bool(data=True))
    result = eventually(lambda: listener.heard[COMMAND_RESULT] and listener.heard[COMMAND_RESULT][-1])
    assert result.status == Status.STOPPED
    assert time.monotonic() - begun < 0.9 * fake_world.SLOW_TIME


def test_commands_that_make_no_sense_are_answered(listener: Listener) -> None:
    early = listener.command(1, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0))
    assert early.status == Status.REJECTED
    assert "reset the world first" in early.reason
    listener.reset()
    before = len(listener.heard[COMMAND_RESULT])
    listener.told[ARM_COMMAND].publish(ArmCommand(episode_id="episode-1", source="test", sequence=1, mode=7))
    eventually(lambda: len(listener.heard[COMMAND_RESULT]) > before)
    assert "mode 7" in listener.heard[COMMAND_RESULT][-1].reason
    listener.told[ARM_COMMAND].publish(ArmCommand(episode_id="episode-1", source="test", sequence=1, mode=2))
    eventually(lambda: len(listener.heard[COMMAND_RESULT]) > before + 1)
    assert "was not signed" in listener.heard[COMMAND_RESULT][-1].reason


def test_without_autostart_a_manager_starts_and_pauses_it() -> None:
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", autostart=False, **SMALL))
        ears = Listener(context)
        with spinning(context, node, ears):

            def change(transition: int) -> bool:
                request = Transition(id=transition)
                return bool(call(ears, ChangeState, "world_node/change_state", transition=request).success)

            def state() -> str:
                return str(call(ears, GetState, "world_node/get_state").current_state.label)

            assert state() == "unconfigured"
            assert not ears.create_client(ResetWorld, "reset_world").wait_for_service(timeout_sec=0.5)
            assert change(Transition.TRANSITION_CONFIGURE)
            assert change(Transition.TRANSITION_ACTIVATE)
            assert ears.reset().ok
            assert change(Transition.TRANSITION_DEACTIVATE)
            paused = ears.command(1, Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0))
            assert (paused.status, paused.reason) == (Status.REJECTED, "not active")
            assert change(Transition.TRANSITION_CLEANUP)
            assert state() == "unconfigured"


def test_parameters_are_described_ranged_and_fixed(listener: Listener) -> None:
    described = call(
        listener, DescribeParameters, "world_node/describe_parameters", names=["camera.width", "run.rate_hz", "world"]
    ).descriptors
    assert all(item.read_only and item.description for item in described)
    assert (described[0].integer_range[0].from_value, described[0].integer_range[0].to_value) == (1, 8192)
    assert described[1].floating_point_range[0].to_value == 240.0
    assert "splat" in described[2].additional_constraints
    values = call(listener, GetParameters, "world_node/get_parameters", names=["camera.width", "run.rate_hz"]).values
    assert (values[0].integer_value, values[1].double_value) == (64, 10.0)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"camera__width": 0}, ConfigError, "outside"),
        ({"camera__width": 64.5}, ConfigError, "must be of type int"),
        ({"camera__wide": 64}, UnknownNameError, "unknown setting 'camera.wide'"),
        ({"world": "nowhere"}, ConfigError, "unknown 'nowhere'"),
        ({"world": 3}, ConfigError, "must be of type str"),
    ],
)
def test_wrong_parameters_are_refused(values: dict[str, Any], error: type[Exception], words: str) -> None:
    with context_on() as context, pytest.raises(error, match=words):
        WorldNode(context, parameters(**values))


def test_the_own_settings_of_an_episode_set_count(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set")
    info = replace(made.info, settings={"camera.width": 48, "limits.max_translation": 0.3, "relations.near": 0.9})
    saved = save_set(tmp_path / "set", info, made.episodes, list(load_truths(tmp_path / "set", made.episodes).values()))
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", settings_of=str(saved.folder), **SMALL))
        values = [node.get_parameter(name).value for name in ("camera.width", "camera.height", "world.scenes")]
        assert values == [48, SMALL["camera__height"], str(saved.folder / "scenes")]
        assert node.get_parameter("limits.max_translation").value == 0.3
        assert not node.has_parameter("relations.near")
        node.destroy_node()
    with context_on() as context, pytest.raises(FormatError, match=r"set\.json"):
        WorldNode(context, parameters(world="fake", settings_of=str(tmp_path / "none"), **SMALL))


def test_an_integer_stands_for_a_float() -> None:
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", run__rate_hz=10, **SMALL))
        assert node.get_parameter("run.rate_hz").value == 10.0
        node.destroy_node()


def test_quality_of_service_can_be_overridden() -> None:
    with context_on() as context:
        overrides = {"qos_overrides./camera/image_raw.publisher.reliability": "best_effort"}
        node = WorldNode(context, parameters(world="fake", **SMALL, **overrides))
        offered = node.get_publishers_info_by_topic("/camera/image_raw")[0].qos_profile
        assert offered.reliability == QoSProfile(depth=1, reliability=2).reliability
        assert node.get_publishers_info_by_topic("/camera/camera_info")[0].qos_profile.reliability == 1
        node.destroy_node()

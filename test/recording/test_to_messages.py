import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from open_field import OpenFieldWorld, make_episode

from vantage.recording import from_messages as reading, topics
from vantage.recording.interfaces import RosbagsFactory, typestore
from vantage.recording.to_messages import Codec
from vantage.spatial import Viewpoint, rigid, rotation_matrix, wrap_angle
from vantage.types import (
    VIEW_RULE,
    Answer,
    Command,
    EpisodeState,
    Evidence,
    InstanceLabel,
    NoiseReport,
    NoiseType,
    Poses,
    Truth,
    TruthQuestion,
    Verdict,
    ViewShortfall,
)

CODEC = Codec(RosbagsFactory())
VIEW = Viewpoint(1.0, -2.0, 3.0, 0.4, -0.2)


def through_cdr(message, type_name):
    store = typestore()
    return store.deserialize_cdr(bytes(store.serialize_cdr(message, type_name)), type_name)


def test_episode_round_trip():
    episode = make_episode(questions=2)
    message = through_cdr(CODEC.episode(5, episode, EpisodeState.RUNNING, agent="search"), topics.EPISODE.type)
    assert reading.read_episode(message) == episode
    assert (message.state, message.agent, reading.read_stamp(message)) == (EpisodeState.RUNNING, "search", 5)


def test_answer_round_trip():
    noise = NoiseReport(NoiseType.COLOR, "red", "blue", "What is the blue mug made of?", 0.9, "seen from two sides")
    answer = Answer("q1", "ceramic", Verdict.CORRECTED, 0.9, noise, (Evidence(3 * 10**9 + 7, VIEW),), "privileged", "m")
    message = through_cdr(CODEC.answer(5, "e", answer), topics.ANSWER.type)
    assert reading.read_answer(message) == answer


def test_truth_round_trip():
    question = TruthQuestion("q1", "color", "red", ("crimson",), False, NoiseType.LATENT, "a", "b", "c", (4, 9))
    truth = Truth("e", (question,), VIEW, ("x+", "yaw-"), 0.25)
    assert reading.read_truth(through_cdr(CODEC.truth(1, truth), topics.TRUTH.type)) == truth
    without = reading.read_truth(through_cdr(CODEC.truth(1, Truth("e", (question,))), topics.TRUTH.type))
    assert without.goal is None
    assert without.oracle_actions is None
    assert math.isnan(without.oracle_path_length)
    told = replace(
        truth,
        questions=(replace(question, category="attribute", to_weigh=(7, 8), to_open=(3,)),),
        pair_id="p7",
        split="test",
        oracle_is_bound=True,
        solved_by=("x,y,yaw", "all"),
    )
    assert reading.read_truth(through_cdr(CODEC.truth(1, told), topics.TRUTH.type)) == told


def test_commands_worlds_legends_and_visibility_round_trip():
    command = Command(VIEW, "x+", None, "e", "planner", 3)
    message = through_cdr(CODEC.viewpoint_command(1, command), topics.VIEWPOINT_COMMAND.type)
    assert reading.read_viewpoint_command(message) == command
    command = replace(command, allow_unwind=True)
    message = through_cdr(CODEC.viewpoint_command(1, command), topics.VIEWPOINT_COMMAND.type)
    assert reading.read_viewpoint_command(message) == command
    with pytest.raises(ValueError, match="target"):
        CODEC.viewpoint_command(1, Command())
    info = OpenFieldWorld().info
    assert reading.read_world_info(through_cdr(CODEC.world_info(info), "vantage_eqa/msg/WorldInfo")) == info
    info = replace(info, limits=replace(info.limits, yaw_min=-3.1, yaw_max=3.2))
    assert reading.read_world_info(through_cdr(CODEC.world_info(info), "vantage_eqa/msg/WorldInfo")) == info
    legend = {7: InstanceLabel(7, "mug", "red", "ceramic", ("full",))}
    assert reading.read_legend(through_cdr(CODEC.legend(1, "room", legend), topics.LEGEND.type)) == legend
    visible = {3: 0.25, 9: 1.0}
    message = through_cdr(CODEC.visibility(1, "e", visible), topics.TRUTH_VISIBILITY.type)
    assert reading.read_visibility(message) == visible
    assert reading.read_answering(message) == ()
    told = (None, ViewShortfall("letter height", 4.1, 11.7, 3, 1.1, 0.85))
    message = through_cdr(CODEC.visibility(1, "e", visible, told), topics.TRUTH_VISIBILITY.type)
    assert (reading.read_visibility(message), reading.read_answering(message)) == (visible, (True, False))
    assert (reading.read_shortfalls(message), reading.read_view_rule(message)) == (told, VIEW_RULE)
    truth = through_cdr(CODEC.truth(1, Truth("e", ()), view_rule=7), topics.TRUTH.type)
    assert reading.read_view_rule(truth) == 7


@pytest.mark.parametrize(
    ("encoding", "pixels"),
    [
        ("rgb8", np.arange(24, dtype=np.uint8).reshape(2, 4, 3)),
        ("32FC1", np.array([[0.5, np.nan, 3.0]], np.float32)),
        ("32SC1", np.array([[1, 70000], [-3, 0]], np.int32)),
    ],
)
def test_images_round_trip(encoding, pixels):
    message = through_cdr(CODEC.image(1, pixels, encoding), topics.IMAGE.type)
    back = reading.read_image(message)
    assert not back.flags.writeable, "as images of worlds"
    assert back.dtype == pixels.dtype
    np.testing.assert_array_equal(back, pixels)
    message.encoding = "mono12"
    with pytest.raises(ValueError, match="mono12"):
        reading.read_image(message)


@given(st.builds(Viewpoint, *[st.floats(-50, 50)] * 3, st.floats(-3, 3), st.floats(-1.5, 1.5)))
def test_poses_survive_tf(viewpoint):
    stamp, back = reading.read_camera_pose(CODEC.transforms(1, viewpoint))
    assert stamp == 1
    assert back.distance(viewpoint) < 1e-9
    assert abs(wrap_angle(back.yaw - viewpoint.yaw)) < 1e-9
    assert abs(back.pitch - viewpoint.pitch) < 1e-9


def test_intrinsics_round_trip():
    intrinsics = OpenFieldWorld(64, 48).observe().intrinsics
    message = through_cdr(CODEC.camera_info(1, intrinsics), topics.CAMERA_INFO.type)
    assert reading.read_intrinsics(message) == intrinsics


def test_text_that_utf8_cannot_hold_does_not_stop_a_recording():
    answer = Answer("q1", "a \ud800 cup", Verdict.ANSWERED, 0.5)
    message = through_cdr(CODEC.answer(1, "e", answer), topics.ANSWER.type)
    assert message.text == "a ? cup"


def test_poses_round_trip():
    pose = rigid(rotation_matrix((0.3, -0.2, 1.0)), np.array([1.0, 2.0, 3.0]))
    message = CODEC.poses(5, "e", Poses({4: pose}, {(9, "door"): 0.7}))
    found = reading.read_poses(through_cdr(message, topics.TRUTH_POSES.type))
    np.testing.assert_allclose(found.things[4], pose, atol=1e-12)
    assert found.joints == {(9, "door"): 0.7}


def test_poses_that_are_none_are_refused():
    with pytest.raises(ValueError, match="no rotation"):
        CODEC.poses(5, "e", Poses({4: np.full((4, 4), np.nan)}))
    message = CODEC.poses(5, "e", Poses({4: np.eye(4)}))
    message.poses[0].position.x = math.nan
    with pytest.raises(ValueError, match="the pose of 4 is none"):
        reading.read_poses(message)


@pytest.mark.parametrize("number", [math.nan, math.inf, 1e200])
def test_transforms_that_are_none_are_refused(number):
    message = CODEC.transforms(5, OpenFieldWorld(64, 48).observe().viewpoint)
    message.transforms[0].transform.rotation.z = number
    with pytest.raises(ValueError, match="no rotation"):
        reading.read_transform(message.transforms[0])
    message.transforms[0].transform.rotation.z = 0.0
    message.transforms[0].transform.translation.x = number
    if number < 1e300:
        assert reading.read_transform(message.transforms[0])[0, 3] == number
        return
    with pytest.raises(ValueError, match="is not finite"):
        reading.read_transform(message.transforms[0])

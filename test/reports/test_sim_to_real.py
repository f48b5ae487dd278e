"""A rig beside the model of its room: likeness, exposure, views outside, outcomes, bad bags, the page."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from gold_bags import gold
from rig_bags import ACTIONS, EPISODE_1, another_camera, moved, record_rig, room_settings, save_room

from vantage.errors import ConfigError, RecordingError, SceneError
from vantage.recording.bags import BagWriter, read_bag
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.publishers import encode_image
from vantage.recording.to_messages import Codec
from vantage.recording.topics import CAMERA_INFO, COMMAND_RESULT, EPISODE, IMAGE_COMPRESSED, TF
from vantage.reports.sim_to_real import compare, read_looks
from vantage.reports.sim_to_real_page import write_comparison
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Link, Posture, Question
from vantage.worlds.rig.description import transform

CODEC = Codec(RosbagsFactory())


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    return save_room(tmp_path_factory.mktemp("scenes"))


@pytest.fixture(scope="module")
def settings(scene):
    return room_settings(scene)


@pytest.fixture(scope="module")
def rig_bag(tmp_path_factory, settings):
    """What a rig with a perfect model of its room would record."""
    folder = tmp_path_factory.mktemp("rig")
    return record_rig(folder, settings, EPISODE_1, ACTIONS, truth=gold())[0]


def test_a_perfect_model_shows_the_same_but_for_the_jpeg(rig_bag, scene, settings):
    found = compare(rig_bag, scene, settings)
    assert [view.number for view in found.views] == [1, 2, 3, 4, 5]
    assert [view.action for view in found.views] == ["", *ACTIONS]
    for view in found.views:
        assert view.problem == ""
        assert view.raw.psnr > 30.0
        assert view.raw.ssim > 0.9
        assert view.covered > 0.99
    assert found.exposure.gain == pytest.approx((1.0,) * 3, abs=0.05)
    assert found.scene == "room"
    assert found.remarks == ()
    assert found.lines()[0] == "5 of 5 views compared with scene 'room'"
    pictures = found.pictures(found.views[2])
    assert pictures is not None
    assert pictures[0].shape == pictures[1].shape == (120, 160, 3)


def test_another_exposure_is_told_from_another_room(tmp_path, scene, settings):
    bag, _ = record_rig(tmp_path, settings, EPISODE_1, ACTIONS, another_camera(gain=0.7, bias=15.0, noise=3.0))
    found = compare(bag, scene, settings)
    assert found.raw.psnr < 25.0
    assert found.fitted.psnr > 30.0
    assert found.fitted.ssim > 0.9
    assert found.exposure.gain == pytest.approx((0.7,) * 3, abs=0.05)
    assert found.exposure.bias == pytest.approx((14.5,) * 3, abs=6.0)


def test_the_worse_the_poses_the_less_alike(tmp_path, rig_bag, scene, settings):
    likeness = [compare(rig_bag, scene, settings).fitted]
    for k, shift in enumerate((0.03, 0.15)):
        bag, _ = record_rig(tmp_path / str(k), settings, EPISODE_1, (), moved(shift, turn=shift))
        likeness.append(compare(bag, scene, settings).fitted)
    assert likeness[0].psnr > likeness[1].psnr + 3.0 > likeness[2].psnr + 6.0
    assert likeness[0].ssim > likeness[1].ssim > likeness[2].ssim


def test_views_outside_the_scene_are_shown_and_not_counted(tmp_path, rig_bag, scene, settings):
    bag, _ = record_rig(tmp_path, settings, EPISODE_1, ACTIONS, moved(30.0, only=2))
    found = compare(bag, scene, settings)
    lost = found.views[2]
    assert "(31.25, 1.50, 0.80) m lies outside the scene, (0.00, 0.00, 0.00) to (4.00, 3.00, 2.50) m" in lost.problem
    assert lost.drawn
    assert lost.raw.psnr < 15.0
    assert len(found.counted) == 4
    assert found.raw.psnr == pytest.approx(np.mean([v.raw.psnr for v in found.counted]))
    assert f"view 3 is not counted: {lost.problem}" in found.lines()
    assert any("empty in view 3" in remark for remark in found.remarks)
    page = write_comparison(found, tmp_path / "page.html").read_text()
    assert "Not counted because" in page
    assert page.count(lost.problem) == 2


def test_a_scene_of_another_place_is_refused(tmp_path, scene, settings):
    bag, _ = record_rig(tmp_path, settings, EPISODE_1, ("yaw+",), moved(30.0))
    with pytest.raises(SceneError, match=r"none of the 2 views .* in the rig's world frame"):
        compare(bag, scene, settings)


def test_a_scene_that_does_not_exist_is_named(rig_bag, settings, tmp_path):
    with pytest.raises(ConfigError, match=r"no scene at .*nowhere"):
        compare(rig_bag, tmp_path / "nowhere", settings)


def rewritten(rig_bag, folder, change):
    """The bag with messages changed, or left out where ``change`` gives None."""
    with BagWriter(folder, "rig-1") as bag:
        for topic, stamp, message in read_bag(rig_bag):
            new = change(topic, message)
            if new is not None:
                bag.write(topic, stamp, new)
        return bag.finish("rig-1")


def without(*topics):
    return lambda topic, message: None if topic in topics else message


def test_a_bag_without_pictures_is_refused(rig_bag, scene, settings, tmp_path):
    bag = rewritten(rig_bag, tmp_path, without(IMAGE_COMPRESSED))
    with pytest.raises(RecordingError, match="holds no pictures on camera/image_raw/compressed"):
        compare(bag, scene, settings)
    with pytest.raises(RecordingError, match="not a readable bag"):
        compare(tmp_path / "nothing", scene, settings)


def test_without_transforms_the_results_say_where_it_was(rig_bag, scene, settings, tmp_path):
    bag = rewritten(rig_bag, tmp_path, without(TF))
    found = compare(bag, scene, settings)
    assert found.views[0].problem == "the bag does not say from where it was taken"
    assert [view.problem for view in found.views[1:]] == [""] * 4
    assert min(view.raw.psnr for view in found.counted) > 30.0
    assert not found.views[0].drawn
    assert found.pictures(found.views[0]) is None
    assert found.data()["views"][0]["raw"] == {"psnr": None, "ssim": None}
    assert "unknown" in write_comparison(found, tmp_path / "page.html").read_text()


def test_without_intrinsics_nothing_can_be_drawn(rig_bag, scene, settings, tmp_path):
    bag = rewritten(rig_bag, tmp_path, without(CAMERA_INFO))
    with pytest.raises(SceneError, match="does not say with which intrinsics"):
        compare(bag, scene, settings)


def test_intrinsics_of_another_size_and_broken_pictures_are_told(rig_bag, scene, settings, tmp_path):
    count = {CAMERA_INFO: 0, IMAGE_COMPRESSED: 0}

    def change(topic, message):
        if topic in count:
            count[topic] += 1
        if topic is CAMERA_INFO and count[topic] == 2:
            message.width, message.height = 320, 240
        if topic is IMAGE_COMPRESSED and count[topic] == 4:
            message.data = np.zeros(50, np.uint8)
        return message

    found = compare(rewritten(rig_bag, tmp_path, change), scene, settings)
    assert found.views[1].problem == "its picture has 160 x 120 pixels, its intrinsics are for 320 x 240"
    assert found.views[3].problem == "its picture cannot be decoded"
    assert len(found.counted) == 3
    assert any("intrinsics changed" in remark for remark in found.remarks)
    write_comparison(found, tmp_path / "page.html")


def test_each_view_is_drawn_with_its_own_intrinsics(tmp_path, scene, settings):
    near = Intrinsics(160, 120, 300.0, 300.0, 70.0, 66.0)
    count = iter(range(100))

    def zoom(observation):
        if next(count) != 1:
            return observation
        scale = near.fx / observation.intrinsics.fx
        lens = observation.intrinsics
        shift = np.array([[scale, 0.0, near.cx - 0.5 - scale * (lens.cx - 0.5)], [0.0, scale, 0.0]])
        shift[1, 2] = near.cy - 0.5 - scale * (lens.cy - 0.5)
        rgb = cv2.warpAffine(
            observation.rgb, shift, (160, 120), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return replace(observation, rgb=np.asarray(rgb, np.uint8), intrinsics=near)

    bag, _ = record_rig(tmp_path, settings, EPISODE_1, ("yaw+", "yaw+"), zoom)
    found = compare(bag, scene, settings)
    assert min(view.raw.psnr for view in found.views) > 28.0


def test_a_lens_that_distorts_is_refused(rig_bag, scene, settings, tmp_path):
    def change(topic, message):
        if topic is CAMERA_INFO:
            message.d = np.array([0.1, 0.0, 0.0, 0.0, 0.0])
        return message

    with pytest.raises(RecordingError, match="a lens distorts the pictures"):
        compare(rewritten(rig_bag, tmp_path, change), scene, settings)


def test_impossible_intrinsics_are_refused(rig_bag, scene, settings, tmp_path):
    def change(topic, message):
        if topic is CAMERA_INFO:
            message.k = np.zeros(9)
        return message

    with pytest.raises(RecordingError, match="impossible value on camera/camera_info"):
        compare(rewritten(rig_bag, tmp_path, change), scene, settings)


def test_frames_between_commands_are_passed_over_and_missing_looks_told(rig_bag, scene, settings, tmp_path):
    stamps = [stamp for topic, stamp, _ in read_bag(rig_bag, (COMMAND_RESULT,)) if topic is COMMAND_RESULT]
    picture = encode_image(np.zeros((120, 160, 3), np.uint8))
    with BagWriter(tmp_path, "rig-1") as bag:
        for topic, stamp, message in read_bag(rig_bag):
            if topic is not IMAGE_COMPRESSED or stamp != stamps[1]:
                bag.write(topic, stamp, message)
            if topic is COMMAND_RESULT:
                bag.write(IMAGE_COMPRESSED, stamp + 5, CODEC.compressed_image(stamp + 5, picture))
        path = bag.finish("rig-1")
    found = compare(path, scene, settings)
    assert [view.action for view in found.views] == ["", "yaw+", "pitch-", "yaw-"]
    assert found.raw.psnr > 30.0
    assert "the bag lacks the pictures of 1 looks" in found.remarks


def test_poses_come_through_the_links_with_their_roll(tmp_path, settings):
    T_world_tip, T_tip_camera = transform((1.0, 1.5, 0.5), 0.0, 0.1, 0.4), transform((0.05, 0.0, 0.2), 0.3, 0.0, 0.0)
    links = (Link("map", "tip", T_world_tip), Link("tip", "camera_link", T_tip_camera))

    def carried(observation):
        return replace(observation, posture=Posture({"x": 1.0}, links))

    looks, missing = read_looks(record_rig(tmp_path, settings, EPISODE_1, ("yaw+",), carried)[0])
    assert missing == 0
    for look in looks:
        assert look.T_world_body == pytest.approx(T_world_tip @ T_tip_camera)
    assert not np.allclose(T_world_tip @ T_tip_camera, Viewpoint.from_T_world_body(T_tip_camera).T_world_body())


def test_a_bag_without_an_episode_still_has_pictures(rig_bag, scene, settings, tmp_path):
    bag = rewritten(rig_bag, tmp_path, without(EPISODE, COMMAND_RESULT))
    found = compare(bag, scene, settings)
    assert found.rig is None
    assert len(found.counted) == 5
    assert "the bag holds no episode, so there is no outcome" in found.remarks
    assert "Outcome" not in write_comparison(found, tmp_path / "page.html").read_text()
    with pytest.raises(RecordingError, match="the bag of the rig holds no episode to set beside"):
        compare(bag, scene, settings, simulated=rig_bag)


def test_outcomes_stand_side_by_side(rig_bag, scene, settings, tmp_path):
    simulated, _ = record_rig(tmp_path, settings, EPISODE_1, (*ACTIONS[:3], "yaw+"), text="blue", truth=gold())
    found = compare(rig_bag, scene, settings, simulated)
    assert found.rig is not None
    assert found.simulated is not None
    assert (found.rig.steps, found.simulated.steps) == (4, 4)
    assert found.rig.path_length == pytest.approx(0.25)
    assert (found.rig.score.judge_score, found.simulated.score.judge_score) == (5, 1)
    assert found.parting == "the two part at step 4: the rig did 'yaw-' (done), the model 'yaw+' (done)"
    text = "\n".join(found.lines())
    assert "on the rig: finished, 4 steps, 0.25 m, 0 collisions, score 5 of 5; red [answered, 0.90]" in text
    assert "in the model: finished, 4 steps, 0.25 m, 0 collisions, score 1 of 5; blue [answered, 0.90]" in text
    data = json.loads(json.dumps(found.data(), allow_nan=False))
    assert data["rig"]["score"] == 5
    assert data["simulated"]["answers"] == {EPISODE_1.questions[0].text: "blue [answered, 0.90]"}
    assert data["views"][3]["fitted"]["psnr"] == pytest.approx(found.views[3].fitted.psnr)
    page = write_comparison(found, tmp_path / "page.html").read_text()
    for words in ("On the rig", "In the model", "blue [answered, 0.90]", "5 of 5", "What color is the &lt;b&gt;box"):
        assert words in page


def test_the_same_way_in_both_is_told_with_what_lies_between(rig_bag, scene, settings, tmp_path):
    simulated, _ = record_rig(tmp_path, settings, EPISODE_1, ACTIONS)
    found = compare(rig_bag, scene, settings, simulated)
    assert found.parting == "both took the same 4 steps, 0.0 mm apart in the mean"
    assert found.simulated is not None
    assert not found.simulated.score.complete
    assert "no score" in "\n".join(found.lines())
    shorter, _ = record_rig(tmp_path / "shorter", settings, EPISODE_1, ACTIONS[:2])
    assert compare(rig_bag, scene, settings, shorter).parting == "the two agree for 2 steps, then one ends"


def test_another_episode_is_no_counterpart(rig_bag, scene, settings, tmp_path):
    other = replace(EPISODE_1, questions=(Question("q1", "Where is the vase?"),))
    simulated, _ = record_rig(tmp_path, settings, other, ACTIONS)
    with pytest.raises(RecordingError, match="give bags of the same episode"):
        compare(rig_bag, scene, settings, simulated)

"""The simulated camera: what it sees is what the world of splats shows from the same place."""

from __future__ import annotations

import dataclasses
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from rig_parts import Joints, rig_parts, section
from small_room import BOX_ID, small_room

from vantage.config import Settings
from vantage.errors import ConfigError, HardwareError, UnknownNameError, VantageError
from vantage.registry import CAMERAS
from vantage.spatial import R_BODY_OPTICAL, Matrix, rigid
from vantage.splats.rendering.cpu import CpuRenderer
from vantage.splats.scene_file import save_scene
from vantage.types import Episode
from vantage.worlds.rig.cameras.splat_camera import SplatCamera, SplatOptions, make_splat, with_noise
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.kinematics.chain import REVOLUTE, Chain, Joint, turn
from vantage.worlds.splat import SplatWorld

SECOND = 1_000_000_000
# The base of this rig stands at (-4, -4, 0) m, its camera 0.04 m before and 0.02 m above the head.
AT_START = (9.0, 9.5, 0.8, 0.0, 0.0)


class Counting(CpuRenderer):
    """Keeps the poses of what it draws."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self.poses: list[Matrix] = []

    def render(self, cloud, T_world_camera_optical, intrinsics, **options):  # type: ignore[no-untyped-def]
        self.poses.append(T_world_camera_optical)
        return super().render(cloud, T_world_camera_optical, intrinsics, **options)


@pytest.fixture
def joints() -> Joints:
    return Joints(*AT_START)


def opened(settings: Settings, joints: Joints, **values: object) -> SplatCamera:
    camera = CAMERAS.create("splat", section(**values), rig_parts(settings, VirtualClock(), joints))
    camera.open()
    return camera


@pytest.mark.parametrize("turns", [(0.0, 0.0), (0.4, -0.3), (-1.2, 0.5)])
def test_sees_what_the_world_of_splats_shows_from_there(
    settings: Settings, episode: Episode, joints: Joints, turns: tuple[float, float]
) -> None:
    joints.positions[3:] = turns
    viewpoint = rig_parts().description.chain.viewpoint(joints.positions)
    with closing(SplatWorld(settings)) as world, closing(opened(settings, joints)) as camera:
        expected = world.reset(dataclasses.replace(episode, start=viewpoint), 0)
        assert camera.show("room").name == "room"
        seen = camera.frame_after(0, 5.0)
        assert (seen.rgb == expected.rgb).all()
        assert np.array_equal(seen.depth, expected.depth, equal_nan=True)
        assert np.array_equal(seen.instances, expected.instances)
        assert seen.legend == expected.legend
        assert camera.intrinsics == expected.intrinsics == world.intrinsics
        assert camera.senses == world.info.senses == {"rgb", "depth", "instances"}
        assert BOX_ID in np.unique(seen.instances) or turns[0] < -1


def test_a_roll_is_seen(settings: Settings) -> None:
    renderer = Counting()
    roll = Joint("roll", REVOLUTE, (1.0, 0.0, 0.0))
    chain = Chain((roll,), rigid(np.eye(3), np.array([1.0, 1.5, 0.8])))
    level, quarter = Joints(0.0), Joints(np.pi / 2)
    images = []
    for joints in (level, quarter):
        intrinsics = dataclasses.replace(opened(settings, Joints(*AT_START)).intrinsics, width=72, cx=36.0)
        scenes = settings.world.scenes
        camera = SplatCamera(VirtualClock(), chain, joints, intrinsics, scenes, renderer, SplatOptions())
        with camera:
            images.append(camera.frame_after(0, 5.0).rgb.astype(int))
    expected = rigid(turn(np.array([1.0, 0.0, 0.0]), np.pi / 2) @ R_BODY_OPTICAL, np.array([1.0, 1.5, 0.8]))
    assert renderer.poses[1] == pytest.approx(expected)
    assert np.abs(images[1] - np.rot90(images[0])).mean() < 3.0, "rolled to the right, the picture turns to the left"
    assert np.abs(images[1] - images[0]).mean() > 10.0


def test_a_place_is_drawn_once(settings: Settings, joints: Joints) -> None:
    renderer = Counting()
    parts = rig_parts(settings, VirtualClock(), joints)
    intrinsics = opened(settings, joints).intrinsics
    options = SplatOptions(noise=2.0)
    camera = SplatCamera(
        parts.clock, parts.description.chain, joints, intrinsics, settings.world.scenes, renderer, options
    )
    with camera:
        first, again = camera.frame_after(0, 5.0), camera.frame_after(0, 5.0)
        assert len(renderer.poses) == 1
        assert (first.rgb != again.rgb).any(), "the noise is another one"
        assert first.depth is again.depth
        joints.positions = joints.positions + 0.01
        camera.frame_after(0, 5.0)
        assert len(renderer.poses) == 2
        camera.show("second")
        camera.frame_after(0, 5.0)
        assert len(renderer.poses) == 3


def test_noise_is_that_of_its_number_and_as_strong_as_asked_for(settings: Settings, joints: Joints) -> None:
    grey = np.full((100, 100, 3), 128, np.uint8)
    assert with_noise(grey, 0.0, 1) is grey
    noisy = with_noise(grey, 3.0, 1).astype(int) - 128
    assert noisy.std() == pytest.approx(3.0, rel=0.03)
    assert abs(noisy.mean()) < 0.1
    assert (with_noise(grey, 3.0, 1) == noisy + 128).all()
    assert (with_noise(grey, 3.0, 2) != noisy + 128).any()
    assert with_noise(np.full((50, 50, 3), 255, np.uint8), 20.0, 1).min() > 100, "bright pixels do not turn dark"
    images = []
    for _ in range(2):
        with closing(opened(settings, joints, noise=1.0)) as camera:
            images.append([camera.frame_after(0, 5.0).rgb for _ in range(2)])
    assert (images[0][0] == images[1][0]).all()
    assert (images[0][0] != images[0][1]).any()


def test_sees_from_where_the_joints_are_when_the_picture_is_taken(settings: Settings) -> None:
    renderer, clock = Counting(), VirtualClock()
    chain = rig_parts().description.chain

    def moving() -> np.ndarray:
        return np.array([9.0, 9.0 + 0.1 * clock.now() / SECOND, 0.8, 0.0, 0.0])

    intrinsics = opened(settings, Joints(*AT_START)).intrinsics
    options = SplatOptions(fps=10.0, latency=0.5)
    with SplatCamera(clock, chain, moving, intrinsics, settings.world.scenes, renderer, options) as camera:
        frame = camera.frame_after(2 * SECOND, 5.0)
        assert frame.stamp == 2.1 * SECOND
        assert clock.now() == 2.6 * SECOND
    assert renderer.poses[0][1, 3] == pytest.approx(-8.0 + 9.0 + 0.21)


def test_scenes_are_switched_and_two_are_kept(settings: Settings, joints: Joints) -> None:
    with closing(opened(settings, joints)) as camera:
        assert camera.scene.name == "room", "the first by name"
        room = camera.show("room")
        assert room is camera.scene
        second = camera.show("second")
        assert second.source.parent.name == "second"
        assert camera.show("room") is room
        with pytest.raises(UnknownNameError, match=r"unknown scene 'rom'.*did you mean 'room'"):
            camera.show("rom")
        assert camera.scene is room
        camera.show("second")
        camera.show("third")
        assert camera.show("room") is not room


def test_switching_while_pictures_are_taken(settings: Settings, joints: Joints) -> None:
    failures: list[BaseException] = []
    with closing(opened(settings, joints, fps=1000.0, latency=0.0)) as camera:
        over = threading.Event()

        def watch() -> None:
            try:
                while not over.is_set():
                    camera.frame_after(0, 5.0)
                    camera.newest()
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=watch)
        thread.start()
        for name in ("second", "room", "second", "third"):
            camera.show(name)
        over.set()
        thread.join(20)
        assert not thread.is_alive()
    assert failures == []


@pytest.mark.parametrize(
    ("values", "world", "senses"),
    [
        ({"depth": False}, {}, {"rgb", "instances"}),
        ({"instances": False}, {}, {"rgb", "depth"}),
        ({}, {"world.instances": "false"}, {"rgb", "depth"}),
        ({"depth": False, "instances": False}, {}, {"rgb"}),
    ],
)
def test_senses_less_where_it_is_told_to(
    settings: Settings, joints: Joints, values: dict, world: dict, senses: set
) -> None:
    with closing(opened(settings.with_values(world, "test"), joints, **values)) as camera:
        assert camera.senses == senses
        frame = camera.frame_after(0, 5.0)
        assert (frame.depth is not None) == ("depth" in senses)
        assert (frame.instances is not None) == (frame.legend is not None) == ("instances" in senses)


def test_nobody_can_paint_over_what_it_keeps(settings: Settings, joints: Joints) -> None:
    with closing(opened(settings, joints)) as camera:
        frame = camera.frame_after(0, 5.0)
        with pytest.raises(ValueError, match="read-only"):
            frame.rgb[0, 0] = 0


def test_without_scenes(tmp_path: Path, settings: Settings, joints: Joints) -> None:
    with pytest.raises(ConfigError, match=r"set world\.scenes"):
        opened(settings.with_values({"world.scenes": ""}, "test"), joints)
    with pytest.raises(ConfigError, match=r"there are no scenes in .*; set world\.scenes"):
        opened(settings.with_values({"world.scenes": str(tmp_path)}, "test"), joints)


def test_a_scene_that_cannot_be_read(tmp_path: Path, settings: Settings, joints: Joints, scenes: Path) -> None:
    cloud, graph = small_room()
    save_scene(tmp_path / "good", None, graph, cloud, name="good")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "scene.yaml").write_text("cloud: none.ply\n")
    with closing(opened(settings.with_values({"world.scenes": str(tmp_path)}, "test"), joints)) as camera:
        good = camera.show("good")
        with pytest.raises(VantageError, match=r"none\.ply"):
            camera.show("bad")
        assert camera.scene is good


def test_faults_and_closing(settings: Settings, joints: Joints) -> None:
    camera = opened(settings, joints)
    camera.inject("black")
    frame = camera.frame_after(0, 5.0)
    assert not frame.rgb.any()
    camera.mend()
    assert camera.frame_after(0, 5.0).rgb.any()
    camera.close()
    camera.close()
    with pytest.raises(HardwareError, match="not open"):
        camera.frame_after(0, 5.0)


def test_the_camera_of_the_rig_of_rooms(settings: Settings, joints: Joints) -> None:
    parts = rig_parts(settings, VirtualClock(), joints)
    assert parts.description.camera_name == "splat"
    with closing(CAMERAS.create("splat", parts.description.camera, parts)) as camera:
        camera.open()
        first, second = (camera.frame_after(0, 5.0).rgb.astype(int) for _ in range(2))
    assert 0 < np.std(first - second) < 2.0


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"noise": -1.0}, r"camera.noise: expected a number in \[0, 255\]"),
        ({"fps": 0}, r"camera.fps: expected a number in"),
        ({"latency": "long"}, r"camera.latency: expected a number"),
        ({"depth": 1}, r"camera.depth: expected true or false"),
        ({"nosie": 1.0}, r"camera.nosie: unknown key; did you mean 'noise'"),
    ],
)
def test_a_wrong_section_names_the_key(values: dict, words: str, settings: Settings) -> None:
    with pytest.raises(ConfigError, match=words):
        make_splat(section(**values), rig_parts(settings))

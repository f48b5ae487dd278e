"""Rigs put together from their files: on hardware, emulated, in simulated time; and taken apart again."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from small_rig import command, lab_episode, rig_settings, write_rig
from warrants import let

from vantage.errors import ConfigError, HardwareError, UnknownNameError, VantageError
from vantage.types import ArmTarget, Cause, Status
from vantage.worlds.rig.assembly import Assembly, assemble, make_rig_world
from vantage.worlds.rig.cameras.mock_camera import MockCamera, read_positions
from vantage.worlds.rig.cameras.splat_camera import SplatCamera
from vantage.worlds.rig.cameras.video_file import VideoFileCamera
from vantage.worlds.rig.clock import SystemClock, VirtualClock
from vantage.worlds.rig.drivers.grbl_driver import GrblDriver
from vantage.worlds.rig.drivers.mock_driver import MockDriver
from vantage.worlds.rig.drivers.simulated import SimulatedDriver
from vantage.worlds.rig.emulators.grbl.emulator import GrblEmulator

GRBL = {"name": "grbl", "port": "/dev/ttyACM77", "axes": {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}}
UVC = {"name": "opencv", "device": "/dev/video77", "horizontal_fov": 1.2}
HINGE = {"type": "revolute", "speed": 2.0, "acceleration": 16.0, "resolution": 0.001}
ARM = {
    "mount": {"link": "z_link", "xyz": [0.1, 0.0, 0.0]},
    "chain": {"joints": [{"name": "shoulder", "axis": [0, 0, 1], "limits": [-2.0, 2.0], **HINGE}]},
    "tool": {"xyz": [0.2, 0.0, 0.0]},
    "driver": {"name": "mock"},
}


def leftovers() -> tuple[list[str], list[str]]:
    """Threads, and open terminals and videos."""
    files = []
    for name in os.listdir("/proc/self/fd"):
        try:
            files.append(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:  # it was that of the folder itself
            continue
    held = [file for file in files if file.startswith(("/dev/pt", "/dev/video")) or file.endswith(".avi")]
    return sorted(thread.name for thread in threading.enumerate()), sorted(held)


@pytest.fixture(autouse=True)
def _nothing_stays() -> Iterator[None]:
    """Whatever a test did, no thread and no terminal is left."""
    before = leftovers()
    yield
    deadline = time.monotonic() + 5.0
    while leftovers() != before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert leftovers() == before


@pytest.fixture
def put_together(tmp_path: Path, scenes: Path) -> Iterator[Any]:
    made: list[Assembly] = []

    def build(mode: str, confirmed: bool = False, **changes: Any) -> Assembly:
        values = {"world.scenes": str(scenes), "world.renderer": "cpu", "camera.width": 96, "camera.height": 72}
        settings = rig_settings(write_rig(tmp_path, scene="", **changes), mode, confirmed, **values)
        made.append(assemble(settings))
        return made[-1]

    yield build
    for rig in made:
        rig.world.close()


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of noise, 64 x 48 pixels."""
    path = tmp_path_factory.mktemp("video") / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    assert writer.isOpened()
    for number in range(20):
        writer.write(np.random.default_rng(number).integers(0, 255, (48, 64, 3), dtype=np.uint8))
    writer.release()
    return path


# Modes --------------------------------------------------------------------------------------------------------------


def test_on_hardware_everything_is_as_the_file_says_and_waits_for_a_person(put_together: Any) -> None:
    rig = put_together("hardware", camera={"name": "mock", "noise": 3.0})
    assert isinstance(rig.driver, MockDriver)
    assert isinstance(rig.camera, MockCamera)
    assert rig.emulator is None
    rig.world.connect()
    assert rig.world.real_time
    assert "confirmed by a person" in rig.world.trouble
    allowed = put_together("hardware", confirmed=True).world
    allowed.connect()
    assert allowed.trouble == ""


def test_emulated_the_controller_runs_here_and_the_camera_sees_where_its_joints_are(put_together: Any) -> None:
    rig = put_together("emulated", driver=GRBL, camera={"name": "mock"})
    assert isinstance(rig.driver, GrblDriver)
    assert isinstance(rig.emulator, GrblEmulator)
    assert isinstance(rig.driver.clock, SystemClock)
    rig.world.connect()
    assert rig.world.trouble == ""
    frame = rig.camera.frame_after(rig.driver.clock.now(), 2.0)
    span = rig.description.chain.upper - rig.description.chain.lower
    seen = read_positions(frame.rgb, rig.description.chain)
    assert np.abs((seen - rig.emulator.positions()) / span).max() < 0.02


@pytest.mark.parametrize("device", ["/dev/video77", "77", 77, ""])
def test_emulated_a_camera_that_is_not_there_is_replaced_by_one_that_sees_splats(
    put_together: Any, device: object
) -> None:
    rig = put_together("emulated", driver=GRBL, camera={**UVC, "device": device, "calibration": ""})
    assert isinstance(rig.camera, SplatCamera)
    rig.world.connect()
    first, second = (rig.camera.frame_after(rig.driver.clock.now(), 5.0) for _ in range(2))
    assert first.rgb.shape == (72, 96, 3)
    assert not np.array_equal(first.rgb, second.rgb), "no two pictures of a camera are the same"


def test_a_topic_is_replaced_where_nothing_is_real(put_together: Any) -> None:
    camera = {"name": "ros", "image": "/camera/image"}
    assert isinstance(put_together("emulated", driver=GRBL, camera=camera).camera, SplatCamera)
    assert isinstance(put_together("simulated", driver=GRBL, camera=camera).camera, SplatCamera)


@pytest.mark.parametrize("mode", ["hardware", "emulated", "simulated"])
def test_a_video_file_is_a_camera_in_every_mode(
    put_together: Any, clip: Path, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VANTAGE_DATA", str(clip.parent))
    driver = GRBL if mode == "emulated" else {"name": "mock"}
    rig = put_together(mode, driver=driver, camera={"name": "opencv", "device": str(clip), "horizontal_fov": 1.2})
    assert isinstance(rig.camera, VideoFileCamera)
    rig.world.connect()
    assert rig.camera.frame_after(rig.driver.clock.now(), 2.0).rgb.shape == (48, 64, 3)


def test_a_video_beside_the_file_of_the_rig_is_found_and_one_that_is_missing_is_told(
    put_together: Any, clip: Path, tmp_path: Path
) -> None:
    (tmp_path / "here.avi").write_bytes(clip.read_bytes())
    camera = {"name": "opencv", "device": "here.avi", "horizontal_fov": 1.2}
    rig = put_together("emulated", driver=GRBL, camera=camera)
    rig.world.connect()
    missing = put_together("emulated", driver=GRBL, camera={**camera, "device": "there.avi"})
    with pytest.raises(HardwareError, match=r"there is no video .*there\.avi"):
        missing.world.connect()


def test_in_simulated_time_nothing_is_random_and_no_frame_counts_as_frozen(put_together: Any) -> None:
    rig = put_together("simulated", driver=GRBL, camera={**UVC})
    assert isinstance(rig.driver, SimulatedDriver)
    assert isinstance(rig.driver.clock, VirtualClock)
    assert isinstance(rig.camera, SplatCamera)
    assert rig.description.look.frozen == 0
    rig.world.connect()
    assert rig.world.trouble == ""
    assert not rig.world.real_time
    first, second = (rig.camera.frame_after(rig.driver.clock.now(), 5.0) for _ in range(2))
    assert np.array_equal(first.rgb, second.rgb)
    other = put_together("simulated", camera={"name": "mock", "noise": 3.0})
    other.world.connect()
    assert len(np.unique(other.camera.frame_after(0, 5.0).rgb)) == 2


def test_whoever_puts_a_rig_together_may_say_whether_motion_is_confirmed(tmp_path: Path) -> None:
    settings = rig_settings(write_rig(tmp_path), confirmed=False)
    for confirmed, words in ((True, ""), (False, "confirmed by a person"), (None, "confirmed by a person")):
        world = assemble(settings, confirmed=confirmed).world
        world.connect()
        assert words in world.trouble
        assert bool(words) == bool(world.trouble)
        world.close()


def test_a_description_may_take_the_place_of_the_file(put_together: Any, tmp_path: Path) -> None:
    description = put_together("hardware").description
    settings = rig_settings(tmp_path / "nowhere.yaml")
    rig = assemble(settings, replace(description, name="another"))
    assert rig.description.name == "another"
    rig.world.close()


# What is wrong ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "changes", "words"),
    [
        ("emulatd", {}, r"rig\.mode: unknown 'emulatd'; did you mean 'emulated'"),
        ("emulated", {}, r"there is no emulator of 'mock'; use one of grbl, ros2_control or rig\.mode=simulated"),
        ("emulated", {"driver": {"name": "grbl"}}, "driver"),
        ("emulated", {"driver": GRBL, "camera": {"name": "mock", "width": "wide"}}, r"camera\.width: expected a whole"),
        ("emulated", {"driver": GRBL, "camera": {"name": "mock", "wdth": 9}}, r"camera\.wdth: unknown key"),
        ("emulated", {"driver": {**GRBL, "bauds": 9}}, r"driver\.bauds: unknown key; did you mean 'baud'"),
        ("emulated", {"driver": GRBL, "arm": {**ARM}}, r"arm\.driver.*no emulator of 'mock'"),
        ("hardware", {"arm": {**ARM, "mount": {"link": "nose"}}}, r"arm\.mount\.link: expected one of"),
        ("hardware", {"arm": {**ARM, "hand": {}}}, r"arm\.hand: unknown key"),
    ],
)
def test_a_wrong_file_is_told_and_nothing_stays_behind(
    put_together: Any, mode: str, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        put_together(mode, **changes)


def test_a_room_that_does_not_exist_is_told_and_nothing_stays_behind(put_together: Any) -> None:
    """The emulator runs already when the world itself cannot be made."""
    safety = {"bodies": [{"name": "head", "link": "tilt_link", "from": [0, 0, 0], "radius": 0.05}], "room": "nowhere"}
    with pytest.raises(UnknownNameError, match="nowhere"):
        put_together("emulated", driver=GRBL, camera={"name": "mock"}, safety=safety)


@pytest.mark.parametrize(
    ("mode", "changes", "words"),
    [
        ("hardware", {"driver": GRBL}, "/dev/ttyACM77"),
        ("hardware", {"camera": UVC}, "/dev/video77"),
        ("emulated", {"driver": GRBL, "camera": {**UVC, "device": "nowhere.avi"}}, "there is no video"),
        ("emulated", {"driver": GRBL, "camera": UVC}, "scenes"),
    ],
)
def test_a_rig_that_cannot_be_connected_leaves_nothing_behind(
    tmp_path: Path, mode: str, changes: dict[str, Any], words: str
) -> None:
    settings = rig_settings(write_rig(tmp_path, **changes), mode, **{"world.scenes": str(tmp_path / "none")})
    with pytest.raises(VantageError, match=words):
        make_rig_world(settings)


def test_what_was_opened_before_the_failure_is_closed_again(put_together: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = put_together("hardware", arm={**ARM, "mount": {}})
    arm = rig.machine.arm

    def fail() -> None:
        raise HardwareError("the arm does not answer; check its cable")

    monkeypatch.setattr(arm._driver, "connect", fail)
    with pytest.raises(HardwareError, match="the arm does not answer"):
        rig.world.connect()
    for use in (rig.driver.state, lambda: rig.camera.frame_after(0, 0.1)):
        with pytest.raises(HardwareError, match="first"):
            use()
    monkeypatch.undo()
    rig.world.connect()
    rig.driver.state()


# What ends with it --------------------------------------------------------------------------------------------------


def test_the_emulator_ends_with_the_world(put_together: Any) -> None:
    rig = put_together("emulated", driver=GRBL, camera={"name": "mock"})
    port = Path(rig.emulator.overrides["port"])
    rig.world.connect()
    assert port.exists()
    rig.world.close()
    assert not port.exists()
    with pytest.raises(HardwareError):
        _ = rig.emulator.overrides
    rig.world.close()


def test_a_world_that_was_never_connected_can_be_closed(put_together: Any) -> None:
    rig = put_together("emulated", driver=GRBL, camera={"name": "mock"})
    port = Path(rig.emulator.overrides["port"])
    rig.world.close()
    assert not port.exists()


# Arms ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["hardware", "simulated"])
def test_an_arm_on_a_link_of_the_rig_moves_with_it(put_together: Any, mode: str) -> None:
    rig = put_together(mode, confirmed=True, arm=ARM, camera={"name": "mock"})
    rig.world.connect()
    assert rig.world.info.acts == {"viewpoint", "arm"}
    seen = rig.world.reset(lab_episode(), 0)
    assert seen.posture.joints["shoulder"] == 0.0
    frames = {link.child: link for link in seen.posture.links}
    assert frames["arm_base"].parent == "z_link"
    before = rig.driver.state().positions
    forbidden = rig.world.step(command(None, 1, arm=ArmTarget(joints={"shoulder": 0.7})))
    assert (forbidden.status, forbidden.cause) == (Status.REJECTED, Cause.UNWARRANTED)
    assert forbidden.observation.posture.joints["shoulder"] == 0.0
    told = forbidden.command
    let(rig.world, told.episode_id, told.source, seen.stamp)
    result = rig.world.step(command(None, 2, arm=ArmTarget(joints={"shoulder": 0.7})))
    assert result.status == Status.DONE, result.reason
    assert result.observation.posture.joints["shoulder"] == pytest.approx(0.7)
    turned = rig.world.step(command(None, 3, arm=ArmTarget(joints={"shoulder": np.pi / 2})))
    links = {link.child: link for link in turned.observation.posture.links}
    base = np.eye(4)
    base[:3, 3] = before[:3]
    reached = base @ links["arm_base"].T_parent_child @ links["shoulder_link"].T_parent_child
    reached = reached @ links["arm_tool"].T_parent_child
    assert np.allclose(reached[:3, 3], before[:3] + np.array([0.1, 0.2, 0.0]), atol=1e-9)
    assert np.array_equal(rig.driver.state().positions, before), "the camera stays"
    refused = rig.world.step(command(None, 4, arm=ArmTarget(joints={"shoulder": 3.0})))
    assert refused.status == Status.REJECTED
    assert "shoulder" in refused.reason


def test_a_rig_without_an_arm_refuses_its_targets(put_together: Any) -> None:
    rig = put_together("simulated", camera={"name": "mock"})
    rig.world.connect()
    rig.world.reset(lab_episode(), 0)
    refused = rig.world.step(command(None, 1, arm=ArmTarget(joints={"shoulder": 0.1})))
    assert (refused.status, refused.reason) == (Status.REJECTED, "this world has no arm")


def test_modes_need_no_ros_and_no_serial_port_until_they_are_used(tmp_path: Path) -> None:
    path = write_rig(tmp_path)
    program = (
        "import sys\n"
        "from vantage.config import Settings\n"
        "from vantage.worlds.rig.assembly import assemble\n"
        f"settings = Settings().with_values({{'rig.file': {str(path)!r}, 'rig.mode': 'simulated'}}, 'test')\n"
        "world = assemble(settings).world\n"
        "world.connect()\n"
        "world.close()\n"
        "print(sorted({'rclpy', 'serial'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "[]", done.stderr

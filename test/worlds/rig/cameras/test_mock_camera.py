"""Cameras that make pictures when asked: their pace, their clocks and their faults, on the cheapest one."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from rig_parts import Joints, rig_parts, section

from vantage.config import Settings
from vantage.errors import ConfigError, HardwareError, UnknownNameError
from vantage.registry import CAMERAS
from vantage.worlds.rig.cameras.mock_camera import MockCamera, make_mock, read_positions
from vantage.worlds.rig.cameras.periodic import FAULTS, LATE
from vantage.worlds.rig.clock import Clock, SystemClock, VirtualClock

SECOND = 1_000_000_000
PARTS = rig_parts()
CHAIN = PARTS.description.chain


def mock(clock: Clock, joints: Joints | None = None, fps: float = 10.0, latency: float = 0.0) -> MockCamera:
    return MockCamera(clock, CHAIN, joints or Joints(4.0, 4.0, 1.0, 0.0, 0.0), fps=fps, latency=latency)


def test_its_picture_tells_where_the_joints_are() -> None:
    joints = Joints(1.0, 7.0, 0.5, -2.0, 1.0)
    parts = rig_parts(Settings(), VirtualClock(), joints)
    chain = parts.description.chain
    with CAMERAS.create("mock", section(width=320, height=50), parts) as camera:
        frame = camera.frame_after(0, 1.0)
        assert frame.rgb.shape == (50, 320, 3)
        assert camera.senses == {"rgb"}
        step = (chain.upper - chain.lower) / 320
        assert (np.abs(read_positions(frame.rgb, chain) - joints.positions) <= step).all()
        joints.positions = np.array([3.0, 2.0, 2.0, 0.0, -1.0])
        assert (np.abs(read_positions(camera.frame_after(0, 1.0).rgb, chain) - joints.positions) <= step).all()


def test_pictures_of_one_place_differ_by_their_noise_alone() -> None:
    clock = VirtualClock()
    with mock(clock) as camera:
        first, second = (camera.frame_after(clock.now(), 1.0).rgb.astype(int) for _ in range(2))
        assert (first != second).any()
        assert np.std(first - second) == pytest.approx(2.0 * np.sqrt(2), rel=0.1)
    with mock(VirtualClock()) as again:
        assert (again.frame_after(0, 1.0).rgb == first).all(), "the same number, the same noise"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"width": 0}, "camera.width: expected a whole number in"),
        ({"height": 2.5}, "camera.height: expected a whole number"),
        ({"noise": -1}, "camera.noise: expected a number in"),
        ({"widht": 64}, "camera.widht: unknown key; did you mean 'width'"),
    ],
)
def test_a_wrong_section_names_the_key(values: dict, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        make_mock(section(**values), PARTS)


# Pace ----------------------------------------------------------------------------------------------------------------


def test_a_picture_is_taken_at_the_next_beat_and_comes_a_latency_later() -> None:
    clock = VirtualClock()
    clock.sleep(5.0)
    joints = Joints(4.0, 4.0, 1.0, 0.0, 0.0)
    with mock(clock, joints, latency=0.25) as camera:
        assert camera.newest() == -1, "nothing has come yet"
        assert joints.asked == 0
        frame = camera.frame_after(clock.now() + SECOND, 5.0)
        assert frame.stamp == 6.1 * SECOND
        assert clock.now() == 6.35 * SECOND
        assert joints.asked == 1, "what nobody asks for is not made"
        assert camera.newest() == 6.1 * SECOND
        clock.sleep(0.05)
        assert camera.newest() == 6.1 * SECOND
        clock.sleep(0.06)
        assert camera.newest() == 6.2 * SECOND, "the stream goes on by itself"


def test_a_picture_of_the_past_cannot_be_taken_any_more() -> None:
    clock = VirtualClock()
    with mock(clock) as camera:
        clock.sleep(10.02)
        assert camera.frame_after(3 * SECOND, 1.0).stamp == 10.1 * SECOND


def test_the_joints_are_looked_at_when_the_picture_is_taken() -> None:
    clock = VirtualClock()

    def moving() -> np.ndarray:
        return np.array([1.0 + clock.now() / SECOND, 4.0, 1.0, 0.0, 0.0])  # 1 m/s

    camera = MockCamera(clock, CHAIN, moving, width=800, fps=10.0, latency=0.7)
    with camera:
        frame = camera.frame_after(2 * SECOND, 5.0)
        assert read_positions(frame.rgb, CHAIN)[0] == pytest.approx(1.0 + frame.stamp / SECOND, abs=0.02)


@pytest.mark.parametrize("fps", [7.0, 29.97, 30.0, 1000 / 3])
def test_stamps_lie_on_the_beats_whatever_the_rate(fps: float) -> None:
    clock = VirtualClock()
    with mock(clock, fps=fps) as camera:
        for number in range(1, 50):
            stamp = camera.frame_after(clock.now(), 1.0).stamp
            assert stamp == round(number * SECOND / fps)
            assert camera.newest() == stamp
        clock.sleep(1000.0)
        stamp = camera.frame_after(clock.now(), 1.0).stamp
        assert camera.newest() == stamp
        assert abs(stamp - round(stamp * fps / SECOND) * SECOND / fps) <= 1


def test_in_real_time() -> None:
    with mock(SystemClock(), fps=50.0, latency=0.01) as camera:
        for _ in range(5):
            now = time.time_ns()
            frame = camera.frame_after(now, 5.0)
            assert now < frame.stamp <= time.time_ns() - 10_000_000
            assert camera.newest() >= frame.stamp


def test_a_picture_that_is_due_too_late() -> None:
    clock = VirtualClock()
    with mock(clock) as camera:
        with pytest.raises(HardwareError, match=r"no picture came from the camera within 0.5 s; check its cable"):
            camera.frame_after(2 * SECOND, 0.5)
        assert clock.now() == 0.5 * SECOND


class Jumping(SystemClock):
    """A clock that is set back while somebody sleeps."""

    offset = 0

    def now(self) -> int:
        return super().now() - self.offset

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.offset = 3600 * SECOND


def test_a_clock_that_jumps_back_holds_nobody_up() -> None:
    with mock(Jumping(), fps=1.0) as camera:
        begun = time.monotonic()
        with pytest.raises(HardwareError, match="no picture came"):
            camera.frame_after(camera.clock.now() + SECOND, 0.3)
        assert time.monotonic() - begun < 5.0


# Faults --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


def test_black_pictures(clock: VirtualClock) -> None:
    with mock(clock) as camera:
        camera.inject("black")
        frame = camera.frame_after(0, 1.0)
        assert not frame.rgb.any()
        camera.mend()
        assert camera.frame_after(frame.stamp, 1.0).rgb.any()


def test_frozen_pictures(clock: VirtualClock) -> None:
    joints = Joints(4.0, 4.0, 1.0, 0.0, 0.0)
    with mock(clock, joints) as camera:
        last = camera.frame_after(0, 1.0)
        camera.inject("frozen")
        joints.positions = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
        for _ in range(3):
            frame = camera.frame_after(last.stamp, 1.0)
            assert (frame.rgb == last.rgb).all()
            assert frame.stamp > last.stamp, "the stamps go on"
            last = frame
        camera.mend()
        assert (camera.frame_after(last.stamp, 1.0).rgb != last.rgb).any()


def test_late_pictures(clock: VirtualClock) -> None:
    with mock(clock) as camera:
        clock.sleep(3.0)
        camera.inject("late")
        newest = camera.newest()
        assert newest == 3 * SECOND, "what has come has come"
        frame = camera.frame_after(clock.now(), 5.0)
        assert clock.now() - frame.stamp == LATE * SECOND
        clock.sleep(0.05)
        assert clock.now() - camera.newest() > SECOND
        with pytest.raises(HardwareError, match="within 1 s"):
            camera.frame_after(clock.now(), 1.0)


def test_a_stale_stream(clock: VirtualClock) -> None:
    with mock(clock) as camera:
        clock.sleep(1.0)
        camera.inject("stale")
        newest = camera.newest()
        with pytest.raises(HardwareError, match="no picture came from the camera within 2 s"):
            camera.frame_after(clock.now(), 2.0)
        assert camera.newest() == newest == SECOND
        camera.mend()
        assert camera.frame_after(clock.now(), 1.0).stamp > newest


def test_a_camera_that_is_gone(clock: VirtualClock) -> None:
    told: list[tuple[str, str]] = []
    with mock(clock) as camera:
        camera.notify = lambda kind, sentence: told.append((kind, sentence))
        clock.sleep(1.0)
        camera.inject("gone")
        with pytest.raises(HardwareError, match="the camera went away; check its cable"):
            camera.frame_after(0, 60.0)
        assert clock.now() == SECOND, "nobody waits for it"
        clock.sleep(1.0)
        with pytest.raises(HardwareError, match="the camera went away; check its cable"):
            camera.newest()
        camera.mend()
        assert camera.frame_after(0, 1.0).stamp > 2 * SECOND
        assert told == [("camera", "the camera went away; check its cable"), ("camera", "the camera is back")]


def test_faults_add_up_and_have_names(clock: VirtualClock) -> None:
    with mock(clock) as camera:
        for fault in ("black", "late"):
            camera.inject(fault)
        assert not camera.frame_after(0, 5.0).rgb.any()
        assert clock.now() >= LATE * SECOND
        with pytest.raises(UnknownNameError, match="unknown fault of a camera 'blak'; did you mean 'black'"):
            camera.inject("blak")
        assert set(camera.faults) == set(FAULTS) == {"black", "frozen", "late", "stale", "gone"}


@pytest.mark.parametrize("fault", ["gone", "close"])
def test_what_happens_meanwhile_ends_a_wait(fault: str) -> None:
    with mock(SystemClock(), fps=0.1) as camera:
        timer = threading.Timer(0.1, camera.close if fault == "close" else lambda: camera.inject(fault))
        timer.start()
        begun = time.monotonic()
        with pytest.raises(HardwareError, match=r"went away|not open"):
            camera.frame_after(time.time_ns(), 30.0)
        assert time.monotonic() - begun < 5.0
        timer.join()


def test_not_open(clock: VirtualClock) -> None:
    camera = mock(clock)
    assert camera.newest() == -1
    with pytest.raises(HardwareError, match="not open; open it first"):
        camera.frame_after(0, 1.0)
    with camera:
        camera.frame_after(0, 1.0)
        camera.open()
        assert camera.newest() > 0, "opening twice does not begin anew"
    camera.close()
    with pytest.raises(HardwareError, match="not open"):
        camera.frame_after(0, 1.0)

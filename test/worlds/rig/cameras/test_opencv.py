"""The reader of devices with a capture that a test plays, and what the factory makes of a section."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from rig_parts import rig_parts, section
from row_tables import each_row

from vantage.errors import ConfigError, HardwareError
from vantage.files import shared_folder
from vantage.registry import CAMERAS
from vantage.spatial import Intrinsics
from vantage.worlds.rig.camera import Frame
from vantage.worlds.rig.cameras.lens import Calibration, Lens, write_calibration
from vantage.worlds.rig.cameras.opencv import FrameStream, OpenCvCamera, make_opencv
from vantage.worlds.rig.cameras.v4l2 import DeviceOptions
from vantage.worlds.rig.cameras.video_file import VideoFileCamera
from vantage.worlds.rig.clock import SystemClock
from vantage.worlds.rig.description import load_rig


def frame(stamp: int) -> Frame:
    return Frame(stamp, np.zeros((2, 2, 3), np.uint8))


def later(seconds: float, call: object, *arguments: object) -> threading.Timer:
    timer = threading.Timer(seconds, call, arguments)  # type: ignore[arg-type]
    timer.start()
    return timer


def test_a_picture_is_later_than_asked_for() -> None:
    stream = FrameStream("the camera")
    assert stream.newest == -1
    stream.came(5, frame(5))
    assert stream.wait(4, 0.0).stamp == 5
    timer = later(0.05, stream.came, 6, frame(6))
    assert stream.wait(5, 5.0).stamp == 6
    timer.join()
    assert stream.newest == 6


def test_only_what_somebody_waits_for_is_worth_decoding() -> None:
    stream = FrameStream("the camera")
    assert not stream.wanted
    stream.came(1, None)
    assert stream.newest == 1
    seen: list[bool] = []

    def decode() -> None:
        seen.append(stream.wanted)
        stream.came(2, frame(2))

    timer = later(0.05, decode)
    assert stream.wait(-1, 5.0).stamp == 2
    timer.join()
    assert seen == [True]
    assert not stream.wanted


def test_a_wait_ends_in_time_with_words() -> None:
    stream = FrameStream("the camera /dev/video3")
    stream.came(5, frame(5))
    begun = time.monotonic()
    with pytest.raises(HardwareError, match=r"no picture came from the camera /dev/video3 within 0.1 s; check"):
        stream.wait(5, 0.1)
    assert 0.09 < time.monotonic() - begun < 2.0
    assert not stream.wanted


def test_a_failure_wakes_everybody_and_ends_with_the_next_picture() -> None:
    stream = FrameStream("the camera")
    timer = later(0.05, stream.fail, "it burns")
    begun = time.monotonic()
    with pytest.raises(HardwareError, match="it burns"):
        stream.wait(0, 30.0)
    assert time.monotonic() - begun < 5.0
    timer.join()
    with pytest.raises(HardwareError, match="it burns"):
        stream.wait(0, 30.0)
    stream.came(7, frame(7))
    assert stream.wait(0, 0.0).stamp == 7


def test_nothing_that_was_still_being_read_undoes_a_close() -> None:
    stream = FrameStream("the camera")
    stream.came(5, frame(5))
    stream.close("it was closed")
    stream.came(6, frame(6))
    stream.fail("it burns")
    assert stream.newest == 5
    with pytest.raises(HardwareError, match="it was closed"):
        stream.wait(5, 30.0)
    with pytest.raises(HardwareError, match="it was closed"):
        stream.check()


def test_stamps_increase_even_if_those_of_the_driver_do_not() -> None:
    stream = FrameStream("the camera")
    for given, expected in ((10, 10), (10, 11), (3, 12), (20, 20)):
        stamp = stream.later(given)
        assert stamp == expected
        stream.came(stamp, None)


WIDTH, HEIGHT = 32, 24


class Capture:
    """Plays ``cv2.VideoCapture``: a picture each 5 ms whose first pixel is blue, until ``broken`` says how it fails."""

    def __init__(self) -> None:
        self.broken = ""
        self.decoded = 0
        self.released = threading.Event()
        self._fps = 0.0

    def grab(self) -> bool:
        time.sleep(0.005)
        if self.broken == "error":
            raise cv2.error("the driver is upset")
        return self.broken != "unplugged"

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        self.decoded += 1
        if self.broken == "damaged" or (self.broken == "scratched" and self.decoded % 2):
            return False, None
        if self.broken == "small":
            return True, np.zeros((HEIGHT // 2, WIDTH, 3), np.uint8)
        image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        image[0, 0] = (255, 0, 0)
        return True, image

    def get(self, key: int) -> float:
        times = {cv2.CAP_PROP_POS_MSEC: time.monotonic_ns() / 1e6, cv2.CAP_PROP_FPS: self._fps}
        return {**times, cv2.CAP_PROP_FRAME_WIDTH: WIDTH, cv2.CAP_PROP_FRAME_HEIGHT: HEIGHT}[key]

    def set(self, key: int, value: float) -> bool:
        if key == cv2.CAP_PROP_FPS:
            self._fps = min(value, 60.0)
        return key != cv2.CAP_PROP_FOURCC

    def release(self) -> None:
        self.released.set()


class Stand:
    """A camera over captures that a test plays, and what it told."""

    def __init__(self, **options: object) -> None:
        self.captures: list[Capture] = []
        self.missing = False
        self.told: list[str] = []
        lens = Lens(WIDTH, HEIGHT, None, 1.2)
        self.camera = OpenCvCamera(DeviceOptions("/dev/video0", **options), lens, SystemClock(), self.opened)  # type: ignore[arg-type]
        self.camera.notify = lambda kind, sentence: self.told.append(f"{kind}: {sentence}")

    def opened(self, device: str) -> Capture:
        if self.missing:
            raise HardwareError(f"there is no camera at {device}; plug it in")
        self.captures.append(Capture())
        return self.captures[-1]

    def until_told(self, words: str) -> None:
        deadline = time.monotonic() + 5.0
        while not any(words in sentence for sentence in self.told):
            assert time.monotonic() < deadline, (words, self.told)
            time.sleep(0.005)


@pytest.fixture
def stand() -> Iterator[Stand]:
    made = Stand()
    with made.camera:
        yield made


def test_pictures_are_red_green_blue_and_later_than_asked_for(stand: Stand) -> None:
    stamp = time.time_ns()
    for _ in range(5):
        frame = stand.camera.frame_after(stamp, 5.0)
        assert frame.stamp > stamp
        assert frame.rgb[0, 0].tolist() == [0, 0, 255]
        assert stand.camera.newest() >= frame.stamp
        stamp = frame.stamp
    assert stand.camera.intrinsics == Intrinsics.from_fov(WIDTH, HEIGHT, 1.2)
    assert stand.camera.senses == {"rgb"}
    assert stand.told == []


def test_pictures_that_nobody_wants_are_not_decoded(stand: Stand) -> None:
    stand.camera.frame_after(time.time_ns(), 5.0)
    time.sleep(0.02)
    decoded, newest = stand.captures[0].decoded, stand.camera.newest()
    time.sleep(0.1)
    assert stand.captures[0].decoded == decoded
    assert stand.camera.newest() > newest


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("unplugged", "the camera /dev/video0 went away; check its cable"),
        ("error", "cannot be read (the driver is upset); check its cable"),
    ],
)
def test_what_ends_the_stream_is_told_once_and_mended(stand: Stand, broken: str, words: str) -> None:
    stand.missing = True
    stand.captures[0].broken = broken
    stand.until_told(words)
    begun = time.monotonic()
    with pytest.raises(HardwareError, match=r"the camera /dev/video0"):
        stand.camera.frame_after(time.time_ns(), 10.0)
    assert time.monotonic() - begun < 2.0
    assert stand.captures[0].released.wait(5.0)
    time.sleep(0.6)  # it is looked for, in vain
    with pytest.raises(HardwareError, match=r"went away, and there is no camera at /dev/video0"):
        stand.camera.frame_after(time.time_ns(), 10.0)
    with pytest.raises(HardwareError, match=r"went away, and there is no camera at /dev/video0"):
        stand.camera.newest()
    assert len(stand.told) == 1
    stand.missing = False
    stand.until_told("is back")
    assert stand.camera.frame_after(time.time_ns(), 5.0).rgb.shape == (HEIGHT, WIDTH, 3)
    assert len(stand.told) == 2


def test_damaged_pictures_are_passed_over(stand: Stand) -> None:
    stand.captures[0].broken = "scratched"
    for _ in range(4):
        assert stand.camera.frame_after(time.time_ns(), 5.0).rgb.any()
    assert "camera: the camera /dev/video0 sent a damaged picture, which is passed over" in stand.told


@pytest.mark.parametrize("broken", ["damaged", "small"])
def test_a_camera_that_sends_nothing_but_damage_is_given_up(stand: Stand, broken: str) -> None:
    stand.captures[0].broken = broken
    with pytest.raises(HardwareError, match="sent 10 damaged pictures in a row; check its cable"):
        stand.camera.frame_after(time.time_ns(), 10.0)
    stand.until_told("is back")  # after it was opened anew


def test_opening_fails_with_the_reason_and_can_be_tried_again() -> None:
    made = Stand()
    made.missing = True
    with pytest.raises(HardwareError, match="there is no camera at /dev/video0; plug it in"):
        made.camera.open()
    assert made.camera.newest() == -1
    for use in (lambda: made.camera.frame_after(0, 1.0), lambda: made.camera.intrinsics):
        with pytest.raises(HardwareError, match="is not open; open it first"):
            use()
    made.missing = False
    with made.camera:
        made.camera.open()
        assert made.camera.newest() > 0
        assert len(made.captures) == 1
    assert made.captures[0].released.is_set()
    made.camera.close()


def test_closing_ends_a_wait() -> None:
    made = Stand()
    made.camera.open()
    stamp = time.time_ns() + 60_000_000_000
    timer = threading.Timer(0.1, made.camera.close)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(HardwareError, match="was closed"):
        made.camera.frame_after(stamp, 30.0)
    assert time.monotonic() - begun < 5.0
    timer.join()


def test_a_rate_and_a_format_that_are_not_taken() -> None:
    made = Stand(fps=120.0, format="MJPG")
    with made.camera:
        pass
    assert any("does not take fps: 120 and stays with 60; a USB camera may need format: MJPG" in s for s in made.told)
    assert any("does not take format: MJPG" in s for s in made.told)


def test_a_size_that_is_not_taken() -> None:
    made = Stand()
    made.camera._lens = Lens(1280, 720, None, 1.2)
    with pytest.raises(HardwareError, match=r"sends 32 x 24 pixels instead of 1280 x 720; set camera.width"):
        made.camera.open()
    assert made.captures[0].released.is_set()


# The factory ---------------------------------------------------------------------------------------------------------


def test_the_camera_of_the_default_rig() -> None:
    description = load_rig(shared_folder("config") / "rig.yaml")
    made = CAMERAS.create(description.camera_name, description.camera, rig_parts(clock=SystemClock()))
    assert isinstance(made, OpenCvCamera)


@pytest.mark.parametrize(
    ("device", "path"), [(250, "/dev/video250"), ("251", "/dev/video251"), ("/dev/v4l/by-id/a", None)]
)
def test_a_device_is_named_by_number_or_path(device: object, path: str | None) -> None:
    made = make_opencv(section(device=device, horizontal_fov=1.0), rig_parts(clock=SystemClock()))
    with pytest.raises(HardwareError, match=f"there is no camera at {path or device}"):
        made.open()


def test_anything_else_is_a_video_file(tmp_path: Path) -> None:
    made = make_opencv(section(tmp_path, device="clip.avi", horizontal_fov=1.0), rig_parts())
    assert isinstance(made, VideoFileCamera)
    with pytest.raises(HardwareError, match=f"there is no video {tmp_path}/clip.avi; check camera.device"):
        made.open()


def test_a_real_camera_does_not_fit_simulated_time() -> None:
    with pytest.raises(
        ConfigError, match=r"device: /dev/video0 is a real camera, and the time of this rig is simulated"
    ):
        make_opencv(section(device="/dev/video0", horizontal_fov=1.0), rig_parts())


@each_row(
    "values, words",
    [
        ({"horizontal_fov": 1.0}, r"rig.yaml: camera.device: is missing"),
        ({"device": "", "horizontal_fov": 1.0}, r"camera.device: is empty; give /dev/video0"),
        ({"device": ["a"], "horizontal_fov": 1.0}, r"camera.device: expected text"),
        ({"device": "../clip.avi", "horizontal_fov": 1.0}, r"camera.device: '../clip.avi' leads out of the folder"),
        ({"device": "${HOME}/clip.avi", "horizontal_fov": 1.0}, r"files may name no other than VANTAGE_DATA"),
        ({"device": 0}, r"camera.calibration: is missing; name a camera_info file, or give horizontal_fov"),
        ({"device": 0, "horizontal_fov": 4.0}, r"camera.horizontal_fov: expected a number in \[0.01, 3.1\]"),
        ({"device": 0, "horizontal_fov": 1.0, "width": 640}, r"camera.width: 640 x 0 pixels are no picture"),
        ({"device": 0, "horizontal_fov": 1.0, "fps": 0}, r"camera.fps: expected a number in"),
        ({"device": 0, "horizontal_fov": 1.0, "format": "JPEG2"}, r"camera.format: expected four characters such as"),
        ({"device": 0, "horizontal_fov": 1.0, "exposure": -1}, r"camera.exposure: expected a number in"),
        ({"device": 0, "horizontal_fov": 1.0, "exposre": 1}, r"camera.exposre: unknown key; did you mean 'exposure'"),
        ({"device": 0, "calibration": "none.yaml"}, r"none.yaml does not exist; check the path"),
    ],
)
def test_a_wrong_section_names_the_key(values: dict, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        make_opencv(section(**values), rig_parts(clock=SystemClock()))


def test_a_calibration_at_another_size(tmp_path: Path) -> None:
    K = np.array([[500.0, 0, 320], [0, 500, 240], [0, 0, 1]])
    write_calibration(tmp_path / "camera.yaml", Calibration(640, 480, K))
    values = {"device": 0, "calibration": "camera.yaml", "horizontal_fov": 1.2}
    make_opencv(section(tmp_path, **values), rig_parts(clock=SystemClock()))
    with pytest.raises(
        ConfigError, match=r"was made at 640 x 480 pixels, the camera is to send 1280 x 720; calibrate it"
    ):
        make_opencv(section(tmp_path, **values, width=1280, height=720), rig_parts(clock=SystemClock()))

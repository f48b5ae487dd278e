"""A video file in the place of a camera: real files, in real and in simulated time."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from rig_parts import rig_parts, section

from vantage.config import Settings
from vantage.errors import HardwareError
from vantage.spatial import Intrinsics
from vantage.worlds.rig.cameras.lens import Calibration, read_calibration, write_calibration
from vantage.worlds.rig.cameras.opencv import make_opencv
from vantage.worlds.rig.cameras.video_file import VideoFileCamera
from vantage.worlds.rig.clock import SystemClock, VirtualClock

WIDTH, HEIGHT, FPS, COUNT = 160, 120, 20.0, 12
SECOND = 1_000_000_000


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """12 grey pictures at 20 per s, picture n of grey 20 n; a quarter of each is red, a quarter is noise."""
    path = tmp_path_factory.mktemp("video") / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (WIDTH, HEIGHT))
    assert writer.isOpened()
    for number in range(COUNT):
        image = np.full((HEIGHT, WIDTH, 3), 20 * number, np.uint8)
        image[:, : WIDTH // 4] = (0, 0, 255)
        image[:, WIDTH // 4 : WIDTH // 2] = np.random.default_rng(number).integers(0, 255, (HEIGHT, WIDTH // 4, 3))
        writer.write(image)
    writer.release()
    return path


def camera(clip: Path, clock: SystemClock | VirtualClock | None = None, **values: object) -> VideoFileCamera:
    part = section(clip.parent, device=clip.name, **{"horizontal_fov": 1.2, **values})
    made = make_opencv(part, rig_parts(Settings(), clock or VirtualClock()))
    assert isinstance(made, VideoFileCamera)
    return made


def number_in(rgb: np.ndarray) -> int:
    return round(float(rgb[8:-8, WIDTH // 2 + 8 : -8].mean()) / 20)


def test_plays_in_the_time_of_the_clock_at_its_own_rate(clip: Path) -> None:
    clock = VirtualClock()
    clock.sleep(100.0)
    with camera(clip, clock, fps=7) as it:
        assert it.intrinsics == Intrinsics.from_fov(WIDTH, HEIGHT, 1.2)
        assert it.senses == {"rgb"}
        stamp = clock.now()
        for number in range(1, 6):
            frame = it.frame_after(stamp, 1.0)
            stamp = frame.stamp
            assert stamp == 100 * SECOND + number * SECOND // 20
            assert clock.now() == it.newest() == stamp
            assert number_in(frame.rgb) == number
        assert frame.rgb[20, 10] == pytest.approx([255, 0, 0], abs=12)


def test_pictures_that_nobody_asked_for_are_passed_over(clip: Path) -> None:
    clock = VirtualClock()
    with camera(clip, clock) as it:
        clock.sleep(0.31)
        assert it.newest() == 300_000_000
        assert number_in(it.frame_after(0, 1.0).rgb) == 7


def test_begins_anew_after_its_end(clip: Path) -> None:
    clock = VirtualClock()
    with camera(clip, clock) as it:
        seen = []
        for _ in range(2 * COUNT + 3):
            seen.append(number_in(it.frame_after(clock.now(), 1.0).rgb))
        assert seen == [(number + 1) % COUNT for number in range(2 * COUNT + 3)]
        clock.sleep(3600.0)
        expected = (round(clock.now() * FPS / SECOND) + 1) % COUNT
        assert number_in(it.frame_after(clock.now(), 1.0).rgb) == expected


def test_without_loop_it_ends(clip: Path) -> None:
    clock = VirtualClock()
    with camera(clip, clock, loop=False) as it:
        assert number_in(it.frame_after(round(0.5 * SECOND), 1.0).rgb) == 11
        with pytest.raises(HardwareError, match=r"clip.avi has ended after 12 pictures; set camera.loop: true"):
            it.frame_after(clock.now(), 1.0)
        clock.sleep(5.0)
        assert it.newest() == round(11 / FPS * SECOND)


def test_plays_in_real_time(clip: Path) -> None:
    with camera(clip, SystemClock()) as it:
        begun, stamp, stamps = time.monotonic(), time.time_ns(), []
        for _ in range(6):
            stamp = it.frame_after(stamp, 5.0).stamp
            stamps.append(stamp)
            assert time.time_ns() >= stamp
        assert 0.2 < time.monotonic() - begun < 3.0
        assert np.diff(stamps).min() >= 0.049 * SECOND


def test_is_undistorted_by_its_calibration(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VANTAGE_DATA", str(tmp_path))
    K = np.array([[150.0, 0, 79.5], [0, 150, 59.5], [0, 0, 1]])
    write_calibration(tmp_path / "lens.yaml", Calibration(WIDTH, HEIGHT, K, (-0.2, 0.0, 0.0, 0.0, 0.0)))
    lens = read_calibration(tmp_path / "lens.yaml").undistorter()
    with camera(clip, calibration=str(tmp_path / "lens.yaml")) as it, camera(clip) as plain:
        assert it.intrinsics == lens.intrinsics != plain.intrinsics
        seen, raw = it.frame_after(0, 1.0).rgb, plain.frame_after(0, 1.0).rgb
    assert (seen == lens.rgb(raw)).all()
    assert (seen != raw).any()


def test_a_file_that_was_cut_short_is_played_as_far_as_it_goes(clip: Path, tmp_path: Path) -> None:
    data = clip.read_bytes()
    (tmp_path / "cut.avi").write_bytes(data[: len(data) * 2 // 3])
    told: list[str] = []
    clock = VirtualClock()
    it = camera(tmp_path / "cut.avi", clock)
    it.notify = lambda kind, sentence: told.append(sentence)
    with it:
        seen = [number_in(it.frame_after(clock.now(), 1.0).rgb) for _ in range(30)]
    assert {1, 2, 3} < set(seen) < set(range(COUNT))
    assert all("cannot be read; it is cut off there" in sentence for sentence in told)


@pytest.mark.parametrize("content", [b"", b"no video at all\n" * 100])
def test_a_file_that_is_no_video(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "clip.avi").write_bytes(content)
    it = camera(tmp_path / "clip.avi")
    with pytest.raises(HardwareError, match=r"clip.avi is no video that OpenCV can read; check camera.device"):
        it.open()
    with pytest.raises(HardwareError, match="not open"):
        it.frame_after(0, 1.0)


def test_another_size_than_asked_for(clip: Path) -> None:
    with pytest.raises(
        HardwareError, match=r"clip.avi sends 160 x 120 pixels instead of 320 x 240; set camera.width and"
    ):
        camera(clip, width=320, height=240).open()


def test_not_open(clip: Path) -> None:
    it = camera(clip)
    for use in (lambda: it.frame_after(0, 1.0), lambda: it.intrinsics):
        with pytest.raises(HardwareError, match="not open; open it first"):
            use()
    assert it.newest() == -1
    it.close()
    it.close()

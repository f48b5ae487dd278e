"""Pictures and depth out of messages of many kinds, their times, and which depth belongs to which picture."""

import array
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vantage.nodes.rig.camera_images import FrameStamps, ShotBuffer, read_depth, read_picture

RGB = np.random.default_rng(1).integers(0, 255, (6, 8, 3), np.uint8)
MS = 10**6


def image(pixels, encoding, padding=0, big=False):
    height, width = pixels.shape[:2]
    rows = np.ascontiguousarray(pixels).reshape(height, -1).view(np.uint8)
    rows = np.hstack([rows, np.full((height, padding), 7, np.uint8)])
    data = array.array("B", rows.tobytes())
    return SimpleNamespace(
        height=height, width=width, encoding=encoding, is_bigendian=int(big), step=rows.shape[1], data=data
    )


@pytest.mark.parametrize("padding", [0, 5])
@pytest.mark.parametrize(
    ("encoding", "pixels"),
    [
        ("rgb8", RGB),
        ("bgr8", RGB[..., ::-1]),
        ("8UC3", RGB[..., ::-1]),
        ("rgba8", np.dstack([RGB, RGB[..., :1]])),
        ("bgra8", np.dstack([RGB[..., ::-1], RGB[..., :1]])),
    ],
)
def test_colors_come_out_as_rgb(encoding, pixels, padding):
    assert np.array_equal(read_picture(image(pixels, encoding, padding)), RGB)


@pytest.mark.parametrize("encoding", ["mono8", "8UC1"])
def test_grey_pictures_have_three_equal_channels(encoding):
    assert np.array_equal(read_picture(image(RGB[..., 0], encoding)), np.repeat(RGB[..., :1], 3, axis=2))


def test_compressed_pictures_are_decoded():
    data = array.array("B", cv2.imencode(".png", RGB[..., ::-1])[1].tobytes())
    assert np.array_equal(read_picture(SimpleNamespace(format="png", data=data)), RGB)


def test_depth_comes_out_in_metres_with_nan_where_nothing_is_seen():
    millimetres = np.array([[0, 1500], [65535, 2]], np.uint16)
    expected = np.array([[np.nan, 1.5], [65.535, 0.002]], np.float32)
    assert read_depth(image(millimetres, "16UC1", 3)) == pytest.approx(expected, nan_ok=True)
    assert read_depth(image(millimetres.byteswap(), "16UC1", big=True)) == pytest.approx(expected, nan_ok=True)
    metres = np.array([[np.inf, 1.5], [-1.0, np.nan]], np.float32)
    assert read_depth(image(metres, "32FC1")) == pytest.approx(np.array([[np.nan, 1.5], [np.nan, np.nan]]), nan_ok=True)


@pytest.mark.parametrize(
    ("read", "message", "words"),
    [
        (read_picture, image(RGB, "yuv422"), "'yuv422', expected one of rgb8"),
        (read_picture, SimpleNamespace(format="jpeg", data=array.array("B", b"not a picture")), "cannot be decoded"),
        (read_depth, image(RGB, "rgb8"), "depth is encoded as 'rgb8'"),
        (
            read_picture,
            SimpleNamespace(height=6, width=8, encoding="rgb8", is_bigendian=0, step=24, data=array.array("B", [0])),
            "holds 1 bytes",
        ),
        (
            read_picture,
            SimpleNamespace(height=0, width=0, encoding="rgb8", is_bigendian=0, step=0, data=array.array("B")),
            "0 x 0",
        ),
    ],
)
def test_what_cannot_be_read_is_told(read, message, words):
    with pytest.raises(ValueError, match=words):
        read(message)


def test_depth_belongs_to_the_picture_that_is_less_than_half_a_period_away():
    buffer = ShotBuffer(with_depth=True)
    for i in range(3):
        buffer.add_picture(100 * i * MS, 100 * i * MS + 1, f"picture {i}")
    buffer.add_depth(149 * MS, "depth 1")
    buffer.add_depth(260 * MS, "too late")
    assert [(shot.picture, shot.depth) for shot in buffer.shots()] == [("picture 1", "depth 1")]
    buffer.forget(buffer.shots()[0])
    assert buffer.shots() == []


def test_without_depth_every_picture_counts_and_only_the_newest_are_kept():
    buffer = ShotBuffer(with_depth=False)
    for i in range(50):
        buffer.add_picture(i, i, i)
    kept = [shot.stamp for shot in buffer.shots()]
    assert kept[-1] == 49
    assert kept == sorted(kept)
    assert len(kept) < 10


def test_stamps_of_this_machine_are_taken_as_they_are_even_when_they_come_late():
    stamps, now = FrameStamps(), 10**18
    assert stamps.read(now - 20 * MS, now) == now - 20 * MS
    assert stamps.read(now, now + 5000 * MS) == now
    assert stamps.doubt == ""


@pytest.mark.parametrize("off", [-(10**12), 10**12])
def test_stamps_of_another_clock_are_related_by_the_fastest_message(off):
    stamps, now = FrameStamps(), 10**18
    stamps.read(now + off, now + 30 * MS)
    stamps.read(now + off + 100 * MS, now + 110 * MS)
    late = stamps.read(now + off + 200 * MS, now + 900 * MS)
    assert late == pytest.approx(now + 210 * MS, abs=1000)
    assert "another" in stamps.doubt or "clock" in stamps.doubt


def test_pictures_without_a_stamp_have_the_time_of_their_arrival():
    stamps = FrameStamps()
    assert stamps.read(0, 123) == 123
    assert "no stamps" in stamps.doubt

"""The board: printed to scale, found again to a fraction of a pixel, and refused where it makes no sense."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest
from board_views import BOARD, corners_of, picture_of

from vantage.errors import ConfigError
from vantage.spatial import Intrinsics, rigid
from vantage.worlds.rig.calibration.charuco import Board, Corners
from vantage.worlds.rig.calibration.lens_calibration import LensModel

CAMERA = Intrinsics(640, 480, 560.0, 560.0, 321.3, 238.2)


def test_its_picture_shows_every_corner_where_it_belongs():
    picture = BOARD.image(900)
    assert picture.shape == (600, 900)
    found = BOARD.detect(picture)
    assert found is not None
    assert list(found.ids) == list(range(28))
    expected = BOARD.corners[:, :2] / BOARD.square * 100.0 + 50.0  # with pixel centres at half-integers
    assert np.abs(found.points - expected).max() < 0.02


def test_a_noisy_picture_from_aside_agrees_with_the_lens():
    pose = rigid(np.asarray(cv2.Rodrigues(np.array([0.4, -0.3, 0.1]))[0]), np.array([-0.12, -0.07, 0.42]))
    found = BOARD.detect(picture_of(pose, CAMERA, noise=2.0, rng=np.random.default_rng(3)))
    truth = corners_of(pose, LensModel(CAMERA))
    assert found is not None
    assert len(found) >= 25
    assert set(found.ids) <= set(truth.ids)
    drawn = truth.points[np.isin(truth.ids, found.ids)]
    assert np.abs((found.points - drawn).mean(axis=0)).max() < 0.05
    assert np.abs(found.points - drawn).max() < 0.6


def test_a_part_of_the_board_keeps_its_names():
    whole = BOARD.image(900)
    found = BOARD.detect(np.ascontiguousarray(whole[:, 400:]))
    assert found is not None
    assert 6 <= len(found) < 28
    columns = found.ids % 7 + 1
    assert np.abs(found.points[:, 0] - (50.0 + 100.0 * columns - 400.0)).max() < 0.1


@pytest.mark.parametrize("picture", [np.zeros((120, 160, 3), np.uint8), np.full((120, 160), 255, np.uint8)])
def test_pictures_without_a_board_show_none(picture):
    assert BOARD.detect(picture) is None


def test_another_board_is_not_taken_for_this_one():
    assert BOARD.detect(Board(dictionary="4X4_50").image(900)) is None


def test_corners_in_one_line_do_not_say_how_the_board_stands():
    row = np.arange(7)
    assert not BOARD.fits(Corners(row, BOARD.corners[row, :2]), 6)
    assert not BOARD.fits(Corners(np.array([0, 1, 7, 8, 9]), BOARD.corners[:5, :2]), 6)
    assert not BOARD.fits(None, 6)
    assert BOARD.fits(Corners(np.array([0, 1, 2, 3, 4, 7]), BOARD.corners[:6, :2]), 6)


def test_the_file_for_the_printer_says_how_large_it_is(tmp_path):
    path = tmp_path / "boards" / "board.png"
    assert BOARD.write_png(path, 150.0) == pytest.approx((0.288, 0.192), abs=3e-4)
    data = path.read_bytes()
    at = data.index(b"pHYs")
    x, y, unit = struct.unpack(">IIB", data[at + 4 : at + 13])
    assert struct.unpack(">I", data[at + 13 : at + 17])[0] == zlib.crc32(data[at : at + 13])
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    found = BOARD.detect(np.asarray(picture, np.uint8))
    assert unit == 1
    assert found is not None
    square = (found.points[1, 0] - found.points[0, 0]) / x
    assert x == y
    assert square == pytest.approx(BOARD.square, rel=2e-4)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"squares_x": 2}, "squares_x = 2, expected 3 to 40"),
        ({"squares_y": 99}, "squares_y = 99"),
        ({"marker": 0.04}, "a marker of 0.04 m in a square of 0.032 m"),
        ({"square": float("nan")}, "square of nan m"),
        ({"square": -0.03}, "measure both in m"),
        ({"dictionary": "5X5_1O0"}, "unknown dictionary '5X5_1O0'; did you mean '5X5_100'"),
        ({"squares_x": 30, "squares_y": 30}, "450 markers are needed and the dictionary '5X5_100' has 100"),
    ],
)
def test_a_board_that_cannot_be_is_refused(values, words):
    with pytest.raises(ConfigError) as caught:
        Board(**values)
    assert words in str(caught.value)


@pytest.mark.parametrize("pixels", [0, 60, 200_000])
def test_sizes_at_which_no_marker_can_be_read_are_refused(pixels):
    with pytest.raises(ConfigError, match="pixels a square, expected 10 to"):
        BOARD.image(pixels)


def test_the_dictionary_may_be_named_as_in_opencv():
    assert np.array_equal(Board(dictionary="DICT_5X5_100").image(450), BOARD.image(450))

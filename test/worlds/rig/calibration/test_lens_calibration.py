"""The lens: recovered from noisy views, written so that cameras read it, refused where the views do not fix it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from board_views import BOARD, LENS, corners_of
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.errors import HardwareError
from vantage.spatial import rigid
from vantage.worlds.rig.calibration.charuco import Corners
from vantage.worlds.rig.calibration.lens_calibration import LensModel, calibrate_intrinsics
from vantage.worlds.rig.cameras.lens import read_calibration, write_calibration

WIDTH, HEIGHT = LENS.intrinsics.width, LENS.intrinsics.height


def views(count, tilt, noise, seed=0):
    """The board, turned by up to ``tilt`` rad about both axes, all over the picture."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        turn = np.array([*rng.uniform(-tilt, tilt, 2), 0.3 * rng.uniform(-1, 1)])
        rotation = np.asarray(cv2.Rodrigues(turn)[0])
        place = np.array([rng.uniform(-0.18, 0.18), rng.uniform(-0.09, 0.09), rng.uniform(0.4, 0.65)])
        pose = rigid(rotation, place - rotation @ BOARD.middle)
        found.append(corners_of(pose, noise=noise, rng=rng))
    return found


def test_a_lens_is_found_from_noisy_views():
    fit = calibrate_intrinsics(BOARD, views(20, 0.5, 0.1), WIDTH, HEIGHT)
    found, true = fit.lens.intrinsics, LENS.intrinsics
    errors = np.array([found.fx - true.fx, found.fy - true.fy, found.cx - true.cx, found.cy - true.cy])
    assert np.abs(errors).max() < 4.0
    assert (np.abs(errors) < 5.0 * np.array(fit.deviations)).all()
    assert fit.rms == pytest.approx(0.1 * np.sqrt(2.0), rel=0.1)
    assert np.asarray(fit.view_rms) == pytest.approx(fit.rms, rel=0.5)
    assert 0.3 < fit.covered < 1.0
    text = "\n".join(fit.lines())
    assert "20 of 20 pictures used, residual 0.1" in text
    assert f"{found.fx:.2f} ± {fit.deviations[0]:.2f}" in text


def test_without_noise_it_is_exact():
    fit = calibrate_intrinsics(BOARD, views(12, 0.5, 0.0), WIDTH, HEIGHT)
    assert fit.rms < 1e-3
    assert fit.lens.intrinsics.fx == pytest.approx(900.0, abs=0.02)
    assert fit.lens.intrinsics.cx == pytest.approx(645.5, abs=0.05)
    assert fit.lens.distortion[:2] == pytest.approx((0.08, -0.15), abs=1e-3)


@given(st.integers(0, 10**6))
@settings(max_examples=examples(10), deadline=None)
def test_its_deviations_are_honest(seed):
    fit = calibrate_intrinsics(BOARD, views(14, 0.5, 0.2, seed), WIDTH, HEIGHT)
    assert abs(fit.lens.intrinsics.fx - 900.0) < 6.0 * fit.deviations[0]
    assert abs(fit.lens.intrinsics.cx - 645.5) < 6.0 * fit.deviations[2]


def test_a_camera_reads_what_is_written(tmp_path):
    fit = calibrate_intrinsics(BOARD, views(20, 0.5, 0.05), WIDTH, HEIGHT)
    write_calibration(tmp_path / "camera.yaml", fit.lens.calibration("head"))
    read = read_calibration(tmp_path / "camera.yaml")
    assert (read.width, read.height, read.name, read.model) == (WIDTH, HEIGHT, "head", "plumb_bob")
    assert read.K[0, 2] == pytest.approx(
        fit.lens.intrinsics.cx - 0.5, abs=1e-9
    )  # files count pixels from their middles
    # Where the file's lens draws a ray, OpenCV finds it half a pixel before Vantage.
    ray = np.array([[0.2, -0.1, 1.0]])
    pixel, _ = cv2.projectPoints(ray, np.zeros(3), np.zeros(3), read.K, np.array(read.distortion))
    assert pixel.reshape(2) + 0.5 == pytest.approx(fit.lens.project(ray)[0][0], abs=1e-6)
    assert read.undistorter().intrinsics.cx == pytest.approx(fit.lens.intrinsics.cx)


def test_a_lens_draws_and_says_how_pixels_move():
    points = np.array([[0.1, -0.05, 0.8], [-0.2, 0.1, 1.1]])
    pixels, slopes = LENS.project(points)
    step = np.array([1e-6, -2e-6, 1.5e-6])
    assert LENS.project(points + step)[0] - pixels == pytest.approx(slopes @ step, abs=1e-7)
    assert LensModel(LENS.intrinsics).project(points)[0] == pytest.approx(LENS.intrinsics.project(points))


def test_too_few_views_are_refused_with_what_to_do():
    shown = views(7, 0.5, 0.1)
    few = Corners(shown[0].ids[:5], shown[0].points[:5])
    with pytest.raises(HardwareError) as caught:
        calibrate_intrinsics(BOARD, [*shown, few, None], WIDTH, HEIGHT)
    assert str(caught.value).startswith("too few views: 7 of at least 8 show the board with at least 6 corners")
    assert "9 pictures were taken" in str(caught.value)
    assert "from other angles" in str(caught.value)


def test_views_that_do_not_show_the_board_are_passed_over():
    shown = [None, *views(10, 0.5, 0.1)]
    fit = calibrate_intrinsics(BOARD, shown, WIDTH, HEIGHT)
    assert np.isnan(fit.view_rms[0])
    assert np.isfinite(fit.view_rms[1:]).all()
    assert "10 of 11 pictures used" in fit.lines()[0]


@pytest.mark.parametrize(("tilt", "noise"), [(0.0, 0.1), (0.0, 0.0), (0.02, 0.1), (0.02, 0.001), (0.08, 0.1)])
def test_views_from_one_angle_are_refused(tilt, noise):
    with pytest.raises(HardwareError, match="from too few angles"):
        calibrate_intrinsics(BOARD, views(20, tilt, noise), WIDTH, HEIGHT)


def test_one_view_many_times_is_refused():
    with pytest.raises(HardwareError, match="from too few angles"):
        calibrate_intrinsics(BOARD, views(1, 0.5, 0.1) * 12, WIDTH, HEIGHT)


def test_a_picture_that_no_lens_explains_is_named():
    shown = views(12, 0.5, 0.1)
    rng = np.random.default_rng(5)
    shown[4] = Corners(shown[4].ids, shown[4].points + rng.normal(0.0, 8.0, shown[4].points.shape))
    with pytest.raises(HardwareError, match=r"only to \d\.\d\d px \(allowed 1 px\), worst in picture 5"):
        calibrate_intrinsics(BOARD, shown, WIDTH, HEIGHT)

"""Where the camera sits: recovered from corners and from whole pictures, refused where the views leave it open."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import yaml
from board_views import (
    BOARD,
    GANTRY,
    LENS,
    T_TIP_CAMERA,
    T_WORLD_BOARD,
    UNCALIBRATED,
    board_in_view,
    corners_of,
    picture_of,
    pose_error,
)
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.errors import ConfigError, HardwareError, UnreachableError
from vantage.spatial import Intrinsics, apply, rigid
from vantage.worlds.rig.calibration.board_views import board_facing, viewing_positions
from vantage.worlds.rig.calibration.lens_calibration import LensModel
from vantage.worlds.rig.calibration.rig_calibration import calibrate_rig, rpy_of, solve
from vantage.worlds.rig.description import transform
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE, Chain, Joint

CAMERA = Intrinsics(640, 480, 560.0, 560.0, 321.3, 238.2)
MILLI = 1e-3


@pytest.fixture(scope="module")
def positions():
    return np.array(viewing_positions(UNCALIBRATED, BOARD, T_WORLD_BOARD, 16))


def detections(positions, noise=0.2, seed=1, chain=GANTRY, board_pose=T_WORLD_BOARD):
    rng = np.random.default_rng(seed)
    return [corners_of(board_in_view(q, chain, board_pose), noise=noise, rng=rng) for q in positions]


def test_camera_and_board_are_found_from_noisy_corners(positions):
    found = solve(UNCALIBRATED, positions, detections(positions), LENS, BOARD)
    metres, radians = pose_error(found.T_tip_camera, T_TIP_CAMERA)
    assert metres < 0.5 * MILLI
    assert radians < 0.5 * MILLI
    assert metres < 5 * found.deviation[0]
    assert radians < 5 * found.deviation[1]
    assert pose_error(found.T_world_board, T_WORLD_BOARD)[0] < 0.5 * MILLI
    assert found.rms == pytest.approx(0.2 * math.sqrt(2.0), rel=0.1)


def test_without_noise_both_are_exact(positions):
    found = solve(UNCALIBRATED, positions, detections(positions, noise=0.0), LENS, BOARD)
    assert pose_error(found.T_tip_camera, T_TIP_CAMERA) == pytest.approx((0.0, 0.0), abs=1e-7)
    assert found.rms < 1e-5


@given(
    st.tuples(*[st.floats(-0.15, 0.15)] * 3),
    st.tuples(st.floats(-math.pi, math.pi), st.floats(-1.3, 1.3), st.floats(-0.5, 0.5)),
    st.integers(0, 1000),
)
@settings(max_examples=examples(6), deadline=None)
def test_any_mounting_is_found_whatever_was_thought_before(xyz, rpy, seed):
    """The camera may even hang upside down: what the rig file said of it plays no part."""
    mounted = replace(GANTRY, T_tip_camera=transform(xyz, *rpy))
    free = replace(mounted, joints=tuple(replace(joint, lower=-4.0, upper=4.0) for joint in GANTRY.joints))
    seen = np.array(viewing_positions(free, BOARD, T_WORLD_BOARD, 12, seed=seed))
    found = solve(UNCALIBRATED, seen, detections(seen, 0.1, seed, mounted), LENS, BOARD)
    metres, radians = pose_error(found.T_tip_camera, mounted.T_tip_camera)
    assert metres < MILLI
    assert radians < MILLI


def test_whole_pictures_give_the_line_for_the_rig_file(positions):
    rng = np.random.default_rng(2)
    wide = viewing_positions(UNCALIBRATED, BOARD, T_WORLD_BOARD, 14, horizontal_fov=CAMERA.horizontal_fov)
    views = [(q, picture_of(board_in_view(q), CAMERA, noise=2.0, rng=rng)) for q in wide]
    views.append((wide[0], np.full((480, 640, 3), 90, np.uint8)))
    known = calibrate_rig(views, UNCALIBRATED, BOARD, LensModel(CAMERA))
    metres, radians = pose_error(known.hand_eye.T_tip_camera, T_TIP_CAMERA)
    assert metres < MILLI
    assert radians < MILLI
    assert known.corners[-1] == 0
    assert known.lines()[0] == "14 of 15 pictures show the board with at least 6 corners"
    assert "camera on the rig: residual 0." in known.lines()[1]
    camera = yaml.safe_load(known.yaml())["camera"]
    assert pose_error(transform(camera["xyz"], *camera["rpy"]), known.hand_eye.T_tip_camera)[0] < 1e-5
    assert known.lens_fit is None

    # The lens may come out of the same pictures; what its centre is off by, the camera's direction makes up for.
    both = calibrate_rig(views, UNCALIBRATED, BOARD)
    assert both.lens_fit is not None
    assert both.lens.intrinsics.fx == pytest.approx(560.0, abs=2.0)
    metres, radians = pose_error(both.hand_eye.T_tip_camera, T_TIP_CAMERA)
    assert metres < MILLI
    assert radians < 6 * MILLI
    assert both.hand_eye.rms < 0.5
    assert "lens: 14 of 15 pictures used" in "\n".join(both.lines())


def test_a_mount_between_link_and_camera_is_taken_off(positions):
    rng = np.random.default_rng(2)
    views = [(q, picture_of(board_in_view(q), CAMERA, rng=rng)) for q in positions]
    T_tip_mount = transform((0.02, 0.0, -0.01), 0.0, 0.4, 0.2)
    found = calibrate_rig(views, UNCALIBRATED, BOARD, LensModel(CAMERA), T_tip_mount)
    assert T_tip_mount @ found.T_mount_camera == pytest.approx(found.hand_eye.T_tip_camera)


def test_a_rig_that_does_not_stand_where_it_says_is_refused(positions):
    seen = detections(positions)
    turned = tuple(replace(j, axis=(0.0, 1.0, 0.0)) if j.name == "tilt" else j for j in UNCALIBRATED.joints)
    with pytest.raises(HardwareError, match=r"positions explain the pictures only to .* px .*joints' axes"):
        solve(replace(UNCALIBRATED, joints=turned), positions, seen, LENS, BOARD)
    lost = positions.copy()
    lost[5, 1] += 0.05
    with pytest.raises(HardwareError, match="worst in view 6"):
        solve(UNCALIBRATED, lost, seen, LENS, BOARD)


def test_too_few_views_are_refused(positions):
    seen = [*detections(positions)[:7], None, None]
    with pytest.raises(HardwareError, match="too few views: 7 of at least 8"):
        solve(UNCALIBRATED, positions[:9], seen, LENS, BOARD)


@pytest.mark.parametrize(("idle", "named"), [(4, "'tilt' (now 0.0 degrees)"), (3, "'pan' (now 0.0 degrees)")])
def test_too_little_turning_names_the_joint(idle, named):
    rng = np.random.default_rng(4)
    rows = np.column_stack([rng.uniform(1.2, 1.5, 12), rng.uniform(0.7, 1.1, 12), rng.uniform(0.7, 1.1, 12)])
    turns = rng.uniform(-0.35, 0.35, (12, 2))
    turns[:, idle - 3] = 0.0
    rows = np.column_stack([rows, turns])
    with pytest.raises(HardwareError) as caught:
        solve(UNCALIBRATED, rows, detections(rows), LENS, BOARD)
    assert f"take more with joint {named} spread over" in str(caught.value)


def test_a_rig_that_turns_about_one_axis_is_told_to_measure():
    joints = (*UNCALIBRATED.joints[:3], Joint("pan", REVOLUTE, (0.0, 0.0, 1.0), lower=-3.0, upper=3.0))
    rng = np.random.default_rng(4)
    rows = np.column_stack([rng.uniform(1.1, 1.4, (12, 1)), rng.uniform(0.7, 1.0, (12, 2)), rng.uniform(-0.5, 0.5, 12)])
    chain = Chain(joints, UNCALIBRATED.T_world_base)
    seen = detections(rows, chain=replace(chain, T_tip_camera=T_TIP_CAMERA))
    with pytest.raises(HardwareError, match="measure it with a ruler"):
        solve(chain, rows, seen, LENS, BOARD)


@pytest.mark.parametrize("rows", [np.zeros((3, 5)), np.zeros((12, 4)), np.full((12, 5), np.nan)])
def test_positions_that_do_not_belong_to_the_views_are_refused(rows, positions):
    with pytest.raises(HardwareError, match="give one finite row for each view"):
        solve(UNCALIBRATED, rows, detections(positions[:12]), LENS, BOARD)


def test_pictures_of_several_sizes_are_refused(positions):
    small, large = np.zeros((48, 64, 3), np.uint8), np.zeros((96, 128, 3), np.uint8)
    views = [(q, small if k else large) for k, q in enumerate(positions)]
    with pytest.raises(HardwareError, match=r"several sizes \(64 x 48, 128 x 96 pixels\)"):
        calibrate_rig(views, UNCALIBRATED, BOARD)
    with pytest.raises(HardwareError, match="640 x 480"):
        calibrate_rig(views[1:], UNCALIBRATED, BOARD, LensModel(CAMERA))


@given(st.floats(-math.pi, math.pi), st.floats(-math.pi / 2, math.pi / 2), st.floats(-math.pi, math.pi))
@settings(max_examples=examples(50), deadline=None)
def test_angles_for_the_file_give_the_rotation_back(roll, pitch, yaw):
    T = transform((0.1, 0.2, 0.3), roll, pitch, yaw)
    assert transform((0.1, 0.2, 0.3), *rpy_of(T)) == pytest.approx(T, abs=1e-7)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
def test_angles_of_a_camera_that_looks_straight_up_or_down(pitch):
    T = transform((0.0, 0.0, 0.0), 0.3, pitch, 0.7)
    assert transform((0.0, 0.0, 0.0), *rpy_of(T)) == pytest.approx(T, abs=1e-7)


def test_viewing_positions_keep_limits_see_the_whole_board_and_differ():
    seen = viewing_positions(GANTRY, BOARD, T_WORLD_BOARD, 20)
    assert len(seen) == 20
    for q in seen:
        assert (q >= GANTRY.lower).all()
        assert (q <= GANTRY.upper).all()
        points = apply(board_in_view(q), BOARD.corners)
        pixels = CAMERA.project(points)
        assert (points[:, 2] > 0.1).all()
        assert np.abs(pixels[:, 0] - 321.3).max() < 560.0 * math.tan(0.6) * 1.1
    ranges = np.ptp(np.array(seen), axis=0)
    assert (ranges[3:] > 0.8).all()
    again = viewing_positions(GANTRY, BOARD, T_WORLD_BOARD, 20)
    assert np.array_equal(seen, again)


def test_viewing_positions_ask_whether_the_rig_may_stand_there():
    seen = viewing_positions(GANTRY, BOARD, T_WORLD_BOARD, 10, allowed=lambda q: q[2] > 0.9)
    assert min(q[2] for q in seen) > 0.9
    with pytest.raises(UnreachableError, match="only 0 ways to look"):
        viewing_positions(GANTRY, BOARD, T_WORLD_BOARD, 10, allowed=lambda q: False)


def test_a_board_out_of_reach_or_facing_away_is_told():
    with pytest.raises(UnreachableError, match=r"around \(6\.00, 0\.00, 1\.00\) m"):
        viewing_positions(GANTRY, BOARD, np.array([6.0, 0.0, 1.0]), 12)
    away = board_facing(BOARD, np.array([0.95, 0.0, 0.9]), np.array([1.0, 0.0, 0.0]))
    with pytest.raises(UnreachableError, match="facing it"):
        viewing_positions(GANTRY, BOARD, away, 12)


@pytest.mark.parametrize("front", [np.zeros(3), np.full(3, np.nan)])
def test_a_board_that_faces_nowhere_is_refused(front):
    with pytest.raises(ConfigError, match="say to which side its print faces"):
        board_facing(BOARD, np.zeros(3), front)


def test_a_board_on_the_floor_and_joints_without_limits():
    floor = board_facing(BOARD, np.array([0.0, 0.0, 0.2]), np.array([0.0, 0.0, 1.0]))
    assert apply(floor, BOARD.middle[None])[0] == pytest.approx((0.0, 0.0, 0.2))
    assert floor[:3, 2] == pytest.approx((0.0, 0.0, -1.0))
    endless = Chain(
        (
            Joint("x", PRISMATIC, (1.0, 0.0, 0.0)),
            Joint("z", PRISMATIC, (0.0, 0.0, 1.0)),
            Joint("pan", REVOLUTE, (0.0, 0.0, 1.0)),
            Joint("tilt", REVOLUTE, (0.0, -1.0, 0.0)),
        ),
        rigid(np.eye(3), np.array([0.0, 0.0, 0.5])),
    )
    seen = viewing_positions(endless, BOARD, floor, 10)
    assert len(seen) == 10
    for q in seen:
        assert (apply(board_in_view(q, endless, floor), BOARD.corners)[:, 2] > 0.1).all()

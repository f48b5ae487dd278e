"""Calibration of a rig's camera: its lens, and where it sits on the last link (hand-eye calibration).

The views show a board that stands still. A first guess of the hand-eye transform comes from pairs of views: the motion
of the tip between them, A, and the motion that the camera saw, B, satisfy A X = X B (Park and Martin 1994). Then the
distances between corners found and corners projected are minimised over both unknown poses (Levenberg-Marquardt).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import HardwareError
from vantage.spatial import R_BODY_OPTICAL, Matrix, apply, invert, rigid
from vantage.worlds.rig.calibration.charuco import Board, Corners
from vantage.worlds.rig.calibration.lens_calibration import (
    FEWEST_CORNERS,
    LensFit,
    LensModel,
    calibrate_intrinsics,
    require_views,
)
from vantage.worlds.rig.kinematics import REVOLUTE, Chain

_T_BODY_OPTICAL = rigid(R_BODY_OPTICAL, np.zeros(3))
_LEAST_TURN = 0.35  # rad: range over which joints should turn the camera, about two axes
_LEAST_SPREAD = _LEAST_TURN / math.sqrt(6.0)  # rad: what evenly spread angles of that range differ by, rms over pairs
_SWING = 1.5 * _LEAST_TURN  # rad: range of a joint that is required
_LARGEST_TURN = 2.8  # rad between two views; near half a turn its axis has no sign
_MOST_DEVIATION = (0.005, 0.01)  # m, rad
_LEAST_NOISE = 0.1  # px
_POSE = 6  # numbers that one view determines at most: its corners share the errors of the rig's position
_ROUNDS = 100
_CONVERGED = 1e-10  # of the sum of squares


@dataclass(frozen=True, eq=False)
class HandEye:
    """What the views say.

    Attributes:
        T_tip_camera: (4, 4) pose of ``camera_link`` (x forward, z up) in the last link.
        T_world_board: (4, 4).
        rms: distance between corners found and drawn, px, over all views.
        view_rms: the same for each view; NaN for those that were not used.
        deviation: standard deviation of the camera's position, m, and of its direction, rad, with the lens as given.
    """

    T_tip_camera: Matrix
    T_world_board: Matrix
    rms: float
    view_rms: tuple[float, ...]
    deviation: tuple[float, float]


@dataclass(frozen=True, eq=False)
class _View:
    """One view: T_world_tip, corners that it shows in the board's frame, (n, 3), and where they were found, (n, 2)."""

    T_world_tip: Matrix
    corners: Matrix
    pixels: Matrix


def solve(
    chain: Chain,
    positions: Matrix,
    detections: Sequence[Corners | None],
    lens: LensModel,
    board: Board,
    most_rms: float = 3.0,
) -> HandEye:
    """The pose of the camera on the tip, and of the board in the world.

    Args:
        positions: (M, N) joint positions at which the views were taken; ``chain.T_tip_camera`` plays no part.
        detections: of each view, as ``Board.detect`` found them.
        lens: of the pictures as they are: without distortion where they were freed of it.
        most_rms: px.

    Raises:
        HardwareError: too few views, too little turning about one of two axes, or no pose explains the views to
            ``most_rms`` px.
    """
    rows = np.asarray(positions, np.float64)
    if rows.shape != (len(detections), chain.size) or not np.isfinite(rows).all():
        raise HardwareError(
            f"joint positions of shape {rows.shape} for {len(detections)} views of a rig with {chain.size} joints; "
            "give one finite row for each view"
        )
    used = [k for k, corners in enumerate(detections) if board.fits(corners, FEWEST_CORNERS)]
    require_views(len(used), len(detections))
    views = [
        _View(chain.link_poses(rows[k])[-1], board.corners[found.ids], found.points)
        for k in used
        if (found := detections[k]) is not None
    ]
    _require_turns(chain, rows[used], views)
    T_tip_optical, T_world_board = _refined(*_guess(views, lens), views, lens)
    errors, slopes = _drawn(T_tip_optical, T_world_board, views, lens)
    squares = (errors.reshape(-1, 2) ** 2).sum(axis=1)
    rms = math.sqrt(float(squares.mean()))
    by_view = np.split(squares, np.cumsum([len(view.corners) for view in views])[:-1])
    view_rms = np.full(len(detections), np.nan)
    view_rms[used] = [math.sqrt(float(part.mean())) for part in by_view]
    if not rms <= most_rms:
        raise HardwareError(
            f"the rig's positions explain the pictures only to {rms:.1f} px (allowed {most_rms:g} px), worst in view "
            f"{int(np.nanargmax(view_rms)) + 1}; check that the rig was homed and at rest, the board fixed and its "
            f"squares {board.square:g} m wide, and the joints' axes and origins in the rig file"
        )
    deviation = _deviation(slopes, views, max(rms / math.sqrt(2.0), _LEAST_NOISE))
    if not (deviation[0] <= _MOST_DEVIATION[0] and deviation[1] <= _MOST_DEVIATION[1]):
        raise HardwareError(
            f"the views fix the camera only to {1e3 * deviation[0]:.1f} mm and {1e3 * deviation[1]:.1f} mrad (allowed "
            f"{1e3 * _MOST_DEVIATION[0]:g} and {1e3 * _MOST_DEVIATION[1]:g}); take more, nearer to the board and from "
            "more different angles"
        )
    T_tip_camera = T_tip_optical @ invert(_T_BODY_OPTICAL)
    return HandEye(T_tip_camera, T_world_board, rms, tuple(float(value) for value in view_rms), deviation)


def _require_turns(chain: Chain, rows: Matrix, views: Sequence[_View]) -> None:
    """Refuse views between which the camera does not turn about two axes; they leave its place on the tip open."""
    turns = np.array(
        [_vector(one.T_world_tip[:3, :3].T @ two.T_world_tip[:3, :3]) for one, two in combinations(views, 2)]
    )
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(turns.T @ turns / len(turns)), 0.0))[1]
    if spread >= _LEAST_SPREAD:
        return
    ranges = np.ptp(rows, axis=0)
    idle = [
        f"'{joint.name}' (now {math.degrees(width):.1f} degrees)"
        for joint, width in zip(chain.joints, ranges, strict=True)
        if joint.kind == REVOLUTE and width < _SWING
    ]
    if not idle or sum(joint.kind == REVOLUTE for joint in chain.joints) < 2:
        raise HardwareError(
            "the joints turn the camera about one axis at most, so that pictures cannot tell where it sits on the last "
            "link; measure it with a ruler and write it into the rig file"
        )
    raise HardwareError(
        "too little rotation: the views turn the camera about one axis at most; take more with joint "
        f"{' and '.join(idle)} spread over {math.degrees(_SWING):.0f} degrees or more"
    )


def _guess(views: Sequence[_View], lens: LensModel) -> tuple[Matrix, Matrix]:
    """T_tip_optical and T_world_board from pairs of views."""
    seen = [_board_pose(view, lens) for view in views]
    products, equations, sides = np.zeros((3, 3)), [], []
    motions = []
    for (one, T_one), (two, T_two) in combinations(zip(views, seen, strict=True), 2):
        A, B = invert(two.T_world_tip) @ one.T_world_tip, T_two @ invert(T_one)
        alpha, beta = _vector(A[:3, :3]), _vector(B[:3, :3])
        if max(np.linalg.norm(alpha), np.linalg.norm(beta)) < _LARGEST_TURN:
            products += np.outer(alpha, beta)
            motions.append((A, B))
    # The polar factor through an SVD, for rotations about two axes give a matrix of rank two.
    u, _, vt = np.linalg.svd(products)
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u) * np.linalg.det(vt)]) @ vt
    for A, B in motions:
        equations.append(A[:3, :3] - np.eye(3))
        sides.append(rotation @ B[:3, 3] - A[:3, 3])
    shift = np.linalg.lstsq(np.concatenate(equations), np.concatenate(sides), rcond=None)[0]
    T_tip_optical = rigid(rotation, shift)
    boards = [view.T_world_tip @ T_tip_optical @ T for view, T in zip(views, seen, strict=True)]
    middles = np.array([board[:3, 3] for board in boards])
    return T_tip_optical, boards[int(np.argmin(np.linalg.norm(middles - np.median(middles, axis=0), axis=1)))]


def _board_pose(view: _View, lens: LensModel) -> Matrix:
    """T_optical_board of one view (Collins and Bartoli 2014, through OpenCV)."""
    found, turn, shift = cv2.solvePnP(
        view.corners, view.pixels, lens.matrix, lens.coefficients, flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        raise HardwareError("a view of the board has no pose that fits; take the pictures anew, sharp and evenly lit")
    return rigid(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(shift, np.float64).reshape(3))


def _refined(
    T_tip_optical: Matrix, T_world_board: Matrix, views: Sequence[_View], lens: LensModel
) -> tuple[Matrix, Matrix]:
    """Both poses with the least sum of squared distances (Marquardt 1963)."""
    errors, slopes = _drawn(T_tip_optical, T_world_board, views, lens)
    cost, damping = float(errors @ errors), 1e-3
    for _ in range(_ROUNDS):
        hessian, gradient = slopes.T @ slopes, slopes.T @ errors
        damped = hessian + damping * np.diag(np.diag(hessian) + 1e-9)
        step = -np.asarray(np.linalg.solve(damped, gradient), np.float64)
        tried = _moved(T_tip_optical, step[:6]), _moved(T_world_board, step[6:])
        new_errors, new_slopes = _drawn(*tried, views, lens)
        gain = cost - float(new_errors @ new_errors)
        if gain > 0:
            (T_tip_optical, T_world_board), errors, slopes = tried, new_errors, new_slopes
            cost, damping = cost - gain, max(damping / 10.0, 1e-12)
        else:
            damping *= 10.0
        if 0 <= gain <= _CONVERGED * cost or damping > 1e12:
            break
    return T_tip_optical, T_world_board


def _drawn(
    T_tip_optical: Matrix, T_world_board: Matrix, views: Sequence[_View], lens: LensModel
) -> tuple[Matrix, Matrix]:
    """How far corners are drawn from where they were found, px, (2 n,), and how that changes with both poses,
    (2 n, 12): rotation (rad) and translation (m) of each, in its own frame."""
    errors, slopes = [], []
    for view in views:
        T_optical_board = invert(view.T_world_tip @ T_tip_optical) @ T_world_board
        points = apply(T_optical_board, view.corners)
        pixels, by_point = lens.project(points)
        turned = T_optical_board[:3, :3]
        by_poses = np.concatenate(
            [
                _cross(points),
                np.broadcast_to(-np.eye(3), (len(points), 3, 3)),
                -turned @ _cross(view.corners),
                np.broadcast_to(turned, (len(points), 3, 3)),
            ],
            axis=2,
        )
        errors.append((pixels - view.pixels).ravel())
        slopes.append((by_point @ by_poses).reshape(-1, 12))
    return np.concatenate(errors), np.concatenate(slopes)


def _deviation(slopes: Matrix, views: Sequence[_View], noise: float) -> tuple[float, float]:
    """Standard deviation of the camera's position, m, and direction, rad, from errors of ``noise`` px."""
    worth = np.concatenate([np.full(2 * len(v.corners), min(1.0, _POSE / (2 * len(v.corners)))) for v in views])
    hessian = slopes.T @ (worth[:, None] * slopes)
    try:
        variances = noise**2 * np.diag(np.linalg.inv(hessian))[:6]
    except np.linalg.LinAlgError:
        return math.inf, math.inf
    if not (variances > 0).all():
        return math.inf, math.inf
    return math.sqrt(float(variances[3:].sum())), math.sqrt(float(variances[:3].sum()))


def _moved(T: Matrix, step: Matrix) -> Matrix:
    """A pose turned by step[:3] (rad) and shifted by step[3:] (m) in its own frame."""
    return T @ rigid(np.asarray(cv2.Rodrigues(step[:3])[0], np.float64), step[3:])


def _vector(rotation: Matrix) -> Matrix:
    """The rotation vector (3,), rad, of a rotation matrix."""
    return np.asarray(cv2.Rodrigues(rotation)[0], np.float64).reshape(3)


def _cross(points: Matrix) -> Matrix:
    """(n, 3, 3): the matrices that take the cross product of points (n, 3) with a vector."""
    x, y, z = points.T
    o = np.zeros_like(x)
    return np.stack([np.stack(row, axis=1) for row in ((o, -z, y), (z, o, -x), (-y, x, o))], axis=1)


@dataclass(frozen=True, eq=False)
class RigCalibration:
    """What a calibration found.

    Attributes:
        lens: of the pictures; ``lens.calibration()`` is what ``write_calibration`` takes.
        lens_fit: how well it is known; None where it was given.
        hand_eye: the camera on the last link.
        T_mount_camera: (4, 4) as the rig file's ``camera`` has it.
        corners: found in each picture.
    """

    lens: LensModel
    lens_fit: LensFit | None
    hand_eye: HandEye
    T_mount_camera: Matrix
    corners: tuple[int, ...]

    def yaml(self) -> str:
        """The line for the rig file."""
        xyz = ", ".join(f"{value:.5f}" for value in self.T_mount_camera[:3, 3])
        rpy = ", ".join(f"{value:.6f}" for value in rpy_of(self.T_mount_camera))
        return f"camera: {{xyz: [{xyz}], rpy: [{rpy}]}}"

    def lines(self) -> list[str]:
        """The calibration in words."""
        found, shown = self.hand_eye, sum(count >= FEWEST_CORNERS for count in self.corners)
        worst = int(np.nanargmax(found.view_rms))
        x, y, z = found.T_world_board[:3, 3]
        return [
            f"{shown} of {len(self.corners)} pictures show the board with at least {FEWEST_CORNERS} corners",
            *(self.lens_fit.lines() if self.lens_fit is not None else []),
            f"camera on the rig: residual {found.rms:.3f} px "
            f"(worst {found.view_rms[worst]:.3f} px in picture {worst + 1})",
            f"its pose is known to {1e3 * found.deviation[0]:.2f} mm and {1e3 * found.deviation[1]:.2f} mrad",
            f"the board's first corner stands at ({x:.4f}, {y:.4f}, {z:.4f}) m in the world",
        ]


def calibrate_rig(
    views: Sequence[tuple[Matrix, NDArray[np.uint8]]],
    chain: Chain,
    board: Board,
    lens: LensModel | None = None,
    T_tip_mount: Matrix | None = None,
) -> RigCalibration:
    """Calibrate from joint positions (N,) and the RGB pictures (H, W, 3) that were taken there, at rest.

    Args:
        lens: of the pictures where it is known, such as ``LensModel(camera.intrinsics)`` for pictures that are free of
            distortion; None to find it from them too.
        T_tip_mount: (4, 4) pose on the last link of what the rig file's ``camera`` is relative to; only with a URDF is
            that another link.

    Raises:
        HardwareError: see ``calibrate_intrinsics`` and ``hand_eye.solve``; pictures of several sizes.
    """
    require_views(len(views), len(views))
    sizes = {(int(image.shape[1]), int(image.shape[0])) for _, image in views}
    if lens is not None:
        sizes.add((lens.intrinsics.width, lens.intrinsics.height))
    if len(sizes) > 1:
        shown = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
        raise HardwareError(f"pictures or lens of several sizes ({shown} pixels); take all with the same settings")
    found = [board.detect(image) for _, image in views]
    fit = None
    if lens is None:
        fit = calibrate_intrinsics(board, found, *sizes.pop())
        lens = fit.lens
    positions = np.array([np.asarray(q, np.float64) for q, _ in views])
    hand_eye = solve(chain, positions, found, lens, board)
    T_mount_camera = hand_eye.T_tip_camera if T_tip_mount is None else invert(T_tip_mount) @ hand_eye.T_tip_camera
    corners = tuple(0 if corners is None else len(corners) for corners in found)
    return RigCalibration(lens, fit, hand_eye, T_mount_camera, corners)


def rpy_of(T: Matrix) -> tuple[float, float, float]:
    """Roll, pitch and yaw, rad, about fixed x, y and z in this order, of a rotation or pose: what
    ``description.transform`` takes. With the x axis straight up or down the roll is 0."""
    level = math.hypot(T[0, 0], T[1, 0])
    pitch = math.atan2(-T[2, 0], level)
    if level < 1e-9:
        return 0.0, pitch, math.atan2(-T[0, 1], T[1, 1])
    return math.atan2(T[2, 1], T[2, 2]), pitch, math.atan2(T[1, 0], T[0, 0])

"""From pictures of a board and the joint positions at which they were taken to what goes into a rig's files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.errors import HardwareError
from vantage.spatial import Matrix, invert
from vantage.worlds.rig.calibration.charuco import Board
from vantage.worlds.rig.calibration.hand_eye import HandEye, solve
from vantage.worlds.rig.calibration.lens_calibration import (
    FEWEST_CORNERS,
    LensFit,
    LensModel,
    calibrate_intrinsics,
    require_views,
)
from vantage.worlds.rig.kinematics.chain import Chain


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

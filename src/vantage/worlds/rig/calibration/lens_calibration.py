"""The lens of a camera from pictures of a board (Zhang 2000, through OpenCV), refused where they do not fix it.

Pixel centres lie at half-integers, as in ``spatial.Intrinsics``; OpenCV and calibration files have them at integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import HardwareError
from vantage.spatial import Intrinsics, Matrix
from vantage.worlds.rig.calibration.charuco import Board, Corners
from vantage.worlds.rig.cameras import PLUMB_BOB, Calibration, to_ros

FEWEST_VIEWS, FEWEST_CORNERS = 8, 6
_PARAMETERS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2")
_LEAST_NOISE = 0.1  # px: no corner counts as known better, or a still camera's pictures would all agree
_MOST_DEVIATION = 0.01  # of the focal length
_LEAST_TILT = 0.35  # rad between the two most different directions from which the board is seen


@dataclass(frozen=True)
class LensModel:
    """How a camera draws: a pinhole with radial and tangential distortion ``(k1, k2, p1, p2, k3)`` (plumb_bob)."""

    intrinsics: Intrinsics
    distortion: tuple[float, ...] = ()

    def calibration(self, name: str = "camera") -> Calibration:
        """As files hold it."""
        camera, coefficients = self.intrinsics, tuple(float(value) for value in self.coefficients)
        return Calibration(camera.width, camera.height, to_ros(self.matrix), coefficients, PLUMB_BOB, name)

    def project(self, points: Matrix) -> tuple[Matrix, Matrix]:
        """Pixels (n, 2) of points (n, 3) in the optical frame, m, and how they move with the points, (n, 2, 3)."""
        pixels, jacobian = cv2.projectPoints(points, np.zeros(3), np.zeros(3), self.matrix, self.coefficients)
        return np.asarray(pixels, np.float64).reshape(-1, 2), np.asarray(jacobian, np.float64)[:, 3:6].reshape(-1, 2, 3)

    @property
    def matrix(self) -> Matrix:
        """K, (3, 3)."""
        return self.intrinsics.matrix()

    @property
    def coefficients(self) -> Matrix:
        """(5,) as OpenCV takes them."""
        return np.array((*self.distortion, 0.0, 0.0, 0.0, 0.0, 0.0)[:5])


@dataclass(frozen=True)
class LensFit:
    """A lens and how well it explains the pictures.

    Attributes:
        rms: distance between corners found and drawn, px, over all pictures.
        view_rms: the same for each picture; NaN for those that were not used.
        deviations: standard deviations of fx, fy, cx and cy, px.
        covered: share of the picture's area between the outermost corners; beyond it the lens is a guess.
    """

    lens: LensModel
    rms: float
    view_rms: tuple[float, ...]
    deviations: tuple[float, float, float, float]
    covered: float

    def lines(self) -> list[str]:
        """The fit in words."""
        camera, used = self.lens.intrinsics, np.isfinite(self.view_rms)
        fx, fy, cx, cy = self.deviations
        worst = int(np.nanargmax(self.view_rms))
        k1, k2, p1, p2, _ = self.lens.coefficients
        return [
            f"lens: {int(used.sum())} of {len(used)} pictures used, residual {self.rms:.3f} px "
            f"(worst {self.view_rms[worst]:.3f} px in picture {worst + 1})",
            f"focal length {camera.fx:.2f} ± {fx:.2f} and {camera.fy:.2f} ± {fy:.2f} px, centre "
            f"({camera.cx:.2f} ± {cx:.2f}, {camera.cy:.2f} ± {cy:.2f}) px of {camera.width} x {camera.height}",
            f"distortion k1 {k1:.4f}, k2 {k2:.4f}, p1 {p1:.5f}, p2 {p2:.5f}",
            f"the board was shown in {self.covered:.0%} of the picture"
            + ("" if self.covered >= 0.6 else "; show it nearer to the edges too, for there the lens is a guess"),
        ]


def calibrate_intrinsics(
    board: Board, views: Sequence[Corners | None], width: int, height: int, most_rms: float = 1.0
) -> LensFit:
    """The lens behind pictures of width x height pixels, as ``Board.detect`` found the board in them.

    k3 stays 0: over a board's few views it only bends what lies beyond the outermost corners.

    Raises:
        HardwareError: too few pictures show enough of the board, they show it from too few angles to tell focal
            length from distance, or no lens explains them to ``most_rms`` px.
    """
    used = [k for k, corners in enumerate(views) if board.fits(corners, FEWEST_CORNERS)]
    require_views(len(used), len(views))
    found = [view for view in (views[k] for k in used) if view is not None]
    objects = [board.corners[view.ids].astype(np.float32) for view in found]
    pixels = [view.points.astype(np.float32) for view in found]
    try:
        K, coefficients, turns, shifts = _fit(objects, pixels, (width, height))
    except cv2.error as error:
        raise HardwareError(
            "no lens explains the pictures of the board; check that it has "
            f"{board.squares_x} x {board.squares_y} squares and lies flat"
        ) from error
    errors, jacobians = [], []
    for points, seen, turn, shift in zip(objects, pixels, turns, shifts, strict=True):
        drawn, jacobian = cv2.projectPoints(points, turn, shift, K, coefficients)
        errors.append(drawn.reshape(-1, 2) - seen)
        jacobians.append(np.asarray(jacobian, np.float64)[:, : 6 + len(_PARAMETERS)])
    rms = _rms(np.concatenate(errors))
    view_rms = np.full(len(views), np.nan)
    view_rms[used] = [_rms(error) for error in errors]
    if not rms <= most_rms:
        raise HardwareError(
            f"the lens explains the pictures only to {rms:.2f} px (allowed {most_rms:g} px), worst in picture "
            f"{int(np.nanargmax(view_rms)) + 1}; keep board and camera still while it is taken, and the board flat"
        )
    deviations = _deviations(jacobians, max(rms / np.sqrt(2.0), _LEAST_NOISE))
    focal, tilt = np.array([K[0, 0], K[1, 1]]), _tilt(turns)
    doubt = float((deviations[:2] / focal).max()) if (focal > 0).all() else np.inf
    if not (doubt <= _MOST_DEVIATION and tilt >= _LEAST_TILT):
        known = f"known to {doubt:.1%}" if doubt < 1.0 else "not known at all"
        raise HardwareError(
            f"the pictures show the board from too few angles ({np.degrees(tilt):.0f} degrees apart, expected "
            f"{np.degrees(_LEAST_TILT):.0f}; focal length {known}, expected {_MOST_DEVIATION:.0%}); "
            "take more with the board turned by 20 to 45 degrees to all sides"
        )
    camera = Intrinsics(width, height, *(float(K[i, j]) for i, j in ((0, 0), (1, 1), (0, 2), (1, 2))))
    lens = LensModel(camera, tuple(float(value) for value in coefficients.ravel()[:5]))
    fx, fy, cx, cy = (float(value) for value in deviations[:4])
    hull = cv2.convexHull(np.concatenate(pixels))
    covered = float(cv2.contourArea(hull)) / (width * height)
    return LensFit(lens, rms, tuple(float(value) for value in view_rms), (fx, fy, cx, cy), covered)


def require_views(usable: int, taken: int) -> None:
    """Refuse to calibrate from too few pictures.

    Raises:
        HardwareError: there are too few.
    """
    if usable < FEWEST_VIEWS:
        raise HardwareError(
            f"too few views: {usable} of at least {FEWEST_VIEWS} show the board with at least {FEWEST_CORNERS} corners "
            f"({taken} pictures were taken); take more with the whole board in the picture, sharp and evenly lit, from "
            "other angles"
        )


def _fit(objects: list[Any], pixels: list[Any], size: tuple[int, int]) -> tuple[Matrix, Matrix, Any, Any]:
    """K, distortion, and how the board stands in each picture: rotation vectors and translations."""
    guess: Any = None
    _, K, coefficients, turns, shifts = cv2.calibrateCamera(objects, pixels, size, guess, guess, flags=cv2.CALIB_FIX_K3)
    return np.asarray(K, np.float64), np.asarray(coefficients, np.float64), turns, shifts


def _rms(errors: NDArray[Any]) -> float:
    return float(np.sqrt((errors.astype(np.float64) ** 2).sum(axis=1).mean()))


def _deviations(jacobians: list[Matrix], noise: float) -> Matrix:
    """Standard deviations of the lens's parameters where corners are known to ``noise`` px, the poses of the board
    being unknown too (they are eliminated by their Schur complement); infinite where the views do not fix them.

    OpenCV's own are those of a pseudo-inverse: small for just what the views leave open.
    """
    total = np.zeros((len(_PARAMETERS), len(_PARAMETERS)))
    for jacobian in jacobians:
        pose, lens = jacobian[:, :6], jacobian[:, 6:]
        total += lens.T @ (lens - pose @ np.linalg.lstsq(pose, lens, rcond=None)[0])
    scale = np.sqrt(np.maximum(np.diag(total), 1e-30))
    try:
        covariance = np.linalg.inv(total / np.outer(scale, scale))
    except np.linalg.LinAlgError:
        return np.full(len(_PARAMETERS), np.inf)
    variances = np.diag(covariance)
    return np.asarray(noise * np.where(variances > 0, np.sqrt(np.abs(variances)), np.inf) / scale)


def _tilt(turns: Sequence[Any]) -> float:
    """The largest angle between the directions that the board faces in two pictures, rad."""
    normals = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
    return float(np.arccos(np.clip((normals @ normals.T).min(), -1.0, 1.0)))

"""A gantry with pan and tilt that looks at a board: corners as a lens would draw them, and whole pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vantage.spatial import R_BODY_OPTICAL, Intrinsics, apply, invert, rigid
from vantage.worlds.rig.calibration.board_views import board_facing
from vantage.worlds.rig.calibration.charuco import Board, Corners
from vantage.worlds.rig.calibration.lens_calibration import LensModel
from vantage.worlds.rig.description import transform
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE, Chain, Joint

BOARD = Board()
LENS = LensModel(Intrinsics(1280, 720, 900.0, 905.0, 645.5, 362.5), (0.08, -0.15, 0.001, -0.0007))
T_TIP_CAMERA = transform((0.05, 0.012, 0.031), 0.03, -0.05, 0.08)
T_BODY_OPTICAL = rigid(R_BODY_OPTICAL, np.zeros(3))
T_WORLD_BOARD = board_facing(BOARD, np.array([0.9, 0.1, 0.9]), np.array([-1.0, 0.1, 0.2]))
GANTRY = Chain(
    (
        Joint("x", PRISMATIC, (1.0, 0.0, 0.0), lower=0.0, upper=2.0),
        Joint("y", PRISMATIC, (0.0, 1.0, 0.0), lower=0.0, upper=1.6),
        Joint("z", PRISMATIC, (0.0, 0.0, 1.0), lower=0.3, upper=1.5),
        Joint("pan", REVOLUTE, (0.0, 0.0, 1.0), lower=-3.0, upper=3.0),
        Joint("tilt", REVOLUTE, (0.0, -1.0, 0.0), lower=-1.2, upper=1.2),
    ),
    T_world_base=rigid(np.eye(3), np.array([-1.0, -0.8, 0.0])),
    T_tip_camera=T_TIP_CAMERA,
)
UNCALIBRATED = replace(GANTRY, T_tip_camera=np.eye(4))


def board_in_view(q, chain=GANTRY, T_world_board=T_WORLD_BOARD):
    """T_optical_board at joint positions."""
    return invert(chain.T_world_camera(q) @ T_BODY_OPTICAL) @ T_world_board


def corners_of(T_optical_board, lens=LENS, noise=0.0, rng=None, board=BOARD):
    """The corners within the picture, found with an error of so many px."""
    points = apply(T_optical_board, board.corners)
    pixels, _ = lens.project(points)
    inside = (points[:, 2] > 0) & (pixels > 0).all(axis=1)
    inside &= (pixels < [lens.intrinsics.width, lens.intrinsics.height]).all(axis=1)
    pixels = pixels[inside] + (rng.normal(0.0, noise, (int(inside.sum()), 2)) if noise else 0.0)
    return Corners(np.flatnonzero(inside), pixels)


def picture_of(T_optical_board, camera, noise=0.0, rng=None, board=BOARD):
    """What a pinhole camera sees of the printed board before a grey wall, (H, W, 3), from four samples a pixel."""
    per_square, fine = 60, 2
    sheet = board.image(per_square * (board.squares_x + 1))
    # Sheet pixel (centres at half-integers) -> board, m -> image, finer by a factor.
    scale = board.square / per_square
    to_board = np.array([[scale, 0.0, -0.5 * board.square], [0.0, scale, -0.5 * board.square], [0.0, 0.0, 1.0]])
    to_image = np.diag([fine, fine, 1.0]) @ camera.matrix() @ T_optical_board[:3, [0, 1, 3]] @ to_board
    centres = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    size = (fine * camera.width, fine * camera.height)
    large = cv2.warpPerspective(
        sheet, np.linalg.inv(centres) @ to_image @ centres, size, flags=cv2.INTER_AREA, borderValue=128
    )
    small = cv2.resize(large, (camera.width, camera.height), interpolation=cv2.INTER_AREA).astype(float)
    small = cv2.GaussianBlur(40.0 + 0.7 * small, (0, 0), 0.6)
    if noise:
        small = small + rng.normal(0.0, noise, small.shape)
    return np.repeat(np.clip(small, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def pose_error(found, true):
    """Distance, m, and angle, rad, between two poses."""
    difference = invert(true) @ found
    return float(np.linalg.norm(difference[:3, 3])), float(np.linalg.norm(cv2.Rodrigues(difference[:3, :3])[0]))

"""Frames that ``.spz`` files name: which way x, y and z point. Source: the extensions of nianticlabs/spz."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vantage.errors import FormatError
from vantage.spatial import quaternion
from vantage.splats import harmonics
from vantage.splats.formats.reading import AGAIN, RawGaussians

# In the order of their numbers, from 1: right or left, up or down, back or front.
FRAMES = (
    *("LDB", "RDB", "LUB", "RUB", "LDF", "RDF", "LUF", "RUF"),
    *("LFD", "RFD", "LFU", "RFU", "LBD", "RBD", "LBU", "RBU"),
)
_DIRECTIONS = {
    **{"R": (1, 0, 0), "U": (0, 1, 0), "B": (0, 0, 1)},
    **{"L": (-1, 0, 0), "D": (0, -1, 0), "F": (0, 0, -1)},
}


def in_right_up_back(raw: RawGaussians, frame: int, path: Path) -> RawGaussians:
    """Gaussians of the frame of that number, in the frame x right, y up, z back; 0 means that they are in it.

    Raises:
        FormatError: there is no such frame.
    """
    if frame > len(FRAMES):
        raise FormatError(f"{path} names the unknown frame {frame}; {AGAIN}")
    if frame == 0:
        return raw
    R_rub_file = np.array([_DIRECTIONS[letter] for letter in FRAMES[frame - 1]], np.float64).T
    if np.linalg.det(R_rub_file) < 0:
        raw = _mirrored(raw)
        R_rub_file[:, 0] *= -1
    x, y, z, w = quaternion(R_rub_file)
    product = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    return RawGaussians(
        means=np.asarray(raw.means @ R_rub_file.T, np.float32),
        scales=raw.scales,
        quaternions=np.asarray(raw.quaternions @ product.T, np.float32),
        opacities=raw.opacities,
        sh=harmonics.rotate(raw.sh, R_rub_file),
        instances=raw.instances,
    )


def _mirrored(raw: RawGaussians) -> RawGaussians:
    """With x negated. Harmonics are even or odd in x, which one direction tells."""
    direction = np.array([[0.48, 0.6, 0.64]])
    degree = harmonics.degree_of(raw.sh.shape[1])
    signs = np.sign(harmonics.basis(direction * [-1, 1, 1], degree) * harmonics.basis(direction, degree))[0]
    return RawGaussians(
        means=raw.means * np.array([-1, 1, 1], np.float32),
        scales=raw.scales,
        quaternions=raw.quaternions * np.array([1, 1, -1, -1], np.float32),
        opacities=raw.opacities,
        sh=np.asarray(raw.sh * signs[:, None], np.float32),
        instances=raw.instances,
    )

"""Camera calibrations in files as ROS's camera_calibration writes and its camera drivers read them (camera_info YAML).

The files count pixel centres at integers; nothing is converted here, see ``undistort``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.files import write_whole
from vantage.spatial import Matrix
from vantage.worlds.rig.cameras.undistort import COEFFICIENTS, Undistorter, to_ros

_MOST_PIXELS = 65536  # of one side


@dataclass(frozen=True, eq=False)
class Calibration:
    """What is known of a camera and its lens.

    Attributes:
        K: (3, 3), pixels, with pixel centres at integers as in ROS and OpenCV.
        distortion: coefficients in ROS's order.
        model: ``plumb_bob``, ``rational_polynomial`` or ``equidistant``.
    """

    width: int
    height: int
    K: Matrix
    distortion: tuple[float, ...] = ()
    model: str = "plumb_bob"
    name: str = "camera"

    def undistorter(self) -> Undistorter:
        """
        Raises:
            ConfigError: the numbers make no camera.
        """
        return Undistorter(self.width, self.height, self.K, self.distortion, self.model)


def read_calibration(path: str | Path) -> Calibration:
    """Read a camera_info YAML file. Rectification and projection, which belong to stereo cameras, are passed over.

    Raises:
        ConfigError: it is missing or not of this form; the message names file and key.
    """
    file = Section.of_file(path)
    width, height = (file.whole(key, low=1, high=_MOST_PIXELS) for key in ("image_width", "image_height"))
    K = np.array(_matrix(file, "camera_matrix", 3, 3)).reshape(3, 3)
    model = file.text("distortion_model", choices=tuple(COEFFICIENTS))
    distortion = _matrix(file, "distortion_coefficients", 1, COEFFICIENTS[model])
    calibration = Calibration(width, height, K, distortion, model, file.text("camera_name", "camera"))
    try:
        calibration.undistorter()
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return calibration


def write_calibration(path: str | Path, calibration: Calibration) -> None:
    """Write a camera_info YAML file, whole or not at all. The projection is to the pinhole that ``Undistorter`` makes.

    Raises:
        ConfigError: the numbers make no camera, or the file cannot be written.
    """
    pinhole = to_ros(calibration.undistorter().intrinsics.matrix())
    distortion = tuple(calibration.distortion) or (0.0,) * COEFFICIENTS[calibration.model]
    text = "\n".join(
        [
            f"image_width: {calibration.width}",
            f"image_height: {calibration.height}",
            f"camera_name: {_quoted(calibration.name)}",
            _matrix_text("camera_matrix", calibration.K),
            f"distortion_model: {calibration.model}",
            _matrix_text("distortion_coefficients", np.array([distortion])),
            _matrix_text("rectification_matrix", np.eye(3)),
            _matrix_text("projection_matrix", np.hstack([pinhole, np.zeros((3, 1))])),
            "",
        ]
    )
    try:
        write_whole(path, text)
    except OSError as error:
        raise ConfigError(f"cannot write the calibration to {path}: {error.strerror}; choose another place") from error


def _matrix(file: Section, key: str, rows: int, columns: int) -> tuple[float, ...]:
    part = file.section(key)
    if (part.whole("rows"), part.whole("cols")) != (rows, columns):
        raise file.error(key, f"expected {rows} x {columns}, got {part.whole('rows')} x {part.whole('cols')}")
    return part.numbers("data", rows * columns)


def _matrix_text(key: str, matrix: Matrix) -> str:
    numbers = ", ".join(repr(float(value)) for value in matrix.reshape(-1))
    return f"{key}:\n  rows: {matrix.shape[0]}\n  cols: {matrix.shape[1]}\n  data: [{numbers}]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''").replace("\n", " ") + "'"

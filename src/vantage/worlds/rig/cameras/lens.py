"""The lens of a camera: its calibration file, what a rig file says about it, and the removal of its distortion.

Calibration files are those that ROS's camera_calibration writes and its camera drivers read (camera_info YAML). ROS and
OpenCV count pixel centres at integers, and so do these files; Vantage counts them at half-integers: its principal point
is half a pixel larger. ``from_ros`` and ``to_ros`` convert. ``Undistorter`` makes pictures those of a pinhole camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.decoding import Section
from vantage.errors import ConfigError, HardwareError
from vantage.files import write_whole
from vantage.spatial import Intrinsics, Matrix

PLUMB_BOB, RATIONAL_POLYNOMIAL, EQUIDISTANT = "plumb_bob", "rational_polynomial", "equidistant"
COEFFICIENTS = {PLUMB_BOB: 5, RATIONAL_POLYNOMIAL: 8, EQUIDISTANT: 4}
_HALF_PIXEL = 0.5
_RIM_POINTS = 65  # a side
_FOCAL_SCALES = np.geomspace(4.0, 0.5, 300)  # about 0.7 % from one to the next


def from_ros(K: Matrix) -> Matrix:
    """(3, 3) with pixel centres at half-integers from one with pixel centres at integers."""
    moved = np.array(K, dtype=np.float64)
    moved[:2, 2] += _HALF_PIXEL
    return moved


def to_ros(K: Matrix) -> Matrix:
    """(3, 3) with pixel centres at integers from one with pixel centres at half-integers."""
    moved = np.array(K, dtype=np.float64)
    moved[:2, 2] -= _HALF_PIXEL
    return moved


class Undistorter:
    """Pictures of a lens as a pinhole camera of the same size and principal point would take them.

    The focal lengths of the pinhole are scaled by one factor: as small as can be while every pixel still gets a
    picture, but not below 1/2, so that a fisheye does not spend its pixels on its rim. Without distortion nothing is
    changed.
    """

    def __init__(self, width: int, height: int, K: Matrix, distortion: Sequence[float], model: str) -> None:
        """
        Args:
            K: (3, 3), pixel centres at integers, as in ROS and OpenCV.
            distortion: coefficients in ROS's order; none for a lens without distortion.
            model: ``plumb_bob``, ``rational_polynomial`` or ``equidistant`` (REP-104).

        Raises:
            ConfigError: these make no camera.
        """
        self._K = checked_matrix(K, width, height)
        self._distortion, self._model = checked_distortion(distortion, model), model
        self._size = (width, height)
        self._maps: tuple[NDArray[Any], NDArray[Any]] | None = None
        pinhole = self._K
        if np.any(self._distortion):
            pinhole = self._pinhole(self._widest())
            self._maps = self._mapping(pinhole)
        fx, fy, (cx, cy) = pinhole[0, 0], pinhole[1, 1], from_ros(pinhole)[:2, 2]
        self.intrinsics = Intrinsics(width, height, float(fx), float(fy), float(cx), float(cy))

    def rgb(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(H, W, 3) of the pinhole from (H, W, 3) of the lens."""
        return np.asarray(self._moved(image, cv2.INTER_LINEAR, 0.0), dtype=np.uint8)

    def depth(self, depth: NDArray[np.float32]) -> NDArray[np.float32]:
        """(H, W) m along the optical axis, each from the nearest pixel of the lens."""
        return np.asarray(self._moved(depth, cv2.INTER_NEAREST, np.nan), dtype=np.float32)

    def _moved(self, image: NDArray[Any], interpolation: int, outside: float) -> NDArray[Any]:
        if image.shape[1::-1] != self._size:
            (width, height), (wide, high) = self._size, image.shape[1::-1]
            raise ConfigError(f"a picture of {wide} x {high} pixels, calibrated are {width} x {height}; calibrate anew")
        if self._maps is None:
            return image
        x, y = self._maps
        return cv2.remap(image, x, y, interpolation, borderMode=cv2.BORDER_CONSTANT, borderValue=outside)

    def _pinhole(self, scale: float) -> Matrix:
        return np.asarray(self._K * np.array([[scale, 1.0, 1.0], [1.0, scale, 1.0], [1.0, 1.0, 1.0]]))

    def _mapping(self, pinhole: Matrix) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where in the lens's picture each pixel of the pinhole lies: x and y, each (H, W)."""
        none, kind = np.eye(3), cv2.CV_32FC1
        mapping = cv2.fisheye.initUndistortRectifyMap if self._model == EQUIDISTANT else cv2.initUndistortRectifyMap
        x, y = mapping(self._K, self._distortion, none, pinhole, self._size, kind)
        return x, y

    def _widest(self) -> float:
        """The smallest scale at which the rim of the pinhole's picture lies inside that of the lens."""
        rim = _rim(*self._size)
        last = np.array(self._size) - 1.0
        chosen, reach = None, np.zeros(len(rim))
        for scale in _FOCAL_SCALES:
            seen = self._distorted((rim - self._K[:2, 2]) / (scale * self._K[[0, 1], [0, 1]]))
            before, reach = reach, np.linalg.norm(seen - self._K[:2, 2], axis=1)
            # beyond the calibrated part a polynomial may turn back; no lens does
            if np.any(seen < 0.0) or np.any(seen > last) or np.any(reach < before):
                break
            chosen = float(scale)
        if chosen is None:
            raise ConfigError(
                f"the distortion {self._distortion.tolist()} ({self._model}) leaves no picture; calibrate the camera "
                "anew"
            )
        return chosen

    def _distorted(self, rays: Matrix) -> Matrix:
        """Pixels (N, 2) of the lens for rays (N, 2) at z = 1."""
        if self._model == EQUIDISTANT:
            return np.asarray(cv2.fisheye.distortPoints(rays[:, None], self._K, self._distortion), float).reshape(-1, 2)
        points = np.column_stack([rays, np.ones(len(rays))])
        pixels, _ = cv2.projectPoints(points, np.zeros(3), np.zeros(3), self._K, self._distortion)
        return np.asarray(pixels, float).reshape(-1, 2)


def rgb_of(image: NDArray[Any]) -> NDArray[np.uint8]:
    """(H, W, 3) with the colours in our order from one in OpenCV's."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def checked_matrix(K: Matrix, width: int, height: int) -> Matrix:
    """K as (3, 3) float64.

    Raises:
        ConfigError: it is not ``[fx 0 cx; 0 fy cy; 0 0 1]`` with a principal point inside the picture.
    """
    matrix = np.asarray(K, dtype=np.float64)
    if matrix.shape != (3, 3) or not np.all(np.isfinite(matrix)):
        raise ConfigError(f"a camera matrix is 3 x 3 finite numbers, got {matrix.tolist()}; calibrate the camera anew")
    fx, fy, cx, cy = matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]
    form = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    if not np.allclose(matrix, form, atol=1e-9) or fx <= 0 or fy <= 0:
        raise ConfigError(
            f"expected a camera matrix [fx 0 cx; 0 fy cy; 0 0 1] with positive focal lengths, got {matrix.tolist()}; "
            "calibrate the camera anew"
        )
    if not (0 < cx < width and 0 < cy < height):
        raise ConfigError(
            f"the principal point ({cx:g}, {cy:g}) lies outside the picture of {width} x {height} pixels; calibrate "
            "the camera at this size"
        )
    return matrix


def checked_distortion(distortion: Sequence[float], model: str) -> Matrix:
    """The coefficients as (n,) float64; zeros where there are none.

    Raises:
        ConfigError: another model, or another number of them than it has.
    """
    values = np.asarray(distortion, dtype=np.float64).reshape(-1)
    if model not in COEFFICIENTS and len(values) == 0:
        return np.zeros(COEFFICIENTS[PLUMB_BOB])
    if model not in COEFFICIENTS:
        raise ConfigError(f"unknown distortion model '{model}', expected one of {', '.join(COEFFICIENTS)}")
    if len(values) == 0:
        return np.zeros(COEFFICIENTS[model])
    if len(values) != COEFFICIENTS[model] or not np.all(np.isfinite(values)):
        raise ConfigError(
            f"the distortion model {model} has {COEFFICIENTS[model]} finite coefficients, got {values.tolist()}; "
            "calibrate the camera anew"
        )
    return values


def _rim(width: int, height: int) -> Matrix:
    """(N, 2): points along the centres of the outermost pixels."""
    x, y = np.linspace(0.0, width - 1.0, _RIM_POINTS), np.linspace(0.0, height - 1.0, _RIM_POINTS)
    top, left = np.column_stack([x, 0 * x]), np.column_stack([0 * y, y])
    return np.concatenate([top, left, top + np.array([0.0, height - 1.0]), left + np.array([width - 1.0, 0.0])])


@dataclass(frozen=True, eq=False)
class Lens:
    """A lens and the size of its pictures.

    Attributes:
        width, height: pixels; 0 for whatever the camera sends.
        calibration: of that size; None for square pixels and a ``horizontal_fov``, rad.
    """

    width: int
    height: int
    calibration: Calibration | None
    horizontal_fov: float = 0.0

    def undistorter(self, width: int, height: int, camera: str) -> Undistorter:
        """For pictures of a size, which ``camera`` sends.

        Raises:
            HardwareError: another size was expected.
        """
        if self.width and (width, height) != (self.width, self.height):
            raise HardwareError(
                f"{camera} sends {width} x {height} pixels instead of {self.width} x {self.height}; set "
                "camera.width and camera.height to a size that it offers, and calibrate it at that size"
            )
        if self.calibration is not None:
            return self.calibration.undistorter()
        K = to_ros(Intrinsics.from_fov(width, height, self.horizontal_fov).matrix())
        return Undistorter(width, height, K, (), "plumb_bob")


def read_lens(section: Section) -> Lens:
    """From the keys ``width``, ``height``, ``calibration`` and ``horizontal_fov``.

    Raises:
        ConfigError: a key or the calibration file is wrong, or both are for different sizes.
    """
    width, height = section.whole("width", 0, 0, 65536), section.whole("height", 0, 0, 65536)
    if (width == 0) != (height == 0):
        raise section.error("width", f"{width} x {height} pixels are no picture; give width and height, or neither")
    path = section.path("calibration", "")
    if path is None:
        if "horizontal_fov" not in section:
            raise section.error("calibration", "is missing; name a camera_info file, or give horizontal_fov in rad")
        return Lens(width, height, None, section.number("horizontal_fov", low=0.01, high=3.1))
    section.number("horizontal_fov", 1.0)  # what the file says counts
    calibration = read_calibration(path)
    size = (calibration.width, calibration.height)
    if width and size != (width, height):
        raise section.error(
            "calibration",
            f"{path} was made at {size[0]} x {size[1]} pixels, the camera is to send {width} x {height}; calibrate "
            "it at that size",
        )
    return Lens(*size, calibration)


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

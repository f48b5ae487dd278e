"""What a rig file says about the lens of a camera: a calibration file, or a field of view without distortion."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.decoding import Section
from vantage.errors import HardwareError
from vantage.spatial import Intrinsics
from vantage.worlds.rig.cameras.calibration_file import Calibration, read_calibration
from vantage.worlds.rig.cameras.undistort import Undistorter, to_ros


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

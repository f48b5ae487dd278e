from .lens import (
    PLUMB_BOB as PLUMB_BOB,
    Calibration as Calibration,
    Undistorter as Undistorter,
    to_ros as to_ros,
    write_calibration as write_calibration,
)
from .periodic import FAULTS as FAULTS, PeriodicCamera as PeriodicCamera

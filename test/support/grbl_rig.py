"""Drivers of a small five-axis rig for tests, on whatever port there is."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any

import numpy as np

from vantage.decoding import Section
from vantage.worlds.rig.drivers.grbl_axes import Axes, read_axes
from vantage.worlds.rig.drivers.grbl_driver import GrblDriver
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE, Joint

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
STEP = math.radians(0.01)
JOINTS = (
    Joint("x", PRISMATIC, X, np.eye(4), 0.01, 1.99, 0.25, 1.5, 1.25e-5, "x_link"),
    Joint("y", PRISMATIC, Y, np.eye(4), 0.01, 1.59, 0.25, 1.5, 1.25e-5, "y_link"),
    Joint("z", PRISMATIC, Z, np.eye(4), 0.31, 1.49, 0.15, 1.0, 2.5e-6, "z_link"),
    Joint("pan", REVOLUTE, Z, np.eye(4), -3.18, 3.18, 1.5, 8.0, STEP, "pan_link"),
    Joint("tilt", REVOLUTE, Y, np.eye(4), -1.28, 1.28, 1.5, 8.0, STEP, "tilt_link"),
)
LETTERS = {"x": "X", "y": "Y", "z": "Z", "pan": "A", "tilt": "B"}


def small_axes(**changes: Any) -> Axes:
    return read_axes(Section({"axes": LETTERS, **changes}, "rig.yaml: driver", Path(".")), JOINTS)


class Notices(list):
    """Everything that a driver noticed, (kind, sentence)."""

    def __call__(self, kind: str, sentence: str) -> None:
        self.append((kind, sentence))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self]


def driver_on(port: str, **choices: Any) -> tuple[GrblDriver, Notices]:
    driver = GrblDriver(small_axes(), port, **{"opening": 3.0, **choices})
    driver.notify = notices = Notices()
    return driver, notices


def driver_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("grbl /")]

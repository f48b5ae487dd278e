"""A small robot for tests: its joints, its emulated controller and the driver that moves it, over DDS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from ros_fixtures import eventually, new_domain

from vantage.nodes.rig.endpoint import ControllerNames
from vantage.nodes.rig.ros2_control import Ros2ControlDriver
from vantage.nodes.rig.trajectory_controller import TrajectoryController
from vantage.worlds.rig.kinematics.chain import Joint

JOINTS = (
    Joint("x", "prismatic", (1.0, 0.0, 0.0), lower=0.0, upper=2.0, speed=1.0, acceleration=9.0, resolution=1e-5),
    Joint("y", "prismatic", (0.0, 1.0, 0.0), lower=0.0, upper=2.0, speed=1.0, acceleration=9.0, resolution=1e-5),
    Joint("pan", "revolute", (0.0, 0.0, 1.0), lower=-3.0, upper=3.0, speed=3.0, acceleration=30.0, resolution=1e-4),
)
NAMES = ("slide_x", "slide_y", "pan_joint")
START = (0.2, 0.2, 0.0)
NEAR, FAR = np.array([0.3, 0.25, 0.4]), np.array([1.8, 0.9, -2.0])


def wiring(domain: int, controller: str = "/robot/controller", names: tuple[str, ...] = NAMES) -> ControllerNames:
    return ControllerNames(controller, "/joint_states", names, domain)


@dataclass
class Robot:
    """
    Attributes:
        told: what the driver noticed, kind and sentence.
    """

    emulator: TrajectoryController
    driver: Ros2ControlDriver
    domain: int
    told: list[tuple[str, str]] = field(default_factory=list)

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told]

    def moving(self) -> None:
        """Until the joints are on their way at full speed."""
        eventually(lambda: self.emulator.positions()[0] > START[0] + 0.1)


@contextmanager
def robot(ahead: float = 0.0, **options: object) -> Iterator[Robot]:
    """Connected and at ``START``.

    Args:
        ahead: s that the controller's clock is ahead.
    """
    domain = new_domain()
    emulator = TrajectoryController(JOINTS, wiring(domain), START, ahead)
    driver = Ros2ControlDriver(JOINTS, wiring(domain), **options)  # type: ignore[arg-type]
    made = Robot(emulator, driver, domain)
    driver.notify = lambda kind, sentence: made.told.append((kind, sentence))
    emulator.start()
    try:
        with driver:
            yield made
    finally:
        emulator.close()

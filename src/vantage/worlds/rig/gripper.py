"""The gripper of an arm: widths and forces in, positions and efforts of one joint out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from vantage.decoding import Section
from vantage.spatial import Matrix
from vantage.worlds.rig.drivers import Driver, DriverState
from vantage.worlds.rig.kinematics import PRISMATIC, REVOLUTE, Joint

_MISSED = 5.0  # steps of the joint that fingers which hold something are from where they were sent
_ROOM = 1e-6  # m or N: float noise in a target that is meant to lie on a limit


@runtime_checkable
class Grasping(Protocol):
    """A driver that can press on what is in its way."""

    def grasp(self, target: Matrix, effort: float | None, timeout: float) -> DriverState:
        """Like ``Driver.move``, but something in the way ends the motion without an error and goes on being pressed,
        with ``effort`` (N or N m) besides what the controller does by itself."""
        ...


@dataclass(frozen=True, eq=False)
class GripperRules:
    """Two fingers moved by one joint. The width is the distance between them, m; forces press on what they hold, N.

    Attributes:
        widths: closed and open, m.
        positions: of the joint at these widths, m or rad; linear between them.
        max_force: N; 0 where the controller takes none.
        effort: N or N m of the joint for each N of force.
    """

    joint: Joint
    widths: tuple[float, float]
    positions: tuple[float, float]
    max_force: float = 0.0
    effort: float = 1.0

    def violation(self, width: float, force: float) -> str | None:
        """Why a width and a force (0: whatever the controller does by itself) are not allowed, in words, or None."""
        low, high = self.widths
        if not (math.isfinite(width) and math.isfinite(force)):
            return f"the gripper's width {width} and force {force} are not finite"
        if not low - _ROOM <= width <= high + _ROOM:
            return f"the gripper's width {width:.4f} m is outside the limits [{low:.4f}, {high:.4f}] m"
        if force != 0.0 and self.max_force == 0.0:
            return f"this gripper takes no force, got {force:g} N; leave it at 0 or set the gripper's 'max_force'"
        if not 0.0 <= force <= self.max_force + _ROOM:
            return f"the gripper's force {force:g} N is outside the limits [0, {self.max_force:g}] N"
        return None

    def position(self, width: float) -> float:
        """Of the joint, m or rad."""
        return float(np.interp(width, self.widths, self.positions))

    def width(self, position: float) -> float:
        """Of the joint's position, m."""
        (a, b), (low, high) = self.positions, self.widths
        return low + (position - a) / (b - a) * (high - low)

    def closing_effort(self, force: float) -> float | None:
        """Of the joint for a force, N or N m; None leaves it to the controller."""
        if force == 0.0:
            return None
        return math.copysign(self.effort * force, self.positions[0] - self.positions[1])


def read_gripper(section: Section) -> GripperRules:
    """Keys: ``joint``, ``type``, ``widths``, ``positions`` (the widths), ``speed``, ``acceleration``, ``resolution``,
    ``max_force`` (0) and ``effort`` (1).

    Raises:
        ConfigError: one is missing or has a wrong value.
    """
    low, high = section.numbers("widths", 2)
    if not 0.0 <= low < high:
        raise section.error("widths", f"expected [closed, open] with 0 <= closed < open, got [{low:g}, {high:g}]")
    a, b = section.numbers("positions", 2, (low, high))
    if a == b:
        raise section.error("positions", "the joint must be at two different positions when closed and when open")
    joint = Joint(
        name=section.text("joint"),
        kind=section.text("type", PRISMATIC, choices=(PRISMATIC, REVOLUTE)),
        axis=(1.0, 0.0, 0.0),
        lower=min(a, b),
        upper=max(a, b),
        speed=section.number("speed", 0.05, 1e-6),
        acceleration=section.number("acceleration", 0.5, 1e-6),
        resolution=section.number("resolution", 1e-3, 1e-9, 0.1),
    )
    max_force = section.number("max_force", 0.0, 0.0)
    return GripperRules(joint, (low, high), (a, b), max_force, section.number("effort", 1.0, 1e-9))


class Gripper:
    """The rules of a gripper and the driver of its joint.

    Args:
        holds_nothing: whether forces have no effect, as in simulated time; other drivers that cannot press refuse them.
    """

    def __init__(self, rules: GripperRules, driver: Driver, holds_nothing: bool = False) -> None:
        self.rules, self.driver = rules, driver
        self._holds_nothing = holds_nothing
        self._target: float | None = None  # of the joint

    def width(self) -> float:
        """m between the fingers.

        Raises:
            HardwareError: not connected.
        """
        return self.rules.width(float(self.driver.state().positions[0]))

    @property
    def holds(self) -> bool:
        """Whether something between the fingers keeps them from where they were sent.

        Raises:
            HardwareError: not connected.
        """
        if self._target is None or not isinstance(self.driver, Grasping):
            return False
        missed = abs(float(self.driver.state().positions[0]) - self._target)
        return missed > _MISSED * self.rules.joint.resolution

    def violation(self, width: float, force: float) -> str | None:
        """Why a width and a force are not allowed, in words, or None."""
        reason = self.rules.violation(width, force)
        if reason is None and force != 0.0 and not (self._holds_nothing or isinstance(self.driver, Grasping)):
            return f"the gripper's driver takes no force, got {force:g} N; leave it at 0"
        return reason

    def move(self, width: float, force: float, timeout: float) -> None:
        """Open or close; with a driver that can press, something between the fingers ends the motion too.

        Raises:
            StoppedError, HardwareError: see ``Driver.move``.
        """
        self._target = self.rules.position(width)
        target = np.array([self._target])
        if isinstance(self.driver, Grasping):
            self.driver.grasp(target, self.rules.closing_effort(force), timeout)
        else:
            self.driver.move(target, timeout)

"""The axes of a G-code controller: the letter of each joint, and conversion between their units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vantage.decoding import Section
from vantage.errors import HardwareError
from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.grbl_protocol import LETTERS
from vantage.worlds.rig.kinematics import PRISMATIC, Joint

REPORTED = 0.5e-3  # mm or degrees: positions are reported with three decimals
_SLACK = 1e-3  # relative: settings are printed with three decimals


@dataclass(frozen=True, eq=False)
class Axes:
    """Conversion between joint positions, m or rad, and machine coordinates, mm or degrees.

    Attributes:
        letters: of the joints, in their order.
        zeros: (N,) joint positions, m or rad, at machine coordinate 0.
    """

    joints: tuple[Joint, ...]
    letters: tuple[str, ...]
    zeros: Matrix

    @cached_property
    def scale(self) -> Matrix:
        """(N,): mm per m, or degrees per rad."""
        return np.array([1000.0 if joint.kind == PRISMATIC else 180.0 / math.pi for joint in self.joints])

    @cached_property
    def resolution(self) -> Matrix:
        """(N,) m or rad: one step."""
        return np.array([joint.resolution for joint in self.joints])

    @cached_property
    def tolerance(self) -> Matrix:
        """(N,) m or rad: one step, and what is lost in the report."""
        return np.asarray(self.resolution + REPORTED / self.scale)

    @property
    def count(self) -> int:
        """How many axes the controller must have."""
        return max(LETTERS.index(letter) for letter in self.letters) + 1

    def words(self, positions: Matrix) -> str:
        """Axis words of G-code for joint positions (N,)."""
        wire = (positions - self.zeros) * self.scale
        return "".join(f"{letter}{value:.4f}" for letter, value in zip(self.letters, wire, strict=True))

    def positions(self, wire: tuple[float, ...]) -> Matrix:
        """(N,) m or rad of reported machine coordinates."""
        reported = np.array([wire[LETTERS.index(letter)] for letter in self.letters])
        return np.asarray(reported / self.scale + self.zeros)

    def braking(self, settings: Mapping[str, float]) -> Matrix:
        """(N,) m/s^2 or rad/s^2: how hard the controller accelerates."""
        wire = np.array([settings[f"12{LETTERS.index(letter)}"] for letter in self.letters])
        return np.asarray(wire / self.scale)

    def check(self, settings: Mapping[str, float]) -> None:
        """Compare the controller's settings by number with what the joints want.

        Raises:
            HardwareError: they do not fit; names each setting that is wrong.
        """
        wrong = [*self._guards(settings)]
        for joint, letter, scale in zip(self.joints, self.letters, self.scale, strict=True):
            wrong += self._motor(joint, LETTERS.index(letter), float(scale), settings)
        if wrong:
            raise HardwareError(f"the settings of the controller do not fit this rig: {'; '.join(wrong)}")

    def _guards(self, settings: Mapping[str, float]) -> list[str]:
        wrong = []
        if not int(settings.get("22", 0)) & 1:
            wrong.append("homing is off ($22), set $22=1")
        if not settings.get("20", 0):
            wrong.append("soft limits are off ($20), set $20=1")
        if settings.get("13", 0):
            wrong.append("it reports inches ($13), set $13=0")
        return wrong

    def _motor(self, joint: Joint, index: int, scale: float, settings: Mapping[str, float]) -> list[str]:
        unit = "mm" if joint.kind == PRISMATIC else "degrees"
        steps = 1.0 / (joint.resolution * scale)
        least = (
            (f"11{index}", joint.speed * scale * 60.0, f"{unit}/min"),
            (f"12{index}", joint.acceleration * scale, f"{unit}/s^2"),
            (f"13{index}", (joint.upper - joint.lower) * scale, unit),
        )
        missing = [key for key in (f"10{index}", *(key for key, _, _ in least)) if key not in settings]
        if missing:
            return [f"it does not tell {', '.join(f'${key}' for key in missing)} for joint '{joint.name}'"]
        wrong = []
        if abs(settings[f"10{index}"] - steps) > 0.01 * steps:
            wrong.append(
                f"$10{index} is {settings[f'10{index}']:g} steps per {unit.rstrip('s')}, but a resolution of "
                f"{joint.resolution:g} {joint.unit} of joint '{joint.name}' means {steps:g}"
            )
        for key, wanted, what in least:
            if settings[key] < wanted * (1.0 - _SLACK):
                wrong.append(f"${key} is {settings[key]:g} {what}, but joint '{joint.name}' needs {wanted:g}")
        return wrong


def read_axes(section: Section, joints: tuple[Joint, ...]) -> Axes:
    """Keys ``axes`` (letter by joint) and, where they differ from 0, ``zeros`` (position at machine coordinate 0).

    Raises:
        ConfigError: a joint without a letter, a letter twice, or an unknown joint.
    """
    axes = section.section("axes")
    letters = tuple(axes.text(joint.name, choices=LETTERS) for joint in joints)
    axes.done()
    for i, (joint, letter) in enumerate(zip(joints, letters, strict=True)):
        if letter in letters[:i]:
            raise axes.error(joint.name, f"the letter {letter} is used for more than one joint")
    zeros = section.section("zeros", {})
    origin = np.array([zeros.number(joint.name, 0.0) for joint in joints])
    zeros.done()
    return Axes(joints, letters, origin)

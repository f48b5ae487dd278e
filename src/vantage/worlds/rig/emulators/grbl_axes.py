"""The axes of an emulated controller: which joint hangs on which letter, and what its motor can do."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Joint

LETTERS = "XYZABCUVW"
CLEARANCE = 1.0  # mm or degrees from the end of the travel to the limit switch
BUFFER = 1.0  # mm or degrees from the switch to where the axis is blocked
_FEWEST = 3  # axes that every controller has, with or without a joint
_START = 20.0  # mm or degrees from the home end at power-up, unless the travel is short


@dataclass(frozen=True)
class Axis:
    """One motor. Lengths are mm, or degrees where ``rotary``; places are machine coordinates.

    Attributes:
        lower, upper: ends of the travel that soft limits allow; a switch lies ``CLEARANCE`` beyond each.
        speed, acceleration: largest, per s and s^2.
        steps: of the motor per mm or degree.
        homes_up: whether homing goes to the switch at the upper end.
        start: where the axis stands at power-up; None for close to its home switch.
        joint: which joint of the rig it moves, by number; None for none.
        zero: of that joint at machine coordinate 0, m or rad.
    """

    letter: str
    lower: float
    upper: float
    speed: float
    acceleration: float
    steps: float
    rotary: bool = False
    homes_up: bool = False
    start: float | None = None
    joint: int | None = None
    zero: float = 0.0

    @property
    def travel(self) -> float:
        return self.upper - self.lower

    @property
    def scale(self) -> float:
        """mm per m, or degrees per rad."""
        return 180.0 / math.pi if self.rotary else 1000.0

    @property
    def switches(self) -> tuple[float, float]:
        return self.lower - CLEARANCE, self.upper + CLEARANCE

    @property
    def stops(self) -> tuple[float, float]:
        """Where the axis is blocked."""
        low, high = self.switches
        return low - BUFFER, high + BUFFER

    @property
    def first(self) -> float:
        """Where it stands at power-up."""
        if self.start is not None:
            return self.start
        way = min(_START, 0.1 * self.travel)
        return self.upper - way if self.homes_up else self.lower + way


def axes_of(description: RigDescription) -> tuple[Axis, ...]:
    """The axes of a controller for a rig: all letters up to the last one used, those between without a joint.

    Axes that lift the camera home at the top, the others at their lower end.

    Raises:
        ConfigError: ``driver.axes`` or ``driver.zeros`` lacks a joint, names another one or uses a letter twice.
    """
    section, zeros = description.driver.section("axes"), description.driver.section("zeros", {})
    joints = description.chain.joints
    letters = {joint.name: section.text(joint.name, choices=LETTERS) for joint in joints}
    zero = [zeros.number(joint.name, 0.0) for joint in joints]
    section.done()
    zeros.done()
    for name, letter in letters.items():
        if sum(letter == other for other in letters.values()) > 1:
            raise section.error(name, f"the letter {letter} is used for more than one joint")
    poses = description.chain.link_poses(0.0 * description.chain.lower)
    lifts = [
        float((pose @ joint.T_parent_joint)[2, :3] @ joint.axis) for pose, joint in zip(poses, joints, strict=False)
    ]
    made = {
        letters[joint.name]: _axis(letters[joint.name], number, joint, zero[number], lifts[number])
        for number, joint in enumerate(joints)
    }
    count = max(_FEWEST, *(LETTERS.index(letter) + 1 for letter in made))
    return tuple(made.get(letter) or Axis(letter, 0.0, 200.0, 50.0, 500.0, 100.0) for letter in LETTERS[:count])


def _axis(letter: str, number: int, joint: Joint, zero: float, lift: float) -> Axis:
    """``lift``: how much of the joint's axis points up in the world."""
    prismatic = joint.kind == PRISMATIC
    scale = 1000.0 if prismatic else 180.0 / math.pi
    return Axis(
        letter=letter,
        lower=(joint.lower - zero) * scale,
        upper=(joint.upper - zero) * scale,
        speed=joint.speed * scale,
        acceleration=joint.acceleration * scale,
        steps=1.0 / (joint.resolution * scale),
        rotary=not prismatic,
        homes_up=prismatic and lift > 0.5,
        joint=number,
        zero=zero,
    )

"""The axes of an emulated controller: motors and joints by letter, true positions, switches and encoders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.kinematics import PRISMATIC, Joint

_TINY = 1e-9


class Mechanism:
    """True positions, mm or degrees. Encoders see what an axis really does, counted from ``datum``.

    Attributes:
        true: where each axis is.
        datum: true position where the controller's coordinate is 0; all zero once it is homed.
        least, most: the extremes that each axis ever reached, but for homing, which goes to the switches on purpose.
        stuck: the axis that does not follow, by number.
    """

    def __init__(self, axes: Sequence[Axis], steps: Sequence[float]) -> None:
        self.axes = tuple(axes)
        self.steps = list(steps)
        self.true = [axis.first for axis in axes]
        self.datum = [0.0] * len(axes)
        self._slip = [0.0] * len(axes)
        self.least, self.most = list(self.true), list(self.true)
        self.stuck: int | None = None

    def reading(self) -> tuple[float, ...]:
        """Machine coordinates as counted by the encoders."""
        return tuple(true - datum for true, datum in zip(self.true, self.datum, strict=True))

    def forget(self) -> None:
        """Count from 0 where the axes stand now."""
        self.datum = list(self.true)

    def lose(self, ways: Sequence[float]) -> None:
        """The axes went so far without being counted."""
        self.datum = [datum + way for datum, way in zip(self.datum, ways, strict=True)]

    def resync(self) -> tuple[float, ...]:
        """At rest: what the motor counters are set to, so that they agree with the encoders."""
        self._slip = [0.0] * len(self.axes)
        return self.reading()

    def follow(self, counters: Sequence[float]) -> None:
        """Go where the motors are stepped to."""
        for i, counter in enumerate(counters):
            stepped = round(counter * self.steps[i]) / self.steps[i] + self.datum[i]
            self.place(i, stepped + self._slip[i])
            if i == self.stuck or self.true[i] != stepped + self._slip[i]:
                self._slip[i] = self.true[i] - stepped
            self.least[i] = min(self.least[i], self.true[i])
            self.most[i] = max(self.most[i], self.true[i])

    def place(self, i: int, position: float) -> None:
        """Put one axis somewhere, unless it is stuck; it never gets past where it is blocked."""
        if i == self.stuck:
            return
        low, high = self.axes[i].stops
        self.true[i] = min(max(position, low), high)

    def crossing(self, start: Sequence[float], direction: Sequence[float], length: float) -> float | None:
        """How far along a line (counters) the first switch trips; None where none does."""
        first = math.inf
        for i, d in enumerate(direction):
            if d and i != self.stuck:
                low, high = self.axes[i].switches
                edge = high if d > 0 else low
                way = (edge - start[i] - self.datum[i] - self._slip[i]) / d
                if way <= length - _TINY:
                    first = min(first, max(0.0, way))
        return first if math.isfinite(first) else None

    def triggered(self) -> list[int]:
        """Axes that stand on a switch, by number."""
        return [
            i
            for i, (axis, true) in enumerate(zip(self.axes, self.true, strict=True))
            if not axis.switches[0] + _TINY < true < axis.switches[1] - _TINY
        ]


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

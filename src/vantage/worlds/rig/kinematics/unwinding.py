"""Unwinding: a joint turns the long way round, because the short way leads beyond its limits.

What is limited is how far each turning joint of the camera's chain travels, not the angle between two headings: where a
pan ends at half a turn, a turn of 0.6 rad across that end swings it back by 5.7 rad. Slides have no limit of their own
here: they go as far as the camera does, and a little for the turns of its head.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Joint
from vantage.worlds.rig.kinematics.trajectory import plan

FAR = math.radians(200.0)  # that a joint travels beyond a start or a place in one go only slowly; ends lie at 180 or so

_SLACK = 1e-6  # rad: float noise in a turn that is meant to be as large as one command may make it
_SPARE = 1.0  # s of a command that are left for the controller and for the look at the end


class JointSegment(NamedTuple):
    """A straight line in joint space to ``target`` (N,), along which no joint turns faster than ``turning``, rad/s."""

    target: Matrix
    turning: float = math.inf


@dataclass(frozen=True, eq=False)
class Unwinding:
    """Which motions need an unwind, and how one is carried out.

    Args:
        most: rad that a turning joint may travel in one command.
        speed: rad/s that no joint exceeds in an unwind.
        deadline: s that a command may take.
    """

    joints: tuple[Joint, ...]
    most: float
    speed: float
    deadline: float

    @cached_property
    def strides(self) -> Matrix:
        """(N,): how far each joint may travel in one command; infinite for slides."""
        return self._limits(self.most)

    @cached_property
    def spans(self) -> Matrix:
        """(N,): how far each joint may travel to a start or a place, at its own speed; infinite for slides."""
        return self._limits(max(FAR, self.most))

    def needed(self, start: Matrix, goal: Matrix) -> bool:
        """Whether one command may go from ``start`` to ``goal``, both (N,), only if it allows an unwind."""
        return bool(self._beyond(start, goal, self.strides).any())

    def legs(self, start: Matrix, goal: Matrix) -> list[JointSegment]:
        """How a command goes from ``start`` to ``goal``, both (N,): straight, or first the joints that unwind, alone
        and slowly, then the others."""
        beyond = self._beyond(start, goal, self.strides)
        if not beyond.any():
            return [JointSegment(goal)]
        unwound = JointSegment(np.where(beyond, goal, start), self.speed)
        return [unwound] if beyond.all() or np.array_equal(unwound.target, goal) else [unwound, JointSegment(goal)]

    def refusal(self, start: Matrix, goal: Matrix, allowed: bool) -> str | None:
        """Why a command may not go from ``start`` to ``goal``, both (N,), in words, or None."""
        if not self.needed(start, goal):
            return None
        if not allowed:
            turn = self._turn(start, goal, self.strides)
            return (
                f"{turn}, more than the {self.most:.3f} rad of one command, so the move needs an unwind: turn the "
                "other way round, or ask for it with allow_unwind"
            )
        legs = self.legs(start, goal)
        seconds, patience = self._seconds(start, legs), self.deadline - _SPARE
        if seconds > patience:
            return (
                f"the move needs an unwind and would take {seconds:.1f} s, more than the {patience:.1f} s that a "
                "command has: ask for the turn alone, or raise run.step_timeout and the rig's motion_timeout"
            )
        return None

    def to_place(
        self, start: Matrix, way: Sequence[Matrix], allowed: bool, timeout: float
    ) -> tuple[list[JointSegment], str]:
        """How to go to a start or a place over postures (N,), and why not, in words; one of them is empty.

        As fast as the joints do, but slowly all the way where a joint travels farther than 200 degrees.

        Args:
            allowed: whether that may be.
            timeout: s for each leg.
        """
        travel = np.sum([np.abs(b - a) for a, b in pairwise([start, *way])], axis=0)
        if not np.any(travel > self.spans + _SLACK):
            return [JointSegment(stage) for stage in way], ""
        turn = self._turn(np.zeros(len(travel)), travel, self.spans)
        if not allowed:
            farthest = math.degrees(max(FAR, self.most))
            return [], f"{turn}, more than {farthest:.0f} degrees: that is an unwind; ask for it with --allow-unwind"
        legs = [JointSegment(stage, self.speed) for stage in way]
        longest = max(self._seconds(a, [leg]) for a, leg in zip([start, *way], legs, strict=False))
        if longest > timeout:
            return [], (
                f"{turn} in an unwind of {longest:.0f} s, more than the {timeout:.0f} s of motion_timeout: raise it, "
                "or rig.unwind_speed"
            )
        return legs, ""

    def _limits(self, turn: float) -> Matrix:
        return np.array([math.inf if joint.kind == PRISMATIC else turn for joint in self.joints])

    @staticmethod
    def _beyond(start: Matrix, goal: Matrix, limits: Matrix) -> NDArray[np.bool_]:
        return np.asarray(np.abs(goal - start) > limits + _SLACK)

    def _turn(self, start: Matrix, goal: Matrix, limits: Matrix) -> str:
        """The joint that would go farthest beyond its limit, and how far."""
        travel = np.abs(goal - start)
        worst = int(np.argmax(travel - limits))
        return f"joint '{self.joints[worst].name}' would turn by {travel[worst]:.3f} rad"

    def _seconds(self, start: Matrix, legs: Sequence[JointSegment]) -> float:
        starts = [start, *(leg.target for leg in legs)]
        lines = zip(starts, legs, strict=False)
        return sum(plan(begin, leg.target, self.joints, turning=leg.turning).duration for begin, leg in lines)

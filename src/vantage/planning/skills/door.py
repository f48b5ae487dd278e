"""The one door through which every command of a skill passes, and where a guard can stand."""

from __future__ import annotations

from typing import Protocol

from vantage.planning.skills.results import Failure, SkillResult
from vantage.planning.skills.situation import Situation, Skill, Steps
from vantage.planning.skills.unit_steps import UnitSteps
from vantage.types import Cause, Command, Observation, Status, StepResult

_FOREIGN = frozenset({Cause.LEASE, Cause.ORDER, Cause.EPISODE, Cause.CAPABILITY, Cause.UNCONFIRMED, Cause.UNWARRANTED})


class Guard(Protocol):
    """Decides whether something may be done."""

    def refusal(self, skill: Skill, command: Command) -> str:
        """Why a command of a skill is not given, in words; empty where it may be."""
        ...


class SkillDoor:
    """Runs one skill after the other: asks for its commands, and lets them through or not.

    Args:
        guard: asked before each command; without one all pass.
        most_commands: of one skill, after which it has taken too long.
        units: sizes of the parts in which commands are given; without them, as skills ask for them.
    """

    def __init__(
        self,
        situation: Situation,
        guard: Guard | None = None,
        most_commands: int = 200,
        units: UnitSteps | None = None,
    ) -> None:
        self.situation = situation
        self._guard, self._most, self._units = guard, most_commands, units
        self._parts: list[Command] = []  # of the command that is being carried out, which are still to be given
        self._skill: Skill | None = None
        self._steps: Steps | None = None
        self._given = 0

    def begin(self, skill: Skill) -> None:
        """Begin with a skill; one that is under way is given up where it is."""
        if self._steps is not None:
            self._steps.close()
        self._skill, self._steps, self._given = skill, skill.steps(self.situation), 0
        self._parts = []

    def next(self, observation: Observation, last: StepResult | None) -> Command | SkillResult:
        """The next command of the skill, or how it ended.

        Args:
            observation: the newest.
            last: result of the command that was given before; None at first.

        Raises:
            ValueError: no skill was begun.
            VantageError: the perceiver cannot work with the observation.
        """
        if self._steps is None or self._skill is None:
            raise ValueError("no skill was begun; begin one before its first command is asked for")
        self.situation.take_in(observation, last)
        ended = self._ended_by(last) if self._given else None
        if ended is None and self._parts and last is not None and last.status is Status.DONE:
            return self._parts.pop(0)
        if ended is None:
            try:
                command = next(self._steps)
            except StopIteration as stop:
                ended = stop.value
        if ended is None:
            reason = "" if self._guard is None else self._guard.refusal(self._skill, command)
            if reason:
                ended = SkillResult(Failure.REFUSED, reason)
            elif self._given >= self._most:
                ended = SkillResult(Failure.TIMED_OUT, f"{self._skill.name} took more than {self._most} commands")
        if ended is not None:
            self._steps.close()
            self._steps = self._skill = None
            return ended
        self._given += 1
        self._parts = [command]
        if self._units is not None:
            self._parts = self._units.parts(command, observation, self.situation.body)
        return self._parts.pop(0)

    @staticmethod
    def _ended_by(last: StepResult | None) -> SkillResult | None:
        if last is None:
            return None
        if last.status == Status.STOPPED:
            return SkillResult(Failure.STOPPED, last.reason)
        if last.status == Status.REJECTED and last.cause in _FOREIGN and not _is_refused_grasp(last):
            return SkillResult(Failure.REFUSED, last.reason)
        if last.status == Status.TIMED_OUT:
            return SkillResult(Failure.TIMED_OUT, last.reason)
        return None


def _is_refused_grasp(last: StepResult) -> bool:
    """Whether the hand was not let close: a neighbour of the thing may have been in it, and another grasp be let. Where
    no warrant lasts, the next motion of the arm is refused as well."""
    arm = last.command.arm
    return last.cause is Cause.UNWARRANTED and arm is not None and arm.gripper_width == 0.0

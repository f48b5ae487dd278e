"""Planned actions of an arm that goes to named poses and grips: where things are is told by the names of poses."""

from __future__ import annotations

from collections.abc import Mapping

from vantage.goals import kind_of, object_key
from vantage.planning.execution.belief import Belief
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import Failure, SkillResult
from vantage.types import ArmTarget, Command, Observation, Status, StepResult

_PLACES = frozenset({Verb.PLACE_IN, Verb.PLACE_ON, Verb.PLACE_BESIDE})


class PoseBody:
    """An ``ActionBody`` for a robot that stands where it is.

    To pick a thing up is to go to the pose of its name, or of its kind, and to close the gripper; to put it somewhere,
    to go to the pose of that place and to open it. It opens, closes and switches nothing.

    Args:
        poses: joint positions by name of the pose and of the joint, as the rig's file has them.
        widths: m between the fingers, closed and open.
        force: N, of the gripper; 0 leaves it to its controller.
    """

    def __init__(
        self, poses: Mapping[str, Mapping[str, float]], widths: tuple[float, float], force: float = 0.0
    ) -> None:
        self._poses = {object_key(name): dict(pose) for name, pose in poses.items()}
        self._widths, self._force = widths, force
        self._left: list[ArmTarget] = []
        self._ended: SkillResult | None = None
        self._given = False
        self._doing = ""

    @property
    def doing(self) -> str:
        """See ``ActionBody.doing``."""
        return self._doing

    def begin(self, action: PlannedAction, belief: Belief) -> None:
        """See ``ActionBody.begin``."""
        self._doing, self._left, self._ended, self._given = str(action), [], None, False
        if action.verb is Verb.GO_TO:
            return
        if action.verb is not Verb.PICK and action.verb not in _PLACES:
            reason = f"this arm does not '{action.verb.value}'; ask for something else"
            self._ended = SkillResult(Failure.REFUSED, reason)
            return
        target = action.objects[0] if action.verb is Verb.PICK else action.objects[1]
        pose = self._poses.get(object_key(target)) or self._poses.get(kind_of(target))
        if pose is None:
            known = ", ".join(sorted(self._poses)) or "none"
            reason = f"no pose of the arm is named '{target}' or '{kind_of(target)}' (named: {known})"
            self._ended = SkillResult(Failure.OUT_OF_REACH, f"{reason}; add one to the rig's file")
            return
        width = self._widths[0 if action.verb is Verb.PICK else 1]
        self._left = [ArmTarget(joints=pose), ArmTarget(gripper_width=width, gripper_force=self._force)]
        if action.verb is Verb.PICK:
            self._left.insert(0, ArmTarget(gripper_width=self._widths[1]))

    def next(self, observation: Observation, last: StepResult | None) -> Command | SkillResult:
        """See ``ActionBody.next``."""
        if self._ended is None and self._given and last is not None and last.status is not Status.DONE:
            failure = {Status.STOPPED: Failure.STOPPED, Status.TIMED_OUT: Failure.TIMED_OUT}
            self._ended = SkillResult(failure.get(last.status, Failure.REFUSED), last.reason)
        if self._ended is None and not self._left:
            self._ended = SkillResult()
        if self._ended is not None:
            return self._ended
        self._given = True
        return Command(arm=self._left.pop(0))
